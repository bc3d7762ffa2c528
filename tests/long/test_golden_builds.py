"""Builds by gcc and by clang, with other optimisation and for other architectures, give the bits
that tests/golden.json keeps (tests/test_golden.py says of what)."""
import subprocess
import tempfile
import unittest
from pathlib import Path

from test_cli import ROOT
from test_golden import SCENES, digest, kept, run

BUILDS = {"clang": ("CC=clang",), "gcc-O1": ("CC=gcc", "OPT=-O1"), "clang-O2": ("CC=clang", "OPT=-O2"),
          "gcc-v3": ("CC=gcc", "ARCH=-march=x86-64-v3"), "gcc-native": ("CC=gcc", "ARCH=-march=native"),
          "clang-v3": ("CC=clang", "ARCH=-march=x86-64-v3")}


class GoldenBuilds(unittest.TestCase):
    def test_same_bits_from_every_build(self):
        for name, settings in BUILDS.items():
            folder = f"build/golden-{name}"
            made = subprocess.run(["make", "-j2", f"BUILD={folder}", *settings, f"{folder}/xsim"],
                                  cwd=ROOT, text=True, capture_output=True, check=False)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            with tempfile.TemporaryDirectory() as results:
                for scene in SCENES:
                    with self.subTest(build=name, scene=scene):
                        result = run(scene, Path(results) / "out.h5", xsim=ROOT / folder / "xsim")
                        self.assertEqual(digest(result), kept()[scene])


if __name__ == "__main__":
    unittest.main()
