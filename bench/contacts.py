#!/usr/bin/python3
"""Time a step of bodies and rods in contact: bowling and bristlebots (scenes/paper; Tobin & Rucker,
Table 2), whole steps with detection, contacts and the native band solver.

The step's time is the record's /timing/step, the mean over the steps of a record: the least and
the median of many. "processor time" is the user time of a run less that of its first step,
over its steps: on a busy machine the only one that means something. Targets: 1.5 times the paper's
own figures (1.18 ms; .07 .08 .23 ms), as its processor is about 1.5 times as fast, and no more than
the step itself, so that the scene runs in real time.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import ROOT, XSIM, Table, begin  # noqa: E402 (needs the path above)

# scene, its step (s), simulated (s), target (us)
CASES = (("bowling", 2e-3, 14.5, 1800), ("bristlebot", 1e-4, 0.3, 100),
         ("bristlebot_enclosure", 1e-4, 1.0, 100), ("bristlebot_three", 1e-4, 0.3, 350))


def run(scene, duration, result):
    """User time of a run that records nothing but its times, s."""
    before = os.times().children_user
    subprocess.run([XSIM, ROOT / f"scenes/paper/{scene}.json", "-o", result, "-q", "-f",
                    "-s", f"time.duration={duration!r}", "-s", "output.every=50",
                    "-s", "output.fields=[]", "-s", "output.checkpoint=1e9", "-s", "checks=[]"],
                   check=True)
    return os.times().children_user - before


def main():
    begin(__doc__)
    table = Table("contacts", "us")
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "contacts.h5"
        for scene, step, duration, target in CASES:
            start = run(scene, step, result)
            used = run(scene, duration, result) - start
            with h5py.File(result, "r") as file:
                times = file["timing/step"][1:] * 1e6
            table.add(f"{scene} step", times, target)
            table.add(f"{scene} step, processor time", [used / (duration / step - 1) * 1e6], target)


if __name__ == "__main__":
    main()
