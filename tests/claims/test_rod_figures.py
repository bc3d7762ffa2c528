"""Figures 11 and 14 of Tobin & Rucker: ways to solve a rod, and shear locking."""
import unittest

import numpy as np

from simulate import run


class SolverComparison(unittest.TestCase):
    """Lowest point of a released cantilever's tip: the softer the solve, the deeper."""

    def lowest(self, *overrides):
        result = run("paper/solver_comparison", "checks=[]", *overrides)
        found = result["rods/beam/position"][:, -1, 2].min()
        print(f"{' '.join(overrides)}: {found:.4f} m, "
              f"{1e3 * np.median(result['timing/step'][1:]):.2f} ms a step")
        return found

    def individual(self, *overrides):
        return self.lowest("solver.rod_solve=individual", *overrides)

    def test_scene_holds_its_checks(self):
        run("paper/solver_comparison")

    def test_banded_needs_one_iteration(self):
        # Backward Euler by Newton's method on 20 linear planar elements, written separately:
        # -0.613660857 m.
        self.assertAlmostEqual(self.lowest(), -0.613660857, delta=1e-4)
        found = self.lowest("rods.beam.discretization=linear", "rods.beam.elements=20",
                            "solver.update=corrected", "solver.iterations=4")
        self.assertAlmostEqual(found, -0.613660857, delta=1e-8)

    def test_individual_needs_a_thousand_sweeps(self):
        banded = self.lowest()
        one, hundred, thousand = (self.individual(f"solver.iterations={n}")
                                  for n in (1, 100, 1000))
        self.assertLess(one, 2 * banded)
        self.assertLess(hundred, 1.3 * banded)
        self.assertAlmostEqual(thousand / banded, 1, delta=0.03)

    def test_substeps_help_more_than_sweeps(self):
        banded = self.lowest("time.substeps=100")
        sweeps = abs(self.individual("solver.iterations=100") - self.lowest())
        self.assertLess(abs(self.individual("time.substeps=100") - banded), 0.1 * sweeps)


class ShearLocking(unittest.TestCase):
    """Tip deflection against Timoshenko's, by slenderness L/r."""

    RADIUS, KAPPA, NU = 0.01, 0.9, 0.5
    SLENDERNESS = (10, 20, 50, 100, 200, 500)
    REDUCED = (("linear", 3, 0.972), ("quadratic", 1, 0.9996), ("cubic", 1, 0.9996))
    FULL = {("linear", 3): {10: 0.474, 100: 0.0089, 500: 0.0004},
            ("quadratic", 1): {10: 0.836, 100: 0.692, 500: 0.420},
            ("cubic", 1): {10: 0.9994, 100: 0.9817, 500: 0.8210}}

    def ratio(self, discretization, elements, quadrature, slenderness):
        length, area = slenderness * self.RADIUS, np.pi * self.RADIUS**2
        second_moment, shear = area * self.RADIUS**2 / 4, self.KAPPA * area / (2 * (1 + self.NU))
        deflection = 0.02 * length  # of Timoshenko's beam under 1 N
        modulus = (length**3 / (3 * second_moment) + length / shear) / deflection
        result = run("paper/shear_locking", f"rods.beam.discretization={discretization}",
                     f"rods.beam.elements={elements}", f"rods.beam.quadrature={quadrature}",
                     f"rods.beam.shape.length={length!r}",
                     f"materials.steel.youngs_modulus={modulus!r}", "checks=[]")
        z = result["rods/beam/position"][:, -1, 2]
        self.assertLess(abs(z[-1] / z[-2] - 1), 1e-6, "not at rest")
        return z[-1] / -deflection

    def test_scene_holds_its_checks(self):
        run("paper/shear_locking")

    def test_reduced_quadrature_does_not_lock(self):
        for discretization, elements, expected in self.REDUCED:
            found = [self.ratio(discretization, elements, "reduced", s) for s in self.SLENDERNESS]
            print(f"{discretization} {elements}, reduced:", *(f"{r:.4f}" for r in found))
            with self.subTest(discretization=discretization):
                self.assertLess(np.ptp(found), 1e-3)
                np.testing.assert_allclose(found, expected, atol=1e-3)

    def test_full_quadrature_locks(self):
        for (discretization, elements), row in self.FULL.items():
            for slenderness, expected in row.items():
                with self.subTest(discretization=discretization, slenderness=slenderness):
                    found = self.ratio(discretization, elements, "full", slenderness)
                    print(f"{discretization} {elements}, full, L/r {slenderness}: {found:.4f}")
                    self.assertAlmostEqual(found, expected, delta=6e-4)


if __name__ == "__main__":
    unittest.main()
