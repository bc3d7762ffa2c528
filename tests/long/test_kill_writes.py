"""Runs that begin, go on with a result, or go back within a step are killed in place of their n-th write,
for each n of the first ones, where they make the file or go back to the checkpoint, and some later: what
is left opens in plain h5py, holds what the run has recorded up to len(/time), and is gone on with to the
bits of a run that was never interrupted. Moments by the clock (test_kill.py) hardly meet these: they are
microseconds."""
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np
from test_cli import XSIM, chain, read
from test_kill import contacts

# What --resume says of a run that was cut off before its first checkpoint.
NOTHING = "nothing to go on with|holds no checkpoint|holds nothing yet"
WITHIN_STEP = "as the step was not done"
LIBRARY = Path(XSIM).parent / "tests/fault/fault.so"
FIRST, LATER = 110, 30  # writes: all of the first ones, so many of the others


def rods(steps):
    """Hanging rods: many datasets of few numbers."""
    scene = chain(1, steps, every=1)
    scene["materials"] = {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.5}}
    scene["rods"] = [
        {"name": f"rod{i}", "discretization": "linear", "elements": 3, "material": "rubber",
         "shape": {"type": "straight", "length": 0.5}, "section": {"radius": 0.02},
         "pose": {"position": [5, i, 1]}, "ends": {"start": "clamped"}} for i in range(3)]
    return {**scene, "name": "rods"}


def killed(n, *arguments, flush=500, interrupt=None):
    """A run that is killed at its n-th write, None: counted. Its number of writes; None if killed.
    It flushes every so many records, as if a second had passed, whatever the clock says; and is
    interrupted at that look at the clock: 0 if this is not within a step."""
    report = Path(arguments[-1]).parent / "report"
    environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "XSIM_FAULT_REPORT": str(report),
                   "XSIM_FAULT_SECOND": str(flush)}
    if n is not None:
        environment["XSIM_FAULT_KILL"] = str(n)
    if interrupt is not None:
        environment["XSIM_FAULT_INTERRUPT"] = str(interrupt)
    done = subprocess.run([XSIM, *map(str, arguments)], env=environment, text=True,
                          capture_output=True, check=False)
    if done.returncode == -9:
        return None
    if interrupt is not None and WITHIN_STEP not in done.stderr:
        return 0
    if done.returncode != (0 if interrupt is None else 6):
        raise AssertionError(f"status {done.returncode}: {done.stderr}")
    return int(report.read_text().split()[3])


