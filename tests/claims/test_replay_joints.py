"""Faults of joints that users of other simulators met (scenes/replay, r09 to r16), at the step
given and at a quarter of it. The scenes' own checks hold, too, at every step: exit status 0.
Known limits are tests that are expected to fail, with their numbers."""
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from simulate import XSIM, run, scene_path


def steps(step):
    return (step, step / 4)


class Recovery(unittest.TestCase):
    """R9: a ball joint torn apart by sqrt(2) m."""

    def simulate(self, step):
        return run("replay/r09_recovery", f"time.step={step!r}")

    def test_gap_closes(self):
        for step in steps(1 / 240):
            with self.subTest(step=step):
                gap = self.simulate(step)["residual/joint"][:, 0]
                self.assertLess(gap[1], 0.5)
                self.assertLess(gap[20:].max(), 1e-6)

    def test_energy_does_not_rise_after_the_first_step(self):
        for step in steps(1 / 240):
            with self.subTest(step=step):
                energy = self.simulate(step)["energy/kinetic"][1:]
                print(f"kinetic energy after 1 and 20 steps of {step:.2e} s: "
                      f"{energy[0]:.6g}, {energy[19]:.6g} J")
                self.assertLessEqual(np.diff(energy).max(), 1e-9 * energy[0])

    def momentum(self, step, name):
        """The largest one against sqrt(kinetic energy), of the size of a body's."""
        result = self.simulate(step)
        scale = np.sqrt(result["energy/kinetic"][1])
        return np.linalg.norm(result[f"momentum/{name}"][:], axis=1).max() / scale

    def test_linear_momentum_stays_zero(self):
        for step in steps(1 / 240):
            with self.subTest(step=step):
                self.assertLessEqual(self.momentum(step, "linear"), 1e-9)

    # Known limit, 0.6 kg^(1/2) m at both steps: the joint's impulses act at its two frames, and
    # across a gap C they have the moment C x impulse unless they point along it, which rows that
    # are solved together do only for bodies that are equally hard to move in all directions.
    # Afterwards the bodies turn by radians a step, where the error of the step itself is as large.
    @unittest.expectedFailure
    def test_angular_momentum_stays_zero(self):
        for step in steps(1 / 240):
            self.assertLessEqual(self.momentum(step, "angular"), 1e-9)


class FourBar(unittest.TestCase):
    """R11: a closed loop with dependent rows."""

    CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.5, 0.4, 0.5

    def rocker(self, crank):
        """Freudenstein's equation, open branch: the rocker's angle at its ground pivot."""
        x, y = self.CRANK * np.cos(crank) - self.GROUND, self.CRANK * np.sin(crank)
        d = np.hypot(x, y)
        return np.arctan2(y, x) % (2 * np.pi) - np.arccos(
            (self.ROCKER**2 + d**2 - self.COUPLER**2) / (2 * self.ROCKER * d))

    def test_closed_form_has_the_published_values(self):
        for crank, rocker in ((0, 90.0), (60, 83.2514), (90, 95.8595), (120, 110.8022),
                              (180, 135.5847), (240, 143.0064), (300, 130.0779)):
            self.assertAlmostEqual(np.rad2deg(self.rocker(np.deg2rad(crank))), rocker, delta=1e-4)

    def test_rocker_follows_the_crank(self):
        for step in steps(2e-4):
            with self.subTest(step=step):
                result = run("replay/r11a_four_bar", f"time.step={step!r}")
                crank = result["joints/coordinate"][:, 0, 0]
                rocker = np.pi / 2 + result["joints/coordinate"][:, 3, 0]
                error = np.abs(rocker - self.rocker(crank)).max()
                self.assertLess(np.rad2deg(error), 0.1)
                self.assertLess(result["residual/joint"][:].max(), 1e-3)
                self.assertGreaterEqual(crank[-1] / (2 * np.pi), 1.9)

    def test_loop_stays_closed_at_a_coarse_step(self):
        gap = run("replay/r11a_four_bar", "time.step=1e-3")["residual/joint"][:].max()
        self.assertLess(gap, 1e-7)

    def held_or_named(self, scene, *overrides):
        """Closed to the end, or exit 5 with a joint's name in the message."""
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.h5"
            command = [XSIM, scene_path(scene), "-o", output, "--quiet"]
            for override in overrides:
                command += ["--set", override]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 5:
                self.assertRegex(done.stderr, "crank_pivot|crank_pin|rocker_pin|rocker_pivot")
                return
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(output, "r") as result:
                self.assertLess(result["residual/joint"][:].max(), 1e-3)

    def test_overload_by_the_motor_is_held(self):
        for step in steps(2e-4):
            with self.subTest(step=step):
                self.held_or_named("replay/r11a_four_bar", f"time.step={step!r}",
                                   "joints.crank_pivot.target.damping=1e6")

    def test_overload_by_a_load_is_held_or_blamed_on_a_joint(self):
        for step in steps(2e-4):
            self.held_or_named("replay/r11b_four_bar_overload", f"time.step={step!r}")


