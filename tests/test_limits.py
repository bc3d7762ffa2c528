"""What is refused for its size, by the numbers of the README's table "Limits": each limit is met by
what is just inside it where that is cheap, and refused by name just outside, before it costs anything."""
import json
import os
import re
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_cli import ROOT, XSIM

README = (ROOT / "README.md").read_text(encoding="utf-8")
TIME = {"step": 0.01, "duration": 1}
BODY = {"name": "b", "mass": 1, "inertia": [1, 1, 1]}
RUBBER = {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.5}}


def limit(name):
    """The number in the README's table."""
    row = re.search(rf"^\| {re.escape(name)} \| ([^|]*) \|", README, re.MULTILINE)
    assert row, f"the README has no limit of {name}"
    return int(float(row[1].split()[0]))


def rod(elements):
    return {"name": "r", "discretization": "linear", "elements": elements, "material": "rubber",
            "shape": {"type": "straight", "length": 1}, "section": {"radius": 0.01}}


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, text, *arguments, memory=None):
        path = self.folder / "scene.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")

        def shrink():
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        return subprocess.run([XSIM, "--check", *arguments, path], text=True, capture_output=True,
                              check=False, preexec_fn=shrink, timeout=120)

    def refused(self, done, *words, status=3):
        self.assertEqual(done.returncode, status, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def accepted(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_nesting(self):
        deep = limit("nesting of a text")
        text = '{"bodies": ' + "[" * deep + "]" * deep + "}"
        self.refused(self.check(text), "nested", str(deep))
        done = self.check({"time": TIME}, "-s", "description=" + "[" * (deep + 1) + "]" * (deep + 1))
        self.refused(done, "nested", status=2)

    def test_size_of_a_text(self):
        size = limit("text of a scene or sweep") * 2**20
        path = self.folder / "large.json"
        with path.open("wb") as file:
            file.truncate(size + 1)
        done = subprocess.run([XSIM, "--check", path], text=True, capture_output=True, check=False)
        self.refused(done, "256 MiB")

    def test_names(self):
        longest = limit("name of a body, joint, rod or material")
        self.accepted(self.check({"time": TIME, "bodies": [{**BODY, "name": "n" * longest}]}, "-s",
                                 f"bodies.{'n' * longest}.mass=2"))
        done = self.check({"time": TIME, "bodies": [{**BODY, "name": "n" * (longest + 1)}]})
        self.refused(done, "is no name", f"{longest} at most")
        done = self.check({"time": TIME, "materials": {"m" * (longest + 1): {}}})
        self.refused(done, "is no name")

    def test_counts(self):
        steps = limit("steps of a run")
        self.refused(self.check({"time": {"step": 1, "duration": 1.01 * steps}, "bodies": [BODY]}),
                     "steps, at most 1e+12")
        self.accepted(self.check({"time": {"step": 1, "duration": steps}, "bodies": [BODY]}))
        for key, most in (("time.substeps", limit("substeps of a step; iterations")),
                          ("solver.iterations", limit("substeps of a step; iterations"))):
            done = self.check({"time": TIME, "bodies": [BODY]}, "-s", f"{key}={most + 1}")
            self.refused(done, key.split(".")[1], str(most))
            self.accepted(self.check({"time": TIME, "bodies": [BODY]}, "-s", f"{key}={most}"))
        elements = limit("elements of a rod")
        self.refused(self.check({"time": TIME, "materials": RUBBER, "rods": [rod(elements + 1)]}),
                     "elements", "10000000")

    def test_elements_that_touch(self):
        """One straight element of so many thicknesses, and one that is longer."""
        most = limit("length of a rod's element that touches")
        scene = {"time": TIME, "materials": RUBBER, "contact": {"enabled": True},
                 "rods": [{**rod(1), "section": {"radius": 1.001 / (2 * most)}}]}
        self.accepted(self.check(scene))
        scene["rods"][0]["section"]["radius"] *= 0.998
        self.refused(self.check(scene), 'rod "r"', "the longest that contact takes", "more elements")

    def test_cases(self):
        cases = limit("cases of a sweep")
        (self.folder / "base.json").write_text(json.dumps({"time": TIME, "bodies": [BODY]}))
        values = list(range(1, 1001))
        sweep = {"scene": "base.json", "parameters": {"a.x": values, "a.y": values, "a.z": [1, 2]}}
        self.refused(self.check(sweep, "--sweep"), f"more than {cases} cases")

    @unittest.skipIf("XSIM_TEST_SANITIZED" in os.environ,
                     "AddressSanitizer itself needs terabytes of addresses")
    def test_memory_is_estimated_before_it_is_taken(self):
        """A process that may take 400 MB: a rod that needs 500 MB is refused by that number, and so
        are bodies; what is refused is never half built."""
        memory = 400_000_000
        done = self.check({"time": TIME, "materials": RUBBER, "rods": [rod(200_000)]}, memory=memory)
        self.refused(done, "GB of memory; there are 0.4 GB")
        bodies = [{"name": f"b{i}", "mass": 1, "inertia": [1, 1, 1]} for i in range(60_000)]
        done = self.check({"time": TIME, "bodies": bodies}, memory=memory)
        self.refused(done, "60000 bodies and 0 joints need about", "there are 0.4 GB")
        self.accepted(self.check({"time": TIME, "materials": RUBBER, "rods": [rod(1000)]},
                                 memory=memory))
        done = self.check('{"bodies": [' + "0," * 2_500_000 + "0]}", memory=memory)
        self.refused(done, "scene.json: its 25000", "values need about", "there are 0.4 GB")

    def test_check_prints_the_memory(self):
        done = self.check({"time": TIME, "bodies": [BODY]})
        self.assertRegex(done.stdout, r"(?m)^memory +about [0-9.]+ [kMG]B$")

    def test_a_record(self):
        """A rod of linear elements has 13 numbers a node and 12 a Gauss point, one an element."""
        elements = limit("a record") * 2**20 // (25 * 8)
        scene = {"time": TIME, "materials": RUBBER, "rods": [rod(elements + 1)]}
        self.refused(self.check(scene), "MiB, more than the 64 MiB of the record buffer",
                     "output.fields")
        self.accepted(self.check(scene, "-s", 'output={"fields": ["bodies"]}'))


if __name__ == "__main__":
    unittest.main()
