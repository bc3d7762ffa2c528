"""Runs the experiments of Tobin & Rucker and writes what came out.

  python3 -m paper [--quick] [-o FOLDER] [--jobs N] [EXPERIMENT ...]      (PYTHONPATH=scripts)

FOLDER (default paper, with --quick build/paper-quick) gets report.html, report.md, figures/ (PNG
and PDF), results/ (claims, tables of each experiment as JSON) and runs/ (results of xsim, which a
second call does not make again). The report is made of all that is in results/. Exit status 1 if
an experiment could not be run. The program is $XSIM, default build/xsim.
"""
import argparse
import dataclasses
import json
import os
import re
import subprocess
import sys
import time
import traceback
from pathlib import Path

import needs

from . import registry, report
from .model import Outcome, SceneMissing
from .runs import ROOT, Lab


def machine(xsim):
    """Processor, cores, commit of the program, day."""
    cpus = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*:\s*(.*)$", cpus, re.MULTILINE)
    version = subprocess.run([xsim, "--version"], check=True, capture_output=True, text=True)
    commit = re.search(r"^commit\s+(\S+)", version.stdout, re.MULTILINE)
    return {"processor": model[1] if model else "unknown", "cores": os.cpu_count(),
            "commit": commit[1] if commit else "unknown", "date": time.strftime("%Y-%m-%d")}


def keep(folder, experiment, lab, outcome, status, message, made):
    """figures/*.png, *.pdf and results/NAME.json."""
    for figure in outcome.figures:
        for kind in ("png", "pdf"):
            figure.figure.savefig(folder / "figures" / f"{figure.name}.{kind}",
                                  metadata={"CreationDate": None} if kind == "pdf" else None)
    kept = {"name": experiment.NAME, "title": experiment.TITLE, "section": experiment.SECTION,
            "mode": "quick" if lab.quick and experiment.REDUCED else "full", "status": status,
            "message": message, "alarms": outcome.alarms,
            "machine": made, "text": outcome.text,
            "claims": [dataclasses.asdict(claim) for claim in outcome.claims],
            "figures": [{"name": f.name, "caption": f.caption} for f in outcome.figures],
            "tables": [dataclasses.asdict(table) for table in outcome.tables]}
    (folder / "results" / f"{experiment.NAME}.json").write_text(
        json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def attempt(function, *arguments):
    """(value, status, message)."""
    try:
        return function(*arguments), "done", ""
    except SceneMissing as missing:
        return None, "missing", f"scene missing: {missing}"
    except Exception as error:  # noqa: BLE001 (one experiment's fault leaves the others alone)
        traceback.print_exc()
        return None, "failed", f"failed: {type(error).__name__}: {error}"


def main():
    parser = argparse.ArgumentParser(prog="paper", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [experiment.NAME for experiment in registry.EXPERIMENTS]
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT",
                        help=f"{', '.join(names)}; default: all")
    parser.add_argument("--quick", action="store_true", help="reduced, in minutes")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--jobs", type=int, default=2, help="cores used (default 2)")
    arguments = parser.parse_args()
    wrong = sorted(set(arguments.experiments) - set(names))
    if wrong:
        parser.error(f"no experiment is called {', '.join(wrong)}; there are {', '.join(names)}")
    needs.program()
    folder = arguments.output or ROOT / ("build/paper-quick" if arguments.quick else "paper")
    for part in ("figures", "results"):
        (folder / part).mkdir(parents=True, exist_ok=True)

    xsim = Path(needs.XSIM).resolve()
    made, start = machine(xsim), time.time()
    lab = Lab(folder, xsim, arguments.jobs, arguments.quick)
    chosen = [e for e in registry.EXPERIMENTS if e.NAME in (arguments.experiments or names)]
    failed = 0
    try:
        queued = [(e, attempt(e.sweeps, lab)) for e in chosen]
        for experiment, (done, status, message) in queued:
            outcome = None
            if status == "done":
                outcome, status, message = attempt(experiment.evaluate, lab, done)
            failed += status != "done"
            keep(folder, experiment, lab, outcome or Outcome(), status, message, made)
            said = "; ".join([message or "done", *(outcome.alarms if outcome else ())])
            print(f"{time.time() - start:6.0f} s  {experiment.TITLE}: {said}", flush=True)
    except KeyboardInterrupt:
        print("paper: stopped; the same command goes on", file=sys.stderr)
        return 130
    finally:
        lab.close()
    outcomes = report.write(folder)
    print(f"{report.counts(outcomes)} {folder / 'report.html'}")
    for line in report.loud(outcomes):
        print(line, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
