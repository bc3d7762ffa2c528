"""Threads by programs built with ThreadSanitizer, which ends a run at a data race: tests/test_threads.py,
and loops of the pool that hand numbers to each other."""
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TSAN = ROOT / "build/tsan"


class Races(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["make", "tsan-build"], cwd=ROOT, check=True, capture_output=True)

    def no_race(self, *command):
        done = subprocess.run(
            command, cwd=ROOT,
            env={**os.environ, "XSIM": str(TSAN / "xsim"), "PYTHONPATH": "tests",
                 "TSAN_OPTIONS": "halt_on_error=1"}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_in_a_run(self):
        self.no_race(os.environ.get("PYTHON", "/usr/bin/python3"), "tests/test_threads.py")

    def test_in_loops_of_the_pool(self):
        self.no_race(TSAN / "tests/tools/pool_waves")


if __name__ == "__main__":
    unittest.main()
