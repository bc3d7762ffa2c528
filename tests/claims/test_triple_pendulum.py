"""The paper's triple pendulum against a minimal-coordinate solution of its equations
(tests/data/triple_pendulum.json, 1.6e-10 rad at 5 s)."""
import json
import unittest

import numpy as np

from simulate import FORMULATIONS, data_path, run

SCENE = "paper/triple_pendulum"
AZIMUTH = np.deg2rad(33)  # of the swing plane

with open(data_path("triple_pendulum.json")) as f:
    REFERENCE = np.array(json.load(f)["data"])  # t, th1..3, w1..3, E, Fs, Fz; every 10 ms
E0 = -7.665698803106644


# The vector-valued formulations, which all have to follow the exact solution.
VECTOR = ("individual", "block", "global", "corrected")


def simulate(step, formulation="block", duration=1.0):
    return run(SCENE, f"time.step={step}", f"time.duration={duration}", "checks=[]",
               *FORMULATIONS[formulation])


def median_residual(name, formulation, duration, step=1e-3):
    return np.median(simulate(step, formulation, duration)[f"residual/{name}"][1:])


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
        for formulation in VECTOR:
            for step, limit in ((1e-3, 2.2e-2), (1e-4, 2.2e-3)):
                with self.subTest(formulation=formulation, step=step):
                    error = angle_error(simulate(step, formulation), 1.0)
                    self.assertLessEqual(error, limit)

    def test_error_is_of_first_order_in_the_step(self):
        for formulation in VECTOR:
            with self.subTest(formulation=formulation):
                coarse, fine = (angle_error(simulate(h, formulation), 1.0) for h in (2e-4, 1e-4))
                order = np.log2(coarse / fine)
                self.assertGreaterEqual(order, 0.95)
                self.assertLessEqual(order, 1.05)

    def test_pivot_force_converges_to_the_exact_one(self):
        for formulation in VECTOR:
            for step, limit in ((1e-3, 0.8), (1e-4, 0.08)):
                with self.subTest(formulation=formulation, step=step):
                    error = pivot_force_error(simulate(step, formulation))
                    self.assertLessEqual(error, limit)

    def test_pivot_force_of_scalar_joints_does_not_converge(self):
        for step in (1e-3, 1e-4):
            with self.subTest(step=step):
                self.assertGreater(pivot_force_error(simulate(step, "scalar")), 5)

    def test_recorded_joint_angles_are_those_of_the_links(self):
        result = simulate(1e-3)
        theta = angles(result)
        relative = np.diff(np.concatenate([np.zeros((len(theta), 1)), theta], axis=1), axis=1)
        turned = result["joints/coordinate"][:, :, 0]
        turned = np.abs(turned - turned[0]) - np.abs(relative - relative[0])
        self.assertLessEqual(np.abs(turned).max(), 1e-6)


class Residuals(unittest.TestCase):
    def test_primal_residual_of_vector_joints_is_small(self):
        for formulation in VECTOR:
            with self.subTest(formulation=formulation):
                relative = median_residual("primal_relative", formulation, 1.0)
                self.assertLessEqual(relative, 1e-4)

    def test_primal_residual_of_scalar_joints_is_of_the_size_of_the_impulses(self):
        relative = median_residual("primal_relative", "scalar", 0.1)
        self.assertGreaterEqual(relative, 1)
        self.assertLessEqual(relative, 2.5)

    def test_vector_joints_leave_a_primal_residual_1e5_times_smaller_at_release(self):
        scalar, vector = (median_residual("primal", f, 0.1) for f in ("scalar", "individual"))
        self.assertGreaterEqual(scalar / vector, 1e5)

    def test_vector_joints_leave_a_constraint_residual_10_times_smaller(self):
        scalar = median_residual("constraint", "scalar", 2.0)
        for formulation in ("individual", "block"):
            with self.subTest(formulation=formulation):
                vector = median_residual("constraint", formulation, 2.0)
                self.assertGreaterEqual(scalar / vector, 10)

    def test_block_solve_leaves_smaller_residuals_than_individual(self):
        for name, ratio in (("constraint", 1.5), ("primal", 1.2)):
            with self.subTest(residual=name):
                individual, block = (median_residual(name, f, 1.0)
                                     for f in ("individual", "block"))
                self.assertGreaterEqual(individual / block, ratio)

    def test_corrected_step_takes_both_residuals_to_round_off(self):
        self.assertLessEqual(median_residual("primal", "corrected", 1.0), 1e-15)
        self.assertLessEqual(median_residual("constraint", "corrected", 1.0), 1e-14)


if __name__ == "__main__":
    unittest.main()
