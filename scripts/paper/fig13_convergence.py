"""Fig. 13: convergence of a cantilever's tip, by degrees of freedom and by time a step."""
import json

import numpy as np

from . import style
from .model import Outcome, verdict
from .runs import ROOT
from .style import plt

NAME, TITLE, SECTION = "fig13", "Fig. 13: convergence of Cosserat rods", "9.2"
REDUCED = True
NU = 0.5  # of the scene
ORDER = {"rigid_chain": 2, "linear": 2, "quadratic": 4, "cubic": 6}
WITHIN = {2: 0.05, 4: 0.1, 6: 0.15}
FLOOR = 1e-10  # m: below, round-off and what is left of the motion count
FEW = [["rigid_chain", 3], ["linear", 3], ["quadratic", 1], ["quadratic", 3], ["cubic", 1],
       ["cubic", 3]]
SAME_TIME = 1.25  # "roughly the same computation time": within a quarter


def sweeps(lab):
    # Quick: steps that damp more, to the same rest. A step costs the same.
    time = lab.choose(("time.step=5e-3", "time.duration=300", "output.every=3000"),
                      ("time.step=0.1", "time.duration=300", "output.every=150"))
    fields = 'output.fields=["rods"]'
    finest = lab.choose(80, 20)
    return {
        "many": lab.sweep("fig13_cantilever", *time, fields,
                          only=lambda v: v["rods.beam.elements"] <= finest),
        "few": lab.sweep_of("fig13_few", "cantilever",
                            {"rods.beam.discretization, rods.beam.elements": FEW}, *time, fields),
        "reference": lab.sweep_of("fig13_reference", "cantilever", {"rods.beam.elements": [500]},
                                  'solver={"mode":"static"}', 'time={"step":1,"duration":0}',
                                  fields),
    }


def order_of(points):
    """From the last two of (elements, error) above the floor; None where there is one."""
    above = [(n, e) for n, e in points if e > FLOOR]
    if len(above) < 2:
        return None
    (n0, e0), (n1, e1) = above[-2:]
    return np.log(e0 / e1) / np.log(n1 / n0)


def better_than(name, points, of):
    """Whether every point has a smaller error than the chain's in the same time (log-log line,
    extended at the ends)."""
    t, e = np.log([of["rigid_chain", n][1] for n in points["rigid_chain"]]), np.log(
        [of["rigid_chain", n][0] for n in points["rigid_chain"]])
    slope, start = np.polyfit(t, e, 1)
    return all(np.log(of[name, n][0]) < start + slope * np.log(of[name, n][1])
               for n in points[name])


def draw(of, points):
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(style.COLUMN * 1.25, 6.0),
                                         layout="constrained")
    for name, elements in points.items():
        degree = {"quadratic": 2, "cubic": 3}.get(name, 1)
        error = np.array([of[name, n][0] for n in elements])
        look = {"color": style.DISCRETIZATION[name], "marker": style.MARKER[name],
                "label": style.LABEL[name]}
        top.plot(6 * (degree * np.array(elements) + 1), error, **look)
        bottom.plot([1e3 * of[name, n][1] for n in elements], error, **look)
    for name in ("linear", "quadratic", "cubic"):  # slopes, below the curves
        order, degree = ORDER[name], {"quadratic": 2, "cubic": 3}.get(name, 1)
        n = [k for k in points[name] if of[name, k][0] > FLOOR][-2:]
        x, y = 6 * (degree * np.array(n) + 1), 0.3 * of[name, n[0]][0]
        top.plot(x, [y, y * (n[0] / n[1])**order], color="k", linewidth=0.7)
        top.annotate(f"$O(h^{order})$", (np.sqrt(x[0] * x[1]), y * (n[0] / n[1])**(order / 2)),
                     fontsize=8, xytext=(-4, -2), textcoords="offset points", ha="right", va="top")
    top.set(xlabel="degrees of freedom")
    bottom.set(xlabel="processor time per step (ms)")
    for axes in (top, bottom):
        axes.set(xscale="log", yscale="log", ylabel="tip error (m)")
        axes.legend(loc="lower left")
    style.plain_ticks(top.xaxis)
    return figure


