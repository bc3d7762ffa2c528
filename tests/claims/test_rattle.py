"""solver.integrator rattle: order, accuracy against minimal coordinates, what it keeps, springs,
drives and limits, bad starts, steps too large, and runs that go on (tests/long/test_rattle.py:
100 s)."""
import json
import os
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

import test_rps3 as rps3
import test_triple_pendulum as pendulum
from simulate import XSIM, data_path, run, run_content, scene_path
from test_free_bodies import relative
from time_scenes import attitude_error, attitude_errors, force_error, order, simulate

RATTLE = 'solver={"integrator":"rattle"}'
# Scene, times at which attitudes are compared (s), largest errors there at 1 ms (rad, ours).
MOTIONS = (
    ("spatial_double_pendulum", (1, 2), (1.2e-5, 2.5e-5)),
    ("heavy_top", (1, 10), (3e-5, 4.5e-5)),
    ("heavy_top_fast", (1, 10), (8e-5, 6.6e-4)),
    ("heavy_top_lie", (1,), (9e-4,)),
    ("four_bar", (1, 5), (8e-5, 3.5e-4)),
    ("torsion_spring_20", (1, 2), (3.5e-5, 7.5e-5)),
    ("torsion_spring_50", (1, 2), (2.8e-6, 1.1e-5)),
    ("moving_target", (2,), (8e-6,)),
    ("velocity_drive", (2,), (8e-6,)),
)


def scene(name):
    with open(scene_path(name), encoding="utf-8") as stream:
        return json.loads(re.sub(r"^\s*//.*$", "", stream.read(), flags=re.MULTILINE))


def rattle_pendulum(step, duration=5.0, *overrides):
    return run("paper/triple_pendulum", f"time.step={step!r}", f"time.duration={duration}",
               "checks=[]", RATTLE, *overrides)


class Accuracy(unittest.TestCase):
    def test_attitudes_converge_with_order_two(self):
        for name, times, limits in MOTIONS:
            coarse, fine = simulate(name, 1e-3), simulate(name, 5e-4)
            for at, limit in zip(times, limits):
                errors = [attitude_error(r, name, at) for r in (coarse, fine)]
                with self.subTest(scene=name, at=at):
                    self.assertLessEqual(errors[0], limit)
                    self.assertGreaterEqual(order(errors), 1.9)
                    self.assertLessEqual(order(errors), 2.1)

    def test_joint_forces_converge_with_order_two(self):
        for name, *_ in MOTIONS:
            errors = [force_error(simulate(name, h), name) for h in (1e-3, 5e-4)]
            with self.subTest(scene=name):
                self.assertGreaterEqual(order(errors), 1.9)
                self.assertLessEqual(order(errors), 2.1)

    def test_errors_are_a_small_part_of_backward_eulers(self):
        for name in ("spatial_double_pendulum", "heavy_top", "heavy_top_fast", "four_bar"):
            errors = [attitude_error(simulate(name, 1e-3, integrator=i), name, 1)
                      for i in ("rattle", "euler")]
            with self.subTest(scene=name):
                self.assertLessEqual(errors[0], errors[1] / 500)

    def test_forces_of_the_spatial_double_pendulum(self):
        name = "spatial_double_pendulum"
        self.assertLessEqual(force_error(simulate(name, 1e-3), name, 0.1), 5e-4)

    def test_triple_pendulum(self):
        coarse, fine = rattle_pendulum(1e-3), rattle_pendulum(5e-4)
        for at, limit in ((1, 2.2e-5), (2, 5.6e-5), (5, 3.6e-4)):
            errors = [pendulum.angle_error(r, at) for r in (coarse, fine)]
            self.assertLessEqual(errors[0], limit)
            self.assertGreaterEqual(order(errors), 1.9)
            self.assertLessEqual(order(errors), 2.1)
        forces = [pendulum.pivot_force_error(r, 5.0) for r in (coarse, fine)]
        self.assertGreaterEqual(order(forces), 1.9)
        self.assertLessEqual(order(forces), 2.1)
        energy = coarse["energy/total"][:]
        self.assertLessEqual(np.abs(energy - energy[0]).max() / 36.5, 6e-5)

    def test_free_tops(self):
        with open(data_path("dzhanibekov.json"), encoding="utf-8") as stream:
            exact = np.array(json.load(stream)["data"])[:, 4:8]
        racket = run("demo/dzhanibekov", RATTLE, "checks=[]")
        q = racket["bodies/orientation"][::50, 0]
        w, v = exact[:, :1], -exact[:, 1:]
        part = w * q[:, 1:] + q[:, :1] * v + np.cross(v, q[:, 1:])
        self.assertLessEqual(2 * np.arcsin(np.linalg.norm(part, axis=1)).max(), 7e-7)
        tumbling = simulate("free_top", 1e-3)
        self.assertLessEqual(attitude_errors(tumbling, "free_top").max(), 6e-6)
        errors = [attitude_error(simulate("free_top", h), "free_top", 10) for h in (1e-3, 5e-4)]
        self.assertAlmostEqual(order(errors), 2, delta=0.1)
        for top in (racket, tumbling):
            L = top["momentum/angular"][:]
            self.assertLessEqual(np.abs(L - L[0]).max() / np.linalg.norm(L[0]), 1e-12)
            self.assertLessEqual(relative(top["energy/total"][:]), 2e-7)

    def test_robot_follows_inverse_kinematics_and_dynamics(self):
        result = run(rps3.SCENE, "time.step=1e-3", "checks=[]", RATTLE)
        every = 50
        force = result["joints/force"][::every, -1, 2]
        exact = rps3.DRIVE[np.arange(len(force)) % len(rps3.DRIVE), 1]
        self.assertLessEqual(np.abs(force - exact).max(), 2e-6)
        lengths, _ = rps3.exact_legs(result["time"][:])
        self.assertLessEqual(np.abs(rps3.leg_lengths(result) - lengths).max(), 1e-12)

    def test_one_iteration_is_as_accurate(self):
        for name, limit in (("spatial_double_pendulum", 0.01), ("heavy_top", 0.01),
                            ("four_bar", 0.01)):
            errors = [attitude_error(simulate(name, 1e-3, *o, until=1.0), name, 1)
                      for o in ((), ("solver.iterations=1",))]
            with self.subTest(scene=name):
                self.assertLessEqual(abs(errors[1] / errors[0] - 1), limit)


