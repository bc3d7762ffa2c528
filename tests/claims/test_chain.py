"""A long chain hangs together: 1000 links, released at 30 degrees from hanging
(scripts/make_chain.py)."""
import json
import os
import sys
import tempfile
import unittest

import numpy as np

from simulate import ROOT, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))
from make_chain import TILT, chain  # noqa: E402 (needs the path above)


class Chain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(folder, "chain.json")
            with open(scene, "w", encoding="utf-8") as stream:
                json.dump(chain(1000, duration=0.5), stream)
            cls.result = run(scene, "output.every=10")
            # h^2 T r/I of the upper links is above 1: there the corrected update expands, the
            # more the more often it is repeated, and has to notice that
            cls.repeated = run(scene, "output.every=10", "solver.iterations=10")

    def test_joints_of_1000_links_stay_closed(self):
        for result in (self.result, self.repeated):
            gaps = result["residual/joint"][:]
            self.assertEqual(gaps.shape, (51, 1000))
            self.assertLessEqual(gaps.max(), 1e-9)

    def test_chain_swings(self):
        # Until the wave from the pivot comes, 14 m far in 0.5 s, links fall freely across the
        # chain, by g sin(30 deg) t^2 / 2. The wave pulls all of them along it by 17 mm: 5 %.
        path = self.result["bodies/position"][:, 500]
        fallen = path[0, 2] - path[-1, 2]
        free = 9.81 * np.sin(TILT)**2 * 0.5**2 / 2
        self.assertAlmostEqual(fallen, free, delta=free / 10)

    def test_energy_does_not_rise(self):
        energy = self.result["energy/total"][:]
        self.assertLessEqual(np.diff(energy).max(), 1e-9 * abs(energy[0]))


if __name__ == "__main__":
    unittest.main()
