"""Fig. 8: rotations interpolated along one element by three bases (scripts/figure8.py)."""
import figure8
import numpy as np

from . import solid, style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig08", "Fig. 8: interpolation of rotations", "6.3.2"
REDUCED = False
AXIS_COLORS = (style.RED, style.GREEN, style.BLUE)
ROUND_OFF = 1e-14  # rad
LENGTH = 3.2       # of the element in the picture


def sweeps(_lab):
    return {}


def draw_element(axes, name, n):
    """Directors at places side by side along a line; bold at the nodes; dotted those of the curve."""
    nodes, at = figure8.nodes_of(n), np.linspace(0, 1, n)
    V = solid.view(-62, 24)[:2]

    def ends(xi, R, d, length):
        start = np.column_stack([LENGTH * xi, 0 * xi, 0 * xi])
        return start @ V.T, (start + length * R.as_matrix()[:, :, d]) @ V.T

    shown, fine = figure8.XI[::3], figure8.XI
    for d, color in enumerate(AXIS_COLORS):
        for xi, R, length, width in ((shown, figure8.interpolate(nodes, shown), 0.5, 0.5),
                                     (at, nodes, 0.8, 2.2)):
            for a, b in zip(*ends(xi, R, d, length)):
                axes.plot(*np.column_stack([a, b]), color=color, linewidth=width,
                          solid_capstyle="round")
        axes.plot(*ends(fine, figure8.interpolate(nodes, fine), d, 0.5)[1].T, color=color,
                  linewidth=0.9)
        axes.plot(*ends(fine, figure8.curve(fine), d, 0.5)[1].T, ":", color=color, linewidth=1.3)
    axes.plot(*ends(at, nodes, 0, 0)[0].T, "ko", markersize=3.5, zorder=5)
    axes.set_title(f"{style.LABEL[name]}, {n} nodes")
    style.bare(axes)


def evaluate(_lab, _done):
    outcome = Outcome()
    missed, off, rows = [], [], []
    for name, n in figure8.BASES:
        nodes, at = figure8.nodes_of(n), np.linspace(0, 1, n)
        missed.append((nodes.inv() * figure8.interpolate(nodes, at)).magnitude().max())
        off.append((figure8.curve(figure8.XI).inv() *
                    figure8.interpolate(nodes, figure8.XI)).magnitude().max())
        rows.append([style.LABEL[name], n, style.number(missed[-1]), style.number(off[-1], 3)])
    outcome.claim(
        "6.3.2, Fig. 8", "Rotational interpolation using (99) and different basis functions.",
        f"R(ξ) passes through the nodes' rotations (missed by {style.number(max(missed))} rad at "
        f"most) and follows the curve they are taken from within {style.number(off[0])} (linear), "
        f"{style.number(off[1])} (quadratic), {style.number(off[2])} rad (cubic)",
        verdict(max(missed) <= ROUND_OFF, off[0] > off[1] > off[2]),
        "the paper gives neither the nodal rotations of its picture nor the reference of (99); "
        "ours: `scripts/figure8.py`, by the simulator's own code")
    outcome.table("fig08", "Interpolated rotation", ["basis", "nodes", "missed at nodes, rad",
                                                     "off the curve, rad"], rows)
    figure, columns = plt.subplots(1, 3, figsize=(style.PAGE, 1.9), layout="constrained")
    for axes, (name, n) in zip(columns, figure8.BASES):
        draw_element(axes, name, n)
    outcome.figure("fig08", "Directors along one element from its nodes' rotations (bold); dotted: "
                   "the curve that these are taken from.", figure)
    return outcome
