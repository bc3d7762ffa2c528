"""What each kind of joint, limit, target and load does, in small scenes whose outcome is known
in closed form: bodies at rest under load, and single steps whose equations are written out.

Each scene is a dictionary; what it leaves out is the default. One kilogram, principal inertia
INERTIA and 10 m/s^2 unless said otherwise."""
import hashlib
import json
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from simulate import XSIM, run, scene_path

GRAVITY = 10.0
INERTIA = np.array([0.02, 0.03, 0.04])
X, Y, Z = np.eye(3)
_folder = tempfile.TemporaryDirectory(prefix="xsim-variants-")


def body(name="body", **more):
    return {"name": name, "mass": 1, "inertia": INERTIA.tolist(), **more}


def scene_file(bodies, joints=(), loads=(), step=1e-3, duration=1.0, gravity=(0, 0, 0), **more):
    """Writes the scene; its name follows from its content."""
    scene = {"format": 1, "name": "variant", "gravity": list(gravity),
             "time": {"step": step, "duration": duration}, "bodies": bodies,
             "joints": list(joints), "loads": list(loads), **more}
    text = json.dumps(scene)
    name = hashlib.sha256(text.encode()).hexdigest()[:16] + ".json"
    path = os.path.join(_folder.name, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def simulate(bodies, *overrides, **scene):
    return run(scene_file(bodies, **scene), *overrides)


def joint(kind, body2="body", **more):
    return {"name": "joint", "type": kind, "body1": "ground", "body2": body2, **more}


def turned(q, v):
    """v by the rotation of the unit quaternion w, x, y, z."""
    w, u = q[0], np.asarray(q[1:])
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


def axis_angle(axis, angle):
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis)])


class Close(unittest.TestCase):
    def assertClose(self, found, exact, within):
        error = np.abs(np.asarray(found) - np.asarray(exact)).max()
        self.assertLessEqual(error, within, f"{found} instead of {exact}")


# ---- Free bodies and loads ---------------------------------------------------------------
class SingleSteps(Close):
    """One step of a free body, whose velocities are the prediction."""

    def step(self, h=1e-2, omega=(0, 0, 0), loads=(), orientation=None, **solver):
        given = {"orientation": orientation} if orientation else {}
        result = simulate([body(angular_velocity=list(omega), **given)], loads=loads, step=h,
                          duration=h, solver=solver)
        return result["bodies/linear_velocity"][1, 0], result["bodies/angular_velocity"][1, 0]

    def test_gyroscopic_term_of_an_explicit_step(self):
        h, omega = 1e-2, np.array([3.0, -2.0, 5.0])
        exact = omega - h * np.cross(omega, INERTIA * omega) / INERTIA
        _, found = self.step(h, omega, gyroscopic="explicit")
        self.assertClose(found, exact, 1e-12)

    def test_gyroscopic_terms_of_the_implicit_steps_solve_their_equations(self):
        h, omega = 1e-2, np.array([3.0, -2.0, 5.0])
        for choice, s in (("implicit", 1), ("midpoint", 0.5)):
            with self.subTest(choice=choice):
                _, w = self.step(h, omega, gyroscopic=choice)
                a = s * w + (1 - s) * omega
                left = INERTIA * (w - omega) + h * np.cross(a, INERTIA * a)
                self.assertClose(left, 0, 1e-13)

    def test_world_and_follower_loads_on_a_turned_body(self):
        h, q = 1e-2, axis_angle([1 / 3, 2 / 3, 2 / 3], 1.1)
        force, torque = np.array([1.0, 2.0, -3.0]), np.array([0.1, -0.2, 0.3])
        back = q * [1, -1, -1, -1]
        for frame, f, tau in (("world", force, turned(back, torque)),
                              ("body", turned(q, force), torque)):
            with self.subTest(frame=frame):
                load = {"body": "body", "frame": frame, "force": force.tolist(),
                        "torque": torque.tolist()}
                v, w = self.step(h, loads=[load], orientation={"quaternion": q.tolist()},
                                 gyroscopic="explicit")
                self.assertClose(v, h * f, 1e-15)
                self.assertClose(w, h * tau / INERTIA, 1e-12)


