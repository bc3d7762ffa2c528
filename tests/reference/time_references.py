#!/usr/bin/python3
"""Reference motions for the integrators: minimal coordinates, solved by DOP853 at rtol 1e-13.

  time_references.py           writes scenes/time/NAME.json and tests/data/time/NAME.json
  time_references.py NAME...   only these

No constraints occur here: the coordinates are those that the joints leave (an orientation, a hinge
angle, a crank angle), the forces at the joints follow from the accelerations. A scene and its
reference come from the same numbers. Each reference holds t, the orientation (w, x, y, z; body to
world) of every body, and the force (N, world) of the joints named on their second body; it was
solved twice, at 1e-13 and 1e-12, and their difference is stated.
"""
import argparse
import json
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

ROOT = Path(__file__).resolve().parent.parent.parent
G = 9.81


# ---- Rotations ----

def hat(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def product(a, b):
    return np.concatenate(([a[0] * b[0] - a[1:] @ b[1:]],
                           a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])))


def turn(axis, angle):
    """Quaternion of a rotation about a unit axis."""
    return np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis, float)))


def to_axis(axis):
    """A quaternion that takes z to the unit axis."""
    axis = np.asarray(axis, float)
    if axis[2] < -1 + 1e-9:
        return np.array([0.0, 1, 0, 0])
    q = np.concatenate(([1 + axis[2]], np.cross([0, 0, 1], axis)))
    return q / np.linalg.norm(q)


def quaternion_rate(q, omega_body):
    return 0.5 * product(q, np.concatenate(([0], omega_body)))


# ---- Solving ----

def solve(rate, start, times, rtol):
    done = solve_ivp(rate, (0, times[-1]), start, method="DOP853", rtol=rtol, atol=rtol * 0.1,
                     t_eval=times)
    assert done.success, done.message
    return done.y.T


class Model:
    """start, rate(t, y), observe(t, y) -> orientations (n x 4), forces (m x 3)."""
    until, every = 2.0, 0.01

    def reference(self):
        times = np.arange(round(self.until / self.every) + 1) * self.every
        fine, coarse = (solve(self.rate, self.start, times, rtol) for rtol in (1e-13, 1e-12))
        seen, less = ([self.observe(t, y) for t, y in zip(times, s)] for s in (fine, coarse))
        off = max(np.abs(a[0] - b[0]).max() for a, b in zip(seen, less))
        return {"what": self.__doc__.strip(), "method": "DOP853, rtol 1e-13",
                "difference_to_rtol_1e-12": float(f"{off:.2e}"),
                "joints": self.joints, "time": [float(f"{t:.12g}") for t in times],
                "orientation": [[[float(f"{c:.13g}") for c in q] for q in o] for o, _ in seen],
                "force": [[[float(f"{c:.11g}") for c in f] for f in force] for _, force in seen]}


def body(name, position, q, mass, inertia, v=(0, 0, 0), omega=(0, 0, 0)):
    return {"name": name, "position": list(map(float, position)),
            "orientation": {"quaternion": list(map(float, q))}, "mass": mass,
            "inertia": list(map(float, inertia)), "linear_velocity": list(map(float, v)),
            "angular_velocity": list(map(float, omega))}


def scene(name, what, bodies, joints, gravity, duration):
    return {"$schema": "../../schemas/scene.schema.json", "format": 1, "name": name,
            "description": what, "gravity": gravity,
            "time": {"step": 1e-3, "duration": duration}, "solver": {"integrator": "rattle"},
            "bodies": bodies, "joints": joints}


# ---- Tops: a body about a fixed point, or free ----

