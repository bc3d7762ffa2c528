"""README.md says what is so: its example scene runs, its Python reads the result, and its
numbers are those that the command beside them prints."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

from test_cli import ROOT, XSIM

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def block(language):
    return blocks(language)[0]


class Readme(unittest.TestCase):
    def test_example_runs_and_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "scene.json").write_text(block("jsonc"), encoding="utf-8")
            subprocess.run([XSIM, "scene.json", "-o", "pendulum.h5", "-q"], cwd=folder, check=True)
            for program in blocks("python")[:2]:  # with h5py alone, and with the package
                said = subprocess.run([sys.executable, "-c", program], cwd=folder, check=True,
                                      env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
                                      capture_output=True, text=True).stdout
                self.assertIn("complete", said)

    def test_commands_of_the_program(self):
        """Those that begin a line, one after the other, as they stand; what they are to find is made
        before: OUT.h5, a run that was stopped, and S.json, a sweep. Left out are those of other programs
        (tests/long/test_cluster.py), and the sweep of test_sweep_gives_the_rows_that_are_shown."""
        commands = re.findall(r"^    ((?:PYTHONPATH=scripts|XSIM=\S+|export XSIM|build/xsim|scripts/).*)$",
                              README, re.MULTILINE)
        commands = [c for c in commands if "parallel" not in c and "-o fig13" not in c]
        self.assertEqual(len(commands), 13)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "build").mkdir()
            (folder / "build/xsim").symlink_to(Path(XSIM).resolve())
            for name in ("scenes", "scripts"):
                (folder / name).symlink_to(ROOT / name)
            stopped = subprocess.run([XSIM, "scenes/paper/triple_pendulum.json", "-o", "OUT.h5", "-q", "-s",
                                      "checks=[]", "--max-wall", "0.01"], cwd=folder, check=False)
            self.assertEqual(stopped.returncode, 6)
            (folder / "S.json").write_text(json.dumps(
                {"scene": "scenes/paper/triple_pendulum.json",
                 "parameters": {"time.step": [1e-3, 2e-3], "time.duration": [0.1], "checks": [[]]}}))
            subprocess.run([XSIM, "--sweep", "S.json", "-o", "DIR", "-q"], cwd=folder, check=True)
            done = subprocess.run(["sh", "-ec", "\n".join(commands)], cwd=folder, capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            made = {path.name for path in folder.iterdir()}
        self.assertLessEqual({"pendulum.h5", "pendulum.png", "finer.h5", "scene.schema.json", "AGAIN.h5"},
                             made)

    def test_commands_that_look_at_a_result(self):
        """All but html, whose program make viewer builds (tests/long/test_viewer.py)."""
        commands = re.findall(r"^    /usr/bin/python3 -m xsim (.*?)(?:  +#.*)?$", README, re.MULTILINE)
        self.assertEqual([command.split()[0] for command in commands],
                         ["info", "plot", "animate", "html", "paraview"])
        with tempfile.TemporaryDirectory() as folder:
            scene = json.loads(re.sub(r"//.*", "", block("jsonc").replace("https://", "")))
            scene["time"]["duration"], scene["checks"] = 0.2, []
            (Path(folder) / "scene.json").write_text(json.dumps(scene), encoding="utf-8")
            subprocess.run([XSIM, "scene.json", "-o", "pendulum.h5", "-q"], cwd=folder, check=True)
            for command in commands:
                if command.startswith("html"):
                    continue
                # A short film of a small size.
                more = ["--speed", "0.2", "--fps", "4"] if command.startswith("animate") else []
                subprocess.run([sys.executable, "-m", "xsim", *command.split(), *more], cwd=folder,
                               env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")}, check=True,
                               capture_output=True)
            made = {path.name for path in Path(folder).iterdir()}
        self.assertLessEqual({"pendulum.png", "pendulum.gif", "pendulum.xdmf",
                              "pendulum_paraview.h5"}, made)

    def test_table_has_the_datasets_that_are_written(self):
        """Neither less nor more, but for /checkpoint, which is xsim's own, and what /provenance tells
        in words."""
        listed = {"/checkpoint", "/provenance"}
        for cell in re.findall(r"^\| (`/.*?`) \|", README, re.MULTILINE):
            folder = ""
            for name in re.findall(r"`(.*?)`", cell):
                folder = name[:name.rindex("/") + 1] if name.startswith("/") else folder
                listed.add(name if name.startswith("/") else folder + name)
        written = set()

        def visit(name, item):
            if isinstance(item, h5py.Dataset):
                top, *rest = name.split("/")
                written.add("/" + top if top in ("checkpoint", "provenance") else
                            f"/rods/ROD/{rest[-1]}" if len(rest) > 1 else "/" + name)

        everything = '"fields": ["bodies", "joints", "rods", "contacts", "residual_peak"'
        runs = (("bowling", ["time.duration=4e-3", f"output={{{everything}]}}"]),
                ("triple_pendulum_scalar", ["time.duration=2e-3"]),
                ("cantilever", ['solver={"mode": "static"}', f'output={{{everything}, "stability"]}}',
                                'time={"step": 1, "duration": 0}']))
        with tempfile.TemporaryDirectory() as folder:
            for scene, settings in runs:
                path = Path(folder) / f"{scene}.h5"
                sets = [word for setting in (*settings, "checks=[]") for word in ("-s", setting)]
                subprocess.run([XSIM, ROOT / f"scenes/paper/{scene}.json", "-o", path, "-q", *sets],
                               check=True)
                with h5py.File(path) as result:
                    result.visititems(visit)
        self.assertEqual(written, listed)

    def test_rod_comes_to_rest_without_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "rod.json").write_text(block("json"), encoding="utf-8")
            run = subprocess.run([XSIM, "rod.json", "-s",
                                  'checks=[{"metric": "energy.kinetic.final", "below": 1e-9}]'],
                                 cwd=folder, capture_output=True, text=True, check=True)
            self.assertTrue((Path(folder) / "rod.h5").exists())
        self.assertEqual(run.stderr, "")

    def test_energies_are_those_of_the_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            for extra in ([], ["-s", "time.step=1e-4"]):
                said = subprocess.run(
                    [XSIM, ROOT / "scenes/paper/triple_pendulum.json", "-f", "-o", "a.h5", *extra],
                    cwd=folder, capture_output=True, text=True, check=True).stdout
                line = re.search(r"^energy .*$", said, re.MULTILINE)[0]
                self.assertIn(re.search(r"[\d.]+ J \(.*\)", line)[0] if extra else line, README)

    def test_sweep_gives_the_rows_that_are_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([XSIM, "--sweep", ROOT / "scenes/paper/fig13_cantilever.sweep.json",
                            "-o", "fig13", "--jobs", "2", "-q"], cwd=folder, check=True)
            table = (Path(folder) / "fig13/summary.csv").read_text().splitlines()
        shown = re.findall(r"^    (.*),\.\.\.$", README, re.MULTILINE)
        self.assertEqual(len(shown), 3)
        # The last digits are the BLAS's, which picks its kernels by the processor.
        for row in shown:
            case, _, value = row.rpartition(",")
            line = next((line for line in table if line.startswith(case + ",")), None)
            self.assertIsNotNone(line, row)
            found = line[len(case) + 1:].split(",")[0]
            if case.startswith("case"):
                self.assertEqual(found, value)
            else:
                self.assertAlmostEqual(float(found), float(value), delta=1e-12)

    def test_accuracy_is_what_the_command_prints(self):
        rows = re.findall(r"^\| (\S+e-\d) \| (\S+) \| (\S*) ?\| (\S+) \|$", README, re.MULTILINE)
        self.assertEqual(len(rows), 4)
        printed = subprocess.run([sys.executable, ROOT / "scripts/accuracy.py"], check=True,
                                 env={**os.environ, "XSIM": XSIM}, capture_output=True,
                                 text=True).stdout
        block_rows = [line.split() for line in printed.splitlines() if line.startswith("block")]
        for stated, found in zip(rows, block_rows, strict=True):
            self.assertEqual(float(stated[0]), float(found[1]))
            self.assertEqual([text for text in stated[1:] if text], found[2:-2])

    def test_known_limits_are_what_the_command_prints(self):
        rows = re.findall(r"^\| .* \| (.*) \| `scripts/known_limits.py (\w+)` \|$", README,
                          re.MULTILINE)
        printed = subprocess.run([sys.executable, ROOT / "scripts/known_limits.py"], check=True,
                                 env={**os.environ, "XSIM": XSIM}, capture_output=True,
                                 text=True).stdout
        found = dict(line.split(": ") for line in printed.splitlines())
        self.assertEqual({name: numbers for numbers, name in rows}, found)

    def test_every_measurement_is_listed(self):
        listed = re.findall(r"^\| `(\w+\.\w+)` \|", (ROOT / "bench/README.md").read_text("utf-8"),
                            re.MULTILINE)
        programs = [p.name for p in (ROOT / "bench").iterdir() if p.suffix in (".c", ".py")]
        self.assertEqual(sorted(listed), sorted(programs))


if __name__ == "__main__":
    unittest.main()
