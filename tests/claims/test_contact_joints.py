"""Contacts on jointed bodies: stops that are left, and what joints are said to bear. One iteration."""
import unittest

import numpy as np

from simulate import run_content
from test_contact import G, H, scene, sphere


def lever(limits=None):
    """A bar of 1 kg and 1 m from its pivot at the origin along x."""
    bar = {"name": "bar", "mass": 1, "inertia": [1e-3, 1 / 12, 1 / 12], "position": [0.5, 0, 0],
           "shapes": [{"type": "box", "half_extents": [0.5, 0.02, 0.02]}]}
    pivot = {"name": "pivot", "type": "revolute", "body2": "bar",
             "at": {"position": [0, 0, 0], "axis": [0, -1, 0]}}
    return bar, {**pivot, **({"limits": limits} if limits else {})}


class Stops(unittest.TestCase):
    """A bar that its stop holds up against gravity is struck from below at 0.9 m by a ball of 1 kg:
    in the step of the impact the stop gives nothing, as it cannot pull."""

    def test_a_stop_does_not_hold_what_leaves_it(self):
        for restitution in (0, 0.5):
            with self.subTest(restitution=restitution):
                bar, pivot = lever([0, 2])
                ball = sphere("ball", (0.9, 0, -0.1), linear_velocity=[0, 0, 3])
                result = run_content(scene([bar, ball], 0.05, joints=[pivot],
                                           contact={"friction": 0, "restitution": restitution}))
                spin = -result["bodies/angular_velocity"][:, 0, 1]
                speed = result["bodies/linear_velocity"][:, 1, 2]
                hit = np.argmax(spin > 0.1)
                self.assertLess(np.abs(spin[:hit]).max(), 1e-12)
                momentum = spin / 3 + 0.9 * speed
                self.assertAlmostEqual(momentum[hit] - momentum[hit - 1], -H * G * (0.5 + 0.9),
                                       delta=1e-4)
                closing = speed[hit - 1]
                self.assertAlmostEqual((0.9 * spin[hit] - speed[hit]) / closing, restitution,
                                       delta=1e-2)
                self.assertGreater(np.diff(spin[hit:]).min(), -H * G * 1.5 * 1.01)


class Reactions(unittest.TestCase):
    def test_reactions_and_contact_forces_are_all_that_moves_a_body(self):
        """m dv = h (joint + contact), through an elastic impact as well."""
        bar, pivot = lever()
        for solve in ("global", "block"):
            with self.subTest(solve=solve):
                result = run_content(scene(
                    [bar, sphere("ball", (0.9, 0, -0.2), linear_velocity=[0, 0, 3])], 0.1,
                    solve=solve, joints=[pivot], gravity=(0, 0, 0),
                    contact={"restitution": 0.7, "friction": 0.3}))
                velocity = result["bodies/linear_velocity"][:, 0]
                joint = result["joints/force"][:, 0]
                ball = result["bodies/linear_velocity"][:, 1]
                contact = -np.diff(ball, axis=0) / H  # the ball feels nothing else
                np.testing.assert_allclose(np.diff(velocity, axis=0) / H, joint[1:] + contact,
                                           rtol=0, atol=1e-6 * np.abs(contact).max())


if __name__ == "__main__":
    unittest.main()
