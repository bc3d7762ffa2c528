"""Fig. 3: one XPBD update under three definitions of a constraint (scripts/figure3.py)."""
import figure3
import numpy as np

from . import style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig03", "Fig. 3: constraint definitions", "5.1"
REDUCED = False
ROUND_OFF = 1e-15  # of numbers of size 1, after an exact update
PARAMETERS = ("α = 0, equal masses, one global update of (55), (57); p = (0.6, −0.4) is the paper's, "
              "the nonlinear vector d + d³ and the three points are ours (`scripts/figure3.py`; the "
              "same by xsim's own code: `tests/test_figure3.c`)")
TOPS = ((figure3.norm, r"$C = \|\mathbf{p}\|$"), (figure3.vector, r"$\mathbf{C} = \mathbf{p}$"),
        (figure3.cubic, r"$\mathbf{C} = \mathbf{p} + \mathbf{p}^3$"))


def sweeps(_lab):
    return {}


def draw_surface(axes, constraint, title):
    grid = np.linspace(-0.8, 0.8, 40)  # even: a norm has no gradient at 0
    x, y = np.meshgrid(grid, grid)
    values = np.array([[constraint(np.array(d))[0] for d in zip(*row)] for row in zip(x, y)])
    after = figure3.point_after(constraint)
    before_C = constraint(figure3.POINT)[0]
    after_C = constraint(after)[0] if np.linalg.norm(after) > 0 else 0 * before_C
    for k, color in zip(range(values.shape[2]), (style.BLUE, style.ORANGE)):
        axes.plot_surface(x, y, values[:, :, k], color=color, alpha=0.35, linewidth=0,
                          rstride=2, cstride=2, rasterized=True)
        axes.plot(*np.column_stack([[*figure3.POINT, before_C[k]], [*after, after_C[k]]]), ":",
                  color=color)
        axes.plot(*[[v] for v in (*figure3.POINT, before_C[k])], "o", color=color, markersize=5)
        axes.plot(*[[v] for v in (*after, after_C[k])], "*", color=color, markersize=9,
                  markeredgecolor="k", markeredgewidth=0.4)
    axes.set_title(title, y=0.94)
    axes.set(xlabel="$p_x$", ylabel="$p_y$", xticks=(-0.5, 0, 0.5), yticks=(-0.5, 0, 0.5))
    axes.tick_params(labelsize=7, pad=-2)
    axes.xaxis.labelpad = axes.yaxis.labelpad = -6
    axes.view_init(22, -60)
    axes.set_box_aspect(None, zoom=0.92)


def draw_triple(axes, title, sets):
    start = figure3.TRIPLE
    axes.plot(*start.T, ":", color=style.GRAY, linewidth=0.9, zorder=1)
    axes.plot(*start.T, "o", markerfacecolor="white", markeredgecolor="k", markersize=6)
    for k, place in enumerate(start):
        axes.annotate(rf"$\mathbf{{p}}_{k + 1}$", place, textcoords="offset points",
                      xytext=(6, 4))
    for constraint, label, color in sets:
        points = figure3.triple_after(constraint)
        axes.plot(*points.T, "*", color=color, markersize=10, label=label, markeredgecolor="k",
                  markeredgewidth=0.3)
    axes.set_title(title)
    axes.set(xlim=(-1.15, 1.25), ylim=(-0.75, 0.95), xlabel="$x$", ylabel="$y$")
    axes.set_aspect("equal")
    if sets:
        axes.legend(loc="lower right")


def draw():
    figure = plt.figure(figsize=(style.PAGE, 4.6))
    for k, (constraint, title) in enumerate(TOPS):
        axes = figure.add_axes((0.0 + 0.335 * k, 0.46, 0.32, 0.5), projection="3d")
        draw_surface(axes, constraint, title)
    left = figure.add_axes((0.09, 0.07, 0.37, 0.34))
    right = figure.add_axes((0.58, 0.07, 0.37, 0.34))
    draw_triple(left, "Three points, before", ())
    draw_triple(right, "After one update", ((figure3.norm, "normed", style.BLUE),
                                            (figure3.vector, "vector", style.GREEN)))
    return figure


def evaluate(_lab, _done):
    outcome = Outcome()
    left = {name: np.linalg.norm(figure3.point_after(c)) for name, c in
            (("norm", figure3.norm), ("vector", figure3.vector), ("cubic", figure3.cubic))}
    gaps = {name: np.linalg.norm(np.diff(figure3.triple_after(c), axis=0), axis=1).max()
            for name, c in (("norm", figure3.norm), ("vector", figure3.vector))}

    def say(quote, measured, *conditions):
        outcome.claim("5.1, Fig. 3", quote, measured, verdict(*conditions), PARAMETERS)

    say("A single XPBD update using the nonlinear vector-valued constraints does not bring p to 0",
        f"|p| = {style.number(left['cubic'])} is left of "
        f"{style.number(np.linalg.norm(figure3.POINT))}", left["cubic"] > ROUND_OFF)
    say("when the constraints are linear, the step is indeed globally exact",
        f"|p| = {style.number(left['vector'])}", left["vector"] <= ROUND_OFF)
    say("the scalar distance constraint exactly brings p to 0 after a single XPBD update",
        f"|p| = {style.number(left['norm'])}", left["norm"] <= ROUND_OFF)
    say("Using scalar constraints (bottom right, blue), a single XPBD update (with a global solve) "
        "does not successfully join the three points",
        f"the wider gap is {style.number(gaps['norm'])} after the update", gaps["norm"] > ROUND_OFF)
    say("the vector-valued, linear constraints (bottom right, green), succeed in exactly joining "
        "the three points", f"the wider gap is {style.number(gaps['vector'])}",
        gaps["vector"] <= ROUND_OFF)
    outcome.figure("fig03", "Constraint definitions and a single XPBD update. Circles: before, "
                   "stars: after. Top: a point drawn to 0 by its norm, by a vector, by a nonlinear "
                   "vector. Bottom: three points joined by norms and by vectors.", draw())
    return outcome
