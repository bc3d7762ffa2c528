"""tests/test_threads.py by a program built with ThreadSanitizer, which ends a run at a data race."""
import os
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Races(unittest.TestCase):
    def test_no_thread_races_another(self):
        subprocess.run(["make", "tsan-build"], cwd=ROOT, check=True, capture_output=True)
        done = subprocess.run(
            [os.environ.get("PYTHON", "/usr/bin/python3"), "tests/test_threads.py"], cwd=ROOT,
            env={**os.environ, "XSIM": str(ROOT / "build/tsan/xsim"), "PYTHONPATH": "tests",
                 "TSAN_OPTIONS": "halt_on_error=1"}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
