"""Contact, friction and restitution of bodies against answers known in closed form. Scenes are made
here; step 1e-3 s, g = 9.81 and solve global with one iteration unless said."""
import os
import random
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from simulate import XSIM, run_content

G, H = 9.81, 1e-3


def ground(**more):
    return {"name": "floor", "fixed": True, "shapes": [{"type": "plane"}], **more}


def box(name, position, half=0.5, mass=1, **more):
    half = [half] * 3 if np.isscalar(half) else list(half)
    return {"name": name, "position": list(position), **({} if more.get("fixed") else {"mass": mass}),
            "shapes": [{"type": "box", "half_extents": half}], **more}


def sphere(name, position, radius=0.05, mass=1, **more):
    return {"name": name, "mass": mass, "position": list(position),
            "shapes": [{"type": "sphere", "radius": radius}], **more}


def scene(bodies, duration, iterations=1, solve="global", step=H, gravity=(0, 0, -G), contact=(),
          **more):
    return {"gravity": list(gravity), "time": {"step": step, "duration": duration},
            "solver": {"solve": solve, "iterations": iterations}, "bodies": bodies,
            "contact": {"enabled": True, **dict(contact)}, **more}


def tilted(degrees):
    return G * np.sin(np.deg2rad(degrees)), 0, -G * np.cos(np.deg2rad(degrees))


def tumbling(draw):
    """A stack of two to five boxes that slides, each turned a little."""
    n, boxes, height = draw.randint(2, 5), [], 0
    friction, below = draw.choice((.2, .4, .6, .9)), draw.choice((.05, .2, .5, .8))
    velocity, turned = [draw.uniform(-3, 3), draw.uniform(-2, 2), 0], draw.uniform(0, 1.5)
    for i in range(n):
        half = [draw.choice((.1, .1, .15)), draw.choice((.1, .12)), draw.choice((.05, .1))]
        yaw = 0 if draw.random() < .5 else turned + draw.uniform(-.3, .3)
        mass = draw.choice((1, 1, 3))
        x = draw.uniform(-.02, .02) if draw.random() < .5 else 0
        boxes.append({"name": f"b{i}", "mass": mass, "position": [x, 0, height + half[2]],
                      "orientation": {"axis": [0, 0, 1], "angle": yaw}, "linear_velocity": velocity,
                      "shapes": [{"type": "box", "half_extents": half, "material": "box"}]})
        height += 2 * half[2]
    floor = ground(shapes=[{"type": "plane", "material": "floor"}])
    step = draw.choice((1e-3, 2e-3, 5e-3))
    solve = draw.choice(("individual", "block", "global"))
    return scene([*boxes, floor], 0.5, draw.choice((1, 1, 3)), solve, step,
                 materials={"box": {"friction": friction}, "floor": {"friction": below}})


def displacement(result, body=1):
    position = result["bodies/position"][:, body]
    return np.linalg.norm(position - position[0], axis=1)


