"""Rest shape of a cantilever under its weight against the continuous rod's, which comes from a
boundary value problem without elements (tests/data/cantilever.json): errors and orders of the
four discretizations, Fig. 13 of Tobin & Rucker."""
import json
import unittest

import numpy as np

from simulate import data_path, run

# Tip error in m by number of elements; of a rigid_chain: its joints.
ERRORS = {
    "rigid_chain": {5: 2.834e-3, 10: 6.805e-4, 20: 1.684e-4, 40: 4.199e-5, 80: 1.049e-5},
    "linear": {5: 2.513e-4, 10: 6.030e-5, 20: 1.490e-5, 40: 3.715e-6, 80: 9.28e-7},
    "quadratic": {1: 2.893e-3, 3: 4.982e-5, 5: 8.110e-6, 10: 5.513e-7, 20: 3.515e-8, 80: 1.38e-10},
    "cubic": {1: 4.783e-4, 3: 1.612e-6, 5: 7.734e-8, 10: 1.214e-9, 20: 1.90e-11},
}
# Order from the pair of numbers of elements, and what it may be off.
ORDERS = {"rigid_chain": (2, 20, 80, 0.05), "linear": (2, 20, 80, 0.05),
          "quadratic": (4, 10, 20, 0.1), "cubic": (6, 5, 20, 0.15)}


def exact(nu):
    with open(data_path("cantilever.json"), encoding="utf-8") as stream:
        cases = json.load(stream)["cases"]
    return next(case for case in cases if case["nu"] == nu)


def rest(discretization, elements, nu=0.5):
    """At this large step the plain update leaves the round-off of its one solve in the state of
    rest: 3e-12 m with 10 cubic elements, 2e-11 with 20, 2e-8 with 500. Where that is not far
    below the elements' error the corrected update takes it out again."""
    fine = elements >= {"cubic": 10, "quadratic": 80}.get(discretization, 1000)
    update = ("solver.update=corrected", "solver.iterations=3") if fine else ()
    return run("paper/cantilever", f"rods.beam.discretization={discretization}",
               f"rods.beam.elements={elements}", f"materials.rubber.poisson_ratio={nu}",
               "checks=[]", *update)


def tip(result):
    return result["rods/beam/position"][-1, -1]


def error(discretization, elements, nu=0.5):
    return np.linalg.norm(tip(rest(discretization, elements, nu)) - exact(nu)["tip"])


class Errors(unittest.TestCase):
    def test_table(self):
        for discretization, row in ERRORS.items():
            for elements, expected in row.items():
                with self.subTest(discretization=discretization, elements=elements):
                    found = error(discretization, elements)
                    print(f"{discretization} {elements}: {found:.4g} m, {found / expected:.4f} "
                          "of the tabled error")
                    self.assertAlmostEqual(found / expected, 1, delta=0.02)

    def test_orders(self):
        for discretization, (order, coarse, fine, within) in ORDERS.items():
            with self.subTest(discretization=discretization):
                ratio = error(discretization, coarse) / error(discretization, fine)
                found = np.log(ratio) / np.log(fine / coarse)
                print(f"{discretization}: order {found:.3f}")
                self.assertAlmostEqual(found, order, delta=within)

    def test_linear_beats_chain_at_equal_unknowns(self):
        # Either has a node more than elements, so equal numbers of them are equal unknowns.
        for elements in (10, 20, 40, 80):
            ratio = error("rigid_chain", elements) / error("linear", elements)
            print(f"{elements} elements: chain's error {ratio:.2f} times linear's")
            self.assertGreaterEqual(ratio, 10)

    def test_few_elements_of_high_order_beat_more_of_lower(self):
        self.assertLess(error("quadratic", 3), error("linear", 10))
        self.assertLess(error("cubic", 3), error("quadratic", 5))

    def test_500_cubic_elements(self):
        found = error("cubic", 500)
        print(f"500 cubic elements: {found:.3g} m")
        self.assertLess(found, 1e-9)

    def test_another_poisson_ratio(self):
        found = error("cubic", 20, 0.4)
        print(f"nu 0.4, 20 cubic elements: {found:.3g} m")
        self.assertLess(found, 2e-11)


class Rest(unittest.TestCase):
    def test_default_scene_holds_its_checks(self):
        run("paper/cantilever")

    def test_clamp_carries_weight_and_moment(self):
        # The weight at the nodes' places is in balance with the clamp, whatever the elements.
        for discretization in ERRORS:
            with self.subTest(discretization=discretization):
                result = rest(discretization, 10)
                force = result["joints/force"][-1, 0]
                torque = result["joints/torque"][-1, 0]
                x = result["rods/beam/position"][-1, :, 0]
                weight = 9.81 * 1000 * np.pi * 0.05**2
                part = {"quadratic": (1 / 6, 2 / 3, 1 / 6),
                        "cubic": (1 / 8, 3 / 8, 3 / 8, 1 / 8)}.get(discretization, (0.5, 0.5))
                n = len(part) - 1
                moment = sum(np.dot(part, x[n * e:n * e + n + 1]) for e in range(10)) * weight / 10
                np.testing.assert_allclose(force, (0, 0, weight), atol=1e-7 * weight)
                np.testing.assert_allclose(torque, (0, -moment, 0), atol=1e-7 * moment)

    def test_root_moment_is_the_continuous_rods(self):
        torque = rest("cubic", 20)["joints/torque"][-1, 0]
        self.assertAlmostEqual(torque[1] / -exact(0.5)["m0"][1], 1, delta=1e-7)


if __name__ == "__main__":
    unittest.main()