class Limits(unittest.TestCase):
    """R16: limits and targets beyond half a turn, and light bodies on limits."""

    TOLERANCE = np.deg2rad(0.05)

    def rests_at(self, result, joint, limit):
        """In the last tenth of the run, to 0.05 degrees; on the way there without a flip: always
        on the limit's side, and without jumps."""
        angle = result["joints/coordinate"][:, joint, 0]
        last = angle[len(angle) * 9 // 10:]
        self.assertLessEqual(np.abs(last - limit).max(), self.TOLERANCE)
        self.assertGreaterEqual((angle[1:] * np.sign(limit)).min(), -1e-12)
        self.assertLess(np.abs(np.diff(angle)).max(), 0.5)

    def stops_at(self, result, joint, limit):
        """Rests there without having been beyond, or back by more once it has arrived."""
        self.rests_at(result, joint, limit)
        angle = result["joints/coordinate"][:, joint, 0] * np.sign(limit)
        self.assertLessEqual(angle.max(), abs(limit) + self.TOLERANCE)
        arrival = np.argmax(angle >= abs(limit) - self.TOLERANCE)
        self.assertGreaterEqual(angle[arrival:].min(), abs(limit) - self.TOLERANCE)

    def limits_hold(self, step, *overrides):
        result = run("replay/r16a_limits", f"time.step={step!r}", *overrides)
        for joint, limit in ((0, np.deg2rad(-200)), (1, np.deg2rad(270))):
            self.stops_at(result, joint, limit)

    def energy_gain(self, step, *overrides):
        """The largest rise in a step, J, with the constant torque of 5 N m as a potential."""
        result = run("replay/r16a_limits", f"time.step={step!r}", *overrides)
        work = 5 * np.abs(result["joints/coordinate"][:, :, 0]).sum(axis=1)
        return np.diff(result["energy/kinetic"][:] - work).max()

    def flippers_hold(self, step, *overrides):
        result = run("replay/r16c_flippers", f"time.step={step!r}", *overrides)
        for joint in range(3):
            self.stops_at(result, joint, np.deg2rad(30))
        energy = result["energy/total"][:]
        self.assertLessEqual(np.diff(energy).max(), 1e-9 * np.ptp(energy))

    TOGETHER = "solver.solve=global"
    ALONE = ("solver.solve=individual", "checks=[]")  # the scene's checks fail as well

    def test_limits_beyond_half_a_turn(self):
        for step in steps(1e-3):
            for solve in ("solver.solve=block", self.TOGETHER):
                with self.subTest(step=step, solve=solve):
                    self.limits_hold(step, solve)

    def test_no_energy_from_a_limit_with_two_iterations(self):
        for step in steps(1e-3):
            for solve in ("solver.solve=block", self.TOGETHER):
                with self.subTest(step=step, solve=solve):
                    self.assertLessEqual(self.energy_gain(step, solve, "solver.iterations=2"), 1e-9)

    # Known limit: 1.5e-6 of 24 J at the quarter step. One linearised iteration leaves the rod
    # 2.9e-7 rad beyond its limit at the impact, and the next step moves it back.
    @unittest.expectedFailure
    def test_no_energy_from_a_limit_with_one_iteration(self):
        for step in steps(1e-3):
            self.assertLessEqual(self.energy_gain(step), 1e-9)

    def test_light_flippers_rest_on_their_limits(self):
        for step in steps(1 / 64):
            for solve in ("solver.solve=block", self.TOGETHER):
                with self.subTest(step=step, solve=solve):
                    self.flippers_hold(step, solve)

    # Known limit of solve individual: a limit's row is solved after its joint's rows; one sweep
    # leaves the hinge open at the impact, and the rod bounces back.
    @unittest.expectedFailure
    def test_limits_beyond_half_a_turn_row_by_row(self):
        for step in steps(1e-3):
            self.limits_hold(step, "solver.solve=individual")

    # What that bounce gains: 3.2 and 3.3 of 24 J.
    @unittest.expectedFailure
    def test_no_energy_from_a_limit_row_by_row(self):
        for step in steps(1e-3):
            self.assertLessEqual(self.energy_gain(step, *self.ALONE), 1e-9)

    def test_targets_within_and_beyond_a_turn(self):
        degrees = (45, 90, 135, 179, 181, 270, 720)
        for step in steps(1e-3):
            result = run("replay/r16b_position_drives", f"time.step={step!r}")
            for joint, target in enumerate(degrees):
                for kind in (0, len(degrees)):
                    with self.subTest(step=step, target=target, kind=kind):
                        self.rests_at(result, joint + kind, np.deg2rad(target))

    def test_kinematic_targets_are_followed(self):
        result = run("replay/r16b_position_drives")
        s = np.clip(result["time"][:] / 2, 0, 1)
        for joint, target in enumerate((45, 90, 135, 179, 181, 270, 720)):
            with self.subTest(target=target):
                want = np.deg2rad(target) * (3 * s**2 - 2 * s**3)
                angle = result["joints/coordinate"][:, joint + 7, 0]
                self.assertLessEqual(np.abs(angle - want).max(), self.TOLERANCE)

    def test_springs_lose_energy_only(self):
        for step in steps(1e-3):
            with self.subTest(step=step):
                result = run("replay/r16b_position_drives", f"time.step={step!r}")
                angle = result["joints/coordinate"][:, :7, 0]
                target = np.deg2rad((45, 90, 135, 179, 181, 270, 720))
                rate = result["bodies/angular_velocity"][:, :7, 2]
                energy = (25 * (angle - target)**2 + 0.33395833333333336 / 2 * rate**2)
                self.assertLessEqual((np.diff(energy, axis=0) / energy[0]).max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
