#!/usr/bin/python3
"""Runs the fuzz targets of tests/fuzz, each for a given time, and counts executions.

    scripts/fuzz.py [--seconds N] [--only NAME] FOLDER      FOLDER: of the build (make fuzz-build)

Inputs to begin with are tests/fuzz/corpus, scenes/, tests/good, tests/bad and tests/bad_sweeps; what
is found on the way stays in FOLDER/corpus for the next time. A finding (crash, report of a sanitizer,
leak, hang of 60 s) leaves its input in FOLDER/findings and ends in exit status 1; give that file to
the target, FOLDER/tests/fuzz/fuzz_NAME FILE, to see it again. The last line has the sum."""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import needs

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {"json": 20000, "scene": 16384, "set": 2000, "sweep": 8192, "resume": 49}  # longest input
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "LSAN_OPTIONS": f"suppressions={ROOT}/scripts/lsan.supp:print_suppressions=0",
}


def seeds(name, folder):
    """Copies what a target begins with into folder: small scenes for those that read scenes."""
    folder.mkdir(parents=True, exist_ok=True)
    own = sorted((ROOT / "tests/fuzz/corpus" / name).glob("*"))
    for path in own:
        shutil.copy(path, folder / path.name)
    if name not in ("json", "scene", "sweep"):
        return
    for path in sorted([*ROOT.glob("scenes/*/*.json"), *ROOT.glob("tests/good/*.json"),
                        *ROOT.glob("tests/bad*/*.json")]):
        is_sweep = ".sweep." in path.name or path.parent.name == "bad_sweeps"
        if path.stat().st_size > 16000 or (name != "json" and is_sweep != (name == "sweep")):
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if name == "sweep":  # the scene that the target offers
            text = re.sub(r'"scene": *"[^"]*"', '"scene": "base.json"', text)
        (folder / f"{path.parent.name}-{path.name}").write_text(text, encoding="utf-8",
                                                                errors="surrogateescape")


def run(name, longest, seconds, build):
    """Executions of a target, and its exit status."""
    corpus, findings = build / "corpus" / name, build / "findings" / name
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    seeds(name, build / "seeds" / name)
    command = [build / "tests/fuzz" / f"fuzz_{name}", f"-max_total_time={seconds}", "-timeout=60",
               "-rss_limit_mb=3000", f"-max_len={longest}", "-print_final_stats=1",
               f"-artifact_prefix={findings}/", corpus, build / "seeds" / name]
    log = build / f"fuzz_{name}.log"
    with log.open("w", encoding="utf-8") as stream:
        status = subprocess.run(command, env={**os.environ, **SANITIZERS}, stdout=stream,
                                stderr=subprocess.STDOUT, check=False).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    count = re.findall(r"number_of_executed_units: (\d+)", text)
    if status != 0:
        report = text[max(0, text.find("ERROR:") - 400):]
        print(f"{name}: exit status {status}; {log} ends:\n{report[:4000]}")
    return int(count[-1]) if count else 0, status


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, metavar="FOLDER", help="build/fuzz of make fuzz-build")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--only", choices=TARGETS)
    options = parser.parse_args()
    targets = {name: longest for name, longest in TARGETS.items() if options.only in (None, name)}
    for name in targets:
        needs.program(options.build / "tests/fuzz" / f"fuzz_{name}", "make fuzz-build", named_by=None)
    total, worst = 0, 0
    for name, longest in targets.items():
        count, status = run(name, longest, options.seconds, options.build)
        print(f"fuzz_{name}: {count} executions in {options.seconds} s, "
              f"{'no finding' if status == 0 else 'FINDING'}", flush=True)
        total, worst = total + count, worst or status
    print(f"{total} executions")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
