"""The throw of scenes/paper/bowling.json, the files that scripts/make_contact_scenes.py writes, and
what tells apart from overlapping. Pins raised, untangled and set down: tests/long/test_bowling.py."""
import os
import sys
import unittest

import numpy as np

import apart
from simulate import ROOT, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_contact_scenes as contact_scenes  # noqa: E402 (needs the path above)

DEEP = 2e-4  # m: a fiftieth of a rope's thickness


def pins(result):
    """Positions T x 10 x 3, and the cosine of the angle by which each is off the vertical."""
    names = [name.decode() for name in result["bodies/name"]]
    at = [names.index(f"pin{k}") for k in range(1, 11)]
    q = result["bodies/orientation"][:][:, at]
    return result["bodies/position"][:][:, at], 1 - 2 * (q[..., 1]**2 + q[..., 2]**2)


class Scenes(unittest.TestCase):
    def test_files_are_what_the_script_writes(self):
        for path, text in contact_scenes.scenes():
            with self.subTest(scene=path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text)


class Throw(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = run("paper/bowling", "time.duration=0.3", "output.every=1", "checks=[]")

    def test_pins_fall(self):
        position, upright = pins(self.result)
        self.assertLess(np.abs(position[50] - position[0]).max(), 1e-5)  # 0.1 s: not reached
        self.assertGreater(np.count_nonzero(upright[-1] < 0.9), 5)

    def test_nothing_passes_through_anything(self):
        """Ball, pins, floor, walls, rings and ropes, each rope and its own pin included."""
        deepest, through = apart.Poses(self.result).deepest()
        self.assertGreater(deepest[0], -DEEP, deepest)
        self.assertEqual(through, [])

    def test_contacts_recorded_are_not_deep(self):
        self.assertGreater(self.result["contacts/gap"][:].min(), -DEEP)


class Apart(unittest.TestCase):
    """The measure sees what it is for."""

    def test_distance_of_shapes(self):
        x = np.array([[0.3, 0.4, 1.0]])
        for shape, expected in (
                ({"type": "sphere", "radius": 0.2}, np.sqrt(1.25) - 0.2),
                ({"type": "plane"}, 1.0),
                ({"type": "capsule", "radius": 0.1, "half_length": 2.0}, 0.4),
                ({"type": "cylinder", "radius": 0.6, "half_length": 0.5}, 0.5),
                ({"type": "cylinder", "radius": 0.6, "half_length": 1.05}, -0.05),
                ({"type": "torus", "major_radius": 0.5, "minor_radius": 0.25}, 0.75),
                ({"type": "box", "half_extents": [0.3, 0.1, 0.6]}, 0.5)):
            with self.subTest(shape=shape):
                self.assertAlmostEqual(apart.distance(shape, x)[0], expected, delta=1e-12)

    def test_a_rope_that_passes_through_another_is_seen(self):
        poses = apart.Poses.__new__(apart.Poses)
        s = np.linspace(-1, 1, 65)
        still = np.stack([s, 0 * s, 0 * s], axis=1)
        heights = (0.02, 0.012, -0.012, -0.02)
        crossing = np.array([np.stack([0 * s, s, 0 * s + z], axis=1) for z in heights])
        poses.time = np.arange(4.0)
        poses.rods = {"a": np.array([still] * 4), "b": crossing}
        poses.radius = {"a": 0.005, "b": 0.005}
        gap, through = poses.between_rods("a", "b")
        np.testing.assert_allclose(gap, np.abs(heights) - 0.01, atol=1e-12)
        self.assertTrue(through)
        poses.rods["b"] = crossing[[0, 1, 1, 0]]
        self.assertFalse(poses.between_rods("a", "b")[1])


if __name__ == "__main__":
    unittest.main()
