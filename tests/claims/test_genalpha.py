"""Generalized-alpha (solver.integrator genalpha): order, accuracy against references in minimal
coordinates, energy, drives, limits, rods; bits over a checkpoint and between variants."""
import json
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

import test_rps3 as rps3
import test_triple_pendulum as pendulum
from simulate import XSIM, data_path, run, run_content
from time_scenes import attitude_error, force_error, order, simulate

GENALPHA = 'solver={"integrator": "genalpha"}'


def tip_error(step, *overrides):
    """Of the rod that swings in space: tip, m, and force on the clamp, N, at 0.5 s."""
    with open(data_path("time/cantilever_swing_3d.json"), encoding="utf-8") as stream:
        reference = json.load(stream)
    result = run("time/cantilever_swing_3d", f"time.step={step!r}",
                 f"output.every={round(0.05 / step)}", *overrides)
    tip = np.abs(result["rods/beam/position"][:, -1] - np.array(reference["tip"])).max()
    load = result["joints/force"][1:, 0] + np.array(reference["load_on_clamp"])[1:]
    return tip, np.linalg.norm(load, axis=1)[1:].max()


def drive_force_error(step):
    """Of the 3-RPS: largest and root mean square error of the drive's force, N."""
    result = run(rps3.SCENE, f"time.step={step!r}", "checks=[]", GENALPHA)
    every = int(round(0.05 / step))
    force = result["joints/force"][every::every, -1, 2]
    error = (force - rps3.DRIVE[np.arange(1, len(force) + 1) % len(rps3.DRIVE), 1])[2:]
    legs = rps3.leg_lengths(result)[1:] - rps3.exact_legs(result["time"][:])[0][1:]
    return np.abs(error).max(), np.sqrt((error**2).mean()), np.abs(legs).max()


