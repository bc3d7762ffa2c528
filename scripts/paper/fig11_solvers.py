"""Fig. 11: ways to solve a cantilevered rod of five cubic elements."""
import numpy as np

from . import style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig11", "Fig. 11: ways to solve a rod", "8.2"
REDUCED = False
# rod_solve, iterations, substeps: colour and label, the paper's
WAYS = {("banded", 1, 1): (style.BLUE, "block rod solve, 1 iteration"),
        ("individual", 1, 1): (style.RED, "individual, 1 iteration"),
        ("individual", 100, 1): (style.GREEN, "individual, 100 iterations"),
        ("individual", 1, 100): (style.PINK, "individual, 100 substeps")}
EXTRA = (("individual", 1000, 1), ("banded", 1, 100), ("banded", 20, 1))
CONVERGED = 0.03  # relative: lowest tip against the block solve with the same steps
SHOWN = 0.6       # s: the instant of the pictures


def sweeps(lab):
    ways = [list(way) for way in (*WAYS, *EXTRA)]
    return {"ways": lab.sweep_of(
        "fig11_solvers", "solver_comparison",
        {"solver.rod_solve, solver.iterations, time.substeps": ways})}


def curve(position):
    from figure9 import curve as polynomial  # p(s) of the elements' own polynomials
    return polynomial(position[:, [0, 2]], 3, np.linspace(0, 1, 121))


def draw(cases):
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.PAGE, 2.9), layout="constrained",
                                         width_ratios=(1, 1.7))
    for way, (color, label) in WAYS.items():
        case = cases[way]
        time, position = case["time"], case["rods/beam/position"]
        record = np.argmin(abs(time - SHOWN))
        left.plot(*curve(position[record]).T, color=color, linewidth=2.2, solid_capstyle="round",
                  label=label)
        left.plot(*position[record][::3, [0, 2]].T, "o", color=color, markersize=2.8)
        right.plot(time, position[:, -1, 2], color=color, label=label)
    left.set_aspect("equal")
    left.set_xlim(-0.1, 1)
    left.set(xlabel="$x$ (m)", ylabel="$z$ (m)", title=f"Shape at $t$ = {SHOWN:g} s")
    right.set(xlabel="time (s)", ylabel="height of the tip (m)", title="First swing")
    right.set(xlim=(0, time[-1]), ylim=(-1.95, 0.1))
    right.legend(loc="lower right")
    return figure


def evaluate(_lab, done):
    outcome = Outcome()
    cases = done["ways"].wait()
    lowest = {way: case["rods/beam/position"][:, -1, 2].min() for way, case in cases.items()}
    banded, fine = lowest["banded", 1, 1], lowest["banded", 1, 100]
    exact = lowest["banded", 20, 1]
    parameters = ("`scenes/paper/solver_comparison.json`: the cantilever of section 9.2, 5 cubic "
                  "elements, h = 1e-2 s, released horizontal; compared: the tip's lowest point in "
                  f"the first swing, {banded:.3f} m by the block solve")

    def relative(way, to):
        return abs(lowest[way] / to - 1)

    def say(quote, measured, *conditions):
        outcome.claim("8.2, Fig. 11", quote, measured, verdict(*conditions), parameters)

    say("The O(n) block rod solve (blue) maintains the correct stiffness in the rod in one "
        "iteration", f"{banded:.4f} m with one iteration, {exact:.4f} m with 20",
        abs(banded / exact - 1) < CONVERGED)
    say("a single Gauss-Seidel iteration of individual solves (red) is completely flaccid",
        f"{lowest['individual', 1, 1]:.3f} m: the tip falls "
        f"{lowest['individual', 1, 1] / banded:.1f} times as far",
        relative(("individual", 1, 1), banded) > 1)
    say("100 Gauss Seidel iterations per time step (green) is stiffer, but still not fully "
        "converged", f"{lowest['individual', 100, 1]:.3f} m; 1000 iterations: "
        f"{lowest['individual', 1000, 1]:.3f} m",
        lowest["individual", 100, 1] > lowest["individual", 1, 1],
        relative(("individual", 100, 1), banded) > CONVERGED)
    say("100 substeps (pink) are needed to approach the stiffness of a single global solve",
        f"{lowest['individual', 1, 100]:.3f} m; the block solve with 100 substeps, which damp "
        f"less: {fine:.3f} m", relative(("individual", 1, 100), fine) < CONVERGED)
    outcome.figure("fig11", "A released cantilever of five cubic elements by the block solve and "
                   "by individual solves (blocks of 3 rows).", draw(cases))
    outcome.table("fig11", "Lowest point of the tip in the first swing",
                  ["rod solve", "iterations", "substeps", "z, m", "processor time a step, ms"],
                  [[*way, f"{z:.4f}", style.number(1e3 * t if (t := cases[way].step_time()) else
                                                   None, 3)] for way, z in lowest.items()],
                  "Processor time of the whole run over its steps; 150 steps, so that some 0.1 ms "
                  "of it are the program's start.")
    return outcome
