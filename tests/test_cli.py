"""The program from outside: exit statuses, what is written and what is left alone, and the
promise that interrupted, killed, resumed and repeated runs end in the same bits."""
import json
import os
import pty
import re
import resource
import signal
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
# What a limit of time is multiplied by where the program is slowed down, as by a memory checker.
SLOWED = 5 if "XSIM_TEST_SLOWED" in os.environ else 1

SHORT = {
    "format": 1,
    "name": "pendulum",
    "gravity": [0, 0, -9.81],
    "time": {"step": 1e-3, "duration": 0.1},
    "bodies": [{"name": "link", "position": [0.5, 0, 0], "mass": 1, "inertia": [0.01, 0.1, 0.1]}],
    "joints": [{"name": "hinge", "type": "revolute", "body1": "ground", "body2": "link",
                "at": {"position": [0, 0, 0], "axis": [0, 1, 0]}}],
}


def chain(links, steps, every=7):
    """A hanging chain that swings out of its plane: enough work to be interrupted."""
    step = 1e-3
    names = ["ground"] + [f"link{i}" for i in range(links)]
    return {
        "format": 1, "name": "chain", "gravity": [0, 0, -9.81],
        "time": {"step": step, "duration": steps * step},
        "output": {"every": every, "checkpoint": 0.1},
        "bodies": [{"name": names[i + 1], "position": [i + 0.5, 0, 0], "mass": 1,
                    "inertia": [0.1, 0.12, 0.15], "angular_velocity": [0.1, 0, 0]}
                   for i in range(links)],
        "joints": [{"name": f"joint{i}", "type": "spherical", "body1": names[i],
                    "body2": names[i + 1], "at": {"position": [i, 0, 0]}} for i in range(links)],
    }


# A free body under a constant torque turns ever faster, past half a turn a step.
SPIN_UP = {
    "format": 1, "name": "spin-up", "time": {"step": 0.01, "duration": 10},
    "bodies": [{"name": "top", "mass": 1, "inertia": [1, 1, 1]}],
    "loads": [{"body": "top", "torque": [0, 0, 1000]}],
}


def default_signals():
    """Shells start background jobs with SIGINT ignored, which xsim respects."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def read(path):
    """Shape, type and bytes of every dataset of a result but those of /timing and /provenance:
    what has to be the same from run to run."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith(("timing/", "provenance/")):
            found[name] = (item.shape, item.dtype.str, item[()].tobytes())

    with h5py.File(path, "r") as file:
        file.visititems(take)
    return found


