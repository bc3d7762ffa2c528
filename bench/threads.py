#!/usr/bin/python3
"""A scene of 1000 rods of 100 elements on two threads, against two independent runs of it, each
pinned to a processor: steps a second, all together. And how time and memory grow from 100 rods
to 1000.

Runs are taken in turn, so that they see the same disturbances. Of the record's /timing/step, means
over 50 steps, the least counts; a throughput of 0.9 is a ratio of times of 1.11.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import XSIM, Table, begin  # noqa: E402 (needs the path above)

ROUNDS, THREADS, STEPS = 3, 2, 200
TARGET = 1 / 0.9


def scene(n_rods):
    return {"format": 1, "name": "rods", "time": {"step": 1e-3, "duration": STEPS * 1e-3},
            "solver": {"band_solver": "native"},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.4}},
            "rods": [{"name": f"rod{k}", "discretization": "linear", "elements": 100,
                      "shape": {"type": "straight", "length": 1},
                      "pose": {"position": [0, 0.1 * k, 0],
                               "orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
                      "section": {"radius": 0.01}, "material": "rubber",
                      "ends": {"start": "clamped"}} for k in range(n_rods)],
            "output": {"every": 50, "fields": [], "checkpoint": 1e9}}


def start(path, output, threads=1, processor=None):
    pin = (lambda: os.sched_setaffinity(0, {processor})) if processor is not None else None
    return subprocess.Popen([XSIM, path, "-o", output, "-q", "-f", "--threads", str(threads)],
                            preexec_fn=pin)


def wait(run):
    """The largest resident size, MB."""
    _, status, usage = os.wait4(run.pid, 0)
    if status != 0:
        raise SystemExit(f"wait status {status}")
    return usage.ru_maxrss / 1e3


def step_times(output):
    """ms a step."""
    with h5py.File(output, "r") as file:
        return file["timing/step"][1:] * 1e3


def predicted(path):
    """MB, as --check says."""
    text = subprocess.run([XSIM, "--check", path], check=True, capture_output=True,
                          text=True).stdout
    line = next(line for line in text.splitlines() if line.startswith("memory"))
    return float(line.split()[2])


def main():
    begin(__doc__)
    times, ratios = Table("threads", "ms"), Table("threads", "1")
    memory = Table("threads", "MB")
    alone, together = [], []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for n_rods in (100, 1000):
            path = folder / f"rods{n_rods}.json"
            path.write_text(json.dumps(scene(n_rods)), encoding="utf-8")
            largest = wait(start(path, folder / "one.h5"))
            times.add(f"{n_rods} rods, a step", step_times(folder / "one.h5"))
            memory.add(f"{n_rods} rods, largest size", [largest])
            print(f"{n_rods} rods: --check says {predicted(path):.0f} MB")
        for _ in range(ROUNDS):
            runs = [start(path, folder / f"{p}.h5", processor=p) for p in range(THREADS)]
            for run in runs:
                wait(run)
            alone.append(1 / sum(1 / step_times(folder / f"{p}.h5").min()
                                 for p in range(THREADS)))
            wait(start(path, folder / "threads.h5", THREADS))
            together.append(step_times(folder / "threads.h5").min())
    times.add(f"1000 rods, a step of {THREADS} pinned runs, by run", alone)
    times.add(f"1000 rods, a step on {THREADS} threads", together)
    ratios.add(f"a step on {THREADS} threads over one of {THREADS} pinned runs",
               [t / a for t, a in zip(together, alone)], TARGET)


if __name__ == "__main__":
    main()
