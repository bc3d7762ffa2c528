"""A heap of spheres in a box (scripts/make_spheres.py): contacts with friction never add energy,
wherever the search for their forces ends; nothing leaves the box, and nothing sinks in. With
10 000 of them: tests/long/test_spheres.py."""
import unittest

import numpy as np

from spheres import RADIUS, deepest_in_walls, largest_rise, settle

N = 343


class Spheres(unittest.TestCase):
    def test_energy_never_rises_and_none_leaves(self):
        # block: one iteration over single contacts, which carries a heap's weight by sinking in
        for solve, sunk in (("global", 1e-3), ("block", 5e-2)):
            with self.subTest(solve=solve):
                result = settle(N, 0.4, 1, f"solver.solve={solve}")
                rise, deepest = largest_rise(result), deepest_in_walls(result)
                kinetic = result["energy/kinetic"][:]
                print(f"{N} spheres, {solve}: largest rise {rise:.1e}, deepest in walls "
                      f"{deepest:.1e} radii, kinetic energy {kinetic[-1] / kinetic.max():.1e} of "
                      "its largest")
                self.assertLess(rise, 1e-14)
                self.assertLess(deepest, sunk)
                self.assertLess(kinetic[-1], 0.02 * kinetic.max())

    def test_spheres_do_not_sink_into_each_other(self):
        position = settle(N, 0.4, 1, "solver.solve=global")["bodies/position"][::40, 1:]
        for x in position:
            distance = np.linalg.norm(x[:, None] - x[None], axis=2) + np.eye(N)
            self.assertGreater(distance.min(), 2 * RADIUS * (1 - 1e-3))


if __name__ == "__main__":
    unittest.main()
