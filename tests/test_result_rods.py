"""What a result says of rods, from outside: shapes, units, statics by hand, sums, resuming.

The cantilever is that of Tobin & Rucker (9.2): 1 m, 0.1 m thick, 5 MPa, nu = 0.5, which in
gravity comes to rest with its tip at (0.9254980327, 0, -0.3553014539) (from a boundary value
problem)."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
TIP = np.array([0.9254980327379259, 0.0, -0.35530145393531387])  # tests/data/cantilever.json
WEIGHT = 1000 * np.pi * 0.05**2 * 9.81

LEVEL = {"orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}}


def beam(**members):
    return {"name": "beam", "discretization": "cubic", "elements": 10,
            "shape": {"type": "straight", "length": 1}, "pose": LEVEL,
            "section": {"radius": 0.05}, "material": "rubber", "ends": {"start": "clamped"},
            **members}


def scene(*rods, step=0.1, duration=20, **members):
    return {"gravity": [0, 0, -9.81], "time": {"step": step, "duration": duration},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}},
            "rods": list(rods), **members}


class Rods(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def xsim(self, *arguments, code=0):
        done = subprocess.run([XSIM, *map(str, arguments)], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def run_scene(self, content, name="run", code=0):
        path, result = self.folder / f"{name}.json", self.folder / f"{name}.h5"
        path.write_text(json.dumps(content), encoding="utf-8")
        self.xsim(path, "-o", result, "-q", code=code)
        file = h5py.File(result, "r")
        self.addCleanup(file.close)
        return file

    def test_datasets_have_their_shapes_and_units(self):
        file = self.run_scene(scene(beam(elements=2), beam(name="chain", elements=5,
                                                           discretization="rigid_chain"),
                                    duration=0.5))
        self.assertEqual([name.decode() for name in file["rods/name"]], ["beam", "chain"])
        for name, nodes, points in (("beam", 7, 6), ("chain", 6, 5)):
            rod = file["rods"][name]
            shapes = {"arc_length": (nodes,), "gauss_arc_length": (points,), "energy": (6, 4),
                      "position": (6, nodes, 3), "orientation": (6, nodes, 4),
                      "linear_velocity": (6, nodes, 3), "angular_velocity": (6, nodes, 3),
                      "strain_shear": (6, points, 3), "strain_bend": (6, points, 3),
                      "force": (6, points, 3), "moment": (6, points, 3)}
            self.assertEqual({key: rod[key].shape for key in rod}, shapes)
            for key in rod:
                self.assertIn("units", rod[key].attrs)
                self.assertIn("long_name", rod[key].attrs)
            np.testing.assert_allclose(rod["arc_length"], np.linspace(0, 1, nodes), atol=1e-15)
        np.testing.assert_allclose(file["rods/chain/gauss_arc_length"], np.arange(0.1, 1, 0.2))
        self.assertEqual(file["residual/rod"].shape, (6, 2))

    def test_rods_left_out_of_the_fields_are_not_recorded(self):
        file = self.run_scene(scene(beam(), duration=0.2, output={"fields": ["joints"]}))
        self.assertNotIn("rods", file)
        self.assertIn("joints/force", file)

    def test_cantilever_comes_to_rest_where_it_must(self):
        # Tip errors of 10 elements from an independent implementation: within 2 %.
        errors = {"rigid_chain": 6.805e-4, "linear": 6.030e-5, "quadratic": 5.513e-7,
                  "cubic": 1.214e-9}
        rods = [beam(name=name, discretization=name) for name in errors]
        file = self.run_scene(scene(*rods))
        for name, expected in errors.items():
            error = np.linalg.norm(file["rods"][name]["position"][-1, -1] - TIP)
            self.assertLess(abs(error / expected - 1), 0.02, f"{name}: {error}")

    def test_clamp_carries_the_rod(self):
        file = self.run_scene(scene(beam()))
        rod = file["rods/beam"]
        np.testing.assert_allclose(file["joints/force"][-1, 0], [0, 0, WEIGHT], atol=1e-5)

        # The moment of the nodes' weights about the clamp; y of the world is d2 of the rod.
        x = rod["position"][-1, :, 0]
        part = np.append(np.tile([0.25, 0.375, 0.375], 10), 0.25) / 10
        part[[0, -1]] = 0.125 / 10
        moment = WEIGHT * np.sum(part * x)
        np.testing.assert_allclose(file["joints/torque"][-1, 0], [0, -moment, 0], atol=1e-5)

        # Along the rod: force and moment of what lies beyond, in the material frame.
        s = rod["gauss_arc_length"][()]
        force = rod["force"][-1]
        np.testing.assert_allclose(np.linalg.norm(force, axis=1), WEIGHT * (1 - s),
                                   atol=0.02 * WEIGHT)
        self.assertTrue(np.all(np.diff(rod["moment"][-1, :, 1]) < 0))
        self.assertAlmostEqual(rod["moment"][-1, 0, 1] / moment, 1, delta=0.03)

    def test_parts_of_the_energy_sum_up(self):
        file = self.run_scene(scene(beam(), beam(name="other", elements=3), duration=2))
        parts = sum(file["rods"][name]["energy"][()].sum(axis=1) for name in ("beam", "other"))
        np.testing.assert_allclose(parts, file["energy/elastic"], rtol=1e-12, atol=1e-12)

    def test_forces_are_stiffness_times_strain(self):
        rod = self.run_scene(scene(beam(), duration=1))["rods/beam"]
        area, moment = np.pi * 0.05**2, np.pi * 0.05**4 / 4
        shear = 0.9 * 5e6 / 3 * area
        K_shear, K_bend = [shear, shear, 5e6 * area], [5e6 * moment, 5e6 * moment, 1e7 / 3 * moment]
        for result, strain, K in (("force", "strain_shear", K_shear),
                                  ("moment", "strain_bend", K_bend)):
            np.testing.assert_allclose(rod[result], rod[strain][()] * K, rtol=1e-13)

    def test_metrics_name_nodes(self):
        checks = [{"metric": f"rods.beam.position.{node}.z.final", "equals": z, "within": 1e-6}
                  for node, z in (("end", TIP[2]), (30, TIP[2]), ("start", 0), (0, 0))]
        middle = self.run_scene(scene(beam()))["rods/beam/position"][-1, 15, 2]
        checks += [{"metric": "rods.beam.position.middle.z.final", "equals": middle,
                    "within": 0.0},
                   {"metric": "rods.beam.energy.bend.final", "above": 1},
                   {"metric": "residual.rod.beam.final", "below": 1e-6},
                   {"metric": "rods.beam.moment.0.norm.final", "above": 30}]
        self.run_scene(scene(beam(), checks=checks))
        metric = "rods.beam.position.tip.z.final"
        refused = scene(beam(), checks=[{"metric": metric, "above": 0}])
        path = self.folder / "refused.json"
        path.write_text(json.dumps(refused), encoding="utf-8")
        self.assertIn("start, middle, end, 0 to 30", self.xsim("--check", path, code=3).stderr)
        even = scene(beam(discretization="linear", elements=9), checks=[
            {"metric": "rods.beam.position.middle.z.final", "above": 0}])
        path.write_text(json.dumps(even), encoding="utf-8")
        self.assertIn("allowed: start, end, 0 to 9", self.xsim("--check", path, code=3).stderr)

    def test_resumed_runs_end_in_the_same_bits(self):
        content = scene(beam(damping=1e5), step=0.01, duration=1)
        whole = self.run_scene(content, "whole")
        content["time"]["duration"] = 0.5
        self.run_scene(content, "part").close()
        self.xsim("--resume", self.folder / "part.h5", "--until", 1, "-q")
        with h5py.File(self.folder / "part.h5", "r") as part:
            for key in whole["rods/beam"]:
                np.testing.assert_array_equal(part["rods/beam"][key], whole["rods/beam"][key])

    def test_many_rods_fit_into_the_record_buffer(self):
        rods = [beam(name=f"rod{i}", elements=1, pose={**LEVEL, "position": [0, i, 0]})
                for i in range(300)]
        file = self.run_scene(scene(*rods, duration=20, step=1, output={"every": 1}))
        self.assertEqual(len(file["rods/name"]), 300)
        tips = np.array([file[f"rods/rod{i}/position"][-1, -1, 2] for i in range(300)])
        self.assertLess(np.ptp(tips), 1e-12)


if __name__ == "__main__":
    unittest.main()
