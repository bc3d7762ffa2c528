"""What the options of contact say, each against an answer known without it."""
import json
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

from simulate import XSIM, run_content
from test_contact import G, H, box, ground, scene, sphere


class DetectEveryIteration(unittest.TestCase):
    def test_what_contacts_did_that_are_gone_is_taken_back(self):
        """A bar lies 1 cm deep across another, and a ball of the same body 5 cm deep in
        another, which carries the crossing away along both bars: what is found there next is not the contact before,
        whose impulse (m times 1 cm) would stay where nothing answers for it."""
        quarter = {"axis": [0, 1, 0], "angle": {"deg": 90}}
        lower = {"name": "lower", "fixed": True,
                 "shapes": [{"type": "capsule", "radius": 0.05, "half_length": 1,
                             "orientation": quarter}]}
        ball = {"name": "ball", "fixed": True, "position": [-0.17, -0.17, 0.59],
                "shapes": [{"type": "sphere", "radius": 0.34 * np.sqrt(0.5) - 0.15}]}
        upper = {"name": "upper", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 0.59],
                 "shapes": [{"type": "sphere", "radius": 0.2},
                            {"type": "capsule", "radius": 0.05, "half_length": 1,
                             "position": [0, 0, -0.5],
                             "orientation": {"axis": [1, 0, 0], "angle": {"deg": 90}}}]}
        for every in (False, True):
            with self.subTest(every=every):
                result = run_content(scene(
                    [lower, ball, upper], 2 * H, 10, "block", gravity=(0, 0, 0),
                    contact={"friction": 0, "detect_every_iteration": every}))
                moved = result["bodies/position"][1, 2] - result["bodies/position"][0, 2]
                np.testing.assert_allclose(moved[:2], 0.05 / np.sqrt(2), rtol=5e-2)
                self.assertLess(result["residual/constraint"][1], 1e-6)
                # what is left comes from normals that turn as the balls part: 0.05 by 0.03 rad
                self.assertLess(result["residual/primal"][1], 2e-3)


class Compression(unittest.TestCase):
    def test_contacts_are_compressed_as_asked_for(self):
        content = scene([ground(), box("a", (0, 0, 0.5))], 0.1)
        plain = run_content(content)
        packed = run_content({**content, "output": {"compression": 6}})
        for name in ("pair", "point", "normal", "gap", "force"):
            self.assertEqual(packed[f"contacts/{name}"].compression, "gzip", name)
            self.assertEqual(packed[f"contacts/{name}"].compression_opts, 6, name)
            self.assertIsNone(plain[f"contacts/{name}"].compression, name)
            np.testing.assert_array_equal(packed[f"contacts/{name}"][:],
                                          plain[f"contacts/{name}"][:])


if __name__ == "__main__":
    unittest.main()
