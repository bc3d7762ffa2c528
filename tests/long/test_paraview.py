"""python3 -m xsim paraview, read by ParaView's own XDMF reader: times, surfaces where the bodies are,
rods as lines with their strains, contacts that come and go."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
XSIM = os.environ.get("XSIM", str(ROOT / "build/xsim"))
sys.path.insert(0, str(ROOT / "scripts"))
import xsim  # noqa: E402 (needs the path above)


@unittest.skipUnless(shutil.which("pvpython"), "needs ParaView (scripts/install-deps.sh --long)")
class ParaView(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        result = Path(folder.name) / "bot.h5"
        subprocess.run([XSIM, ROOT / "scenes/paper/bristlebot.json", "-o", result, "-q", "-s",
                        "time.duration=0.06", "-s", "output.every=10", "-s", "checks=[]"], check=True)
        subprocess.run([sys.executable, "-m", "xsim", "paraview", result, "--records", "31"],
                       env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")}, check=True)
        cls.run_ = xsim.open(result)
        cls.addClassCleanup(cls.run_.close)
        cls.records = np.arange(0, 61, 2)
        counts = cls.run_.n_contacts()[cls.records]
        # Without contacts, with most of them, the last.
        cls.places = [0, int(np.argmin(counts)), int(np.argmax(counts)), 30]
        read = subprocess.run(
            ["pvpython", ROOT / "tests/long/paraview_reads.py", result.with_suffix(".xdmf"),
             *map(str, cls.places)], capture_output=True, text=True, check=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        cls.said = read.stderr
        cls.found = json.loads(read.stdout[read.stdout.index("JSON") + 4:])

    def test_reader_has_nothing_to_complain_of(self):
        self.assertNotIn("ERR", self.said)

    def test_times(self):
        np.testing.assert_allclose(self.found["times"], self.run_.time[self.records], atol=1e-15)

    def test_bodies(self):
        for k, shown in zip(self.places, self.found["shown"]):
            record, blocks = self.records[k], shown["blocks"]
            self.assertEqual(blocks["bodies"]["kinds"], ["vtkTriangle"])
            points = np.array(blocks["bodies"]["points"])
            owner = np.array(blocks["bodies"]["arrays"]["body"])
            # The box of the second body is 44 x 15 x 8 mm, around its centre of mass.
            box, place = points[owner == 1], self.run_.bodies.position[record, 1]
            np.testing.assert_allclose(box.mean(axis=0), place, atol=1e-7)
            np.testing.assert_allclose(np.linalg.norm(box - place, axis=1),
                                       np.linalg.norm([0.022, 0.0075, 0.004]), rtol=1e-5)
            np.testing.assert_allclose(blocks["centres"]["points"],
                                       self.run_.bodies.position[record], atol=1e-12)
            np.testing.assert_allclose(blocks["centres"]["arrays"]["angular_velocity"],
                                       self.run_.bodies.angular_velocity[record], rtol=1e-12)

    def test_rods(self):
        rods = list(self.run_.rods)
        for k, shown in zip(self.places, self.found["shown"]):
            block = shown["blocks"]["rods"]
            self.assertEqual((block["kinds"], block["cells"]), (["vtkPolyLine"], len(rods)))
            owner, points = np.array(block["arrays"]["rod"]), np.array(block["points"])
            curvature = np.array(block["arrays"]["curvature"])
            for rod in rods:
                arc, line = rod.centre_line()
                np.testing.assert_allclose(points[owner == rod.index], line[self.records[k]],
                                           atol=1e-8)
                np.testing.assert_allclose(curvature[owner == rod.index],
                                           rod.curvature(arc)[self.records[k]], rtol=1e-5)
            np.testing.assert_allclose(block["arrays"]["radius"], 1e-3, rtol=1e-6)
        self.assertGreater(self.found["tube"], len(points))

    def test_contacts_come_and_go(self):
        seen = set()
        for k, shown in zip(self.places, self.found["shown"]):
            expected, block = self.run_.contacts(self.records[k]), shown["blocks"].get("contacts")
            seen.add(len(expected["point"]))
            if len(expected["point"]) == 0:
                self.assertIsNone(block)
                continue
            np.testing.assert_allclose(block["points"], expected["point"], atol=1e-12)
            np.testing.assert_allclose(block["arrays"]["force"], expected["force"], rtol=1e-12)
        self.assertGreater(len(seen), 1)
        self.assertIn(0, seen)


if __name__ == "__main__":
    unittest.main()
