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


class SelfContact(unittest.TestCase):
    def test_a_rod_that_bends_tighter_than_it_is_thick_is_warned_of(self):
        """A quarter of a circle, 1 cm wider and 1 cm narrower than the rod's radius of 10 cm; in long and in
        short elements, and not if it does not touch itself."""
        for discretization, elements, radius, touches in (
                ("linear", 6, 0.09, True), ("cubic", 2, 0.09, True), ("rigid_chain", 8, 0.09, True),
                ("linear", 6, 0.11, True), ("cubic", 2, 0.11, True), ("linear", 6, 0.09, False)):
            with self.subTest(discretization=discretization, radius=radius, touches=touches), \
                    tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "scene.json")
                with open(path, "w", encoding="utf-8") as stream:
                    json.dump({
                        "time": {"step": 1e-4, "duration": 1e-4},
                        "materials": {"soft": {"density": 500, "youngs_modulus": 1e6,
                                               "poisson_ratio": 0.4}},
                        "contact": {"enabled": True, "self_contact": touches},
                        "rods": [{"name": "hook", "discretization": discretization,
                                  "elements": elements, "material": "soft",
                                  "section": {"radius": 0.1},
                                  "shape": {"type": "arc", "radius": radius,
                                            "angle": {"deg": 90}}}]}, stream)
                done = subprocess.run([XSIM, path, "-o", os.path.join(folder, "out.h5")],
                                      text=True, capture_output=True, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                warned = 'rod "hook", elements' in done.stderr
                self.assertEqual(warned, touches and radius < 0.1, done.stderr)


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


class Pairs(unittest.TestCase):
    """Two spheres that overlap by 1 cm, joined or not, and 0.02 s without gravity."""

    def part(self, joint_between, contact):
        joint = {"name": "j", "type": "prismatic", "body1": "a", "body2": "b",
                 "at": {"position": [0, 0, 0], "axis": [1, 0, 0]}}
        result = run_content(scene(
            [sphere("a", (0, 0, 0)), sphere("b", (0.09, 0, 0))], 0.02, gravity=(0, 0, 0),
            contact=contact, joints=[joint] if joint_between else []))
        position = result["bodies/position"][-1]
        return position[1, 0] - position[0, 0]

    def test_what_is_tested_against_what(self):
        for gap, joined, options in ((0.1, False, {}), (0.09, True, {}),
                                     (0.1, True, {"joined": True}),
                                     (0.09, False, {"exclude": [["a", "b"]]}),
                                     (0.09, True, {"joined": True, "exclude": [["b", "a"]]})):
            with self.subTest(joint=joined, **options):
                self.assertAlmostEqual(self.part(joined, options), gap, delta=1e-12)


class Growth(unittest.TestCase):
    def test_buffers_grow_with_a_warning_and_nothing_is_lost(self):
        """169 boxes fall flat: all 676 corners bear at once, each a quarter of its box."""
        content = scene([ground()] + [box(f"b{k}", (1.5 * (k % 13), 1.5 * (k // 13), 0.53))
                                      for k in range(169)], 0.2, solve="block")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.json")
            with open(path, "w", encoding="utf-8") as stream:
                json.dump(content, stream)
            done = subprocess.run([XSIM, path, "-o", os.path.join(folder, "r.h5")], text=True,
                                  capture_output=True, check=True)
            self.assertRegex(done.stderr, r"at t = \S+ s: \d+ contacts; made room for \d+ "
                                          r"\(nothing was lost\)")
            with h5py.File(os.path.join(folder, "r.h5")) as result:
                first, count = result["contacts/first"][-1], result["contacts/count"][-1]
                self.assertEqual(count, 676)
                force = np.abs(result["contacts/force"][first:first + count, 2])
                self.assertLess(np.abs(force.sum() / (169 * G) - 1), 1e-9)


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