class Residuals(unittest.TestCase):
    def test_round_off_is_left(self):
        for name in ("spatial_double_pendulum", "four_bar", "torsion_spring_50"):
            with self.subTest(scene=name):
                result = simulate(name, 1e-3)
                self.assertLessEqual(result["residual/primal_relative"][1:].max(), 1e-12)
                self.assertLessEqual(result["residual/constraint"][:].max(), 1e-12)

    def test_primal_residual_is_round_off_with_one_iteration(self):
        result = rattle_pendulum(1e-3, 1.0, "solver.iterations=1")
        self.assertLessEqual(result["residual/primal_relative"][1:].max(), 1e-12)
        self.assertLessEqual(result["residual/constraint"][1:].max(), 2e-7)

    def test_velocities_fit_the_joint(self):
        """G v + C_t = 0: the first link's velocity at the pivot, which stays at the origin."""
        result = run("paper/triple_pendulum", 'solver={"integrator":"rattle"}',
                     "time.duration=5", "checks=[]")
        p, q, v, omega = (result[f"bodies/{name}"][:, 0] for name in (
            "position", "orientation", "linear_velocity", "angular_velocity"))
        axis, w = q[:, 1:], q[:, :1]
        turned = omega + 2 * np.cross(axis, np.cross(axis, omega) + w * omega)
        left = np.linalg.norm(v + np.cross(turned, -p), axis=1).max()
        print(f"velocity at the pivot: {left:.2g} m/s")
        self.assertLess(left, 1e-11)