class KillWrites(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.assertTrue(LIBRARY.exists(), f"{LIBRARY} is missing: make fault")

    def records(self, path):
        """Whether those of a partial are the whole run's, up to len(/time)."""
        with h5py.File(path, "r") as file:
            n = len(file["time"])

            def compare(name, dataset):
                # Of the same first axis in the whole run, one row a record.
                if name.startswith(("timing", "provenance", "checkpoint")) or name not in self.rows:
                    return None
                rows = dataset[:n] if len(dataset) >= n else None
                return None if np.array_equal(rows, self.rows[name][:n]) else name

            return file.visititems(lambda name, thing: compare(name, thing)
                                   if isinstance(thing, h5py.Dataset) else None)

    def each(self, base, name, arguments, later=LATER, flush=500):
        """Kills runs that go on with the file base, under that name."""
        def prepare(folder):
            folder.mkdir()
            shutil.copyfile(base, folder / name)
            return [*arguments, "-q", "--resume", folder / "out.h5"]

        self.each_write(prepare, lambda words, n: killed(None, *words), later, flush)

    def each_write(self, prepare, go_on, later=LATER, flush=500, interrupt=None):
        """Kills runs of the words that prepare gives for a folder, and goes on with them."""
        count = killed(None, *prepare(self.folder / "probe"), flush=flush, interrupt=interrupt)
        if interrupt is None:
            self.assertEqual(read(self.folder / "probe/out.h5"), self.wanted)

        def one(n):
            folder = self.folder / f"{n}"
            words = prepare(folder)
            self.assertIsNone(killed(n, *words, flush=flush, interrupt=interrupt))
            wrong, partial = None, folder / "out.h5.partial"
            try:
                # A copy of a finished result that was cut short begins with zeros.
                if partial.exists() and partial.read_bytes()[:8].strip(b"\0"):
                    wrong = self.records(partial)
                go_on(words, n)
                if read(folder / "out.h5") != self.wanted:
                    wrong = f"{wrong}; goes on to other bits"
            except (OSError, RuntimeError, KeyError, AssertionError) as error:
                wrong = f"{wrong}; {error}"
            shutil.rmtree(folder)
            return f"write {n}: {wrong}" if wrong else None

        draw = random.Random(1)
        numbers = list(range(1, min(FIRST, count) + 1))
        if count > FIRST:
            numbers += sorted(draw.sample(range(FIRST + 1, count + 1), min(later, count - FIRST)))
        # Who is interrupted goes back at the end.
        if interrupt is not None:
            numbers = sorted(count + 1 - n for n in numbers)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [w for w in pool.map(one, numbers) if w]
        print(f"{self.id().split('.')[-1]}: {len(numbers)} of {count} writes, {len(wrong)} wrong")
        self.assertEqual(wrong, [])
        return numbers

    def whole(self, scene, compression):
        """The run that nothing disturbs."""
        path = self.folder / "scene.json"
        scene["output"].update(checkpoint=1e9, compression=compression)
        path.write_text(json.dumps(scene), encoding="utf-8")
        output = self.folder / "whole.h5"
        count = killed(None, path, "-q", "-o", output)
        self.wanted, self.rows = read(output), {}
        with h5py.File(output, "r") as file:
            n = len(file["time"])
            file.visititems(lambda name, thing: self.rows.update({name: thing[:]}) if isinstance(
                thing, h5py.Dataset) and thing.shape[:1] == (n,) else None)
        return path, count

    def begin(self, scene, compression, *options, flush=500, interrupt=None):
        """A run from its start. It makes its file from nothing, so that before the first checkpoint,
        at the start, there is nothing to go on with; after it there always is."""
        path, _ = self.whole(scene, compression)
        lost = []

        def prepare(folder):
            folder.mkdir()
            return [path, "-q", *options, "-o", folder / "out.h5"]

        def go_on(words, n):
            output = words[-1]
            done = subprocess.run([XSIM, "-q", "--resume", output], text=True, check=False,
                                  capture_output=True)
            if done.returncode == 0:
                return
            lost.append(n)
            if done.returncode != 4 or not re.search(NOTHING, done.stderr):
                raise AssertionError(f"status {done.returncode}: {done.stderr}")
            killed(None, path, "-q", "--force", "-o", output)

        while interrupt and killed(None, *prepare(self.folder / f"look{interrupt}"), flush=flush,
                                   interrupt=interrupt) == 0:
            interrupt += 1
        tried = self.each_write(prepare, go_on, flush=flush, interrupt=interrupt)
        print(f"before the first checkpoint: {len(lost)} writes")
        self.assertEqual(sorted(lost), tried[:len(lost)])

    def go_back(self, scene, compression):
        """A run that was killed after its checkpoint at the start, with records of some chunks."""
        path, count = self.whole(scene, compression)
        output = self.folder / "out.h5"
        self.assertIsNone(killed(count * 3 // 4, path, "-q", "-o", output))
        partial = self.folder / "out.h5.partial"
        with h5py.File(partial, "r") as file:
            self.assertGreater(len(file["time"]), 1000)
        self.each(partial, "out.h5.partial", [])

    def test_first_run(self):
        self.begin(chain(2, 6000, every=1), 0, "-s", "output.checkpoint=2")

    def test_first_run_of_rods_compressed(self):
        self.begin(rods(1500), 4, "-s", "output.checkpoint=0.5")

    def interrupted(self, scene, compression):
        """A run that SIGINT meets within a step: it goes back to its checkpoint at the start."""
        scene["time"]["substeps"] = 4
        # Each step looks at the clock in each of its substeps but the first.
        steps = round(scene["time"]["duration"] / scene["time"]["step"])
        self.begin(scene, compression, "--max-wall", "1e9", interrupt=steps * 3 // 4 * 3)

    def test_interrupted_within_a_step(self):
        self.interrupted(chain(2, 12000, every=1), 0)

    def test_interrupted_within_a_step_rods_compressed(self):
        self.interrupted(rods(1500), 1)

    def test_chain(self):
        self.go_back(chain(2, 12000, every=1), 0)

    def test_chain_compressed(self):
        self.go_back(chain(2, 12000, every=1), 4)

    def test_contacts(self):
        self.go_back(contacts(12000), 0)

    def test_contacts_compressed(self):
        self.go_back(contacts(12000), 1)

    def deep_trees(self, compression):
        """Chunks of two records, so that trees of chunks have many nodes, which the cut removes and
        records to come need again; a commit every three records."""
        path, _ = self.whole(chain(1, 400, every=1), compression)
        output = self.folder / "out.h5"
        more = ("--until", "0.4", "-q", "--resume", output)
        killed(None, path, "-q", "-s", "time.duration=1e-3", "-o", output)
        first = output.read_bytes()
        count = killed(None, *more, flush=3)
        output.write_bytes(first)
        self.assertIsNone(killed(count * 3 // 4, *more, flush=3))
        output.unlink()
        self.each(self.folder / "out.h5.partial", "out.h5.partial", more[:2], 300, 3)

    def test_deep_trees(self):
        self.deep_trees(0)

    def test_deep_trees_compressed(self):
        self.deep_trees(1)

    def test_prolonged_compressed(self):
        """Chunks of 6 records, which may be as large packed as not."""
        path, _ = self.whole(chain(2, 80, every=1), 1)
        first = self.folder / "first.h5"
        killed(None, path, "-q", "-s", "time.duration=5e-3", "-o", first)
        self.each(first, "out.h5", ["--until", "0.08"])


if __name__ == "__main__":
    unittest.main()
