#!/usr/bin/python3
"""Static mode against dynamic relaxation to the same rest state: instructions of the solution alone
(callgrind's, less those of a run without steps) and how far apart the rest states are. CSV.

    bench/statics.py [XSIM]      default: $XSIM, or build/xsim
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import needs  # noqa: E402 (needs the path above)

CASES = [("paper/cantilever", "beam", 80, 3), ("paper/cantilever", "beam", 80, 40),
         ("replay/r19_timoshenko", "beam", 400, 1)]


def run(xsim, scene, folder, *overrides):
    """Instructions of a run, and its result."""
    path, counts = os.path.join(folder, "o.h5"), os.path.join(folder, "counts")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", xsim,
               os.path.join(ROOT, "scenes", scene + ".json"), "-o", path, "--quiet", "--force"]
    for override in ("checks=[]", *overrides):
        command += ["--set", override]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    with open(counts, encoding="utf-8") as stream:
        total = next(line for line in stream if line.startswith(("summary:", "totals:")))
    return int(total.split()[1]), h5py.File(path, "r")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("xsim", nargs="?", default=needs.XSIM, metavar="XSIM")
    xsim = parser.parse_args().xsim
    needs.program(xsim)
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is missing (Debian package valgrind)")
        return
    print("scene,elements,static_instructions,dynamic_instructions,ratio,apart_m")
    with tempfile.TemporaryDirectory() as folder:
        for scene, rod, duration, elements in CASES:
            size = f"rods.{rod}.elements={elements}"
            # What starting the program and writing a file cost: a run without steps.
            empty, _ = run(xsim, scene, folder, size, "time.duration=0")
            static, file = run(xsim, scene, folder, size, 'solver={"mode":"static"}',
                               'time={"step":1,"duration":0}', 'output={"every":1}')
            still = file[f"rods/{rod}/position"][-1]
            moving, file = run(xsim, scene, folder, size, f"time.duration={duration}")
            apart = np.abs(file[f"rods/{rod}/position"][-1] - still).max()
            static, moving = static - empty, moving - empty
            print(f"{scene},{elements},{static:.3g},{moving:.3g},{moving / static:.3g},{apart:.2g}")


if __name__ == "__main__":
    main()
