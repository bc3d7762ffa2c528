"""The tests run more than 90 % of the lines of src/ (make coverage)."""
import os
import re
import subprocess
import unittest

from test_cli import ROOT

LEAST = 90


class Coverage(unittest.TestCase):
    def test_most_lines_are_run(self):
        # Not with the flags of the make that runs the tests: gcov reads what gcc has built.
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        done = subprocess.run(["make", "-j2", "coverage"], cwd=ROOT, env=environment, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        last = done.stdout.splitlines()[-1]
        print(last)
        total = re.fullmatch(r" *\d+ +\d+ +([\d.]+)  total line coverage", last)
        self.assertTrue(total, done.stdout)
        self.assertGreater(float(total[1]), LEAST)


if __name__ == "__main__":
    unittest.main()
