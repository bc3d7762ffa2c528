"""The scenes of the paper's figure 12 in all formulations (scripts/make_paper_scenes.py): the
files are what the script makes of the mechanisms, and what they claim holds."""
import os
import sys
import unittest

from simulate import ROOT, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import make_paper_scenes as paper  # noqa: E402 (needs the path above)


class PaperScenes(unittest.TestCase):
    def test_files_are_what_the_script_writes(self):
        written = dict(paper.scenes())
        there = {path for mechanism in paper.MECHANISMS
                 for path in (paper.ROOT / "scenes/paper").glob(f"{mechanism}*.json")}
        self.assertEqual(set(written), there)
        for path, text in written.items():
            with self.subTest(scene=path.name):
                self.assertEqual(path.read_text(encoding="utf-8"), text)

    def test_checks_hold(self):
        for path, _ in paper.scenes():
            with self.subTest(scene=path.name):
                run(f"paper/{path.stem}")  # exit status 7 where a check fails

    def test_checks_tell_formulations_apart(self):
        """The checks of each fail with a solver whose claims are weaker."""
        for mechanism in paper.MECHANISMS:
            for formulation, other in (("corrected", ("solver.update=xpbd",)),
                                       ("individual", ("solver.constraints=scalar",)),
                                       ("scalar", ("solver.constraints=vector",))):
                with self.subTest(scene=f"{mechanism}_{formulation}"):
                    run(f"paper/{mechanism}_{formulation}", *other, status=(7,))


if __name__ == "__main__":
    unittest.main()
