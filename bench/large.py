#!/usr/bin/python3
"""How the time of large scenes grows with their size (scripts/make_large.py): 100 000 free bodies, a rod
of 100 000 elements, 1000 rods of 100, without records and with them, a million records; and an eighth,
a quarter and half of each.

Processor time of the whole program: of --check, which reads, builds and sets up, and of a run of 20
steps (of the records: of a step each). Sizes are run in turn; last comes the exponent of the least
time as a power of the size, by a straight line through the logarithms; a target of 1.1 says that it
is linear but for memory that is further away.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "shared"), str(HERE.parent / "scripts")]
from make_large import large  # noqa: E402 (needs the path above)
from table import XSIM, Table, begin  # noqa: E402

WHOLE = {"bodies": 100000, "rod": 100000, "rods": 1000, "recorded": 1000, "records": 1000000}
PARTS = (8, 4, 2, 1)
RUNS = 3
EXPONENT = 1.1


def processor_time(*arguments):
    """Seconds, the kernel's among them."""
    run = subprocess.Popen([XSIM, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: exit status {run.returncode}")
    return usage.ru_utime + usage.ru_stime


def measure(kind, folder):
    """{what: {size: seconds}}, the least of all runs."""
    sizes = [WHOLE[kind] // part for part in PARTS]
    scenes = {size: Path(folder) / f"{kind}-{size}.json" for size in sizes}
    for size, path in scenes.items():
        path.write_text(json.dumps(large(kind, size)), encoding="utf-8")
    times = {"check": {size: [] for size in sizes}, "run": {size: [] for size in sizes}}
    for _ in range(RUNS):
        for size, path in scenes.items():
            times["check"][size].append(processor_time("--check", path))
            times["run"][size].append(processor_time(path, "-o", Path(folder) / "out.h5", "-q", "-f"))
    return times


def main():
    begin(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        for kind in WHOLE:
            times = measure(kind, folder)
            table = Table("large", "s")
            exponents = {}
            for what, of_size in times.items():
                for size, seconds in of_size.items():
                    table.add(f"{what}, {kind}: {size}", seconds)
                least = [min(seconds) for seconds in of_size.values()]
                exponents[what] = np.polyfit(np.log(list(of_size)), np.log(least), 1)[0]
            table = Table("large", "1")
            for what, exponent in exponents.items():
                # One body is read, however many records there are.
                if (what, kind) != ("check", "records"):
                    table.add(f"exponent of {what}, {kind}", [exponent], EXPONENT)


if __name__ == "__main__":
    main()
