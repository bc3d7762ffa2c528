"""A free chain of five bodies: what joints may not change."""
import unittest

import numpy as np

from simulate import run

SCENE = "demo/free_chain"


def drift(name, step):
    value = run(SCENE, f"time.step={step}", "time.duration=2")[f"momentum/{name}"][:]
    # The joints take the start's velocities into step 1; momentum counts from t = 0 on.
    return np.linalg.norm(value - value[0], axis=1).max() / np.linalg.norm(value[0])


class Momentum(unittest.TestCase):
    def test_linear_momentum_stays_to_round_off_over_10000_steps(self):
        for solve in ("block", "individual"):
            p = run(SCENE, f"solver.solve={solve}")["momentum/linear"][:]
            self.assertEqual(len(p), 10001)
            change = np.linalg.norm(p - p[0], axis=1).max() / np.linalg.norm(p[0])
            self.assertLessEqual(change, 1e-12, solve)

    def test_angular_momentum_drifts_with_the_first_power_of_the_step(self):
        drifts = [drift("angular", h) for h in (1e-3, 5e-4, 2.5e-4, 1.25e-4)]
        orders = np.log2(np.array(drifts[:-1]) / drifts[1:])
        self.assertTrue(np.all((orders >= 0.9) & (orders <= 1.1)), f"{drifts} {orders}")


if __name__ == "__main__":
    unittest.main()