class Cli(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def scene(self, content, name="scene.json"):
        (self.folder / name).write_text(json.dumps(content))
        return name

    def start(self, *arguments, **options):
        return subprocess.Popen([XSIM, *map(str, arguments)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=default_signals, **options)

    def xsim(self, *arguments, status=0, preexec=default_signals):
        done = subprocess.run([XSIM, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=120 * SLOWED,
                              preexec_fn=preexec)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def status_of(self, name):
        with h5py.File(self.folder / name, "r") as file:
            status = file.attrs["status"]
            return (status.decode() if isinstance(status, bytes) else str(status),
                    int(file.attrs["exit_code"]))

    def assert_same_bits(self, first, second):
        a, b = read(self.folder / first), read(self.folder / second)
        self.assertEqual(a.keys(), b.keys())
        self.assertIn("bodies/position", a)
        for slot in ("slot0", "slot1"):
            self.assertIn(f"checkpoint/{slot}/sequence", a)
        for name in a:
            self.assertEqual(a[name][:2], b[name][:2], name)
            self.assertTrue(a[name][2] == b[name][2], f"{name} differs")

    def wait_for(self, condition, seconds=30):
        end = time.monotonic() + seconds * SLOWED
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)


class Answers(Cli):
    def test_help_tells_options_and_exit_statuses(self):
        text = self.xsim("--help").stdout
        self.assertIn("--max-wall SECONDS", text)
        self.assertIn("exit status:", text)

    def test_help_on_topics(self):
        self.assertIn("gravity", self.xsim("--help", "scene").stdout)
        self.assertIn("individual", self.xsim("--help", "solver.solve").stdout)
        self.assertIn("no such topic", self.xsim("--help", "nonsense", status=2).stderr)

    def test_version_names_libraries(self):
        text = self.xsim("--version").stdout
        self.assertRegex(text, r"xsim 0\.1\.0\n")
        for library in ("cJSON 1.", "HDF5 1.", "OpenBLAS"):
            self.assertIn(library, text)

    def test_schema_is_json(self):
        schema = json.loads(self.xsim("--schema").stdout)
        self.assertIn("bodies", schema["properties"])

    def test_answers_that_cannot_be_written_are_a_failure(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([XSIM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn("standard output", done.stderr)


class WrongUse(Cli):
    def test_unknown_instruction_set_is_refused(self):
        self.scene(SHORT)
        environment = {**os.environ, "XSIM_ISA": "avx3"}
        for line in (["scene.json"], ["--check", "scene.json"], ["--version"], ["--help"]):
            done = subprocess.run([XSIM, *line], cwd=self.folder, env=environment, text=True,
                                  capture_output=True, check=False)
            is_help = line == ["--help"]
            self.assertEqual(done.returncode, 0 if is_help else 2)
            self.assertIn("XSIM_ISA", done.stdout if is_help else done.stderr)
        self.assertEqual(self.files(), ["scene.json"])

    def test_wrong_command_lines(self):
        self.scene(SHORT)
        for line, text in (((), "no scene given"),
                           (("--jobs", "2", "scene.json"), "it goes with: --sweep"),
                           (("--chekc", "scene.json"), "did you mean --check?"),
                           (("--resume", "a.h5", "-o", "b.h5"), "--output does not go with"),
                           (("scene.json", "-o", "scene.json"), "the file the scene is read from"),
                           (("scene.json", "-o", "./scene.json"), "the file the scene is read")):
            self.assertIn(text, self.xsim(*line, status=2).stderr)
        self.assertEqual(self.files(), ["scene.json"])

    def test_output_that_is_a_link_to_the_scene(self):
        self.scene(SHORT)
        os.link(self.folder / "scene.json", self.folder / "out.h5")
        self.xsim("scene.json", "-o", "out.h5", status=2)

    def test_wrong_scene_writes_nothing(self):
        self.scene({**SHORT, "gravty": [0, 0, -9.81]})
        done = self.xsim("scene.json", "-o", "out.h5", status=3)
        self.assertIn("gravity", done.stderr)
        self.assertEqual(self.files(), ["scene.json"])
        self.assertIn("none.json", self.xsim("none.json", status=3).stderr)

    def test_wrong_scene_leaves_an_earlier_result_alone(self):
        self.scene({**SHORT, "gravty": 1})
        (self.folder / "out.h5").write_text("earlier")
        self.xsim("scene.json", "-o", "out.h5", status=3)
        self.assertEqual((self.folder / "out.h5").read_text(), "earlier")

    def test_errors_as_json(self):
        self.scene({**SHORT, "gravty": 1, "time": {"step": -1, "duration": 1}})
        done = self.xsim("scene.json", "--error-format", "json", status=3)
        messages = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertGreaterEqual(len(messages), 2)
        self.assertEqual(messages[0]["status"], 3)

    def test_check_of_an_unknown_metric_is_found_before_the_run(self):
        self.scene({**SHORT, "checks": [{"metric": "energy.totl.max", "below": 1}]})
        self.xsim("scene.json", status=3)
        self.assertEqual(self.files(), ["scene.json"])


class Run(Cli):
    def test_a_run_ends_with_a_result_and_a_summary(self):
        self.scene(SHORT)
        done = self.xsim("scene.json")
        self.assertEqual(self.files(), ["scene.h5", "scene.json"])
        self.assertEqual(self.status_of("scene.h5"), ("complete", 0))
        for label in ("scene", "simulated", "energy", "residual", "result", "status"):
            self.assertRegex(done.stdout, rf"(?m)^{label} ")
        self.assertNotIn("\033", done.stdout)
        self.assertEqual(done.stderr, "")
        with h5py.File(self.folder / "scene.h5", "r") as file:
            self.assertEqual(file["step"][:].tolist(), list(range(101)))
            self.assertEqual(file["time"][-1], 100 * 1e-3)

    def test_drift_is_relative_to_the_largest_energy_or_to_none(self):
        self.scene(SHORT)
        text = self.xsim("scene.json", "-o", "a.h5").stdout
        with h5py.File(self.folder / "a.h5", "r") as file:
            energy = file["energy/total"][()]
            largest = max(abs(file[f"energy/{part}"][()]).max()
                          for part in ("kinetic", "gravity", "elastic"))
        drift = abs(energy - energy[0]).max() / max(abs(energy[0]), largest)
        self.assertIn(f"(relative: {drift:.3g})", text)

        # Nothing moves and nothing pulls: a number over 0 would be none.
        self.assertNotIn("relative: ", self.xsim("scene.json", "-o", "b.h5", "-s",
                                                 "gravity=[0,0,0]").stdout)

    def test_records_every_few_steps(self):
        self.scene({**SHORT, "output": {"every": 7}})
        self.xsim("scene.json")
        with h5py.File(self.folder / "scene.h5", "r") as file:
            self.assertEqual(file["step"][:].tolist(), list(range(0, 101, 7)))
            self.assertTrue((file["timing/step"][1:] > 0).all())

    def test_names_cannot_drive_the_terminal(self):
        file = os.fsdecode(b"s\033[2J\xff.json")
        self.scene({**SHORT, "name": "pen\033]0;x\007dulum" + 10_000 * "m"}, file)
        for line in ((file, "-v"), ("--check", file), ("--resume", file[:-5] + ".h5")):
            done = subprocess.run([XSIM, *line], cwd=self.folder, capture_output=True, check=True)
            for text in (done.stdout, done.stderr):
                self.assertFalse(set(text) & (set(range(32)) - {10} | {127}), text)
                text.decode()
                self.assertLess(max(map(len, text.splitlines()), default=0), 2000)
            self.assertIn(b"s\\x1b[2J\\xff", done.stdout)

    def test_quiet_says_nothing(self):
        self.scene(SHORT)
        done = self.xsim("scene.json", "-q")
        self.assertEqual(done.stdout + done.stderr, "")

    def test_verbose_says_what_is_built(self):
        self.scene(SHORT)
        text = self.xsim("scene.json", "-v").stderr
        for word in ("nodes", "rows", "method xpbd", "code, as the processor"):
            self.assertIn(word, text)

    def test_set_overrides_the_scene(self):
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "a.h5", "-s", "time.duration=0.02", "--set",
                  "bodies.link.mass=2")
        with h5py.File(self.folder / "a.h5", "r") as file:
            self.assertEqual(file["step"][-1], 20)
        self.xsim("scene.json", "-o", "b.h5", "-s", "time.duraton=0.02", status=3)
        self.xsim("scene.json", "-o", "b.h5", "-s", "time.duration", status=2)

    def test_same_scene_same_bits_and_rerun_too(self):
        self.scene(chain(5, 300))
        self.xsim("scene.json", "-o", "a.h5", "-s", "gravity=[0,0,-5]")
        self.xsim("scene.json", "-o", "b.h5", "-s", "gravity=[0,0,-5]")
        (self.folder / "scene.json").unlink()
        self.xsim("--rerun", "a.h5", "-o", "c.h5")
        self.assert_same_bits("a.h5", "b.h5")
        self.assert_same_bits("a.h5", "c.h5")
        self.assertIn("scene is read from", self.xsim("--rerun", "a.h5", "-o", "a.h5",
                                                      status=2).stderr)

    def test_rerun_takes_overrides(self):
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "a.h5")
        self.xsim("--rerun", "a.h5", "-o", "b.h5", "-s", "time.duration=0.01")
        with h5py.File(self.folder / "b.h5", "r") as file:
            self.assertEqual(file["step"][-1], 10)

    def test_progress_on_request(self):
        self.scene(chain(20, 3000))
        done = self.xsim("scene.json", "--progress", "always", "--max-wall", "2.5",
                         "-s", "time.duration=1e4", status=6)
        self.assertGreaterEqual(done.stderr.count("steps/s"), 1)
        self.assertNotIn("\r", done.stderr)
        self.assertEqual(self.xsim("scene.json", "-o", "b.h5", "--progress", "never").stderr, "")

    def test_progress_on_a_terminal_is_redrawn_and_wiped(self):
        self.scene(chain(20, 3000))
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a chroot without /dev/pts
            self.skipTest(f"no pseudo terminal: {error}")
        with os.fdopen(slave, "w") as terminal:
            done = subprocess.run([XSIM, "scene.json", "--max-wall", "1", "-s",
                                   "time.duration=1e4"], cwd=self.folder, stderr=terminal,
                                  stdout=subprocess.DEVNULL, check=False)
        text = b""
        try:  # a read gives a part; behind the last one the closed terminal is an error
            while part := os.read(master, 65536):
                text += part
        except OSError:
            pass
        os.close(master)
        text = text.decode()
        self.assertEqual(done.returncode, 6)
        self.assertGreater(text.count("\rt = "), 2)
        self.assertLessEqual(text.count("\rt = "), 12)
        self.assertIn("\r\033[Kxsim: stopped by --max-wall", text)
        for line in text.split("\r"):
            if line.startswith("t = "):
                self.assertLess(len(line.split("\033")[0]), 80)


class Check(Cli):
    def test_check_prints_the_plan_and_writes_nothing(self):
        self.scene(SHORT)
        text = self.xsim("--check", "scene.json").stdout
        for label in ("world", "records", "method", "memory", "result", "residual"):
            self.assertRegex(text, rf"(?m)^{label} ")
        self.assertIn("hinge", text)
        self.assertEqual(self.files(), ["scene.json"])
        self.assertEqual(self.xsim("--check", "-q", "scene.json").stdout, "")

    def test_gaps_are_told_worst_first(self):
        scene = chain(3, 10)
        for i, gap in enumerate((0.001, 0.25, 0.002)):
            joint = scene["joints"][i]
            del joint["at"]
            joint["frame1"] = {"position": [0.5 if i else gap, 0, 0 if not i else gap]}
            joint["frame2"] = {"position": [-0.5, 0, 0]}
        self.scene(scene)
        lines = self.xsim("--check", "scene.json").stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("initial gaps"))
        rows = [line.split() for line in lines[at + 2:]]
        self.assertEqual([row[2] for row in rows], ["joint1", "joint2", "joint0"])
        self.assertEqual([float(row[0]) for row in rows], [0.25, 0.002, 0.001])

    def test_check_refuses_what_a_run_refuses(self):
        self.scene({**SHORT, "gravty": 1})
        self.xsim("--check", "scene.json", status=3)
        self.xsim("--check", "none.json", status=3)


class Targets(Cli):
    """Where a result goes, and which files must not be touched."""

    def test_force_replaces_results_only(self):
        self.scene(SHORT, "foo.partial")
        before = (self.folder / "foo.partial").read_text()
        for force in ((), ("-f",)):
            text = self.xsim("foo.partial", "-o", "foo", *force, status=2).stderr
            self.assertIn("foo.partial, which is the file the scene is read from", text)
        self.scene(SHORT)
        for force in ((), ("-f",)):
            text = self.xsim("scene.json", "-o", "foo", *force, status=4).stderr
            self.assertIn("foo.partial: stands in the way of the run and is no result", text)
            self.assertNotIn("--resume", text)
        self.assertEqual((self.folder / "foo.partial").read_text(), before)

        # Another program's HDF5 is no result, either.
        with h5py.File(self.folder / "foo.partial", "w") as file:
            file["x"] = 1
        self.assertIn("no result", self.xsim("scene.json", "-o", "foo", "-f", status=4).stderr)

    def test_force_does_not_destroy_the_result_a_rerun_is_made_from(self):
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "out.h5")
        (self.folder / "out.h5").rename(self.folder / "out.h5.partial")
        for given in ("out.h5", "out.h5.partial"):
            text = self.xsim("--rerun", given, "-o", "out.h5", "-f", status=2).stderr
            self.assertIn("scene is read from", text)

    def test_a_partial_that_is_a_link_is_not_followed(self):
        self.scene(SHORT)
        (self.folder / "precious").write_text("")
        (self.folder / "out.h5.partial").symlink_to("precious")
        for line in (("scene.json", "-o", "out.h5"), ("scene.json", "-o", "out.h5", "-f"),
                     ("--resume", "out.h5"), ("--resume", "out.h5.partial")):
            self.assertIn("out.h5.partial: is a symbolic link",
                          self.xsim(*line, status=4).stderr)
        self.assertEqual((self.folder / "precious").read_text(), "")

    def test_an_output_that_is_a_link_stays_one(self):
        self.scene(SHORT)
        (self.folder / "data").mkdir()
        (self.folder / "data/real.h5").write_text("earlier")
        (self.folder / "out.h5").symlink_to("data/real.h5")
        self.xsim("scene.json", "-o", "out.h5", "-s", "time.duration=0.05")
        self.xsim("--resume", "out.h5", "--until", "0.1")
        self.assertTrue((self.folder / "out.h5").is_symlink())
        self.assertEqual(self.status_of("data/real.h5"), ("complete", 0))
        self.assertEqual(os.listdir(self.folder / "data"), ["real.h5"])
        (self.folder / "data/real.h5").unlink()
        self.assertIn("leads to no file", self.xsim("scene.json", "-o", "out.h5", status=4).stderr)

    def test_names_that_are_no_files(self):
        self.scene(SHORT)
        self.assertIn("--output -", self.xsim("scene.json", "-o", "-", status=2).stderr)
        self.assertIn("is a folder", self.xsim("--resume", ".", status=4).stderr)
        os.mkfifo(self.folder / "pipe")
        self.assertIn("no regular file", self.xsim("--resume", "pipe", status=4).stderr)
        os.mkfifo(self.folder / "out.h5.partial")
        self.assertIn("no regular file", self.xsim("--resume", "out.h5", status=4).stderr)


    def test_an_until_of_less_than_a_step_says_why_there_is_nothing_to_do(self):
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "out.h5")
        text = self.xsim("--resume", "out.h5", "--until", "0.1004").stdout
        self.assertIn("nothing to do; --until 0.1004 rounds to the same number of steps", text)

    def test_scenes_from_pipes(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("no program writes to", self.xsim("--check", "pipe", status=3).stderr)
        self.assertIn("no program writes to", self.xsim("pipe", "-o", "o.h5", status=3).stderr)

        # Writers that come late, in pieces, and by the shell's own means.
        scene = json.dumps(SHORT)
        script = ('(sleep 0.3; printf %s "${1:0:9}"; sleep 0.3; printf %s "${1:9}") > pipe & '
                  '"$0" --check pipe && "$0" --check <(sleep 2.5; printf %s "$1")')
        done = subprocess.run(["bash", "-c", script, XSIM, scene], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=30 * SLOWED)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("scene       pendulum"), 2)


