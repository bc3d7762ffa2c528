"""scripts/figure9.py draws the paper's figure 9: "For only a single element, the degree of basis
function used is obvious. As more elements are used, the rods converge to the same shape." """
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import figure9  # noqa: E402 (needs the path above)

S = np.linspace(0, 1, 241)


class Figure9(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exact = figure9.curve(figure9.nodes_at_rest("cubic", 80), 3, S)

    def off(self, name, elements):
        degree = figure9.DEGREE[name]
        p = figure9.curve(figure9.nodes_at_rest(name, elements), degree, S)
        return np.linalg.norm(p - self.exact, axis=1).max()

    def test_draws_and_says_how_far_each_is_off(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "figure.png"
            done = subprocess.run([sys.executable, ROOT / "scripts/figure9.py", "-o", picture],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(picture.stat().st_size, 20000)
        lines = re.findall(r"(\w+, \d+): tip \S+ \S+, off (\S+)", done.stdout)
        off = {case: float(value) for case, value in lines}
        self.assertEqual(len(off), 7)
        for elements in (1, figure9.MANY):
            self.assertLess(off[f"cubic, {elements}"], off[f"quadratic, {elements}"])
            self.assertLess(off[f"quadratic, {elements}"], off[f"linear, {elements}"])
        for case in off:
            self.assertEqual(off[case] < 1e-3, case.endswith(f", {figure9.MANY}"), case)

    def test_one_element_is_a_polynomial_of_its_degree(self):
        """Differences of the degree do not vanish, those of one more do; it goes through its nodes."""
        for name in ("linear", "quadratic", "cubic"):
            degree = figure9.DEGREE[name]
            nodes = figure9.nodes_at_rest(name, 1)
            at = np.linspace(0, 1, degree + 1)
            np.testing.assert_allclose(figure9.curve(nodes, degree, at), nodes, atol=1e-15)
            p = figure9.curve(nodes, degree, np.linspace(0, 1, 9))
            self.assertLess(np.abs(np.diff(p, degree + 1, axis=0)).max(), 1e-14, name)
            self.assertGreater(np.linalg.norm(np.diff(p, degree, axis=0), axis=1).min(), 1e-3, name)

    def test_all_converge_to_the_same_shape(self):
        """At least of second order: straight lines between nodes cannot do better. The others
        follow a smooth curve with one order more than their degree."""
        for name, order in (("rigid_chain", 2), ("linear", 2), ("quadratic", 3), ("cubic", 4)):
            coarse, fine = self.off(name, 20), self.off(name, 40)
            print(f"{name}: off {coarse:.3g} with 20 elements, {fine:.3g} with 40")
            self.assertGreater(np.log2(coarse / fine), order - 0.2, name)


if __name__ == "__main__":
    unittest.main()
