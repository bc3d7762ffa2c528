"""Systems of rods, bodies and joints: at rest against an independent solution of the planar
equations (tests/reference/plane_rods.py), in motion by energy, momentum and gaps, and how the
ways to solve converge (the table at the head of src/solver/system_create.c)."""
import json
import unittest

import numpy as np

from simulate import data_path, run

with open(data_path("plane_rods.json"), encoding="utf-8") as stream:
    REFERENCE = json.load(stream)
# Ways to come to rest: overrides of the scenes.
# Loads have grown by t = 10 s. What moves freely is held where the answer lets it be.
MODES = {"relaxed": (), "static": ('solver={"mode":"static"}', "time.step=5", "time.duration=10",
                                   "output.every=1", "checks=[]")}
HELD = {"relaxed": (), "static": ('rods.hoop.ends={"start":"clamped"}',)}


def plane(vector):
    """(x, z) of a vector in space; nothing may leave the plane."""
    assert abs(vector[1]) < 1e-9, vector
    return np.array(vector)[[0, 2]]


class AtRest(unittest.TestCase):
    """Cubic elements, displacements within 1e-6 of the reference."""

    def close(self, what, found, expected, start):
        moved = np.linalg.norm(np.subtract(expected, start))
        error = np.linalg.norm(np.subtract(found, expected)) / moved
        print(f"{what}: displacement {moved:.6f} m, relative error {error:.1e}")
        self.assertLess(error, 1e-6)

    def each(self, scene, held=None):
        for mode, overrides in MODES.items():
            with self.subTest(mode=mode):
                yield run(scene, *overrides, *(held or {}).get(mode, ()))

    def test_right_angle_frame(self):
        known = REFERENCE["frame"]
        for result in self.each("demo/frame"):
            column, beam = (result[f"rods/{name}/position"][-1] for name in ("column", "beam"))
            self.close("frame's corner", plane(column[-1]), known["corner"], (0, 1))
            self.close("frame's tip", plane(beam[-1]), known["tip"], (1, 1))

    def test_frame_reactions(self):
        # The corner passes the end load on; the clamp bears it and its moment.
        known = REFERENCE["frame"]
        for result in self.each("demo/frame"):
            names = [name.decode() for name in result["joints/name"][:]]
            force, torque = (result[f"joints/{what}"][-1] for what in ("force", "torque"))
            corner, clamp = names.index("corner"), 1 - names.index("corner")
            np.testing.assert_allclose(plane(force[corner]), -np.array(known["force"]), rtol=1e-6)
            np.testing.assert_allclose(plane(force[clamp]), -np.array(known["force"]), rtol=1e-6)
            self.assertAlmostEqual(abs(torque[clamp, 1] / known["base_moment"]), 1, delta=1e-6)

    def test_portal_frame(self):
        known = REFERENCE["portal"]
        for result in self.each("demo/portal"):
            left, beam = (result[f"rods/{name}/position"][-1] for name in ("left", "beam"))
            self.close("portal's left corner", plane(left[-1]), known["corners"][0], (0, 1))
            self.close("portal's right corner", plane(beam[-1]), known["corners"][1], (1, 1))

    def test_ring(self):
        known = REFERENCE["ring"]
        for result in self.each("demo/ring", HELD):
            p = result["rods/hoop/position"][-1]
            for what, node in (("along", 0), ("across", 24)):
                width = np.linalg.norm(p[node + 48] - p[node])
                self.close(f"ring {what} the forces", [width], [known[what]], [1])


class InMotion(unittest.TestCase):
    def test_rod_with_bob(self):
        for solve in ("block", "global"):
            with self.subTest(solve=solve):
                result = run("demo/rod_bob", f"solver.solve={solve}")
                energy = result["energy/total"][:]
                gap = result["residual/joint"][1:].max()
                swing = np.ptp(energy - result["energy/elastic"][:]) + np.ptp(
                    result["energy/kinetic"][:])
                rise = np.diff(energy).max()
                print(f"rod with bob, {solve}: largest rise {rise:.1e} J of {swing:.3g} J, "
                      f"gap {gap:.1e}")
                self.assertLessEqual(rise, 0)
                self.assertLessEqual(gap, 1e-9)

    def test_weld_carries_the_bob(self):
        # m (a - g) of the bob, its velocity's difference quotient being backward Euler's.
        result = run("demo/rod_bob")
        v, h = result["bodies/linear_velocity"][:, 0], 5e-3
        needed = 5 * (np.diff(v, axis=0) / h + (0, 0, 9.81))
        names = [name.decode() for name in result["joints/name"][:]]
        force = result["joints/force"][1:, names.index("weld")]
        error = np.abs(force - needed).max() / np.abs(needed).max()
        print(f"force of the weld: {error:.1e} of {np.abs(needed).max():.0f} N")
        self.assertLess(error, 1e-9)

    def test_free_ring(self):
        result = run("demo/free_ring")
        t = result["time"][:]
        free = t > 0.505  # the push is over
        linear, angular = (result[f"momentum/{kind}"][free] for kind in ("linear", "angular"))
        drift = [np.abs(m - m[0]).max() / np.linalg.norm(m[0]) for m in (linear, angular)]
        rise, gap = np.diff(result["energy/total"][free]).max(), result["residual/joint"][1:].max()
        print(f"free ring: momentum drifts by {drift[0]:.1e}, angular {drift[1]:.1e}; "
              f"energy's largest rise {rise:.1e} J, gap {gap:.1e}")
        self.assertLess(drift[0], 1e-11)
        self.assertLess(gap, 1e-9)
        self.assertLessEqual(rise, 1e-12 * result["energy/total"][-1])


class WaysToSolve(unittest.TestCase):
    """Joints between rods and bodies: inside the rod's island, or alternating with it."""

    @staticmethod
    def gap(solve, iterations):
        result = run("demo/rod_bob", f"solver.solve={solve}", "solver.update=xpbd", "checks=[]",
                     f"solver.iterations={iterations}", "time.duration=0.5")
        return result["residual/joint"][1:].max()

    def test_convergence(self):
        for solve in ("individual", "block", "global"):
            gaps = [self.gap(solve, iterations) for iterations in (1, 3, 10, 30, 100)]
            print(f"gap after 1, 3, 10, 30, 100 iterations, {solve}:",
                  *(f"{gap:.2g}" for gap in gaps), "m")
            if solve == "individual":
                self.assertGreater(gaps[0], 0.1)
                self.assertGreater(gaps[-1], 1e-3)
            else:
                self.assertLess(gaps[0], 1e-6)
                self.assertLess(gaps[1], 1e-14)


if __name__ == "__main__":
    unittest.main()
