#!/usr/bin/python3
"""Exact motions of the comparison's scenes, by ways that share nothing with any simulator.

Positions of the centres of mass, kinetic and gravity energy at the scene's records:
- triple, chain: planar pendulum of n equal links in its n angles (Lagrange), DOP853;
- four_bar: the crank's angle alone, DOP853 (tests/reference/time_references.py);
- stack: rests, as tan(2 degrees) is below the friction and the line of weight meets the base;
- slide: all boxes as one, slowed by mu g until they rest (closed form): they stay together as
  the friction between them is larger, and upright as mu < base / height.
Each solution in minimal coordinates is computed twice, at rtol 1e-13 and 1e-11; what lies between
the two says how well the reference is known.

  references.py NAME...    prints that, and for the triple pendulum the distance to the angles in
                           tests/data/triple_pendulum.json
"""
import argparse
import json

from scenes import CHAIN_LINKS, ROOT, SCENES, SLIDE  # first: it sets numpy's threads

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import cho_factor, cho_solve
from time_references import FourBar  # tests/reference, on the path by scenes

G = 9.81


def links_motion(n, mass, length, across, angle, times, rtol):
    """Angles from the downward vertical and their rates, T x 2n, of n equal links released from
    rest at one angle. With S_ij = mass x links that hang on the further of i and j,
    M_ij = l^2 S_ij cos(th_i - th_j), gravity g l (mass below i + half its own) sin th_i."""
    i = np.arange(n)
    below = n - 1 - np.maximum.outer(i, i)
    S = mass * length**2 * (below + 0.5)
    S[i, i] = mass * length**2 * (n - 1 - i + 0.25) + across
    weight = mass * G * length * (n - 1 - i + 0.5)

    def rate(_, y):
        th, w = y[:n], y[n:]
        difference = np.subtract.outer(th, th)
        torque = -weight * np.sin(th) - (S * np.sin(difference)) @ w**2
        return np.concatenate((w, cho_solve(cho_factor(S * np.cos(difference)), torque)))

    start = np.concatenate((np.full(n, angle), np.zeros(n)))
    return solve_ivp(rate, (0, times[-1]), start, "DOP853", times, rtol=rtol, atol=rtol).y.T


def links(scene, n, mass, length, across, angle, azimuth, times, rtol):
    """Positions and velocities of the centres of mass of such links, and the energies."""
    y = links_motion(n, mass, length, across, angle, times, rtol)
    th, w = y[:, :n], y[:, n:]
    out = np.array([np.cos(azimuth), np.sin(azimuth), 0])
    along = np.sin(th)[..., None] * out - np.cos(th)[..., None] * np.array([0, 0, 1])
    across_way = w[..., None] * (np.cos(th)[..., None] * out +
                                 np.sin(th)[..., None] * np.array([0, 0, 1]))
    def centres(e):
        return length * (np.cumsum(e, 1) - 0.5 * e)
    p, v = centres(along), centres(across_way)
    kinetic = 0.5 * mass * (v**2).sum((1, 2)) + 0.5 * across * (w**2).sum(1)
    return p, kinetic, -mass * (p @ scene.gravity).sum(1)


def triple(scene, times, rtol):
    b = scene.bodies[0]
    return links(scene, 3, b.mass, 1.0, b.inertia[0], np.deg2rad(80), np.deg2rad(33), times, rtol)


def hundred(scene, times, rtol):
    b = scene.bodies[0]
    return links(scene, CHAIN_LINKS, b.mass, 0.1, b.inertia[0], np.deg2rad(30), np.deg2rad(33),
                 times, rtol)


def four_bar(scene, times, rtol):
    model = FourBar()
    y = solve_ivp(model.rate, (0, times[-1]), model.start, "DOP853", times, rtol=rtol,
                  atol=rtol).y.T
    p, kinetic = np.zeros((len(times), 3, 3)), np.zeros(len(times))
    for t, (crank, speed) in enumerate(y):
        _, k, _, at, dp, _ = model.kinematics(crank)
        p[t, :, :2] = at
        kinetic[t] = 0.5 * speed**2 * (model.LENGTH @ (dp**2).sum(1) + model.across @ k**2)
    return p, kinetic, -(p @ scene.gravity) @ model.LENGTH


def boxes(scene, moved, speed):
    start = np.array([b.p for b in scene.bodies])
    mass = np.array([b.mass for b in scene.bodies])
    p = start + moved[:, None, None] * np.array([1.0, 0, 0])
    return p, 0.5 * mass.sum() * speed**2, -(p @ scene.gravity) @ mass


def stack(scene, times, _):
    return boxes(scene, np.zeros(len(times)), np.zeros(len(times)))


def slide(scene, times, _):
    slowing = SLIDE["friction"][0] * G
    t = np.minimum(times, SLIDE["speed"] / slowing)
    return boxes(scene, SLIDE["speed"] * t - 0.5 * slowing * t**2, SLIDE["speed"] - slowing * t)


SOLVE = {"triple": triple, "chain": hundred, "four_bar": four_bar, "stack": stack, "slide": slide}


def reference(name, scene, rtol=1e-13):
    """Positions T x bodies x 3 (m), kinetic and gravity energy T (J), at the records of a scene."""
    times = scene.every * np.arange(round(scene.duration / scene.every) + 1)
    return SOLVE[name](scene, times, rtol)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names or list(SOLVE)
    unknown = [name for name in names if name not in SOLVE]
    if unknown:
        parser.error(f"no scene is called {unknown[0]}; known: {', '.join(SOLVE)}")
    for name in names:
        scene = SCENES[name]()
        p, kinetic, gravity = reference(name, scene)
        known = np.abs(p - reference(name, scene, 1e-11)[0]).max()
        print(f"{name}: rtol 1e-13 and 1e-11 differ by {known:.1e} m; energy drifts by "
              f"{np.ptp(kinetic + gravity):.1e} J, kinetic up to {kinetic.max():.3g} J; starts "
              f"{np.abs(p[0] - [b.p for b in scene.bodies]).max():.1e} m from the scene's start")
        if name == "triple":
            rows = json.loads((ROOT / "tests/data/triple_pendulum.json").read_text())["data"]
            th = np.array([row[1:4] for row in rows[::2]])[:len(p)]
            y = links_motion(3, 1.0, 1.0, scene.bodies[0].inertia[0], np.deg2rad(80),
                             scene.every * np.arange(len(p)), 1e-13)
            print(f"  {np.abs(y[:, :3] - th).max():.1e} rad from tests/data/triple_pendulum.json")


if __name__ == "__main__":
    main()
