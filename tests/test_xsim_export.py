"""What python3 -m xsim html puts into a page, and the files of python3 -m xsim paraview, as far as they
can be looked at without a browser and ParaView (tests/long/test_viewer.py, test_paraview.py)."""
import base64
import gzip
import json
import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from unittest import mock

import h5py
import numpy as np

from test_xsim_python import SCENE, command, run_scene, xsim

TEMPLATE = "<title>@TITLE@</title><script id=d>@DESCRIPTION@</script><script id=n>@NUMBERS@</script>"


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.path, _ = run_scene(cls.folder, {**SCENE, "name": "mixed",
                                             "description": "a </script> & an \u00e9"})
        cls.run_ = xsim.open(cls.path)
        cls.addClassCleanup(cls.run_.close)

    def page(self, *arguments):
        """The page's description, and a function that gives an array by name."""
        template = self.folder / "template.html"
        template.write_text(TEMPLATE, encoding="utf-8")
        with mock.patch.dict("os.environ", {"XSIM_VIEWER": str(template)}):
            command("html", self.path, *arguments)
        text = (self.folder / "run.html").read_text(encoding="utf-8")
        parts = re.fullmatch(r"<title>(.*)</title><script id=d>(.*)</script><script id=n>(.*)</script>",
                             text)
        data = json.loads(parts[2])
        raw = gzip.decompress(base64.b64decode(parts[3]))

        def array(name):
            kind, offset, shape, scale = data["arrays"][name]
            found = np.frombuffer(raw, "<" + kind, int(np.prod(shape)), offset)
            return found.reshape(shape) / scale
        return data, array

    def test_page_holds_the_numbers_of_the_result(self):
        data, array = self.page()
        self.assertEqual((data["name"], data["description"]), ("mixed", "a </script> & an \u00e9"))
        np.testing.assert_array_equal(array("time"), self.run_.time)
        np.testing.assert_allclose(array("body.position"), self.run_.bodies.position, rtol=1e-6,
                                   atol=1e-6)
        np.testing.assert_allclose(array("body.orientation"), self.run_.bodies.orientation, atol=2e-5)
        for i, rod in enumerate(self.run_.rods):
            np.testing.assert_allclose(array(f"rod{i}.position"), rod.position, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(array(f"rod{i}.curvature"), rod.curvature(), rtol=1e-6,
                                       atol=1e-6)
        self.assertEqual([len(body["solids"]) for body in data["bodies"]], [1, 3, 1, 1])
        self.assertTrue(data["bodies"][2]["solids"][0]["stand_in"])
        self.assertEqual([(joint["name"], joint["type"], joint["on"]) for joint in data["joints"]],
                         [("swing", "revolute", "body"), ("hook", "spherical", "body")] +
                         [(f"{rod.name}-start", "fixed", "rod") for rod in self.run_.rods])
        # What moves is in the box that the camera looks at; the floor at z = -1 reaches no farther.
        low, high = np.array(data["extent"])
        for places in [self.run_.bodies.position[:, 1:]] + [rod.position for rod in self.run_.rods]:
            self.assertTrue(np.all(places >= low - 1e-9) and np.all(places <= high + 1e-9))

    def test_forces_of_contacts_are_those_on_what_moves(self):
        _, array = self.page()
        first, force = array("contact.first").astype(int), array("contact.force")
        for record in range(len(self.run_)):
            rows = slice(first[record], first[record + 1])
            contacts = self.run_.contacts(record)
            self.assertEqual(rows.stop - rows.start, len(contacts["point"]))
            # A ball on the floor is pushed up, whichever of the two sides it is.
            np.testing.assert_allclose(force[rows], np.abs(contacts["force"]), rtol=1e-6, atol=1e-4)

    def test_records_are_thinned_evenly_and_curves_keep_their_extremes(self):
        data, array = self.page("--records", "3")
        np.testing.assert_allclose(array("time"), self.run_.time[[0, 5, 10]])
        self.assertEqual(data["records"], 11)
        from xsim import html  # pylint: disable=import-outside-toplevel
        time = np.linspace(0, 1, 100001)
        values = np.sin(40 * time)
        values[54321] = 7
        t, v = html.thinned(time, values)
        self.assertLessEqual(len(t), html.CURVE_POINTS)
        self.assertEqual(v.max(), 7)
        self.assertTrue(np.all(np.diff(t) > 0))
        np.testing.assert_array_equal(v, values[np.searchsorted(time, t)])

    def test_without_the_program_the_message_says_how_to_build_it(self):
        with mock.patch.dict("os.environ", {"XSIM_VIEWER": str(self.folder / "absent.html")}):
            self.assertIn("make viewer", command("html", self.path, status=1))
        other = self.folder / "other.html"
        other.write_text("<html></html>", encoding="utf-8")
        with mock.patch.dict("os.environ", {"XSIM_VIEWER": str(other)}):
            self.assertIn("no @TITLE@", command("html", self.path, status=1))

    def test_xdmf_names_what_is_there(self):
        command("paraview", self.path, "--records", "6")
        root = ElementTree.parse(self.folder / "run.xdmf").getroot()
        times = [float(time.get("Value")) for time in root.iter("Time")]
        np.testing.assert_array_equal(times, self.run_.time[::2])
        items = [item for item in root.iter("DataItem") if item.get("Format") == "HDF"]
        self.assertGreater(len(items), 6 * 10)
        for item in items:
            name, path = item.text.split(":")
            with h5py.File(self.folder / name) as file:
                self.assertEqual(" ".join(map(str, file[path].shape)), item.get("Dimensions"))
                self.assertEqual(str(file[path].dtype.itemsize), item.get("Precision"))
        for choice in root.iter("DataItem"):
            if choice.get("ItemType") == "HyperSlab":
                start, stride, count = np.array(
                    [int(n) for n in choice[0].text.split()]).reshape(3, -1)
                shape = np.array([int(n) for n in choice[1].get("Dimensions").split()])
                self.assertTrue(np.all(start + stride * (count - 1) < shape))
        self.assertIn("folder", command("paraview", self.path, "-o", "elsewhere.xdmf", status=1))


if __name__ == "__main__":
    unittest.main()