def first_mode_energy(step, duration, *overrides):
    """Part of its energy that a cantilever keeps in its first mode."""
    s = np.linspace(0, 1, 31)
    b = 1.8751040687119611
    shape = (np.cosh(b * s) - np.cos(b * s)
             - (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b)) * (np.sinh(b * s) - np.sin(b * s)))
    slope = b * (np.sinh(b * s) + np.sin(b * s)
                 - (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
                 * (np.cosh(b * s) - np.cos(b * s)))
    velocity = [[0, 0, 1e-3 * y] for y in shape]
    spin = [[0, -1e-3 * y, 0] for y in slope]
    result = run("paper/cantilever", "gravity=[0,0,0]", "checks=[]", "output.every=1",
                 "rods.beam.discretization=cubic", "rods.beam.elements=10",
                 f"time.step={step!r}", f"time.duration={duration}",
                 f"rods.beam.linear_velocity={json.dumps(velocity)}",
                 f"rods.beam.angular_velocity={json.dumps(spin)}", *overrides)
    energy = result["energy/total"][:]
    return energy[-1] / energy[0]


class Order(unittest.TestCase):
    """Second order in attitudes and joint forces, within the errors of a trial implementation."""

    def check(self, name, at, attitude, force=np.inf, least=1.9):
        coarse, fine = (simulate(name, h, integrator="genalpha", until=at) for h in (1e-3, 5e-4))
        errors = [attitude_error(r, name, at) for r in (coarse, fine)]
        self.assertLessEqual(errors[0], attitude)
        self.assertGreater(order(errors), least)
        self.assertLess(order(errors), 2.1)
        if force == np.inf:
            return
        loads = [force_error(r, name, 0.1) for r in (coarse, fine)]
        self.assertLessEqual(loads[0], force)
        self.assertGreater(order(loads), 1.9)
        self.assertLess(order(loads), 2.1)

    def test_spatial_double_pendulum(self):
        self.check("spatial_double_pendulum", 2, 7e-5, 9e-4)

    def test_heavy_top_lie(self):
        self.check("heavy_top_lie", 1, 1.3e-2, 10)

    def check_top(self, name, *overrides):
        """At most a third of backward Euler's error at the same step."""
        euler = attitude_error(simulate(name, 1e-3, integrator="euler", until=1), name, 1)
        errors = [attitude_error(simulate(name, h, *overrides, integrator="genalpha", until=1),
                                 name, 1) for h in (1e-3, 5e-4)]
        self.assertLessEqual(errors[0], euler / 3)
        return order(errors)

    def test_tops(self):
        for name in ("heavy_top_fast", "heavy_top_lie"):
            self.assertAlmostEqual(self.check_top(name), 2, delta=0.1)

    def test_heavy_top(self):
        """Two iterations leave an error of their own beside the step's (2.2e-4 rad; with six
        3.3e-4): an order of 1.87 at 1 ms, 1.94 at 0.5 ms. Six leave the step's."""
        self.assertAlmostEqual(self.check_top("heavy_top"), 2, delta=0.15)
        self.assertAlmostEqual(self.check_top("heavy_top", "solver.iterations=6"), 2, delta=0.1)

    def test_four_bar(self):
        self.check("four_bar", 1, 1.6e-4, 0.1)

    def test_spring_with_dashpot(self):
        self.check("torsion_spring_50", 2, 3e-5, 2e-3)

    def test_moving_target(self):
        self.check("moving_target", 2, 3e-5, 2e-3)

    def test_velocity_drive(self):
        self.check("velocity_drive", 2, 3e-5, 2e-3)

    def test_free_top(self):
        self.check("free_top", 10, 1e-5)

    def test_rps3(self):
        coarse, fine = drive_force_error(1e-3), drive_force_error(5e-4)
        self.assertLessEqual(coarse[0], 5.5e-6)
        self.assertLessEqual(coarse[2], 1e-12)
        self.assertGreater(order((coarse[1], fine[1])), 1.9)
        self.assertLess(order((coarse[1], fine[1])), 2.1)

    def test_rod_in_space(self):
        coarse, fine = tip_error(1e-3), tip_error(5e-4)
        self.assertLessEqual(coarse[0], 9e-6)
        for a, b in zip(coarse, fine):
            self.assertGreater(order((a, b)), 1.9)
            self.assertLess(order((a, b)), 2.1)

    @unittest.expectedFailure  # 0.0519 N
    def test_clamp_force_of_rod_in_space(self):
        """The same with converged iterations, and falling as h^2: the step's own error."""
        self.assertLessEqual(tip_error(1e-3)[1], 5e-2)

    def test_triple_pendulum(self):
        results = [run(pendulum.SCENE, f"time.step={h!r}", "time.duration=2", "checks=[]", GENALPHA)
                   for h in (1e-3, 5e-4)]
        self.assertLessEqual(pendulum.angle_error(results[0], 1), 4.6e-5)
        errors = [pendulum.angle_error(r, 2) for r in results]
        self.assertLessEqual(errors[0], 1.2e-4)
        self.assertGreater(order(errors), 1.9)
        self.assertLess(order(errors), 2.1)
        forces = [pendulum.pivot_force_error(r, 2) for r in results]
        self.assertGreater(order(forces), 1.9)
        self.assertLess(order(forces), 2.1)


def beam(discretization, elements, step, **more):
    """A clamped rubber rod with what more has."""
    return {"format": 1, "name": "beam", "time": {"step": step, "duration": 0.5},
            "solver": {"integrator": "genalpha"},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}},
            "rods": [{"name": "beam", "discretization": discretization, "elements": elements,
                      "shape": {"type": "straight", "length": 1},
                      "pose": {"orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
                      "section": {"radius": 0.05}, "material": "rubber", "damping": 1e4,
                      "ends": {"start": "clamped"}}], **more}


DISCRETIZATIONS = (("cubic", 3), ("quadratic", 4), ("linear", 8), ("rigid_chain", 8))


class Rods(unittest.TestCase):
    """Order by three steps: differences of results fall by four."""

    def orders(self, discretization, elements, values, **more):
        ends = [values(run_content(beam(discretization, elements, h, **more)))
                for h in (2e-3, 1e-3, 5e-4)]
        return [order((np.abs(np.subtract(a, b)).max(), np.abs(np.subtract(b, c)).max()))
                for a, b, c in zip(*ends)]

    def test_joined_to_a_body(self):
        """A body of 2 kg fixed to the rod's end: position and force of the joint."""
        more = {"gravity": [0, 0, -9.81],
                "bodies": [{"name": "tip", "mass": 2, "inertia": [0.02, 0.03, 0.01],
                            "position": [1, 0, 0]}],
                "joints": [{"name": "hold", "type": "fixed", "body1": "tip",
                            "body2": {"rod": "beam", "node": "end"},
                            "at": {"position": [1, 0, 0]}}]}
        for discretization, elements in DISCRETIZATIONS:
            for found in self.orders(discretization, elements, lambda r: (
                    r["bodies/position"][-1, 0], r["joints/force"][-1]), **more):
                self.assertGreater(found, 1.9)
                self.assertLess(found, 2.1)

    def test_torque_at_the_end(self):
        """50 N m, which would turn the light end node 2000 times in a step if it were free."""
        more = {"loads": [{"rod": "beam", "node": "end", "torque": [0, 50, 0]}]}
        for discretization, elements in DISCRETIZATIONS:
            for found in self.orders(discretization, elements,
                                     lambda r: (r["rods/beam/position"][-1, -1],), **more):
                self.assertGreater(found, 1.9)
                self.assertLess(found, 2.1)


