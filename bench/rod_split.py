#!/usr/bin/python3
"""What a step of a rod spends its instructions on, counted by callgrind: strains and gradients,
assembly of the band, factor, solve, and the rest (prediction, right-hand side, update).

Each rod of bench/rods.py runs twice, over a short and a long number of steps from t = 0, with as
many records; differences of the counts leave out start-up and end. Counts of a function include
what it calls, LAPACK too. They are no times: vector instructions do more than others. One count
a row, so minimum and median are the same. Skipped where valgrind is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import ROOT, XSIM, Table, begin  # noqa: E402 (needs the path above)

CANTILEVER = ROOT / "scenes/paper/cantilever.json"
CASES = (("rigid_chain", 120), ("linear", 120), ("linear", 250), ("quadratic", 66), ("cubic", 40))
SHORT, LONG = 20, 120  # steps
PARTS = {"strains and gradients": r"evaluate", "assembly": r"assemble",
         "factor": r"xs_band_factor", "solve": r"xs_band_solve"}


def counts(discretization, elements, steps, folder):
    """Instructions of a whole run: {"whole": all, part: its functions'}."""
    profile = Path(folder) / "profile"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", XSIM, CANTILEVER,
               "-o", Path(folder) / "rod.h5", "-q", "-f",
               "-s", f"rods.beam.discretization={discretization}",
               "-s", f"rods.beam.elements={elements}", "-s", "time.step=1e-3",
               "-s", f"time.duration={steps * 1e-3!r}", "-s", f"output.every={steps}",
               "-s", "output.fields=[]", "-s", "checks=[]"]
    done = subprocess.run(command, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    # From the folder of the sources it would list functions twice, under both forms of a path.
    text = subprocess.run(["callgrind_annotate", "--auto=no", "--inclusive=yes", "--threshold=100",
                           profile], cwd=folder, capture_output=True, text=True,
                          check=True).stdout

    # Lines of inlined code, which headers hold, are parts of their function's own line.
    found = dict.fromkeys(("whole", *PARTS), 0)
    for line in text.splitlines():
        match = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(\S.*)", line)
        if not match:
            continue
        number, name = int(match[1].replace(",", "")), match[2]
        if name == "PROGRAM TOTALS":
            found["whole"] = number
        for part, function in PARTS.items():
            if re.search(rf"/src/\w+/\w+\.c:{function}\w*\b", name):
                found[part] += number
    return found


def main():
    begin(__doc__)
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is missing (Debian package valgrind)")
        return
    table = Table("rod_split", "instructions")
    with tempfile.TemporaryDirectory() as folder:
        for discretization, elements in CASES:
            short, long = (counts(discretization, elements, n, folder) for n in (SHORT, LONG))
            each = {part: (long[part] - short[part]) / (LONG - SHORT) for part in long}
            each["rest"] = each["whole"] - sum(each[part] for part in PARTS)
            for part, value in each.items():
                table.add(f"{discretization} {elements} {part}", [value])


if __name__ == "__main__":
    main()
