"""Large scenes take the memory that --check tells, within 10 %, and run: 100 000 free bodies, a rod
of 100 000 elements, 1000 rods of 100, 500 that are recorded, a million records (scripts/make_large.py;
bench/large.py measures that their time is linear). Contacts, which are not known beforehand, take at
most what it tells for each."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "scripts"))
from make_large import large  # noqa: E402 (needs the path above)
from make_spheres import spheres  # noqa: E402

XSIM = os.environ.get("XSIM", ROOT / "build/xsim")
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}


class Large(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    @staticmethod
    def largest_size(pid):
        """Bytes; 0 if the process has ended."""
        try:
            text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        except OSError:
            return 0
        found = re.search(r"VmHWM:\s+(\d+) kB", text)
        return 1024 * int(found[1]) if found else 0

    def measured(self, content):
        """What --check tells by its labels and what the run took, bytes; the result's path."""
        path, output = self.folder / "scene.json", self.folder / "out.h5"
        path.write_text(json.dumps(content), encoding="utf-8")
        text = subprocess.run([XSIM, "--check", path], check=True, capture_output=True,
                              text=True).stdout
        told = {label: float(number) * UNITS[unit] for label, number, unit in
                re.findall(r"(?m)^(\w+) +(?:up to )?about ([0-9.]+) ([kMG]B)", text)}
        run = subprocess.Popen([XSIM, path, "-o", output, "-q"])
        took = 0
        while run.poll() is None:  # (what wait4 tells counts this process before exec, too)
            took = max(took, self.largest_size(run.pid))
            time.sleep(0.01)
        self.assertEqual(run.returncode, 0)
        return told, took, output

    def run_as_told(self, content):
        """The result, once it has run within 10 % of the memory told."""
        told, took, output = self.measured(content)
        told = told["memory"]
        print(f"told {told / 1e6:.1f} MB, took {took / 1e6:.1f} MB")
        self.assertLess(abs(took / told - 1), 0.1)
        return output

    def test_contacts(self):
        scene = spheres(2000, 0.3, 10)
        scene["output"]["fields"] = ["bodies", "contacts"]
        told, took, output = self.measured(scene)
        with h5py.File(output, "r") as file:
            n = file["contacts/count"][:].max()
        self.assertGreater(n, 4000)
        each = (took - told["memory"]) / n
        print(f"{n} contacts: told up to {told['contacts']:.0f} bytes each, took {each:.0f}")
        self.assertLess(each, told["contacts"])
        self.assertGreater(each, told["contacts"] / 3)

    def test_bodies(self):
        self.run_as_told(large("bodies", 100000))

    def test_one_rod(self):
        self.run_as_told(large("rod", 100000))

    def test_rods(self):
        self.run_as_told(large("rods", 1000))

    def test_rods_that_are_recorded(self):
        """4500 datasets: more than the scale of time could have in its list (io/result_column.c)."""
        output = self.run_as_told(large("recorded", 500))
        with h5py.File(output, "r") as file:
            self.assertEqual(len(file["rods"]), 501)  # one of them /rods/name
            for rod in ("r0", "r499"):
                position = file[f"rods/{rod}/position"]
                self.assertEqual(position.shape, (2, 101, 3))
                self.assertFalse(position.dims[0].keys())
            self.assertEqual(file["residual/rod"].dims[0].keys(), ["time"])
        subprocess.run([XSIM, "--resume", output, "--until", "0.04", "-q"], check=True)
        with h5py.File(output, "r") as file:
            self.assertEqual(file["rods/r499/position"].shape, (3, 101, 3))

    def test_a_million_records(self):
        output = self.run_as_told(large("records", 1000000))
        with h5py.File(output, "r") as file:
            self.assertEqual(file["bodies/position"].shape, (1000001, 1, 3))
            self.assertAlmostEqual(file["time"][-1], 1000, places=6)


if __name__ == "__main__":
    unittest.main()
