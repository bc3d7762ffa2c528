#!/usr/bin/python3
"""Refuses includes against the layering of src/ and exported symbols without their prefix.

  check-layers.py [--root FOLDER] [LIBRARY]

- A file in src/<layer>/ includes only its own layer and those below it:
  base < math < model < constraint < collide < solver < io < app.
- cJSON appears in src/io/json.c only, HDF5 in src/io/result*.[ch] and metric.c, LAPACKE and
  CBLAS in src/math.
- A symbol that LIBRARY exports from an object stem.o is called xs_<prefix> or xs_<prefix>_...,
  where prefix is the stem or begins it up to an underscore (result_fields.c may export
  xs_result_record). The AVX2 object exports tables xs_<name>_method_avx2 only.
- No object calls exit or abort: only main ends the process. (assert calls neither by name.)

Prints a line a violation; exit status 1 if there is one, or if nothing was found to check.
"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys
from pathlib import Path

LAYERS = ("base", "math", "model", "constraint", "collide", "solver", "io", "app")

# Header of a library -> files below src/ that may include it.
LIBRARIES = {
    "cJSON.h": ("io/json.c",),
    "hdf5.h": ("io/result*.[ch]", "io/metric.c"),
    "hdf5_hl.h": ("io/result*.[ch]", "io/metric.c"),
    "lapacke.h": ("math/*.[ch]",),
    "cblas.h": ("math/*.[ch]",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def include_problem(name, quote, header):
    """What is wrong with an include in the file src/<name>, or None."""
    allowed = LIBRARIES.get(header.rsplit("/", 1)[-1])
    if allowed is not None:
        if not any(fnmatch.fnmatch(name, pattern) for pattern in allowed):
            return f"<{header}> belongs to {', '.join(allowed)} only"
        return None
    if quote == "<":
        return None
    layer, target = name.split("/", 1)[0], header.split("/", 1)[0]
    if "/" not in header or target not in LAYERS:
        return f'"{header}" names no layer; write "<layer>/<file>.h" ({", ".join(LAYERS)})'
    if LAYERS.index(target) > LAYERS.index(layer):
        return f'"{header}": layer {target} is above layer {layer}'
    return None


def check_includes(root):
    """Violations in all of src/, and the number of files read."""
    files = sorted((root / "src").glob("*/*.[ch]"))
    problems = []
    for path in files:
        name = path.relative_to(root / "src").as_posix()
        if name.split("/", 1)[0] not in LAYERS:
            problems.append(f"src/{name}: its folder is no layer ({', '.join(LAYERS)})")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            problem = found and include_problem(name, *found.groups())
            if problem:
                problems.append(f"src/{name}:{number}: {problem}")
    return problems, len(files)


def symbol_allowed(stem, symbol):
    if stem == "hot_avx2":
        return re.fullmatch(r"xs_\w+_method_avx2", symbol) is not None
    parts = stem.split("_")
    prefixes = ["xs_" + "_".join(parts[:n]) for n in range(1, len(parts) + 1)]
    return any(symbol == prefix or symbol.startswith(prefix + "_") for prefix in prefixes)


def check_symbols(listing):
    """Violations in what `nm -g LIBRARY` printed, and the number of symbols exported."""
    problems, exported, stem = [], 0, None
    for line in listing.splitlines():
        if line.endswith(".o:"):
            stem = line[:-3].rsplit("/", 1)[-1]
            continue
        fields = line.split()
        if len(fields) < 2:
            continue
        kind, symbol = fields[-2:]
        if kind == "U":
            if symbol in ("exit", "abort"):
                problems.append(f"{stem}.o: calls {symbol}; only main ends the process")
            continue
        exported += 1
        if not symbol_allowed(stem, symbol):
            problems.append(f"{stem}.o: exports {symbol}; make it static or call it "
                            f"xs_{stem}_...")
    return problems, exported


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("library", nargs="?", help="libxsim.a")
    arguments = parser.parse_args()

    problems, files = check_includes(arguments.root)
    if files == 0:
        problems.append(f"{arguments.root}/src: no source files found")
    if arguments.library and not Path(arguments.library).is_file():
        problems.append(f"{arguments.library}: there is no such library; 'make' builds it")
    elif arguments.library:
        listing = subprocess.run([os.environ.get("NM", "nm"), "-g", arguments.library],
                                 check=True, capture_output=True, text=True).stdout
        in_symbols, exported = check_symbols(listing)
        problems += in_symbols
        if exported == 0:
            problems.append(f"{arguments.library}: no symbols found")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