class ChecksOfTheScene(Cli):
    def test_held_and_failed(self):
        held = {"metric": "residual.constraint.max", "below": 1}
        failed = {"metric": "energy.total.max", "below": -1e9}
        self.scene({**SHORT, "checks": [held]})
        self.assertRegex(self.xsim("scene.json").stdout, r"residual\.constraint\.max .* held")
        self.scene({**SHORT, "checks": [held, failed]})
        done = self.xsim("scene.json", status=7)
        self.assertRegex(done.stdout, r"energy\.total\.max .* FAILED")
        self.assertIn("checks[1]", done.stderr)
        self.assertEqual(self.status_of("scene.h5"), ("complete", 7))
        self.assertIn("energy.total.max", self.xsim("scene.json", "-q", status=7).stderr)
        self.assertIn("nothing to do", self.xsim("--resume", "scene.h5", status=7).stdout)


    def test_compressed_records_are_read_as_the_others(self):
        """While the file is still open: chunks that fill, and such that were full, small and large."""
        names = [f"bodies.position.link.{axis}.{what}" for axis in "xz"
                 for what in ("final", "min", "max", "mean")]
        for duration in (0.006, 0.1, 3.0):
            printed = []
            for compression in (0, 4):
                self.scene({**SHORT, "time": {"step": 1e-3, "duration": duration},
                            "output": {"compression": compression, "checkpoint": 0.002},
                            "checks": [{"metric": name, "above": -10} for name in names]})
                printed.append(re.findall(r"bodies\.position\S+ .*", self.xsim(
                    "scene.json", "-o", "out.h5", "--force", "--progress", "never").stdout))
            self.assertEqual(len(printed[0]), len(names))
            self.assertEqual(*printed)

    def test_checks_that_will_find_no_record_are_refused_before_the_run(self):
        energy = {"metric": "energy.total.max", "below": 1e9}
        series = {"metric": "energy.total", "within": 1e9}
        for check, text in (
                ({"metric": "energy.total.at:0.2", "below": 1}, "around 0.2 s"),
                ({"metric": "energy.total.at:0.05", "below": 1, "from": 0.01}, '"from" would do'),
                ({"metric": "energy.total.at:0.05", "below": 1, "to": 0.09}, '"to" would do'),
                ({**energy, "from": 0.011, "to": 0.019}, "every 0.01 s"),
                ({**energy, "to": -1}, "from -inf s to -1 s"),
                ({"metric": "residual.primal.max", "below": 1, "to": 0.001}, "from 0.01 s to"),
                ({**series, "reference": {"time": [0.05], "value": [0]}, "from": 0.06},
                 "no time of the reference")):
            self.scene({**SHORT, "output": {"every": 10}, "checks": [check]})
            for mode in ((), ("--check",)):
                self.assertIn(text, self.xsim(*mode, "scene.json", status=3).stderr)
        self.assertEqual(self.files(), ["scene.json"])

        # What is met to within rounding is there.
        held = [{"metric": "energy.total.at:0.1", "below": 1e9},
                {**energy, "from": 0.03, "to": 0.03},
                {**series, "reference": {"time": [0.0, 0.1], "value": [0, 0]}}]
        self.scene({**SHORT, "output": {"every": 10}, "checks": held})
        self.xsim("scene.json")


