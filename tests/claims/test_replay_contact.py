"""Faults of contact that users of other simulators met (scenes/replay, r10, r12, r14), at the step
given and at a quarter of it. The scenes' own checks hold, too, at every step: exit status 0."""
import unittest

import numpy as np

from simulate import run

G = 9.81


def steps(step):
    return (step, step / 4)


class Checks(unittest.TestCase):
    """What the scenes' checks say is all there is to say of these."""

    def test_bounces_and_stacks(self):
        for name, step in (("r10a_bounces", 1e-3), ("r10b_twenty_bounces", 1e-3),
                           ("r10c_cube_on_smaller_box", 1e-3), ("r10d_no_rebound", 1e-3),
                           ("r10f_box_on_box", 1e-3), ("r12c_pushed", 1e-3),
                           ("r14b_hundred_on_one", 1e-3)):
            for h in steps(step):
                with self.subTest(name=name, step=h):
                    result = run(f"replay/{name}", f"time.step={h!r}")
                    self.assertEqual(result.attrs["exit_code"], 0)


class SlowImpact(unittest.TestCase):
    """R10e: the law of the README, to the digit."""

    def test_rebound_follows_the_law(self):
        for h in steps(1e-3):
            with self.subTest(step=h):
                velocity = run("replay/r10e_slow_impact", f"time.step={h!r}")[
                    "bodies/linear_velocity"][:, 1, 2]
                half = G * h / 2
                self.assertAlmostEqual(velocity[1], 0.8 * (0.02 + half) + half, delta=1e-12)


class Ramp(unittest.TestCase):
    """R12a: half a second to settle, a quarter to measure."""

    def measure(self, mu, degrees, step):
        angle = np.deg2rad(degrees)
        result = run("replay/r12a_ramp", f"time.step={step!r}", f"contact.friction={mu}",
                     f"gravity=[{G * np.sin(angle)!r}, 0, {-G * np.cos(angle)!r}]")
        late = result["time"][:] >= 0.5 - 1e-9
        velocity = result["bodies/linear_velocity"][:, 1][late]
        position = result["bodies/position"][:, 1][late]
        slide = np.linalg.norm(position[-1] - position[0])
        a = (velocity[-1, 0] - velocity[0, 0]) / (result["time"][-1] - 0.5)
        return np.linalg.norm(velocity, axis=1).max(), slide, a

    def test_all_slopes(self):
        worst_slide = worst_error = 0
        for step in steps(1 / 1800):
            for mu in (0.1, 0.3, 0.5, 0.7, 1):
                for degrees in (3, 10, 20, 30, 40):
                    with self.subTest(step=step, mu=mu, degrees=degrees):
                        limit = np.rad2deg(np.arctan(mu))
                        speed, slide, a = self.measure(mu, degrees, step)
                        if degrees < limit:
                            self.assertLess(slide, 1e-12)
                            self.assertLess(speed, 1e-9)
                            worst_slide = max(worst_slide, slide)
                        else:
                            angle = np.deg2rad(degrees)
                            expected = G * (np.sin(angle) - mu * np.cos(angle))
                            self.assertAlmostEqual(a / expected, 1, delta=1e-8)
                            worst_error = max(worst_error, abs(a / expected - 1))
        print(f"ramp: slides by at most {worst_slide:.1e} m, acceleration within {worst_error:.1e}")


class Stopping(unittest.TestCase):
    """R12b, and the lag of the step: mu g h / v0 of the way."""

    def test_distance(self):
        for h in steps(1e-3):
            for mu in (0.2, 0.4, 0.7):
                with self.subTest(step=h, mu=mu):
                    x = run("replay/r12b_stopping", f"time.step={h!r}", f"contact.friction={mu}")[
                        "bodies/position"][-1, 1, 0]
                    ratio = x / (2 / (mu * G))
                    self.assertAlmostEqual(ratio, 1, delta=0.01)
                    self.assertAlmostEqual(ratio, 1 - mu * G * h / 2, delta=1e-5)


class HeavyOnLight(unittest.TestCase):
    """R14a."""

    def test_all_ratios(self):
        for h in steps(1e-3):
            for ratio in (1, 10, 100, 1000):
                with self.subTest(step=h, ratio=ratio):
                    result = run("replay/r14a_heavy_on_light", f"time.step={h!r}",
                                 f"bodies.heavy.mass={ratio}")
                    self.assertGreater(result["contacts/gap"][:].min(), -1e-9)
                    self.assertLess(np.abs(result["bodies/position"][:, 2, 2] - 1.5).max(), 1e-6)


class Drop(unittest.TestCase):
    """R14c: after one second the fastest has been one that fell, and after four all rest."""

    def test_speed_and_overlap(self):
        for h in steps(1 / 480):
            with self.subTest(step=h):
                result = run("replay/r14c_drop", f"time.step={h!r}")
                speed = np.linalg.norm(result["bodies/linear_velocity"][:], axis=2).max()
                gap = result["contacts/gap"][:].min()
                print(f"drop, step {h:.2e} s: fastest {speed:.3f} m/s, deepest {-gap:.1e} m")
                self.assertLess(speed, 5.60)
                self.assertGreater(gap, -1e-6)


if __name__ == "__main__":
    unittest.main()
