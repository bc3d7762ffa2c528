"""The Python package scripts/xsim: entries by name, strains and energies as the program records them,
what bodies look like, and the commands info, link and animate."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
sys.path.insert(0, str(ROOT / "scripts"))
import xsim  # noqa: E402 (needs the path above)
from xsim import animate, rotation, scene, solids  # noqa: E402

QUARTER = {"axis": [0, 1, 0], "angle": {"deg": 90}}
ROD = {"shape": {"type": "straight", "length": 1}, "section": {"radius": 0.02},
       "material": "rubber", "ends": {"start": "clamped"}, "pose": {"orientation": QUARTER}}
# A compound, a body of given inertia, every discretization, a contact and joints of each kind of end.
SCENE = {
    "gravity": [0, 0, -9.81], "time": {"step": 2e-3, "duration": 0.1},
    "solver": {"solve": "global", "iterations": 2},
    "materials": {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.5},
                  "lead": {"density": 11000}, "cork": {"density": 200}},
    "contact": {"enabled": True},
    "bodies": [
        {"name": "floor", "fixed": True, "position": [0, 0, -1], "shapes": [{"type": "plane"}]},
        {"name": "hammer", "position": [3, 0, 1], "orientation": {"rotation_vector": [0.3, 0.2, 1]},
         "shapes": [{"type": "box", "half_extents": [0.1, 0.1, 0.05], "position": [0, 0, 0.5],
                     "material": "lead"},
                    {"type": "cylinder", "radius": 0.03, "half_length": 0.5, "material": "cork"},
                    {"type": "torus", "major_radius": 0.2, "minor_radius": 0.02,
                     "material": "cork"}]},
        {"name": "bare", "position": [0, 2, -1], "mass": 2, "inertia": [0.02, 0.05, 0.04]},
        {"name": "ball", "position": [5, 0, -0.901],
         "shapes": [{"type": "sphere", "radius": 0.1, "material": "rubber"}]}],
    "rods": [{"name": kind, "discretization": kind, "elements": 4, **ROD,
              "pose": {"position": [0, k, 0], "orientation": QUARTER}}
             for k, kind in enumerate(("rigid_chain", "linear", "quadratic", "cubic"))] + [
        {"name": "arc", "discretization": "cubic", "elements": 3, **ROD,
         "pose": {"position": [0, 9, 0]}, "shape": {"type": "arc", "radius": 0.5, "angle": 1}}],
    "joints": [{"name": "swing", "type": "revolute", "body2": "hammer",
                "at": {"position": [3, 0, 1.5], "axis": [0, 1, 0]}},
               {"name": "hook", "type": "spherical", "body1": {"rod": "cubic", "node": "end"},
                "body2": "bare", "frame1": {}, "frame2": {"position": [1, 1, 1]}}],
    "output": {"every": 5}}


def run_scene(folder, content, name="run"):
    path, result = Path(folder) / f"{name}.json", Path(folder) / f"{name}.h5"
    path.write_text(json.dumps(content), encoding="utf-8")
    done = subprocess.run([XSIM, path, "-o", result, "-f"], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return result, done.stdout


def command(*arguments, status=0):
    done = subprocess.run([sys.executable, "-m", "xsim", *map(str, arguments)],
                          env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
                          capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path, cls.summary = run_scene(cls.folder.name, SCENE)
        cls.run_ = xsim.open(cls.path)
        cls.addClassCleanup(cls.run_.close)

    def test_entries_are_those_of_the_file(self):
        run = self.run_
        with h5py.File(self.path) as file:
            np.testing.assert_array_equal(run.bodies["hammer"].position,
                                          file["bodies/position"][:, 1])
            np.testing.assert_array_equal(run.bodies[3].linear_velocity,
                                          file["bodies/linear_velocity"][:, 3])
            np.testing.assert_array_equal(run.joints["hook"].force,
                                          file["joints/force"][:, run.joints.index("hook")])
            np.testing.assert_array_equal(run.rods["cubic"].tip(),
                                          file["rods/cubic/position"][:, -1])
            np.testing.assert_array_equal(run.energy.total, file["energy/total"][:])
        self.assertEqual([body.name for body in run.bodies], ["floor", "hammer", "bare", "ball"])
        self.assertEqual((len(run), len(run.rods)), (11, 5))
        with self.assertRaisesRegex(xsim.Problem, "no 'hamer'.*hammer"):
            run.bodies["hamer"]
        with self.assertRaisesRegex(xsim.Problem, "no dataset /bodies/colour"):
            print(run.bodies.colour)

    def test_strains_are_those_that_are_recorded(self):
        """u of the package less that at rest; v for elements (a chain has a mean rotation of its
        own)."""
        for name in ("rigid_chain", "linear", "quadratic", "cubic", "arc"):
            rod = self.run_.rods[name]
            v, u = rod.strains()
            rest = [0, 2, 0] if name == "arc" else [0, 0, 0]
            with self.subTest(name):
                np.testing.assert_allclose(u - rest, rod.strain_bend, atol=1e-9)
                if name != "rigid_chain":
                    np.testing.assert_allclose(v - [0, 0, 1], rod.strain_shear, atol=1e-9)
        np.testing.assert_allclose(self.run_.rods["arc"].curvature()[0], 2, rtol=1e-9)
        np.testing.assert_allclose(self.run_.rods["arc"].twist_rate()[0], 0, atol=1e-9)

    def test_centre_line_goes_through_the_nodes(self):
        for rod in self.run_.rods:
            arc, points = rod.centre_line(pieces=6)
            at_nodes = np.linspace(0, len(arc) - 1, len(rod.arc_length)).astype(int)
            np.testing.assert_allclose(points[:, at_nodes], rod.position, atol=1e-12)

    def test_centre_of_mass_and_joints_are_where_the_program_has_them(self):
        run, bodies = self.run_, self.run_.scene["bodies"]
        for i, body in enumerate(bodies):
            center = scene.center_of_mass(body, run.scene["materials"])
            moved = run.bodies.position[0, i] - np.array(body["position"])
            turned = rotation.rotate(rotation.from_scene(body["orientation"]), center)
            np.testing.assert_allclose(turned, moved, atol=1e-12)
        for joint, place in (("swing", [3, 0, 1.5]), ("hook", [1, 3, 0])):
            entry = next(j for j in run.scene["joints"] if j["name"] == joint)
            kind, index, _, local, turn = scene.end_of_joint(entry, run)
            self.assertEqual(kind, "body")
            q = run.bodies.orientation[0, index]
            np.testing.assert_allclose(run.bodies.position[0, index] + rotation.rotate(q, local),
                                       place, atol=1e-12)
            if joint == "swing":
                axis = rotation.direction(rotation.multiply(q, turn), 2)
                np.testing.assert_allclose(axis, [0, 1, 0], atol=1e-12)

    def test_a_body_without_shapes_is_the_box_of_its_inertia(self):
        half = np.array(scene.inertia_box({"mass": 3, "inertia": [
            3 / 3 * (b * b + c * c) for b, c in ((0.2, 0.3), (0.1, 0.3), (0.1, 0.2))]})["half_extents"])
        np.testing.assert_allclose(half, [0.1, 0.2, 0.3], rtol=1e-12)

    def test_meshes_are_closed_and_as_large_as_the_solids(self):
        for shape in ({"type": "sphere", "radius": 0.3}, {"type": "torus", "major_radius": 0.4,
                                                          "minor_radius": 0.1},
                      {"type": "capsule", "radius": 0.2, "half_length": 0.5},
                      {"type": "cylinder", "radius": 0.2, "half_length": 0.5},
                      {"type": "box", "half_extents": [0.1, 0.2, 0.3]}):
            vertices, faces = solids.mesh({**shape, "position": [1, 2, 3],
                                           "orientation": [0.6, 0.8, 0, 0]})
            a, b, c = (vertices[faces[:, k]] for k in range(3))
            volume = np.einsum("fc,fc->", a - [1, 2, 3], np.cross(b - a, c - a)) / 6
            with self.subTest(shape["type"]):
                exact = scene.VOLUME[shape["type"]](shape)
                self.assertLess(abs(volume / exact - 1),
                                1e-12 if shape["type"] == "box" else 0.06)
                self.assertLess(volume, exact * (1 + 1e-12))

    def test_contacts_of_a_record(self):
        run = self.run_
        count = run.n_contacts()
        self.assertGreater(count[-1], 0)
        found = run.contacts(len(run) - 1)
        self.assertEqual(len(found["point"]), count[-1])
        np.testing.assert_allclose(found["point"][0], [5, 0, -1], atol=2e-3)

    def test_info_says_the_energies_of_the_summary(self):
        said = command("info", self.path)
        line = next(line for line in self.summary.splitlines() if line.startswith("energy"))
        self.assertIn(line.split("largest drift ")[1].split(")")[0], said)
        for word in ("hammer", "11 records", "complete", "swing", "rigid_chain", "contacts"):
            self.assertIn(word, said)

    def test_partial_file_is_cut_to_its_records(self):
        path = Path(self.folder.name) / "cut.h5.partial"
        with h5py.File(self.path) as whole, h5py.File(path, "w") as part:
            for name in whole:
                whole.copy(name, part)
            time = part["time"][:-2]
            del part["time"]
            part["time"] = time
        with xsim.open(path) as run:
            self.assertEqual(len(run.bodies.position), len(run))
            self.assertEqual(len(run.rods["cubic"].tip()), len(self.run_) - 2)
            self.assertEqual(run.beside(".png").name, "cut.png")

    def test_what_is_no_result_is_refused(self):
        self.assertIn("absent.h5", command("info", "absent.h5", status=1))
        path = Path(self.folder.name) / "other.h5"
        h5py.File(path, "w").close()
        self.assertIn("no /time", command("info", path, status=1))

    def test_labels(self):
        try:
            import xarray  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            with self.assertRaisesRegex(xsim.Problem, "python3-xarray"):
                self.run_.labelled("bodies/position")
            self.skipTest("no xarray")
        found = self.run_.labelled("bodies/position")
        self.assertEqual(found.dims, ("time", "body", "component"))
        self.assertEqual(found.attrs["units"], "m")
        np.testing.assert_array_equal(found.sel(body="hammer", component="z"),
                                      self.run_.bodies["hammer"].position[:, 2])
        rod = self.run_.labelled("rods/cubic/position")
        self.assertEqual(rod.dims, ("time", "node", "component"))
        np.testing.assert_allclose(rod.node, self.run_.rods["cubic"].arc_length)
        for path, dims in (("rods/cubic/moment", ("time", "point", "component")),
                           ("rods/cubic/energy", ("time", "part")), ("time", ("time",)),
                           ("residual/joint", ("time", "joint")),
                           ("contacts/point", ("contact", "component"))):
            self.assertEqual(self.run_.labelled(path).dims, dims, path)


class Link(unittest.TestCase):
    def test_a_straight_rod_turned_once_and_a_half(self):
        """Its twist is how far its end was turned, its writhe 0."""
        content = {"time": {"step": 1e-2, "duration": 1}, "materials": SCENE["materials"],
                   "rods": [{"name": "rod", "discretization": "quadratic", "elements": 12,
                             "shape": {"type": "straight", "length": 1}, "section": {"radius": 0.05},
                             "material": "rubber", "ends": {"start": "clamped"}}],
                   "joints": [{"name": "hand", "type": "fixed", "at": {"position": [0, 0, 1]},
                               "body2": {"rod": "rod", "node": "end"}, "motion": {"rotation": {
                                   "axis": [0, 0, 1], "angle": {"ramp": {
                                       "from": 0, "to": {"deg": 540}, "end": 1}}}}}]}
        with tempfile.TemporaryDirectory() as folder:
            path, _ = run_scene(folder, content)
            lines = command("link", path, "--every", 50).splitlines()
        self.assertEqual(len(lines), 4)
        t, twist, writhe, link = (float(word) for word in lines[-1].split()[:4])
        self.assertEqual(t, 1)
        self.assertAlmostEqual(twist, 1.5, delta=1e-5)
        self.assertAlmostEqual(writhe, 0, delta=1e-5)
        self.assertAlmostEqual(link, 1.5, delta=1e-5)


class Film(unittest.TestCase):
    def test_gif_has_as_many_frames_as_the_speed_asks_for(self):
        from PIL import Image  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as folder:
            path, _ = run_scene(folder, SCENE)
            output = Path(folder) / "film.gif"
            command("animate", path, "-o", output, "--speed", 0.1, "--fps", 5, "--size", "200x160")
            with Image.open(output) as film:
                self.assertEqual((film.n_frames, film.size), (6, (200, 160)))
                first = np.asarray(film.convert("RGB"), dtype=int)
                film.seek(5)
                changed = np.abs(np.asarray(film.convert("RGB"), dtype=int) - first).sum(2) > 60
            # The picture's title apart, something has moved.
            self.assertGreater(changed[30:].sum(), 50)
            self.assertIn("ends in .mp4 or .gif",
                          command("animate", path, "-o", "film.avi", status=1))

    def test_nearest_records(self):
        time = np.array([0, 1, 2, 3.0])
        np.testing.assert_array_equal(animate.shown_records(time, 1, 2), [0, 1, 1, 2, 2, 3, 3])
        self.assertEqual(len(animate.shown_records(time / 1e3, None, 10)), 101)


if __name__ == "__main__":
    unittest.main()