class Sticking(unittest.TestCase):
    def test_box_stays_on_an_incline(self):
        for solve in ("global", "block"):
            with self.subTest(solve=solve):
                result = run_content(scene([ground(), box("a", (0, 0, 0.5))], 10, solve=solve,
                                           gravity=tilted(20), contact={"friction": 0.5}))
                self.assertLess(displacement(result).max(), 1e-12)

    def test_creep_of_single_contacts_is_reported(self):
        """Contact by contact the last one solved moves what the others held."""
        result = run_content(scene([ground(), box("a", (0, 0, 0.5))], 10, solve="individual",
                                   gravity=tilted(20), contact={"friction": 0.5}))
        moved = displacement(result)[-1]
        print(f"box on a slope of 20 degrees, individual: creeps {100 * moved:.1f} cm in 10 s")
        self.assertLess(moved, 0.05)

    def test_friction_just_above_the_slope_holds(self):
        for iterations, most in ((1, 3e-4), (10, 1e-6)):
            with self.subTest(iterations=iterations):
                result = run_content(scene(
                    [ground(), box("a", (0, 0, 0.5))], 10, iterations, gravity=tilted(20),
                    contact={"friction": 1.003 * np.tan(np.deg2rad(20))}))
                self.assertLess(displacement(result).max(), most)

    def pushed(self, force, iterations):
        return run_content(scene(
            [ground(), box("a", (0, 0, 0.5))], 2, iterations, contact={"friction": 0.5},
            loads=[{"body": "a", "force": [0.6 * force, 0.8 * force, 0]}]))

    def test_pushed_box_holds_up_to_the_limit(self):
        """The limit is 4.905 N."""
        for force, most in ((4.85, 1e-8), (4.90, 1e-5)):
            for iterations in (1, 10):
                with self.subTest(force=force, iterations=iterations):
                    self.assertLess(displacement(self.pushed(force, iterations)).max(), most)

    def test_pushed_box_slides_above_it(self):
        for force in (4.92, 6):
            for iterations in (1, 4, 10):
                with self.subTest(force=force, iterations=iterations):
                    velocity = self.pushed(force, iterations)["bodies/linear_velocity"][:, 1]
                    a = np.linalg.norm(velocity[-1] - velocity[1000]) / 1.0
                    self.assertAlmostEqual(a, force - 0.5 * G, delta=1e-8)
                    self.assertAlmostEqual(velocity[-1, 1] / velocity[-1, 0], 4 / 3, delta=1e-6)

    def test_static_friction_holds_what_would_slide(self):
        def moved(force):
            content = scene(
                [ground(), box("a", (0, 0, 0.5))], 1,
                loads=[{"body": "a", "force": [force, 0, 0]}],
                materials={"m": {"friction": 0.3, "static_friction": 0.6}})
            for body in content["bodies"]:
                body["shapes"][0]["material"] = "m"
            return run_content(content)["bodies/linear_velocity"][-1, 1, 0]
        self.assertLess(abs(moved(0.59 * G)), 1e-9)
        self.assertAlmostEqual(moved(0.61 * G), 0.31 * G, delta=1e-2)


class Sliding(unittest.TestCase):
    def test_deceleration_at_any_size_and_step(self):
        """mu g to 1e-8 of it. x is that of the parabola less a h t / 2, exactly, so the way to a stop
        is short by the fraction mu g h / v0."""
        for half, step in ((0.25, H), (0.25, H / 4), (0.01, H), (5, H), (0.25, 4 * H)):
            for mu in (0.2, 0.4, 0.7):
                with self.subTest(half=half, step=step, mu=mu):
                    result = run_content(scene(
                        [ground(), box("a", (0, 0, half), half, linear_velocity=[2, 0, 0])], 1.2,
                        step=step, contact={"friction": mu}))
                    t, a = result["time"][:], mu * G
                    velocity = result["bodies/linear_velocity"][:, 1, 0]
                    x = result["bodies/position"][:, 1, 0]
                    k = np.searchsorted(t, 0.2)
                    self.assertAlmostEqual((velocity[0] - velocity[k]) / (a * t[k]), 1, delta=1e-8)
                    slides = t < 2 / a - step
                    lag = (2 * t - a * t * t / 2 - x)[slides]
                    np.testing.assert_allclose(lag, a * step * t[slides] / 2, rtol=0, atol=1e-9)
                    self.assertAlmostEqual(x[-1] / (2 / a), 1 - a * step / 2, delta=a * step / 50)

    def test_three_stacked_cubes_slide_together(self):
        """Sixteen contacts with more forces than it takes: what solves them leaps where they contradict
        each other by round-off, and such a leap is no solution."""
        mu, speed = 0.2, 2.0
        materials = {"cube": {"friction": 0.6}, "floor": {"friction": mu**2 / 0.6}}
        cubes = [box(f"b{i}", (0, 0, 0.1 + 0.2 * i), 0.1, linear_velocity=[speed, 0, 0])
                 for i in range(3)]
        for cube in cubes:
            cube["shapes"][0]["material"] = "cube"
        floor = ground(shapes=[{"type": "plane", "material": "floor"}])
        for solve in ("individual", "block", "global"):
            with self.subTest(solve=solve):
                result = run_content(scene([*cubes, floor], 0.3, solve=solve, materials=materials))
                rise = np.diff(result["energy/total"]).max()
                t, position = result["time"][:], result["bodies/position"][:, :3]
                off = np.abs(position[..., 0] - (speed * t - mu * G * t**2 / 2)[:, None]).max()
                fallen = np.abs(position[..., 2] - position[0, :, 2]).max()
                print(f"three cubes, {solve}: largest rise of the energy {rise:.1e} J, "
                      f"{1e3 * off:.2f} mm off, {1e3 * fallen:.3f} mm down")
                self.assertLess(rise, 1e-12)
                self.assertLess(off, 5e-3)
                self.assertLess(fallen, 1e-3)

    def test_stacks_that_tumble_gain_no_energy(self):
        """Boxes of several sizes, turned and off the middle, thrown along a floor: many have no solution
        that the search finds; what is left then must be the best it had, not where a step leapt to. Each
        of these gained 0.1 to 50 J in one step as long as it was."""
        for seed in (12, 24, 103):
            with self.subTest(seed=seed):
                content = tumbling(random.Random(seed))
                energy = run_content(content)["energy/total"][:]
                rise = np.diff(energy).max() / energy[0]
                print(f"stack {seed}: largest rise of the energy {rise:.1e}")
                self.assertLess(rise, 1e-4)

    def test_sphere_slides_then_rolls(self):
        """x lags by h (v0 - v)/2 = 2.9e-4 m from the slide, and by 5e-5 m a second as it rolls: the
        slip of material points over a step is known to (omega h)^2 only."""
        v = 2 * 5 / 7
        for duration, lag in ((1, 3.5e-4), (2, 4e-4)):
            result = run_content(scene(
                [ground(), sphere("a", (0, 0, 0.05), linear_velocity=[2, 0, 0])], duration,
                contact={"friction": 0.3}))
            t = 2 * 2 / (7 * 0.3 * G)
            x = 2 * t - 0.15 * G * t * t + v * (duration - t)
            with self.subTest(duration=duration):
                self.assertAlmostEqual(result["bodies/linear_velocity"][-1, 1, 0], v, delta=1e-6)
                self.assertAlmostEqual(result["bodies/position"][-1, 1, 0], x, delta=lag)
                spin = np.linalg.norm(result["bodies/angular_velocity"][-1, 1])
                self.assertAlmostEqual(spin, v / 0.05, delta=1e-5)


