#!/usr/bin/python3
"""Draws figure 8 of Tobin & Rucker: rotation along one rod element by (99) and three bases.

  figure8.py [-o PLOT.png]      default: figure8.png

Two, three, four nodes of a curve's orientations, equispaced on xi in [0, 1], give an element a
linear, quadratic or cubic polynomial of the logarithms from its reference. R(xi) comes from
the simulator's own code, by build/tests/tools/rod_rotation (or the program of $ROD_ROTATION).

The paper gives neither the nodal rotations of its picture nor the reference of (99). Ours:
R(xi) = Exp(a xi e_x) Exp(b xi^2 e_y) Exp(c sin(pi xi) e_z), a = 1.2, b = 1.0, c = 0.8 rad, at
the nodes; the references are those of src/constraint/rod.h. Prints by basis the misses at the
nodes and how far R(xi) is at most from the curve, rad.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

try:
    import matplotlib
    import numpy as np
    from scipy.spatial.transform import Rotation

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # after the choice of a backend without a display

    import needs
except ImportError as error:
    sys.exit(f"figure8.py: {error}; run it as: "
             "$(scripts/install-deps.sh --python) scripts/figure8.py")

ROOT = Path(__file__).resolve().parent.parent
TOOL = os.environ.get("ROD_ROTATION", ROOT / "build/tests/tools/rod_rotation")
BASES = (("linear", 2), ("quadratic", 3), ("cubic", 4))
XI = np.linspace(0, 1, 61)


def curve(xi):
    """The orientations that the nodes take."""
    angles = (1.2 * xi, 1.0 * xi**2, 0.8 * np.sin(np.pi * xi))
    turns = (Rotation.from_rotvec(np.outer(a, e)) for a, e in zip(angles, np.eye(3)))
    return next(turns) * next(turns) * next(turns)


def interpolate(nodes, xi):
    """R(xi) of the element whose nodes have the given orientations."""
    lines = [" ".join(f"{x:.17g}" for x in q) for q in np.roll(nodes.as_quat(), 1, axis=1)]
    lines += [f"{x:.17g}" for x in xi]
    done = subprocess.run([TOOL, str(len(nodes))], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=True)
    quaternions = np.array([line.split() for line in done.stdout.splitlines()], float)
    return Rotation.from_quat(np.roll(quaternions, -1, axis=1))


def nodes_of(n):
    return curve(np.linspace(0, 1, n))


def draw(axes, name, n):
    """Directors along the element, side by side; bold at the nodes; dotted those of the curve."""
    at = np.linspace(0, 1, n)
    for xi, R, length, width in ((XI[::3], interpolate(nodes_of(n), XI[::3]), 0.25, 0.8),
                                 (at, nodes_of(n), 0.4, 3)):
        start = np.column_stack([np.zeros_like(xi), np.zeros_like(xi), 2 * xi])
        for d, color in zip(range(3), ("tab:red", "tab:green", "tab:blue")):
            axes.quiver(*start.T, *R.as_matrix()[:, :, d].T, length=length, color=color,
                        linewidth=width, arrow_length_ratio=0.15)
    for R, style in ((interpolate(nodes_of(n), XI), "-"), (curve(XI), ":")):
        for d, color in zip(range(3), ("tab:red", "tab:green", "tab:blue")):
            tip = np.column_stack([0 * XI, 0 * XI, 2 * XI]) + 0.25 * R.as_matrix()[:, :, d]
            axes.plot(*tip.T, style, color=color, linewidth=1)
    axes.set_title(f"{name}, {n} nodes", fontsize=10)
    axes.set_box_aspect((1, 1, 2.5), zoom=1.35)
    axes.set(xlim=(-0.4, 0.4), ylim=(-0.4, 0.4), zlim=(-0.2, 2.2), xticks=[], yticks=[],
             zticks=[0, 1, 2], zticklabels=["0", "$\\xi$", "1"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="figure8.png")
    arguments = parser.parse_args()
    needs.program(TOOL, named_by="ROD_ROTATION")

    figure = plt.figure(figsize=(11, 6))
    for k, (name, n) in enumerate(BASES):
        nodes, at = nodes_of(n), np.linspace(0, 1, n)
        missed = (nodes.inv() * interpolate(nodes, at)).magnitude()
        off = (curve(XI).inv() * interpolate(nodes, XI)).magnitude()
        print(f"{name}: at the nodes {missed.max():.3g}, off the curve {off.max():.4g}")
        draw(figure.add_subplot(1, 3, k + 1, projection="3d"), name, n)
    figure.subplots_adjust(left=0, right=1, bottom=0.02, top=0.92, wspace=0)
    figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
