"""scenes/paper/bowling.json from the throw to pins that stand again."""
import os
import sys
import unittest

import numpy as np

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "claims"))
import apart  # noqa: E402 (needs the path above)
from simulate import run  # noqa: E402
from test_bowling_throw import DEEP, contact_scenes, pins  # noqa: E402


class Bowling(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = run("paper/bowling", "output.every=10")

    def test_nothing_passes_through_anything(self):
        """A rope that is drawn round a ring sinks in between the points of contact that were found
        before it was bent: by 0.2 mm, a fiftieth of its thickness. A tenth is the bound."""
        deepest, through = apart.Poses(self.result).deepest()
        print("deepest", deepest, "of contacts", self.result["contacts/gap"][:].min())
        self.assertGreater(deepest[0], -0.2 * contact_scenes.ROPE_RADIUS, deepest)
        self.assertEqual(through, [])
        self.assertGreater(self.result["contacts/gap"][:].min(), -DEEP)

    def test_pins_hang_in_their_rings(self):
        """At 8 s all are above their spots, with their bellies at the rings from below."""
        position, upright = pins(self.result)
        at = np.searchsorted(self.result["time"][:], 8)
        spots = np.array(contact_scenes.spots())
        off = np.linalg.norm(position[at, :, :2] - spots, axis=1)
        print("raised to", position[at, :, 2].min(), "beside by", off.max())
        self.assertLess(off.max(), contact_scenes.SPACING / 2)
        self.assertGreater(position[at, :, 2].min(), 0.9)
        self.assertLess(position[at, :, 2].max(), contact_scenes.RING_HEIGHT + 0.1)
        self.assertGreater(upright[at].min(), 0.9)

    def test_pins_are_set_down(self):
        """Two whose ropes stay wound around each other may fall as they are set down."""
        position, upright = pins(self.result)
        standing = (upright[-1] > 0.99) & (np.abs(position[-1, :, 2] - position[0, :, 2]) < 1e-3)
        off = np.linalg.norm(position[-1, :, :2] - position[0, :, :2], axis=1)
        print("standing", np.count_nonzero(standing), "within", off[standing].max(), "m")
        self.assertGreaterEqual(np.count_nonzero(standing), 8)
        self.assertLess(off[standing].max(), 0.06)


if __name__ == "__main__":
    unittest.main()
