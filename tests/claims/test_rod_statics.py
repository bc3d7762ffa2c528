"""Rods at rest under loads whose answer is known in closed form. Torques here turn a free node by
many turns in one step: they need the corrected update."""
import json
import unittest

import numpy as np

from simulate import run

LENGTH, RADIUS, E, NU = 1.0, 0.05, 5e6, 0.5
AREA, I = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4
G = E / (2 * (1 + NU))
EI, GJ, EA, GA = E * I, 2 * G * I, E * AREA, 0.9 * G * AREA
CORRECTED = ("solver.update=corrected", "solver.iterations=3")
DISCRETIZATIONS = ("rigid_chain", "linear", "quadratic", "cubic")


def ramp(value):
    return {"ramp": {"from": 0, "to": value, "start": 0, "end": 10}}


def loaded(discretization, elements, *overrides, force=None, torque=None, frame="world"):
    """The paper's cantilever without weight, at rest under a load at its end."""
    load = {"rod": "beam", "node": "end", "frame": frame}
    for key, value in (("force", force), ("torque", torque)):
        if value is not None:
            load[key] = [ramp(part) for part in value]
    return run("paper/cantilever", f"rods.beam.discretization={discretization}",
               f"rods.beam.elements={elements}", "gravity=[0,0,0]", f"loads={json.dumps([load])}",
               "checks=[]", *CORRECTED, *overrides)


def tip(result):
    return result["rods/beam/position"][-1, -1]


class BesideBodies(unittest.TestCase):
    """Islands take the corrected update by themselves: what is swept beside them does not matter."""

    FIELDS = ("position", "orientation", "strain_bend", "moment")

    def bent(self, *overrides):
        return loaded("cubic", 5, *overrides, torque=(0, np.pi * EI / LENGTH, 0))

    def beside(self, solve, **member):
        pendulum = [{"name": "a", "position": [0, 5, -0.5], "mass": 1, "inertia": [0.1, 0.1, 0.05],
                     **member},
                    {"name": "b", "position": [0.3, 5, -1], "mass": 2, "inertia": [0.2, 0.1, 0.1]}]
        joints = [{"name": "j", "type": "spherical", "body1": "ground", "body2": "a",
                   "at": {"position": [0, 5, 0]}},
                  {"name": "k", "type": "revolute", "body1": "a", "body2": "b",
                   "at": {"position": [0, 5, -1], "axis": [0, 1, 0]}}]
        return self.bent(f"solver.solve={solve}", f"bodies={json.dumps(pendulum)}",
                         f"joints={json.dumps(joints)}", "gravity=[0,0,0]")

    def test_a_pendulum_beside_it_leaves_a_rod_its_bits(self):
        for solve in ("block", "individual"):
            alone, both = self.bent(f"solver.solve={solve}"), self.beside(solve)
            for field in self.FIELDS:
                np.testing.assert_array_equal(both[f"rods/beam/{field}"],
                                              alone[f"rods/beam/{field}"], solve)

    def test_sweeps_that_give_up_the_corrected_update_leave_it_to_the_rod(self):
        """Light bodies in fast turns; going back to the prediction may round."""
        both = self.beside("block", inertia=[1e-6, 1e-6, 1e-6], linear_velocity=[3, 0, 0])
        alone = self.bent("solver.solve=block")
        for field in self.FIELDS:
            np.testing.assert_allclose(both[f"rods/beam/{field}"], alone[f"rods/beam/{field}"],
                                       atol=1e-9)


