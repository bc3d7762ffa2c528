"""Contacts on jointed bodies: legs that bear and do not drift, stops that are left, and what joints
are said to bear. One iteration unless said."""
import unittest

import numpy as np

from simulate import run_content
from test_contact import G, H, box, ground, scene, sphere


def lever(limits=None):
    """A bar of 1 kg and 1 m from its pivot at the origin along x."""
    bar = {"name": "bar", "mass": 1, "inertia": [1e-3, 1 / 12, 1 / 12], "position": [0.5, 0, 0],
           "shapes": [{"type": "box", "half_extents": [0.5, 0.02, 0.02]}]}
    pivot = {"name": "pivot", "type": "revolute", "body2": "bar",
             "at": {"position": [0, 0, 0], "axis": [0, -1, 0]}}
    return bar, {**pivot, **({"limits": limits} if limits else {})}


class Articulated(unittest.TestCase):
    """A box of 4 kg on four legs of capsules at rest for 3 s, friction 1. Solved together with the
    contacts, joints keep feet and gaps where they are; what other solves and orders leave is
    printed, and shrinks with the iterations where joints come first."""

    HIPS = {"fixed": {}, "driven": {"target": {"value": 0}}, "held": {"target": {"rate": 0}}}

    def simulate(self, hips, solve, iterations, order="joints_first"):
        """Largest distance from the start, and joint gap, at any time."""
        bodies, joints = [ground(), box("body", (0, 0, 0.3), (0.2, 0.1, 0.05), 4)], []
        for i, (x, y) in enumerate(((0.15, 0.1), (0.15, -0.1), (-0.15, 0.1), (-0.15, -0.1))):
            bodies.append({"name": f"leg{i}", "mass": 0.5, "position": [x, y, 0.15],
                           "inertia": [0.004, 0.004, 0.0005],
                           "shapes": [{"type": "capsule", "radius": 0.02, "half_length": 0.13}]})
            joints.append({"name": f"hip{i}", "type": "fixed" if hips == "fixed" else "revolute",
                           "body1": "body", "body2": f"leg{i}", **self.HIPS[hips],
                           "at": {"position": [x, y, 0.3], "axis": [0, 1, 0]}})
        result = run_content(scene(bodies, 3, iterations, solve, joints=joints,
                                   contact={"friction": 1, "order": order}))
        position = result["bodies/position"][:, 1:]
        drift = np.linalg.norm(position - position[0], axis=2).max()
        late = np.linalg.norm(position[-1] - position[100], axis=1).max()
        gap = result["residual/joint"][:].max()
        print(f"articulated, {hips} hips, {solve}, {order}, K = {iterations}: drift {drift:.1e} m "
              f"({late:.1e} m after 0.1 s), joints {gap:.1e}, "
              f"deepest {-result['contacts/gap'][:].min():.1e} m")
        return drift, late, gap

    def test_together_nothing_drifts(self):
        for hips in self.HIPS:
            for iterations in (1, 4):
                with self.subTest(hips=hips, iterations=iterations):
                    drift, _, gap = self.simulate(hips, "global", iterations)
                    self.assertLess(drift, 1e-12)  # asked for: 1e-6
                    self.assertLess(gap, 1e-12)    # the same

    def test_one_after_another_converges(self):
        for hips in self.HIPS:
            for solve in ("block", "individual"):
                with self.subTest(hips=hips, solve=solve):
                    _, late, gap = zip(*(self.simulate(hips, solve, k) for k in (1, 10)))
                    # a drive of the rate does not bring back the angle that was lost
                    self.assertLess(late[1], (0.1 if hips == "held" else 1e-3) * late[0])
                    self.assertLess(gap[1], 0.1 * gap[0])

    def test_other_orders_are_reported(self):
        """A joint solved last drags the feet that stick."""
        for solve in ("global", "block", "individual"):
            for iterations in (1, 4, 10):
                self.simulate("driven", solve, iterations, "contacts_first")
        for solve in ("global", "block", "individual"):
            self.simulate("driven", solve, 4)


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
