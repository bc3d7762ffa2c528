"""Fig. 9: a cantilever of one element and of many, in every basis (scripts/figure9.py)."""
import figure9
import numpy as np

from . import style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig09", "Fig. 9: basis functions of a bent cantilever", "6.3.4"
REDUCED = False
FEW, FINE = 1, 80
SAME = 1e-3  # m off the fine rod at most: 1/100 of the rod's thickness
S = np.linspace(0, 1, 241)


def sweeps(lab):
    # One joint cannot carry this weight (figure9.py), so that a chain is among the many only.
    cases = [[name, n] for n in (FEW, figure9.MANY) for name in figure9.DEGREE
             if (name, n) != ("rigid_chain", FEW)] + [["cubic", FINE]]
    return {"rest": lab.sweep_of(
        "fig09_shapes", "cantilever",
        {"rods.beam.discretization, rods.beam.elements": cases},
        *(override for override in figure9.AT_REST if not override.startswith("checks")))}


def evaluate(_lab, done):
    outcome = Outcome()
    nodes = {key: case["rods/beam/position"][0][:, [0, 2]]
             for key, case in done["rest"].wait().items()}
    exact = figure9.curve(nodes["cubic", FINE], 3, S)
    off = {}
    figure, rows = plt.subplots(1, 2, figsize=(0.8 * style.PAGE, 3.6), layout="constrained",
                                sharey=True)
    for axes, elements in zip(rows, (FEW, figure9.MANY)):
        for name, degree in figure9.DEGREE.items():
            if (name, elements) not in nodes:
                continue
            p = figure9.curve(nodes[name, elements], degree, S)
            off[name, elements] = np.linalg.norm(p - exact, axis=1).max()
            axes.plot(*p.T, color=style.DISCRETIZATION[name], label=style.LABEL[name])
            if elements == FEW:
                axes.plot(*nodes[name, elements].T, style.MARKER[name], clip_on=False,
                          color=style.DISCRETIZATION[name])
        axes.plot(*exact.T, "k:", linewidth=0.9, label=f"{FINE} cubic")
        axes.set_title("1 element" if elements == 1 else f"{elements} elements")
        axes.set_aspect("equal")
        axes.set_xlabel("$x$ (m)")
        axes.legend(loc="lower left")
    rows[0].set_ylabel("$z$ (m)")
    outcome.figure("fig09", "A cantilever under its weight, hanging steeply, of one element (nodes "
                   "marked) and of many.", figure)

    parameters = ("the rod of `scenes/paper/cantilever.json`, five times as heavy (the paper states "
                  "neither rod nor load), at rest by `solver.mode` static")
    few = [off[name, FEW] for name in ("linear", "quadratic", "cubic")]
    outcome.claim("6.3.4, Fig. 9",
                  "For only a single element (top), the degree of basis function used is obvious.",
                  "farthest from the fine rod: linear {}, quadratic {}, cubic {} m".format(
                      *map(style.number, few)), verdict(few[0] > few[1] > few[2] > SAME),
                  parameters)
    many = [off[name, figure9.MANY] for name in figure9.DEGREE]
    outcome.claim("6.3.4, Fig. 9",
                  "As more elements are used (bottom), the rods converge to the same shape.",
                  f"with {figure9.MANY} elements all are within {style.number(max(many))} m of "
                  f"{FINE} cubic ones", verdict(max(many) < SAME), parameters)
    return outcome