# ---- Residuals ---------------------------------------------------------------------------
class Residuals(Close):
    def test_primal_residuals_of_a_scalar_step(self):
        """A body on a ball joint, first step from rest: p~ is h^2 g too low and the row
        |gap| acts along n at the arm r, C = h^2 g. Evaluated at the end of the step, the
        impulse really applied differs by what the arm has turned; G^T lambda by the turn
        of n, too, and that is as large as the impulse itself."""
        h, r = 0.05, np.array([-0.3, 0.1, 0.2])
        result = simulate([body(position=(-r).tolist())], step=h, duration=h,
                          gravity=[0, 0, -GRAVITY],
                          solver={"solve": "individual", "constraints": "scalar"},
                          joints=[joint("spherical", frame1={"position": [0, 0, 0]},
                                        frame2={"position": r.tolist()})])
        n, arm = Z, np.cross(r, Z)  # from body to ground; R~ = I
        impulse = h**2 * GRAVITY / (1 + arm @ (arm / INERTIA))
        theta = impulse * arm / INERTIA
        q = axis_angle(theta / np.linalg.norm(theta), np.linalg.norm(theta))
        gap = -(-r - h**2 * GRAVITY * Z + impulse * n + turned(q, r))
        inertial = np.concatenate([impulse * n, impulse * arm])

        def left(direction):
            back = turned(q * [1, -1, -1, -1], direction)
            return inertial - impulse * np.concatenate([direction, np.cross(r, back)])

        applied, primal = (np.linalg.norm(left(d)) for d in (n, gap / np.linalg.norm(gap)))
        self.assertClose(result["residual/primal_applied"][1], applied, 1e-13)
        self.assertClose(result["residual/primal"][1], primal, 1e-12)
        self.assertClose(result["residual/constraint"][1], np.linalg.norm(gap), 1e-15)
        self.assertClose(result["residual/primal_relative"][1],
                         primal / np.linalg.norm(inertial), 1e-10)
        self.assertLess(applied, primal / 20)

    def test_impulses_applied_by_the_scalar_pendulum_leave_far_less_than_its_multipliers(self):
        result = run("paper/triple_pendulum", "solver.constraints=scalar",
                     "solver.solve=individual", "time.duration=0.1")
        applied, primal = (np.median(result[f"residual/{name}"][1:])
                           for name in ("primal_applied", "primal"))
        self.assertLess(applied, primal * 1e-3)

    def test_peaks_are_the_largest_of_all_steps_since_the_record_before(self):
        asked = ("output.fields=[\"bodies\",\"residual_peak\"]", "time.duration=0.5")
        peaks = run("paper/triple_pendulum", *asked, "output.every=20")
        steps = run("paper/triple_pendulum", *asked)
        for name in ("primal", "constraint"):
            with self.subTest(residual=name):
                each = steps[f"residual/{name}"][1:].reshape(25, 20)
                self.assertGreater(np.ptp(each), 0)
                np.testing.assert_array_equal(peaks[f"residual/{name}_max"][1:],
                                              each.max(axis=1))
                self.assertGreater(peaks[f"residual/{name}_max"][1:].min(), 0)


