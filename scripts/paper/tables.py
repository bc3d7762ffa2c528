"""Tables 1 and 2: time a step beside the paper's."""
from . import bowling, fig16_plectoneme, fig17_bristlebot, style
from .fig12_residuals import KEY, B, S, V
from .model import Outcome, SceneMissing, verdict

NAME, TITLE, SECTION = "tables", "Tables 1 and 2: time a step", "9"
REDUCED = True
PAPER_PROCESSOR = "AMD Ryzen 9 7900X"
TABLE_1 = {"triple_pendulum": ("Triple pendulum", {B: 1.29, V: 1.39, S: 1.24}),
           "rps3": ("3-RPS robot", {B: 3.41, V: 5.36, S: 3.36})}  # us a substep
SPRING = {("rigid_chain", 120): 0.09, ("linear", 120): 0.10, ("linear", 250): 0.22,
          ("quadratic", 66): 0.22, ("cubic", 40): 0.28}           # ms a step
PLECTONEME = {("linear", 30): 0.06, ("linear", 60): 0.11, ("linear", 120): 0.23,
              ("quadratic", 15): 0.11, ("quadratic", 30): 0.23, ("quadratic", 60): 0.43,
              ("cubic", 10): 0.17, ("cubic", 20): 0.35, ("cubic", 40): 0.68}
BRISTLEBOT = {"single": ("Single (Fig. 17)", 0.07), "enclosure": ("Single in enclosure (Fig. 17)",
                                                                  0.08),
              "three": ("Multi in enclosures (Fig. 1)", 0.23)}
BOWLING = 1.18
NEGLIGIBLE = 1.1  # vector rows by block may take so much of scalar rows' time


def sweeps(lab):
    """Table 1: so many tiny steps that scalar rows do not blow up; three runs, the least counts.
    Table 2: the runs of the figures, but for the springs of the quick version."""
    step = 1e-5
    steps = lab.choose(300000, 100000)
    done = {name: lab.sweep_of(f"table1_{name}", name, {KEY: [B, V, S],
                                                        "description": ["1", "2", "3"]},
                               f"time.step={step}", f"time.duration={steps * step}",
                               f"output.every={steps}", "output.fields=[]")
            for name in TABLE_1}
    if lab.quick:
        done["spring"] = lab.sweep_of(
            "table2_spring", "spring_buckling",
            {"rods.spring.discretization, rods.spring.elements": [list(rod) for rod in SPRING]},
            "time.duration=5", "output.fields=[]")
    else:
        done["spring"] = lab.sweep("fig15_spring_buckling")  # that of Fig. 15
    done["plectoneme"] = fig16_plectoneme.sweeps(lab)["grids"]
    done["bristlebot"] = fig17_bristlebot.sweeps(lab)
    try:
        done["bowling"] = bowling.sweeps(lab)["throw"]
    except SceneMissing as missing:
        done["bristlebot"]["missing"].append(("bowling", str(missing)))
    return done


def cell(time, unit):
    return style.number(time / unit, 3) if time else "-"


def table_1(outcome, done):
    rows, times = [], {}
    for name, (title, paper) in TABLE_1.items():
        cases = done[name].wait()
        times[name] = {way: min(filter(None, (cases[*way, run].step_time() for run in "123")),
                                default=None) for way in (B, V, S)}
        rows.append([title, *(x for way in (B, V, S)
                              for x in (f"{paper[way]:.2f}", cell(times[name][way], 1e-6)))])
    outcome.table("table1", "Table 1: time a substep, µs", [
        "", "vector + block, paper", "ours", "vector, paper", "ours", "scalar, paper", "ours"], rows,
        f"Paper: {PAPER_PROCESSOR}. Ours: processor time of a run of tiny steps without records, the "
        "least of three runs, without the program's start.")
    return times


def table_2(outcome, done):
    rows, alarms = [], done["bristlebot"]["missing"]

    def add(title, elements, paper, case):
        time = case.step_time() if case else None
        rows.append([title, elements, f"{paper:.2f}", cell(time, 1e-3),
                     f"{1e3 * time / paper:.1f}" if time else "-"])

    for name, of, paper in (("spring", "Spring buckling", SPRING),
                            ("plectoneme", "Plectoneme", PLECTONEME)):
        cases = done[name].wait()
        for rod, time in paper.items():
            add(f"{of}: {style.LABEL[rod[0]]}", rod[1], time, cases.get(rod))
    for name, (title, time) in BRISTLEBOT.items():
        case = next(iter(done["bristlebot"][name].wait().values())) if name in done[
            "bristlebot"] else None
        add(f"Bristle bot: {title}", "(36)1" if name == "three" else "(12)1", time, case)
    case = next(iter(done["bowling"].wait().values())) if "bowling" in done else None
    add("Bowling (Fig. 1)", "(10)8", BOWLING, case)
    for _, path in alarms:
        outcome.alarms.append(f"scene missing: {path}")
    outcome.table("table2", "Table 2: time a step, ms", ["scene", "elements", "paper", "ours",
                                                         "ours over paper"], rows,
                  f"Paper: {PAPER_PROCESSOR}. Ours: processor time of the run over its steps, records "
                  "included, the program's start left out. Rod parameters are those of the paper's "
                  "table.")
    return {row[0] + str(row[1]): row for row in rows}


def loads(done):
    """Range of the machine's load averages at the starts of the runs."""
    found = []
    for sweep in (done["spring"], done["plectoneme"], *(done[name] for name in TABLE_1)):
        found += [usage["load"] for case in sweep.wait().values() if (usage := case.usage())]
    return (min(found), max(found)) if found else None


def evaluate(_lab, done):
    outcome = Outcome()
    times = table_1(outcome, done)
    table_2(outcome, done)
    busy = loads(done)
    if busy:
        outcome.text = (f"Load averages of the machine while these ran: {busy[0]:.1f} to {busy[1]:.1f}. "
                        "Processor times are longer on a busy machine, whose runs share caches.")

    def say(quote, measured, *conditions):
        outcome.claim("9.1, Table 1", quote, measured, verdict(*conditions),
                      "1 iteration a substep, h = 10 µs, one core")

    if all(t for of in times.values() for t in of.values()):
        ratio = {name: of[B] / of[S] for name, of in times.items()}
        say("the nearly negligible difference in execution time between the scalar constraints and "
            "vector constraints with the block solve", "vector by block takes "
            + ", ".join(f"{r:.2f} times ({TABLE_1[name][0]})" for name, r in ratio.items())
            + " the time of scalar", *(r < NEGLIGIBLE for r in ratio.values()))
        slower = {name: of[V] / max(of[B], of[S]) for name, of in times.items()}
        say("The vector constraints with individual solves suffers from having to recompute parts of "
            "the constraints multiple times, leading to slower overall execution times.",
            ", ".join(f"{r:.2f} times ({TABLE_1[name][0]})" for name, r in slower.items())
            + " the slower of the others", *(r > 1 for r in slower.values()))
    return outcome
