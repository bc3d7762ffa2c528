#!/usr/bin/python3
"""Draws figure 3 of Tobin & Rucker: one XPBD update under three definitions of a constraint.

  figure3.py [-o PLOT.png]      default: figure3.png

Top: a point constrained to 0 by its norm, by a vector, by a nonlinear vector (d + d^3 of each
component). Bottom: three points, p1 joined to p2 and p2 to p3, by norms and by vectors. Circles
are starts, asterisks the places after dx = M^-1 G^T (G M^-1 G^T)^-1 (-C), alpha = 0, masses 1.
The paper gives the top's point only; the nonlinear vector and the three points are examples.
Prints what each update leaves of the error. tests/test_figure3.c holds the same claims.
"""
import argparse
import sys

try:
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # after the choice of a backend without a display
except ImportError as error:
    sys.exit(f"figure3.py: {error}; run it as: "
             "$(scripts/install-deps.sh --python) scripts/figure3.py")

POINT = np.array([0.6, -0.4])
TRIPLE = np.array([[-0.8, -0.5], [0.1, 0.7], [0.9, -0.2]])


# Each constraint: d (2) -> C (rows), dC/dd (rows x 2).
def norm(d):
    length = np.linalg.norm(d)
    return np.array([length]), d[None, :] / length


def vector(d):
    return d, np.eye(2)


def cubic(d):
    return d + d**3, np.diag(1 + 3 * d**2)


def update(C, G):
    """(55), (57) with M = I and alpha = 0."""
    return G.T @ np.linalg.solve(G @ G.T, -C)


def point_after(constraint):
    return POINT + update(*constraint(POINT))


def triple_after(constraint):
    C1, G1 = constraint(TRIPLE[0] - TRIPLE[1])
    C2, G2 = constraint(TRIPLE[1] - TRIPLE[2])
    nothing = np.zeros_like(G1)
    G = np.block([[G1, -G1, nothing], [nothing, G2, -G2]])
    return TRIPLE + update(np.concatenate([C1, C2]), G).reshape(3, 2)


def draw_surface(axes, constraint, title):
    """The rows of C over the plane, and the point on them before and after."""
    grid = np.linspace(-0.8, 0.8, 60)  # even: a norm has no gradient at 0
    x, y = np.meshgrid(grid, grid)
    values = np.array([[constraint(np.array(d))[0] for d in zip(*row)] for row in zip(x, y)])
    after = point_after(constraint)
    before_C = constraint(POINT)[0]
    after_C = constraint(after)[0] if after.any() else np.zeros_like(before_C)
    for row, color in zip(range(values.shape[2]), ("tab:blue", "tab:orange")):
        axes.plot_surface(x, y, values[:, :, row], color=color, alpha=0.3, linewidth=0)
        axes.scatter(*POINT, before_C[row], color=color, marker="o")
        axes.scatter(*after, after_C[row], color=color, marker="*", s=80)
    axes.set_title(f"{title}\n|p| after: {np.linalg.norm(after):.2g}", fontsize=10)
    axes.set_box_aspect(None, zoom=0.85)  # room for the labels on the right
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    print(f"one point, {title}: |p| = {np.linalg.norm(after):.3g}")


def draw_triples(before, after):
    """Left where the points are, right where norms and vectors take them."""
    before.set_title("three points", fontsize=10)
    before.plot(*TRIPLE.T, "k:")
    after.set_title("after one update", fontsize=10)
    for axes in (before, after):
        axes.plot(*TRIPLE.T, "ko")
        axes.set_aspect("equal")
    for constraint, name, color in ((norm, "norms", "tab:blue"), (vector, "vectors", "tab:green")):
        points = triple_after(constraint)
        gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        after.plot(*points.T, "*", color=color, markersize=10, label=name)
        print(f"three points, {name}: gaps {gaps[0]:.3g}, {gaps[1]:.3g}")
    after.legend()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="figure3.png")
    arguments = parser.parse_args()

    figure = plt.figure(figsize=(11, 7.5), layout="constrained")
    top, bottom = figure.subfigures(2, 1)
    tops = ((norm, "norm"), (vector, "vector"), (cubic, "nonlinear vector"))
    for k, (constraint, title) in enumerate(tops):
        draw_surface(top.add_subplot(1, 3, k + 1, projection="3d"), constraint, title)
    draw_triples(*bottom.subplots(1, 2))
    figure.savefig(arguments.output, dpi=120)


if __name__ == "__main__":
    main()
