#!/usr/bin/python3
"""Time a step of a swinging cantilever, one iteration, everything from prediction to velocities,
and how it grows with the number of elements (scenes/paper/cantilever.json).

The step's time is the record's /timing/step: the mean over 100 steps; the least and the median
of many; by LAPACK, and with solver.band_solver native. Targets are those of a processor like the
one the tables name; the paper's own figures (.09 .10 .22 .22 .28 ms) were taken on one about 1.5
times as fast.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import ROOT, XSIM, Table, begin  # noqa: E402 (needs the path above)

SCENE = ROOT / "scenes/paper/cantilever.json"
CASES = (("rigid_chain", 120, 90), ("linear", 120, 100), ("linear", 250, 200),
         ("quadratic", 66, 160), ("cubic", 40, 220))
# Fewer elements of higher order that beat more of lower order in error (test_cantilever.py), and
# how much of the others' time a step of them may take.
PAIRS = ((("quadratic", 3), ("linear", 10), 1.0), (("cubic", 3), ("quadratic", 5), 1.1))
GROWTH = (("linear", (100, 1000, 10000)), ("cubic", (40, 400, 4000)))


def step_times(discretization, elements, steps, folder, solver="lapacke"):
    """Microseconds a step, a value each 100 steps."""
    result = Path(folder) / "rod.h5"
    # nothing of the rod is recorded; short steps keep the motion small and smooth
    command = [XSIM, SCENE, "-o", result, "-q", "-f",
               "-s", f"rods.beam.discretization={discretization}",
               "-s", f"rods.beam.elements={elements}", "-s", "time.step=1e-3",
               "-s", f"solver.band_solver={solver}",
               "-s", f"time.duration={steps * 1e-3!r}", "-s", "output.every=100",
               "-s", "output.fields=[]", "-s", "output.checkpoint=1e9", "-s", "checks=[]"]
    subprocess.run(command, check=True)
    with h5py.File(result, "r") as file:
        return file["timing/step"][1:] * 1e6


def main():
    begin(__doc__)
    table = Table("rods", "us")
    with tempfile.TemporaryDirectory() as folder:
        for discretization, elements, target in CASES:
            times = step_times(discretization, elements, 3000, folder)
            table.add(f"{discretization} {elements} step", times, target)
            native = step_times(discretization, elements, 3000, folder, "native")
            table.add(f"{discretization} {elements} step, native", native)
            print(f"native by lapacke: {native.min() / times.min():.3f}")
        for pair in PAIRS:
            least = []
            for discretization, elements in pair[:2]:
                times = step_times(discretization, elements, 10000, folder)
                least.append(times.min())
                table.add(f"{discretization} {elements} step", times)
            print("{} {} against {} {}:".format(*pair[0], *pair[1]),
                  f"{least[0] / least[1]:.3f} of the time (asked for: {pair[2]})")
        for discretization, sizes in GROWTH:
            least = []
            for elements in sizes:
                times = step_times(discretization, elements, max(200, 300000 // elements), folder)
                least.append(times.min())
                table.add(f"{discretization} {elements} step", times)
            exponent = np.polyfit(np.log(sizes), np.log(least), 1)[0]
            print(f"{discretization}: time grows with elements to the power {exponent:.3f} "
                  "(asked for: 1.05)")


if __name__ == "__main__":
    main()
