"""1000 and 10 000 spheres settle in a box: the energy never rises, none is outside. What a step takes by
the sphere is for bench/spheres.py to measure."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "claims"))
from spheres import deepest_in_walls, largest_rise, settle  # noqa: E402 (needs the path above)

STEPS = 400


class TenThousand(unittest.TestCase):
    def test_energy_falls_and_none_leaves(self):
        for n in (1000, 10000):
            result = settle(n, STEPS * 1e-3, 1)
            rise, deepest = largest_rise(result), deepest_in_walls(result)
            print(f"{n} spheres: largest rise of the energy {rise:.1e}, deepest in walls "
                  f"{deepest:.1e} radii")
            self.assertLess(rise, 1e-14)
            self.assertLess(deepest, 1e-2)


if __name__ == "__main__":
    unittest.main()
