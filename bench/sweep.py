#!/usr/bin/python3
"""What worker processes cost: a sweep of 200 short cases with --jobs 2 against two independent runs,
each pinned to a processor, that make as many steps. The ratio of the wall times (sweep over
runs) is what counts; a target of 0.95 of the runs' throughput is a ratio of 1.053. And the largest
process of a sweep with 200 and with 2000 cases.

Sweep and runs are taken in turn, so that they see the same disturbances. The ratio of their
processor times (all processes, user and system) stands beside that of the wall times: it does not
depend on what else the machine does, and does not see waiting.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import SCENE, XSIM, Table, begin  # noqa: E402 (needs the path above)

ROUNDS = 3
CASES, JOBS = 200, 2
DURATION = 100.0  # s, simulated, of a case
TARGET = 1 / 0.95


def sweep_file(folder, cases, duration):
    path = Path(folder) / f"bench{cases}.sweep.json"
    path.write_text(json.dumps({
        "scene": str(SCENE),
        "parameters": {"gravity.2": [-9 - 1e-3 * i for i in range(cases)],
                       "time.duration": [duration], "output.every": [100], "checks": [[]]},
        "metrics": ["energy.total.final"]}), encoding="utf-8")
    return path


def processor_time():
    """Of all processes waited for so far, s."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def time_sweep(folder, cases, duration):
    """Wall time, s, and largest resident size of one of its processes, MB."""
    command = [str(XSIM), "--sweep", str(sweep_file(folder, cases, duration)), "-o",
               str(Path(folder) / "out"), "--jobs", str(JOBS), "--force", "--quiet"]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(f"{command}: wait status {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1e3


def time_pinned_runs(folder):
    """Wall time, s, until runs of as many steps, one a processor, have all ended."""
    processors = sorted(os.sched_getaffinity(0))[:JOBS]
    if len(processors) < JOBS:
        raise SystemExit(f"this measurement needs {JOBS} processors")
    start = time.perf_counter()
    runs = [subprocess.Popen(
        [str(XSIM), str(SCENE), "-s", f"time.duration={DURATION * CASES / JOBS}", "-s",
         "output.every=100", "-s", "checks=[]", "-o", str(Path(folder) / f"run{p}.h5"), "-q"],
        preexec_fn=lambda p=p: os.sched_setaffinity(0, {p})) for p in processors]
    for run in runs:
        if run.wait() != 0:
            raise SystemExit("a run failed")
    return time.perf_counter() - start


def main():
    begin(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        sweeps, runs, processor = [], [], []
        for _ in range(ROUNDS):
            times = [processor_time()]
            sweeps.append(time_sweep(folder, CASES, DURATION)[0])
            times.append(processor_time())
            runs.append(time_pinned_runs(folder))
            times.append(processor_time())
            processor.append((times[1] - times[0]) / (times[2] - times[1]))
        sizes = {cases: time_sweep(folder, cases, 0.1)[1] for cases in (200, 2000)}

    table = Table("sweep", "s")
    table.add(f"sweep of {CASES} cases, {JOBS} jobs", sweeps)
    table.add(f"{JOBS} pinned runs of as many steps", runs)
    ratios = Table("sweep", "1")
    ratios.add("sweep over pinned runs", [s / r for s, r in zip(sweeps, runs)], TARGET)
    ratios.add("sweep over pinned runs (processor time)", processor, TARGET)
    sizes_table = Table("sweep", "MB")
    for cases, size in sizes.items():
        sizes_table.add(f"largest process of a sweep of {cases} cases", [size])


if __name__ == "__main__":
    main()
