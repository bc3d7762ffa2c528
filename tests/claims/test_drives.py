"""Damping, springs, drives and prescribed motion at joints (scenes/demo) against solutions of
their differential equations. Everywhere a rod of 1 kg and 1 m swings about its upper end, and
errors are the largest over the scene's 2 s."""
import unittest

import numpy as np
from scipy.integrate import solve_ivp

from simulate import run

INERTIA = 0.08395833333333334 + 0.25  # about the hinge, kg m^2
WEIGHT = 9.81 / 2  # its largest moment, N m


def exact_angle(times, start, moment):
    """Angle from hanging at the times; moment(t, angle, rate) about the hinge."""
    solution = solve_ivp(lambda t, y: [y[1], moment(t, *y) / INERTIA], (0, times[-1]), [start, 0],
                         method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times)
    return solution.y[0]


class Pendulums(unittest.TestCase):
    def error(self, scene, step):
        """Largest error of the angle over 2 s, rad."""
        start, moment = {
            "damped_pendulum": (30, lambda t, q, w: -WEIGHT * np.sin(q) - 0.5 * w),
            "torsion_spring": (30, lambda t, q, w: -WEIGHT * np.sin(q) - 20 * q),
        }[scene]
        result = run(f"demo/{scene}", f"time.step={step}")
        exact = exact_angle(result["time"][:], np.deg2rad(start), moment)
        return np.abs(result["joints/coordinate"][:, 0, 0] - exact).max()

    def test_error_falls_with_the_step(self):
        for scene in ("damped_pendulum", "torsion_spring"):
            with self.subTest(scene=scene):
                order = np.log10(self.error(scene, 1e-3) / self.error(scene, 1e-4))
                self.assertGreaterEqual(order, 0.95)
                self.assertLessEqual(order, 1.05)

    # The bounds are for a start at 30 degrees. The step damps an oscillation of omega by
    # h omega^2/2, and the error goes with its amplitude: at 1 ms, from 20, 30, 45, 60 and 80
    # degrees, 1.2e-3, 1.8e-3, 2.8e-3, 4.1e-3, 6.0e-3 rad damped, and 2.4e-2, 3.9e-2, 6.8e-2,
    # 1.1e-1, 1.9e-1 rad on the spring.

    def test_damped_pendulum_within_the_bounds(self):
        self.assertLessEqual(self.error("damped_pendulum", 1e-4), 3e-4)
        self.assertLessEqual(self.error("damped_pendulum", 1e-3), 3e-3)

    def test_torsion_spring_within_the_bounds(self):
        self.assertLessEqual(self.error("torsion_spring", 1e-4), 6e-3)
        self.assertLessEqual(self.error("torsion_spring", 1e-3), 6e-2)


class Drives(unittest.TestCase):
    def test_kinematic_drive_holds_its_angle(self):
        result = run("demo/driven_arm")
        target = 0.8 * np.sin(2 * np.pi * result["time"][:])
        self.assertLessEqual(np.abs(result["joints/coordinate"][:, 0, 0] - target).max(), 1e-10)

    def test_velocity_drive_reaches_its_rate_with_its_time_constant(self):
        result = run("demo/motor")
        rate, t = result["bodies/angular_velocity"][:, 0, 2], result["time"][:]
        # implicit Euler is late by up to half a step of the largest acceleration, 50 rad/s^2
        self.assertLessEqual(np.abs(rate - 10 * (1 - np.exp(-t / 0.2))).max(), 0.025)
        self.assertLessEqual(abs(rate[-1] - 10), 1e-6)

    def test_rate_without_damping_is_reached_at_once(self):
        rate = run("demo/motor")["bodies/angular_velocity"][1:, 1, 2]
        self.assertLessEqual(np.abs(rate - 10).max(), 1e-9)

    def test_rate_is_kept_under_load_but_for_what_the_load_does_in_a_step(self):
        result = run("demo/lifting_arm")
        rate = np.diff(result["joints/coordinate"][:, 0, 0]) / result["time"][1]
        settled = rate[len(rate) // 20:]
        self.assertLessEqual(np.abs(settled - 2).max(), 1.05 * WEIGHT / INERTIA * 1e-3)


class PrescribedBody(unittest.TestCase):
    def test_body_follows_its_motion(self):
        result = run("demo/moving_pivot")
        t, p = result["time"][:], result["bodies/position"][:, 0]
        q = result["bodies/orientation"][:, 0]
        self.assertLessEqual(np.abs(p[:, 0] - 0.1 * (1 - np.cos(2 * np.pi * t))).max(), 1e-14)
        turn = 3 * (t / 2)**2 - 2 * (t / 2)**3
        self.assertLessEqual(np.abs(2 * np.arctan2(q[:, 3], q[:, 0]) - turn).max(), 1e-14)
        self.assertEqual(np.abs(p[:, 1:]).max(), 0)

    def test_what_hangs_from_it_swings_as_it_must(self):
        for step, limit in ((1e-3, 1e-2), (1e-4, 1e-3)):
            with self.subTest(step=step):
                result = run("demo/moving_pivot", f"time.step={step}")
                t, p = result["time"][:], result["bodies/position"][:]
                pivot = 0.1 * (1 - np.cos(2 * np.pi * t))
                # angle about y: the rod's centre is at pivot - (sin, 0, cos)/2
                exact = exact_angle(t, 0, lambda t, q, w: (
                    0.1 * (2 * np.pi)**2 * np.cos(2 * np.pi * t) / 2 * np.cos(q)
                    - WEIGHT * np.sin(q)))
                error = np.hypot(p[:, 1, 0] - pivot + np.sin(exact) / 2,
                                 p[:, 1, 2] + np.cos(exact) / 2)
                self.assertLessEqual(error.max(), limit)


if __name__ == "__main__":
    unittest.main()
