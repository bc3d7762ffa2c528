"""Fig. 15: helical springs compressed past buckling (scripts/spring_buckling.py)."""
import numpy as np
import spring_buckling as spring

from . import rods, solid, style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig15", "Fig. 15: helical spring buckling", "9.4"
REDUCED = True
PAPER_BUCKLES = 0.32  # m, "about", from the paper's reference (4)
SHOWN = 0.4           # m: compression of the paper's screenshots
LOOK = {("rigid_chain", 120): (style.PURPLE, "Rigid body, 120"),
        ("linear", 120): (style.RED, "Linear, 120"), ("linear", 250): (style.BLUE, "Linear, 250"),
        ("quadratic", 66): (style.GREEN, "Quadratic, 66"), ("cubic", 40): (style.ORANGE, "Cubic, 40")}
SIDEWAYS = 0.02  # m: the compressions there are compared
AGREES, QUITE_CLOSE = 0.10, 0.01  # relative: "reasonably well", "quite close" and "almost exactly"
SAME_TIME = 1.25  # "roughly the same amount of time": within a quarter of the mean


def sweeps(lab):
    static = ('solver={"mode": "static"}', f"time.step={lab.choose(0.2, 1)}", "output.every=1")
    fields = 'output.fields=["rods", "joints", "stability"]'
    grid = "rods.spring.discretization, rods.spring.elements"
    if lab.quick:  # equilibria only, one every 2.5 mm
        found = lab.sweep_of("fig15_static", "spring_buckling",
                             {grid: [list(rod) for rod in LOOK]}, *static, may_diverge=True)
        truth = lab.sweep_of("fig15_truth", "spring_buckling", {grid: [["cubic", 100]]}, *static,
                             may_diverge=True)
    else:
        found = lab.sweep("fig15_spring_buckling")
        truth = lab.sweep_of("fig15_truth", "spring_buckling", {grid: [["cubic", 500]]})
    return {"found": found, "truth": truth,
            "stability": lab.sweep_of("fig15_stability", "spring_buckling", {}, *static, fields,
                                      may_diverge=True)}


def critical(case):
    """Compression at which the lowest eigenvalue of the equilibria would become zero if it went on
    as where it falls fastest. (It does not: a helix bends sideways from the start, which keeps the
    equilibrium stable.)"""
    c = spring.SPEED * (case["time"] - spring.REST)
    lowest = case["stability/lowest_eigenvalue"]
    slope = np.gradient(lowest, c)
    k = np.argmin(slope)
    return c[k] - lowest[k] / slope[k]


def picture(axes, rod, position, color, label):
    points = rods.centre_line(position, rod[0], {"quadratic": 6, "cubic": 10}.get(rod[0], 1))
    if rod[0] in ("rigid_chain", "linear"):  # straight pieces with sharp corners
        s = np.linspace(0, 1, 4, endpoint=False)[:, None]
        points = np.concatenate([a + s * (b - a) for a, b in zip(points, points[1:])])
    solid.draw(axes, [solid.tube(points, spring.WIRE, color, sides=8)], solid.view(-90, 4))
    axes.set_title(label, color=color, fontsize=8)


def draw(found, truth, critical_at):
    figure = plt.figure(figsize=(style.PAGE, 5.6), layout="constrained")
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.25, 1))
    columns = top.subplots(1, len(LOOK))
    for axes, (rod, (color, label)) in zip(columns, LOOK.items()):
        c, position, _ = found[rod]
        picture(axes, rod, position[np.argmin(abs(c - SHOWN))], color, label)
    low = min(axes.get_xlim()[0] for axes in columns), min(axes.get_ylim()[0] for axes in columns)
    high = max(axes.get_xlim()[1] for axes in columns), max(axes.get_ylim()[1] for axes in columns)
    for axes in columns:
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    axes = bottom.subplots()
    for rod, (color, label) in LOOK.items():
        axes.plot(found[rod][0], 100 * spring.sideways(found[rod][1]), color=color, label=label)
    axes.plot(truth[1][0], 100 * spring.sideways(truth[1][1]), "k--", linewidth=0.9,
              label=f"Cubic, {truth[0]} (truth)")
    for at, text, side in ((PAPER_BUCKLES, "paper: buckles", -1),
                           (spring.haringx(), "Haringx", 1)):
        axes.axvline(at, color=style.GRAY, linestyle=":", linewidth=1)
        axes.annotate(text, (at, 1), xycoords=("data", "axes fraction"), xytext=(3 * side, -10),
                      textcoords="offset points", fontsize=8, color=style.GRAY,
                      ha="left" if side > 0 else "right")
    axes.plot([critical_at], [0], "k^", markersize=6, clip_on=False, zorder=5,
              label="lowest eigenvalue to 0")
    axes.set(xlim=(0.2, 0.42), ylim=(0, 12), xlabel="compression (m)",
             ylabel="lateral displacement\nof the middle node (cm)")
    axes.legend(loc="upper left")
    return figure


