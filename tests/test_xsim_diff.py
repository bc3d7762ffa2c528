"""scripts/xsim-diff: what it calls equal, and its exit statuses."""
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "xsim-diff"


class Diff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, **values):
        path = f"{self.folder.name}/{name}.h5"
        with h5py.File(path, "w") as file:
            for key, value in values.items():
                file[key.replace("__", "/")] = value
        return path

    def status(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True).returncode

    def test_equal_but_for_timing_and_provenance(self):
        values = {"time": numpy.array([0.0, numpy.nan]), "names": ["a", "b"]}
        a = self.file("a", timing__step=1.0, provenance__host="x", **values)
        b = self.file("b", timing__step=2.0, provenance__host="y", **values)
        self.assertEqual(self.status(a, b), 0)

    def test_one_bit_differs_unless_a_tolerance_allows_it(self):
        a, b = self.file("a", q=[1.0, 2.0]), self.file("b", q=[1.0, numpy.nextafter(2.0, 3)])
        self.assertEqual(self.status(a, b), 1)
        self.assertEqual(self.status(a, b, "--rtol", "1e-12"), 0)
        self.assertEqual(self.status(a, b, "--atol", "1e-12"), 0)
        self.assertEqual(self.status(a, b, "--rtol", "1e-17"), 1)

    def test_missing_names_text_shapes_and_nan_differ(self):
        a = self.file("a", q=[1.0], s=["a"])
        for other in ({"q": [1.0]}, {"q": [1.0], "s": ["b"]}, {"q": [1.0, 2.0], "s": ["a"]},
                      {"q": [numpy.nan], "s": ["a"]}):
            self.assertEqual(self.status(a, self.file("b", **other), "--rtol", "1"), 1, other)
        self.assertEqual(self.status(a, self.file("b", q=[1.0]), "--only", "/q"), 0)

    def test_what_cannot_be_compared(self):
        a = self.file("a", q=[1.0])
        self.assertEqual(self.status(a, a + ".missing"), 4)
        self.assertEqual(self.status(a, a, "--only", "nothing"), 2)


if __name__ == "__main__":
    unittest.main()
