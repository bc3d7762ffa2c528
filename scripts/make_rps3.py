#!/usr/bin/python3
"""The 3-RPS robot of Tobin & Rucker, Fig. 12: closed-form kinematics, inverse dynamics, scene.

  make_rps3.py      writes tests/data/rps3_drive.json; scenes/paper/rps3*.json are written by
                    make_paper_scenes.py from scene_text()

Three legs of two rods each carry a platform: a revolute joint at the base (axis t_i = e3 x u_i),
a prismatic joint between the rods, a spherical joint at the platform. The paper gives no numbers;
those below are ours. Given the platform's height and normal the other coordinates follow in
closed form: its torsion is zero, so R turns about a horizontal axis, and
  p_x = (rp/2)(R11 - R22),  p_y = -rp R21,  l_i = |p + rp R u_i - Rb u_i|,
  q_i = atan2(d_i . u_i, d_i . e3)           (length and tilt of leg i along d_i).

Inverse dynamics: velocities and accelerations of the seven bodies by differences of 10th order
in time, then the 42 Newton-Euler equations are solved for the 42 reactions of the ten joints, of
which one is the force along the height. Checked by differences over half and twice the interval
and by the power balance of a change of the height alone (Kane's equation). Prints the deviations.
tests/claims/test_rps3.py uses the kinematics.
"""
import argparse
import json
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
BASE, PLATFORM = 0.5, 0.3  # radii, m
ROD_LENGTH, ROD_RADIUS, ROD_MASS = 0.5, 0.1, 1.0
PLATFORM_MASS, GRAVITY = 2.0, 9.81
LOWER_ANCHOR, UPPER_ANCHOR = 0.25, -0.05  # of the prismatic joint along the rods' axes, m
HEIGHT, RISE, TILT = 0.8, 0.1, 0.2  # m, m, rad
FREQUENCY = 0.5  # Hz
LEG_ANGLES = [2 * np.pi * i / 3 for i in range(3)]
E = np.eye(3)

rod_transverse = ROD_MASS * (3 * ROD_RADIUS**2 + ROD_LENGTH**2) / 12
ROD_INERTIA = np.array([rod_transverse, rod_transverse, ROD_MASS * ROD_RADIUS**2 / 2])
PLATFORM_INERTIA = PLATFORM_MASS * PLATFORM**2 * np.array([1 / 4, 1 / 4, 1 / 2])
MASSES = np.array([ROD_MASS] * 6 + [PLATFORM_MASS])
INERTIAS = np.array([ROD_INERTIA] * 6 + [PLATFORM_INERTIA])


# ---- Closed-form kinematics ------------------------------------------------------------
def platform_motion(t):
    """Height (m) and rotation vector (rad) of the platform at time t."""
    w = 2 * np.pi * FREQUENCY
    s = (1 - np.cos(w * t)) / 2
    return HEIGHT + RISE * s, TILT * s * np.array([np.cos(w * t / 2), np.sin(w * t / 2), 0 * t])


def rotation(vector):
    """Exp: the rotation matrix of a rotation vector."""
    x, y, z = vector
    K = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])
    half = np.sqrt(vector @ vector) / 2
    # A sinc that is smooth in the square of the angle: np.sinc(u) = sin(pi u)/(pi u).
    sinc_half = np.sinc(half / np.pi)
    return np.eye(3) + np.sinc(2 * half / np.pi) * K + sinc_half**2 / 2 * (K @ K)


def platform_pose(height, vector):
    """Position and rotation matrix from height and (horizontal) rotation vector."""
    R = rotation(vector)
    return np.array([PLATFORM / 2 * (R[0, 0] - R[1, 1]), -PLATFORM * R[1, 0], height]), R


def leg(i, p, R):
    """Of leg i: length, tilt outwards, direction, and base point."""
    a = LEG_ANGLES[i]
    u = np.array([np.cos(a), np.sin(a), 0])
    d = p + PLATFORM * R @ u - BASE * u
    length = np.sqrt(d @ d)
    return length, np.arctan2(d @ u, d[2]), d / length, BASE * u