class HalfTurn(unittest.TestCase):
    """An end moment pi EI/L bends the rod to a half circle."""

    CASES = (("linear", 20, 6.55e-4), ("quadratic", 10, 1.44e-6), ("cubic", 5, 1.97e-8),
             ("cubic", 10, 3.05e-10))

    def bent(self, discretization, elements, frame="world"):
        return loaded(discretization, elements, torque=(0, np.pi * EI / LENGTH, 0), frame=frame)

    def test_tip_errors(self):
        for discretization, elements, expected in self.CASES:
            with self.subTest(discretization=discretization, elements=elements):
                found = np.linalg.norm(tip(self.bent(discretization, elements)) -
                                       (0, 0, -2 * LENGTH / np.pi))
                print(f"half turn, {discretization} {elements}: {found:.4g} m")
                self.assertAlmostEqual(found / expected, 1, delta=0.02)

    def test_a_follower_torque_does_the_same(self):
        world, follower = self.bent("cubic", 5), self.bent("cubic", 5, frame="body")
        np.testing.assert_allclose(tip(follower), tip(world), atol=1e-12)

    def test_moment_and_curvature_are_constant(self):
        result = self.bent("cubic", 5)
        moment = np.pi * EI / LENGTH
        np.testing.assert_allclose(result["rods/beam/moment"][-1, :, 1], moment, rtol=1e-9)
        np.testing.assert_allclose(result["rods/beam/strain_bend"][-1, :, 1], np.pi, rtol=1e-9)
        np.testing.assert_allclose(result["joints/torque"][-1, 0], (0, -moment, 0),
                                   atol=1e-9 * moment)


class AbsurdLoads(unittest.TestCase):
    """End the run with the rod's name."""

    def refused(self, pattern, load, *overrides):
        load = {"rod": "beam", "node": "end", **load}
        with self.assertRaisesRegex(AssertionError, f"exit 5(.|\n)*{pattern}"):
            run("paper/cantilever", f"loads={json.dumps([load])}", "checks=[]", *overrides)

    def test_torque_too_large_for_the_plain_update(self):
        self.refused('rod "beam" turns by', {"torque": [0, 77, 0]})

    def test_torque_beyond_the_elements(self):
        for torque in ([0, 1e6, 0], [1e6, 0, 0]):
            self.refused('rod "beam", element [0-2] turns by', {"torque": torque}, *CORRECTED)

    def test_force(self):
        self.refused('rod "beam"', {"force": [0, 1e12, 0]})


class EndLoads(unittest.TestCase):
    def test_elastic_energy_by_part(self):
        # Energy of each part is F^2 L/(2 K), as long as displacements are small.
        force, couple, pull = 1e-3, 1e-3, 1e-1
        parts = {"shear": force**2 * LENGTH / (2 * GA), "stretch": pull**2 * LENGTH / (2 * EA),
                 "bend": force**2 * LENGTH**3 / (6 * EI), "twist": couple**2 * LENGTH / (2 * GJ)}
        result = loaded("cubic", 10, force=(pull, 0, force), torque=(couple, 0, 0))
        found = result["rods/beam/energy"][-1]
        for k, (name, expected) in enumerate(parts.items()):
            with self.subTest(part=name):
                print(f"energy of {name}: {found[k] / expected - 1:.2e} off")
                # the pull stiffens the bending by F L^2/EI: 0.4 %
                self.assertAlmostEqual(found[k] / expected, 1, delta=0.01)
        self.assertAlmostEqual(found.sum() / result["energy/elastic"][-1], 1, delta=1e-12)

    def test_section_forces_and_reactions(self):
        # In material axes d1 = -z, d2 = y, d3 = x of the world at the clamp.
        for discretization in DISCRETIZATIONS:
            with self.subTest(discretization=discretization):
                result = loaded(discretization, 10, force=(0.3, -0.2, 0.1), torque=(0.05, 0, 0))
                x, y, z = tip(result)
                force = np.array((0.3, -0.2, 0.1))
                moment = np.cross((x, y, z), force) + (0.05, 0, 0)
                np.testing.assert_allclose(result["joints/force"][-1, 0], -force, atol=1e-9)
                np.testing.assert_allclose(result["joints/torque"][-1, 0], -moment, atol=1e-9)
                first = result["rods/beam/force"][-1, 0]
                np.testing.assert_allclose(np.linalg.norm(first), np.linalg.norm(force), rtol=1e-4)
                np.testing.assert_allclose(first, (-0.1, -0.2, 0.3), atol=2e-3)


if __name__ == "__main__":
    unittest.main()