class Top(Model):
    def __init__(self, what, mass, inertia, arm, q, omega, until, every=0.01):
        """arm: from the pivot to the centre of mass, in the body; None: free."""
        self.__doc__ = what
        self.mass, self.inertia, self.q0 = mass, np.array(inertia, float), np.array(q, float)
        self.arm = None if arm is None else np.array(arm, float)
        self.omega0, self.until, self.every = np.array(omega, float), until, every
        self.start = np.concatenate((self.q0, self.omega0))
        self.joints = [] if arm is None else ["pivot"]
        self.about_pivot = np.diag(self.inertia)
        if arm is not None:
            self.about_pivot = self.about_pivot + mass * (self.arm @ self.arm * np.eye(3) -
                                                          np.outer(self.arm, self.arm))

    def acceleration(self, y):
        w, moment = y[4:], np.zeros(3)
        if self.arm is not None:
            moment = np.cross(self.arm, matrix(y[:4]).T @ [0, 0, -self.mass * G])
        return np.linalg.solve(self.about_pivot, moment - np.cross(w, self.about_pivot @ w))

    def rate(self, t, y):
        return np.concatenate((quaternion_rate(y[:4], y[4:]), self.acceleration(y)))

    def observe(self, t, y):
        q = y[:4] / np.linalg.norm(y[:4])
        if self.arm is None:
            return np.array([q]), np.zeros((0, 3))
        w = y[4:]
        a = np.cross(self.acceleration(y), self.arm) + np.cross(w, np.cross(w, self.arm))
        return np.array([q]), np.array([self.mass * (matrix(q) @ a + [0, 0, G])])

    def scene(self, name):
        R = matrix(self.q0)
        if self.arm is None:
            return scene(name, self.__doc__, [body("top", (0, 0, 0), self.q0, self.mass,
                         self.inertia, omega=self.omega0)], [], [0, 0, 0], self.until)
        pivot = {"name": "pivot", "type": "spherical", "body1": "ground", "body2": "top",
                 "frame1": {"position": [0, 0, 0]}, "frame2": {"position": list(-self.arm)}}
        return scene(name, self.__doc__,
                     [body("top", R @ self.arm, self.q0, self.mass, self.inertia,
                           R @ np.cross(self.omega0, self.arm), self.omega0)],
                     [pivot], [0, 0, -G], self.until)


# ---- Spatial double pendulum ----