def cradle_by_law(*impacts):
    """Speeds of five spheres of 1 kg and e = 1 in a row, of which the first came at 1 m/s, after
    impacts one after the other; each solves the listed contacts (k: between k and k + 1) as one:
    w = G v - target >= 0 complementary to J >= 0, by trying every set of contacts that bear."""
    v = np.array([1.0, 0, 0, 0, 0])
    for contacts in impacts:
        G_rows = np.array([np.eye(5)[k + 1] - np.eye(5)[k] for k in contacts])
        target = np.maximum(0, -G_rows @ v)  # e times the closing speed, without acceleration
        for chosen in range(2 ** len(contacts)):
            bears = [i for i in range(len(contacts)) if chosen >> i & 1]
            J = np.zeros(len(contacts))
            A = G_rows @ G_rows.T
            J[bears] = np.linalg.solve(A[np.ix_(bears, bears)], (target - G_rows @ v)[bears])
            if J.min() >= 0 and (G_rows @ v + A @ J - target).min() >= -1e-12:
                break
        v = v + G_rows.T @ J
    return v


class Restitution(unittest.TestCase):
    def drop(self, e, duration, step=H):
        return run_content(scene([ground(), sphere("a", (0, 0, 1.05))], duration, step=step,
                                 contact={"restitution": e}))

    def test_apex_after_a_bounce(self):
        for e in (0.5, 0.7, 0.8, 1):
            for step in (H, H / 4):
                with self.subTest(e=e, step=step):
                    result = self.drop(e, 1.4, step)
                    z = result["bodies/position"][:, 1, 2] - 0.05
                    hit = np.argmax(z < 1e-2)
                    up = hit + np.argmax(result["bodies/linear_velocity"][hit:, 1, 2] > 0)
                    down = up + np.argmax(result["bodies/linear_velocity"][up:, 1, 2] < 0)
                    self.assertAlmostEqual(z[up:down + 1].max(), e * e, delta=2e-6)

    def test_twenty_bounces_lose_nothing(self):
        z = self.drop(1, 20)["bodies/position"][:, 1, 2] - 0.05
        self.assertGreater(z[-1000:].max(), 0.9999)
        self.assertLess(z.max(), 1 + 2e-6)

    def test_no_rebound_without_restitution(self):
        self.assertLess(self.drop(0, 1)["bodies/linear_velocity"][:, 1, 2].max(), 1e-12)

    def test_slow_impacts_follow_the_threshold(self):
        """Below 2 g h = 0.0196 m/s nothing rebounds, above it does."""
        for speed, rebounds in ((0.015, False), (0.05, True)):
            with self.subTest(speed=speed):
                result = run_content(scene(
                    [ground(), sphere("a", (0, 0, 0.05), linear_velocity=[0, 0, -speed])], 0.02,
                    contact={"restitution": 0.8}))
                rebound = result["bodies/linear_velocity"][1:, 1, 2].max()
                self.assertEqual(rebound > 1e-9, rebounds, rebound)

    def test_oblique_impact(self):
        """v_t changes by mu (1 + e) v_n."""
        result = run_content(scene(
            [ground(), sphere("a", (0, 0, 1.05), linear_velocity=[3, 0, -4])], 0.5,
            gravity=(0, 0, 0), contact={"friction": 0.1, "restitution": 0.5}))
        velocity = result["bodies/linear_velocity"][-1, 1]
        self.assertLess(np.abs(velocity - [2.4, 0, 2]).max(), 1e-9)

    def test_equal_spheres_exchange_velocities(self):
        result = run_content(scene(
            [sphere("a", (-1, 0, 0), linear_velocity=[1, 0, 0]), sphere("b", (0, 0, 0))], 2,
            gravity=(0, 0, 0), contact={"restitution": 1}))
        velocity = result["bodies/linear_velocity"][-1]
        self.assertLess(np.abs(velocity - [[0, 0, 0], [1, 0, 0]]).max(), 1e-12)
        self.assertAlmostEqual(result["momentum/linear"][-1, 0], 1, delta=1e-12)

    def test_wall_gives_the_velocity_back(self):
        wall = ground(orientation={"axis": [0, 1, 0], "angle": {"deg": -90}})
        result = run_content(scene(
            [wall, sphere("a", (-1, 0, 0), linear_velocity=[1, 0, 0])], 2, gravity=(0, 0, 0),
            contact={"restitution": 1}))
        self.assertAlmostEqual(result["bodies/linear_velocity"][-1, 1, 0], -1, delta=1e-14)

    def cradle(self, step=H):
        """Speeds of five spheres after the first came at 1 m/s."""
        bodies = [sphere(f"s{k}", (0.1 * k, 0, 0)) for k in range(5)]
        bodies[0] = sphere("s0", (-0.3, 0, 0), linear_velocity=[1, 0, 0])
        result = run_content(scene(bodies, 1, gravity=(0, 0, 0), step=step,
                                   contact={"restitution": 1, "friction": 0}))
        return result["bodies/linear_velocity"][-1, :, 0]

    def test_cradle_of_five_is_what_the_law_gives(self):
        """The law of impacts for spheres that rest against each other: those have no closing speed
        and are to keep none, the first pair is to part at 1 m/s. All J >= 0 then bear, so that
        (-0.6, 0.4, 0.4, 0.4, 0.4), not (0, 0, 0, 0, 1)."""
        np.testing.assert_allclose(self.cradle(), cradle_by_law([0, 1, 2, 3]), rtol=0, atol=1e-12)
        np.testing.assert_allclose(cradle_by_law([0, 1, 2, 3]), [-0.6, 0.4, 0.4, 0.4, 0.4],
                                   atol=1e-15)

    def test_cradle_whose_middle_contact_is_open(self):
        """(-1/3, 0, 0, 2/3, 2/3), as it is told of elsewhere, is the law twice: the first three as one
        group, then the second to fifth."""
        np.testing.assert_allclose(cradle_by_law([0, 1], [1, 2, 3]),
                                   [-1 / 3, 0, 0, 2 / 3, 2 / 3], atol=1e-15)

    @unittest.expectedFailure  # 0.4 m/s
    def test_last_of_a_cradle_flies_off_alone(self):
        for step in (H, H / 4):
            self.assertAlmostEqual(self.cradle(step)[-1], 1, delta=1e-2)


