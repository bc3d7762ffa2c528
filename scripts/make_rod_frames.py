#!/usr/bin/python3
"""Equilibria of planar frames of rods without elements, for tests/data/rod_frames.json.

Planar Simo-Reissner rods (plane x, z; arc length s; angle theta of the tangent from x; force
(Fx, Fz) and moment M, about -y, that the part beyond s exerts on the part before):
    Gx, Gn = Fx cos + Fz sin, -Fx sin + Fz cos           along tangent and normal
    x' = (1 + Gx/EA) cos - Gn/GA sin,  z' = (1 + Gx/EA) sin + Gn/GA cos
    theta' = kappa0 + M/EI,  M' = z' Fx - x' Fz,  F' = 0
solved by collocation (scipy's solve_bvp) to 2e-11; loads grow in steps, each started from the
one before. All rods of a frame share one variable s in [0, 1]. The same frames are
scenes/rods/*.json.

  make_rod_frames.py FOLDER      FOLDER: of rod_frames.json, tests/data
"""
import argparse
import json
from pathlib import Path

import numpy as np
from scipy.integrate import solve_bvp

RADIUS, E, NU = 0.05, 5e6, 0.5
AREA, I = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
KAPPA = 6 * (1 + NU) / (7 + 6 * NU)  # Cowper
EA, GA, EI = E * AREA, KAPPA * E / (2 * (1 + NU)) * AREA, E * I


def rod(y, length, kappa0=0.0):
    """Right-hand sides of one rod, y = x, z, theta, Fx, Fz, M over s in [0, 1]."""
    _, _, theta, Fx, Fz, M = y
    c, s = np.cos(theta), np.sin(theta)
    tangent, normal = 1 + (Fx * c + Fz * s) / EA, (-Fx * s + Fz * c) / GA
    x, z = tangent * c - normal * s, tangent * s + normal * c
    zero = np.zeros_like(theta)
    return length * np.array([x, z, kappa0 + M / EI, zero, zero, z * Fx - x * Fz])


def solve(rods, boundary, guess, loads):
    """rods: (length, kappa0) each; boundary(ya, yb, part); guess(s): all rods' y."""
    s = np.linspace(0, 1, 401)
    y = guess(s)

    def equations(_, y):
        return np.vstack([rod(y[6 * i:6 * i + 6], *parameters)
                          for i, parameters in enumerate(rods)])

    for part in loads:
        solution = solve_bvp(equations, lambda ya, yb, part=part: boundary(ya, yb, part), s, y,
                             tol=2e-11, max_nodes=400000)
        if not solution.success:
            raise RuntimeError(f"load {part}: {solution.message}")
        y = solution.sol(s)
    return y


def straight(s, x, z, theta, length):
    y = np.zeros((6, s.size))
    y[0], y[1], y[2] = x + length * s * np.cos(theta), z + length * s * np.sin(theta), theta
    return y


def right_angle(force):
    """A column of 1 m, clamped at its foot, and a beam of 1 m along x from its head."""
    def boundary(ya, yb, part):
        column, beam = slice(0, 6), slice(6, 12)
        foot, head, corner, tip = ya[column], yb[column], ya[beam], yb[beam]
        return np.concatenate([
            foot[:3] - (0, 0, np.pi / 2), corner[:2] - head[:2],
            [corner[2] - head[2] + np.pi / 2], corner[3:] - head[3:],
            tip[3:] - (part * force[0], part * force[1], 0)])

    y = solve([(1, 0), (1, 0)], boundary,
              lambda s: np.vstack([straight(s, 0, 0, np.pi / 2, 1), straight(s, 0, 1, 0, 1)]),
              np.linspace(0.1, 1, 10))
    return {"corner": list(y[0:2, -1]), "tip": list(y[6:8, -1]),
            "moment_at_foot": y[5, 0]}


def portal(left, right, width):
    """Two columns of 1 m with clamped feet and a beam between their heads, loads at the heads."""
    def boundary(ya, yb, part):
        a, beam, b = slice(0, 6), slice(6, 12), slice(12, 18)
        return np.concatenate([
            ya[a][:3] - (0, 0, np.pi / 2), ya[b][:3] - (width, 0, np.pi / 2),
            ya[beam][:2] - yb[a][:2], [ya[beam][2] - yb[a][2] + np.pi / 2],
            yb[beam][:2] - yb[b][:2], [yb[beam][2] - yb[b][2] + np.pi / 2],
            ya[beam][3:] + (part * left[0], part * left[1], 0) - yb[a][3:],
            yb[b][3:] + yb[beam][3:] - (part * right[0], part * right[1], 0)])

    y = solve([(1, 0), (width, 0), (1, 0)], boundary,
              lambda s: np.vstack([straight(s, 0, 0, np.pi / 2, 1),
                                   straight(s, 0, 1, 0, width),
                                   straight(s, width, 0, np.pi / 2, 1)]),
              np.linspace(0.1, 1, 10))
    return {"left": list(y[0:2, -1]), "right": list(y[12:14, -1]),
            "force_at_left_foot": list(y[3:5, 0])}


def ring(radius, force):
    """A quarter of a circle, from the lowest point, pulled up at the top by `force` and held at
    the bottom: half the force in each half."""
    def boundary(ya, yb, part):
        return np.array([ya[0], ya[1], ya[2], yb[2] - np.pi / 2, yb[3], yb[4] - part * force / 2])

    def guess(s):
        y = np.zeros((6, s.size))
        y[0], y[1] = radius * np.sin(s * np.pi / 2), radius * (1 - np.cos(s * np.pi / 2))
        y[2] = s * np.pi / 2
        return y

    y = solve([(radius * np.pi / 2, 1 / radius)], boundary, guess, np.linspace(0.1, 1, 10))
    return {"height": 2 * y[1, -1], "width": 2 * y[0, -1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    path = parser.parse_args().folder / "rod_frames.json"
    frames = {"right_angle": {"force": [4, -8], **right_angle((4, -8))},
              "portal": {"left_force": [8, -15], "right_force": [0, -15], "width": 1.2,
                         **portal((8, -15), (0, -15), 1.2)},
              "ring": {"radius": 0.3, "force": 500, **ring(0.3, 500)}}
    text = json.dumps(frames, indent=2)
    path.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
