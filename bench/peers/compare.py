#!/usr/bin/python3
"""xsim beside MuJoCo, ODE and Bullet: time of a step, error, joint gap, energy; error against time.

  compare.py [--quick] [--scene NAME]... [--report] [-o FOLDER]

Runs every mode (modes.py) on every scene (scenes.py) at several steps, through drivers that are
timed alike (peer.h), and compares with exact motions (references.py). Into FOLDER
(bench/results): peers.csv (all runs), peers.txt (what is printed), peers.png (error against
processor time). Runs of scenes that are not run again stay in peers.csv; --report runs none.
--quick: the triple pendulum and the sliding stack, two steps. Steps below EQUAL are left out, and
said so, where they would take longer than LIMIT seconds.
"""
import argparse
import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in scenes.py
import matplotlib  # noqa: E402
import numpy as np  # noqa: E402

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (needs the backend)

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "shared")]
from measure import DRIVERS, Measured, Problem  # noqa: E402 (needs the path above)
from modes import MODES  # noqa: E402
from scenes import SCENES  # noqa: E402
from table import XSIM, needs, processor, program  # noqa: E402

STEPS = {"triple": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4),
         "chain": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4),
         "four_bar": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4),
         "stack": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4),
         "slide": (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4)}
EQUAL = 1e-3  # s: the step of the table
LIMIT, HANGS = 3.0, 400.0  # s: of steps; of a run that is given up
GOALS = (1e-2, 1e-3, 1e-5)  # m
BUDGETS = (1e-3, 1e-2, 1e-1, 1.0)  # s
QUICK = {"triple": (2e-3, 1e-3), "slide": (2e-3, 1e-3)}
PACKAGES = ("libmujoco-dev", "libode-dev", "libbullet-dev")
COLOURS = {"xsim": "tab:red", "MuJoCo": "tab:blue", "ODE": "tab:green", "Bullet": "tab:orange"}
COLUMNS = ("scene", "simulator", "mode", "step", "microseconds", "wall_microseconds", "seconds",
           "error", "gap", "energy", "note")


def measure_all(steps_of, origin):
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for name, steps in steps_of.items():
            problem = Problem(name, folder)
            for mode in (m for m in MODES if name in m.scenes):
                seconds = 0.0
                for i, step in enumerate(steps):
                    expected = seconds * steps[i - 1] / step if i else 0
                    if step < EQUAL and expected > LIMIT:
                        runs.append(Measured(mode.simulator, mode.name, name, step,
                                             note=f"left out: about {expected:.1g} s of steps"))
                        continue
                    runs.append(problem.measure(mode, step, time_limit=HANGS))
                    seconds = runs[-1].seconds if runs[-1].seconds > 0 else 0.0
                    print(f"  {name} {mode.simulator} {mode.name} {step:g}: "
                          f"{runs[-1].microseconds:.2f} us, {runs[-1].error:.2e} m "
                          f"{runs[-1].note}", file=sys.stderr)
    for run in runs:
        run.origin = origin
    return runs


# ---- The table of all runs ----

def write_runs(runs, path):
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*COLUMNS, "processor", "xsim", "variant", *PACKAGES])
        for run in runs:
            values = [getattr(run, column) for column in COLUMNS]
            writer.writerow([f"{x:.6g}" if isinstance(x, float) and not np.isnan(x) else
                             "" if isinstance(x, float) else x for x in values] +
                            list(run.origin))


def read_runs(path):
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1:]
    runs = []
    for row in rows:
        values = dict(zip(COLUMNS, row))
        numbers = {c: float(values[c] or "nan") for c in COLUMNS[3:-1]}
        runs.append(Measured(**{**values, **numbers}, origin=tuple(row[len(COLUMNS):])))
    return runs


# ---- What is printed and drawn ----

def name_of(run):
    return f"{run.simulator} {run.mode}"


def table_at(runs, step, say):
    say(f"\n{'steps of ' + format(step, 'g') + ' s':32} {'us a step':>10} {'error':>9} "
        f"{'gap':>9} {'energy':>9}")
    for run in (r for r in runs if r.step == step):
        numbers = " ".join(f"{x:9.2e}" for x in (run.error, run.gap, run.energy))
        say(f"{name_of(run):32} {run.microseconds:10.2f} "
            f"{numbers if not run.note else run.note}")


def ran(runs):
    return [r for r in runs if r.error == r.error]