class Divergence(Cli):
    def test_result_is_kept_up_to_the_last_good_record(self):
        self.scene(SPIN_UP)
        done = self.xsim("scene.json", status=5)
        self.assertIn("top", done.stderr)
        self.assertIn("step", done.stderr)
        self.assertEqual(self.status_of("scene.h5"), ("diverged", 5))
        with h5py.File(self.folder / "scene.h5", "r") as file:
            steps = file["step"][:]
            self.assertGreater(len(steps), 10)
            for name in ("bodies/position", "bodies/angular_velocity", "energy/total"):
                self.assertEqual(len(file[name]), len(steps))
                self.assertTrue(np.isfinite(file[name][:]).all(), name)

    def test_energy_that_overflows_ends_the_run_with_the_record_before(self):
        self.scene({"format": 1, "name": "fall", "gravity": [0, 0, -1e150],
                    "time": {"step": 1e-3, "duration": 1},
                    "bodies": [{"name": "stone", "mass": 1e10, "inertia": [1, 1, 1]}]})
        done = self.xsim("scene.json", status=5)
        self.assertRegex(done.stderr, r"step \d+\): the .* energy is not finite")
        self.assertNotIn("nan", done.stdout)
        self.assertEqual(self.status_of("scene.h5"), ("diverged", 5))
        with h5py.File(self.folder / "scene.h5", "r") as file:
            self.assertGreater(len(file["time"]), 100)
            for name in ("energy/total", "momentum/linear", "bodies/position"):
                self.assertTrue(np.isfinite(file[name][:]).all(), name)

    def test_a_start_that_is_not_finite_is_refused(self):
        self.scene({**SHORT, "bodies": [{**SHORT["bodies"][0], "linear_velocity": [1e200, 0, 0]}]})
        for check in ((), ("--check",)):
            text = self.xsim(*check, "scene.json", status=3).stderr
            self.assertIn("kinetic energy is not finite", text)
        self.assertEqual(self.files(), ["scene.json"])

    def test_a_gyroscopic_overflow_is_told_as_such(self):
        self.scene({"format": 1, "name": "top", "time": {"step": 1e-3, "duration": 1},
                    "bodies": [{"name": "top", "mass": 1, "inertia": [1e-300, 2e-300, 2.5e-300]}],
                    "loads": [{"body": "top", "torque": [1e9, 1e9, 1e9]}]})
        text = self.xsim("scene.json", status=5).stderr
        self.assertIn('the angular velocity of body "top" is not finite', text)
        self.assertNotIn("nan", text)

    def test_a_rod_is_named_as_one_when_its_turning_overflows(self):
        scene = rods(10)
        scene["loads"] = [{"rod": "cubic", "node": "end", "torque": [0, 1e300, 0]}]
        self.scene(scene)
        text = self.xsim("scene.json", status=5).stderr
        self.assertIn('the angular velocity of rod "cubic" is not finite', text)


def rods(steps):
    """Beside a chain of bodies rods of two kinds, damped, one turned by its end, one with a
    weight at its end."""
    scene = chain(3, steps)
    tip = [np.sin(1.5) / np.sqrt(2), 4 - np.sin(1.5) / np.sqrt(2), np.cos(1.5)]
    scene["bodies"].append({"name": "weight", "position": tip, "mass": 0.1,
                            "inertia": [1e-4, 1e-4, 1e-4]})
    beam = {"section": {"radius": 0.02}, "material": "rubber", "damping": 1e4,
            "shape": {"type": "straight", "length": 1}}
    scene["materials"] = {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}}
    scene["rods"] = [
        {**beam, "name": "cubic", "discretization": "cubic", "elements": 10,
         "pose": {"position": [0, 2, 0], "orientation": {"axis": [0, 1, 0], "angle": 1.5}}},
        {**beam, "name": "linear", "discretization": "linear", "elements": 20,
         "pose": {"position": [0, 4, 0], "orientation": {"axis": [1, 1, 0], "angle": 1.5}},
         "ends": {"start": "clamped"}}]
    scene["joints"] += [
        {"name": "hand", "type": "fixed", "body1": "ground",
         "body2": {"rod": "cubic", "node": "start"},
         "motion": {"rotation": {"axis": [0, 0, 1], "angle": {
             "sine": {"amplitude": 1, "frequency": 1}}}}},
        {"name": "tie", "type": "spherical", "body1": {"rod": "linear", "node": "end"},
         "body2": "weight"}]
    return scene


