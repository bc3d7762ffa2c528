"""Rattle over 100 s at 1 ms: energies that stay, momentum about the vertical to round-off."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "claims"))
from simulate import run  # noqa: E402 (needs the path above)


def over(scene, *overrides):
    return run(scene, "time.duration=100", "output.every=10", "checks=[]",
               'solver={"integrator":"rattle"}', *overrides)


class HundredSeconds(unittest.TestCase):
    def test_triple_pendulum_keeps_its_energy(self):
        energy = over("paper/triple_pendulum")["energy/total"][:]
        energy -= energy[0]
        self.assertLessEqual(np.abs(energy).max(), 5e-4 * 36.5)
        means = [part.mean() for part in np.array_split(energy[1:], 10)]
        self.assertLessEqual(max(means) - min(means), 1e-3)
        self.assertLessEqual(np.abs(means).max(), 1e-3)
        # J/s, over which 100 s make less than the means may differ
        self.assertLessEqual(abs(np.polyfit(np.arange(10) * 10, means, 1)[0]), 1e-5)

    def test_double_pendulum_keeps_momentum_and_energy(self):
        result = over("time/spatial_double_pendulum")
        L, energy = result["momentum/angular"][:, 2], result["energy/total"][:]
        self.assertLessEqual(np.abs(L - L[0]).max(), 1e-11)
        energy -= energy[0]
        self.assertLessEqual(np.abs(energy).max(), 2e-4)  # ours: other bodies than the trial's
        means = [part.mean() for part in np.array_split(energy[1:], 10)]
        self.assertLessEqual(max(means) - min(means), 1e-4)

    def test_one_iteration_is_stable(self):
        energy = over("paper/triple_pendulum", "solver.iterations=1")["energy/total"][:]
        self.assertLessEqual(np.abs(energy - energy[0]).max(), 5e-4 * 36.5)

    def test_four_bar_keeps_its_energy(self):
        result = over("time/four_bar")
        energy = result["energy/total"][:]
        means = [part.mean() for part in np.array_split(energy[1:], 10)]
        self.assertLessEqual(max(means) - min(means), 1e-4)
        self.assertLessEqual(np.abs(energy - energy[0]).max(), 5e-4)
        self.assertLessEqual(result["residual/constraint"][:].max(), 1e-12)


if __name__ == "__main__":
    unittest.main()
