"""The paper's 3-RPS robot (scenes/paper/rps3.json) against closed-form inverse kinematics and
inverse dynamics (scripts/make_rps3.py; tests/data/rps3_drive.json, 1e-10 N)."""
import json
import os
import re
import sys
import unittest

import numpy as np

from simulate import FORMULATIONS, ROOT, data_path, run, scene_path

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_rps3 as rps3  # noqa: E402 (needs the path above)

SCENE = "paper/rps3"
with open(data_path("rps3_drive.json"), encoding="utf-8") as f:
    DRIVE = np.array(json.load(f)["data"])  # t, force; every 50 ms of a period of 4 s


def simulate(formulation, step=5e-3):
    return run(SCENE, f"time.step={step}", "checks=[]", *FORMULATIONS[formulation])


def function_of_time(f, t):
    """Sines, products and numbers of the scene's grammar."""
    if not isinstance(f, dict):
        return f + 0 * t
    (kind, a), = f.items()
    if kind == "product":
        return np.prod([function_of_time(term, t) for term in a], axis=0)
    phase = np.deg2rad(a.get("phase", {"deg": 0})["deg"])
    return a.get("offset", 0) + a["amplitude"] * np.sin(2 * np.pi * a["frequency"] * t + phase)


def exact_legs(times):
    """Lengths and tilts of the three legs by inverse kinematics: T x 3 each."""
    poses = (rps3.platform_pose(*rps3.platform_motion(t)) for t in times)
    legs = np.array([[rps3.leg(i, *pose)[:2] for i in range(3)] for pose in poses])
    return legs[..., 0], legs[..., 1]


def leg_lengths(result):
    """From base to platform, of each leg, from the bodies' poses: T x 3."""
    p, q = result["bodies/position"][:, 6], result["bodies/orientation"][:, 6]
    lengths = []
    for angle in rps3.LEG_ANGLES:
        u = np.array([np.cos(angle), np.sin(angle), 0])
        w, v = q[:, :1], q[:, 1:]
        turned = u + 2 * np.cross(v, np.cross(v, u) + w * u)
        lengths.append(np.linalg.norm(p + rps3.PLATFORM * turned - rps3.BASE * u, axis=1))
    return np.stack(lengths, axis=1)


def drive_force_error(result):
    """Root mean square over every 50 ms after the start, N: the first step has to bring the
    robot from rest into motion and is left out."""
    every = int(round(0.05 / result["time"][1]))
    force = result["joints/force"][every::every, -1, 2]
    exact = DRIVE[np.arange(1, len(force) + 1) % len(DRIVE), 1]
    return np.sqrt(np.mean((force - exact)**2))


def median_residual(name, formulation):
    return np.median(simulate(formulation)[f"residual/{name}"][1:])


class Robot(unittest.TestCase):
    def test_scene_prescribes_the_formula_of_the_motion(self):
        with open(scene_path(SCENE), encoding="utf-8") as stream:
            scene = json.loads(re.sub(r"^\s*//.*$", "", stream.read(), flags=re.MULTILINE))
        motion = scene["joints"][-1]["motion"]
        for t in np.linspace(0, 10, 501):
            height, vector = rps3.platform_motion(t)
            rise = function_of_time(motion["translation"][2], t)
            self.assertAlmostEqual(rps3.HEIGHT + rise, height, delta=1e-15)
            for given, exact in zip(motion["rotation"]["vector"], vector):
                self.assertAlmostEqual(function_of_time(given, t), exact, delta=1e-15)

    def test_legs_of_the_corrected_step_have_the_lengths_of_inverse_kinematics(self):
        result = simulate("corrected")
        lengths, tilts = exact_legs(result["time"][:])
        self.assertEqual(len(lengths), 2001)
        self.assertLessEqual(np.abs(leg_lengths(result) - lengths).max(), 1e-13)
        coordinates = result["joints/coordinate"][:, :, 0]
        # joints R, P, S of each leg; a leg of length l has the coordinate l - 0.8 m
        between_anchors = rps3.ROD_LENGTH + rps3.LOWER_ANCHOR - rps3.UPPER_ANCHOR
        self.assertLessEqual(np.abs(coordinates[:, 1:9:3] + between_anchors - lengths).max(), 1e-13)
        self.assertLessEqual(np.abs(coordinates[:, 0:9:3] - tilts).max(), 1e-12)

    def test_vector_joints_leave_a_primal_residual_about_1e4_times_smaller(self):
        ratio = median_residual("primal", "scalar") / median_residual("primal", "individual")
        self.assertGreaterEqual(ratio, 3e3)
        self.assertLessEqual(ratio, 5e4)

    def test_drive_force_is_that_of_inverse_dynamics(self):
        for formulation in ("individual", "block", "global", "corrected"):
            with self.subTest(formulation=formulation):
                self.assertLessEqual(drive_force_error(simulate(formulation, 1e-3)), 1e-2)

    def test_drive_force_of_scalar_joints_is_off(self):
        self.assertGreater(drive_force_error(simulate("scalar", 1e-3)), 0.3)

    def test_corrected_step_takes_both_residuals_to_round_off(self):
        self.assertLessEqual(median_residual("primal", "corrected"), 1e-15)
        self.assertLessEqual(median_residual("constraint", "corrected"), 1e-14)


if __name__ == "__main__":
    unittest.main()
