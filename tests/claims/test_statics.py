"""Static mode: equilibria against closed forms, against the rest that dynamics comes to, and
loads at which they become unstable."""
import json
import os
import tempfile
import unittest

import numpy as np

import simulate

SOLVER = {"mode": "static"}
FIELDS = {"fields": ["bodies", "joints", "rods", "stability"]}
# As static: one equilibrium at the start, without the checks of the dynamic scene.
STATIC = ('solver={"mode":"static"}', 'time={"step":1,"duration":0}', "checks=[]",
          'output={"fields":["bodies","joints","rods","stability"]}')


def scene(**parts):
    return {"format": 1, "solver": dict(SOLVER), "output": dict(FIELDS),
            "materials": {"m": {"density": 1000}}, **parts}


def rod(shear=(1e4, 1e4, 1e4), bend=(1, 1, 1), **parts):
    """1 m along z from the origin, clamped there."""
    return {"name": "b", "discretization": "cubic", "elements": 10,
            "shape": {"type": "straight", "length": 1}, "section": {"radius": 0.02},
            "stiffness": {"shear": list(shear), "bend": list(bend)}, "material": "m",
            "ends": {"start": "clamped"}, **parts}


def body(name, position):
    return {"name": name, "position": position, "mass": 1, "inertia": [0.1, 0.1, 0.05]}


def hinge(name, one, two, at, **parts):
    return {"name": name, "type": "revolute", "body1": one, "body2": two,
            "at": {"position": at, "axis": [0, 1, 0]}, **parts}


def refused(content):
    """What is said of a scene that must end with status 5 (no file)."""
    import subprocess
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(content, stream)
        done = subprocess.run([simulate.XSIM, path, "-o", os.path.join(folder, "o.h5"), "--quiet"],
                              capture_output=True, text=True)
        assert done.returncode == 5, (done.returncode, done.stderr)
        return done.stderr


def zero_of(load, eigenvalue):
    """Where a parabola through three points is 0, nearest to the middle one."""
    roots = np.roots(np.polyfit(np.array(load) - load[1], eigenvalue, 2))
    return load[1] + min(roots, key=abs).real


