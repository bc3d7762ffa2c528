#!/usr/bin/python3
"""Error against wall time of the integrators and solves, on the paper's triple pendulum.

Each runs to 2 s at several steps; the error is the largest of the three angles' at 2 s against the
solution in minimal coordinates (tests/data/triple_pendulum.json), the wall time the steps' own
(/timing/step, ten records a run, least of several runs). Then the wall time to 1e-3 rad, by a
straight line through the logarithms, and how that of rattle and genalpha compares with euler's;
last the time of a step against euler with the global solve. Run-away runs are left out.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "shared"), str(HERE.parent / "tests/claims"), str(HERE.parent / "tests")]
from table import SCENE, XSIM, Table, begin  # noqa: E402 (needs the path above)
from test_triple_pendulum import angle_error  # noqa: E402

AT, GOAL, RUNS = 2.0, 1e-3, 3
METHODS = {
    "euler individual": ('{"solve": "individual"}', (1e-3, 1e-4, 2e-5)),
    "euler block": ('{"solve": "block"}', (1e-3, 1e-4, 2e-5)),
    "euler global": ('{"solve": "global"}', (1e-3, 1e-4, 2e-5)),
    "rattle, 1 iteration": ('{"integrator": "rattle", "iterations": 1}', (1e-2, 5e-3, 2e-3, 1e-3)),
    "rattle": ('{"integrator": "rattle"}', (1e-2, 5e-3, 2e-3, 1e-3)),
    "genalpha": ('{"integrator": "genalpha"}', (1e-2, 5e-3, 2e-3, 1e-3)),
}


def run(solver, step, folder, records):
    """Error at AT (rad) and seconds of all steps, or None if it did not get there. Angles are
    followed from record to record: for the error there have to be many."""
    steps, output = round(AT / step), Path(folder) / "out.h5"
    done = subprocess.run([XSIM, SCENE, "-o", output, "-q", "-f", "-s", f"solver={solver}",
                           "-s", f"time.step={step!r}", "-s", f"time.duration={AT}",
                           "-s", f"output.every={steps // records}", "-s", "checks=[]"],
                          capture_output=True, check=False)
    if done.returncode != 0:
        return None
    with h5py.File(output, "r") as result:
        return angle_error(result, AT), AT / step * float(np.mean(result["timing/step"][1:]))


def main():
    begin(__doc__)
    table, wall, step_time = Table("integrators", "s"), {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (solver, steps) in METHODS.items():
            errors, times = [], []
            for step in steps:
                found = run(solver, step, folder, 200)
                if found is None:
                    continue
                errors.append(found[0])
                runs = [run(solver, step, folder, 10) for _ in range(RUNS)]
                times.append(min(seconds for _, seconds in runs))
                step_time[name, step] = times[-1] * step / AT
                table.add(f"{name} at {step:g} s: error {errors[-1]:.2e} rad",
                          [seconds for _, seconds in runs])
            slope, offset = np.polyfit(np.log(errors), np.log(times), 1)
            wall[name] = np.exp(slope * np.log(GOAL) + offset)
            table.add(f"{name} to {GOAL:g} rad", [wall[name]])
    best = min(seconds for name, seconds in wall.items() if name.startswith("euler"))
    ratios = Table("integrators", "1")
    for name, most in (("rattle, 1 iteration", 2.5), ("rattle", 3.3), ("genalpha", 4)):
        ratios.add(f"{name}: wall time to {GOAL:g} rad, of the best euler's", [wall[name] / best],
                   0.1)
        ratios.add(f"{name}: a step at 1 ms, of euler global's",
                   [step_time[name, 1e-3] / step_time["euler global", 1e-3]], most)


if __name__ == "__main__":
    main()
