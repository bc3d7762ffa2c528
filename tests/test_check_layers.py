"""scripts/check-layers.py finds what it is there to find, and passes what is right."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def check(root, *arguments):
    """Exit status and output of the script on a source tree."""
    done = subprocess.run([sys.executable, ROOT / "scripts/check-layers.py", "--root", root,
                           *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def library(self, name, text):
        """A library of one compiled file."""
        source, out = self.write(name, text), self.root / Path(name).with_suffix(".o").name
        subprocess.run(["gcc", "-c", source, "-o", out], check=True)
        subprocess.run(["ar", "rcs", self.root / "lib.a", out], check=True)
        return self.root / "lib.a"


class Includes(Tree):
    def test_own_and_lower_layers_are_allowed(self):
        self.write("io/scene.c", '#include "io/json.h"\n#include "base/arena.h"\n')
        self.assertEqual(check(self.root), (0, ""))

    def test_higher_layer_is_refused_with_file_and_line(self):
        self.write("solver/xpbd.c", '#include "base/arena.h"\n# include  "io/scene.h"\n')
        status, output = check(self.root)
        self.assertEqual(status, 1)
        self.assertIn("src/solver/xpbd.c:2:", output)

    def test_include_without_layer_is_refused(self):
        self.write("math/band.c", '#include "band.h"\n')
        self.assertEqual(check(self.root)[0], 1)

    def test_libraries_stay_in_their_files(self):
        for name, header, status in (("io/json.c", "cjson/cJSON.h", 0),
                                     ("io/scene.c", "cjson/cJSON.h", 1),
                                     ("io/result_fields.c", "hdf5.h", 0),
                                     ("app/run.c", "hdf5.h", 1),
                                     ("math/band.c", "lapacke.h", 0),
                                     ("solver/xpbd.c", "lapacke.h", 1)):
            with self.subTest(name=name, header=header):
                path = self.write(name, f"#include <{header}>\n")
                self.assertEqual(check(self.root)[0], status)
                path.unlink()

    def test_empty_tree_is_refused(self):
        self.assertEqual(check(self.root)[0], 1)


class Symbols(Tree):
    def test_prefixes_of_the_file_are_allowed(self):
        library = self.library("io/result_fields.c", "int xs_result_a; int xs_result_fields_b;")
        self.assertEqual(check(self.root, library), (0, ""))

    def test_foreign_prefix_is_refused(self):
        for symbol in ("helper", "xs_scene_read", "xs_results"):
            with self.subTest(symbol=symbol):
                library = self.library("io/result.c", f"int {symbol};")
                status, output = check(self.root, library)
                self.assertEqual(status, 1)
                self.assertIn(f"exports {symbol};", output)

    def test_exit_is_refused(self):
        library = self.library("app/run.c", "void exit(int); void xs_run(void) { exit(1); }")
        self.assertEqual(check(self.root, library)[0], 1)


if __name__ == "__main__":
    unittest.main()
