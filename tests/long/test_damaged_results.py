"""Results with damaged bytes, anywhere in the file, are given to --resume, --rerun and the reader of
summaries, each in a process of its own.

HDF5 1.10 itself does not survive every damage to its structures. So a process that crashes or hangs is
asked where: inside HDF5 it is counted and printed, anywhere else it fails the test. Whatever happens,
the file at PATH is left as it is unless it was gone on with as a whole; and a run that ends well has
the bits of one whose result was never damaged in all that it computed itself."""
import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

from test_cli import XSIM, read
from test_faults import IN_HDF5, LIBRARY, SCENE

TIMES = int(os.environ.get("XSIM_DAMAGED_RESULTS", "400"))
FIRST = int(os.environ.get("XSIM_DAMAGED_FIRST", "0"))  # seed
# 2: an override that it stores is none any more; the message shows it as --set.
ALLOWED = {0, 1, 2, 3, 4, 5, 7}


def damage(content, draw):
    """Some bytes changed, a piece cut out, zeroed or doubled, the end cut off."""
    content = bytearray(content)
    for _ in range(draw.choice((1, 1, 1, 2, 4, 16))):
        at = draw.randrange(len(content))
        # Structures stand at the front: look there more often.
        if draw.random() < 0.5:
            at = draw.randrange(min(len(content), 20000))
        length = draw.choice((1, 1, 1, 2, 4, 8, 64, 512))
        kind = draw.randrange(6)
        if kind == 0:
            content[at:at + length] = draw.randbytes(length)
        elif kind == 1:
            content[at:at + length] = bytes(min(length, len(content) - at))
        elif kind == 2:
            content[at:at + length] = b"\xff" * min(length, len(content) - at)
        elif kind == 3:
            content[at] ^= 1 << draw.randrange(8)
        elif kind == 4 and at + length < len(content):
            to = draw.randrange(len(content) - length)
            content[to:to + length] = content[at:at + length]
        elif kind == 5 and draw.random() < 0.1:
            del content[at:]
        if not content:
            content = bytearray(b"\0")
    return bytes(content)


class DamagedResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        scene = self.folder / "scene.json"
        scene.write_text(json.dumps(SCENE), encoding="utf-8")
        self.contents, self.computed, self.whole = [], [], []
        for name, more in (("compressed", ()), ("plain", ("-s", "output.compression=0"))):
            result = self.folder / f"{name}.h5"
            subprocess.run([XSIM, scene, "-o", result, "-q", "-s", "time.duration=0.04", *more],
                           check=True)
            self.contents.append(result.read_bytes())
            self.computed.append(read(result))
            subprocess.run([XSIM, "--resume", result, "-q", "--until", "0.06"], check=True)
            self.whole.append(read(result))
        self.in_hdf5 = 0

    def differs(self, case, resumed, output):
        """The first dataset with other bits than those that the run ought to compute, or None."""
        wanted = self.whole[case] if resumed else self.computed[case]
        found = []

        def note(name, item):
            name = name if isinstance(name, str) else repr(name)  # not UTF-8 any more
            if isinstance(item, h5py.Dataset) and not name.startswith(("timing/", "provenance/")):
                found.append(name)

        try:
            with h5py.File(output, "r") as file:
                file.visititems(note)
                if set(found) != wanted.keys():
                    return f"datasets {sorted(set(found) ^ wanted.keys())}"
                for name, (shape, kind, content) in wanted.items():
                    if (file[name].shape, file[name].dtype.str) != (shape, kind):
                        return name
                    # Records before the checkpoint are taken over as they are.
                    before = self.computed[case][name][0]
                    taken = before[0] if resumed and before != shape else 0
                    bytes_taken = taken * (len(content) // shape[0]) if taken else 0
                    if file[name][taken:].tobytes() != content[bytes_taken:]:
                        return name
        except (OSError, RuntimeError, KeyError) as error:
            return f"what cannot be read: {error}"
        return None

    def one(self, seed):
        draw = random.Random(seed)
        folder = self.folder / str(seed)
        folder.mkdir()
        result = folder / "r.h5"
        case = draw.randrange(len(self.contents))
        damaged = damage(self.contents[case], draw)
        result.write_bytes(damaged)
        command = draw.choice((["--resume", result, "--until", "0.06", "-q"],
                               ["--rerun", result, "-o", folder / "again.h5", "-q"]))
        report = folder / "report"
        environment = {**os.environ, "LD_PRELOAD": str(LIBRARY), "XSIM_FAULT_REPORT": str(report)}
        wrong = None
        try:
            # A scene that the damage has made long is stopped; a hang is none of that.
            done = subprocess.run([XSIM, *command, "--max-wall", "20"], env=environment, text=True,
                                  capture_output=True, errors="replace", timeout=300, check=False)
            status, text = done.returncode, done.stderr
        except subprocess.TimeoutExpired:
            status, text = "hangs", ""
        if status == IN_HDF5:
            self.in_hdf5 += 1
        elif status == "hangs":
            wrong = "hangs"
        elif status not in ALLOWED and status != 6:
            wrong = f"status {status}"
        elif status not in (0, 5, 6, 7) and result.read_bytes() != damaged:
            wrong = f"status {status}, and the file was changed"
        elif status not in (0, 6, 7) and not text.strip():
            wrong = f"status {status} without a word"
        elif report.exists() and report.read_text().split()[2] != "0" and "ended the program" not in text:
            wrong = f"status {status}, leaked {report.read_text()}"
        elif status == 0:
            resumed = command[0] == "--resume"
            where = self.differs(case, resumed, result if resumed else folder / "again.h5")
            wrong = where and f"status 0, and other bits in {where}"
        shutil.rmtree(folder)
        return f"seed {seed}: {wrong}\n{text[-1500:]}" if wrong else None

    def test_damaged_bytes(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [w for w in pool.map(self.one, range(FIRST, FIRST + TIMES)) if w]
        print(f"{TIMES} damaged results: {len(wrong)} wrong, {self.in_hdf5} crashes inside HDF5",
              file=sys.stderr)
        self.assertEqual(len(wrong), 0, "\n".join(wrong[:20]))


if __name__ == "__main__":
    unittest.main()
