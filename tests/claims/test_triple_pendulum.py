"""The paper's triple pendulum against a minimal-coordinate solution of its equations
(tests/data/triple_pendulum.json, 1.6e-10 rad at 5 s)."""
import json
import unittest

import numpy as np

from simulate import data_path, run

SCENE = "paper/triple_pendulum"
AZIMUTH = np.deg2rad(33)  # of the swing plane

with open(data_path("triple_pendulum.json")) as f:
    REFERENCE = np.array(json.load(f)["data"])  # t, th1..3, w1..3, E, Fs, Fz; every 10 ms
E0 = -7.665698803106644


def simulate(step, solve="block", duration=1.0, *more):
    return run(SCENE, f"time.step={step}", f"time.duration={duration}", f"solver.solve={solve}", *more)


def angles(result):
    """Angle of each link from the downward vertical, in the swing plane, unwrapped: T x 3."""
    q = result["bodies/orientation"][:]
    w, x, y, z = np.moveaxis(q, -1, 0)
    axis = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1)
    swing = axis[..., 0] * np.cos(AZIMUTH) + axis[..., 1] * np.sin(AZIMUTH)
    # The links' z axis may point up or down the link: compare modulo pi, from the start.
    theta = np.unwrap(2 * np.arctan2(swing, -axis[..., 2]), axis=0) / 2
    return theta + np.round((REFERENCE[0, 1:4] - theta[0]) / np.pi) * np.pi


def angle_error(result, at):
    times = result["time"][:]
    i = int(np.argmin(abs(times - at)))
    reference = REFERENCE[int(round(at / 0.01))]
    return np.abs(angles(result)[i] - reference[1:4]).max()


def pivot_force_error(result, until=1.0):
    """Median deviation of the pivot's force on link 1, N, over 0 < t <= until."""
    times = result["time"][:]
    step = times[1]
    every = int(round(0.01 / step))
    n = int(round(until / 0.01))
    force = result["joints/force"][every::every, 0][:n]
    along = force[:, 0] * np.cos(AZIMUTH) + force[:, 1] * np.sin(AZIMUTH)
    error = np.hypot(along - REFERENCE[1:n + 1, 8], force[:, 2] - REFERENCE[1:n + 1, 9])
    return np.median(error)


class TriplePendulum(unittest.TestCase):
    def test_starts_at_the_known_energy(self):
        self.assertAlmostEqual(simulate(1e-3)["energy/total"][0], E0, delta=1e-13)

    def test_angles_follow_the_exact_solution(self):
        for solve in ("block", "individual"):
            for step, limit in ((1e-3, 2.2e-2), (1e-4, 2.2e-3)):
                with self.subTest(solve=solve, step=step):
                    self.assertLessEqual(angle_error(simulate(step, solve), 1.0), limit)

    def test_error_is_of_first_order_in_the_step(self):
        for solve in ("block", "individual"):
            coarse, fine = (angle_error(simulate(h, solve), 1.0) for h in (2e-4, 1e-4))
            order = np.log2(coarse / fine)
            self.assertGreaterEqual(order, 0.95)
            self.assertLessEqual(order, 1.05)

    def test_primal_residual_of_vector_joints_is_small(self):
        for solve in ("block", "individual"):
            relative = simulate(1e-3, solve)["residual/primal_relative"][1:]
            self.assertLessEqual(np.median(relative), 1e-4)

    def test_block_solve_leaves_smaller_residuals_than_individual(self):
        block, individual = simulate(1e-3), simulate(1e-3, "individual")
        c, p = ([np.median(r[f"residual/{name}"][1:]) for r in (individual, block)]
                for name in ("constraint", "primal"))
        self.assertGreaterEqual(c[0] / c[1], 1.5)
        self.assertGreaterEqual(p[0] / p[1], 1.2)

    def test_pivot_force_converges_to_the_exact_one(self):
        for solve in ("block", "individual"):
            self.assertLessEqual(pivot_force_error(simulate(1e-3, solve)), 0.8)
            self.assertLessEqual(pivot_force_error(simulate(1e-4, solve)), 0.08)

    def test_recorded_joint_angles_are_those_of_the_links(self):
        result = simulate(1e-3)
        theta = angles(result)
        relative = np.diff(np.concatenate([np.zeros((len(theta), 1)), theta], axis=1), axis=1)
        turned = result["joints/coordinate"][:, :, 0]
        turned = np.abs(turned - turned[0]) - np.abs(relative - relative[0])
        self.assertLessEqual(np.abs(turned).max(), 1e-6)


if __name__ == "__main__":
    unittest.main()
