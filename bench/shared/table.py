"""The table of a measurement: appending rows that say what was measured on what.

Columns as in bench/table.h: name, min, median, unit, target, processor, compiler, flags, commit,
variant. The same numbers are printed, with a verdict where there is a target: "met" if the
median meets it, "at best" if only the minimum does. Programs stand in $XSIM's folder.
"""
import argparse
import csv
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import needs  # noqa: E402 (needs the path above)

XSIM = Path(needs.XSIM)
SCENE = ROOT / "scenes/paper/triple_pendulum.json"
COLUMNS = ("name", "min", "median", "unit", "target", "processor", "compiler", "flags", "commit",
           "variant")


def begin(description, *more):
    """The command line of a measurement, which takes no arguments; ends it unless the program that it
    measures is there, and more that make bench builds."""
    argparse.ArgumentParser(description=description,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    needs.program(XSIM)
    for path in more:
        needs.program(path, "make bench", named_by=None)


def processor():
    """The model of the first processor, without commas."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    return found[1].replace(",", ";") if found else "unknown"


def program():
    """Compiler, flags, commit and variant as `xsim --version` tells them."""
    text = subprocess.run([XSIM, "--version"], check=True, capture_output=True, text=True).stdout
    lines = dict(line.split(None, 1) for line in text.splitlines())
    compiler, _, flags = lines["compiler"].partition(" -")
    return {"compiler": compiler, "flags": f"-{flags}", "commit": lines["commit"],
            "variant": lines["processor"].split()[0]}


def verdict(lowest, median, target):
    if target is None:
        return ""
    return "met" if median <= target else "at best" if lowest <= target else "missed"


class Table:
    """Appends to bench/results/<name>.csv and prints; unit holds for all rows."""

    def __init__(self, name, unit, **constants):
        self.path, self.unit = ROOT / "bench/results" / f"{name}.csv", unit
        self.constants = {"processor": processor(), **program(), **constants}
        print(f"{unit:56} {'variant':8} {'min':>8} {'median':>8}  target")

    def add(self, name, values, target=None, **constants):
        lowest, median = min(values), statistics.median(values)
        wanted = "" if target is None else f"{target:g}"
        row = {**self.constants, **constants, "name": name, "min": f"{lowest:.5g}",
               "median": f"{median:.5g}", "unit": self.unit, "target": wanted}
        print(f"{name:56} {row['variant']:8} {row['min']:>8} {row['median']:>8}  {wanted:6} "
              f"{verdict(lowest, median, target)}", flush=True)
        with self.path.open("a", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
            if stream.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