class DoublePendulum(Model):
    """Two bodies with centres of mass off the line of their joints: a ball joint at the ground,
    a hinge about a skew axis between them; a spring and dashpot on the hinge if asked for."""
    MASS = (1.2, 0.8)
    INERTIA = (np.array([0.05, 0.07, 0.03]), np.array([0.02, 0.035, 0.025]))
    PIVOT1 = np.array([0.05, -0.08, 0.45])   # of the ball joint, in body 1
    HINGE1 = np.array([-0.07, 0.06, -0.4])   # of the hinge, in body 1
    HINGE2 = np.array([0.06, 0.04, 0.35])    # of the hinge, in body 2
    AXIS = np.array([2, 3, 6]) / 7           # of the hinge, in both
    joints = ["ball", "hinge"]

    def __init__(self, what, stiffness=0.0, damping=0.0, target=None, rate=None, until=2.0):
        """target, rate: (offset, amplitude, frequency) of the spring's rest angle and of the rate
        that the dashpot aims at, offset + amplitude sin(2 pi frequency t)."""
        self.__doc__ = what
        self.stiffness, self.damping, self.until = stiffness, damping, until
        self.target, self.aim = target or (0.0, 0.0, 0.0), rate or (0.0, 0.0, 0.0)
        self.q0 = product(turn([0, 1, 0], 1.2), turn([1, 0, 0], 0.4))
        self.omega0, self.angle0, self.angle_rate0 = np.array([0.5, -0.8, 1.5]), 0.0, 0.7
        if stiffness >= 1e4:
            # At rest in the hinge, the spring bent by what a locked hinge would carry: what is
            # left of swings that no step of 1 ms resolves is small.
            self.angle_rate0 = 0.0
            for _ in range(20):
                self.angle0 -= self.locked_torque() / stiffness
        self.start = self.initial()

    def initial(self):
        return np.concatenate((self.q0, [self.angle0], self.omega0, [self.angle_rate0]))

    def locked_torque(self):
        """What is missing to the spring's torque for a hinge without acceleration; the hinge's
        acceleration is linear in the torque on it."""
        free = self.dynamics(0, self.initial(), torque=0.0)[0][3]
        pushed = self.dynamics(0, self.initial(), torque=1.0)[0][3]
        return -free / (pushed - free) - self.torque(0, self.angle0, 0)

    @staticmethod
    def sine(f, t):
        return f[0] + f[1] * np.sin(2 * np.pi * f[2] * t)

    def torque(self, t, angle, rate):
        return (-self.stiffness * (angle - self.sine(self.target, t)) -
                self.damping * (rate - self.sine(self.aim, t)))

    def dynamics(self, t, y, torque=None):
        """Accelerations of the speeds (omega1 in body 1, hinge rate), and those of the centres of
        mass less gravity; everything in the axes of body 1."""
        R1, w, s = matrix(y[:4]), y[5:8], y[8]
        Q = matrix(turn(self.AXIS, y[4]))
        g = R1.T @ [0, 0, -G]
        w2 = w + self.AXIS * s
        d1, d2, arm2 = -self.PIVOT1, self.HINGE1 - self.PIVOT1, Q @ self.HINGE2
        I1, I2 = np.diag(self.INERTIA[0]), Q @ np.diag(self.INERTIA[1]) @ Q.T
        # v = V u, omega = W u; accelerations V u' + b, W u' + c
        V1, W1 = np.hstack((-hat(d1), np.zeros((3, 1)))), np.eye(3, 4)
        W2 = np.hstack((np.eye(3), self.AXIS[:, None]))
        V2 = np.hstack((-hat(d2), np.zeros((3, 1)))) + hat(arm2) @ W2
        c2 = np.cross(w, self.AXIS * s)
        b1 = np.cross(w, np.cross(w, d1))
        b2 = (np.cross(w, np.cross(w, d2)) - np.cross(c2, arm2) -
              np.cross(w2, np.cross(w2, arm2)))
        m1, m2 = self.MASS
        M = m1 * V1.T @ V1 + m2 * V2.T @ V2 + W1.T @ I1 @ W1 + W2.T @ I2 @ W2
        rest = (m1 * V1.T @ (b1 - g) + m2 * V2.T @ (b2 - g) + W1.T @ np.cross(w, I1 @ w) +
                W2.T @ (I2 @ c2 + np.cross(w2, I2 @ w2)))
        torque = self.torque(t, y[4], s) if torque is None else torque
        generalised = np.array([0, 0, 0, torque])
        u = np.linalg.solve(M, generalised - rest)
        return u, V1 @ u + b1 - g, V2 @ u + b2 - g

    def rate(self, t, y):
        return np.concatenate((quaternion_rate(y[:4], y[5:8]), [y[8]], self.dynamics(t, y)[0]))

    def observe(self, t, y):
        q1 = y[:4] / np.linalg.norm(y[:4])
        q2 = product(q1, turn(self.AXIS, y[4]))
        _, a1, a2 = self.dynamics(t, y)
        on2 = matrix(q1) @ (self.MASS[1] * a2)
        on1 = matrix(q1) @ (self.MASS[0] * a1) + on2
        return np.array([q1, q2]), np.array([on1, on2])

    def scene(self, name):
        R, w, w2 = matrix(self.q0), self.omega0, self.omega0 + self.AXIS * self.angle_rate0
        d1, d2 = -self.PIVOT1, self.HINGE1 - self.PIVOT1
        arm2 = matrix(turn(self.AXIS, self.angle0)) @ self.HINGE2
        v2 = np.cross(w, d2) - np.cross(w2, arm2)
        bodies = [body("upper", R @ d1, self.q0, self.MASS[0], self.INERTIA[0],
                       R @ np.cross(w, d1), w),
                  body("lower", R @ (d2 - arm2), product(self.q0, turn(self.AXIS, self.angle0)),
                       self.MASS[1], self.INERTIA[1],
                       R @ v2, w2)]
        z = {"quaternion": list(to_axis(self.AXIS))}
        hinge = {"name": "hinge", "type": "revolute", "body1": "upper", "body2": "lower",
                 "frame1": {"position": list(self.HINGE1), "orientation": z},
                 "frame2": {"position": list(self.HINGE2), "orientation": z}}
        target = {}
        if self.stiffness:
            target.update(value=self.function(self.target), stiffness=self.stiffness)
        if self.damping and self.aim[0] == self.aim[1] == 0 and not self.stiffness:
            hinge["damping"] = self.damping
        elif self.damping:
            target.update(rate=self.function(self.aim), damping=self.damping)
        if target:
            hinge["target"] = target
        ball = {"name": "ball", "type": "spherical", "body1": "ground", "body2": "upper",
                "frame1": {"position": [0, 0, 0]}, "frame2": {"position": list(self.PIVOT1)}}
        return scene(name, self.__doc__, bodies, [ball, hinge], [0, 0, -G], self.until)

    @staticmethod
    def function(f):
        return f[0] if f[1] == 0 else {"sine": {"offset": f[0], "amplitude": f[1],
                                                "frequency": f[2]}}


# ---- Four-bar ----