class Resting(unittest.TestCase):
    def test_ten_boxes(self):
        for iterations, drift in ((1, 2e-8), (2, 1e-12)):
            with self.subTest(iterations=iterations):
                result = run_content(scene(
                    [ground()] + [box(f"b{k}", (0, 0, 0.5 + k)) for k in range(10)], 2, iterations))
                position = result["bodies/position"][:, :3]
                self.assertLess(np.abs(position[-1] - position[0]).max(), drift)
                self.assertGreater(result["contacts/gap"][:].min(), -1e-12)
                first, count = result["contacts/first"][-1], result["contacts/count"][-1]
                pair = result["contacts/pair"][first:first + count]
                force = result["contacts/force"][first:first + count, 2]
                for level in range(10):
                    upper = np.maximum(pair[:, 1], pair[:, 4]) == level + 1
                    self.assertAlmostEqual(np.abs(force[upper]).sum() / ((10 - level) * G), 1,
                                           delta=1e-8)

    def test_heavy_on_light(self):
        for ratio in (1, 10, 100, 1000):
            for step in (H, H / 4):
                with self.subTest(ratio=ratio, step=step):
                    result = run_content(scene(
                        [ground(), box("a", (0, 0, 0.5)), box("b", (0, 0, 1.5), mass=ratio)], 2,
                        step=step))
                    self.assertGreater(result["contacts/gap"][:].min(), -1e-9)
                    top = result["bodies/position"][:, 2, 2]
                    self.assertLess(np.abs(top - 1.5).max(), 1e-6)

    def test_elastic_cube_on_a_smaller_box(self):
        small = {"name": "s", "fixed": True, "position": [0, 0, -0.25],
                 "shapes": [{"type": "box", "half_extents": [0.375, 0.375, 0.25]}]}
        result = run_content(scene([small, box("a", (0, 0, 10))], 6, contact={"restitution": 1}))
        self.assertLess(result["bodies/position"][:, 1, 2].max(), 10.001)

    def test_overlap_at_the_start_gives_no_speed(self):
        result = run_content(scene([ground(), box("a", (0, 0, 0.49))], 0.1))
        self.assertAlmostEqual(result["bodies/position"][-1, 1, 2], 0.5, delta=1e-9)
        self.assertLess(result["bodies/linear_velocity"][1:, 1, 2].max(), 1e-9)

    def test_compliant_contact_is_a_spring(self):
        result = run_content(scene([ground(), sphere("a", (0, 0, 0.05))], 5,
                                   contact={"compliance": 1e-5, "friction": 0}))
        depth = 0.05 - result["bodies/position"][:, 1, 2]
        self.assertAlmostEqual(depth[-200:].mean() / (G * 1e-5), 1, delta=0.02)

    def test_corrected_update_leaves_no_residual(self):
        content = scene([ground()] + [box(f"b{k}", (0.1 * k, 0, 0.5 + k)) for k in range(3)], 0.2, 5)
        content["solver"]["update"] = "corrected"
        result = run_content(content)
        self.assertLess(result["residual/primal_relative"][1:].max(), 1e-9)
        self.assertLess(result["residual/constraint"][1:].max(), 1e-9)


