"""Rods joined to bodies, to each other and to themselves: frames at rest against boundary value
problems without elements, and what must not grow while they swing."""
import json
import unittest

import numpy as np

from simulate import data_path, run, run_content

with open(data_path("rod_frames.json"), encoding="utf-8") as stream:
    FRAMES = json.load(stream)
# Modes in which the frames must come to the same rest, as overrides.
MODES = ((),)
RUBBER = {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.5}}


def plane(result, rod, node):
    return result[f"rods/{rod}/position"][-1, node][[0, 2]]


class Frames(unittest.TestCase):
    """Cubic elements within 1e-6 of the displacements of the continuous frame."""

    def hold(self, name, found, expected, start):
        moved = np.linalg.norm(np.subtract(expected, start))
        error = np.linalg.norm(np.subtract(found, expected)) / moved
        print(f"{name}: {error:.2g} of {moved:.3g} m")
        self.assertLess(error, 1e-6)

    def test_right_angle(self):
        for mode in MODES:
            result, frame = run("rods/right_angle", *mode), FRAMES["right_angle"]
            self.hold("right angle, tip", plane(result, "beam", -1), frame["tip"], (1, 1))
            self.hold("right angle, corner", plane(result, "beam", 0), frame["corner"], (0, 1))
            corner = np.linalg.norm(result["residual/joint"][-1])
            self.assertLess(corner, 1e-12)

    def test_portal(self):
        for mode in MODES:
            result, frame = run("rods/portal", *mode), FRAMES["portal"]
            self.hold("portal, left head", plane(result, "left", -1), frame["left"], (0, 1))
            self.hold("portal, right head", plane(result, "right", -1), frame["right"], (1.2, 1))
            # The foot's reaction on the column is minus the force that the column passes on.
            names = [name.decode() for name in result["joints/name"][:]]
            force = result["joints/force"][-1, names.index("left-start")][[0, 2]]
            np.testing.assert_allclose(force, -np.array(frame["force_at_left_foot"]), atol=2e-5)

    def test_ring(self):
        for mode in MODES:
            result, frame = run("rods/ring", *mode), FRAMES["ring"]
            found = result["rods/ring/position"][-1]
            self.hold("ring, height", found[36, 2], frame["height"], 0.6)
            self.hold("ring, width", found[18, 0] - found[54, 0], frame["width"], 0.6)
            closed = np.linalg.norm(found[-1] - found[0])
            self.assertLess(closed, 1e-12)


class Discretizations(unittest.TestCase):
    def test_rods_of_different_discretization_meet(self):
        """The right angle with a column of quadratic and a beam of linear elements."""
        result = run("rods/right_angle", "rods.column.discretization=quadratic",
                     "rods.beam.discretization=linear", "rods.beam.elements=40", "checks=[]")
        error = np.linalg.norm(plane(result, "beam", -1) - FRAMES["right_angle"]["tip"])
        print(f"quadratic column, linear beam: {error:.2g} m")
        self.assertLess(error, 5e-4)


def bob(solve, iterations, update="corrected", joint="fixed", node="end"):
    """A 2 kg bob at a node of a soft rod, let go from the horizontal."""
    at = 1.0 if node == "end" else 0.4
    return {"format": 1, "gravity": [0, 0, -9.81], "time": {"step": 2e-3, "duration": 10},
            "solver": {"solve": solve, "update": update, "iterations": iterations},
            "materials": RUBBER,
            "bodies": [{"name": "bob", "position": [at, 0, -0.1], "mass": 2,
                        "inertia": [0.01, 0.012, 0.009]}],
            "joints": [{"name": "grip", "type": joint, "body1": {"rod": "beam", "node": node},
                        "body2": "bob", "at": {"position": [at, 0, 0]}}],
            "rods": [{"name": "beam", "discretization": "cubic", "elements": 5,
                      "shape": {"type": "straight", "length": 1},
                      "pose": {"orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
                      "section": {"radius": 0.02}, "material": "rubber",
                      "ends": {"start": "pinned"}}],
            "output": {"every": 5}}


class Swinging(unittest.TestCase):
    def never_rises(self, result):
        energy = result["energy/total"][:]
        rise = np.max(np.diff(energy)) / (energy[0] - energy.min())
        print(f"largest rise of the energy between records: {rise:.2g} of the drop")
        self.assertLess(rise, 1e-9)

    def test_a_bob_on_a_rod(self):
        """Ten seconds: the joint stays closed and the energy never rises, whatever solve says."""
        for solve in ("block", "global"):
            for joint, node in (("fixed", "end"), ("spherical", "end"), ("fixed", 6)):
                with self.subTest(solve=solve, joint=joint, node=node):
                    result = run_content(bob(solve, 4, joint=joint, node=node))
                    gap = result["residual/joint"][1:].max()
                    print(f"bob, {solve}, {joint} at {node}: gap {gap:.2g} m")
                    self.assertLess(gap, 1e-9)
                    self.never_rises(result)

    def test_one_iteration_holds_the_bob(self):
        result = run_content(bob("block", 1, update="xpbd"))
        gap = result["residual/joint"][1:].max()
        print(f"bob, one iteration: gap {gap:.2g} m")
        self.assertLess(gap, 1e-4)

    def test_the_joint_carries_the_bob_in_the_end(self):
        content = bob("block", 4)
        content["time"] = {"step": 0.05, "duration": 100}
        result = run_content(content)
        np.testing.assert_allclose(result["joints/force"][-1, 0], (0, 0, 2 * 9.81), atol=1e-5)

    def test_a_free_ring(self):
        """Thrown and squeezed, without gravity: momentum stays, the energy never rises."""
        n = 3 * 12 + 1
        angle = np.linspace(0, 2 * np.pi, n)
        x, z = 0.3 * np.sin(angle), 0.3 * (1 - np.cos(angle))
        velocity = np.stack([0.5 + 1.5 * x, 0.2 + 0 * x, 0.1 - 1.5 * (z - 0.3)], axis=1)
        content = {
            "format": 1, "time": {"step": 2e-3, "duration": 10}, "materials": RUBBER,
            "solver": {"update": "corrected", "iterations": 4},
            "rods": [{"name": "ring", "discretization": "cubic", "elements": 12,
                      "shape": {"type": "arc", "radius": 0.3, "angle": {"deg": 360}},
                      "pose": {"orientation": {"matrix": [[0, 0, 1], [0, -1, 0], [1, 0, 0]]}},
                      "section": {"radius": 0.02}, "material": "rubber",
                      "linear_velocity": velocity.tolist()}],
            "joints": [{"name": "closure", "type": "fixed",
                        "body1": {"rod": "ring", "node": "end"},
                        "body2": {"rod": "ring", "node": "start"}}],
            "output": {"every": 5}}
        result = run_content(content)
        self.never_rises(result)
        self.assertLess(result["residual/joint"][1:].max(), 1e-9)
        linear, angular = result["momentum/linear"][:], result["momentum/angular"][:]
        drift = np.abs(linear - linear[0]).max() / np.linalg.norm(linear[0])
        turned = np.abs(angular - angular[0]).max() / np.linalg.norm(angular[0])
        print(f"free ring: linear momentum {drift:.2g}, angular {turned:.2g}, relative")
        self.assertLess(drift, 1e-12)
        self.assertLess(turned, 1e-4)


if __name__ == "__main__":
    unittest.main()
