"""--threads: the same bits for every number of threads, in scenes of many islands; under
ThreadSanitizer, too (tests/long/test_threads.py)."""
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_cli import ROOT, XSIM, read

CANTILEVER = {
    "shape": {"type": "straight", "length": 1}, "section": {"radius": 0.02},
    "material": "rubber", "ends": {"start": "clamped"}}


def rods(n, **more):
    """n rods, each fixed at one end, of all discretizations in turn."""
    kinds = ("linear", "quadratic", "cubic", "rigid_chain")
    return [{"name": f"rod{k}", "discretization": kinds[k % 4], "elements": 5 + k % 7,
             "pose": {"position": [0, 0.1 * k, 0],
                      "orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
             **CANTILEVER, **more} for k in range(n)]


def pendulums(n):
    """n double pendulums with stops at the hinges that they run into."""
    bodies, joints = [], []
    for k in range(n):
        for link in (0, 1):
            bodies.append({"name": f"b{k}_{link}", "mass": 1 + 0.1 * k,
                           "shapes": [{"type": "sphere", "radius": 0.1}],
                           "position": [0.5 + link, k, 0]})
            joints.append({"name": f"j{k}_{link}", "type": "revolute",
                           "body1": f"b{k}_0" if link else "ground", "body2": f"b{k}_{link}",
                           "at": {"position": [link, k, 0], "axis": [0, 1, 0]},
                           "limits": [{"deg": -20 - k}, {"deg": 20 + k}]})
    return bodies, joints


def scene(**content):
    return {"format": 1, "name": "islands", "time": {"step": 2e-3, "duration": 0.2},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.4}},
            "output": {"every": 10}, **content}


def scenes():
    bodies, joints = pendulums(12)
    yield "rods", scene(rods=rods(40)), ("solver.band_solver=lapacke", "solver.band_solver=native")
    yield "damped rods", scene(rods=rods(40, damping=1e3)), ("solver.iterations=2",)
    yield "corrected", scene(rods=rods(40), solver={"update": "corrected"}), (
        "solver.iterations=3",)
    yield "stops", scene(bodies=bodies, joints=joints), (
        "solver.solve=global", "solver.solve=block", "solver.integrator=rattle",
        "solver.integrator=genalpha")
    yield "statics", scene(rods=rods(9)), ("solver.mode=static",)
    yield "touching", scene(rods=rods(9), contact={"enabled": True}, bodies=[
        {"name": "floor", "fixed": True, "shapes": [{"type": "plane"}],
         "position": [0, 0, -0.05]}]), ("solver.solve=global",)


class Threads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_scene(self, path, threads, override):
        output = self.folder / f"{threads}.h5"
        done = subprocess.run([XSIM, path, "-o", output, "-f", "-q", "--threads", str(threads),
                               "-s", override], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read(output)

    def test_results_do_not_depend_on_the_number_of_threads(self):
        for name, content, overrides in scenes():
            path = self.folder / "scene.json"
            path.write_text(json.dumps(content), encoding="utf-8")
            for override in overrides:
                with self.subTest(scene=name, override=override):
                    one = self.run_scene(path, 1, override)
                    for threads in (2, 5):
                        more = self.run_scene(path, threads, override)
                        self.assertEqual(one.keys(), more.keys())
                        for field, values in one.items():
                            self.assertTrue(values == more[field], f"{field} differs")


if __name__ == "__main__":
    unittest.main()
