"""Planar rods with shear and axial strain (Simo-Reissner) by shooting, no elements involved: the
reference of a right-angle frame, a portal frame and a ring. Prints plane_rods.json, which
tests/claims/test_rod_systems.py reads:

    tests/reference/plane_rods.py > tests/data/plane_rods.json

In the plane (x, z) with the angle theta of the tangent from x to z, force n and moment M of what
lies beyond s on what lies before it:
    p' = (1 + n.t/EA) t + (n.d/GA) d,  t = (cos, sin), d = (-sin, cos)
    theta' = kappa0 + M/EI,  M' = -(x' n_z - z' n_x),  n' = 0 but at loaded points.
Rods are followed from one end to the other; unknown force and moment at the first point are found
by Newton's method. Each answer is checked against scipy's solve_bvp (collocation); the largest
difference is printed to stderr.
"""
import json
import sys

import numpy as np
from scipy.integrate import solve_bvp, solve_ivp
from scipy.optimize import root

LENGTH, RADIUS, E, NU = 1.0, 0.05, 5e6, 0.5
AREA, SECOND = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
EA, EI = E * AREA, E * SECOND
GA = 6 * (1 + NU) / (7 + 6 * NU) * E / (2 * (1 + NU)) * AREA  # Cowper's factor of a circle


def slope(y, n, kappa0):
    x_, z_, theta, M = y
    c, s = np.cos(theta), np.sin(theta)
    stretch, shear = 1 + (n[0] * c + n[1] * s) / EA, (-n[0] * s + n[1] * c) / GA
    dx, dz = stretch * c - shear * s, stretch * s + shear * c
    return np.array([dx, dz, kappa0 + M / EI, -(dx * n[1] - dz * n[0])])


def follow(y, path, n):
    """States at the ends of a path's pieces: (length, turn before it, load before it, kappa0)."""
    ends = []
    for length, turn, load, kappa0 in path:
        y = y + np.array([0, 0, turn, 0])
        n = n - load
        y = solve_ivp(lambda s, y: slope(y, n, kappa0), (0, length), y, method="DOP853",
                      rtol=1e-13, atol=1e-14).y[:, -1]
        ends.append(y)
    return ends, n


def check(path, n, first, ends):
    """The largest difference from collocation with the moment at the start left free."""
    worst = 0
    for (length, turn, load, kappa0), end in zip(path, ends):
        n = n - load
        first = first + np.array([0, 0, turn, 0])
        s = np.linspace(0, length, 101)
        guess = solve_ivp(lambda s, y: slope(y, n, kappa0), (0, length), first, t_eval=s,
                          rtol=1e-6).y
        found = solve_bvp(lambda s, y: slope(y, n, kappa0),
                          lambda a, b: np.append(a[:3] - first[:3], b[3] - end[3]), s, guess,
                          tol=1e-10, max_nodes=200000)
        assert found.success
        worst = max(worst, np.abs(found.y[:, -1] - end).max())
        first = end
    return worst


def solved(path, start, unknowns, residual, name):
    """unknowns(z) -> (n, M) at the start; residual(end state, n there) is to vanish."""
    def shoot(z):
        n, M = unknowns(z)
        ends, n_end = follow(np.array([*start, M]), path, n)
        return residual(ends[-1], n_end)

    guess = np.zeros(len(residual(np.zeros(4), np.zeros(2))))
    found = root(shoot, guess, tol=1e-14)
    assert np.abs(found.fun).max() < 1e-11, (name, found)
    n, M = unknowns(found.x)
    ends, _ = follow(np.array([*start, M]), path, n)
    print(f"{name}: collocation differs by {check(path, n, np.array([*start, M]), ends):.1e}",
          file=sys.stderr)
    return n, M, ends


def none():
    return np.zeros(2)


def frame():
    """Column up from a clamp, beam to the right, a force at its end."""
    F = np.array([5.0, -10.0])
    path = [(LENGTH, 0, none(), 0), (LENGTH, -np.pi / 2, none(), 0)]
    n, M, ends = solved(path, (0, 0, np.pi / 2), lambda z: (F, z[0]), lambda y, n: y[3:], "frame")
    return {"force": F.tolist(), "corner": ends[0][:2].tolist(), "tip": ends[1][:2].tolist(),
            "base_force": n.tolist(), "base_moment": M}


def portal():
    """Two clamped columns and a beam; loads on both corners."""
    side, down = np.array([20.0, -15.0]), np.array([0.0, -15.0])
    path = [(LENGTH, 0, none(), 0), (LENGTH, -np.pi / 2, side, 0), (LENGTH, -np.pi / 2, down, 0)]
    n, M, ends = solved(path, (0, 0, np.pi / 2), lambda z: (z[:2], z[2]),
                        lambda y, n: y[:3] - (LENGTH, 0, -np.pi / 2), "portal")
    return {"loads": [side.tolist(), down.tolist()], "corners": [e[:2].tolist() for e in ends[:2]],
            "base_force": n.tolist(), "base_moment": M}


def ring():
    """A circle of radius R through the origin with its centre at (R, 0), pulled apart along x with
    the force F: by symmetry half of it in each half, and no turn where it is pulled."""
    R, F = 0.5, 30.0
    quarter = np.pi * R / 2
    path = [(quarter, 0, none(), -1 / R)] * 2
    n, M, ends = solved(path, (0, 0, np.pi / 2), lambda z: (np.array([F / 2, 0]), z[0]),
                        lambda y, n: y[2:3] + np.pi / 2, "ring")
    assert abs(ends[1][1]) < 1e-11  # the other end of the diameter stays on the axis
    return {"radius": R, "force": F, "along": ends[1][0], "across": 2 * ends[0][1],
            "moment": M}


print(json.dumps({"frame": frame(), "portal": portal(), "ring": ring()}, indent=1))
