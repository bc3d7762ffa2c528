"""The code for the baseline and that for AVX2 give the same bits in every dataset: each scene
of scenes/, by each way to solve, over some hundred steps; rods also by
the native factor, whose results are LAPACK's to round-off."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

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
            text = scene.read_text(encoding="utf-8")
            second_order = '"rattle"' in text or '"genalpha"' in text
            for solve in ("global",) if second_order else ("block", "individual"):
                with self.subTest(scene=scene.name, solve=solve):
                    baseline, avx2 = (read(self.run_scene(scene, isa, duration,
                                                          f"solver.solve={solve}"))
                                      for isa in ("baseline", "avx2"))
                    self.assertEqual(baseline.keys(), avx2.keys())
                    if "overload" not in scene.name:
                        self.assertEqual(baseline["time"][0], (STEPS + 1,))
                    for name, values in baseline.items():
                        self.assertTrue(values == avx2[name], f"{name} differs")

    def test_rods_have_the_same_bits_by_the_native_factor_and_lapacks_numbers(self):
        native = "solver.band_solver=native"
        for name in ("paper/cantilever", "demo/cantilever_swing", "replay/r22c_both_ends"):
            scene = ROOT / f"scenes/{name}.json"
            with h5py.File(self.run_scene(scene, "baseline", "time.duration=0"), "r") as start:
                duration = f"time.duration={STEPS * float(start.attrs['time_step'])!r}"
            for discretization in ("rigid_chain", "linear", "quadratic", "cubic"):
                with self.subTest(scene=name, discretization=discretization):
                    kind = f"rods.beam.discretization={discretization}"
                    baseline, avx2 = (read(self.run_scene(scene, isa, duration, kind, native))
                                      for isa in ("baseline", "avx2"))
                    for dataset, values in baseline.items():
                        self.assertTrue(values == avx2[dataset], f"{dataset} differs")
                    files = [self.run_scene(scene, isa, duration, kind, solver) for isa, solver in
                             (("avx2", native), ("baseline", "solver.band_solver=lapacke"))]
                    with h5py.File(files[0], "r") as one, h5py.File(files[1], "r") as other:
                        for dataset in ("position", "linear_velocity"):
                            a, b = (file[f"rods/beam/{dataset}"][:] for file in (one, other))
                            self.assertLess(np.abs(a - b).max(), 1e-10 * np.abs(b).max(), dataset)


if __name__ == "__main__":
    unittest.main()
