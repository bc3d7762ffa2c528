#!/usr/bin/python3
"""The reference of scenes/time/cantilever_swing_3d.json: the same semi-discrete rod (Tobin & Rucker,
section 6: 3 cubic elements of 3 Gauss points, lumped masses), written down anew and integrated in
time by scipy's Radau. Strains are differentiated by complex steps, so that no gradient is shared
with xsim; writes tests/data/time/cantilever_swing_3d.json.

    tests/reference/cantilever_reference.py
"""
import argparse
import json
import pathlib

import numpy as np
from scipy.integrate import solve_ivp

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ELEMENTS, LENGTH, RADIUS, DENSITY, YOUNG, POISSON, TAU = 3, 1.0, 0.05, 1000.0, 5e6, 0.5, 2e-3
GRAVITY = np.array([0, 0, -9.81])
N = 3 * ELEMENTS + 1
L = LENGTH / ELEMENTS
X = np.array([0, 1 / 3, 2 / 3, 1])
GAUSS, WEIGHT = (np.array(a) for a in zip(*[(0.5 + 0.5 * x, 0.5 * w) for x, w in
                                            zip(*np.polynomial.legendre.leggauss(3))]))
area, second = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
shear = YOUNG / (2 * (1 + POISSON))
kappa = 6 * (1 + POISSON) / (7 + 6 * POISSON)
K = np.array([kappa * shear * area, kappa * shear * area, YOUNG * area,
              YOUNG * second, YOUNG * second, 2 * shear * second])
lump = np.zeros(N)
for e in range(ELEMENTS):
    lump[3 * e:3 * e + 4] += L * np.array([1, 3, 3, 1]) / 8
MASS = DENSITY * area * lump
MOMENT = DENSITY * second * lump[:, None] * np.array([1, 1, 2])


def lagrange(x):
    """Values and derivatives of the four polynomials."""
    value, slope = np.ones(4), np.zeros(4)
    for j in range(4):
        others = [k for k in range(4) if k != j]
        value[j] = np.prod([(x - X[k]) / (X[j] - X[k]) for k in others])
        slope[j] = sum(np.prod([(x - X[k]) / (X[j] - X[k]) for k in others if k != i])
                       / (X[j] - X[i]) for i in others)
    return value, slope


PHI, SLOPE = (np.array(a) for a in zip(*[lagrange(x) for x in GAUSS]))


# Quaternions (w, x, y, z) in the last axis; analytic in complex arguments.
def multiply(a, b):
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([aw * bw - (av * bv).sum(-1, keepdims=True),
                           aw * bv + bw * av + np.cross(av, bv)], -1)


def conjugate(q):
    return q * np.array([1, -1, -1, -1])


def even(s2, function, series):
    """function(sqrt(s2)) by the series in s2 where s2 is small."""
    small = abs(s2) < 1e-4
    s = np.sqrt(np.where(small, 1, s2))
    return np.where(small, sum(c * s2**k for k, c in enumerate(series)), function(s))


def exponential(theta):
    s2 = (theta * theta).sum(-1, keepdims=True) / 4
    half = even(s2, lambda s: np.sin(s) / s, [1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880]) / 2
    return np.concatenate([even(s2, np.cos, [1, -1 / 2, 1 / 24, -1 / 720, 1 / 40320]),
                           half * theta], -1)


def logarithm(q):
    q = np.where(q[..., :1].real < 0, -q, q)
    s2 = (q[..., 1:]**2).sum(-1, keepdims=True)
    return 2 * even(s2, lambda s: np.arcsin(s) / s,
                    [1, 1 / 6, 3 / 40, 15 / 336, 105 / 3456, 945 / 42240]) * q[..., 1:]


def rotate_back(q, v):
    t = -2 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * t - np.cross(q[..., 1:], t)


def strains(p, q):
    """[v - e3; u] of elements with nodes p (..., 4, 3), q (..., 4, 4): (..., 3 Gauss, 6)."""
    between = logarithm(multiply(conjugate(q[..., 1, :]), q[..., 2, :]))
    reference = multiply(q[..., 1, :], exponential(between / 2))
    theta = logarithm(multiply(conjugate(reference)[..., None, :], q))
    angle = np.einsum("gj,...jc->...gc", PHI, theta)
    rate = np.einsum("gj,...jc->...gc", SLOPE, theta) / L
    tangent = np.einsum("gj,...jc->...gc", SLOPE, p) / L
    at = multiply(np.broadcast_to(reference[..., None, :], angle.shape[:-1] + (4,)),
                  exponential(angle))
    t2 = (angle * angle).sum(-1, keepdims=True)
    a = even(t2, lambda s: (1 - np.cos(s)) / s**2, [1 / 2, -1 / 24, 1 / 720, -1 / 40320, 1 / 3628800])
    b = even(t2, lambda s: (s - np.sin(s)) / s**3,
             [1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800])
    turned = np.cross(angle, rate)
    bend = rate - a * turned + b * np.cross(angle, turned)
    return np.concatenate([rotate_back(at, tangent) - np.array([0, 0, 1]), bend], -1)


