"""A chain of 1000 links through most of its first swing: joints stay closed."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "claims"))
from simulate import ROOT, run  # noqa: E402 (needs the path above)

sys.path.insert(0, os.path.join(ROOT, "scripts"))
from make_chain import chain  # noqa: E402 (needs the path above)


class Chain(unittest.TestCase):
    def test_joints_stay_closed_over_ten_seconds(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(folder, "chain.json")
            with open(scene, "w", encoding="utf-8") as stream:
                json.dump(chain(1000, duration=10), stream)
            result = run(scene, "output.every=20")
        self.assertLessEqual(result["residual/joint"][:].max(), 1e-9)


if __name__ == "__main__":
    unittest.main()
