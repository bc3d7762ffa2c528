"""Large scenes take the memory that --check tells, within 10 %, and run: 100 000 free bodies, a rod
of 100 000 elements, 1000 rods of 100, and a recording of a million steps."""
import json
import os
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parent.parent.parent
XSIM = os.environ.get("XSIM", ROOT / "build/xsim")
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}
RUBBER = {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.4}}


def scene(steps, fields=(), every=None, **content):
    return {"format": 1, "name": "large", "time": {"step": 1e-3, "duration": steps * 1e-3},
            "solver": {"band_solver": "native"}, "materials": RUBBER,
            "output": {"every": every or steps, "fields": list(fields)}, **content}


def rod(name, elements, y):
    return {"name": name, "discretization": "linear", "elements": elements,
            "shape": {"type": "straight", "length": elements * 0.01},
            "pose": {"position": [0, y, 0],
                     "orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
            "section": {"radius": 0.01}, "material": "rubber", "ends": {"start": "clamped"}}


def body(k):
    return {"name": f"b{k}", "position": [k % 100, k // 100 % 100, k // 10000], "mass": 1,
            "shapes": [{"type": "sphere", "radius": 0.1}], "angular_velocity": [1, 2, 3]}


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

    def run_as_told(self, content):
        """The result, once it has run within 10 % of the memory told."""
        path, output = self.folder / "scene.json", self.folder / "out.h5"
        path.write_text(json.dumps(content), encoding="utf-8")
        text = subprocess.run([XSIM, "--check", path], check=True, capture_output=True,
                              text=True).stdout
        line = next(line for line in text.splitlines() if line.startswith("memory")).split()
        told = float(line[2]) * UNITS[line[3]]
        run = subprocess.Popen([XSIM, path, "-o", output, "-q"])
        took = 0
        while run.poll() is None:  # (what wait4 tells counts this process before exec, too)
            took = max(took, self.largest_size(run.pid))
            time.sleep(0.01)
        self.assertEqual(run.returncode, 0)
        print(f"told {told / 1e6:.1f} MB, took {took / 1e6:.1f} MB, "
              f"scene of {path.stat().st_size / 1e6:.1f} MB")
        self.assertLess(abs(took / told - 1), 0.1)
        return output

    def test_bodies(self):
        self.run_as_told(scene(20, bodies=[body(k) for k in range(100000)]))

    def test_one_rod(self):
        self.run_as_told(scene(20, rods=[rod("r", 100000, 0)]))

    def test_rods(self):
        self.run_as_told(scene(20, rods=[rod(f"r{k}", 100, 0.1 * k) for k in range(1000)]))

    def test_a_million_records(self):
        output = self.run_as_told(scene(
            1000000, every=1, bodies=[body(1)], fields=["bodies"]))
        with h5py.File(output, "r") as file:
            self.assertEqual(file["bodies/position"].shape, (1000001, 1, 3))
            self.assertAlmostEqual(file["time"][-1], 1000, places=6)


if __name__ == "__main__":
    unittest.main()