class Springs(unittest.TestCase):
    def spring_moment(self, result):
        """About the hinge's axis, every step."""
        q = result["bodies/orientation"][:, 0]
        w, v, a = q[:, :1], q[:, 1:], np.array([2, 3, 6]) / 7
        axis = a + 2 * np.cross(v, np.cross(v, a) + w * a)
        return (result["joints/torque"][:, 1] * axis).sum(axis=1)

    def test_stiff_springs_follow_and_do_not_ring(self):
        for name, limit in (("torsion_spring_1e4", 8e-5), ("torsion_spring_1e6", 4e-6)):
            with self.subTest(scene=name):
                errors = attitude_errors(simulate(name, 1e-3), name)
                self.assertLessEqual(errors.max(), limit)
                moment = self.spring_moment(simulate(name, 1e-3, "output.every=1"))
                self.assertLessEqual(np.abs(np.diff(moment, 2)).max(), 1e-3)

    def test_stiffest_spring_is_the_fixed_joint(self):
        content = scene("time/torsion_spring_1e6")
        hinge = content["joints"][1]
        # bent by the same moment as the softer one at the start
        bent = simulate("torsion_spring_1e6", 1e-3)["joints/coordinate"][0, 1, 0]
        hinge["target"] = {"stiffness": 1e8, "value": 0.99 * bent}
        soft = run_content(content)
        del hinge["target"]
        hinge["type"] = "fixed"
        hard = run_content(content)
        # bent by the moment over the stiffness: 5e-8 rad
        off = np.abs(soft["bodies/orientation"][:] - hard["bodies/orientation"][:]).max()
        self.assertLessEqual(off, 5e-7)
        self.assertLessEqual(np.abs(np.diff(self.spring_moment(soft), 2)).max(), 1e-3)

    def slider(self, target, **joint):
        """1 kg on a rail along x, without gravity."""
        return {"time": {"step": 1e-3, "duration": 2}, "solver": {"integrator": "rattle"},
                "bodies": [{"name": "cart", "mass": 1, "inertia": [0.1, 0.1, 0.1],
                            **joint.pop("body", {})}],
                "joints": [{"name": "rail", "type": "prismatic", "body1": "ground",
                            "body2": "cart", "at": {"position": [0, 0, 0], "axis": [1, 0, 0]},
                            **({"target": target} if target else {}), **joint}]}

    def test_slider_with_moving_target(self):
        # x'' = -k (x - a sin wt) - d (x' - r), from rest
        from scipy.integrate import solve_ivp
        k, d, a, w, r = 40.0, 2.0, 0.1, 5.0, 0.3
        exact = solve_ivp(lambda t, y: [y[1], -k * (y[0] - a * np.sin(w * t)) - d * (y[1] - r)],
                          (0, 2), [0, 0], rtol=1e-12, atol=1e-14, t_eval=[2]).y[0, -1]
        sine = {"sine": {"amplitude": a, "frequency": w / (2 * np.pi)}}
        content = self.slider({"value": sine, "stiffness": k, "rate": r, "damping": d})
        errors = []
        for h in (4e-3, 2e-3):
            x = run_content(content, f"time.step={h}")["joints/coordinate"][-1, 0, 0]
            errors.append(abs(x - exact))
        self.assertLessEqual(errors[1], 1e-5)
        self.assertAlmostEqual(order(errors), 2, delta=0.1)

    def test_kinematic_rate(self):
        sine = {"sine": {"amplitude": 0.5, "frequency": 1, "offset": 0.2}}
        errors = []
        for h in (4e-3, 2e-3):
            result = run_content(self.slider({"rate": sine}, ), f"time.step={h}")
            t = result["time"][:]
            exact = 0.2 * t + 0.5 / (2 * np.pi) * (1 - np.cos(2 * np.pi * t))
            errors.append(np.abs(result["joints/coordinate"][:, 0, 0] - exact).max())
            v = result["bodies/linear_velocity"][:, 0, 0]
            self.assertLessEqual(np.abs(v - 0.2 - 0.5 * np.sin(2 * np.pi * t)).max(), 1e-12)
        self.assertAlmostEqual(order(errors), 2, delta=0.1)

    def test_stiffness_that_is_not_resolved_is_told(self):
        told = messages(scene("time/torsion_spring_1e6"))[1]
        self.assertIn('the stiffness of joint "hinge" swings faster', told)


