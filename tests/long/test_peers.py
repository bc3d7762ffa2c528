"""`make bench-peers` in its reduced form: simulators follow the exact motion as their orders say.

Drivers stand beside the program under test (make test-long builds them), in bench/peers."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# (mode, error at steps of 2 ms over that at 1 ms): of first, second, fourth order
ORDERS = {("xsim", "euler block"): 2, ("xsim", "euler global"): 2, ("xsim", "rattle"): 4,
          ("xsim", "genalpha"): 4, ("MuJoCo", "Euler"): 2, ("MuJoCo", "RK4"): 16,
          ("ODE", "world"): 2, ("Bullet", "MLCP Dantzig"): 2, ("Bullet", "multibody"): 2,
          ("Bullet", "multibody RK4"): 16}
REDUCED = (("MuJoCo", "Euler"), ("MuJoCo", "RK4"), ("Bullet", "multibody"),
           ("Bullet", "multibody RK4"))


class Peers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "bench/peers/compare.py", "--quick",
                                   "-o", folder], capture_output=True, text=True, check=False,
                                  env={**os.environ})
            assert done.returncode == 0, done.stderr
            cls.printed = done.stdout
            with open(Path(folder) / "peers.csv", newline="", encoding="utf-8") as stream:
                cls.rows = {(r["scene"], r["simulator"], r["mode"], float(r["step"])): r
                            for r in csv.DictReader(stream)}
            cls.picture = (Path(folder) / "peers.png").read_bytes()

    def error(self, scene, mode, step):
        return float(self.rows[(scene, *mode, step)]["error"])

    def test_errors_of_the_pendulum_fall_by_the_order_of_each_integrator(self):
        for mode, ratio in ORDERS.items():
            with self.subTest(mode=mode):
                found = self.error("triple", mode, 2e-3) / self.error("triple", mode, 1e-3)
                self.assertGreater(found, 0.9 * ratio)
                self.assertLess(found, 1.1 * ratio)

    def test_joints_of_reduced_coordinates_have_no_gap(self):
        for mode in REDUCED:
            with self.subTest(mode=mode):
                self.assertLess(float(self.rows[("triple", *mode, 1e-3)]["gap"]), 1e-13)

    def test_the_sliding_stack_stops_where_it_should(self):
        # the boxes stop within a step's way, 2 m/s times h, of the exact place
        for mode in (("xsim", "euler global"), ("ODE", "world")):
            for step in (2e-3, 1e-3):
                with self.subTest(mode=mode, step=step):
                    self.assertLess(self.error("slide", mode, step), 2 * step)

    def test_every_run_took_time(self):
        self.assertEqual({"xsim", "MuJoCo", "ODE", "Bullet"}, {key[1] for key in self.rows})
        for key, row in self.rows.items():
            with self.subTest(run=key):
                self.assertGreater(float(row["microseconds"]), 0)

    def test_table_and_picture_are_made(self):
        self.assertIn("=== triple", self.printed)
        self.assertIn("most accurate within", self.printed)
        self.assertEqual(self.picture[:8], b"\x89PNG\r\n\x1a\n")


if __name__ == "__main__":
    unittest.main()
