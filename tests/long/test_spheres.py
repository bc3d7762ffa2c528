"""10 000 spheres settle in a box: the energy never rises, none is outside, and a step takes about as
long by the sphere as with 1000 of them."""
import os
import resource
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "claims"))
from spheres import deepest_in_walls, largest_rise, settle  # noqa: E402 (needs the path above)

STEPS = 400
RATIO = 1.3


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class TenThousand(unittest.TestCase):
    def test_energy_falls_none_leaves_and_the_cost_is_linear(self):
        time = {}
        for n in (1000, 10000):
            before = children()
            result = settle(n, STEPS * 1e-3, 1)
            time[n] = (children() - before) / n
            rise, deepest = largest_rise(result), deepest_in_walls(result)
            print(f"{n} spheres: largest rise of the energy {rise:.1e}, deepest in walls "
                  f"{deepest:.1e} radii, {1e6 * time[n] / STEPS:.1f} us a step by the sphere")
            self.assertLess(rise, 1e-14)
            self.assertLess(deepest, 1e-2)
        self.assertLess(time[10000], RATIO * time[1000])


if __name__ == "__main__":
    unittest.main()