class Pinched(unittest.TestCase):
    """A capsule of 1 kg between a wall and a jaw on a slide, h = 2e-3: friction 0.5 holds it with all
    of 12 N, and with 30 and 60. End-on, one contact a side; on its side, two. There, more bears than
    is needed, and it holds if the load is spread over all of it."""

    END_ON, UPRIGHT = ([0, 1, 0], 90), ([1, 0, 0], 0)
    LYING = tuple(([1, 0, 0], degrees) for degrees in (20, 45, 90))

    def creep(self, force, iterations, pose):
        """Speed from half of the time to its end."""
        half = 0.05 if pose == self.END_ON else 0.02
        def plate(name, x, **more):
            return box(name, (x, 0, 0), (0.1, 0.3, 0.3), **more)
        capsule = {"name": "capsule", "mass": 1, "shapes": [
            {"type": "capsule", "radius": 0.02, "half_length": 0.03,
             "orientation": {"axis": pose[0], "angle": {"deg": pose[1]}}}]}
        x = 0.1 + half
        result = run_content(scene(
            [plate("wall", -x, fixed=True), plate("jaw", x), capsule], 2, iterations,
            step=2e-3, contact={"friction": 0.5}, loads=[{"body": "jaw", "force": [-force, 0, 0]}],
            joints=[{"name": "slide", "type": "prismatic", "body1": "ground", "body2": "jaw",
                     "at": {"position": [x, 0, 0], "axis": [1, 0, 0]}}]))
        position = result["bodies/position"][:, 2]
        return np.linalg.norm(position[-1] - position[500]) / 1.0

    def test_it_does_not_creep(self):
        for pose in (self.END_ON, self.UPRIGHT, *self.LYING):
            for force in (12, 30, 60):
                for iterations, most in ((1, 1e-12), (5, 1e-15)):
                    with self.subTest(pose=pose, force=force, iterations=iterations):
                        self.assertLess(self.creep(force, iterations, pose), most)


