"""scripts/run-tests.py fails when it has to; above all for leaks, which Criterion lets pass."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LEAK = """
#include <criterion/criterion.h>
#include <stdlib.h>
static void *volatile kept;
Test(memory, leak) { kept = malloc(100); kept = NULL; cr_assert(1); }
"""
CLEAN = """
#include <criterion/criterion.h>
Test(a, one) { cr_assert(1); }
Test(a, two) { cr_assert(1); }
Test(a, left_out) { cr_skip_test("not here"); }
"""
OVERFLOW = """
#include <criterion/criterion.h>
#include <limits.h>
static volatile int big = INT_MAX;
Test(a, overflow) { cr_assert(big + 1 != 0); }
"""
TOO_LARGE = """
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
static volatile size_t size = SIZE_MAX / 4;
Test(a, exhausted) { cr_assert(malloc(size) == NULL); }
"""
CRASH = """
#include <criterion/criterion.h>
#include <stdlib.h>
Test(a, crash) { abort(); }
"""
# Under unittest, whose cases may well expect that the program fails.
LEAKING_PROGRAM = """
#include <stdlib.h>
static void *volatile kept;
int main(void) { kept = malloc(100); kept = NULL; return 3; }
"""
RUNS_PROGRAM = """
import os, subprocess
class T(unittest.TestCase):
  def test_a(self): self.assertNotEqual(subprocess.run([os.environ["XSIM"]]).returncode, 0)
"""
SANITIZE = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, text, *flags):
        source, program = self.folder / "test_it.c", self.folder / "test_it"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["gcc", "-g", *flags, source, "-lcriterion", "-o", program], check=True)
        return program

    def python(self, text):
        path = self.folder / "test_it.py"
        path.write_text("import unittest\n" + text, encoding="utf-8")
        return path

    def run_tests(self, *arguments):
        """Exit status, counts of the total (ran, passed, failed, skipped), output."""
        done = subprocess.run([sys.executable, ROOT / "scripts/run-tests.py", "--logs",
                               self.folder / "logs", *arguments],
                              capture_output=True, text=True, check=False)
        last = done.stdout.splitlines()[-1]
        self.assertTrue(last.startswith("total"), done.stdout + done.stderr)
        return done.returncode, [int(n) for n in re.findall(r"\d+", last)], done.stdout

    def test_counts_of_passing_program(self):
        status, counts, _ = self.run_tests("--criterion", self.build(CLEAN))
        self.assertEqual((status, counts), (0, [3, 2, 0, 1]))

    def test_clean_program_passes_the_memory_checkers(self):
        status, counts, output = self.run_tests("--valgrind", self.build(CLEAN))
        self.assertEqual((status, counts), (0, [3, 2, 0, 1]), output)
        status, counts, output = self.run_tests("--sanitized", self.build(CLEAN, *SANITIZE))
        self.assertEqual((status, counts), (0, [3, 2, 0, 1]), output)

    def test_leak_in_a_passing_criterion_test_fails_under_asan(self):
        status, counts, output = self.run_tests("--sanitized", self.build(LEAK, *SANITIZE))
        self.assertEqual((status, counts), (1, [2, 1, 1, 0]))
        self.assertIn("100 byte(s) leaked", output)

    def test_leak_in_a_passing_criterion_test_fails_under_valgrind(self):
        status, counts, output = self.run_tests("--valgrind", self.build(LEAK))
        self.assertEqual((status, counts), (1, [2, 1, 1, 0]))
        self.assertIn("definitely lost: 100 bytes", output)

    def test_undefined_behaviour_fails(self):
        status, _, output = self.run_tests("--sanitized", self.build(OVERFLOW, *SANITIZE))
        self.assertEqual(status, 1)
        self.assertIn("signed integer overflow", output)

    def test_leak_of_a_program_that_unittest_runs_fails(self):
        cases = self.python(RUNS_PROGRAM)
        for leak, expected in ((LEAKING_PROGRAM, (1, [2, 1, 1, 0])),
                               ("int main(void) { return 3; }", (0, [1, 1, 0, 0]))):
            status, counts, output = self.run_tests(
                "--sanitized-program", self.build(leak, *SANITIZE), "--sanitized-python", cases)
            self.assertEqual((status, counts), expected, output)
            self.assertEqual("100 byte(s) leaked" in output, expected[0] == 1)

    def test_refused_allocation_is_no_error(self):
        program = self.build(TOO_LARGE, *SANITIZE, "-Wno-alloc-size-larger-than")
        status, counts, output = self.run_tests("--sanitized", program)
        self.assertEqual((status, counts), (0, [1, 1, 0, 0]), output)

    def test_crash_fails(self):
        status, counts, _ = self.run_tests("--criterion", self.build(CRASH))
        self.assertEqual((status, counts), (1, [1, 0, 1, 0]))

    def test_program_without_tests_fails(self):
        empty = self.build("#include <criterion/criterion.h>\n")
        self.assertEqual(self.run_tests("--criterion", empty)[0], 1)

    def test_program_without_report_fails(self):
        self.assertEqual(self.run_tests("--criterion", "/bin/true")[0], 1)
        self.assertEqual(self.run_tests("--criterion", "/bin/no-such-program")[0], 1)

    def test_nothing_to_run_fails(self):
        self.assertEqual(self.run_tests()[0], 1)

    def test_command(self):
        self.assertEqual(self.run_tests("--command", "true")[:2], (0, [1, 1, 0, 0]))
        self.assertEqual(self.run_tests("--command", "false")[:2], (1, [1, 0, 1, 0]))

    def test_hanging_program_fails(self):
        status, _, output = self.run_tests("--timeout", "0.2", "--command", "sleep", "5")
        self.assertEqual(status, 1)
        self.assertIn("no end after 0.2 s", output)

    def test_python_counts(self):
        cases = self.python("class T(unittest.TestCase):\n"
                            "  def test_a(self): pass\n"
                            "  def test_b(self): self.fail()\n"
                            "  def test_c(self): self.skipTest('no')\n")
        status, counts, _ = self.run_tests("--python", cases)
        self.assertEqual((status, counts), (1, [3, 1, 1, 1]))

    def test_python_known_limits_count_as_skipped_until_they_pass(self):
        limit = ("class T(unittest.TestCase):\n"
                 "  @unittest.expectedFailure\n"
                 "  def test_a(self): self.assertTrue({})\n"
                 "  def test_b(self): pass\n")
        status, counts, _ = self.run_tests("--python", self.python(limit.format("False")))
        self.assertEqual((status, counts), (0, [2, 1, 0, 1]))
        status, counts, _ = self.run_tests("--python", self.python(limit.format("True")))
        self.assertEqual((status, counts), (1, [2, 1, 1, 0]))

    def test_python_without_tests_or_with_an_error_fails(self):
        self.assertEqual(self.run_tests("--python", self.python(""))[0], 1)
        self.assertEqual(self.run_tests("--python", self.python("import no_such\n"))[0], 1)


if __name__ == "__main__":
    unittest.main()