class Energy(unittest.TestCase):
    def test_triple_pendulum(self):
        energy = run(pendulum.SCENE, "time.step=1e-3", "time.duration=5", "checks=[]",
                     GENALPHA)["energy/total"][:]
        self.assertLess(abs(energy[-1] - energy[0]), 5e-6 * 36.5)
        self.assertLess((energy - energy[0]).max(), 0.01 * 36.5)

    def test_first_mode_of_a_rod(self):
        self.assertGreater(first_mode_energy(5e-3, 10, GENALPHA), 0.9999)

    def test_limits_never_add_energy(self):
        """A pendulum that swings against stops on both sides."""
        scene = {"format": 1, "name": "stops", "gravity": [0, 0, -9.81],
                 "time": {"step": 2e-3, "duration": 4},
                 "solver": {"integrator": "genalpha"},
                 "bodies": [{"name": "link", "mass": 1, "inertia": [0.1, 0.1, 0.02],
                             "position": [0.5, 0, 0]},
                            {"name": "last", "mass": 1, "inertia": [0.1, 0.1, 0.02],
                             "position": [1.5, 0, 0]}],
                 "joints": [{"name": "pivot", "type": "revolute", "body1": "ground",
                             "body2": "link", "at": {"position": [0, 0, 0],
                                                     "axis": [0, 1, 0]}},
                            {"name": "knee", "type": "revolute", "body1": "link", "body2": "last",
                             "at": {"position": [1, 0, 0], "axis": [0, 1, 0]},
                             "limits": [-0.3, 0.2]}]}
        result = run_content(scene)
        energy, angle = result["energy/total"][:], result["joints/coordinate"][:, 1, 0]
        self.assertLess(np.diff(energy).max(), 1e-4)  # of 10 J: what resolved motion swings by
        self.assertLess(energy[-1], energy[0] - 0.01)
        self.assertGreater(angle.min(), -0.3 - 1e-6)
        self.assertLess(angle.max(), 0.2 + 1e-6)

    def test_other_limits_never_add_energy(self):
        """A slider that falls on a prismatic stop; a body that swings against a cone."""
        joints = {
            "prismatic": {"type": "prismatic", "at": {"position": [0, 0, 0]},
                          "limits": [-0.5, 0.1]},
            "swing": {"type": "spherical", "frame1": {"position": [0, 0, 0]},
                      "frame2": {"position": [0, 0, 0.5]}, "limits": {"swing": 0.4}}}
        for name, joint in joints.items():
            with self.subTest(limit=name):
                at = [0, 0, 0] if name == "prismatic" else [0, 0, -0.5]
                result = run_content({
                    "format": 1, "gravity": [1, 2, -9.81], "solver": {"integrator": "genalpha"},
                    "time": {"step": 1e-3, "duration": 2},
                    "bodies": [{"name": "body", "mass": 1, "inertia": [0.02, 0.03, 0.04],
                                "position": at,
                                "angular_velocity": [0, 0, 0] if name == "prismatic"
                                else [2, 1, 0]}],
                    "joints": [{"name": "joint", "body1": "ground", "body2": "body", **joint}]})
                energy, q = result["energy/total"][:], result["joints/coordinate"][:, 0]
                far = q[:, 0].min() + 0.5 if name == "prismatic" else \
                    0.4 - np.linalg.norm(q[:, :2], axis=1).max()
                print(f"{name}: energy rises by {np.diff(energy).max():.2g} J at most in a step, "
                      f"falls by {energy[0] - energy[-1]:.3g}; past the stop by {-far:.2g}")
                self.assertLess(np.diff(energy).max(), 1e-4)
                self.assertLess(energy[-1], energy[0] - 0.01)
                self.assertGreater(far, -1e-3)


