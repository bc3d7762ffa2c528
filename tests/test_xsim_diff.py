"""scripts/xsim-diff: what it calls equal, and its exit statuses."""
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

from test_cli import ROOT, XSIM

SCRIPT = ROOT / "scripts" / "xsim-diff"


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


class Results(unittest.TestCase):
    """Results of a rod on a pendulum: bodies, joints and a rod."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.run_scene("a")

    @classmethod
    def run_scene(cls, name, *settings):
        command = [XSIM, ROOT / "scenes/demo/rod_bob.json", "-q", "-f", "-s", "checks=[]", "-s",
                   "time.duration=0.2", "-o", f"{name}.h5"]
        for setting in settings:
            command += ["-s", setting]
        subprocess.run(command, cwd=cls.folder, check=True)

    def compare(self, other, *arguments):
        """Exit status, and what is said of each dataset."""
        done = subprocess.run([SCRIPT, "a.h5", f"{other}.h5", *arguments], cwd=self.folder,
                              capture_output=True, text=True)
        return done.returncode, dict(line.split(": ", 1) for line in done.stdout.splitlines()
                                     if line.startswith("/"))

    def test_the_same_run_twice(self):
        self.run_scene("again")
        self.assertEqual(self.compare("again"), (0, {}))

    def test_a_smaller_step_differs_within_its_error_only(self):
        self.run_scene("finer", "time.substeps=2")
        status, said = self.compare("finer")
        self.assertEqual(status, 1)
        with h5py.File(self.folder / "a.h5") as a, h5py.File(self.folder / "finer.h5") as b:
            for name in ("bodies/position", "rods", "joints/force"):
                name = name if name != "rods" else f"rods/{a['rods/name'][0].decode()}/position"
                x, y = a[name][()], b[name][()]
                largest, scale = abs(x - y).max(), abs(y).max()
                self.assertEqual(said[f"/{name}"],
                                 f"differs by {largest:.3g}; its largest value is {scale:.3g}")
                for rtol, expected in ((1.01 * largest / scale, 0), (0.99 * largest / scale, 1)):
                    self.assertEqual(self.compare("finer", "--only", name, "--rtol", str(rtol))[0],
                                     expected)
            self.assertNotIn("/time", said)

    def test_other_fields_and_other_lengths(self):
        self.run_scene("fields", 'output.fields=["bodies"]')
        status, said = self.compare("fields")
        self.assertEqual((status, said["/joints/force"]), (1, "only in a.h5"))
        self.assertEqual(self.compare("fields", "--only", "bodies"), (0, {}))
        self.run_scene("every", "output.every=2")
        status, said = self.compare("every", "--rtol", "1e9")
        self.assertEqual(status, 1)
        self.assertRegex(said["/time"], r"float64 \(\d+,\) against float64 \(\d+,\)")

    def test_times_of_a_step_as_a_ratio(self):
        self.run_scene("slow")
        with h5py.File(self.folder / "a.h5") as a, \
                h5py.File(self.folder / "slow.h5", "r+") as slow:
            slow["timing/step"][:] = 0.5 * a["timing/step"][:]
        self.assertEqual(self.compare("slow", "--time-ratio", "2.1")[0], 0)
        status, said = self.compare("slow", "--time-ratio", "1.9")
        self.assertEqual((status, said), (1, {"/timing/step": "a step took 2 times as long, "
                                                              "allowed 1.9"}))

    def test_a_result_that_was_cut_off_opens_and_differs(self):
        whole = (self.folder / "a.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[:100])
        self.assertEqual(self.compare("cut")[0], 4)


if __name__ == "__main__":
    unittest.main()