class Spinning(unittest.TestCase):
    def test_a_spinning_capsule_on_a_slope_gains_no_energy(self):
        """15 degrees; about the normal, about its axis (rolling), and tumbling; mu 0.5 and 0."""
        for spin in ((0, 0, 30), (0, 30, 0), (20, 10, 30)):
            for mu in (0.5, 0):
                for step in (H, H / 4):
                    with self.subTest(spin=spin, mu=mu, step=step):
                        capsule = {"name": "capsule", "mass": 1, "position": [0, 0, 0.05],
                                   "angular_velocity": list(spin), "shapes": [
                                       {"type": "capsule", "radius": 0.05, "half_length": 0.1,
                                        "orientation": {"axis": [1, 0, 0], "angle": {"deg": 90}}}]}
                        result = run_content(scene([ground(), capsule], 2, step=step,
                                                   gravity=tilted(15), contact={"friction": mu}))
                        energy = result["energy/total"][:]
                        # never above it, but for the rounding of a sum
                        self.assertLess(energy.max() - energy[0], 1e-15 * abs(energy[0]))


RODS = (("rigid_chain", 8), ("linear", 8), ("quadratic", 4), ("cubic", 3))
RUBBER = {"m": {"density": 1000, "youngs_modulus": 1e9, "poisson_ratio": 0.3}}


def rod(discretization, elements, height, radius, yaw=0.0, **more):
    half = np.sqrt(0.5)
    c, s = np.cos(yaw / 2), np.sin(yaw / 2)
    return {"name": "rod", "discretization": discretization, "elements": elements, "material": "m",
            "shape": {"type": "straight", "length": 1}, "section": {"radius": radius},
            # a quarter turn about y, then the yaw about z
            "pose": {"position": [0, 0, height],
                     "orientation": {"quaternion": [c * half, -s * half, c * half, s * half]}},
            **more}