class FourBar(Model):
    """Four-bar linkage in a vertical plane: cylinders of 0.5, 1.1 and 0.9 m (kg alike, radius
    0.03 m), pivots 1.2 m apart, from rest with the crank at 1 rad; 20 joint rows of rank 17."""
    LENGTH, GROUND, RADIUS = np.array([0.5, 1.1, 0.9]), 1.2, 0.03
    until, every = 5.0, 0.02
    joints = ["crank_pivot"]
    start = np.array([1.0, 0.0])

    def __init__(self):
        self.across = self.LENGTH * (3 * self.RADIUS**2 + self.LENGTH**2) / 12

    def angles(self, crank):
        """Of crank, coupler and rocker: the pin of the rocker lies above the line of the other
        ends."""
        L1, L2, L3 = self.LENGTH
        d = np.array([self.GROUND - L1 * np.cos(crank), -L1 * np.sin(crank)])
        size = np.hypot(*d)
        at_crank = np.arccos((L2**2 + size**2 - L3**2) / (2 * L2 * size))
        coupler = np.arctan2(d[1], d[0]) + at_crank
        pin = L1 * np.array([np.cos(crank), np.sin(crank)]) + \
            L2 * np.array([np.cos(coupler), np.sin(coupler)])
        return np.array([crank, coupler, np.arctan2(pin[1], pin[0] - self.GROUND)])

    def kinematics(self, crank):
        """Angles, rates k and their derivatives k' by the crank's angle, and those of the
        centres of mass."""
        phi, L = self.angles(crank), self.LENGTH
        e = np.stack((np.cos(phi), np.sin(phi)), 1)
        n = np.stack((-np.sin(phi), np.cos(phi)), 1)
        A = np.stack((L[1] * n[1], -L[2] * n[2]), 1)
        k = np.concatenate(([1], np.linalg.solve(A, -L[0] * n[0])))
        right = L[0] * e[0] + L[1] * k[1]**2 * e[1] - L[2] * k[2]**2 * e[2]
        dk = np.concatenate(([0], np.linalg.solve(A, right)))
        half = 0.5 * L[:, None]
        step, bend = k[:, None] * n, dk[:, None] * n - (k**2)[:, None] * e
        p, dp, ddp = half * e, half * step, half * bend
        for a, by in ((p, e), (dp, step), (ddp, bend)):
            a[1] += L[0] * by[0]
        p[2, 0] += self.GROUND
        return phi, k, dk, p, dp, ddp

    def acceleration(self, y):
        _, k, dk, _, dp, ddp = self.kinematics(y[0])
        m, I = self.LENGTH, self.across
        J = m @ (dp**2).sum(1) + I @ k**2
        half_dJ = m @ (dp * ddp).sum(1) + I @ (k * dk)
        return -(half_dJ * y[1]**2 + G * m @ dp[:, 1]) / J

    def rate(self, t, y):
        return np.array([y[1], self.acceleration(y)])

    def observe(self, t, y):
        phi, k, dk, p, dp, ddp = self.kinematics(y[0])
        a = self.acceleration(y)
        load = self.LENGTH[:, None] * (dp * a + ddp * y[1]**2 + [0, G])
        moment = self.across * (k * a + dk * y[1]**2)
        # forces at the four pins on the body behind them (crank, coupler, rocker; on the crank,
        # too, at the rocker's pivot on the rocker), 9 equations
        L = self.LENGTH[0]
        pins = [np.zeros(2), L * np.array([np.cos(y[0]), np.sin(y[0])]), None,
                np.array([self.GROUND, 0])]
        pins[2] = pins[1] + self.LENGTH[1] * np.array([np.cos(phi[1]), np.sin(phi[1])])
        A, b = np.zeros((9, 8)), np.zeros(9)
        for pin, (plus, minus) in enumerate(((0, None), (1, 0), (2, 1), (2, None))):
            for which, sign in ((plus, 1), (minus, -1)):
                if which is None:
                    continue
                r = pins[pin] - p[which]
                A[3 * which:3 * which + 2, 2 * pin:2 * pin + 2] += sign * np.eye(2)
                A[3 * which + 2, 2 * pin:2 * pin + 2] += sign * np.array([-r[1], r[0]])
        for i in range(3):
            b[3 * i:3 * i + 2], b[3 * i + 2] = load[i], moment[i]
        force, left = np.linalg.lstsq(A, b, rcond=None)[:2]
        assert np.abs(A @ force - b).max() < 1e-9, left
        return (np.array([turn([0, 0, 1], a) for a in phi]),
                np.array([[force[0], force[1], 0.0]]))

    def scene(self, name):
        phi, _, _, p, _, _ = self.kinematics(self.start[0])
        names, L = ("crank", "coupler", "rocker"), self.LENGTH
        around = L * self.RADIUS**2 / 2
        bodies = [body(names[i], [*p[i], 0], turn([0, 0, 1], phi[i]), float(L[i]),
                       (around[i], self.across[i], self.across[i])) for i in range(3)]

        def pin(name, one, other, at1, at2):
            return {"name": name, "type": "revolute", "body1": one, "body2": other,
                    "frame1": {"position": [at1, 0, 0]}, "frame2": {"position": [at2, 0, 0]}}
        joints = [pin("crank_pivot", "ground", "crank", 0, -L[0] / 2),
                  pin("crank_pin", "crank", "coupler", L[0] / 2, -L[1] / 2),
                  pin("rocker_pin", "coupler", "rocker", L[1] / 2, L[2] / 2),
                  pin("rocker_pivot", "ground", "rocker", self.GROUND, -L[2] / 2)]
        return scene(name, " ".join(self.__doc__.split()), bodies, joints, [0, -G, 0], self.until)


