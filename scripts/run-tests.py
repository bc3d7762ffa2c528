#!/usr/bin/python3
"""Runs test programs of several kinds and counts their tests in one total.

  --criterion PROG...   Criterion programs as built
  --sanitized PROG...   Criterion programs built with ASan and UBSan
  --valgrind PROG...    Criterion programs under valgrind's memcheck
  --python FILE...      files of unittest cases
  --sanitized-python FILE...  the same, of which the program under test, --sanitized-program PROG,
                        is built with ASan and UBSan
  --command CMD ARG...  one command that checks something; its exit status is its verdict

Output of every program is kept in the folder --logs, that of a failing one is also printed
in full. The last line gives the total. Exit status 1 if a test failed, if a program
crashed, hung, ran no test at all or gave no readable report, or if nothing was run.

Criterion runs each test in a process of its own and does not look at the exit status of a
test that has passed, so a leak found when that process ends would be lost. Therefore both
memory checkers write into files, and any report found there is a failure. So it is for files of
unittest cases, whose tests may expect that the program fails.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What tests find in the environment under a memory checker. It is to see our memory, not that
# of OpenBLAS's idle threads; and a test that limits a time has to know that it is slowed down.
CHECKER = {"OPENBLAS_NUM_THREADS": "1", "XSIM_TEST_SLOWED": "1"}

ROOT = Path(__file__).resolve().parent.parent


class Outcome:
    """What one program's tests came to. A problem is a failure beyond its tests' own."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.passed = self.failed = self.skipped = 0
        self.problems, self.output, self.seconds = [], "", 0.0

    def count_failed(self):
        return self.failed + len(self.problems)

    def line(self):
        verdict = "FAIL" if self.count_failed() else "ok"
        text = f"{verdict:4}  {self.kind:9}  {self.name}: {self.passed} passed"
        for number, word in ((self.count_failed(), "failed"), (self.skipped, "skipped")):
            text += f", {number} {word}" if number else ""
        return f"{text} ({self.seconds:.1f} s)"


def run(outcome, command, log, timeout, **environment):
    """Runs a command in the project's root, its output into the file log; its status."""
    start = time.monotonic()
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, timeout=timeout, text=True,
                              errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        status, outcome.output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as error:
        status = None
        outcome.output = (error.stdout or b"").decode(errors="replace")
        outcome.problems.append(f"no end after {timeout} s")
    except OSError as error:
        status = None
        outcome.problems.append(f"cannot be run: {error}")
    outcome.seconds = time.monotonic() - start
    log.write_text(outcome.output, encoding="utf-8")
    return status


