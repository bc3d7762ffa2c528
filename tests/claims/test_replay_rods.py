"""Faults of rods that users of other simulators met (scenes/replay, r05, r19, r22, r23), at the
step given and at a quarter of it. The scenes' own checks hold, too, at every step: exit status 0.
Known limits are tests that are expected to fail, with their numbers."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

from simulate import XSIM, run, scene_path


def steps(step):
    return (step, step / 4)


def stops(scene, *overrides):
    """Exit status and what is said of a run that is to stop."""
    with tempfile.TemporaryDirectory() as folder:
        command = [XSIM, scene_path(scene), "-o", Path(folder) / "out.h5", "--quiet"]
        for override in overrides:
            command += ["--set", override]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


class RollUp(unittest.TestCase):
    """R5: an end moment of 2 pi EI/L closes a rod to a circle."""

    RODS = (("linear", 40), ("rigid_chain", 40), ("quadratic", 20), ("cubic", 13))

    def simulate(self, discretization, elements, step):
        return run("replay/r05_roll_up", f"rods.beam.discretization={discretization}",
                   f"rods.beam.elements={elements}", f"time.step={step!r}")

    def cases(self):
        for discretization, elements in self.RODS:
            for step in steps(0.002) if discretization == "linear" else (0.002,):
                with self.subTest(discretization=discretization, step=step):
                    yield self.simulate(discretization, elements, step)

    def test_circle_closes(self):
        for result in self.cases():
            gap = np.linalg.norm(result["rods/beam/position"][-1, -1])
            print(f"circle's gap {gap:.1e} m")
            self.assertLess(gap, 1e-7)

    def test_curvature_is_constant(self):
        for result in self.cases():
            bend = result["rods/beam/strain_bend"][-1]
            np.testing.assert_allclose(bend, np.broadcast_to((0, 2 * np.pi, 0), bend.shape),
                                       atol=1e-6)

    def test_a_single_element_stops_by_name(self):
        for step in steps(0.002):
            for discretization, elements in (("cubic", 1), ("quadratic", 1), ("linear", 2)):
                with self.subTest(discretization=discretization, step=step):
                    status, said = stops("replay/r05_roll_up", f"time.step={step!r}",
                                         f"rods.beam.discretization={discretization}",
                                         f"rods.beam.elements={elements}")
                    self.assertEqual(status, 5, said)
                    self.assertRegex(said, r'rod "beam", element [01] turns by 0\.9\d pi')


class Timoshenko(unittest.TestCase):
    """R19: a beam that shears as much as it bends."""

    RODS = (("linear", 20), ("quadratic", 1), ("quadratic", 3), ("cubic", 1), ("cubic", 3))

    def deflection(self, discretization, elements, *overrides):
        result = run("replay/r19_timoshenko", f"rods.beam.discretization={discretization}",
                     f"rods.beam.elements={elements}", *overrides)
        return -result["rods/beam/position"][-1, -1, 2]

    def test_deflection(self):
        # The quarter step damps a quarter as much: it is given four times as long.
        for time in ((), ("time.step=0.25", "time.duration=800")):
            for discretization, elements in self.RODS:
                with self.subTest(discretization=discretization, elements=elements, time=time):
                    found = self.deflection(discretization, elements, *time)
                    print(f"{discretization} {elements}: {found / 0.0677703 - 1:+.2e}")
                    self.assertAlmostEqual(found / 0.0677703, 1, delta=0.005)

    def test_stiff_beam_at_a_large_step(self):
        E, second_moment, area = 50e9, np.pi * 0.25**4 / 4, np.pi * 0.25**2
        bending = 15 * 3**3 / (3 * E * second_moment)
        self.assertAlmostEqual(bending / 8.8006e-7, 1, delta=1e-4)
        expected = bending + 15 * 3 / (27 / 28 * E / 100 * area)
        for step in steps(0.01):
            for discretization, elements in self.RODS:
                with self.subTest(discretization=discretization, elements=elements, step=step):
                    found = self.deflection(
                        discretization, elements, f"materials.soft.youngs_modulus={E!r}",
                        f"materials.soft.shear_modulus={E / 100!r}", f"time.step={step!r}",
                        "time.duration=10", "checks=[]")
                    self.assertAlmostEqual(found / expected, 1, delta=0.005)


class RestCurvature(unittest.TestCase):
    """R22a: a straight rod springs into a helix."""

    def test_energy_only_falls(self):
        for step in steps(0.005):
            for iterations in (1, 3):
                with self.subTest(step=step, iterations=iterations):
                    energy = run("replay/r22a_rest_curvature", f"time.step={step!r}",
                                 f"solver.iterations={iterations}")["energy/total"][:]
                    print(f"largest rise of energy {np.diff(energy).max() / energy[0]:.1e}")
                    self.assertLessEqual(np.diff(energy).max(), 1e-9 * energy[0])


class NoBending(unittest.TestCase):
    """R22b: a rod without bending stiffness is a chain."""

    def test_nothing_turns_about_the_tangent(self):
        for step in steps(0.005):
            with self.subTest(step=step):
                omega = run("replay/r22b_no_bending",
                            f"time.step={step!r}")["rods/string/angular_velocity"][:]
                print(f"largest rate about the tangent {np.abs(omega[:, :, 2]).max():.1e} rad/s, "
                      f"across it {np.abs(omega[:, :, :2]).max():.3g} rad/s")
                self.assertLess(np.abs(omega[:, :, 2]).max(), 1e-9)

    def test_swings_as_one_and_hangs(self):
        result = run("replay/r22b_no_bending")
        position = result["rods/string/position"][:]
        length = np.linalg.norm(np.diff(position, axis=1), axis=2).sum(axis=1)
        np.testing.assert_allclose(length, 0.1, rtol=2e-3)
        self.assertLess(np.linalg.norm(position[-1, -1] - (0, 0, -0.1)), 0.01)


class BothEnds(unittest.TestCase):
    """R22c: both ends prescribed."""

    def test_ends_are_where_they_are_put(self):
        for step in steps(0.005):
            with self.subTest(step=step):
                result = run("replay/r22c_both_ends", f"time.step={step!r}")
                t, p = result["time"][:], result["rods/beam/position"][:]
                q = result["rods/beam/orientation"][:]
                s, a = np.clip(t, 0, 1), np.clip((t - 1) / 2, 0, 1)
                x = 1 - 0.2 * (3 * s**2 - 2 * s**3)
                half = np.pi * (3 * a**2 - 2 * a**3)  # of the angle
                self.assertLess(np.abs(p[:, 0]).max(), 1e-12)
                self.assertLess(np.abs(q[:, 0] - q[0, 0]).max(), 1e-12)
                self.assertLess(np.abs(p[:, -1] - np.stack((x, 0 * x, 0 * x), 1)).max(), 1e-12)
                # Exp(angle e_x) q(0)
                w, i, j, k = q[0, -1]
                c, n = np.cos(half), np.sin(half)
                turned = np.stack((c * w - n * i, c * i + n * w, c * j - n * k, c * k + n * j), 1)
                self.assertLess(np.abs(q[:, -1] - turned).max(), 1e-12)

    def test_reactions_balance(self):
        # Not yet quite at rest at the end: what is left is inertia.
        for step in steps(0.005):
            force = run("replay/r22c_both_ends", f"time.step={step!r}")["joints/force"][-1]
            print(f"reactions {force[0]}, {force[1]} N")
            self.assertGreater(np.linalg.norm(force[0]), 0.1)
            self.assertLess(np.linalg.norm(force.sum(axis=0)), 0.1 * np.linalg.norm(force[0]))


class Helix(unittest.TestCase):
    """R23: a helical rod at rest in its shape."""

    RODS = (("rigid_chain", 40), ("linear", 40), ("quadratic", 20), ("cubic", 10), ("cubic", 40))

    def weightless(self, discretization, elements):
        return run("replay/r23_helix", f"rods.coil.discretization={discretization}",
                   f"rods.coil.elements={elements}", "gravity=[0,0,0]", "time.duration=1",
                   "checks=[]")

    def test_rest_curvature_is_exact(self):
        for discretization, elements in self.RODS:
            with self.subTest(discretization=discretization, elements=elements):
                bend = self.weightless(discretization, elements)["rods/coil/strain_bend"][0]
                self.assertLess(np.abs(bend).max(), 1e-10)

    def test_motion_without_weight_vanishes_with_the_elements(self):
        moved = []
        for elements in (10, 20, 40):
            p = self.weightless("cubic", elements)["rods/coil/position"][:]
            moved.append(np.abs(p - p[0]).max())
        print("without weight cubic 10, 20, 40 move by", *(f"{m:.1e}" for m in moved), "m")
        order = np.log2(np.divide(moved[:-1], moved[1:]))
        self.assertGreater(order.min(), 3.5)

    # Known limit: polynomials do not run along a helix. Strains of shear and stretch at the start
    # are 1.6e-2 for a chain of 40, 3.9e-3 for 40 linear, 4.8e-4 for 20 quadratic, 1.2e-3 for 10
    # and 2.2e-5 for 40 cubic elements; relaxing, the rod moves by 4.4e-3, 1.1e-3, 1.6e-5, 5.6e-5
    # and 2.2e-7 m.
    @unittest.expectedFailure
    def test_nothing_moves_without_weight(self):
        strain = self.weightless("cubic", 10)["rods/coil/strain_shear"][:]
        self.assertLess(np.abs(strain).max(), 1e-10)

    def drop(self, elements, step, duration):
        result = run("replay/r23_helix", f"rods.coil.elements={elements}", f"time.step={step!r}",
                     f"time.duration={duration!r}", "checks=[]", "output.every=100")
        p = result["rods/coil/position"][:, -1]
        return p[-1] - p[0], result["energy/kinetic"][-1]

    def test_comes_to_rest(self):
        run("replay/r23_helix")  # its checks say so
        self.assertLess(self.drop(10, 0.0005, 10.0)[1], 1e-9)

    def test_tip_drop_converges(self):
        for step in steps(0.002):
            coarse, fine = (self.drop(elements, step, 2.0)[0] for elements in (10, 40))
            error = np.linalg.norm(coarse - fine) / abs(fine[2])
            print(f"tip drop {fine[2]:.6f} m, 10 against 40 elements: {error:.1e}")
            self.assertLess(error, 1e-3)


if __name__ == "__main__":
    unittest.main()
