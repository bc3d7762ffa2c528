"""The page of python3 -m xsim html in headless Chromium (viewer.mjs): without an error or a request,
with a picture that scrubbing moves, with at most 8 ms of script a frame. Screenshots stay in
build/viewer."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
sys.path.insert(0, str(ROOT / "scripts"))
import xsim  # noqa: E402 (needs the path above)

MOST_SCRIPT = 8  # ms a frame


def pins():
    """A ball that runs into ten pins on ropes: 11 bodies and 10 rods of 8 cubic elements."""
    places = [[0.26 * row, 0.3 * (k - row / 2), 0.2] for row in range(4) for k in range(row + 1)]
    bodies = [{"name": "lane", "fixed": True, "shapes": [{"type": "plane"}]},
              {"name": "ball", "mass": 7, "position": [-0.6, 0.05, 0.11],
               "linear_velocity": [5, 0, 0], "shapes": [{"type": "sphere", "radius": 0.108}]}]
    rods, joints = [], []
    for i, place in enumerate(places):
        bodies.append({"name": f"pin{i}", "mass": 1.6, "position": place,
                       "shapes": [{"type": "capsule", "radius": 0.05, "half_length": 0.14}]})
        top = [place[0], place[1], place[2] + 0.2]
        rods.append({"name": f"rope{i}", "discretization": "cubic", "elements": 8,
                     "shape": {"type": "straight", "length": 1}, "pose": {"position": top},
                     "section": {"radius": 0.005}, "material": "rope", "ends": {"end": "pinned"}})
        joints.append({"name": f"knot{i}", "type": "fixed", "body1": f"pin{i}",
                       "body2": {"rod": f"rope{i}", "node": "start"}, "at": {"position": top}})
    return {"name": "ten_pins", "gravity": [0, 0, -9.81], "time": {"step": 1e-3, "duration": 0.6},
            "solver": {"solve": "global"}, "contact": {"enabled": True},
            "materials": {"rope": {"density": 1150, "youngs_modulus": 1e8, "poisson_ratio": 0.4}},
            "bodies": bodies, "rods": rods, "joints": joints, "output": {"every": 4}}


class Viewer(unittest.TestCase):
    def look(self, scene, *settings):
        """What viewer.mjs says of the page of a scene, which moves as its result does."""
        name = Path(scene).stem
        shots = ROOT / "build/viewer" / name
        shots.mkdir(parents=True, exist_ok=True)
        result = Path(self.folder) / f"{name}.h5"
        subprocess.run([XSIM, scene, "-o", result, "-q", *settings], check=True)
        subprocess.run([sys.executable, "-m", "xsim", "html", result], check=True,
                       env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")})
        looked = subprocess.run(["node", ROOT / "tests/long/viewer.mjs",
                                 result.with_suffix(".html"), shots],
                                capture_output=True, text=True, check=False)
        self.assertEqual(looked.returncode, 0, looked.stderr)
        found = json.loads(looked.stdout)
        print(f"{name}: {found['script']:.2f} ms of script a frame")

        self.assertEqual(found["messages"], [])
        self.assertGreater(found["colours"], 100)
        self.assertGreater(found["changed"], 0.002)
        self.assertEqual(found["theme"], "dark")
        self.assertGreater(found["darkened"], 0.002)
        self.assertLess(found["cursor"][0] + 100, found["cursor"][1])
        self.assertTrue(found["record"].startswith("2 / "), found["record"])
        self.assertLessEqual(found["script"], MOST_SCRIPT)
        with xsim.open(result) as run:
            for record, key in ((0, "start"), (-1, "end")):
                places = [run.bodies.position[record]] if len(run.bodies) else []
                places += [[rod.tip()[record]] for rod in run.rods]
                np.testing.assert_allclose(found[key], np.concatenate(places).ravel(), rtol=1e-6,
                                           atol=1e-6)
        return found

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_ten_pins(self):
        scene = Path(self.folder) / "ten_pins.json"
        scene.write_text(json.dumps(pins()), encoding="utf-8")
        self.look(scene)

    @unittest.skipUnless((ROOT / "scenes/paper/bowling.json").exists(), "no bowling scene")
    def test_bowling(self):
        self.look(ROOT / "scenes/paper/bowling.json", "-s", "checks=[]")

    def test_bristlebot(self):
        self.look(ROOT / "scenes/paper/bristlebot.json", "-s", "checks=[]", "-s", "time.duration=0.1")

    def test_plectoneme(self):
        self.look(ROOT / "scenes/paper/plectoneme.json", "-s", "checks=[]")

    def test_triple_pendulum(self):
        self.look(ROOT / "scenes/paper/triple_pendulum.json", "-s", "checks=[]")


if __name__ == "__main__":
    unittest.main()
