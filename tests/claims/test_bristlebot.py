"""Bristlebots (scenes/paper/bristlebot*.json; Tobin & Rucker, 9.7): which way they walk, and that
nothing passes through anything."""
import os
import sys
import unittest

import numpy as np

import apart
from simulate import ROOT, run, run_content

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_contact_scenes as contact_scenes  # noqa: E402 (needs the path above)

START, END = 0.05, 0.2  # s: after it has settled
DEEP = 1e-5  # m: a two-hundredth of a leg's thickness


def speed(**variant):
    """Mean speed along x of a bristlebot like the paper's but for what is given, m/s."""
    scene = contact_scenes.plain(contact_scenes.bristlebot(**variant))
    result = run_content({**scene, "checks": []}, f"time.duration={END}")
    t, x = result["time"][:], result["bodies/position"][:, 1, :2]
    start = np.searchsorted(t, START - 1e-9)
    return (x[-1] - x[start]) / (t[-1] - t[start])


def both_ways(lean):
    """Mean over both senses of turning, with the eccentric mass in the middle: what the legs do."""
    return np.mean([speed(lean=lean, turns=turns, rotor=np.zeros(3))[0]
                    for turns in (contact_scenes.FREQUENCY, -contact_scenes.FREQUENCY)])


class Walk(unittest.TestCase):
    def test_forward_and_reversed_with_the_legs(self):
        """The eccentric mass turns the same way in both."""
        self.assertGreater(speed()[0], 0.05)
        self.assertLess(speed(lean=-contact_scenes.LEAN)[0], -0.05)

    def test_along_the_heading(self):
        forward = speed(yaw=50.0)
        heading = np.array([np.cos(np.deg2rad(50)), np.sin(np.deg2rad(50))])
        self.assertGreater(forward @ heading, 0.05)
        self.assertLess(abs(np.cross(forward, heading)), 0.1 * (forward @ heading))

    def test_upright_legs_go_nowhere(self):
        """A mass that turns drags straight legs one way, and the other when it turns backwards:
        what is left over both is nothing."""
        leaning, upright = both_ways(contact_scenes.LEAN), both_ways(0.0)
        self.assertGreater(leaning, 0.05)
        self.assertLess(abs(upright), 0.01 * leaning)


class Enclosures(unittest.TestCase):
    def check(self, scene, robots, duration, every):
        """The checks of the scene itself hold it inside (exit status 7 else)."""
        result = run(f"paper/{scene}", f"time.duration={duration}", f"output.every={every}")
        deepest, through = apart.Poses(result).deepest(
            {(f"leg{robot}_{k:02}" if robot else f"leg{k:02}", f"body{robot}")
             for robot in robots for k in range(12)})
        self.assertGreater(deepest[0], -DEEP, deepest)
        self.assertEqual(through, [])
        return result

    def test_one_in_its_enclosure(self):
        self.check("bristlebot_enclosure", [""], 0.4, 20)

    def test_it_reaches_the_walls(self):
        """Blows last a step: every step is looked at."""
        result = run("paper/bristlebot_enclosure", "time.duration=0.4", "output.every=1",
                     'output.fields=["contacts"]', "checks=[]")
        walls = 1  # index in the scene
        pair, force = result["contacts/pair"][:], result["contacts/force"][:]
        at_walls = (pair[:, [0, 3]] == 0) & (pair[:, [1, 4]] == walls)
        self.assertGreater(np.abs(force[at_walls.any(axis=1)]).max(initial=0), 0)

    def test_three(self):
        result = self.check("bristlebot_three", ["1", "2", "3"], 0.15, 100)
        names = [name.decode() for name in result["bodies/name"]]
        position = result["bodies/position"]
        for robot, yaw in enumerate((20, 100, -150), 1):
            x = position[:, names.index(f"body{robot}"), :2]
            heading = np.array([np.cos(np.deg2rad(yaw)), np.sin(np.deg2rad(yaw))])
            self.assertGreater((x[-1] - x[0]) @ heading, 0.003)


if __name__ == "__main__":
    unittest.main()
