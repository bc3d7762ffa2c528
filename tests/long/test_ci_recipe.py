"""The README's CI jobs, run as they stand in a clone of this repository: they pass where nothing has
changed, and fail when a commit makes the simulation less accurate.

Left out: installing packages, and what the services themselves do (checkout, variables)."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_cli import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
# Gravity that is a fifth off.
CHANGE = ("src/solver/xpbd.c", "xs_vec3_add_scaled(world->gravity, inertia->inv_mass,",
          "xs_vec3_add_scaled(xs_vec3_scale(1.2, world->gravity), inertia->inv_mass,")


def commands(language_block):
    """The shell commands of a job: items "- TEXT", "- run: TEXT" and folded ones."""
    found, lines = [], language_block.splitlines()
    for i, line in enumerate(lines):
        item = re.match(r"( *)- (?:run: )?(.*)$", line)
        if item is None or item[2].startswith("uses:"):
            continue
        text, indent = item[2], len(item[1])
        if text == ">":
            rest = []
            for follower in lines[i + 1:]:
                if len(follower) - len(follower.lstrip()) <= indent:
                    break
                rest.append(follower.strip())
            text = " ".join(rest)
        found.append(text)
    return [text for text in found if not text.startswith("apt-get")]


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.clone = Path(folder.name) / "clone"
        subprocess.run(["git", "clone", "-q", ROOT, cls.clone], check=True)
        cls.base = cls.git("rev-parse", "HEAD")

    @classmethod
    def git(cls, *arguments):
        identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
        return subprocess.run(["git", *identity, *arguments], cwd=cls.clone, check=True, text=True,
                              capture_output=True).stdout.strip()

    def run_job(self, block):
        """The status of the job's last command, and all that was said; the others have to succeed."""
        variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base, "HOME": str(self.clone.parent),
                     "OPT": "-O1", "PATH": os.environ["PATH"]}
        for command in commands(block):
            command = command.replace("${{ github.event.pull_request.base.sha }}", self.base)
            self.assertNotIn("${{", command)
            done = subprocess.run(["sh", "-e", "-c", command], cwd=self.clone, env=variables,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                break
        self.assertTrue(command.startswith("scripts/check-regression"), done.stdout[-3000:])
        return done.returncode, done.stdout

    def test_passes_unchanged_and_fails_on_a_regression(self):
        blocks = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
        self.assertEqual([len(commands(block)) for block in blocks], [3, 2])
        status, said = self.run_job(blocks[1])
        self.assertEqual(status, 0, said)
        self.assertIn("the same in every bit", said)

        path, before, after = CHANGE
        source = (self.clone / path).read_text(encoding="utf-8")
        self.assertIn(before, source)
        (self.clone / path).write_text(source.replace(before, after), encoding="utf-8")
        self.git("commit", "-q", "-a", "-m", "a mistake")
        status, said = self.run_job(blocks[0])
        self.assertEqual(status, 1, said)
        # So large a mistake that checks of the scenes themselves fail.
        self.assertRegex(said, r"cantilever_swing\.json +exit status .* REGRESSION")


if __name__ == "__main__":
    unittest.main()
