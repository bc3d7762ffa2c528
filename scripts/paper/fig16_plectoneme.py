"""Fig. 16: a rod with slack is twisted until it winds around itself (scripts/xsim/curve.py)."""
import xsim
import numpy as np

from . import rods, solid, style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig16", "Fig. 16: plectoneme", "9.5"
REDUCED = True
THICKNESS = 0.1
MIDDLE = 2.0  # m to both sides of the middle are drawn
COLUMNS = ("linear", "quadratic", "cubic")
ROWS = ({"linear": 120, "quadratic": 60, "cubic": 40}, {"linear": 60, "quadratic": 30, "cubic": 20},
        {"linear": 30, "quadratic": 15, "cubic": 10})  # the paper's, finest at the top
SAME, NEARLY = 0.25, 0.05  # of the writhe: "roughly the same", "nearly identical"


def shown(lab):
    return lab.choose(ROWS, ROWS[2:])


def sweeps(lab):
    grids = [(name, n) for row in shown(lab) for name, n in row.items()]
    return {"grids": lab.sweep("fig16_plectoneme", "output.every=20", only=lambda v: (
        v["rods.rod.discretization"], v["rods.rod.elements"]) in grids)}


def draw(cases, rows):
    figure, grid = plt.subplots(len(rows), 3, figsize=(style.PAGE, 1.35 * len(rows)),
                                squeeze=False, layout="constrained")
    for line, row in zip(grid, rows):
        for axes, name in zip(line, COLUMNS):
            position = cases[name, row[name]]["rods/rod/position"][-1]
            points = rods.centre_line(position, name, {"linear": 1}.get(name, 14))
            if name == "linear":  # straight pieces with sharp corners
                s = np.linspace(0, 1, 6, endpoint=False)[:, None]
                points = np.concatenate([a + s * (b - a) for a, b in zip(points, points[1:])])
            solid.draw(axes, [solid.tube(points, THICKNESS / 2, style.DISCRETIZATION[name])],
                       onto_loop(points))
            axes.set_xlim(points[:, 2].mean() - MIDDLE, points[:, 2].mean() + MIDDLE)
            axes.set_title(f"{style.LABEL[name]}, {row[name]} elements", fontsize=8.5)
    bottom, top = (f(axes.get_ylim()[k] for axes in grid.flat) for k, f in ((0, min), (1, max)))
    for axes in grid.flat:
        axes.set_ylim(bottom, top)
    return figure


def onto_loop(points):
    """The rod's axis to the right, its farthest point from it up (or down): rows of solid.view."""
    along = np.array([0, 0, 1.0])
    aside = points - points * along
    up = aside[np.argmax(np.linalg.norm(aside, axis=1))]
    up = up / np.linalg.norm(up)
    return np.array([along, up, np.cross(along, up)])


def evaluate(lab, done):
    outcome, rows = Outcome(), shown(lab)
    cases = done["grids"].wait()
    writhe, error, distance, kink = {}, {}, {}, {}
    for (name, n), case in cases.items():
        with xsim.open(case.file.filename) as run:
            records, twist, wr, gap = run.rods["rod"].link(every=25)
            t = run.time[records]
        turns = np.clip(t - 2, 0, 8)  # of the hand: one a second from 2 s on
        writhe[name, n], distance[name, n] = wr[-1], gap.min()
        error[name, n] = np.abs(twist + wr - turns).max()
        kink[name, n] = rods.kinks(case["rods/rod/position"][-1], name).max()
    parameters = ("`scenes/paper/plectoneme.json`: Table 2's rod; slack (2 m), turns (8), a bump and no "
                  "friction are ours, the paper states none; "
                  + ("its nine grids" if len(rows) == 3 else "the three coarsest of its nine grids"))

    def say(quote, measured, *conditions):
        outcome.claim("9.5, Fig. 16", quote, measured, verdict(*conditions), parameters)

    def listed(values, row, form=".2f"):
        return ", ".join(f"{values[name, n]:{form}} ({n} {name})" for name, n in row.items())

    if len(rows) == 3:
        fine = np.mean([writhe[name, n] for name, n in rows[0].items()])
        say("Regardless of the discretization, the behavior of the plectoneme is roughly the same.",
            "writhe at 8 turns: " + "; ".join(listed(writhe, row) for row in rows),
            *(abs(w / fine - 1) < SAME for w in writhe.values()))
        off = {key: abs(w - fine) for key, w in writhe.items()}
        say("In the bottom row, the quadratic and cubic basis functions yield a result more similar "
            "to the converged solution in the top row.",
            f"writhe {listed(writhe, rows[2])}, of the top row {fine:.2f}",
            *(off[name, rows[2][name]] < off["linear", 30] for name in ("quadratic", "cubic")))
        say("in the middle row of Figure 16, the quadratic and cubic basis functions produce a "
            "result nearly identical to the row above it, while the loop of the linear solution has "
            "not turned all the way", f"writhe {listed(writhe, rows[1])}; above "
            f"{listed(writhe, rows[0])}",
            *(abs(writhe[name, rows[1][name]] / writhe[name, rows[0][name]] - 1) < NEARLY
              for name in ("quadratic", "cubic")),
            writhe["linear", 60] < (1 - NEARLY) * writhe["linear", 120])
    times = {key: case.step_time() for key, case in cases.items()}
    if all(times.values()):
        for row in rows:
            angles = [kink[name, n] for name, n in row.items()]
            spent = [times[name, n] for name, n in row.items()]
            say("For the same number of nodes, higher-order basis functions produce smoother "
                "results, but at a higher computational cost.",
                "sharpest kink between elements " + ", ".join(
                    f"{np.rad2deg(kink[name, n]):.1f}° ({n} {name})" for name, n in row.items())
                + "; processor time a step " + ", ".join(f"{1e3 * t:.2f}" for t in spent) + " ms",
                angles[0] > angles[1] > angles[2], spent[0] < spent[1] < spent[2])
    outcome.figure("fig16", "The rod after 8 turns. Each row has about the same number of nodes.",
                   draw(cases, rows))
    outcome.table("fig16", "The plectoneme at 8 turns",
                  ["discretization", "elements", "writhe", "twist + writhe − turns, at most",
                   "least distance over thickness", "sharpest kink, degrees", "contacts at most",
                   "processor time a step, ms"],
                  [[style.LABEL[name], n, f"{writhe[name, n]:.3f}",
                    style.number(error[name, n]), f"{distance[name, n]:.4f}",
                    f"{np.rad2deg(kink[name, n]):.1f}", int(cases[name, n]["contacts/count"].max()),
                    style.number(1e3 * times[name, n], 3) if times[name, n] else "-"]
                   for name, n in writhe])
    return outcome