def evaluate(lab, done):
    outcome = Outcome()
    cases = done["found"].wait()
    found = {rod: spring.compression(case.file) for rod, case in cases.items()}
    (truth_case,) = done["truth"].wait().values()
    truth = (truth_case.resolved["rods"][0]["elements"], spring.compression(truth_case.file))
    (stability,) = done["stability"].wait().values()
    critical_at = critical(stability)
    measured = {rod: spring.measure_of(*of) for rod, of in found.items()}
    exact = spring.measure_of(*truth[1])
    at = {rod: of["sideways"][SIDEWAYS] for rod, of in measured.items()}
    off = {rod: abs(c - exact["sideways"][SIDEWAYS]) for rod, c in at.items()}
    how = lab.choose("quasistatic motion, h = 5 ms, 2.5 mm/s; truth: 500 cubic elements",
                     "equilibria every 2.5 mm; truth: 100 cubic elements")
    parameters = (f"`scenes/paper/spring_buckling.json`, Table 2's spring between clamped ends; {how}; "
                  f"compared: the compression at which the middle node has moved {100 * SIDEWAYS:g} "
                  "cm sideways, there being no sharp bifurcation")

    def say(quote, text, *conditions):
        outcome.claim("9.4, Fig. 15", quote, text, verdict(*conditions), parameters)

    def name(rod):
        return LOOK[rod][1].lower()

    say("a steel spring with a rest length of 1.4 m, a coil radius of 0.1 m, and 15 coils has a "
        "critical buckling displacement of about 0.32 m",
        f"at 0.32 m the truth has moved {1e3 * exact['at_032']:.1f} mm sideways; the tangent's "
        f"lowest eigenvalue goes to zero at {critical_at:.3f} m (40 cubic elements, extrapolated "
        f"from where it falls fastest), Haringx's formula gives {spring.haringx():.4f} m",
        abs(critical_at / PAPER_BUCKLES - 1) < AGREES)
    say("All tested discretizations agree reasonably well with the theoretical buckling compression",
        ", ".join(f"{name(rod)}: {c:.4f} m" for rod, c in at.items())
        + f"; from the paper's 0.32 m {100 * (min(at.values()) / PAPER_BUCKLES - 1):.0f} to "
        f"{100 * (max(at.values()) / PAPER_BUCKLES - 1):.0f} %, from Haringx's "
        f"{100 * (min(at.values()) / spring.haringx() - 1):.0f} to "
        f"{100 * (max(at.values()) / spring.haringx() - 1):.0f} %",
        *(abs(c / PAPER_BUCKLES - 1) < AGREES for c in at.values()))
    chain, linear, linear250, quadratic, cubic = LOOK
    say("The rigid-body discretization and the linear basis functions with 120 elements are "
        "visually jagged and have by far the worst accuracy",
        "off the truth: " + ", ".join(f"{name(rod)} {1e3 * e:.1f} mm" for rod, e in off.items()),
        min(off[chain], off[linear]) > 2 * max(off[rod] for rod in (linear250, quadratic, cubic)))
    say("Between the two of them, the displacement-compression curve for the rigid-body "
        "discretization is farther from the ground truth.",
        f"{1e3 * off[chain]:.1f} mm against {1e3 * off[linear]:.1f} mm", off[chain] > off[linear])
    say("the spring appears to have a wider diameter than the other discretizations",
        f"coil radius at rest: {1e3 * measured[chain]['radius']:.2f} mm of the chain, "
        + ", ".join(f"{1e3 * measured[rod]['radius']:.2f} ({name(rod)})" for rod in
                    (linear, linear250, quadratic, cubic)),
        all(measured[chain]["radius"] > measured[rod]["radius"] for rod in LOOK if rod != chain))
    truth_at = exact["sideways"][SIDEWAYS]
    say("The quadratic basis discretization with 66 elements is smooth and is quite close to the "
        "ground truth, while the cubic basis discretization with 40 elements agrees almost exactly "
        "with the ground truth.", f"truth {truth_at:.4f} m; off by {1e3 * off[quadratic]:.2f} and "
        f"{1e3 * off[cubic]:.2f} mm",
        off[quadratic] / truth_at < QUITE_CLOSE, off[cubic] < off[quadratic])
    say("while it is much closer to the ground truth than the linear discretization with 120 "
        "elements, it is still slightly worse than the quadratic and cubic discretizations",
        f"250 linear elements: {1e3 * off[linear250]:.1f} mm off",
        off[linear250] < off[linear] / 2, off[linear250] > max(off[quadratic], off[cubic]))
    times = {rod: cases[rod].step_time() for rod in (linear250, quadratic, cubic)}
    if not lab.quick and all(times.values()):
        mean = np.mean(list(times.values()))
        say("The linear basis functions with 250 elements (blue), the quadratic basis functions "
            "with 66 elements (green), and the cubic basis functions with 40 elements (orange) all "
            "take roughly the same amount of time to complete the simulation.",
            ", ".join(f"{1e3 * t:.3f} ms a step ({name(rod)})" for rod, t in times.items()),
            all(1 / SAME_TIME < t / mean < SAME_TIME for t in times.values()))
    outcome.figure("fig15", f"Top: springs compressed by {SHOWN:g} m. Bottom: lateral displacement "
                   "of the middle node against compression.", draw(found, truth, critical_at))
    outcome.table("fig15", "Compression at which the middle node has moved sideways",
                  ["rod", "stiffness, N/m", "coil radius, mm", "1 cm", "2 cm", "5 cm",
                   "moved at 0.32 m, mm"],
                  [[label, f"{of['stiffness']:.2f}", f"{1e3 * of['radius']:.2f}",
                    *(f"{c:.4f}" for c in of["sideways"].values()), f"{1e3 * of['at_032']:.2f}"]
                   for label, of in [*((LOOK[rod][1], measured[rod]) for rod in LOOK),
                                     (f"Cubic, {truth[0]} (truth)", exact)]])
    return outcome