class Rods(Cli):
    def test_same_bits_rerun_and_resumed(self):
        self.scene(rods(4000))
        self.xsim("scene.json", "-o", "whole.h5", "-q")
        self.xsim("--rerun", "whole.h5", "-o", "again.h5", "-q")
        self.assert_same_bits("whole.h5", "again.h5")
        with h5py.File(self.folder / "whole.h5", "r") as file:
            self.assertIn("rods/cubic/moment", file)

        # Stopped twice before the end, wherever that is.
        self.xsim("scene.json", "-o", "parts.h5", "-q", "--max-wall", "0.15", status=6)
        self.xsim("--resume", "parts.h5", "-q", "--until", "3.2")
        self.xsim("--resume", "parts.h5", "-q", "--until", "4")
        self.assertEqual(self.status_of("parts.h5"), ("complete", 0))
        self.assert_same_bits("whole.h5", "parts.h5")


    def test_a_rod_that_is_solved_badly_is_warned_of(self):
        scene = {
            "format": 1, "time": {"step": 0.1, "duration": 2}, "solver": {"iterations": 1},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}},
            "rods": [{"name": "beam", "discretization": "cubic", "elements": 5,
                      "shape": {"type": "straight", "length": 1}, "section": {"radius": 0.02},
                      "material": "rubber", "ends": {"start": "clamped"}}],
            "loads": [{"rod": "beam", "node": "end", "force": [2, 0, 0]}]}
        self.scene(scene)
        done = self.xsim("scene.json", "-o", "bad.h5")
        with h5py.File(self.folder / "bad.h5", "r") as file:
            residual = file["residual/rod"][1:, 0]
            worst = residual.argmax()
            told = f"reached {residual[worst]:.3g} at t = {file['time'][1 + worst]:.9g} s"
        for text in ("warning: rod beam", told, "solver.iterations", "time.step"):
            self.assertIn(text, done.stderr)
        self.assertEqual(self.xsim("scene.json", "-f", "-q", "-o", "bad.h5").stderr, "")
        self.assertEqual(self.xsim("scene.json", "-o", "good.h5", "-s",
                                   "solver.iterations=10").stderr, "")

    def test_a_rod_bent_at_the_start_is_none_that_was_solved_badly(self):
        self.scene({
            "format": 1, "time": {"step": 1e-3, "duration": 0.01}, "solver": {"iterations": 5},
            "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6,
                                     "poisson_ratio": 0.5}},
            "rods": [{"name": "bow", "discretization": "cubic", "elements": 5,
                      "shape": {"type": "arc", "radius": 1, "angle": 1}, "rest": "straight",
                      "section": {"radius": 0.02}, "material": "rubber"}]})
        done = self.xsim("scene.json", "-o", "bow.h5")
        with h5py.File(self.folder / "bow.h5", "r") as file:
            self.assertGreater(file["residual/rod"][0, 0], 0.1)
        self.assertEqual(done.stderr, "")


