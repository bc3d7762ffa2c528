"""scripts/figure8.py draws the paper's figure 8, rotation along an element by (99): interpolation
goes through the nodes, follows a curve the better the higher the basis, and does not depend on
the observer; of the linear basis it is the shortest turn from node to node."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import figure8  # noqa: E402 (needs the path above)


def off(A, B):
    return (A.inv() * B).magnitude().max()


class Figure8(unittest.TestCase):
    def test_draws_and_says_how_far_it_is_off(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "figure.png"
            done = subprocess.run([sys.executable, ROOT / "scripts/figure8.py", "-o", picture],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(picture.stat().st_size, 20000)
        lines = re.findall(r"(\w+): at the nodes (\S+), off the curve (\S+)", done.stdout)
        self.assertEqual([line[0] for line in lines], ["linear", "quadratic", "cubic"])
        self.assertLess(max(float(line[1]) for line in lines), 1e-14)
        errors = [float(line[2]) for line in lines]
        self.assertGreater(errors[0], 2 * errors[1])
        self.assertGreater(errors[1], 2 * errors[2])

    def test_objective_under_a_rigid_turn(self):
        turn = Rotation.from_rotvec([1.1, -2.0, 0.7])
        for name, n in figure8.BASES:
            nodes = figure8.nodes_of(n)
            turned = figure8.interpolate(turn * nodes, figure8.XI)
            self.assertLess(off(turn * figure8.interpolate(nodes, figure8.XI), turned), 2e-15, name)

    def test_linear_is_the_shortest_turn(self):
        nodes = figure8.nodes_of(2)
        log = (nodes[0].inv() * nodes[1]).as_rotvec()
        shortest = nodes[0] * Rotation.from_rotvec(np.outer(figure8.XI, log))
        self.assertLess(off(shortest, figure8.interpolate(nodes, figure8.XI)), 2e-15)

    def test_turns_about_one_axis_are_polynomials(self):
        """About one axis logarithms add: a polynomial angle of the basis' degree is met exactly."""
        axis = np.array([2, -1, 2]) / 3
        for name, n in figure8.BASES:
            def turn(xi, n=n):
                angle = sum((0.5 + 0.2 * k) * (-1)**k * xi**k for k in range(n))
                return Rotation.from_rotvec(np.outer(angle, axis))
            nodes = turn(np.linspace(0, 1, n))
            self.assertLess(off(turn(figure8.XI), figure8.interpolate(nodes, figure8.XI)), 5e-15,
                            name)


if __name__ == "__main__":
    unittest.main()
