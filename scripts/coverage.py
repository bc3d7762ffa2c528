#!/usr/bin/python3
"""Prints which part of the lines of src/ was run, per file and in total, from what gcov knows
of a build with --coverage (make coverage).

  scripts/coverage.py BUILD [--missing] [--least PERCENT]

A line counts as run if it was run in any object made of it: files for AVX2 are compiled
twice, headers many times. --missing adds the numbers of the lines that were not run. Exit status 1
if less than --least of all lines were run.
"""
import argparse
import collections
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines_run(build):
    """{file of src/: {line: times run}} over all objects of a build."""
    lines = collections.defaultdict(collections.Counter)
    notes = sorted(Path(build).resolve().glob("**/src/**/*.gcno"))
    if not notes:
        raise SystemExit(f"{build}: no build with --coverage; make coverage")
    for note in notes:
        text = subprocess.run([os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", note],
                              cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for file in json.loads(text)["files"]:
            if file["file"].startswith("src/"):
                for line in file["lines"]:
                    lines[file["file"]][line["line_number"]] += line["count"]
    return lines


def ranges(numbers):
    """[3, 4, 5, 9] as '3-5 9'."""
    found = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(f"{a}-{b}" if b > a else str(a) for a, b in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--least", type=float, default=0, metavar="PERCENT")
    arguments = parser.parse_args()

    all_run = all_lines = 0
    print(f"{'lines':>6} {'run':>6} {'%':>6}  file")
    for name, counts in sorted(lines_run(arguments.build).items()):
        run = sum(count > 0 for count in counts.values())
        all_run, all_lines = all_run + run, all_lines + len(counts)
        missing = ranges(sorted(line for line, count in counts.items() if count == 0))
        print(f"{len(counts):6} {run:6} {100 * run / len(counts):6.1f}  {name}"
              f"{'  not: ' + missing if arguments.missing and missing else ''}")
    print(f"{all_lines:6} {all_run:6} {100 * all_run / all_lines:6.1f}  total line coverage")
    return 1 if 100 * all_run < arguments.least * all_lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