def best(runs, say):
    """The cheapest to each error, and the most accurate within each time: of every simulator."""
    simulators = list(COLOURS)
    say("\nleast processor time (s) to an error of")
    for goal in GOALS:
        say(f"  {goal:g} m")
        for simulator in simulators:
            able = [r for r in ran(runs) if r.simulator == simulator and r.error <= goal]
            first = min(able, key=lambda r: r.seconds, default=None)
            say(f"    {simulator:8} " + ("none of its runs" if first is None else
                f"{first.seconds:9.2e}  {first.mode}, steps of {first.step:g} s"))
    say("most accurate within")
    for budget in BUDGETS:
        able = [r for r in ran(runs) if r.seconds <= budget]
        first = min(able, key=lambda r: r.error, default=None)
        own = min((r for r in able if r.simulator == "xsim"), key=lambda r: r.error, default=None)
        say(f"  {budget:5g} s  " + ("nothing" if first is None else
            f"{name_of(first)}, steps of {first.step:g} s: {first.error:.1e} m" +
            ("" if first is own else "; xsim: none" if own is None else
             f"; xsim: {own.mode}, {own.step:g} s: {own.error:.1e} m")))


def plot(runs, scenes, path):
    columns = min(3, len(scenes))
    lines = -(-len(scenes) // columns)
    figure, axes = pyplot.subplots(lines, columns, figsize=(6.2 * columns, 5.6 * lines),
                                   squeeze=False)
    for ax in axes.ravel()[len(scenes):]:
        ax.axis("off")
    for ax, name in zip(axes.ravel(), scenes):
        kinds = {}
        for run in ran([r for r in runs if r.scene == name]):
            kinds.setdefault((run.simulator, run.mode), []).append(run)
        count = dict.fromkeys(COLOURS, 0)
        for (simulator, mode), series in kinds.items():
            k = count[simulator]
            count[simulator] += 1
            ax.loglog([r.seconds for r in series], [max(r.error, 1e-14) for r in series],
                      color=COLOURS[simulator], marker="osD^vPX*"[k], linewidth=1, markersize=4,
                      linestyle=("-", "--", ":", "-.")[k % 4], label=f"{simulator} {mode}")
        ax.set_title(SCENES[name]().what, fontsize=9)
        ax.set_xlabel("processor time of the steps (s)")
        ax.set_ylabel("largest error of a centre of mass (m)")
        # what has fallen over says nothing more than that
        ax.set_ylim(top=min(10, ax.get_ylim()[1]))
        ax.grid(alpha=0.3)
        ax.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def versions():
    """Of Debian's packages."""
    found = {}
    for package in PACKAGES:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=False,
                              capture_output=True, text=True)
        found[package] = done.stdout or "unknown"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two scenes, two steps")
    parser.add_argument("--scene", action="append", choices=SCENES, help="these only")
    parser.add_argument("--report", action="store_true", help="from peers.csv, without runs")
    parser.add_argument("-o", "--output", type=Path, default=HERE.parent / "results",
                        help="folder of peers.csv, peers.txt, peers.png")
    arguments = parser.parse_args()
    steps_of = QUICK if arguments.quick else STEPS
    if arguments.scene:
        steps_of = {name: STEPS[name] for name in arguments.scene}
    if not arguments.report:
        for path in (XSIM, *(DRIVERS / name for name in sorted({mode.driver for mode in MODES}))):
            needs.program(path, "make bench-peers", named_by=None)
    arguments.output.mkdir(parents=True, exist_ok=True)
    table, lines = arguments.output / "peers.csv", []

    def say(text):
        lines.append(text)
        print(text, flush=True)

    runs = read_runs(table)
    if arguments.report and not runs:
        sys.exit(f"compare.py: {table}: has no runs to report; 'make bench-peers' makes them")
    if not arguments.report:
        own = program()
        origin = (processor(), own["commit"], own["variant"], *versions().values())
        fresh = measure_all(steps_of, origin)
        runs = [r for r in runs if r.scene not in steps_of] + fresh
        runs.sort(key=lambda r: list(SCENES).index(r.scene))
        write_runs(runs, table)
    for machine, commit, variant, *others in sorted({run.origin for run in runs}):
        say(f"{machine}; xsim {commit} ({variant}); " +
            ", ".join(f"{package} {version}" for package, version in zip(PACKAGES, others)))
    say("us a step: processor time of the step loop; error: farthest any centre of mass ever was "
        "from the exact motion (m);\ngap: of joints, or overlap of boxes (m); energy: its "
        "deviation, of the largest kinetic one (stack: of lifting a box by its height)")
    scenes = [name for name in SCENES if any(r.scene == name for r in runs)]
    for name in scenes:
        here = [r for r in runs if r.scene == name]
        say(f"\n=== {name}: {SCENES[name]().what}")
        table_at(here, EQUAL, say)
        best(here, say)
    (arguments.output / "peers.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    plot(runs, scenes, arguments.output / "peers.png")


if __name__ == "__main__":
    main()
