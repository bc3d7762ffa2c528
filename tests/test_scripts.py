"""Scripts and measurements as commands: Debian's Python runs them whatever python3 comes first in
PATH, --help and wrong arguments are answered before anything is run or written, and where the program
is missing they say so in a line."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = "#!/usr/bin/python3"
# Scripts that run xsim: arguments with which they would.
RUN_XSIM = {"scripts/accuracy.py": [], "scripts/known_limits.py": ["gap"], "scripts/figure9.py": [],
            "scripts/spring_buckling.py": ["cubic:40"], "bench/peers/compare.py": ["--quick"],
            "scripts/collect": ["S.json", "DIR"],
            "scripts/sweep.sbatch": ["S.json", "DIR"],
            **{f"bench/{path.name}": [] for path in (ROOT / "bench").glob("*.py")}}


def commands():
    """Every file of the project's scripts and measurements that begins with #!."""
    for folder in ("scripts", "bench", "bench/peers", "tests/reference"):
        for path in sorted((ROOT / folder).iterdir()):
            if path.is_file() and path.read_bytes().startswith(b"#!"):
                yield path


def first_line(path):
    return path.read_text(encoding="utf-8").split("\n", 1)[0]


def said_by(path, *arguments, folder, **environment):
    return subprocess.run([path, *arguments], cwd=folder, capture_output=True, text=True, timeout=600,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
                          check=False)


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_interpreter_is_named_and_files_can_be_run(self):
        found = list(commands())
        self.assertGreater(len(found), 35)
        for path in found:
            self.assertIn(first_line(path), (PYTHON, "#!/bin/sh"), path)
            self.assertTrue(os.access(path, os.X_OK), path)

    def test_a_script_with_a_command_line_names_its_interpreter(self):
        for folder in ("scripts", "bench", "bench/peers", "tests/reference"):
            for path in (ROOT / folder).glob("*.py"):
                if '__name__ == "__main__"' in path.read_text(encoding="utf-8"):
                    self.assertEqual(first_line(path), PYTHON, path)

    def test_help_and_wrong_arguments(self):
        for path in commands():
            if first_line(path) != PYTHON:
                continue
            with self.subTest(path.name):
                done = said_by(path, "--help", folder=self.folder)
                if "python3-mpmath" in done.stderr:
                    continue  # whose absence is told
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertTrue(done.stdout.startswith("usage: "), done.stdout)
                done = said_by(path, "--no-such-option", folder=self.folder)
                self.assertEqual(done.returncode, 2)
                self.assertIn("usage: ", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_help_of_shell_scripts(self):
        for name in ("collect", "install-deps.sh"):
            done = said_by(ROOT / "scripts" / name, "--help", folder=self.folder)
            self.assertEqual(done.returncode, 0)
            self.assertIn(name, done.stdout)

    def test_program_that_is_missing(self):
        missing = str(self.folder / "no-xsim")
        for name, arguments in RUN_XSIM.items():
            with self.subTest(name):
                done = said_by(ROOT / name, *arguments, folder=self.folder, XSIM=missing,
                               SLURM_ARRAY_TASK_ID="0")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"^\S+: {missing}: there is no such program; .*\n\Z")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_wrong_arguments_of_their_own(self):
        for name, argument in (("known_limits.py", "gaps"), ("spring_buckling.py", "cubic"),
                               ("make_chain.py", "0"), ("make_spheres.py", "0")):
            done = said_by(ROOT / "scripts" / name, argument, folder=self.folder)
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(argument, done.stderr.splitlines()[-1])

    def test_other_programs_that_are_missing(self):
        for name, arguments, words in (
                ("fuzz.py", ["."], "'make fuzz-build' builds it"),
                ("check-layers.py", ["libxsim.a"], "'make' builds it"),
                ("check-regression", ["--commit", "HEAD", "--candidate", "./none", "s.json"],
                 "'make' builds it"),
                ("figure8.py", [], "'make' builds it")):
            done = said_by(ROOT / "scripts" / name, *arguments, folder=self.folder, ROD_ROTATION="./none")
            self.assertNotEqual(done.returncode, 0, name)
            self.assertIn(words, done.stdout + done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_modules_that_are_missing(self):
        """A Python without h5py: the message says which one has it."""
        (self.folder / "h5py.py").write_text("raise ModuleNotFoundError(\"No module named 'h5py'\", "
                                             "name='h5py')\n", encoding="utf-8")
        for name, status in (("accuracy.py", 1), ("figure9.py", 1), ("xsim-diff", 4),
                             ("check-regression", 4)):
            done = said_by(ROOT / "scripts" / name, "a.h5", "b.h5", folder=self.folder,
                           PYTHONPATH=str(self.folder))
            self.assertEqual(done.returncode, status, name)
            self.assertRegex(done.stderr, r"^\S+: No module named 'h5py'.*"
                             r"(/usr/bin/python3|scripts/install-deps.sh)")
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