def messages(content, *overrides):
    """Exit status and what is said on stderr."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(content, stream)
        command = [XSIM, path, "-o", os.path.join(folder, "out.h5")]
        for override in overrides:
            command += ["--set", override]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


class Limits(unittest.TestCase):
    def test_slider_stops_at_its_limit_and_stays(self):
        # 1 m/s towards 0.5 m, pushed by 2 N: arrives when t + t^2 = 0.5
        content = Springs().slider(None, limits=[-1, 0.5], body={"linear_velocity": [1, 0, 0]})
        content["loads"] = [{"body": "cart", "force": [2, 0, 0]}]
        result = run_content(content)
        x, t = result["joints/coordinate"][:, 0, 0], result["time"][:]
        arrival = (np.sqrt(3) - 1) / 2
        free = t < arrival
        self.assertLessEqual(np.abs(x - t - t * t)[free].max(), 1e-12)
        self.assertLessEqual(np.abs(x - 0.5)[~free].max(), 1e-12)
        later = t > arrival + 2e-3
        self.assertLessEqual(np.abs(result["bodies/linear_velocity"][:, 0, 0])[later].max(), 1e-12)
        force = result["joints/force"][:, 0, 0]
        self.assertLessEqual(np.abs(force[later] + 2).max(), 1e-9)
        self.assertLessEqual(np.abs(force[t < arrival - 1e-3]).max(), 1e-9)

    def test_limit_lets_go(self):
        # pressed for 1 s, then pulled off by 1 N: x = 0.5 - (t - 1)^2/2
        content = Springs().slider(None, limits=[-1, 0.5], body={"position": [0.5, 0, 0]})
        content["joints"][0].update(frame1={}, frame2={})
        del content["joints"][0]["at"]
        turned = {"orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}}
        content["joints"][0].update(frame1=turned, frame2=turned)
        content["loads"] = [{"body": "cart", "force": [{"ramp": {
            "from": 2, "to": -1, "start": 0.9999999, "end": 1.0000001}}, 0, 0]}]
        result = run_content(content)
        x, t = result["joints/coordinate"][:, 0, 0], result["time"][:]
        exact = 0.5 - 0.5 * np.maximum(t - 1, 0)**2
        self.assertLessEqual(np.abs(x - exact).max(), 1e-3)

    def swinging(self, limit):
        return {"time": {"step": 1e-3, "duration": 3}, "solver": {"integrator": "rattle"},
                "gravity": [0, 0, -9.81],
                "bodies": [{"name": "rod", "position": [0, 0, -0.5], "mass": 1,
                            "inertia": [0.084, 0.084, 0.00125],
                            "linear_velocity": [1, 0.4, 0], "angular_velocity": [0.8, -2, 1]}],
                "joints": [{"name": "ball", "type": "spherical", "body1": "ground",
                            "body2": "rod", "at": {"position": [0, 0, 0]}, "limits": limit}]}

    def test_swing_and_twist_hold_and_take_no_energy_in(self):
        for limit in ({"swing": {"deg": 20}}, {"twist": [-0.3, 0.2]}):
            with self.subTest(limit=limit):
                result = run_content(self.swinging(limit))
                w, x, y, z = result["bodies/orientation"][:, 0].T
                if "twist" in limit:
                    twist = 2 * np.arctan2(z, w)
                    self.assertLessEqual(twist.max(), 0.2 + 1e-9)
                    self.assertGreaterEqual(twist.min(), -0.3 - 1e-9)
                else:
                    swing = 2 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
                    self.assertLessEqual(swing.max(), np.deg2rad(20) + 1e-9)
                    self.assertGreaterEqual(swing.max(), np.deg2rad(20) - 1e-9)
                energy = result["energy/total"][:]
                self.assertLessEqual(np.maximum.accumulate(energy)[-1] - energy[0], 1e-5)
                self.assertLess(energy[-1], energy[0] - 1e-4)

    def test_hinge_limits_beyond_half_a_turn(self):
        run("replay/r16a_limits", RATTLE)  # its checks hold


class Starts(unittest.TestCase):
    def test_open_joints_are_closed_and_told(self):
        content = scene("time/spatial_double_pendulum")
        content["bodies"][1]["position"][0] += 0.01
        status, told = messages(content, "time.duration=0.1")
        self.assertEqual(status, 0)
        self.assertRegex(told, r'it was moved onto them, body "lower" most, by 0\.00\d+ m')
        self.assertIn("velocities at the start", told)
        result = run_content(content, "time.duration=0.1")
        self.assertLessEqual(result["residual/constraint"][:].max(), 1e-11)

    def test_good_start_says_nothing(self):
        status, told = messages(scene("time/spatial_double_pendulum"), "time.duration=0.1")
        self.assertEqual((status, told), (0, ""))

    def test_forces_are_known_at_the_start(self):
        result = simulate("spatial_double_pendulum", 1e-3)
        error = force_error(result, "spatial_double_pendulum", after=-1, until=0)
        self.assertLessEqual(error, 1e-6)


class TooLarge(unittest.TestCase):
    def test_steps_that_are_too_large_end_the_run(self):
        content = scene("paper/triple_pendulum")
        content.update(solver={"integrator": "rattle"}, checks=[])
        for step in (0.05, 0.1, 0.5):
            status, told = messages(content, f"time.step={step}", "time.duration=20")
            with self.subTest(step=step):
                self.assertEqual(status, 5, told)
                self.assertIn("smaller time.step", told)

    def test_fixed_iterations_that_expand_end_the_run(self):
        content = scene("paper/triple_pendulum")
        content.update(solver={"integrator": "rattle", "iterations": 2}, checks=[])
        status, told = messages(content, "time.step=0.1", "time.duration=20")
        self.assertEqual(status, 5, told)

    def test_spin_beyond_the_flight(self):
        content = scene("time/free_top")
        content["bodies"][0]["angular_velocity"] = [0, 0, 3100]
        status, told = messages(content)
        self.assertEqual(status, 5)
        self.assertIn('"top"', told)

    def test_coarse_steps_stay_bounded(self):
        for step, part in ((0.01, 0.008), (0.02, 0.06)):
            energy = rattle_pendulum(step, 20.0, "solver.iterations=60",
                                     "solver.tolerance=1e-12")["energy/total"][:]
            with self.subTest(step=step):
                self.assertLessEqual(np.abs(energy - energy[0]).max() / 36.5, part)


class GoingOn(unittest.TestCase):
    def final(self, folder, content, *overrides, parts=None):
        path, out = (os.path.join(folder, n) for n in ("scene.json", f"{bool(parts)}.h5"))
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(content, stream)
        command = [XSIM, path, "-o", out, "-q"]
        for override in overrides + ((f"time.duration={parts[0]}",) if parts else ()):
            command += ["--set", override]
        subprocess.run(command, check=True)
        if parts:
            subprocess.run([XSIM, "--resume", out, "--until", str(parts[1]), "-q"], check=True)
        with h5py.File(out, "r") as f:
            return {n: f[n][-1].tobytes() for n in
                    ("time", "bodies/position", "bodies/orientation", "bodies/linear_velocity",
                     "joints/force", "energy/total", "residual/constraint")}

    def test_resumed_runs_have_the_same_bits(self):
        swinging = Limits().swinging({"twist": [-0.3, 0.2]})
        moved = scene("demo/moving_pivot")
        moved.update(solver={"integrator": "rattle"}, checks=[])
        robot = scene("paper/rps3")
        robot.update(solver={"integrator": "rattle"}, checks=[])
        for content, name in ((scene("time/four_bar"), "four_bar"), (swinging, "limits"),
                              (scene("time/moving_target"), "moving_target"),
                              (scene("time/torsion_spring_50"), "spring"), (moved, "moved"),
                              (robot, "robot")):
            for substeps in (1, 3):
                with self.subTest(scene=name, substeps=substeps), \
                        tempfile.TemporaryDirectory() as folder:
                    whole = self.final(folder, content, f"time.substeps={substeps}",
                                       "time.duration=1.2")
                    parts = self.final(folder, content, f"time.substeps={substeps}",
                                       parts=(0.73, 1.2))
                    self.assertEqual(whole, parts)

    def test_substeps_are_steps(self):
        name = "spatial_double_pendulum"
        fine = simulate(name, 5e-4)
        coarse = simulate(name, 1e-3, "time.substeps=2")
        np.testing.assert_allclose(coarse["bodies/position"][-1], fine["bodies/position"][-1],
                                   atol=1e-12)


if __name__ == "__main__":
    unittest.main()
