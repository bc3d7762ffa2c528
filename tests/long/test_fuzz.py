"""Hostile input for a while: each fuzz target of tests/fuzz for XSIM_FUZZ_SECONDS (30) under ASan and
UBSan, by clang's libFuzzer. `make fuzz FUZZ_SECONDS=n` does the same for longer."""
import os
import subprocess
import sys
import unittest

from test_cli import ROOT

SECONDS = os.environ.get("XSIM_FUZZ_SECONDS", "30")


class Fuzz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run(["make", "-j2", "fuzz-build"], cwd=ROOT, text=True,
                              capture_output=True, check=False)
        assert made.returncode == 0, made.stdout + made.stderr

    def fuzz(self, name):
        done = subprocess.run([sys.executable, ROOT / "scripts/fuzz.py", "--seconds", SECONDS,
                               "--only", name, ROOT / "build/fuzz"], text=True,
                              capture_output=True, check=False)
        print(done.stdout, file=sys.stderr, flush=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_json(self):
        self.fuzz("json")

    def test_overrides(self):
        self.fuzz("set")

    def test_sweeps(self):
        self.fuzz("sweep")

    def test_scenes(self):
        self.fuzz("scene")

    def test_changed_results(self):
        self.fuzz("resume")


if __name__ == "__main__":
    unittest.main()
