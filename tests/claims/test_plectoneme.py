"""A rod wound around itself (scenes/paper/plectoneme.json): link = twist + writhe. All grids of the
paper: tests/long/test_plectoneme_grids.py."""
import os
import sys
import unittest

import numpy as np

from simulate import ROOT, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import xsim  # noqa: E402 (needs the path above)
from xsim import curve  # noqa: E402


def simulated(grid, environment=None):
    discretization, elements = grid.split(":")
    return run("paper/plectoneme", f"rods.rod.discretization={discretization}",
               f"rods.rod.elements={elements}",
               "checks=[]", environment=environment)


def measured(grid, every=50, environment=None):
    """t, twist, writhe, least distance / thickness, contacts, at every so many records."""
    result = xsim.open(simulated(grid, environment))
    records, *found = result.rods["rod"].link(every)
    return result.time[records], *found, result.n_contacts()[records]


def turned(t):
    """Turns of the hand."""
    return np.clip(t - 2, 0, 8)


def first_contact(grid):
    """Turns at the first record with a force between strands."""
    result = simulated(grid)
    first, count, force = (result[f"contacts/{name}"][:] for name in ("first", "count", "force"))
    touching = [np.any(force[a:a + n] != 0) for a, n in zip(first, count)]
    return turned(result["time"][np.argmax(touching)]) if any(touching) else np.inf


class Measures(unittest.TestCase):
    def test_writhe_of_a_crossing(self):
        """Long pieces that cross at right angles, the one above (along -y) from right to left of the
        one below (along x): writhe 1, and -1 in a mirror."""
        over = [[-1e4, 0, 0], [1e4, 0, 0], [1e4, 1e4, 0.5], [0, 1e4, 1], [0, -1e4, 1]]
        self.assertAlmostEqual(curve.writhe(np.array(over, dtype=float)), 1, delta=2e-3)
        mirrored = np.array(over, dtype=float) * [1, 1, -1]
        self.assertAlmostEqual(curve.writhe(mirrored), -1, delta=2e-3)

    def test_helix(self):
        """Writhe of a long helix of n turns with straight ends: n (1 - sin a), pitch angle a; the
        twist of its Frenet frame: n sin a."""
        n, a = 20, np.deg2rad(60)
        phi = np.linspace(0, 2 * np.pi * n, 200 * n + 1)
        points = np.stack([np.cos(phi), np.sin(phi), phi * np.tan(a)], axis=1)
        middle = (phi[:-1] + phi[1:]) / 2
        d1 = np.stack([-np.cos(middle), -np.sin(middle), 0 * middle], axis=1)
        self.assertAlmostEqual(curve.twist(points, d1) / (n * np.sin(a)), 1, delta=1e-3)
        axis = np.array([0, 0, 1.0])
        line, _ = curve.with_ends(points, d1, axis, axis, d1[0], d1[-1])
        self.assertAlmostEqual(curve.writhe(line) / (n * (1 - np.sin(a))), 1, delta=0.1)


class Plectoneme(unittest.TestCase):
    def test_twist_and_writhe_are_the_turns(self):
        for grid, within, writhe in (("linear:30", 2e-3, 1.19), ("cubic:20", 4e-4, 2.06)):
            with self.subTest(grid=grid):
                t, twist, writhed, distance, _ = measured(grid)
                self.assertLess(np.abs(twist + writhed - turned(t)).max(), within)
                self.assertAlmostEqual(writhed[-1], writhe, delta=0.09)
                self.assertGreater(distance.min(), 0.98)

    def test_first_contact(self):
        turns = first_contact("cubic:20")
        self.assertGreater(turns, 6.0)
        self.assertLess(turns, 6.5)


if __name__ == "__main__":
    unittest.main()
