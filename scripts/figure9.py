#!/usr/bin/python3
"""Draws figure 9 of Tobin & Rucker: a cantilever of one element, and of many, in every basis.

  figure9.py [-o PLOT.png]      default: figure9.png

The rod of scenes/paper/cantilever.json at rest by solver.mode static, five times as heavy (the
paper states neither rod nor load of this picture): it hangs down steeply. The curves are the
elements' own, p(xi) = sum phi_j(xi) p_j of the recorded nodes; 40 elements make many. Prints
the tips and how far each curve is at most from that of 80 cubic elements at the same place on
the rod, m. A chain of rigid bodies has no basis functions: it is among the many only, its bodies
joined by straight lines. (One joint cannot carry this weight: the mean of its two rotations in v
is shorter than a rotation, and no equilibrium is found.) The program is $XSIM, default build/xsim.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # after the choice of a backend without a display

    import needs
except ImportError as error:
    sys.exit(f"figure9.py: {error}; run it as: "
             "$(scripts/install-deps.sh --python) scripts/figure9.py")

ROOT = Path(__file__).resolve().parent.parent
XSIM = os.environ.get("XSIM", ROOT / "build/xsim")
SCENE = ROOT / "scenes/paper/cantilever.json"
DEGREE = {"rigid_chain": 1, "linear": 1, "quadratic": 2, "cubic": 3}
MANY = 40
AT_REST = ("gravity=[0,0,-49.05]", 'solver={"mode":"static"}', 'time={"step":1,"duration":0}',
           "checks=[]", 'output={"fields":["rods"]}')


def nodes_at_rest(discretization, elements):
    """Positions (x, z) of the rod's nodes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [XSIM, SCENE, "-o", Path(folder) / "rest.h5", "-q"]
        for override in (*AT_REST, f"rods.beam.discretization={discretization}",
                         f"rods.beam.elements={elements}"):
            command += ["-s", override]
        subprocess.run(command, check=True)
        with h5py.File(Path(folder) / "rest.h5", "r") as file:
            return file["rods/beam/position"][0][:, [0, 2]]


def polynomials(degree, xi):
    """Lagrange's phi_j(xi) on equispaced nodes, a column each."""
    at = np.linspace(0, 1, degree + 1)
    return np.column_stack([np.prod([(xi - b) / (a - b) for b in at if b != a], axis=0)
                            for a in at])


def curve(nodes, degree, s):
    """p(s) at s in [0, 1] along the whole rod."""
    elements = (len(nodes) - 1) // degree
    index = np.minimum((s * elements).astype(int), elements - 1)
    first = degree * index
    phi = polynomials(degree, s * elements - index)
    return sum(phi[:, j, None] * nodes[first + j] for j in range(degree + 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="figure9.png")
    arguments = parser.parse_args()
    needs.program()

    s = np.linspace(0, 1, 241)
    exact = curve(nodes_at_rest("cubic", 80), 3, s)
    figure, rows = plt.subplots(2, 1, figsize=(7, 9), layout="constrained")
    for axes, elements in zip(rows, (1, MANY)):
        axes.plot(*exact.T, "k:", label="80 cubic elements")
        for name, color in zip(DEGREE, ("tab:gray", "tab:red", "tab:green", "tab:blue")):
            if elements == 1 and name == "rigid_chain":
                continue
            degree = DEGREE[name]
            nodes = nodes_at_rest(name, elements)
            p = curve(nodes, degree, s)
            off = np.linalg.norm(p - exact, axis=1).max()
            print(f"{name}, {elements}: tip {nodes[-1, 0]:.6f} {nodes[-1, 1]:.6f}, "
                  f"off {off:.3g}")
            axes.plot(*p.T, color=color, label=name)
            if elements == 1:
                axes.plot(*nodes.T, "o", color=color)
        axes.set_title("one element" if elements == 1 else f"{elements} elements", fontsize=10)
        axes.set_aspect("equal")
        axes.set(xlabel="x, m", ylabel="z, m")
        axes.legend()
    figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