def leg_rotation(i, tilt):
    """Rz(a_i) Ry(tilt): z along the leg, y along the revolute joint's axis."""
    c, s = np.cos(LEG_ANGLES[i]), np.sin(LEG_ANGLES[i])
    ct, st = np.cos(tilt), np.sin(tilt)
    return np.array([[c * ct, -s, c * st], [s * ct, c, s * st], [-st, 0 * st, ct]])


def bodies(height, vector):
    """Positions (7 x 3) and rotation matrices (7 x 3 x 3): rods of legs 1-3, platform."""
    p, R = platform_pose(height, vector)
    positions, rotations = [], []
    for i in range(3):
        length, tilt, d, base = leg(i, p, R)
        positions += [base + ROD_LENGTH / 2 * d, base + (length - ROD_LENGTH / 2) * d]
        rotations += [leg_rotation(i, tilt)] * 2
    return np.array([*positions, p]), np.array([*rotations, R])


# ---- Inverse dynamics ------------------------------------------------------------------
def difference_weights(half_width, order):
    """Weights of the central difference over -half_width..half_width for f^(order)."""
    x = np.arange(-half_width, half_width + 1.0)
    right = np.zeros(len(x))
    right[order] = [1, 1, 2][order]
    return np.linalg.solve(np.vander(x, increasing=True).T, right)


FIRST, SECOND = difference_weights(5, 1), difference_weights(5, 2)


def vee(A):
    """The vector of the skew part of A."""
    return np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]]) / 2


def inertial_wrenches(t, dt):
    """m a - weight (7 x 3), world, and I alpha + omega x I omega (7 x 3), world."""
    sampled = [bodies(*platform_motion(t + k * dt)) for k in range(-5, 6)]
    positions, rotations = (np.array(x, dtype=float) for x in zip(*sampled))
    acceleration = np.tensordot(SECOND, positions, 1) / dt**2
    R, dR, ddR = rotations[5], *(np.tensordot(w, rotations, 1) / dt**n
                                 for n, w in ((1, FIRST), (2, SECOND)))
    force = MASSES[:, None] * (acceleration + GRAVITY * E[2])
    moment = []
    for k in range(7):
        omega, alpha = vee(R[k].T @ dR[k]), vee(R[k].T @ ddR[k])  # body frame
        moment.append(R[k] @ (INERTIAS[k] * alpha + np.cross(omega, INERTIAS[k] * omega)))
    return force, np.array(moment)


def drive_force(t, dt):
    """Force along the height (N) by all 42 Newton-Euler equations."""
    x, R = bodies(*platform_motion(t))
    columns = []

    def reaction(body1, body2, point, direction, is_force):
        """One unknown: a unit force at a point, or a unit couple, on body 2, opposite on 1."""
        column = np.zeros((7, 2, 3))
        for body, sign in ((body2, 1), (body1, -1)):
            if body is None:
                continue
            if is_force:
                column[body, 0] += sign * direction
                column[body, 1] += sign * np.cross(point - x[body], direction)
            else:
                column[body, 1] += sign * direction
        columns.append(column.ravel())

    for i in range(3):
        low, up = 2 * i, 2 * i + 1
        base, tip = x[low] - ROD_LENGTH / 2 * R[low][:, 2], x[up] + ROD_LENGTH / 2 * R[up][:, 2]
        for axis in E:
            reaction(None, low, base, axis, True)
            reaction(up, 6, tip, axis, True)
            reaction(low, up, x[up], axis, False)
        for axis in (R[low][:, 0], R[low][:, 2]):
            reaction(None, low, base, axis, False)
        for axis in (R[low][:, 0], R[low][:, 1]):
            reaction(low, up, x[up], axis, True)
    for axis in (R[6][:, 0], R[6][:, 1]):
        reaction(None, 6, x[6], axis, False)
    reaction(None, 6, x[6], E[2], True)

    right = np.stack(inertial_wrenches(t, dt), axis=1).ravel()
    return np.linalg.solve(np.array(columns).T, right)[-1]


