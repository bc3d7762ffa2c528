#!/usr/bin/python3
"""Time a step of a rod that winds around itself (scenes/paper/plectoneme.json; Tobin & Rucker, Table
2 with collisions), whole steps with detection, contacts and the native band solver.

The step's time is the record's /timing/step, the mean over 10 steps, once the strands touch: the
records of the last turn (7 to 8 turns) that have contacts. Targets are 1.5 times the paper's own
figures (.06 .11 .23, .11 .23 .43, .17 .35 .68 ms), as its processor is about 1.5 times as fast.
"free": the same grid before anything touches, detection included.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import ROOT, XSIM, Table, begin  # noqa: E402 (needs the path above)

SCENE = ROOT / "scenes/paper/plectoneme.json"
CASES = (("linear", 30, 90), ("linear", 60, 165), ("linear", 120, 345),
         ("quadratic", 15, 165), ("quadratic", 30, 345), ("quadratic", 60, 645),
         ("cubic", 10, 255), ("cubic", 20, 525), ("cubic", 40, 1020))


def step_times(discretization, elements, folder):
    """Microseconds a step: of the records without contact, and of those of the last turn with it."""
    result = Path(folder) / "plectoneme.h5"
    command = [XSIM, SCENE, "-o", result, "-q", "-f",
               "-s", f"rods.rod.discretization={discretization}",
               "-s", f"rods.rod.elements={elements}", "-s", "solver.band_solver=native",
               "-s", 'output.fields=["contacts"]', "-s", "output.checkpoint=1e9", "-s", "checks=[]"]
    code = subprocess.run(command).returncode
    with h5py.File(result if result.exists() else f"{result}.partial", "r") as file:
        times, t = file["timing/step"][1:] * 1e6, file["time"][1:]
        count = file["contacts/count"][1:]
    if code:
        print(f"{discretization} {elements}: ended with status {code} at t = {t[-1]:.2f} s")
    return times[(t > 2) & (t < 7)], times[(count > 0) & (t > 9)]


def main():
    begin(__doc__)
    table = Table("plectoneme", "us")
    with tempfile.TemporaryDirectory() as folder:
        for discretization, elements, target in CASES:
            free, touching = step_times(discretization, elements, folder)
            table.add(f"{discretization} {elements} free", free)
            if len(touching):
                table.add(f"{discretization} {elements} touching", touching, target)


if __name__ == "__main__":
    main()