class Convergence(Close):
    @staticmethod
    def pendulum(*overrides, **more):
        return run("paper/triple_pendulum", "time.duration=0.2", *overrides, **more)

    def test_corrected_sweeps_converge_where_plain_ones_do_not(self):
        """The plain update's primal residual stays (1.3e-11, 3.9e-12) whatever the iterations;
        row by row the joints themselves close slowly, with either update."""
        for solve, closed in (("block", 1e-14), ("individual", 1e-6)):
            with self.subTest(solve=solve):
                many = (f"solver.solve={solve}", "solver.iterations=100")
                plain, corrected = (
                    [np.median(self.pendulum(*many, f"solver.update={u}")[f"residual/{name}"][1:])
                     for name in ("primal", "constraint")] for u in ("xpbd", "corrected"))
                self.assertGreater(plain[0], 1e-12)
                self.assertLess(corrected[0], 1e-14)
                self.assertLess(corrected[1], closed)

    def test_corrected_sweeps_reach_the_solution_of_the_global_solve(self):
        ends = [self.pendulum("solver.update=corrected", *more)["bodies/position"][-1]
                for more in (("solver.solve=global", "solver.iterations=5"),
                             ("solver.solve=block", "solver.iterations=100"),
                             ("solver.solve=block", "solver.iterations=100",
                              "solver.update=xpbd"))]
        self.assertClose(ends[1], ends[0], 1e-11)
        self.assertGreater(np.abs(ends[2] - ends[0]).max(), 1e-9)

    def test_tolerance_not_reached_ends_the_run(self):
        path = os.path.join(_folder.name, "unconverged.h5")
        pendulum = scene_path("paper/triple_pendulum")
        done = subprocess.run(
            [XSIM, pendulum, "-o", path, "--quiet", "-s", "solver.tolerance=1e-12",
             "-s", "solver.iterations=2", "-s", "time.duration=0.2"],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("not converged in 2 iterations", done.stderr)
        with h5py.File(path, "r") as result:
            self.assertEqual(result.attrs["status"], b"diverged")

    def test_tolerance_is_reached_by_iterations_enough(self):
        result = self.pendulum("solver.tolerance=1e-10", "solver.iterations=10",
                               "solver.solve=global", "solver.update=corrected")
        self.assertLess(result["residual/primal_relative"][1:].max(), 1e-10)


# ---- Joints under load -------------------------------------------------------------------
class Rest(Close):
    WEIGHT = [0, 0, -GRAVITY]

    def test_reaction_of_a_loaded_cantilever(self):
        """Force and moment at the wall of what acts at the arm's end, and of its weight."""
        arm = np.array([0.5, 0.2, -0.1])
        f, m = np.array([3.0, -1.0, 2.0]), np.array([0.4, 0.5, -0.6])
        for solve in ("block", "global"):
            with self.subTest(solve=solve):
                # One plain iteration leaves 4e-5 N m, of the order h^2, and the gyroscopic
                # torque of the predicted rotation 2e-6 N m.
                result = simulate(
                    [body(position=arm.tolist(), orientation={"axis": [1, 2, 3], "angle": 0.7})],
                    duration=0.2, gravity=self.WEIGHT,
                    solver={"solve": solve, "update": "corrected", "iterations": 4,
                            "gyroscopic": "explicit"},
                    joints=[joint("fixed", at={"position": [0, 0, 0]})],
                    loads=[{"body": "body", "force": f.tolist(), "torque": m.tolist()}])
                acting = f - GRAVITY * Z
                self.assertClose(result["joints/force"][-1, 0], -acting, 1e-9)
                self.assertClose(result["joints/torque"][-1, 0], -m - np.cross(arm, acting), 1e-9)

    def test_slider_on_its_lower_and_upper_limit(self):
        for pull, limit in ((-GRAVITY, -0.2), (GRAVITY, 0.3)):
            for solve in ("individual", "block", "global"):
                with self.subTest(limit=limit, solve=solve):
                    result = simulate([body()], gravity=[0, 0, pull], solver={"solve": solve},
                                      joints=[joint("prismatic", limits=[-0.2, 0.3])])
                    self.assertClose(result["joints/coordinate"][-1, 0, 0], limit, 1e-12)
                    self.assertClose(result["joints/force"][-1, 0], [0, 0, -pull], 1e-8)

    def test_body_on_a_rope_and_on_a_prop(self):
        """Distance limits: it falls until the rope is tight, or stands on the prop."""
        for start, limits, end in ((-0.1, [0, 0.4], -0.4), (0.4, [0.3, 1], 0.3)):
            with self.subTest(limits=limits):
                result = simulate(
                    [body(position=[0, 0, start])], gravity=self.WEIGHT,
                    joints=[joint("distance", frame1={"position": [0, 0, 0]},
                                  frame2={"position": [0, 0, 0]}, limits=limits)])
                self.assertClose(result["bodies/position"][-1, 0], [0, 0, end], 1e-12)
                self.assertClose(result["joints/force"][-1, 0], [0, 0, GRAVITY], 1e-8)

    def test_rod_of_given_length_carries_its_load(self):
        result = simulate([body(position=[0, 0, -0.5])], gravity=self.WEIGHT,
                          joints=[joint("distance", length=0.5, frame1={"position": [0, 0, 0]},
                                        frame2={"position": [0, 0, 0]})])
        self.assertClose(result["joints/coordinate"][-1, 0, 0], 0.5, 1e-12)
        self.assertClose(result["joints/force"][-1, 0], [0, 0, GRAVITY], 1e-8)

    def test_ball_joint_on_its_swing_limit(self):
        """A rod stands on a ball joint, falls over and comes to rest on the cone of 0.5 rad."""
        for solve in ("block", "global"):
            with self.subTest(solve=solve):
                axis, half, limit = np.array([0.6, 0.8, 0]), 0.4, 0.5
                up = turned(axis_angle(axis, 0.1), Z)
                result = simulate(
                    [body(position=(half * up).tolist(),
                          orientation={"axis": axis.tolist(), "angle": 0.1})],
                    duration=5, gravity=self.WEIGHT, solver={"solve": solve},
                    joints=[joint("spherical", frame1={"position": [0, 0, 0]},
                                  frame2={"position": [0, 0, -half]}, damping=1,
                                  limits={"swing": limit})])
                rod = turned(result["bodies/orientation"][-1, 0], Z)
                self.assertClose(np.arccos(rod[2]), limit, 1e-12)
                moment = -np.cross(half * rod, [0, 0, -GRAVITY])
                self.assertClose(result["joints/torque"][-1, 0], moment, 1e-6)
                self.assertClose(result["bodies/angular_velocity"][-1, 0], 0, 1e-7)

    def test_ball_joint_on_its_twist_limits(self):
        for torque, limit in ((0.3, 0.7), (-0.3, -0.4)):
            for solve in ("block", "global"):
                with self.subTest(torque=torque, solve=solve):
                    result = simulate(
                        [body()], solver={"solve": solve},
                        joints=[joint("spherical", limits={"twist": [-0.4, 0.7]})],
                        loads=[{"body": "body", "torque": [0, 0, torque]}])
                    self.assertClose(result["joints/coordinate"][-1, 0], [0, 0, limit], 1e-9)
                    self.assertClose(result["joints/torque"][-1, 0], [0, 0, -torque], 1e-6)


# ---- Targets and springs -----------------------------------------------------------------
class Targets(Close):
    K = 50.0

    def test_energy_of_springs_at_the_start(self):
        """1/2 k x^2 of the distance from the target, and C^2/(2 alpha) of soft joint rows."""
        turn = axis_angle(Z, 0.7).tolist()
        cases = {
            "revolute": (joint("revolute", frame1={}, frame2={},
                               target={"value": 0.2, "stiffness": self.K}),
                         {"orientation": {"quaternion": turn}}, self.K * 0.5**2 / 2),
            "prismatic": (joint("prismatic", frame1={}, frame2={},
                                target={"value": 0.1, "stiffness": self.K}),
                          {"position": [0, 0, 0.4]}, self.K * 0.3**2 / 2),
            "spherical": (joint("spherical", frame1={}, frame2={},
                                target={"value": [0, 0, 0], "stiffness": [1, 2, self.K]}),
                          {"orientation": {"quaternion": turn}}, self.K * 0.7**2 / 2),
            "fixed": (joint("fixed", frame1={}, frame2={}, compliance=0.02,
                            rotational_compliance=0.1),
                      {"position": [0.3, 0, 0.4], "orientation": {"quaternion": turn}},
                      0.5**2 / 0.04 + 0.7**2 / 0.2),
            "distance": (joint("distance", frame1={}, frame2={}, length=0.2, compliance=0.02),
                         {"position": [0.3, 0, 0.4]}, 0.3**2 / 0.04),
        }
        for kind, (spring, start, energy) in cases.items():
            with self.subTest(kind=kind):
                result = simulate([body(**start)], joints=[spring], duration=1e-3)
                self.assertClose(result["energy/elastic"][0], energy, 1e-12)

    def test_sliding_spring_carries_a_weight(self):
        result = simulate([body()], gravity=[0, 0, -GRAVITY], duration=5,
                          joints=[joint("prismatic", damping=10,
                                        target={"value": 0.3, "stiffness": self.K})])
        self.assertClose(result["joints/coordinate"][-1, 0, 0], 0.3 - GRAVITY / self.K, 1e-8)
        self.assertClose(result["joints/force"][-1, 0], [0, 0, GRAVITY], 1e-6)
        self.assertClose(result["energy/elastic"][-1], GRAVITY**2 / (2 * self.K), 1e-7)

    def test_ball_spring_carries_a_torque_about_each_axis(self):
        stiffness, value = np.array([2.0, 3.0, 4.0]), np.array([0.3, -0.4, 0.5])
        for i, axis in enumerate(np.eye(3)):
            with self.subTest(axis=i):
                torque = 0.6 * axis
                result = simulate(
                    [body()], duration=5, loads=[{"body": "body", "torque": torque.tolist()}],
                    joints=[joint("spherical", damping=0.3,
                                  target={"value": (value * axis).tolist(),
                                          "stiffness": stiffness.tolist()})])
                exact = value * axis + torque / stiffness
                self.assertClose(result["joints/coordinate"][-1, 0], exact, 1e-7)
                self.assertClose(result["energy/elastic"][-1], 0.6**2 / (2 * stiffness[i]), 1e-7)

    def test_slider_is_driven_along_its_target(self):
        """Nothing turns, so rows are linear: one iteration follows to round-off. The force is
        the weight and what the second difference of the motion asks for."""
        h, sine = 1e-3, {"sine": {"amplitude": 0.1, "frequency": 2}}
        result = simulate([body()], gravity=[0, 0, -GRAVITY], step=h,
                          joints=[joint("prismatic", target={"value": sine})])
        z = 0.1 * np.sin(4 * np.pi * result["time"][:])
        self.assertClose(result["joints/coordinate"][:, 0, 0], z, 1e-13)
        force = GRAVITY + np.diff(z, 2) / h**2
        self.assertClose(result["joints/force"][2:, 0, 2], force, 1e-6)

    def test_ball_joint_is_driven_along_its_target(self):
        target = [{"ramp": {"from": 0, "to": v, "start": 0, "end": 0.4, "smooth": True}}
                  for v in (0.9, -0.6, 1.2)]
        result = simulate([body(position=[0.2, 0, -0.3])], gravity=[0, 0, -GRAVITY], duration=0.5,
                          solver={"update": "corrected", "iterations": 4, "solve": "global"},
                          joints=[joint("spherical", at={"position": [0, 0, 0]},
                                        target={"value": target})])
        s = np.clip(result["time"][:] / 0.4, 0, 1)
        vector = (3 * s**2 - 2 * s**3)[:, None] * [0.9, -0.6, 1.2]
        self.assertClose(result["joints/coordinate"][:, 0], vector, 1e-12)
        arm = np.array([turned(q, np.array([0.2, 0, -0.3]))
                        for q in result["bodies/orientation"][:, 0]])
        self.assertClose(result["bodies/position"][:, 0], arm, 1e-12)


# ---- Dashpots ----------------------------------------------------------------------------
class Dashpots(Close):
    """Implicit steps of m dv/dt = -d (v - r): v <- (v + h d r/m)/(1 + h d/m)."""

    def test_slider(self):
        h, d, n = 1e-2, 3.0, 50
        decay = (1 + h * d) ** -np.arange(n + 1)
        for name, more, start, end in (("damping", {"damping": d}, 2.0, 0),
                                       ("rate", {"target": {"rate": 0.7, "damping": d}}, 0, 0.7)):
            with self.subTest(name=name):
                result = simulate([body(linear_velocity=[0, 0, start])], step=h, duration=h * n,
                                  joints=[joint("prismatic", **more)])
                self.assertClose(result["bodies/linear_velocity"][:, 0, 2],
                                 end + (start - end) * decay, 1e-12)
                force = d * (end - result["bodies/linear_velocity"][1:, 0, 2])
                self.assertClose(result["joints/force"][1:, 0, 2], force, 1e-9)

    def test_ball_joint_about_each_axis(self):
        h, d, n = 1e-2, 0.1, 50
        for i, axis in enumerate(np.eye(3)):
            for solve in ("block", "global"):
                with self.subTest(axis=i, solve=solve):
                    result = simulate([body(angular_velocity=(2 * axis).tolist())], step=h,
                                      duration=h * n, solver={"solve": solve},
                                      joints=[joint("spherical", damping=d)])
                    exact = 2 * (1 + h * d / INERTIA[i]) ** -np.arange(n + 1)
                    self.assertClose(result["bodies/angular_velocity"][:, 0, i], exact, 1e-10)


if __name__ == "__main__":
    unittest.main()
