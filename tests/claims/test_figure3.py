"""scripts/figure3.py draws the paper's figure 3 and prints what one update leaves of the error.

What is printed is held to the claims of Tobin & Rucker, section 5.1, with the closed form of
the nonlinear vector's miss; tests/test_figure3.c does it for the simulator's own rows.
"""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Figure3(unittest.TestCase):
    def test_draws_and_agrees_with_the_claims(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "figure.png"
            done = subprocess.run([sys.executable, ROOT / "scripts/figure3.py", "-o", picture],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(picture.stat().st_size, 20000)

        numbers = {}
        for line in done.stdout.splitlines():
            name, values = line.split(":")
            numbers[name] = [float(x) for x in re.findall(r"\d[\d.e+-]*", values)]
        self.assertLess(numbers["one point, norm"][0], 1e-15)
        self.assertLess(numbers["one point, vector"][0], 1e-15)
        miss = ((2 * 0.216 / 2.08) ** 2 + (2 * 0.064 / 1.48) ** 2) ** 0.5
        self.assertAlmostEqual(numbers["one point, nonlinear vector"][0], miss, delta=1e-3)
        self.assertLess(max(numbers["three points, vectors"]), 1e-15)
        self.assertGreater(min(numbers["three points, norms"]), 0.1)


if __name__ == "__main__":
    unittest.main()
