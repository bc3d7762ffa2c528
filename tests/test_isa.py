"""The code for the baseline and that for AVX2 give the same bits in every dataset: each scene
of scenes/, by each way to solve, over some hundred steps."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py

from test_cli import ROOT, XSIM, read

STEPS = 200
SCENES = sorted(path for path in (ROOT / "scenes").rglob("*.json")
                if not path.name.endswith(".sweep.json"))
HAS_AVX2 = " avx2 " in Path("/proc/cpuinfo").read_text(encoding="utf-8").replace("\n", " ")


@unittest.skipUnless(HAS_AVX2, "the processor has no AVX2")
class SameBits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_scene(self, scene, isa, *overrides):
        output = self.folder / f"{isa}.h5"
        command = [XSIM, scene, "-o", output, "-q"]
        # The scene's own checks are made for its whole duration.
        for override in ("checks=[]", "output.every=1", *overrides):
            command += ["-s", override]
        done = subprocess.run(command, env={**os.environ, "XSIM_ISA": isa}, text=True,
                              capture_output=True, check=False)
        # A scene that is made to diverge does so.
        diverges = "overload" in scene.name and overrides[0] != "time.duration=0"
        self.assertEqual(done.returncode, 5 if diverges else 0, done.stderr)
        return output

    def test_every_scene_has_the_same_bits_from_both_builds(self):
        self.assertGreater(len(SCENES), 10)
        for scene in SCENES:
            with h5py.File(self.run_scene(scene, "baseline", "time.duration=0"), "r") as start:
                duration = f"time.duration={STEPS * float(start.attrs['time_step'])!r}"
            for solve in ("block", "individual"):
                with self.subTest(scene=scene.name, solve=solve):
                    baseline, avx2 = (read(self.run_scene(scene, isa, duration,
                                                          f"solver.solve={solve}"))
                                      for isa in ("baseline", "avx2"))
                    self.assertEqual(baseline.keys(), avx2.keys())
                    if "overload" not in scene.name:
                        self.assertEqual(baseline["time"][0], (STEPS + 1,))
                    for name, values in baseline.items():
                        self.assertTrue(values == avx2[name], f"{name} differs")


if __name__ == "__main__":
    unittest.main()
