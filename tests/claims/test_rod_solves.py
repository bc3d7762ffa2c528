"""How the ways to solve converge where a rod carries a body (scenes/demo/rod_bob.json): the table at
the head of src/solver/system_create.c; and what the joint between them is said to bear."""
import unittest

import numpy as np

from simulate import run


class Weld(unittest.TestCase):
    def test_weld_carries_the_bob(self):
        # m (a - g) of the bob, its velocity's difference quotient being backward Euler's.
        result = run("demo/rod_bob")
        v, h = result["bodies/linear_velocity"][:, 0], 5e-3
        needed = 5 * (np.diff(v, axis=0) / h + (0, 0, 9.81))
        names = [name.decode() for name in result["joints/name"][:]]
        force = result["joints/force"][1:, names.index("weld")]
        error = np.abs(force - needed).max() / np.abs(needed).max()
        print(f"force of the weld: {error:.1e} of {np.abs(needed).max():.0f} N")
        self.assertLess(error, 1e-9)


class WaysToSolve(unittest.TestCase):
    """Joints between rods and bodies: inside the rod's island, or alternating with it."""

    @staticmethod
    def gap(solve, iterations):
        result = run("demo/rod_bob", f"solver.solve={solve}", "solver.update=xpbd", "checks=[]",
                     f"solver.iterations={iterations}", "time.duration=0.5")
        return result["residual/joint"][1:].max()

    def test_convergence(self):
        for solve in ("individual", "block", "global"):
            gaps = [self.gap(solve, iterations) for iterations in (1, 3, 10, 30, 100)]
            print(f"gap after 1, 3, 10, 30, 100 iterations, {solve}:",
                  *(f"{gap:.2g}" for gap in gaps), "m")
            if solve == "individual":
                self.assertGreater(gaps[0], 0.1)
                self.assertGreater(gaps[-1], 1e-3)
            else:
                self.assertLess(gaps[0], 1e-6)
                self.assertLess(gaps[1], 1e-14)


if __name__ == "__main__":
    unittest.main()