class Rods(unittest.TestCase):
    def test_stiff_rod_on_two_supports(self):
        """The forces are the rod's weight, and nothing sinks in, with one iteration."""
        supports = [{"name": f"s{i}", "fixed": True, "position": [x, 0, -0.05],
                     "shapes": [{"type": "capsule", "radius": 0.05, "half_length": 0.2,
                                 "orientation": {"axis": [1, 0, 0], "angle": {"deg": 90}}}]}
                    for i, x in enumerate((0.21, 0.83))]
        for discretization, elements in RODS:
            with self.subTest(discretization=discretization):
                result = run_content(scene(
                    supports, 1, materials=RUBBER,
                    rods=[rod(discretization, elements, 0.02, 0.02, damping=2e5)]))
                last = result["contacts/first"][-1]
                weight = 1000 * np.pi * 0.02 ** 2 * G
                self.assertAlmostEqual(np.abs(result["contacts/force"][last:, 2].sum()) / weight, 1,
                                       delta=1e-7)
                self.assertGreater(result["contacts/gap"][:].min(), -1e-12)
                self.assertEqual(result["contacts/xi"].shape[1], 2)

    def test_thin_cable_dropped_on_a_plane_comes_to_rest(self):
        for discretization, elements in RODS:
            for yaw in (0, 0.4, 1.1):
                for mu in (0, 0.5):
                    with self.subTest(discretization=discretization, yaw=yaw, mu=mu):
                        result = run_content(scene(
                            [ground()], 1, materials=RUBBER, contact={"friction": mu},
                            rods=[rod(discretization, 2 * elements, 0.05, 0.005, yaw)]))
                        self.assertLess(result["energy/kinetic"][-1], 1e-12)
                        self.assertGreater(result["contacts/gap"][:].min(), -1e-12)

    def test_crossed_rods_at_rest(self):
        """Two rods between clamped ends, one hanging over the other: the contact carries what the
        ends do not, of the upper rod and of the lower one."""
        for discretization, elements in RODS:
            with self.subTest(discretization=discretization):
                upper = rod(discretization, elements, 0.0252, 0.01, damping=1e7)
                lower = rod(discretization, elements, 0, 0.015, np.pi / 2, damping=1e7)
                upper["name"], lower["name"] = "upper", "lower"
                lower["pose"]["position"] = [0.45, -0.47, 0]
                for one in (upper, lower):
                    one["ends"] = {"start": "clamped", "end": "clamped"}
                result = run_content(scene(
                    [], 6, 2, materials=RUBBER, rods=[upper, lower],
                    contact={"friction": 0}, output={"every": 100}))
                self.assertLess(result["energy/kinetic"][-1], 1e-16)
                last, count = result["contacts/first"][-1], result["contacts/count"][-1]
                force = np.abs(result["contacts/force"][last:last + count, 2].sum())
                names = [name.decode() for name in result["joints/name"][:]]
                weights = [1000 * np.pi * radius ** 2 * G for radius in (0.01, 0.015)]
                self.assertGreater(force, 0.05 * weights[0])
                for name, carried in (("upper", weights[0] - force), ("lower", weights[1] + force)):
                    ends = sum(result["joints/force"][-1, k, 2] for k, joint in enumerate(names)
                               if joint.startswith(name))
                    self.assertAlmostEqual(ends / carried, 1, delta=1e-6)

    def test_rod_slides_then_rolls(self):
        """A solid cylinder keeps two thirds of its speed."""
        for discretization, elements in RODS:
            with self.subTest(discretization=discretization):
                result = run_content(scene(
                    [ground()], 1.5, materials=RUBBER, contact={"friction": 0.3},
                    rods=[rod(discretization, elements, 0.01, 0.01,
                              linear_velocity=[0, 1, 0])]))
                velocity = result["rods/rod/linear_velocity"][-1, :, 1]
                self.assertLess(np.abs(velocity - 2 / 3).max(), 1e-5)

    def test_damped_rod_dropped_loses_energy_only(self):
        """Weak to strong damping (time tau from 0.02 to 20 steps), also beside an undamped rod."""
        for damping in (2e4, 1e6, 2e7):
            for mu in (0, 0.5):
                with self.subTest(damping=damping, mu=mu):
                    other = rod("linear", 5, 0.05, 0.02)
                    other["name"], other["pose"]["position"] = "other", [0, 2, 0.05]
                    dropped = rod("cubic", 4, 0.3, 0.02, damping=damping)
                    dropped["pose"]["orientation"] = {"axis": [0, 1, 0], "angle": {"deg": 75}}
                    result = run_content(scene(
                        [ground()], 1.5, materials=RUBBER, contact={"friction": mu},
                        rods=[dropped, other]))
                    energy = result["energy/total"][:]
                    self.assertLess(np.diff(energy).max(), 1e-9 * energy[0])
                    self.assertLess(result["energy/kinetic"][-1], 1e-12)


class Records(unittest.TestCase):
    def test_flat_rows_belong_to_their_instants(self):
        result = run_content(scene([ground(), sphere("a", (0, 0, 0.1)), box("b", (3, 0, 0.5))], 0.3))
        first, count = result["contacts/first"][:], result["contacts/count"][:]
        self.assertEqual(first[0], 0)
        np.testing.assert_array_equal(first[1:], np.cumsum(count)[:-1])
        self.assertEqual(len(result["contacts/gap"]), count.sum())
        self.assertEqual(set(count), {0, 4, 5})
        self.assertNotIn("xi", result["contacts"])

    def test_going_on_is_the_same_to_the_bit(self):
        import json
        content = scene([ground(), box("a", (0, 0, 0.8), angular_velocity=[1, 2, 3]),
                         sphere("b", (0.1, 0, 2))], 1, 2, contact={"restitution": 0.4})
        content["output"] = {"checkpoint": 0.2}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.json")
            with open(path, "w", encoding="utf-8") as stream:
                json.dump(content, stream)
            whole, parts = os.path.join(folder, "w.h5"), os.path.join(folder, "p.h5")

            def call(*arguments):
                subprocess.run([XSIM, *arguments, "--quiet"], check=True, capture_output=True)
            call(path, "-o", whole)
            call(path, "-o", parts, "--set", "time.duration=0.57")
            call("--resume", parts, "--until", "1")
            with h5py.File(whole) as a, h5py.File(parts) as b:
                names = []
                a.visititems(lambda name, item: names.append(name)
                             if isinstance(item, h5py.Dataset) else None)
                for name in names:
                    if name.split("/")[0] in ("provenance", "timing", "checkpoint"):
                        continue
                    np.testing.assert_array_equal(a[name][()], b[name][()], err_msg=name)


if __name__ == "__main__":
    unittest.main()
