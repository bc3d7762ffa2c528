"""A rod of a million elements: what it needs is told beforehand, and it runs."""
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
XSIM = ROOT / "build/xsim"
MEMORY = 4e9  # bytes that the run takes at most


def free_memory():
    text = Path("/proc/meminfo").read_text(encoding="utf-8")
    return 1024 * int(re.search(r"MemAvailable:\s+(\d+) kB", text)[1])


class Million(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        scene = {
            "format": 1, "name": "million", "gravity": [0, 0, -9.81],
            "time": {"step": 0.005, "duration": 0.005}, "output": {"fields": []},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}},
            "rods": [{"name": "line", "discretization": "linear", "elements": 1000000,
                      "shape": {"type": "straight", "length": 1e5},
                      "section": {"radius": 0.05}, "material": "rubber",
                      "ends": {"start": "clamped"}}]}
        (self.folder / "scene.json").write_text(json.dumps(scene))

    def xsim(self, *arguments):
        done = subprocess.run([XSIM, *arguments], cwd=self.folder, text=True, capture_output=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_check_tells_the_memory(self):
        text = self.xsim("--check", "scene.json")
        self.assertRegex(text, r"memory +about \d+(\.\d+)? GB")
        self.assertIn("1000000 elements", text)
        print(re.search(r"memory.*", text)[0])

    @unittest.skipIf(free_memory() < MEMORY, "not enough memory is free")
    def test_a_step(self):
        print(self.xsim("scene.json", "-o", "out.h5"))
        with h5py.File(self.folder / "out.h5", "r") as file:
            self.assertTrue(np.isfinite(file["energy/total"][:]).all())
            self.assertLess(file["residual/primal_relative"][-1], 1e-9)


if __name__ == "__main__":
    unittest.main()