class StiffModes(unittest.TestCase):
    def test_are_damped(self):
        """A rod pulled at its tip, let go: axial modes of omega h 10 and more are gone soon."""
        speed = np.sqrt(5e6 / 1000)
        for omega_h in (10, 100, 1e4):
            step = omega_h / (np.pi / 2 * speed)
            velocity = [[1e-3 * np.sin(np.pi / 2 * s), 0, 0] for s in np.linspace(0, 1, 31)]
            result = run("paper/cantilever", "gravity=[0,0,0]", "checks=[]", "output.every=1",
                         "rods.beam.discretization=cubic", "rods.beam.elements=10",
                         f"time.step={step!r}", f"time.duration={200 * step!r}",
                         f"rods.beam.linear_velocity={json.dumps(velocity)}", GENALPHA)
            energy = result["energy/total"][:]
            self.assertLess(energy[-1], 1e-6 * energy[0])

    def test_shear_is_damped(self):
        """All sections of a free rod turned against its axis: thickness shear, w^2 = GA/(rho I),
        w h 10 and more. What stays is the rod's own rotation with the same angular momentum,
        and at w h = 10 bending, which that step resolves: together under 2 % of the energy."""
        radius, density = 0.05, 1000
        area, moment = np.pi * radius**2, np.pi * radius**4 / 4
        frequency = np.sqrt(0.9 * 5e6 / 3 * area / (density * moment))
        rigid = 12 * moment / area  # moments of inertia: of the sections, of the rod
        for omega_h in (10, 100, 1e4):
            step = omega_h / frequency
            with run("paper/cantilever", "gravity=[0,0,0]", "checks=[]", "output.every=1",
                     "rods.beam.discretization=cubic", "rods.beam.elements=10",
                     'rods.beam.ends={"start":"free"}', f"time.step={step!r}",
                     f"time.duration={200 * step!r}", "rods.beam.angular_velocity=[0,1e-3,0]",
                     GENALPHA) as result:
                energy = result["energy/total"][:]
            print(f"shear, omega h = {omega_h:g}: {energy[-1] / energy[0]:.3g} of the energy left, "
                  f"{rigid:.3g} turns with the rod")
            left = energy[-1] / energy[0]
            self.assertLess(left, 0.02)
            if omega_h > 10:
                self.assertAlmostEqual(left / rigid, 1, delta=0.02)


class Bits(unittest.TestCase):
    def test_resumed(self):
        """Accelerations, and which limits carry, go on over a checkpoint."""
        scene = {**beam("cubic", 3, 1e-3, gravity=[0, 0, -9.81]), **{
            "bodies": [{"name": "link", "mass": 1, "inertia": [0.1, 0.1, 0.02],
                        "position": [0.5, 2, 0]}],
            "joints": [{"name": "pivot", "type": "revolute", "body1": "ground", "body2": "link",
                        "at": {"position": [0, 2, 0], "axis": [0, 1, 0]}, "limits": [-1, 0.2]}]}}
        with tempfile.TemporaryDirectory() as folder:
            def xsim(*words):
                subprocess.run([XSIM, *words, "-q"], cwd=folder, check=True)
            with open(os.path.join(folder, "scene.json"), "w", encoding="utf-8") as stream:
                json.dump(scene, stream)
            xsim("scene.json", "-o", "whole.h5")
            xsim("scene.json", "-o", "parts.h5", "--set", "time.duration=0.3")
            xsim("--resume", "parts.h5", "--until", "0.5")
            with h5py.File(os.path.join(folder, "whole.h5")) as a, \
                    h5py.File(os.path.join(folder, "parts.h5")) as b:
                for name in ("bodies/position", "rods/beam/position", "joints/force",
                             "residual/primal", "energy/total"):
                    self.assertTrue(np.array_equal(a[name][:], b[name][:]), name)

    def test_variants(self):
        a, b = (run("time/cantilever_swing_3d", "output.every=50",
                    environment={"XSIM_ISA": isa}) for isa in ("baseline", "avx2"))
        self.assertTrue(np.array_equal(a["rods/beam/position"][:], b["rods/beam/position"][:]))


if __name__ == "__main__":
    unittest.main()