def drive_force_by_power(t, dt):
    """The same by the power of a change of the height alone, in which the platform only moves
    along the force and no other reaction does work."""
    height, vector = platform_motion(t)
    force, moment = inertial_wrenches(t, dt)
    dz, power = 1e-2, 0.0
    sampled = [bodies(height + k * dz, vector) for k in range(-5, 6)]
    positions, rotations = (np.array(x) for x in zip(*sampled))
    velocity = np.tensordot(FIRST, positions, 1) / dz
    turning = np.tensordot(FIRST, rotations, 1) / dz
    for k in range(7):
        omega = vee(turning[k] @ rotations[5][k].T)  # world
        power += force[k] @ velocity[k] + moment[k] @ omega
    return power


# ---- Files -----------------------------------------------------------------------------
HEAD = """\
// 3-RPS robot of Tobin & Rucker, Fig. 12: a platform on three legs, each with a revolute joint
// at the base, a prismatic joint between its two rods and a spherical joint at the platform.
// Height and normal of the platform are prescribed; written by scripts/make_paper_scenes.py.
//
// The paper gives no numbers. Chosen here:
// - base radius 0.5 m, platform radius 0.3 m; a disc of 2 kg, inertia m r^2 (1/4, 1/4, 1/2);
// - six rods of 1 kg, 0.5 m, radius 0.1 m; inertia m diag((3 r^2 + L^2)/12, the same, r^2/2);
//   their z runs along the leg, their y along the revolute joint's axis;
// - anchors of the prismatic joint at +0.25 m (lower rod) and -0.05 m (upper rod) along the rods,
//   so a leg of length l has the coordinate l - 0.8 m; that of the revolute joint is the tilt;
// - height 0.8 + 0.1 s, tilt 0.2 s rad about (cos wt/2, sin wt/2, 0), s = (1 - cos wt)/2,
//   w = 2 pi 0.5 rad/s: at t = 0 the robot is at rest;
// - one iteration a step of 5 ms (a finer variant: --set time.step=1e-3), joints leg by leg from
//   base to tip, the platform's last.
//
// Positions and orientations at t = 0 follow in closed form from the platform's: p = (0, 0, 0.8),
// R = I, leg i along d_i = p + 0.3 u_i - 0.5 u_i, u_i = (cos a_i, sin a_i, 0), a_i = 0, 120 and
// 240 degrees.
"""


def sine(offset, amplitude, frequency):
    """offset + amplitude cos(2 pi frequency t); a quarter turn less makes it a sine."""
    return {"offset": offset, "amplitude": amplitude, "frequency": frequency, "phase": {"deg": 90}}


def scene_motion():
    """platform_motion in the scene's grammar of functions of time."""
    tilt = {"sine": sine(TILT / 2, -TILT / 2, FREQUENCY)}
    return {
        "translation": [0, 0, {"sine": sine(RISE / 2, -RISE / 2, FREQUENCY)}],
        "rotation": {"vector": [
            {"product": [tilt, {"sine": {"amplitude": 1, "frequency": FREQUENCY / 2,
                                         "phase": {"deg": 90}}}]},
            {"product": [tilt, {"sine": {"amplitude": 1, "frequency": FREQUENCY / 2}}]},
            0]}}


def quaternion(*turns):
    """Product of turns (axis index, angle) as [w, x, y, z]."""
    w, v = 1.0, np.zeros(3)
    for axis, angle in turns:
        c, s = np.cos(angle / 2), np.sin(angle / 2) * E[axis]
        w, v = w * c - v @ s, w * s + c * v + np.cross(v, s)
    return [float(w), *map(float, v)]


