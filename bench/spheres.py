#!/usr/bin/python3
"""Time of a step per sphere of spheres that settle in a box (scripts/make_spheres.py), and of a step
of a stack of ten boxes.

Boxes are as wide as the heap is high, solved together (solve global), 0.5 s in steps of 1 ms: the
fall and most of the settling. A figure is the processor time of a whole run, less that of one of a
single step, by the number of steps and spheres. Below it stands the wall time of the last tenth of
the steps, in which all spheres lie on each other (/timing/step). Last comes what a sphere takes
among 10 000 by one among 1000; a target of 1.3 says that the cost is linear but for memory that is
further away. The energy's largest rise from step to step is printed beside, relative to that at the
start.
"""
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "shared"), str(HERE.parent / "scripts")]
from make_spheres import STEP, spheres  # noqa: E402 (needs the path above)
from table import XSIM, Table, begin  # noqa: E402

SPHERES = (1000, 3000, 10000)
RUNS = {1000: 3, 3000: 1, 10000: 1}
STEPS = 500
RATIO = 1.3
STACK, STACK_STEPS, STACK_TARGET = 10, 2000, 500  # boxes, steps, us


def run(scene, steps, every, folder):
    """Processor seconds of a run of so many steps, and its result's path."""
    path, output = Path(folder) / "scene.json", Path(folder) / "out.h5"
    scene = {**scene, "time": {"step": STEP, "duration": steps * STEP},
             "output": {"every": every, "fields": [], "checkpoint": 1e9}}
    path.write_text(json.dumps(scene), encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([XSIM, path, "-o", output, "--quiet", "--force"], check=True,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output


def step_time(scene, steps, every, folder):
    """Processor microseconds a step; the result's path."""
    start, _ = run(scene, 1, 1, folder)
    whole, output = run(scene, steps, every, folder)
    return 1e6 * (whole - start) / (steps - 1), output


def stack():
    boxes = [{"name": f"box{k}", "position": [0, 0, 0.5 + k], "mass": 1,
              "shapes": [{"type": "box", "half_extents": [0.5, 0.5, 0.5]}]} for k in range(STACK)]
    return {"format": 1, "gravity": [0, 0, -9.81], "solver": {"solve": "global"},
            "contact": {"enabled": True},
            "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]}, *boxes]}


def main():
    begin(__doc__)
    table, least = Table("spheres", "us"), {}
    with tempfile.TemporaryDirectory() as folder:
        times = [step_time(stack(), STACK_STEPS, STACK_STEPS, folder)[0] for _ in range(5)]
        table.add(f"stack of {STACK} boxes, a step, processor time", times, STACK_TARGET)
        for n in SPHERES:
            whole, settled = [], []
            for _ in range(RUNS[n]):
                time, output = step_time(spheres(n), STEPS, 1, folder)
                whole.append(time / n)
                with h5py.File(output, "r") as result:
                    settled += (1e6 / n * result["timing/step"][-STEPS // 10:]).tolist()
                    energy = result["energy/total"][:]
            least[n] = min(whole)
            table.add(f"{n} spheres, a step by the sphere, processor time", whole)
            table.add(f"{n} spheres settled, a step by the sphere", settled)
            print(f"{n} spheres: largest rise of the energy from step to step, by that at the "
                  f"start: {np.diff(energy).max() / energy[0]:.1e}")
    Table("spheres", "1").add(f"a sphere of {SPHERES[-1]} by one of {SPHERES[0]}",
                              [least[SPHERES[-1]] / least[SPHERES[0]]], RATIO)


if __name__ == "__main__":
    main()
