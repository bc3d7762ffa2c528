"""Allocations and calls of HDF5 of short runs fail, each once (tests/fault/fault.c): every fifth, or all
with XSIM_FAULT_EVERY=1.

After each: a clean exit status, nothing leaked by xsim's own code, and no earlier result lost. The
file that stood under the output's name is as it was, unless the run took its place as a whole; a
.partial that is left can be gone on with, to the same bits.

HDF5 1.10 itself crashes when some of its own allocations fail; crashes inside of it are counted and
printed, and the files they leave are held to the same."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from test_cli import ROOT, XSIM, read

LIBRARY = Path(XSIM).parent / "tests/fault/fault.so"
# Every one takes a quarter of an hour on two processors: XSIM_FAULT_EVERY=1.
EVERY = int(os.environ.get("XSIM_FAULT_EVERY", "5"))
SCENE = {
    "time": {"step": 0.01, "duration": 0.06}, "gravity": [0, 0, -9.81],
    "output": {"checkpoint": 0.03, "compression": 4}, "contact": {"enabled": True},
    "solver": {"solve": "global", "band_solver": "native"},
    "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.5}},
    "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]},
               {"name": "ball", "position": [0, 0, 0.1], "mass": 1, "inertia": [0.01] * 3,
                "shapes": [{"type": "sphere", "radius": 0.1}]},
               {"name": "arm", "position": [2, 0, 1], "mass": 1, "inertia": [0.01] * 3}],
    "joints": [{"name": "hinge", "type": "revolute", "body1": "ground", "body2": "arm",
                "at": {"position": [1.8, 0, 1], "axis": [0, 1, 0]}}],
    "rods": [{"name": "beam", "discretization": "linear", "elements": 3, "material": "rubber",
              "shape": {"type": "straight", "length": 0.5}, "section": {"radius": 0.02},
              "pose": {"position": [5, 0, 1]}, "ends": {"start": "clamped"}}],
    "checks": [{"metric": "bodies.position.ball.z.final", "above": 0}],
}
CLEAN = {0, 1, 2, 3, 4}
IN_HDF5, OTHER_CRASH = 99, 98


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.folder / "scene.json"
        self.scene.write_text(json.dumps(SCENE), encoding="utf-8")
        self.assertTrue(LIBRARY.exists(), f"{LIBRARY} is missing: make fault")

        self.whole = self.folder / "whole.h5"  # the run that nothing disturbs
        self.plain(self.scene, "-o", self.whole, "-q")
        self.earlier = self.folder / "earlier.h5"  # what an output's name may hold before
        self.plain(self.scene, "-o", self.earlier, "-q", "-s", "time.duration=0.02")
        self.stopped = self.folder / "stopped.h5"  # what a run may go on with
        self.plain(self.scene, "-o", self.stopped, "-q", "-s", "time.duration=0.04")
        self.wanted = read(self.whole)

    def plain(self, *arguments, status=0):
        done = subprocess.run([XSIM, *map(str, arguments)], text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stderr)

    @staticmethod
    def faulty(folder, kind, n, *arguments):
        """Status, messages and [allocations, calls, leaked, writes] of a run with a fault."""
        report = folder / "report"
        report.unlink(missing_ok=True)
        environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "XSIM_FAULT_REPORT": str(report)}
        if kind:
            environment[f"XSIM_FAULT_{kind}"] = str(n)
        try:
            done = subprocess.run([XSIM, *map(str, arguments)], env=environment, text=True,
                                  capture_output=True, check=False, timeout=300, errors="replace")
        except subprocess.TimeoutExpired:
            return "hangs", "", [0] * 4
        numbers = [int(word) for word in report.read_text().split()] if report.exists() else None
        return done.returncode, done.stderr, numbers

    def each(self, kind, count, one):
        """one(folder, n) for every n up to count, in a folder of its own, on all processors; it
        returns what is wrong, or None. Counts crashes in HDF5."""
        crashes = {}

        def task(n):
            folder = self.folder / f"{kind}-{n}"
            folder.mkdir()
            status, text, wrong = one(folder, n)
            shutil.rmtree(folder)
            if status == IN_HDF5:
                crashes[n] = text
            elif status not in CLEAN:
                wrong = f"status {status}"
            if not wrong:
                return None
            print(f"{kind} {n}: {wrong}\n{text[-1500:]}", file=sys.stderr, flush=True)
            return f"{kind} {n}: {wrong}"

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [w for w in pool.map(task, range(1, count + 1, EVERY)) if w]
        print(f"{self.id().split('.')[-1]}: {kind} 1 to {count}, every {EVERY}: "
              f"{len(wrong)} wrong, {len(crashes)} crashes inside HDF5", file=sys.stderr)
        self.assertEqual(len(wrong), 0, f"{len(wrong)} of {count}\n" + "\n".join(wrong[:20]))

    @staticmethod
    def leak(status, text, numbers):
        """What is wrong with the memory of a run. Where HDF5 ends the program nobody counts."""
        if status not in CLEAN or (status == 1 and "a library ended the program" in text):
            return None
        if numbers is None:
            return "it ended without its destructors"
        return f"{numbers[2]} blocks leaked" if numbers[2] != 0 else None

    def judge(self, folder, status, before, whole_after):
        """What is wrong with the files of an output after a run."""
        output, partial = folder / "out.h5", folder / "out.h5.partial"
        if status == 0 and read(output) != whole_after:
            return "status 0, and yet another result"
        if status != 0 and output.read_bytes() != before and read(output) != whole_after:
            return "the earlier result is lost"
        if status != 0 and partial.exists():
            done = subprocess.run([XSIM, "--resume", output, "-q", "--until", "0.06"], text=True,
                                  capture_output=True, check=False)
            # A crash inside HDF5 is as a kill: before the first checkpoint, the run is begun again.
            if status == IN_HDF5 and "holds no checkpoint" in done.stderr:
                return None
            if done.returncode != 0:
                return f"what is left cannot be gone on with: {done.stderr}"
            if read(output) != whole_after:
                return "what is left goes on to other bits"
        return None

    def disturb(self, kind, earlier, *arguments):
        before = earlier.read_bytes()

        def prepare(folder):
            shutil.copyfile(earlier, folder / "out.h5")
            return [word if word != "OUT" else folder / "out.h5" for word in arguments]

        probe = self.folder / "probe"
        probe.mkdir()
        status, text, numbers = self.faulty(probe, None, 0, *prepare(probe))
        self.assertEqual(status, 0, text)
        self.assertEqual(numbers[2], 0, "blocks leaked without a fault")
        self.assertIsNone(self.judge(probe, status, before, self.wanted))

        def one(folder, n):
            status, text, found = self.faulty(folder, kind, n, *prepare(folder))
            return status, text, (self.leak(status, text, found) or
                                  self.judge(folder, status, before, self.wanted))

        self.each(kind, numbers[0 if kind == "ALLOCATION" else 1], one)

    def test_allocations_of_a_run(self):
        self.disturb("ALLOCATION", self.earlier, self.scene, "-o", "OUT", "-q")

    def test_calls_of_a_run(self):
        self.disturb("CALL", self.earlier, self.scene, "-o", "OUT", "-q")

    def test_allocations_of_going_on(self):
        self.disturb("ALLOCATION", self.stopped, "--resume", "OUT", "--until", "0.06", "-q")

    def test_calls_of_going_on(self):
        self.disturb("CALL", self.stopped, "--resume", "OUT", "--until", "0.06", "-q")

    def test_allocations_of_checking(self):
        """What reads, builds and sets up: scenes of all sorts, without a result."""
        for scene in ("scenes/time/four_bar.json", "scenes/demo/rod_bob.json",
                      "scenes/replay/r14c_drop.json", "scenes/rods/right_angle.json",
                      "tests/good/complete.json"):
            with self.subTest(scene=scene):
                arguments = ("--check", ROOT / scene)
                probe = self.folder / "probe"
                probe.mkdir(exist_ok=True)
                status, text, numbers = self.faulty(probe, None, 0, *arguments)
                self.assertEqual((status, numbers[2]), (0, 0), text)

                def one(folder, n):
                    status, text, found = self.faulty(folder, "ALLOCATION", n, *arguments)
                    return status, text, self.leak(status, text, found)

                self.each("ALLOCATION", numbers[0], one)


if __name__ == "__main__":
    unittest.main()
