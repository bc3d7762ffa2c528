"""A hundred runs killed by SIGKILL at random moments, some of them again while they go on:
every .partial opens in plain h5py and holds all but the last second, and --resume ends in the
bits of a run that was never interrupted. Small and large scenes, compressed or not."""
import random
import time
import unittest

import h5py
import numpy as np

import test_cli

KILLS = 25  # of each scene


def contacts(steps):
    """Balls that hop on a floor beside a chain: rows of contacts in most records."""
    scene = test_cli.chain(2, steps, every=1)
    scene["bodies"] += [{"name": "floor", "fixed": True, "position": [0, 0, -9],
                         "shapes": [{"type": "plane"}]}]
    scene["bodies"] += [{"name": f"ball{i}", "position": [i, 0, -8.9], "mass": 1,
                         "linear_velocity": [0, 0, 0.1 * i],
                         "shapes": [{"type": "sphere", "radius": 0.1}]}
                        for i in range(4)]
    return {**scene, "name": "contacts", "contact": {"enabled": True}}


SCENES = {
    # Records of every step, so that most of the time goes into writing.
    "writing": ({**test_cli.chain(2, 250000, every=1), "name": "writing"}, 0),
    "compressed": ({**test_cli.chain(2, 60000, every=1), "name": "compressed"}, 4),
    # Records now and then: most of the time goes into steps.
    "stepping": ({**test_cli.chain(60, 90000, every=77), "name": "stepping"}, 0),
    "checkpoints": ({**test_cli.chain(20, 60000, every=5), "name": "checkpoints"}, 0),
    "checkpoints_compressed": ({**test_cli.chain(20, 60000, every=5), "name": "checkpoints"}, 1),
    "contacts": (contacts(25000), 4),
}
# What the clocks may be apart: a run learns a little later than we that it has begun, and a
# flush takes its time on a machine that does other things.
SLACK = 0.25


class Kill(test_cli.Cli):
    def prepare(self, name):
        """The scene and its uninterrupted run, alone in the folder; returns its wall time, s."""
        for path in self.folder.iterdir():
            path.unlink()
        scene, compression = SCENES[name]
        scene["output"]["compression"] = compression
        # Each checkpoint flushes; without them a flush comes once a second.
        scene["output"]["checkpoint"] = {"stepping": 1000}.get(name, 0.01 if "checkpoints" in name else 0.1)
        self.scene(scene)
        start = time.monotonic()
        self.xsim("scene.json", "-o", "whole.h5", "-q")
        return time.monotonic() - start

    def kill(self, moment, *arguments):
        """Starts a run and kills it after so many seconds. Returns how long it is known to have
        run, 0 if that is not known; None if it ended before."""
        partial, seen, start = self.folder / "out.h5.partial", None, time.monotonic()
        run = self.start(*arguments, "-q")
        while time.monotonic() - start < moment and run.poll() is None:
            if seen is None and partial.exists() and partial.stat().st_size > 0:
                seen = time.monotonic()
            time.sleep(0.001)
        killed = time.monotonic()
        run.kill()
        run.communicate()
        if run.returncode == 0:
            return None
        return killed - seen if seen else 0

    def covered(self, every):
        """Opens the .partial and returns the wall time its records tell of; None without one.
        /time says how many there are: a kill may leave other datasets longer, never shorter."""
        partial = self.folder / "out.h5.partial"
        if not partial.exists() or partial.stat().st_size == 0:
            return None
        with h5py.File(partial, "r") as file:
            n = len(file["time"])
            self.assertEqual(file["step"][:n].tolist(), list(range(0, every * n, every)))
            for path in ("bodies/position", "joints/force", "energy/total", "timing/step"):
                self.assertGreaterEqual(len(file[path]), n, path)
                self.assertTrue(np.isfinite(file[path][:n]).all(), path)
            for path in ("gap", "force") if "contacts" in file else ():
                rows = file["contacts/count"][:n].sum()
                self.assertTrue(np.isfinite(file["contacts"][path][:rows]).all(), path)
            return every * file["timing/step"][:n].sum()

    def resumed(self):
        """Goes on to the end; a run that was killed before its first checkpoint starts again."""
        done = self.start("--resume", "out.h5", "-q")
        message = done.communicate(timeout=120)[1]
        if done.returncode == 0:
            return
        self.assertEqual(done.returncode, 4, message)
        self.assertRegex(message, "nothing to go on with|holds no checkpoint|holds nothing yet")
        self.early += 1
        self.xsim("scene.json", "-o", "out.h5", "-q", "--force")

    def one(self, wall, every, draw):
        """One run: killed, half of the time killed again, resumed, compared."""
        ran = self.kill(draw.uniform(0, wall), "scene.json", "-o", "out.h5")
        if ran is None:
            return 0
        covered = self.covered(every)
        if covered is not None and ran > 0:
            self.lost = max(self.lost, ran - covered)
            self.assertLess(ran - covered, 1 + SLACK)
        if draw.random() < 0.5:
            self.kill(draw.uniform(0, wall / 2), "--resume", "out.h5")
            self.covered(every)
        if not (self.folder / "out.h5").exists():
            self.resumed()
        self.assert_same_bits("whole.h5", "out.h5")
        self.assertEqual(self.files(), ["out.h5", "scene.json", "whole.h5"])
        (self.folder / "out.h5").unlink()
        return 1

    def test_killed_runs_open_and_end_in_the_same_bits(self):
        for name in SCENES:
            with self.subTest(name):
                draw = random.Random(name)
                wall = self.prepare(name)
                self.early, self.lost, killed = 0, 0.0, 0
                while killed < KILLS:
                    done = self.one(wall, SCENES[name][0]["output"]["every"], draw)
                    killed += done
                    if not done:
                        (self.folder / "out.h5").unlink()
                print(f"{name}: {killed} runs killed in {wall:.1f} s each, {self.early} before "
                      f"the first checkpoint; at most the last {self.lost:.2f} s was lost")


if __name__ == "__main__":
    unittest.main()