class Resume(Cli):
    SCENE = chain(60, 90000, every=77)  # some seconds

    @classmethod
    def setUpClass(cls):
        """The run that is never interrupted."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = Path(folder.name) / "whole.h5"
        scene = Path(folder.name) / "scene.json"
        scene.write_text(json.dumps(cls.SCENE))
        subprocess.run([XSIM, scene, "-o", cls.whole, "-q"], check=True)

    def setUp(self):
        super().setUp()
        self.scene(self.SCENE)

    def started(self, *arguments):
        """A run that is under way for some time."""
        run = self.start("scene.json", "-o", "out.h5", *arguments)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.wait_for((self.folder / "out.h5.partial").exists)
        time.sleep(0.4)
        self.assertIsNone(run.poll(), "the scene is too short for this test")
        return run

    def test_interrupted_and_resumed_is_the_same_as_uninterrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.started()
            run.send_signal(number)
            self.assertEqual(run.wait(10 * SLOWED), 6)
            self.assertIn(f"stopped by {number.name}", run.stderr.read())
            self.assertEqual(self.status_of("out.h5"), ("stopped", 6))
            self.assertNotIn("out.h5.partial", self.files())
            self.assertIn("from t =", self.xsim("--resume", "out.h5").stdout)
            self.assertEqual(self.status_of("out.h5"), ("complete", 0))
            self.assert_same_bits(self.whole, "out.h5")

    def test_killed_leaves_a_partial_that_opens_and_finishes(self):
        run = self.started()
        time.sleep(0.2)
        run.kill()
        run.wait()
        with h5py.File(self.folder / "out.h5.partial", "r") as file:
            self.assertGreater(len(file["time"]), 1)
            self.assertEqual(len(file["time"]), len(file["bodies/position"]))
        self.assertNotIn("out.h5", self.files())

        refused = self.xsim("scene.json", "-o", "out.h5", status=4).stderr
        self.assertIn("--resume", refused)
        self.assertIn("--force", refused)
        self.xsim("--resume", "out.h5.partial", "-q")
        self.assertEqual(self.files(), ["out.h5", "scene.json"])
        self.assert_same_bits(self.whole, "out.h5")

    def test_places_of_a_compressed_result_are_bounded(self):
        self.scene({**chain(20, 12000), "output": {"every": 5, "compression": 1,
                                                   "checkpoint": 0.01}})
        self.xsim("scene.json", "-o", "first.h5", "-q")
        subprocess.run(["h5repack", self.folder / "first.h5", self.folder / "out.h5"], check=True)
        with h5py.File(self.folder / "first.h5") as file:
            n_datasets = 0

            def count(_, thing):
                nonlocal n_datasets
                n_datasets += isinstance(thing, h5py.Dataset) and thing.chunks is not None

            file.visititems(count)
        first, out = ((self.folder / name).stat().st_size for name in ("first.h5", "out.h5"))
        self.assertLess(first - out, 130e3 * n_datasets)

    def test_filters_have_to_be_its_own(self):
        """xsim packs chunks itself, so a damaged parameter would give records that read as others."""
        self.scene({**SHORT, "output": {"compression": 4}})
        self.xsim("scene.json", "-o", "out.h5", "-q")
        whole = (self.folder / "out.h5").read_bytes()
        for good, bad in ((b"shuffle\0\x08", b"shuffle\0\x04"), (b"deflate\0\x04", b"deflate\0\x0b")):
            self.assertIn(good, whole)
            (self.folder / "out.h5").write_bytes(whole.replace(good, bad, 1))
            refused = self.xsim("--resume", "out.h5", "--until", "0.2", status=4).stderr
            self.assertIn("compression", refused)

    def refused_when_changed(self, content, places, new):
        """A result in which the bytes at one of the places are others is refused and left."""
        for place in places:
            damaged = bytearray(content)
            damaged[place:place + len(new)] = new
            (self.folder / "out.h5").write_bytes(damaged)
            refused = self.xsim("--resume", "out.h5", "--until", "0.2", status=4).stderr
            self.assertIn("damaged", refused)
            self.assertEqual((self.folder / "out.h5").read_bytes(), damaged)

    def test_checkpoints_stand_where_they_were_put(self):
        """Else the next checkpoint would overwrite numbers of another dataset."""
        self.scene({**SHORT, "output": {"compression": 0}})
        self.xsim("scene.json", "-o", "out.h5", "-q")
        addresses = []
        with h5py.File(self.folder / "out.h5") as file:
            elsewhere = file["time"].id.get_chunk_info(0).byte_offset
            for slot in file["checkpoint"].values():
                addresses += [dataset.id.get_offset() for dataset in slot.values()]
        content = (self.folder / "out.h5").read_bytes()
        self.refused_when_changed(content, [content.index(address.to_bytes(8, "little"))
                                            for address in addresses],
                                  elsewhere.to_bytes(8, "little"))

    def test_no_two_parts_at_one_place(self):
        """A dataset at the place of another, a chunk at that of another, beyond the end, over the front."""
        self.scene({**SHORT, "output": {"compression": 0}})
        self.xsim("scene.json", "-o", "out.h5", "-q")
        with h5py.File(self.folder / "out.h5") as file:
            headers, chunks = ([place(file["bodies"][name]).to_bytes(8, "little")
                                for name in ("linear_velocity", "angular_velocity")]
                               for place in (lambda d: h5py.h5o.get_info(d.id).addr,
                                             lambda d: d.id.get_chunk_info(0).byte_offset))
        content = (self.folder / "out.h5").read_bytes()
        # Behind the header's address the name's entry has nothing; references to it go on at once.
        self.refused_when_changed(content, [content.index(headers[0] + bytes(24))], headers[1])
        for other in (chunks[1], len(content).to_bytes(8, "little"), bytes(8)):
            self.refused_when_changed(content, [content.index(chunks[0])], other)

    def test_attributes_have_to_be_readable_once_written(self):
        """HDF5 reads an attribute with room to spare, but writes one that nobody can read."""
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "out.h5", "-q")
        content = (self.folder / "out.h5").read_bytes()
        size_of_space = content.index(b"exit_code") - 2
        self.assertEqual(content[size_of_space:size_of_space + 2], b"\x08\0")
        self.refused_when_changed(content, [size_of_space], b"\x0c\0")

    def test_types_have_to_be_its_own(self):
        """HDF5 converts numbers of a damaged type beyond the room that they have."""
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "out.h5", "-q")
        content = (self.folder / "out.h5").read_bytes()
        # Class and sign's place, size, offset, precision of an eight byte number.
        number = bytes.fromhex("11203f0008000000" "00004000")
        places = [match.start() for match in re.finditer(re.escape(number), content)]
        self.assertGreater(len(places), 10)
        self.refused_when_changed(content, places, number[:8] + bytes.fromhex("f0004000"))

    def test_rewritten_by_another_program_is_refused(self):
        for compression in (0, 1):
            self.xsim("scene.json", "-o", "plain.h5", "-s", "time.duration=0.5", "-q", "--force",
                      "-s", f"output.compression={compression}")
            for options in ((), ("-S", "FSM_AGGR"), ("-f", "bodies/position:GZIP=1"),
                            ("-l", "bodies/position:CHUNK=5x20x3")):
                subprocess.run(["h5repack", *options, self.folder / "plain.h5",
                                self.folder / "out.h5"], check=True)
                before = (self.folder / "out.h5").read_bytes()
                refused = self.xsim("--resume", "out.h5", "--until", "0.6", status=4).stderr
                self.assertIn("--rerun", refused)
                self.assertEqual((self.folder / "out.h5").read_bytes(), before)
                self.assertEqual(self.files(), ["out.h5", "plain.h5", "scene.json"])

    def test_second_run_on_the_same_output_is_refused(self):
        run = self.started()
        for line in (("scene.json", "-o", "out.h5"), ("scene.json", "-o", "out.h5", "--force"),
                     ("--resume", "out.h5.partial")):
            self.xsim(*line, status=4)
        self.assertIsNone(run.poll())

    def test_force_replaces_an_unowned_partial(self):
        run = self.started()
        run.kill()
        run.wait()
        self.xsim("scene.json", "-o", "out.h5", "--force", "-s", "time.duration=0.01")
        self.assertEqual(self.files(), ["out.h5", "scene.json"])

    def test_max_wall_stops_in_time_and_can_be_resumed(self):
        start = time.monotonic()
        done = self.xsim("scene.json", "-o", "out.h5", "--max-wall", "0.5", status=6)
        self.assertLess(time.monotonic() - start, 0.7 * SLOWED)
        self.assertIn("--max-wall 0.5", done.stderr)
        self.assertIn("xsim --resume out.h5", done.stderr)
        self.assertEqual(self.status_of("out.h5"), ("stopped", 6))
        self.xsim("--resume", "out.h5")
        self.assert_same_bits(self.whole, "out.h5")

    def test_a_run_stops_within_a_step_at_its_checkpoint(self):
        # 1000 steps of 0.2 s each.
        slow = {**chain(20, 1000, every=1), "output": {"checkpoint": 2e-3}}
        slow["time"]["substeps"] = 25000
        self.scene(slow, "slow.json")
        self.xsim("slow.json", "-o", "whole.h5", "-s", "time.duration=6e-3")

        start = time.monotonic()
        done = self.xsim("slow.json", "-o", "out.h5", "-s", "time.substeps=1000000",
                         "--max-wall", "0.5", status=6)
        self.assertLess(time.monotonic() - start, 0.7 * SLOWED)
        self.assertIn("t = 0 s (step 0 of 1000), the latest checkpoint", done.stderr)
        self.assertEqual(self.status_of("out.h5"), ("stopped", 6))
        (self.folder / "out.h5").unlink()

        # An odd number of steps is done when the signal comes.
        run = self.start("slow.json", "-o", "out.h5", "-s", "time.duration=6e-3", "--progress",
                         "never")
        self.wait_for((self.folder / "out.h5.partial").exists)
        time.sleep(0.5)
        run.send_signal(signal.SIGTERM)
        asked = time.monotonic()
        text = "".join(run.communicate(timeout=10 * SLOWED))
        self.assertLess(time.monotonic() - asked, 0.15 * SLOWED)
        self.assertEqual(run.returncode, 6, text)
        self.assertIn("the latest checkpoint", text)
        with h5py.File(self.folder / "out.h5", "r") as file:
            self.assertEqual(file["step"][-1], file["checkpoint/slot0/step"][0])
            self.assertEqual(file["step"][-1] % 2, 0)
        self.xsim("--resume", "out.h5")
        self.assert_same_bits("whole.h5", "out.h5")

    def test_until_goes_on_and_a_complete_run_has_nothing_to_do(self):
        self.xsim("scene.json", "-o", "longer.h5", "-s", "time.duration=1")
        self.xsim("scene.json", "-o", "out.h5", "-s", "time.duration=0.5")
        before = (self.folder / "out.h5").read_bytes()
        self.assertIn("nothing to do", self.xsim("--resume", "out.h5").stdout)
        self.assertIn("before the checkpoint",
                      self.xsim("--resume", "out.h5", "--until", "0.4", status=2).stderr)
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)
        self.xsim("--resume", "out.h5", "--until", "1")
        self.assert_same_bits("longer.h5", "out.h5")
        self.assertIn("nothing to do", self.xsim("--resume", "out.h5").stdout)

    def test_second_signal_ends_at_once(self):
        # The first signal is noted while the process is stopped, the second then kills.
        run = self.started()
        run.send_signal(signal.SIGSTOP)
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGTERM)
        run.send_signal(signal.SIGCONT)
        self.assertIn(run.wait(10 * SLOWED), (-signal.SIGTERM, -signal.SIGINT))
        self.assertIn("out.h5.partial", self.files())
        self.xsim("--resume", "out.h5", "-q")

    def test_a_complete_partial_is_finished_under_its_name(self):
        self.scene(SHORT, "short.json")
        self.xsim("short.json", "-o", "whole.h5")
        for given in ("out.h5", "out.h5.partial"):
            (self.folder / "out.h5.partial").write_bytes((self.folder / "whole.h5").read_bytes())
            text = self.xsim("--resume", given).stdout
            self.assertNotIn("nothing to do", text)
            self.assertIn("added no record", text)
            self.assertNotIn("out.h5.partial", self.files())
            self.assertEqual(self.status_of("out.h5"), ("complete", 0))
            self.assert_same_bits("whole.h5", "out.h5")
            self.assertIn("nothing to do", self.xsim("--resume", given).stdout)
            (self.folder / "out.h5").unlink()

    def test_damage_is_found_before_anything_is_written(self):
        """Overwrites B-tree nodes, one at a time, of datasets and groups."""
        self.scene(chain(2, 20000, every=1), "long.json")
        self.xsim("long.json", "-o", "out.h5", "-s", "output.compression=1")
        content = (self.folder / "out.h5").read_bytes()
        (self.folder / "out.h5").unlink()
        nodes = [i for i in range(len(content) - 4) if content[i:i + 4] == b"TREE"]
        self.assertGreater(len(nodes), 10)
        refused = 0
        for at in nodes[::3]:
            damaged = content[:at] + b"EERT" + content[at + 4:]
            for name in ("out.h5", "out.h5.partial"):
                (self.folder / name).write_bytes(damaged)
                done = subprocess.run([XSIM, "--resume", "out.h5", "--until", "20.001"],
                                      cwd=self.folder, text=True, capture_output=True,
                                      check=False, timeout=60 * SLOWED)
                if done.returncode == 0:
                    (self.folder / "out.h5").unlink()
                    continue
                refused += 1
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertNotIn("out.h5.partial" if name == "out.h5" else "\n\n", done.stderr)
                self.assertEqual([f for f in self.files() if f.startswith("out")], [name])
                self.assertEqual((self.folder / name).read_bytes(), damaged)
                (self.folder / name).unlink()
        self.assertGreater(refused, 4)

    def store(self, name, text, checksum=True):
        """Puts another text into the provenance of out.h5, with its checksum (FNV-1a) or without."""
        with h5py.File(self.folder / "out.h5", "r+") as file:
            del file[f"provenance/{name}"]
            kind = h5py.string_dtype("utf-8", len(text))
            file[f"provenance/{name}"] = np.array(text.encode(), dtype=kind)
            value = 0xcbf29ce484222325
            for byte in text.encode():
                value = (value ^ byte) * 0x100000001b3 % 2**64
            if checksum:
                file[f"provenance/{name}"].attrs["checksum"] = np.array(value, "u8").view("i8")

    def refused_after(self, change, *words):
        """A result that went through h5py is refused for its content, and is left as it is."""
        with h5py.File(self.folder / "out.h5", "r+") as file:
            change(file)
        before = (self.folder / "out.h5").read_bytes()
        done = self.xsim("--resume", "out.h5", "--until", "1", status=4)
        for word in ("out.h5: damaged: ", *words):
            self.assertIn(word, done.stderr)
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)
        self.assertNotIn("out.h5.partial", self.files())

    def test_checkpoint_of_other_overrides(self):
        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5")
        self.xsim("scene.json", "-o", "other.h5", "-s", "gravity=[0,0,-1]")

        def swap(file):
            del file["checkpoint"]
            with h5py.File(self.folder / "other.h5") as other:
                other.copy("checkpoint", file)

        self.refused_after(swap, "/checkpoint/slot0 is of another scene or of other overrides")

    def test_what_is_not_as_it_was_written_is_refused(self):
        """Two names for one dataset, other names by links, lossy filters, numbers in another file,
        datasets that cannot grow, and some that are gone."""
        def rename(file):
            del file["energy/kinetic"]
            file["energy/kinetic"] = file["energy/gravity"]

        def link(file):
            del file["energy/kinetic"]
            file["energy/kinetic"] = h5py.SoftLink("/energy/gravity")

        def replace(name, **options):
            def change(file):
                content = file[name][()]
                del file[name]
                file.create_dataset(name, data=content, **options)
            return change

        def move_out(file):
            content = file["checkpoint/slot0/position"][()]
            del file["checkpoint/slot0/position"]
            file.create_dataset("checkpoint/slot0/position", content.shape, "f8",
                                external=[(str(self.folder / "raw.bin"), 0, content.nbytes)])

        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5")
        whole = (self.folder / "out.h5").read_bytes()
        for change, word in ((rename, "not as it was"), (link, "not as it was"),
                             (replace("bodies/position", scaleoffset=2, maxshape=(None, 2, 3)),
                              "not as it was"),
                             (move_out, "not as it was"),
                             (lambda file: file.__delitem__("joints/type"), "/joints/type is missing")):
            with self.subTest(word=word):
                (self.folder / "out.h5").write_bytes(whole)
                self.refused_after(change, word)

    def test_contacts_have_to_fit_their_counts(self):
        self.scene({**SHORT, "contact": {"enabled": True}, "gravity": [0, 0, -9.81], "joints": [],
                    "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]},
                               {"name": "ball", "position": [0, 0, 0.0999], "mass": 1,
                                "shapes": [{"type": "sphere", "radius": 0.1}]}]})
        self.xsim("scene.json", "-o", "out.h5")
        whole = (self.folder / "out.h5").read_bytes()
        with h5py.File(self.folder / "out.h5") as file:
            self.assertGreater(file["contacts/count"][-1], 0)

        def put(name, index, value):
            return lambda file: file[name].__setitem__(index, value)

        for change in (lambda file: file["contacts/pair"].resize(1, 0),
                       put("contacts/count", slice(None), 2**62), put("contacts/count", -2, 0),
                       put("contacts/first", -1, 0), put("contacts/first", slice(None), 2**62)):
            (self.folder / "out.h5").write_bytes(whole)
            self.refused_after(change, "contacts")

    def test_stored_texts_that_have_changed_are_named(self):
        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5")
        whole = (self.folder / "out.h5").read_bytes()
        for name in ("scene", "scene_file", "overrides", "resolved"):
            self.store(name, json.dumps(chain(3, 10, every=1)), checksum=False)
            for line in (("--resume", "out.h5", "--until", "1"), ("--rerun", "out.h5", "-o", "again.h5")):
                with self.subTest(name=name, line=line):
                    done = self.xsim(*line, status=4)
                    self.assertIn(f"out.h5: damaged: /provenance/{name} is missing or not what was",
                                  done.stderr)
            (self.folder / "out.h5").write_bytes(whole)

    def test_a_stored_override_that_is_damaged_is_the_files_fault(self):
        """Status 4 names the result, as nothing is wrong with the command line."""
        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5", "-s", "time.step=0.002")
        for damage in ("time.step#0.002", "time=step=0.0", "nowhere[3].x=1"):
            self.store("overrides", damage)
            before = (self.folder / "out.h5").read_bytes()
            for line in (("--resume", "out.h5", "--until", "1"),
                         ("--rerun", "out.h5", "-o", "again.h5"),
                         ("--rerun", "out.h5", "-o", "again.h5", "-s", "time.duration=1")):
                with self.subTest(damage=damage, line=line):
                    done = self.xsim(*line, status=4)
                    self.assertIn("out.h5: damaged: the stored overrides", done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual((self.folder / "out.h5").read_bytes(), before)

    def test_a_stored_scene_that_is_damaged_is_the_files_fault(self):
        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5")
        self.store("scene", '{"time": {')
        done = self.xsim("--resume", "out.h5", "--until", "1", status=4)
        self.assertIn("out.h5: damaged: the stored scene", done.stderr)

    def test_what_is_wrong_with_the_command_line_stays_its_fault(self):
        self.scene(chain(2, 10, every=1))
        self.xsim("scene.json", "-o", "out.h5", "-s", "time.step=0.002")
        self.xsim("--rerun", "out.h5", "-o", "again.h5", "-s", "time.step", status=2)
        self.xsim("--rerun", "out.h5", "-o", "again.h5", "-s", "time.step=-1", status=3)

    def test_checkpoints_are_not_closer_than_steps(self):
        """However small output.checkpoint is, there is at most one a step, and the result is the
        same."""
        self.scene(chain(2, 30, every=1))
        self.xsim("scene.json", "-o", "usual.h5")
        for often in ("1e-300", "5e-324", "1e-9", "1e300"):
            self.xsim("scene.json", "-o", "out.h5", "-f", "-s", f"output.checkpoint={often}")
            self.assert_same_bits("out.h5", "usual.h5")

    def test_resume_of_nothing(self):
        self.assertIn("none.h5", self.xsim("--resume", "none.h5", status=4).stderr)
        (self.folder / "bad.h5").write_text("no HDF5")
        self.xsim("--resume", "bad.h5", status=4)


class Disk(Cli):
    def test_full_disk_leaves_the_earlier_result(self):
        self.scene(chain(10, 3000, every=1))
        self.xsim("scene.json", "-o", "out.h5", "-s", "time.duration=0.01")
        before = (self.folder / "out.h5").read_bytes()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, 3_000_000))

        done = self.xsim("scene.json", "-o", "out.h5", status=4, preexec=limit)
        self.assertIn("out.h5", done.stderr)
        self.assertEqual((self.folder / "out.h5").read_bytes(), before)
        with h5py.File(self.folder / "out.h5.partial", "r") as file:
            self.assertGreaterEqual(len(file["time"]), 1)
            self.assertEqual(file["time"][0], 0)

    def test_what_stays_of_a_full_disk_can_be_resumed(self):
        """A .partial stays only with a checkpoint in it; messages name only what is there."""
        self.scene(chain(10, 3000, every=1))
        stayed = 0
        for size in (0, 1000, 30_000, 100_000, 300_000, 600_000, 1_000_000, 1_500_000, 3_000_000):
            def limit(size=size):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

            text = self.xsim("scene.json", "-o", "out.h5", status=4, preexec=limit).stderr
            self.assertIn("cannot", text)
            self.assertEqual("out.h5.partial" in text, "out.h5.partial" in self.files(), text)
            if "out.h5.partial" in self.files():
                stayed += 1
                self.assertIn("--resume", self.xsim("scene.json", "-o", "out.h5", status=4).stderr)
                self.xsim("--resume", "out.h5")
                (self.folder / "out.h5").unlink()
            self.assertEqual(self.files(), ["scene.json"])
        self.assertIn(stayed, range(1, 9))

    def test_an_attribute_of_more_values_than_one_is_damage(self):
        self.scene(SHORT)
        self.xsim("scene.json", "-o", "out.h5", "-q")
        with h5py.File(self.folder / "out.h5", "r+") as file:
            del file.attrs["time_step"]
            file.attrs["time_step"] = [0.001] * 100
        self.assertIn("time_step", self.xsim("--resume", "out.h5", "--until", "1e3",
                                             status=4).stderr)

    def test_hairs_too_long_for_contact_are_refused(self):
        self.scene({"format": 1, "time": {"step": 1e-3, "duration": 1e-2},
                    "materials": {"steel": {"density": 7800, "youngs_modulus": 2e11,
                                            "poisson_ratio": 0.3}},
                    "rods": [{"name": "hair", "discretization": "linear", "elements": 2,
                              "shape": {"type": "straight", "length": 1},
                              "section": {"radius": 1e-5}, "material": "steel"}],
                    "contact": {"enabled": True}})
        self.assertIn('rod "hair": its elements are 0.5 m long',
                      self.xsim("--check", "scene.json", status=3).stderr)

    def test_output_that_cannot_be_written(self):
        self.scene(SHORT)
        self.assertIn("none/out.h5", self.xsim("scene.json", "-o", "none/out.h5", status=4).stderr)
        (self.folder / "folder").mkdir()
        self.assertIn("a folder", self.xsim("scene.json", "-o", "folder", status=4).stderr)
        self.assertIn("/dev/null", self.xsim("scene.json", "-o", "/dev/null", status=4).stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_without_permission(self):
        self.scene(SHORT)
        (self.folder / "locked").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
        self.xsim("scene.json", "-o", "locked/out.h5", status=4)


if __name__ == "__main__":
    unittest.main()
