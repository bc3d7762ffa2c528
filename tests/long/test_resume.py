"""0 -> 2T equals 0 -> T -> 2T bit for bit, for every sort of scene and solver: run half, go on with
--resume --until; and the run of a result's scene again (--rerun) equals that result.

A line in SCENES adds a case. Every dataset is compared but those of /timing and /provenance."""
import json
import re
import unittest

import test_cli
from test_cli import ROOT


def load(name):
    """A scene of the repository, without comments."""
    text = (ROOT / "scenes" / name).read_text(encoding="utf-8")
    return json.loads(re.sub(r"(?m)^\s*//.*$|(?<=[,\s\]}])//[^\"\n]*$", "", text))


# name: (scene, steps of half the run, overrides)
SCENES = {
    "bodies, block": (test_cli.chain(5, 1), 2000, []),
    "bodies, individual": (test_cli.chain(5, 1), 2000, ["solver.solve=individual"]),
    "bodies, global": (test_cli.chain(5, 1), 2000, ["solver.solve=global"]),
    "bodies, corrected": (test_cli.chain(5, 1), 2000, [
        "solver.solve=global", "solver.update=corrected", "solver.iterations=3"]),
    "bodies, scalar": (test_cli.chain(5, 1), 2000, [
        "solver.constraints=scalar", "solver.solve=individual"]),
    "bodies, explicit gyroscopic term": (test_cli.chain(5, 1), 2000, ["solver.gyroscopic=explicit"]),
    "bodies, implicit gyroscopic term": (test_cli.chain(5, 1), 2000, ["solver.gyroscopic=implicit"]),
    "substeps, compressed, sparse records": (test_cli.chain(5, 1), 1001, [
        "time.substeps=3", "output.compression=4", "output.every=7"]),
    "largest residuals": (test_cli.chain(5, 1), 1000, [
        'output.fields=["bodies","joints","rods","residual_peak"]']),
    "iterations to a tolerance": (test_cli.chain(5, 1), 1000, [
        "solver.tolerance=1e-4", "solver.iterations=100"]),
    "platform": (load("paper/rps3.json"), 200, []),
    "rods, banded": (test_cli.rods(1), 1000, []),
    "rods, individual": (test_cli.rods(1), 1000, ["solver.rod_solve=individual",
                                                  "rods.cubic.damping=0", "rods.linear.damping=0"]),
    "rods, global": (test_cli.rods(1), 1000, ["solver.solve=global"]),
    "rods, corrected": (test_cli.rods(1), 1000, ["solver.update=corrected", "solver.iterations=3"]),
    "cantilever": (load("paper/cantilever.json"), 100, []),
    "cantilever, native": (load("paper/cantilever.json"), 100, ["solver.band_solver=native"]),
    "frame": (load("rods/right_angle.json"), 40, []),
    "frame, static path": (load("rods/right_angle.json"), 10, ['solver={"mode":"static"}',
                                                               "output.every=1"]),
    "frame, genalpha": (load("rods/right_angle.json"), 40, ['solver={"integrator":"genalpha"}',
                                                            "time.step=1e-2"]),
    **{f"mechanism, {integrator}": (load("paper/triple_pendulum.json"), 500, [
        f'solver={{"integrator":"{integrator}"}}']) for integrator in ("rattle", "genalpha")},
    **{f"contacts, {solve}": (load("replay/r14c_drop.json"), 400, [f"solver.solve={solve}"])
       for solve in ("individual", "block", "global")},
    "contacts, detected every iteration": (load("replay/r14c_drop.json"), 400, [
        "contact.detect_every_iteration=true", "solver.iterations=4"]),
    "contacts, bouncing": (load("replay/r10a_bounces.json"), 700, []),
    **{f"demo {path.stem}": (load(f"demo/{path.name}"), 150, [])
       for path in sorted((ROOT / "scenes/demo").glob("*.json"))},
}


class Resume(test_cli.Cli):
    def test_two_halves_are_the_whole_and_a_rerun_is_the_run(self):
        for name, (scene, half, overrides) in SCENES.items():
            with self.subTest(name):
                for path in self.folder.iterdir():
                    path.unlink()
                self.scene({**scene, "checks": []})
                options = ["-q", *(word for override in overrides for word in ("-s", override))]
                step = scene["time"]["step"]

                def end(steps, step=step):
                    return f"time.duration={steps * step!r}"

                self.xsim("scene.json", "-o", "whole.h5", *options, "-s", end(2 * half))
                self.xsim("scene.json", "-o", "parts.h5", *options, "-s", end(half))
                self.xsim("--resume", "parts.h5", "--until", repr(2 * half * step), "-q")
                self.assert_same_bits("whole.h5", "parts.h5")
                self.xsim("--rerun", "parts.h5", "-o", "again.h5", "-q")
                self.assert_same_bits("whole.h5", "again.h5")

    def assert_same_bits(self, first, second):
        a, b = (test_cli.read(self.folder / name) for name in (first, second))
        self.assertEqual(a.keys(), b.keys())
        for name in a:
            self.assertTrue(a[name] == b[name], f"{name} differs")


if __name__ == "__main__":
    unittest.main()
