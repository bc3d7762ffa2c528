"""python3 -m xsim plot draws results of every make: with joints, bodies only, rods only, empty."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
T = 11


def xsim(*arguments, python=()):
    return subprocess.run([sys.executable, *python, "-m", "xsim", *map(str, arguments)],
                          env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
                          capture_output=True, text=True, check=False)


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "result.h5"

    def write(self, groups):
        time = np.linspace(0, 1, T)
        with h5py.File(self.path, "w") as file:
            file.attrs["status"], file.attrs["xsim_version"] = "complete", "0.1.0"
            for name, shape in groups.items():
                file[name] = np.sin(time.reshape((T,) + (1,) * (len(shape) - 1))) * np.ones(shape)
                file[name].attrs["units"], file[name].attrs["long_name"] = "m", name
            file["time"] = time
            for group in ("bodies", "joints"):
                if group in file:
                    count = next(iter(file[group].values())).shape[1]
                    file[group]["name"] = np.array([f"{group}{i}" for i in range(count)], "S")

    def plot(self, *arguments):
        return xsim("plot", self.path, *arguments)

    def assert_plotted(self, groups):
        self.write(groups)
        done = self.plot()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(self.path.with_suffix(".png").stat().st_size, 5000)

    def test_joints_energy_residuals(self):
        self.assert_plotted({"joints/coordinate": (T, 3, 3), "bodies/position": (T, 3, 3),
                             "energy/kinetic": (T,), "energy/total": (T,),
                             "residual/primal": (T,), "residual/constraint": (T,)})

    def test_without_joints(self):
        self.assert_plotted({"bodies/position": (T, 30, 3), "energy/total": (T,)})
        self.assert_plotted({"joints/coordinate": (T, 0, 3), "bodies/position": (T, 1, 3)})

    def test_titles_are_short(self):
        self.write({"joints/coordinate": (T, 1, 3)})
        with h5py.File(self.path, "a") as file:
            file["joints/coordinate"].attrs["long_name"] = "joint variables: revolute, angle; ..."
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path[:0] = ['{ROOT}/scripts']; import xsim; "
             f"from xsim import plot; print(plot.moved(xsim.open('{self.path}'))[0])"],
            capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.strip(), "joint variables")

    def test_without_packages_one_line_says_which_python_has_them(self):
        done = xsim("plot", self.path, python=["-S"])
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("/usr/bin/python3 -m xsim", done.stderr)

    def test_rods_only(self):
        self.assert_plotted({"rods/beam/position": (T, 5, 3)})

    def test_only_the_panels_that_are_asked_for(self):
        self.write({"energy/total": (T,), "residual/primal": (T,), "bodies/position": (T, 1, 3)})
        sizes = []
        for panels in (["energy"], ["energy", "residuals"]):
            self.assertEqual(self.plot("--only", *panels).returncode, 0)
            with open(self.path.with_suffix(".png"), "rb") as image:
                sizes.append(int.from_bytes(image.read(24)[20:], "big"))  # height in the header
        self.assertGreater(sizes[1], 1.5 * sizes[0])

    def test_nothing_but_time(self):
        self.assert_plotted({})

    def test_missing_file_is_an_error(self):
        done = self.plot()
        self.assertEqual(done.returncode, 1)
        self.assertIn("result.h5", done.stderr)


if __name__ == "__main__":
    unittest.main()