def evaluate(lab, done):
    outcome = Outcome()
    data = json.loads((ROOT / "tests/data/cantilever.json").read_text(encoding="utf-8"))
    exact = np.array(next(case["tip"] for case in data["cases"] if case["nu"] == NU))
    cases = {**done["few"].wait(), **done["many"].wait()}
    of = {key: (np.linalg.norm(case["rods/beam/position"][-1, -1] - exact), case.step_time())
          for key, case in cases.items()}
    points = {name: sorted(n for d, n in of if d == name) for name in ORDER}
    number = style.number
    how = lab.choose("h = 5 ms, 60 000 steps to rest", "h = 0.1 s, 3000 steps to the same rest")
    parameters = ("`scenes/paper/cantilever.json`, the paper's rod; ν = 0.5, which it does not "
                  f"state; {how}; error against the continuous rod's tip, solved as a boundary "
                  "value problem without elements")

    def say(quote, measured, *conditions):
        outcome.claim("9.2, Fig. 13", quote, measured, verdict(*conditions), parameters)

    reference = next(iter(done["reference"].wait().values()))
    off = np.linalg.norm(reference["rods/beam/position"][-1, -1] - exact)
    say("A converged reference solution was generated with a finite-element rod with 500 cubic "
        "elements.", f"its tip (at rest by `solver.mode` static) is {number(off)} m from the "
        "continuous rod's", off < 1e-9)

    both = [n for n in points["linear"] if ("rigid_chain", n) in of]
    ratio = [of["rigid_chain", n][0] / of["linear", n][0] for n in both]
    orders = {name: order_of([(n, of[name, n][0]) for n in points[name]]) for name in ORDER}
    say("the linear finite elements are more accurate than the rigid-body discretization for the "
        "same number of DOF, though they have the same O(h²) convergence rate",
        f"{min(ratio):.3g} to {max(ratio):.3g} times smaller errors; orders "
        f"{orders['rigid_chain']:.2f} and {orders['linear']:.2f}", min(ratio) > 1,
        *(abs(orders[name] - 2) < WITHIN[2] for name in ("rigid_chain", "linear")))
    say("the higher-order elements have superior convergence (O(h⁴) for quadratic elements and "
        "O(h⁶) for cubic elements)",
        f"orders {orders['quadratic']:.2f} and {orders['cubic']:.2f}",
        *(abs(orders[name] - ORDER[name]) < WITHIN[ORDER[name]] for name in ("quadratic", "cubic")))

    if all(time for _, time in of.values()):
        time_claims(say, of, points)
        outcome.figure("fig13", "Tip error of the cantilever against degrees of freedom (6 times "
                       "the nodes) and against processor time a step.", draw(of, points))
    else:
        outcome.alarms.append("no processor times: some runs were resumed; run it with a new folder")
    outcome.table("fig13", "Tip error and processor time a step",
                  ["discretization", "elements", "error, m", "ms a step"],
                  [[style.LABEL[name], n, number(of[name, n][0], 4),
                    number(1e3 * of[name, n][1], 3) if of[name, n][1] else "-"]
                   for name in ORDER for n in points[name]])
    return outcome


def time_claims(say, of, points):
    say("the linear and quadratic finite-element parameterizations always have greater accuracy "
        "for the same time budget than the rigid-body discretization",
        "of all points of the table " + ("each lies" if all(
            better_than(name, points, of) for name in ("linear", "quadratic")) else
            "not each lies") + " below the line through those of the chain",
        *(better_than(name, points, of) for name in ("linear", "quadratic")))
    for (fine, m), (coarse, n), quote in (
            (("quadratic", 3), ("linear", 10), "three quadratic elements gives a more accurate "
             "result than ten linear elements at roughly the same computation time"),
            (("cubic", 3), ("quadratic", 5), "three cubic elements gives a more accurate result "
             "than five quadratic elements at roughly the same computation time")):
        better, ratio = of[coarse, n][0] / of[fine, m][0], of[fine, m][1] / of[coarse, n][1]
        say(quote, f"{better:.2f} times smaller error in {ratio:.2f} times the time", better > 1,
            ratio < SAME_TIME)
    growth = {}
    for name, elements in points.items():
        last = elements[-2:]
        growth[name] = (np.log(of[name, last[1]][1] / of[name, last[0]][1]) /
                        np.log(last[1] / last[0]))
    say("Due to the linear time complexity of all discretizations, the convergence rates with time "
        "on the x-axis remains the same.", "from {} to {} elements time grows with the power {}"
        .format(*points["linear"][-2:], ", ".join(f"{g:.2f} ({style.LABEL[name].lower()})"
                                                  for name, g in growth.items())),
        *(g < 1.15 for g in growth.values()))
