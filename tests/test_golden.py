"""The same bits everywhere: results of five scenes against hashes that are kept in the repository.

With solver.band_solver native a result (all of it but /timing and /provenance) is the same bits

- from run to run, from two threads, and from the worker processes of a sweep;
- from the code for the baseline and that for AVX2;
- on a processor that has no AVX, AVX2 and FMA, as the C library is told by GLIBC_TUNABLES;
- whatever processor OpenBLAS takes this one for, as nothing of a run goes through it;
- from gcc and from clang, and with other optimisation (tests/long/test_golden_builds.py).

With lapacke it is the same bits from run to run, and for one kernel of OpenBLAS.

After a change that is meant to change numbers: tests/test_golden.py --write."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from test_cli import ROOT, XSIM, read

KEPT = ROOT / "tests/golden.json"

# Scene, overrides. Bodies swept in blocks; a loop with redundant rows by rattle; rods by euler, of a
# rectangular section; a rod joined to bodies by genalpha; contacts of a heap, all in one solve.
SCENES = {
    "triple_pendulum": ("scenes/paper/triple_pendulum.json", "time.duration=1"),
    "four_bar": ("scenes/time/four_bar.json", "time.duration=0.5"),
    "cantilever": ("scenes/demo/cantilever_swing.json", "time.duration=0.5",
                   'rods.beam.section={"width": 0.02, "height": 0.03}'),
    "rod_3d": ("scenes/time/cantilever_swing_3d.json", "time.duration=0.1"),
    "drop": ("scenes/replay/r14c_drop.json", "time.duration=0.5"),
}
WITH_RODS = ("cantilever", "rod_3d")

HIDDEN = "glibc.cpu.hwcaps=" + ",".join(
    f"-{name}{tail}" for name in ("AVX", "AVX2", "AVX512F", "FMA", "FMA4") for tail in ("", "_Usable"))
FLAGS = Path("/proc/cpuinfo").read_text(encoding="utf-8")
# Kernels of OpenBLAS, and what a processor needs to run them.
CORES = {"Nehalem": "sse4_2", "Sandybridge": "avx", "Haswell": "avx2", "Zen": "avx2",
         "SkylakeX": "avx512f"}
CORES = [core for core, flag in CORES.items() if re.search(rf"\b{flag}\b", FLAGS)]


def overrides(name, band_solver):
    """Command-line words: checks are made for the whole duration, a record every step."""
    words = []
    for word in ("checks=[]", "output.every=1", *SCENES[name][1:],
                 f"solver.band_solver={band_solver}"):
        words += ["-s", word]
    return words


def run(name, output, band_solver="native", xsim=XSIM, options=(), **environment):
    """Runs a scene; the path of its result."""
    command = [xsim, ROOT / SCENES[name][0], "-q", "-f", "-o", output, *options,
               *overrides(name, band_solver)]
    done = subprocess.run(command, env={**os.environ, **environment}, text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{name}: status {done.returncode}: {done.stderr}")
    return output


def digest(path):
    """SHA-256 of names, shapes, types and bytes of all datasets that have to be the same."""
    total = hashlib.sha256()
    for name, (shape, kind, content) in sorted(read(path).items()):
        total.update(f"{name} {shape} {kind}\n".encode())
        total.update(content)
    return total.hexdigest()


def kept():
    return json.loads(KEPT.read_text(encoding="utf-8"))


class Golden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, name, **environment):
        found = digest(run(name, self.folder / "out.h5", **environment))
        self.assertEqual(found, kept()[name], "the result has other bits; if it is meant to, "
                         "tests/test_golden.py --write")

    def check_all(self, **environment):
        for name in SCENES:
            with self.subTest(scene=name, **environment):
                self.check(name, **environment)

    def test_scenes_are_what_they_are_to_be(self):
        """One has contacts in its result, others have rods."""
        with h5py.File(run("drop", self.folder / "out.h5"), "r") as file:
            self.assertGreater(file["contacts/pair"].shape[0], 100)
        for name in WITH_RODS:
            with h5py.File(run(name, self.folder / "out.h5"), "r") as file:
                self.assertGreater(len(file["rods/name"]), 0)

    def test_same_from_run_to_run(self):
        self.check_all()
        self.check_all()

    def test_same_from_both_codes(self):
        self.check_all(XSIM_ISA="baseline")
        if re.search(r"\bavx2\b", FLAGS):
            self.check_all(XSIM_ISA="avx2")

    def test_same_where_the_processor_has_less(self):
        self.check_all(GLIBC_TUNABLES=HIDDEN)

    def test_hiding_is_seen_by_the_c_library(self):
        """Otherwise the test above would show nothing."""
        if not re.search(r"\bfma\b", FLAGS):
            self.skipTest("the processor has no FMA to hide")
        command = [sys.executable, "-c", "import math; print([math.exp(-k * 0.37) for k in range(2000)],"
                   "[math.pow(k / 3, 5) for k in range(2000)], [math.sin(k) for k in range(2000)])"]
        with_fma, without = (subprocess.run(command, env={**os.environ, **environment}, text=True,
                                            capture_output=True, check=True).stdout
                             for environment in ({}, {"GLIBC_TUNABLES": HIDDEN}))
        self.assertNotEqual(with_fma, without)

    def test_same_whatever_blas_takes_the_processor_for(self):
        for core in CORES:
            self.check_all(OPENBLAS_CORETYPE=core, OPENBLAS_VERBOSE="0")

    def test_lapacke_differs_between_kernels_and_not_from_run_to_run(self):
        """So what the README says of lapacke is no more than is true, and no less."""
        differ, largest = False, 0.0
        for name in SCENES:
            first = read(run(name, self.folder / "first.h5", "lapacke"))
            self.assertEqual(first, read(run(name, self.folder / "again.h5", "lapacke")), name)
            for core in CORES:
                other = run(name, self.folder / "other.h5", "lapacke", OPENBLAS_CORETYPE=core)
                same = first == read(other)
                if name not in WITH_RODS:
                    self.assertTrue(same, f"{name} has no rods, and yet depends on {core}")
                    continue
                differ = differ or not same
                with h5py.File(self.folder / "first.h5", "r") as a, h5py.File(other, "r") as b:
                    rod = a["rods/name"][0].decode()
                    p, q = (file[f"rods/{rod}/position"][:] for file in (a, b))
                    largest = max(largest, float(np.abs(p - q).max()))
        print(f"lapacke: kernels {', '.join(CORES)}: positions of rods differ by up to "
              f"{largest:.1g} m", file=sys.stderr)
        self.assertLess(largest, 1e-9)
        if len(CORES) > 2:
            self.assertTrue(differ, "lapacke gives the same bits from all kernels")

    def test_same_from_threads(self):
        for name in SCENES:
            result = run(name, self.folder / "out.h5", options=("--threads", "2"))
            self.assertEqual(digest(result), kept()[name], name)

    def test_same_from_a_sweep(self):
        """Two cases at a time, each in a process of its own."""
        for name in ("drop", "cantilever"):
            sweep = {"scene": str(ROOT / SCENES[name][0]), "mode": "zip",
                     "parameters": {"description": ["one", "two", "three"]}, "metrics": []}
            (self.folder / "s.json").write_text(json.dumps(sweep), encoding="utf-8")
            command = [XSIM, "--sweep", self.folder / "s.json", "-o", self.folder / name, "--jobs",
                       "2", "-q", *overrides(name, "native")]
            done = subprocess.run(command, text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            results = sorted((self.folder / name).glob("case-*.h5"))
            self.assertEqual(len(results), 3)
            for result in results:
                self.assertEqual(digest(result), kept()[name], result.name)

    def test_no_function_of_libm_that_has_variants(self):
        """sqrt, rounding and the like are exact everywhere; hypot has one form for all of x86-64
        (glibc's sysdeps/x86_64/fpu/multiarch lists those that have several)."""
        allowed = {"sqrt", "hypot", "fmax", "fmin", "round", "lround", "llround"}
        symbols = subprocess.run(["nm", "-D", "--undefined-only", XSIM], text=True,
                                 capture_output=True, check=True).stdout
        used = set(re.findall(r" U (\w+)@", symbols))
        libm = subprocess.run(["nm", "-D", "--defined-only", "/lib/x86_64-linux-gnu/libm.so.6"],
                              text=True, capture_output=True, check=True).stdout
        offered = set(re.findall(r" [TiW] (\w+)@", libm))
        self.assertIn("sin", offered)
        self.assertLessEqual(used & offered, allowed)


def write():
    with tempfile.TemporaryDirectory() as folder:
        hashes = {name: digest(run(name, Path(folder) / "out.h5")) for name in SCENES}
    KEPT.write_text(json.dumps(hashes, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main()
