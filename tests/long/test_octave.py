"""scripts/matlab/xsim_read.m in GNU Octave: every array, with its axes in the order of the README, and
every name as the Python package reads them."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests")]
import xsim  # noqa: E402 (needs the path above)
from test_xsim_python import SCENE, run_scene  # noqa: E402

# A line an array: path, size, numbers with the last axis fastest; of names the words.
DUMP = """
addpath("{matlab}");
function dump(value, path)
  if isstruct(value)
    for name = fieldnames(value)', dump(value.(name{{1}}), [path "/" name{{1}}]); end
  elseif isnumeric(value)
    flat = permute(value, ndims(value):-1:1);
    printf("%s|%s|%s\\n", path, mat2str(size(value)), sprintf("%.17g ", flat(:)));
  elseif iscell(value)
    printf("%s|names|%s\\n", path, strjoin(value(:)', " "));
  else
    printf("%s|text|%s\\n", path, value);
  end
end
dump(xsim_read("{result}"), "");
"""


@unittest.skipUnless(shutil.which("octave-cli"), "needs Octave (scripts/install-deps.sh --long)")
class Octave(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def octave(self, program):
        path = self.folder / "look.m"
        path.write_text(program, encoding="utf-8")
        return subprocess.run(["octave-cli", "--quiet", "--norc", path], capture_output=True,
                              text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})

    def dumped(self, result):
        done = self.octave("1;\n" + DUMP.format(matlab=ROOT / "scripts/matlab", result=result))
        self.assertEqual(done.returncode, 0, done.stderr)
        return {path[1:]: (kind, words) for path, kind, words in
                (line.split("|", 2) for line in done.stdout.splitlines())}

    def assert_same(self, found, run):
        paths = []
        run.file.visititems(lambda path, item: paths.append(path)
                            if isinstance(item, h5py.Dataset) and
                            not path.startswith(("provenance", "checkpoint")) else None)
        for path in paths:
            kind, words = found.pop(path)
            values = run.array(path)
            with self.subTest(path):
                if values.dtype.kind == "S":
                    self.assertEqual(words.split(), [name.decode() for name in values])
                    continue
                size = [int(n) for n in kind[1:-1].split()]
                shape = (*values.shape, 1)[:max(2, values.ndim)]
                # Octave leaves out last axes of length 1.
                self.assertEqual(np.zeros(size).squeeze().shape, np.zeros(shape).squeeze().shape)
                np.testing.assert_array_equal(np.array(words.split(), dtype=float),
                                              values.ravel() + (path == "contacts/first"))
        self.assertEqual(set(found), {"status", "xsim_version", "git_commit", "time_step"})

    def test_every_dataset(self):
        path, _ = run_scene(self.folder, SCENE)
        found = self.dumped(path)
        self.assertEqual(found["status"], ("text", "complete"))
        self.assertEqual(float(found["time_step"][1]), 2e-3)
        with xsim.open(path) as run:
            self.assert_same(found, run)

    def test_partial_file_is_cut_to_its_records(self):
        path, _ = run_scene(self.folder, SCENE)
        with h5py.File(path, "a") as file:
            time = file["time"][:-3]
            del file["time"]
            file["time"] = time
        with xsim.open(path) as run:
            self.assert_same(self.dumped(path), run)

    def test_what_is_no_result_is_refused(self):
        for name, words in (("absent.h5", "no such file"), ("empty.h5", "no /time")):
            if name == "empty.h5":
                h5py.File(self.folder / name, "w").close()
            done = self.octave(f'addpath("{ROOT}/scripts/matlab"); xsim_read("{self.folder / name}");')
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
