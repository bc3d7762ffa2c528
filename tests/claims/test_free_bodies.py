"""Free rigid bodies: what the gyroscopic treatments keep and lose, flips and their period,
a small pendulum (scenes/replay), and convergence to exact attitudes."""
import json
import unittest

import numpy as np

from simulate import data_path, run


def turn_between(q1, q2):
    """Angle of the rotation from q1 to q2, rad."""
    return 2 * np.arccos(np.clip(np.abs(np.sum(q1 * q2, axis=-1)), 0, 1))


def relative(x):
    return np.abs(x / x[0] - 1).max()


def direction_change(L):
    """Largest angle between L(t) and L(0), rad."""
    cross = np.linalg.norm(np.cross(L, L[0]), axis=-1)
    return np.arctan2(cross, L @ L[0]).max()


class Tops(unittest.TestCase):
    def test_midpoint_keeps_energy_and_momentum_over_a_minute(self):
        result = run("demo/free_top")
        self.assertLessEqual(relative(result["energy/total"][:]), 1e-10)
        self.assertLessEqual(
            relative(np.linalg.norm(result["momentum/angular"][:], axis=-1)), 1e-10)

    def test_explicit_gains_and_implicit_loses_energy(self):
        last = {}
        for choice in ("explicit", "implicit"):
            # the scene's checks hold for midpoint only: exit 7
            energy = run("demo/free_top", f"solver.gyroscopic={choice}", "time.duration=10",
                         status=(7,))["energy/total"][:]
            last[choice] = energy[-1] / energy[0]
        self.assertGreater(last["explicit"], 1.01)
        self.assertLess(last["implicit"], 0.99)

    def test_dzhanibekov_follows_the_exact_attitude(self):
        with open(data_path("dzhanibekov.json")) as f:
            reference = np.array(json.load(f)["data"])
        result = run("demo/dzhanibekov")
        every = int(round(0.05 / result["time"][1]))
        attitude = result["bodies/orientation"][::every, 0]
        # 2 arcsin of the vector part: arccos would lose half the digits near 0
        conj = reference[:len(attitude), 4:8] * [1, -1, -1, -1]
        w, v = conj[:, 0], conj[:, 1:]
        vec = w[:, None] * attitude[:, 1:] + attitude[:, :1] * v + np.cross(v, attitude[:, 1:])
        error = 2 * np.arcsin(np.clip(np.linalg.norm(vec, axis=-1), 0, 1))
        self.assertEqual(len(attitude), 201)
        self.assertLessEqual(error.max(), 1e-3)


class FreeBox(unittest.TestCase):
    """Replay R1: at the step given and at a quarter of it; the scenes' checks hold too."""

    def test_energy_and_momentum_at_a_coarse_step(self):
        for scene in ("r01a_free_box", "r01c_free_box"):
            for step in (0.01, 0.0025):
                with self.subTest(scene=scene, step=step):
                    result = run(f"replay/{scene}", f"time.step={step}")
                    L = result["momentum/angular"][:]
                    self.assertLess(np.abs(L - L[0]).max(), 0.05)
                    self.assertLess(direction_change(L), 2e-2)

    def test_direction_of_momentum_converges_with_the_step(self):
        change = [direction_change(run("replay/r01a_free_box", f"time.step={h}")
                                   ["momentum/angular"][:]) for h in (0.01, 0.005, 0.0025)]
        for coarse, fine in zip(change, change[1:]):
            self.assertGreaterEqual(np.log2(coarse / fine), 0.9)
            self.assertLessEqual(np.log2(coarse / fine), 1.1)

    def test_skewed_frame_changes_nothing_but_the_frame(self):
        result = run("replay/r01c_free_box")
        energy = result["energy/total"][:]
        self.assertLess(relative(energy), 1e-9)

    def test_energy_does_not_grow_over_many_steps(self):
        for scene in ("r01b1_free_box", "r01b2_free_box"):
            for step in (0.005, 0.00125):
                with self.subTest(scene=scene, step=step):
                    energy = run(f"replay/{scene}", f"time.step={step}")["energy/total"][:]
                    self.assertLess(energy.max() / energy[0], 1.01)


class Flips(unittest.TestCase):
    """Replay R4."""

    def test_precession(self):
        for step in (0.01, 0.0025):
            result = run("replay/r04a_precession", f"time.step={step}")
            L = result["momentum/angular"][:]
            self.assertLess(np.linalg.norm(L[-1] - L[0]) / np.linalg.norm(L[0]), 5e-3)
            q = result["bodies/orientation"][:, 0]
            self.assertGreater(turn_between(q[0], q[-1]), 0.1)

    @staticmethod
    def flip_times(result):
        """Times at which the spin about the intermediate axis changes sign."""
        t, spin = result["time"][:], result["bodies/angular_velocity"][:, 0, 1]
        i = np.flatnonzero(spin[:-1] * spin[1:] < 0)
        return t[i] - spin[i] * (t[i + 1] - t[i]) / (spin[i + 1] - spin[i])

    def test_dzhanibekov_flips_at_the_right_period(self):
        step = 1 / 240
        exact = self.flip_times(run("replay/r04b_dzhanibekov", f"time.step={step / 64!r}",
                                    "output.every=16"))
        for h in (step, step / 4):
            result = run("replay/r04b_dzhanibekov", f"time.step={h!r}")
            times = self.flip_times(result)
            self.assertGreaterEqual(len(times), 2)
            period, want = np.diff(times).mean(), np.diff(exact).mean()
            self.assertLess(abs(period / want - 1), 0.02)
            self.assertLess(relative(result["energy/total"][:]), 0.01)


class Pendulum(unittest.TestCase):
    """Replay R26: a quarter of a percent of the arm's length, over 3.5 periods."""

    def test_small_swing_follows_the_exact_one(self):
        from scipy.integrate import solve_ivp
        inertia = 1 + 4e-5
        for step in (1e-3, 2.5e-4):
            result = run("replay/r26_pendulum", f"time.step={step}")
            t = result["time"][:]
            exact = solve_ivp(lambda _, y: [y[1], -10 / inertia * np.sin(y[0])], (0, t[-1]),
                              [0.05, 0], rtol=1e-11, atol=1e-13, t_eval=t).y[0]
            p = result["bodies/position"][:, 0]
            error = np.hypot(-p[:, 0] - np.sin(exact), p[:, 2] + np.cos(exact))
            self.assertLess(error.max(), 0.01)


if __name__ == "__main__":
    unittest.main()