def count_criterion(outcome, report, status):
    """Adds Criterion's XML report."""
    try:
        cases = list(ElementTree.parse(report).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        outcome.problems.append(f"exit status {status}, no readable report ({error})")
        return
    verdicts = [case.get("status") for case in cases]
    outcome.passed = verdicts.count("PASSED")
    outcome.skipped = verdicts.count("SKIPPED")
    outcome.failed = len(verdicts) - outcome.passed - outcome.skipped
    finish(outcome, status)


def count_unittest(outcome, status):
    """Adds what unittest printed last: 'Ran 5 tests in ...', then 'FAILED (failures=1)'."""
    ran = re.findall(r"^Ran (\d+) tests? in ", outcome.output, re.MULTILINE)
    verdict = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?$", outcome.output, re.MULTILINE)
    if not ran or not verdict:
        outcome.problems.append(f"exit status {status}, no readable report")
        return
    counts = {key: int(value) for key, value in re.findall(r"([a-z][a-z ]*)=(\d+)", verdict[-1])}
    # Known limits, expected to fail, prove nothing: they count as skipped.
    outcome.skipped = counts.get("skipped", 0) + counts.get("expected failures", 0)
    outcome.failed = sum(counts.get(key, 0)
                         for key in ("failures", "errors", "unexpected successes"))
    outcome.passed = max(0, int(ran[-1]) - outcome.failed - outcome.skipped)
    finish(outcome, status)


def finish(outcome, status):
    """A program that says nothing failed has to say so by its status, too."""
    if outcome.passed + outcome.failed + outcome.skipped == 0:
        outcome.problems.append("ran no test")
    elif status != 0 and outcome.failed == 0:
        outcome.problems.append(f"exit status {status} though no test failed")


def criterion(name, logs, timeout):
    outcome, report = Outcome("criterion", name), logs / "report.xml"
    status = run(outcome, [name, f"--xml={report}", "-j1"], logs / "output", timeout)
    count_criterion(outcome, report, status)
    return outcome


def sanitizer_options(logs):
    """The environment in which reports of ASan and UBSan go to files."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {"ASAN_OPTIONS": "detect_leaks=1:halt_on_error=1:allocator_may_return_null=1:"
                            f"{options}:log_path={logs}/asan",
            "UBSAN_OPTIONS": f"halt_on_error=1:print_stacktrace=1:log_path={logs}/ubsan",
            "LSAN_OPTIONS": f"suppressions={ROOT}/scripts/lsan.supp:print_suppressions=0"}


def find_reports(outcome, logs):
    """Counts what ASan and UBSan reported."""
    for found in sorted([*logs.glob("asan.*"), *logs.glob("ubsan.*")]):
        text = found.read_text(errors="replace")
        # The rest are warnings, as of an allocation that was too large and gave NULL.
        if re.search(r"ERROR: |runtime error: ", text):
            outcome.problems.append(f"{found.name}:\n{text}")


def sanitized(name, logs, timeout):
    """Reports of leaks come after Criterion's verdict."""
    outcome, report = Outcome("sanitized", name), logs / "report.xml"
    status = run(outcome, [name, f"--xml={report}", "-j1"], logs / "output", timeout,
                 **sanitizer_options(logs), **CHECKER)
    count_criterion(outcome, report, status)
    find_reports(outcome, logs)
    return outcome


def valgrind(name, logs, timeout):
    outcome, report = Outcome("valgrind", name), logs / "report.xml"
    command = ["valgrind", "--trace-children=yes", "--vgdb=no", "--read-inline-info=no", "--leak-check=full",
               "--errors-for-leak-kinds=definite", f"--suppressions={ROOT}/scripts/valgrind.supp",
               f"--log-file={logs}/memcheck.%p", name, f"--xml={report}", "-j1"]
    status = run(outcome, command, logs / "output", timeout, **CHECKER)
    count_criterion(outcome, report, status)
    # A process whose log has no summary was killed; Criterion then counts a crash itself.
    reports = sorted(logs.glob("memcheck.*"))
    if not reports:
        outcome.problems.append("valgrind wrote no report")
    for found in reports:
        text = found.read_text(errors="replace")
        if re.search(r"ERROR SUMMARY: [1-9]", text):
            outcome.problems.append(f"{found.name}:\n{text}")
    return outcome


def python(name, logs, timeout, kind="python", **environment):
    """One file of unittest cases; modules that tests share stand in tests/."""
    outcome, path = Outcome(kind, name), Path(name)
    command = [sys.executable, "-m", "unittest", "discover", "-v", "-s", str(path.parent),
               "-p", path.name]
    status = run(outcome, command, logs / "output", timeout, PYTHONPATH=str(ROOT / "tests"),
                 **environment)
    count_unittest(outcome, status)
    return outcome


def sanitized_python(item, logs, timeout):
    """One file of unittest cases and the sanitized program that they are to run."""
    name, program = item
    outcome = python(name, logs, timeout, kind="sanitized", XSIM=str(Path(program).resolve()),
                     XSIM_TEST_SANITIZED="1", **sanitizer_options(logs), **CHECKER)
    find_reports(outcome, logs)
    return outcome


def command_check(command, logs, timeout):
    outcome = Outcome("command", " ".join(command))
    if run(outcome, command, logs / "output", timeout) == 0:
        outcome.passed = 1
    else:
        outcome.failed = 1
    return outcome


def tasks_of(arguments):
    """Pairs (function, what it runs), the slow kinds first so that they do not come last."""
    kinds = ((valgrind, arguments.valgrind), (python, arguments.python),
             (sanitized_python, [(name, arguments.sanitized_program)
                                 for name in arguments.sanitized_python]),
             (sanitized, arguments.sanitized), (criterion, arguments.criterion),
             (command_check, arguments.command))
    return [(kind, item) for kind, items in kinds for item in items]


def perform(task, logs, timeout):
    """Runs one task with a fresh folder for its logs, and prints its line."""
    kind, item = task
    name = item if isinstance(item, str) else item[0]
    folder = logs / kind.__name__ / re.sub(r"[^\w.-]+", "_", name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    outcome = kind(item, folder, timeout)
    print(outcome.line(), flush=True)
    return outcome


def summarize(outcomes):
    """Prints failing output, a line a kind, the total; returns the exit status."""
    for outcome in outcomes:
        if outcome.count_failed():
            print(f"\n---- {outcome.kind} {outcome.name}\n{outcome.output}")
            for problem in outcome.problems:
                print(f"{outcome.name}: {problem}")
    print()
    for kind in dict.fromkeys(outcome.kind for outcome in outcomes):
        print_counts(f"{kind:9}", [one for one in outcomes if one.kind == kind])
    failed = print_counts("total    ", outcomes)
    return 1 if failed or not sum(outcome.passed for outcome in outcomes) else 0


def print_counts(title, outcomes):
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.count_failed() for outcome in outcomes)
    skipped = sum(outcome.skipped for outcome in outcomes)
    print(f"{title}  {passed + failed + skipped} tests ran: {passed} passed, {failed} failed, "
          f"{skipped} skipped", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for kind in ("criterion", "sanitized", "valgrind", "python", "sanitized-python"):
        parser.add_argument(f"--{kind}", nargs="*", default=[], metavar="PROG")
    parser.add_argument("--sanitized-program", metavar="PROG")
    parser.add_argument("--command", nargs="+", action="append", default=[], metavar="ARG")
    parser.add_argument("--logs", type=Path, required=True, help="folder for the logs")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=float, default=1800, help="seconds a program may take")
    arguments = parser.parse_args()
    if arguments.sanitized_python and not arguments.sanitized_program:
        parser.error("--sanitized-python needs --sanitized-program: what its tests are to run")

    logs = arguments.logs.resolve()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = list(pool.map(lambda task: perform(task, logs, arguments.timeout),
                                 tasks_of(arguments)))
    return summarize(outcomes)


if __name__ == "__main__":
    sys.exit(main())