NODES = np.array([[3 * e + k for k in range(4)] for e in range(ELEMENTS)])
STEP = 1e-30
DP, DR = np.zeros((24, 4, 3), complex), np.zeros((24, 4, 3), complex)
for k in range(4):
    for c in range(3):
        DP[6 * k + c, k, c] = DR[6 * k + 3 + c, k, c] = 1j * STEP
TURNS = exponential(DR)


def forces(p, q, v, w):
    """Elastic and damping forces on the nodes (N, 6), torques in node frames."""
    pe, qe = p[NODES], q[NODES]
    moved = strains(pe[:, None] + DP, multiply(np.broadcast_to(qe[:, None], (ELEMENTS, 24, 4, 4)),
                                               np.broadcast_to(TURNS, (ELEMENTS, 24, 4, 4))))
    C = moved[:, 0].real
    G = moved.imag / STEP  # element, column, Gauss, row
    velocity = np.concatenate([v[NODES], w[NODES]], -1).reshape(ELEMENTS, 24)
    rate = np.einsum("ecgr,ec->egr", G, velocity)
    pull = -(C + TAU * rate) * K * (WEIGHT * L)[:, None]
    force = np.einsum("ecgr,egr->ec", G, pull).reshape(ELEMENTS, 4, 6)
    total = np.zeros((N, 6))
    for e in range(ELEMENTS):
        total[NODES[e]] += force[e]
    return total


def unpack(y):
    parts = y.reshape(13, N - 1)
    clamp = np.array([np.sqrt(0.5), 0, np.sqrt(0.5), 0])
    first = lambda a, row: np.vstack([row, a])
    return (first(parts[0:3].T, np.zeros(3)), first(parts[3:7].T, clamp),
            first(parts[7:10].T, np.zeros(3)), first(parts[10:13].T, np.zeros(3)))


def derivative(_, y):
    p, q, v, w = unpack(y)
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    f = forces(p, q, v, w)
    acceleration = f[:, :3] / MASS[:, None] + GRAVITY
    spin = (f[:, 3:] - np.cross(w, MOMENT * w)) / MOMENT
    turn = 0.5 * multiply(q, np.concatenate([np.zeros((N, 1)), w], 1))
    return np.concatenate([v.T, turn.T, acceleration.T, spin.T])[:, 1:].ravel()


def start():
    x = np.linspace(0, LENGTH, N)
    zero = 0 * x
    p = np.stack([x, zero, zero])
    q = np.tile(np.array([[np.sqrt(0.5)], [0], [np.sqrt(0.5)], [0]]), N)
    v = np.stack([zero, 2 * x**2, zero])
    w = np.stack([-4 * x, zero, 8 * x**2])
    return p, q, v, w


def scene():
    p, q, v, w = start()
    return {
        "$schema": "../../schemas/scene.schema.json", "format": 1, "name": "cantilever_swing_3d",
        "description": "A clamped rubber rod, set off sideways and twisting, in gravity",
        "gravity": list(GRAVITY), "time": {"step": 1e-3, "duration": 0.5},
        "solver": {"integrator": "genalpha"},
        "materials": {"rubber": {"density": DENSITY, "youngs_modulus": YOUNG,
                                 "poisson_ratio": POISSON}},
        "rods": [{"name": "beam", "discretization": "cubic", "elements": ELEMENTS,
                  "shape": {"type": "straight", "length": LENGTH},
                  "pose": {"orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
                  "section": {"radius": RADIUS}, "material": "rubber", "damping": TAU * YOUNG,
                  "linear_velocity": v.T.tolist(), "angular_velocity": w.T.tolist(),
                  "ends": {"start": "clamped"}}]}


def main():
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with open(ROOT / "scenes/time/cantilever_swing_3d.json", "w", encoding="utf-8") as stream:
        json.dump(scene(), stream, indent=1)
        stream.write("\n")
    times = np.linspace(0, 0.5, 11)
    y0 = np.concatenate([a[:, 1:] for a in start()]).ravel()
    solution = solve_ivp(derivative, (0, 0.5), y0, "Radau", times, rtol=1e-9, atol=1e-11)
    assert solution.success, solution.message
    tip, clamp = [], []
    for y in solution.y.T:
        p, q, v, w = unpack(y)
        tip.append(p[-1].tolist())
        f = forces(p, q, v, w)[0, :3]
        clamp.append((f + MASS[0] * GRAVITY).tolist())  # the clamp holds node 0: minus this
    with open(ROOT / "tests/data/time/cantilever_swing_3d.json", "w", encoding="utf-8") as stream:
        json.dump({"time": times.tolist(), "tip": tip, "load_on_clamp": clamp}, stream)
        stream.write("\n")


if __name__ == "__main__":
    main()
