"""`make paper-quick`: every experiment of the paper runs, hands back figures and claims, and a second
call runs nothing again. The program is $XSIM, default build/xsim."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from html.parser import HTMLParser
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts")]
from paper import fig17_bristlebot, model, registry, runs  # noqa: E402 (needs the path above)

XSIM = Path(os.environ.get("XSIM", ROOT / "build/xsim")).resolve()
# Claims that hold in the quick version whatever the machine is busy with, by words of the quote.
HOLD = ("does not bring p to 0", "step is indeed globally exact", "does not successfully join",
        "converge to the same shape", "completely flaccid", "golden section",
        "same O(h²) convergence rate", "superior convergence", "significant shear locking",
        "0.1% error", "from 0 to 15 seconds", "nearly 10⁴ times", "farther from the ground truth",
        "agrees almost exactly", "net forward motion")
# Those that do not, under the scenes' parameters.
FAIL = ("critical buckling displacement of about 0.32 m",)


ENVIRONMENT = {**os.environ, "XSIM": str(XSIM), "PYTHONPATH": "scripts",
               "ROD_ROTATION": str(XSIM.parent / "tests/tools/rod_rotation")}


def command(*arguments):
    return [sys.executable, "-m", "paper", *map(str, arguments)]


def paper(*arguments):
    return subprocess.run(command(*arguments), cwd=ROOT, text=True, capture_output=True, check=False,
                          env=ENVIRONMENT)


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="xsim-paper-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.done = paper("--quick", "-o", cls.folder)
        cls.outcomes = {path.stem: json.loads(path.read_text(encoding="utf-8"))
                        for path in (cls.folder / "results").glob("*.json")}
        cls.claims = [claim for o in cls.outcomes.values() for claim in o["claims"]]

    def test_every_experiment_is_done(self):
        """Or says aloud that its scene is missing; then the exit status is 1."""
        missing = [f"scene missing: scenes/paper/{name}.json" for name in
                   ("bowling", *fig17_bristlebot.SCENES.values())
                   if not (ROOT / f"scenes/paper/{name}.json").exists()]
        self.assertEqual(set(self.outcomes), {e.NAME for e in registry.EXPERIMENTS})
        failed = 0
        for name, outcome in self.outcomes.items():
            for said in [outcome["message"]] * (outcome["status"] != "done") + outcome["alarms"]:
                self.assertIn(said, missing, name)
                self.assertIn(said, self.done.stderr)
            failed += outcome["status"] != "done"
            if outcome["status"] == "done":
                self.assertGreater(len(outcome["claims"]) + len(outcome["tables"]), 0, name)
        self.assertEqual(self.done.returncode, 1 if failed else 0,
                         self.done.stdout + self.done.stderr)

    def test_figures_are_there(self):
        for outcome in self.outcomes.values():
            for figure in outcome["figures"]:
                for kind, least in (("png", 15000), ("pdf", 2000)):
                    file = self.folder / "figures" / f"{figure['name']}.{kind}"
                    self.assertGreater(file.stat().st_size, least, file)

    def test_report_says_everything(self):
        text = (self.folder / "report.md").read_text(encoding="utf-8")
        page = (self.folder / "report.html").read_text(encoding="utf-8")
        HTMLParser().feed(page)
        for outcome in self.outcomes.values():
            self.assertIn(f"## {outcome['title']}", text)
            for figure in outcome["figures"]:
                self.assertIn(f"figures/{figure['name']}.png", text)
                self.assertIn(f"figures/{figure['name']}.png", page)
        for claim in self.claims:
            self.assertIn(claim["quote"], text)
            self.assertIn(claim["verdict"], (model.HOLDS, model.PART, model.FAILS, model.OPEN))
            self.assertTrue(claim["measured"] and claim["parameters"] and claim["section"])
        self.assertIn("QUICK VERSION", text)

    def test_verdicts(self):
        for words, expected in [*((w, model.HOLDS) for w in HOLD), *((w, model.FAILS) for w in FAIL)]:
            found = [c for c in self.claims if words in c["quote"]]
            self.assertGreater(len(found), 0, words)
            for claim in found:
                self.assertEqual(claim["verdict"], expected, claim)

    def test_nothing_runs_again(self):
        results = sorted((self.folder / "runs/fig14_shear_locking").glob("*.h5"))
        before = [path.stat().st_mtime_ns for path in results]
        self.assertEqual(len(before), 36)
        done = paper("--quick", "-o", self.folder, "fig14")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([path.stat().st_mtime_ns for path in results], before)

    def test_values_are_those_of_the_runs(self):
        values = runs.values_of(runs.read_json(ROOT / "scenes/paper/fig14_shear_locking.sweep.json"))
        for k, of in enumerate(values):
            with h5py.File(self.folder / f"runs/fig14_shear_locking/case-{k:04d}.h5") as file:
                rod = json.loads(file["provenance/resolved"][()])["rods"][0]
            self.assertEqual((rod["shape"]["length"], rod["discretization"], rod["quadrature"]),
                             (of["rods.beam.shape.length"], of["rods.beam.discretization"],
                              of["rods.beam.quadrature"]))


class Faults(unittest.TestCase):
    def test_unknown_experiment(self):
        done = paper("--quick", "fig99")
        self.assertEqual(done.returncode, 2)
        self.assertIn("fig99", done.stderr)

    def test_interrupted_it_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            runs_of = Path(folder) / "runs/fig16_plectoneme"
            # As from a terminal: the interrupt goes to all processes, and none ignores it.
            started = subprocess.Popen(
                command("--quick", "-o", folder, "fig16"), cwd=ROOT, env=ENVIRONMENT,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
            while not list(runs_of.glob("*.partial")):
                self.assertIsNone(started.poll(), "it has ended too soon")
                time.sleep(0.02)
            os.killpg(started.pid, signal.SIGINT)
            self.assertIn("the same command goes on", started.communicate()[1])
            self.assertEqual(started.returncode, 130)
            done = paper("--quick", "-o", folder, "fig16")
            self.assertEqual(done.returncode, 0, done.stderr)
            for case in runs_of.glob("*.h5"):
                with h5py.File(case) as file:
                    self.assertEqual(file.attrs["status"], b"complete")

    def test_missing_scene_and_failing_run(self):
        with tempfile.TemporaryDirectory() as folder:
            lab = runs.Lab(folder, XSIM, 1, True)
            with self.assertRaisesRegex(model.SceneMissing, "scenes/paper/no_such.json"):
                lab.sweep_of("none", "no_such", {})
            with self.assertRaisesRegex(RuntimeError, "exit status 3"):
                lab.sweep_of("wrong", "cantilever", {"time.step": [-1]}).wait()
            lab.close()

    def test_comments_are_left_out_but_not_of_strings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.json"
            path.write_text('{"a": "x//y", // a comment\n "b": [1] // "c"\n}')
            self.assertEqual(runs.read_json(path), {"a": "x//y", "b": [1]})

    def test_verdict(self):
        self.assertEqual([model.verdict(True, True), model.verdict(True, False),
                          model.verdict(False, False)], [model.HOLDS, model.PART, model.FAILS])


if __name__ == "__main__":
    unittest.main()