TILTED = turn([1, 0, 0], 0.6)
MODELS = {
    "spatial_double_pendulum": DoublePendulum(
        "Spatial double pendulum: ball joint, hinge about a skew axis, offset centres of mass"),
    "torsion_spring_20": DoublePendulum(
        "The spatial double pendulum with a spring of 20 N m/rad on its hinge", 20.0),
    "torsion_spring_50": DoublePendulum(
        "The spatial double pendulum with a spring of 50 N m/rad and a dashpot of 2 N m s",
        50.0, 2.0),
    "torsion_spring_1e4": DoublePendulum(
        "The spatial double pendulum with a spring of 1e4 N m/rad on its hinge", 1e4, until=1.0),
    "torsion_spring_1e6": DoublePendulum(
        "The spatial double pendulum with a spring of 1e6 N m/rad on its hinge", 1e6, until=1.0),
    "moving_target": DoublePendulum(
        "The spatial double pendulum with a spring of 30 N m/rad to an angle that moves and a "
        "dashpot of 1 N m s to a rate that moves", 30.0, 1.0, (0.3, 0.4, 0.8), (0.2, 0.5, 1.1)),
    "velocity_drive": DoublePendulum(
        "The spatial double pendulum with a drive of 3 N m s to a rate of 2 + sin(2 pi t) rad/s",
        0.0, 3.0, None, (2.0, 1.0, 1.0)),
    "heavy_top": Top("Heavy asymmetric top of 1 kg, 0.2 m above its pivot, 30 rad/s about its axis",
                     1.0, (0.008, 0.01, 0.005), (0, 0, 0.2), TILTED, (0.3, -0.2, 30), 10.0, 0.05),
    "heavy_top_fast": Top("The heavy top at 150 rad/s", 1.0, (0.008, 0.01, 0.005), (0, 0, 0.2),
                          TILTED, (0.3, -0.2, 150), 10.0, 0.05),
    "heavy_top_lie": Top("Heavy top of the Lie group integrators' literature (Bruels, Cardona & "
                         "Arnold 2012): 15 kg, 1 m from its pivot, 150 rad/s", 15.0,
                         (0.234375, 0.46875, 0.234375), (0, 1, 0), (1, 0, 0, 0),
                         (0, 150, -4.61538), 1.0),
    "free_top": Top("Free asymmetric body, tumbling", 1.0, (1, 2, 3), None, (1, 0, 0, 0),
                    (0.8, -1.1, 1.4), 10.0, 0.05),
    "four_bar": FourBar(),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names or list(MODELS)
    unknown = [name for name in names if name not in MODELS]
    if unknown:
        parser.error(f"no motion is called {unknown[0]}; known: {', '.join(MODELS)}")
    for name in names:
        model = MODELS[name]
        with open(ROOT / "scenes" / "time" / f"{name}.json", "w", encoding="utf-8") as stream:
            stream.write("// Written by tests/reference/time_references.py, which also solves for "
                         "the exact motion\n// (tests/data/time/).\n")
            json.dump(model.scene(name), stream, indent=2)
            stream.write("\n")
        reference = model.reference()
        print(f"{name}: {len(reference['time'])} times, "
              f"{reference['difference_to_rtol_1e-12']} to rtol 1e-12", flush=True)
        with open(ROOT / "tests" / "data" / "time" / f"{name}.json", "w",
                  encoding="utf-8") as stream:
            json.dump(reference, stream, separators=(",", ":"))
            stream.write("\n")


if __name__ == "__main__":
    main()
