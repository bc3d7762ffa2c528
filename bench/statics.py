#!/usr/bin/env python3
"""Static mode against dynamic relaxation to the same rest state: instructions of the solution alone
(callgrind's, less those of a run without steps) and how far apart the rest states are. CSV.

    bench/statics.py [build/xsim]
"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
XSIM = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "xsim")
CASES = [("paper/cantilever", "beam", 80, 3), ("paper/cantilever", "beam", 80, 40),
         ("replay/r19_timoshenko", "beam", 400, 1)]

def run(scene, folder, *overrides):
    """Instructions of a run, and its result."""
    path, counts = os.path.join(folder, "o.h5"), os.path.join(folder, "counts")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", XSIM,
               os.path.join(ROOT, "scenes", scene + ".json"), "-o", path, "--quiet", "--force"]
    for override in ("checks=[]", *overrides):
        command += ["--set", override]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(counts, encoding="utf-8") as stream:
        total = next(line for line in stream if line.startswith(("summary:", "totals:")))
    return int(total.split()[1]), h5py.File(path, "r")


def main():
    print("scene,elements,static_instructions,dynamic_instructions,ratio,apart_m")
    with tempfile.TemporaryDirectory() as folder:
        for scene, rod, duration, elements in CASES:
            size = f"rods.{rod}.elements={elements}"
            # What starting the program and writing a file cost: a run without steps.
            empty, _ = run(scene, folder, size, "time.duration=0")
            static, file = run(scene, folder, size, 'solver={"mode":"static"}',
                               'time={"step":1,"duration":0}', 'output={"every":1}')
            still = file[f"rods/{rod}/position"][-1]
            moving, file = run(scene, folder, size, f"time.duration={duration}")
            apart = np.abs(file[f"rods/{rod}/position"][-1] - still).max()
            static, moving = static - empty, moving - empty
            print(f"{scene},{elements},{static:.3g},{moving:.3g},{moving / static:.3g},{apart:.2g}")


if __name__ == "__main__":
    main()
