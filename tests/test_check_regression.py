"""scripts/check-regression: each kind of regression is seen, alone, and nothing where nothing changed.

The candidates are this very program with a setting added, as a change of its source could have done:
the update without the primal residual (residuals), another gravity (accuracy), results compressed as
hard as can be (time)."""
import pathlib
import subprocess
import tempfile
import unittest

from test_cli import ROOT, XSIM

SCRIPT = ROOT / "scripts" / "check-regression"
SCENE = ROOT / "scenes/paper/triple_pendulum_corrected.json"
# Ten thousand steps, before the trajectories part.
SHORT = ("-s", "time.duration=1", "-s", "time.step=1e-4", "-s", "checks=[]")
NO_TIME = ("--time-ratio", "inf", "--rounds", "1")


class CheckRegression(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, settings="", before=""):
        """A program that is xsim with further arguments."""
        path = self.folder / f"xsim{len(list(self.folder.iterdir()))}"
        path.write_text(f'#!/bin/sh\n{before}\nexec {XSIM} "$@" {settings}\n')
        path.chmod(0o755)
        return path

    def compare(self, candidate, *arguments, scene=SCENE, baseline=XSIM, status=0):
        done = subprocess.run([SCRIPT, "--baseline", baseline, "--candidate", candidate, scene,
                               *arguments], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def regressions(self, candidate, *arguments):
        """What is reported as a regression, by kind."""
        lines = self.compare(candidate, *SHORT, *arguments, status=1).stdout.splitlines()
        return {line.removeprefix(str(SCENE)).split()[0] for line in lines
                if line.endswith("REGRESSION")}

    def test_nothing_changed(self):
        said = self.compare(XSIM, *SHORT, "--time-ratio", "1.5").stdout
        self.assertIn("the same in every bit", said)
        self.assertRegex(said, r"time of a step \(us\) +\S+ +\S+ +(0\.[6-9]|1\.[0-4])\d+ ")
        self.assertRegex(said, r"processor time of the run \(s\) +\d")

    def test_residuals(self):
        self.assertEqual(self.regressions(self.program("-s solver.update=xpbd"), *NO_TIME),
                         {"residual"})

    def test_accuracy(self):
        self.assertEqual(self.regressions(self.program("-s gravity=[0,0,-9.9]"), *NO_TIME),
                         {"error"})

    def test_time(self):
        slow = self.program("-s output.compression=9")
        self.assertEqual(self.regressions(slow, "--rounds", "2", "--time-ratio", "2"),
                         {"processor"})

    def test_a_factor_allows_what_it_says(self):
        plain = self.program("-s solver.update=xpbd")
        self.compare(plain, *SHORT, *NO_TIME, "--residual-factor", "1e4")
        self.compare(plain, *SHORT, *NO_TIME, "--residual-floor", "1e-6")

    def test_static_scenes_are_compared_with_the_baseline_itself(self):
        scene = ROOT / "scenes/paper/cantilever.json"
        static = ("-s", "solver.mode=static", "-s", "time.duration=0.2", "-s", "checks=[]",
                  "-s", "solver.iterations=50")
        self.assertIn("the same in every bit",
                      self.compare(XSIM, *static, *NO_TIME, scene=scene).stdout)
        soft = self.program("-s materials.rubber.youngs_modulus=4e6")
        said = self.compare(soft, *static, *NO_TIME, scene=scene, status=1).stdout
        self.assertRegex(said, r"error rods/beam/position .* REGRESSION")

    def test_a_candidate_that_fails(self):
        said = self.compare(self.program('-s checks=\'[{"metric":"energy.total.max","below":-99}]\''),
                            *SHORT, *NO_TIME, status=1).stdout
        self.assertIn("the candidate ends with exit status 7", said)

    def test_a_baseline_that_fails_or_refuses(self):
        self.assertIn("the baseline ends with exit status 5",
                      self.compare(XSIM, *NO_TIME, baseline=self.program(before="exit 5"),
                                   status=4).stderr)
        old = self.program(before='case "$*" in *pendulum*) exit 3 ;; esac')
        self.assertIn("refuses every scene",
                      self.compare(XSIM, *NO_TIME, baseline=old, status=4).stderr)
        top = ROOT / "scenes/demo/free_top.json"
        said = self.compare(XSIM, top, *NO_TIME, baseline=old).stdout
        self.assertIn(f"{SCENE}: left out", said)
        self.assertIn("the same in every bit", said)

    def test_wrong_usage(self):
        self.assertIn("too short to compare times",
                      self.compare(XSIM, "-s", "time.duration=0.01", "-s", "checks=[]",
                                   status=2).stderr)
        self.assertEqual(subprocess.run([SCRIPT, SCENE], capture_output=True).returncode, 2)
        self.compare(XSIM, "--time-ratio", "0.5", status=2)
        self.compare(self.folder / "none", *NO_TIME, status=4)
        self.compare(XSIM, *NO_TIME, baseline=self.folder / "none", status=4)

    def test_a_commit_that_is_none(self):
        done = subprocess.run([SCRIPT, "--commit", "no-such-commit", SCENE], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("no-such-commit", done.stderr)


if __name__ == "__main__":
    unittest.main()