class Rods(unittest.TestCase):
    def test_the_cantilever_sags_as_far_as_the_rest_that_dynamics_comes_to(self):
        exact = np.array([0.9254980327, 0, -0.3553014539])
        table = {("cubic", 1): 4.783e-4, ("cubic", 3): 1.612e-6, ("cubic", 5): 7.734e-8,
                 ("quadratic", 3): 4.982e-5, ("quadratic", 10): 5.513e-7,
                 ("linear", 10): 6.030e-5, ("linear", 80): 9.28e-7,
                 ("rigid_chain", 10): 6.805e-4, ("rigid_chain", 80): 1.049e-5}
        for (kind, elements), error in table.items():
            file = simulate.run("paper/cantilever", *STATIC, f"rods.beam.discretization={kind}",
                                f"rods.beam.elements={elements}")
            off = np.linalg.norm(file["rods/beam/position"][0, -1] - exact)
            self.assertAlmostEqual(off / error, 1, delta=1e-3, msg=f"{kind} {elements}")
            np.testing.assert_allclose(file["joints/force"][0, 0], [0, 0, 77.04756], atol=1e-5)

        # 1.214e-9 is at the end of the digits of the exact tip.
        file = simulate.run("paper/cantilever", *STATIC, "rods.beam.elements=10")
        off = np.linalg.norm(file["rods/beam/position"][0, -1] - exact)
        self.assertLess(abs(off - 1.214e-9), 1e-10)

    def test_dynamics_comes_to_rest_where_statics_is(self):
        still = simulate.run("paper/cantilever", *STATIC)
        moving = simulate.run("paper/cantilever", "checks=[]", "time.duration=80")
        np.testing.assert_allclose(still["rods/beam/position"][0],
                                   moving["rods/beam/position"][-1], atol=1e-9)
        np.testing.assert_allclose(still["rods/beam/moment"][0], moving["rods/beam/moment"][-1],
                                   atol=1e-5)
        self.assertAlmostEqual(still["energy/elastic"][0], moving["energy/elastic"][-1], delta=1e-8)

    def test_timoshenko_deflection_with_every_order(self):
        """r 0.25 m, L 3 m, E 1e6, G 1e4, 15 N: bending 0.0440032 m, shear 0.0237671 m."""
        I = np.pi * 0.25**4 / 4
        A = np.pi * 0.25**2
        exact = 15 * 27 / (3 * 1e6 * I) + 15 * 3 / (27 / 28 * 1e4 * A)
        for kind, elements in (("linear", 20), ("quadratic", 5), ("cubic", 1)):
            beam = rod(shear=(27 / 28 * 1e4 * A,) * 2 + (1e6 * A,),
                       bend=(1e6 * I, 1e6 * I, 2e4 * I), elements=elements, discretization=kind,
                       shape={"type": "straight", "length": 3})
            file = simulate.run_content(scene(
                rods=[beam], loads=[{"rod": "b", "node": "end", "force": [-15, 0, 0]}]))
            tip = -file["rods/b/position"][0, -1, 0]
            self.assertAlmostEqual(tip / exact, 1, delta=5e-3, msg=kind)

    def test_a_couple_rolls_a_rod_up(self):
        half = simulate.run_content(scene(rods=[rod()], loads=[
            {"rod": "b", "node": "end", "torque": [0, np.pi, 0]}]))
        np.testing.assert_allclose(half["rods/b/position"][0, -1], [2 / np.pi, 0, 0], atol=1e-9)
        full = simulate.run_content(scene(rods=[rod()], loads=[
            {"rod": "b", "node": "end", "torque": [0, 2 * np.pi, 0], "frame": "body"}]))
        np.testing.assert_allclose(full["rods/b/position"][0, -1], [0, 0, 0], atol=1e-9)

    def test_a_follower_force_stays_across_the_tip(self):
        file = simulate.run_content(scene(rods=[rod(elements=20)], loads=[
            {"rod": "b", "node": "end", "force": [10, 0, 0], "frame": "body"}]))
        w, x, y, z = file["rods/b/orientation"][0, -1]
        across = 10 * np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
        force = file["joints/force"][0, 0]
        np.testing.assert_allclose(force, -across, atol=1e-8)
        arm = file["rods/b/position"][0, -1] - file["rods/b/position"][0, 0]
        np.testing.assert_allclose(file["joints/torque"][0, 0], -np.cross(arm, across), atol=1e-8)

    def test_a_sudden_load_is_taken_in_parts(self):
        file = simulate.run_content(scene(rods=[rod()], loads=[
            {"rod": "b", "node": "end", "force": [500, 0, 0]}]))
        self.assertLess(file["residual/primal"][0], 1e-8)
        np.testing.assert_allclose(file["joints/force"][0, 0], [-500, 0, 0], atol=1e-7)
        self.assertGreater(file["stability/lowest_eigenvalue"][0], 0)

    def test_a_path_follows_its_motion(self):
        content = scene(time={"step": 1, "duration": 4}, rods=[rod()], joints=[
            {"name": "end", "type": "fixed", "body1": "ground", "body2": {"rod": "b", "node": "end"},
             "motion": {"translation": [{"table": {"time": [0, 4], "value": [0, 0.2]}}, 0, 0]}}])
        file = simulate.run_content(content)
        for i, t in enumerate(file["time"]):
            np.testing.assert_allclose(file["rods/b/position"][i, -1], [0.05 * t, 0, 1], atol=1e-12)
            self.assertLess(file["residual/constraint"][i], 1e-12)
        # At the start it is straight: nothing pulls. Later the end is pulled along.
        self.assertLess(np.abs(file["joints/force"][0]).max(), 1e-9)
        self.assertGreater(file["joints/force"][4, 0, 0], 2)
        np.testing.assert_allclose(file["joints/force"][4].sum(axis=0), 0, atol=1e-9)


