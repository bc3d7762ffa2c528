"""Decay of a rod's bending mode w: backward Euler and the material's viscosity beta together,
w^2 (h + beta/E)/2."""
import json
import unittest

import numpy as np

from simulate import run

W, E = 6.176806, 5e6  # of the paper's cantilever (test_rod_modes.c)


def mode_shape(s):
    """Euler and Bernoulli's first mode of a cantilever of length 1."""
    b = 1.8751040687
    c = (np.sin(b) + np.sinh(b)) / (np.cos(b) + np.cosh(b))
    return np.cosh(b * s) - np.cos(b * s) - (np.sinh(b * s) - np.sin(b * s)) / c


class ModalDecay(unittest.TestCase):
    def rate(self, discretization, elements, step, beta):
        """Decay rate of the tip's swing, 1/s, from a start in the mode's shape."""
        per_element = {"quadratic": 2, "cubic": 3}.get(discretization, 1)
        s = np.linspace(0, 1, per_element * elements + 1)
        velocity = [[0, 0, 1e-3 * y] for y in mode_shape(s)]
        result = run("paper/cantilever", "gravity=[0,0,0]", "checks=[]", "output.every=1",
                     f"rods.beam.discretization={discretization}",
                     f"rods.beam.elements={elements}", f"time.step={step!r}", "time.duration=8",
                     f"rods.beam.damping={beta!r}",
                     f"rods.beam.linear_velocity={json.dumps(velocity)}")
        t, z = result["time"][:], result["rods/beam/position"][:, -1, 2]

        # Turning points, their time and height from the parabola through three records.
        a = z[1:-1]
        k = np.flatnonzero((a - z[:-2]) * (z[2:] - a) <= 0) + 1
        k = k[t[k] > 1]
        slope, bend = (z[k + 1] - z[k - 1]) / 2, z[k + 1] - 2 * z[k] + z[k - 1]
        height = np.abs(z[k] - slope**2 / (2 * bend))
        when = t[k] - slope / bend * step
        return -np.polyfit(when, np.log(height), 1)[0]

    def test_rate(self):
        for discretization, elements in (("rigid_chain", 20), ("linear", 20), ("quadratic", 5),
                                         ("cubic", 3)):
            for step, tau in ((2e-3, 0), (1e-3, 0.01), (2e-3, 0.004)):
                with self.subTest(discretization=discretization, step=step, tau=tau):
                    found = self.rate(discretization, elements, step, tau * E)
                    expected = W**2 * (step + tau) / 2
                    print(f"{discretization} {elements}, h {step}, beta/E {tau}: "
                          f"{found / expected - 1:+.1e}")
                    self.assertAlmostEqual(found / expected, 1, delta=0.01)


if __name__ == "__main__":
    unittest.main()