def scene_bodies():
    x, _ = bodies(*platform_motion(0.0))
    listed = []
    for i in range(3):
        tilt = leg(i, x[6], np.eye(3))[1]
        for k, part in enumerate(("lower", "upper")):
            listed.append({
                "name": f"leg{i + 1}_{part}", "position": x[2 * i + k].tolist(),
                "orientation": {"quaternion": quaternion((2, LEG_ANGLES[i]), (1, tilt))},
                "mass": ROD_MASS, "inertia": ROD_INERTIA.tolist(),
                "shapes": [{"type": "cylinder", "radius": ROD_RADIUS,
                            "half_length": ROD_LENGTH / 2}]})
    listed.append({"name": "platform", "position": x[6].tolist(), "mass": PLATFORM_MASS,
                   "inertia": PLATFORM_INERTIA.tolist(),
                   "shapes": [{"type": "cylinder", "radius": PLATFORM, "half_length": 0.01}]})
    return listed


def scene_joints():
    listed, end = [], ROD_LENGTH / 2
    for i, a in enumerate(LEG_ANGLES):
        u = np.array([np.cos(a), np.sin(a), 0])
        low, up = f"leg{i + 1}_lower", f"leg{i + 1}_upper"
        # A turn by -90 degrees about x takes z to y.
        listed += [
            {"name": f"base{i + 1}", "type": "revolute", "body1": "ground", "body2": low,
             "frame1": {"position": (BASE * u).tolist(),
                        "orientation": {"quaternion": quaternion((2, a), (0, -np.pi / 2))}},
             "frame2": {"position": [0, 0, -end],
                        "orientation": {"quaternion": quaternion((0, -np.pi / 2))}}},
            {"name": f"slide{i + 1}", "type": "prismatic", "body1": low, "body2": up,
             "frame1": {"position": [0, 0, LOWER_ANCHOR]},
             "frame2": {"position": [0, 0, UPPER_ANCHOR]}},
            {"name": f"ball{i + 1}", "type": "spherical", "body1": up, "body2": "platform",
             "frame1": {"position": [0, 0, end]}, "frame2": {"position": (PLATFORM * u).tolist()}}]
    listed.append({"name": "drive", "type": "planar", "body1": "ground", "body2": "platform",
                   "frame1": {"position": [0, 0, HEIGHT]}, "frame2": {"position": [0, 0, 0]},
                   "motion": scene_motion()})
    return listed


def scene_text():
    """The scene, one key a line at the top and one entry a line in lists of objects."""
    head = {"$schema": "../../schemas/scene.schema.json", "format": 1, "name": "rps3",
            "description": "3-RPS parallel robot, platform prescribed (Tobin & Rucker, Fig. 12)",
            "gravity": [0, 0, -GRAVITY], "time": {"step": 5e-3, "duration": 10},
            "solver": {"method": "xpbd", "solve": "block", "iterations": 1}}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for key, entries in (("bodies", scene_bodies()), ("joints", scene_joints())):
        text = ",\n".join(
            "    {" + ",\n     ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in e.items())
            + "}" for e in entries)
        lines.append(f'  "{key}": [\n{text}\n  ]')
    return HEAD + "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    # Over one period of 4 s of the motion, every 0.05 s.
    times = np.arange(80) * 0.05
    force = np.array([drive_force(t, 0.02) for t in times])
    deviation = {
        "interval halved": [drive_force(t, 0.01) for t in times],
        "interval doubled": [drive_force(t, 0.04) for t in times],
        "power of a change of the height": [drive_force_by_power(t, 0.02) for t in times]}
    deviation = {k: float(np.abs(v - force).max()) for k, v in deviation.items()}
    for name, value in deviation.items():
        print(f"{name}: {value:.1e} N")

    data = {"what": "force along the height that holds the platform of scenes/paper/rps3.json to "
                    "its motion, by inverse dynamics; one period, which goes on for ever",
            "by": "scripts/make_rps3.py", "units": "s, N",
            "largest_deviation_N": deviation, "period": 2 / FREQUENCY,
            "columns": ["t", "force"],
            "data": [[round(float(t), 2), float(f)] for t, f in zip(times, force)]}
    rows = ",\n".join(json.dumps(row) for row in data.pop("data"))
    text = json.dumps(data, indent=1)[:-2] + ',\n "data": [\n' + rows + "\n]}\n"
    (ROOT / "tests/data/rps3_drive.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
