#!/usr/bin/python3
"""The helical spring of Tobin & Rucker, Fig. 15, in several discretizations: prints stiffness,
coil radius, and the compressions at which the middle node has moved 1, 2, 5 cm sideways.

  spring_buckling.py [--static] [DISCRETIZATION:ELEMENTS ...]    default: those of the paper

From scenes/paper/spring_buckling.json, by motion over time, or with --static by equilibria every
0.5 mm. Below the table: Haringx' critical compression, and what the paper reads off its own
figure. The program is $XSIM, default build/xsim.
"""
import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path

import h5py
import numpy as np

import needs

ROOT = Path(__file__).resolve().parent.parent
XSIM = os.environ.get("XSIM", ROOT / "build/xsim")
SCENE = ROOT / "scenes/paper/spring_buckling.json"
CASES = ("rigid_chain:120", "linear:120", "linear:250", "quadratic:66", "cubic:40")
RADIUS, TURNS, HEIGHT, WIRE = 0.1, 15, 1.4, 0.005
E, NU = 60e9, 0.3
SPEED, REST = 2.5e-3, 2.0
STATIC = ('solver={"mode": "static"}', "time.step=0.2", "output.every=1")


def haringx():
    """Critical compression of a spring between clamped plates by Haringx: of the straight rod
    with the spring's stiffnesses in compression, bending and shear, which buckles over half its
    length (Shigley, Mechanical Engineering Design, absolute stability of compression springs)."""
    G = E / (2 * (1 + NU))
    slenderness = 0.5 * HEIGHT / (2 * RADIUS)
    root = 1 - 2 * np.pi**2 * (E - G) / (2 * G + E) / slenderness**2
    return HEIGHT * E / (2 * (E - G)) * (1 - np.sqrt(root))


def compress(case, static, folder):
    """Compressions, positions of all nodes, force on the plate."""
    discretization, elements = case.split(":")
    output = Path(folder) / "spring.h5"
    command = [XSIM, SCENE, "-o", output, "-q", "-f", "-s", "checks=[]",
               "-s", f"rods.spring.discretization={discretization}",
               "-s", f"rods.spring.elements={elements}"]
    for override in STATIC if static else ():
        command += ["-s", override]
    # A rod that has gone far sideways may find no equilibrium: what is before it counts.
    subprocess.run(command, check=not static)
    with h5py.File(output, "r") as file:
        return compression(file)


def compression(file):
    """The same of an open result."""
    names = [name.decode() for name in file["joints/name"][:]]
    force = -file["joints/force"][:, names.index("plate"), 2]
    time, position = file["time"][:], file["rods/spring/position"][:]
    start = np.searchsorted(time, REST)
    return np.maximum(0, SPEED * (time[start:] - REST)), position[start:], force[start:]


def sideways(position):
    """Of the middle node from its place at rest, before the compression."""
    middle = position[:, position.shape[1] // 2, :2]
    return np.linalg.norm(middle - middle[0], axis=1)


def measure(case, static=False):
    """{"stiffness", "radius", "sideways": {moved: compression}, "at_032": moved}."""
    with tempfile.TemporaryDirectory() as folder:
        return measure_of(*compress(case, static, folder))


def measure_of(c, position, force):
    """The same of what compress() gives; nan where it did not move so far."""
    nodes = position.shape[1]
    moved = sideways(position)
    last = np.argmax(moved)
    few = (c > 0.01) & (c < 0.05)
    # The circle through about one coil around the middle at rest: x^2 + y^2 = a x + b y + c.
    half = round(nodes / TURNS / 2)
    coil = position[0, nodes // 2 - half:nodes // 2 + half, :2]
    a, b, _ = circle = np.linalg.lstsq(np.column_stack([coil, np.ones(len(coil))]),
                                       (coil**2).sum(axis=1), rcond=None)[0]
    return {"stiffness": np.polyfit(c[few], force[few], 1)[0],
            "radius": np.sqrt(circle[2] + (a**2 + b**2) / 4),
            "sideways": {far: np.interp(far, moved[:last + 1], c[:last + 1], right=np.nan)
                         for far in (0.01, 0.02, 0.05)},
            "at_032": np.interp(0.32, c, moved)}


def checked(case):
    if not re.fullmatch(r"(rigid_chain|linear|quadratic|cubic):[1-9]\d*", case):
        raise argparse.ArgumentTypeError(f"{case} is not like {CASES[-1]} (rigid_chain, linear, "
                                         "quadratic, cubic)")
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", type=checked, metavar="DISCRETIZATION:ELEMENTS",
                        help=f"default: {' '.join(CASES)}")
    parser.add_argument("--static", action="store_true", help="by equilibria")
    arguments = parser.parse_args()
    static, cases = arguments.static, arguments.cases or CASES
    needs.program()
    print("discretization    k, N/m  coil, mm   1 cm     2 cm     5 cm    at 0.32 m, mm")
    for case in cases:
        found = measure(case, static)
        sideways = "  ".join(f"{value:.4f} " for value in found["sideways"].values())
        print(f"{case:16}  {found['stiffness']:.2f}  {1000 * found['radius']:8.2f}   {sideways} "
              f"{1000 * found['at_032']:.1f}")
    print(f"critical compression by Haringx: {haringx():.4f} m; read off the paper's figure: 0.32 m")


if __name__ == "__main__":
    main()
