#!/usr/bin/python3
"""Instructions a substep of the loops that bench/step.c times, counted by callgrind.

Each loop runs twice, over a short and a long number of steps from t = 0; the difference of the
counts over the difference of the steps leaves out start-up and end. Counts hardly depend on
what else the machine does, so they show a change of a per cent that times cannot show. They
are no times: instructions differ in cost, and what the kernel does is not counted. One count
a row, so minimum and median are the same. Skipped where valgrind is missing.
"""
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import SCENE, XSIM, Table, begin  # noqa: E402 (needs the path above)

STEP = XSIM.parent / "bench/step"
SHORT, LONG = 500, 4500  # steps; recording ends with a write of all records either way

# What a row is called, by solve: the loop that counts it and the loop to take off. Observing
# and recording are the same for every solve.
ROWS = {"block": (("substep", "plain", None), ("observe", "observed", "plain"),
                  ("record", "recorded", "observed")),
        "individual": (("substep", "plain", None),)}


def count(variant, solve, loop, steps):
    """Instructions of a whole run of the loop."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", STEP, "--count",
               loop, solve, str(steps), SCENE]
    environment = {**os.environ, "XSIM_ISA": variant, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return int(collected[1])


def variants():
    """The variants that this processor can run, by what xsim says when asked for them."""
    for variant in ("baseline", "avx2"):
        said = subprocess.run([XSIM, "--version"], env={**os.environ, "XSIM_ISA": variant},
                              check=True, capture_output=True, text=True).stdout
        if re.search(rf"^processor\s+{variant}\b", said, re.MULTILINE):
            yield variant


def main():
    begin(__doc__, STEP)
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is missing (Debian package valgrind)")
        return
    table = Table("instructions", "instructions")
    loops = [(variant, solve, loop) for variant in variants() for solve, rows in ROWS.items()
             for _, loop, _ in rows]
    tasks = [(*loop, steps) for loop in loops for steps in (SHORT, LONG)]

    # Counting does not mind a neighbour, so all processors may count.
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        counts = dict(zip(tasks, pool.map(lambda task: count(*task), tasks)))

    def each_step(variant, solve, loop):
        if loop is None:
            return 0
        return (counts[variant, solve, loop, LONG] -
                counts[variant, solve, loop, SHORT]) / (LONG - SHORT)

    for variant in dict.fromkeys(loop[0] for loop in loops):
        for solve, rows in ROWS.items():
            for name, loop, less in rows:
                value = each_step(variant, solve, loop) - each_step(variant, solve, less)
                table.add(f"{SCENE.stem} {solve} {name}", [value], variant=variant)


if __name__ == "__main__":
    main()