class Bodies(unittest.TestCase):
    def test_pendulums_hang_from_wherever_they_start(self):
        for degrees in (80, 90, 120, 170):
            a = np.radians(degrees)
            file = simulate.run_content(scene(
                gravity=[0, 0, -9.81], bodies=[body("l", [0.5 * np.sin(a), 0, -0.5 * np.cos(a)])],
                joints=[hinge("j", "ground", "l", [0, 0, 0])]))
            np.testing.assert_allclose(file["bodies/position"][0, 0], [0, 0, -0.5], atol=1e-12)
            np.testing.assert_allclose(file["joints/force"][0, 0], [0, 0, 9.81], atol=1e-12)
            # w^2 = m g l / (I + m l^2)
            self.assertAlmostEqual(file["stability/lowest_eigenvalue"][0],
                                   9.81 * 0.5 / (0.1 + 0.25), delta=1e-9)

    def test_an_elastic_target_carries_what_hangs_on_it(self):
        joint = hinge("j", "ground", "l", [0, 0, 0], target={"value": 0.1, "stiffness": 20})
        file = simulate.run_content(scene(gravity=[0, 0, -9.81], bodies=[body("l", [0.5, 0, 0])],
                                          joints=[joint]))
        angle = file["joints/coordinate"][0, 0, 0]
        self.assertAlmostEqual(20 * (angle - 0.1), 9.81 * 0.5 * np.cos(angle), delta=1e-12)
        self.assertAlmostEqual(file["energy/elastic"][0], 10 * (angle - 0.1)**2, delta=1e-12)

    def test_a_limit_carries_what_lies_on_it(self):
        joint = hinge("j", "ground", "l", [0, 0, 0], limits=[-0.3, 0.5])
        file = simulate.run_content(scene(gravity=[0, 0, -9.81], bodies=[body("l", [0.5, 0, 0])],
                                          joints=[joint]))
        self.assertAlmostEqual(file["joints/coordinate"][0, 0, 0], 0.5, delta=1e-12)
        self.assertAlmostEqual(file["joints/torque"][0, 0, 1], -9.81 * 0.5 * np.cos(0.5),
                               delta=1e-10)
        fallen = simulate.run_content(scene(
            gravity=[0, 0, -9.81], bodies=[body("l", [0, 0, 1])],
            joints=[{"name": "j", "type": "prismatic", "body1": "ground", "body2": "l",
                     "at": {"position": [0, 0, 1], "axis": [0, 0, 1]}, "limits": [-0.7, 1]}]))
        self.assertAlmostEqual(fallen["bodies/position"][0, 0, 2], 0.3, delta=1e-12)

    def test_loops_with_dependent_rows_are_solved(self):
        file = simulate.run_content(scene(
            gravity=[0, 0, -9.81],
            bodies=[body("a", [0, 0, -.5]), body("b", [.5, 0, -1]), body("c", [1, 0, -.5])],
            joints=[hinge("j1", "ground", "a", [0, 0, 0]), hinge("j2", "a", "b", [0, 0, -1]),
                    hinge("j3", "b", "c", [1, 0, -1]), hinge("j4", "c", "ground", [1, 0, 0])]))
        np.testing.assert_allclose(file["joints/force"][0, 0], [0, 0, 14.715], atol=1e-9)

    def test_what_nothing_holds_is_named(self):
        down = [0, 0, -9.81]
        self.assertIn('body "l"', refused(scene(bodies=[body("l", [0, 0, 0])])))
        self.assertIn('body "l"', refused(scene(bodies=[body("l", [0, 0, 0])], gravity=down)))
        self.assertIn('rod "b"', refused(scene(rods=[rod(ends={})])))
        self.assertIn('rod "b"', refused(scene(rods=[rod(ends={"start": "pinned"})], gravity=down)))


class Stability(unittest.TestCase):
    def test_a_column_buckles_at_haringx_load(self):
        """P (1 - P/EA + P/GA) = pi^2 EI / 4 L^2, clamped and free."""
        GA, EA = 400.0, 1000.0
        b = 1 / GA - 1 / EA
        exact = (np.sqrt(1 + 4 * b * np.pi**2 / 4) - 1) / (2 * b)
        loads, lowest, negative = [], [], []
        for part in (0.999, 1.0003, 1.001):
            file = simulate.run_content(scene(
                rods=[rod(shear=(GA, GA, EA))],
                loads=[{"rod": "b", "node": "end", "force": [0, 0, -part * exact]}]))
            loads.append(part)
            lowest.append(file["stability/lowest_eigenvalue"][0])
            negative.append(file["stability/negative_eigenvalues"][0])
        self.assertLess(abs(zero_of(loads, lowest) - 1), 1e-6)
        self.assertEqual(negative, [0, 2, 2])  # a round column: about both axes

    def test_a_twisted_rod_buckles_at_greenhills_couple(self):
        """Clamped at both ends: M L/EI = 8.9868; here GJ = 2 EI, M = GJ angle / L."""
        exact = 8.9868 / 2
        times = np.array([0.99, 0.997, 1.004]) * exact
        content = scene(time={"step": 1, "duration": 3}, rods=[rod(bend=(1, 1, 2), elements=20)],
                        joints=[{"name": "end", "type": "fixed", "body1": "ground",
                                 "body2": {"rod": "b", "node": "end"},
                                 "motion": {"rotation": {"axis": [0, 0, 1], "angle": {"table": {
                                     "time": [0, 1, 2, 3], "value": [0, *times]}}}}}])
        file = simulate.run_content(content)
        lowest = file["stability/lowest_eigenvalue"][1:]
        self.assertLess(abs(zero_of(times, lowest) / exact - 1), 5e-4)
        self.assertEqual(list(file["stability/negative_eigenvalues"][1:3]), [0, 0])
        self.assertGreater(file["stability/negative_eigenvalues"][3], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
