"""What the Makefile promises of a build: instruction sets, rebuilding, installing."""
import os
import re
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
XSIM = Path(os.environ.get("XSIM", ROOT / "build/xsim"))
BUILD = XSIM.parent

AVX = re.compile(r"\tv[a-z0-9]+\s|%ymm")  # instructions of AVX begin with v, SSE has none
FMA = re.compile(r"\tvfn?m(?:add|sub)")


def make(*arguments):
    """Runs make with the variables of the make that runs the tests (else it would build with
    other flags), but without its jobs."""
    flags = re.sub(r"(^|\s)(-j\d*|--jobserver-\S+)", "", os.environ.get("MAKEFLAGS", ""))
    return subprocess.run(["make", "-C", ROOT, f"BUILD={BUILD.relative_to(ROOT)}", *arguments],
                          env={**os.environ, "MAKEFLAGS": flags}, capture_output=True,
                          text=True, check=True).stdout


def code_by_object():
    """Disassembly of each object of the library."""
    listing = subprocess.run(["objdump", "-d", BUILD / "libxsim.a"], check=True,
                             capture_output=True, text=True).stdout
    parts = re.split(r"^(\S+\.o):\s+file format.*$", listing, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


class InstructionSets(unittest.TestCase):
    def test_only_the_avx2_object_uses_avx(self):
        for name, code in code_by_object().items():
            with self.subTest(name):
                self.assertEqual(bool(AVX.search(code)), name == "hot_avx2.o")

    def test_no_fused_multiply_add_so_both_builds_give_the_same_bits(self):
        for name, code in code_by_object().items():
            with self.subTest(name):
                self.assertIsNone(FMA.search(code))


class Libraries(unittest.TestCase):
    def test_blas_and_lapack_are_those_without_threads_where_debian_has_put_them(self):
        triplet = subprocess.run(["gcc", "-print-multiarch"], check=True, capture_output=True,
                                 text=True).stdout.strip()
        folder = f"/usr/lib/{triplet}/openblas-serial/"
        if not os.path.isdir(folder):
            self.skipTest("no " + folder)
        found = subprocess.run(["ldd", XSIM], check=True, capture_output=True, text=True).stdout
        for name in ("libopenblas.so.0", "libblas.so.3", "liblapack.so.3"):
            self.assertIn(f"{name} => {folder}{name}", found)

    def test_little_memory_is_enough(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (100_000_000, 100_000_000))

        done = subprocess.run([XSIM, "--check", ROOT / "scenes/paper/triple_pendulum.json"],
                              preexec_fn=limit, timeout=20, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Rebuilding(unittest.TestCase):
    def test_only_changed_flags_compile_again(self):
        with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
            target = f"{Path(folder).relative_to(ROOT)}/src/base/arena.o"
            build = f"BUILD={Path(folder).relative_to(ROOT)}"
            self.assertIn("CC ", make(build, target))
            self.assertNotIn("CC ", make(build, target))
            self.assertIn("CC ", make(build, "OPT=-O0", target))


class Installing(unittest.TestCase):
    def test_install_and_uninstall(self):
        with tempfile.TemporaryDirectory() as folder:
            where = (f"DESTDIR={folder}", "PREFIX=/usr")
            make("install", *where)
            for name in ("bin/xsim", "share/man/man1/xsim.1",
                         "share/xsim/schemas/scene.schema.json"):
                self.assertTrue((Path(folder) / "usr" / name).is_file(), name)
            version = subprocess.run([f"{folder}/usr/bin/xsim", "--version"], check=True,
                                     capture_output=True, text=True).stdout
            self.assertIn("0.1.0", version)
            make("uninstall", *where)
            left = [path for path in Path(folder).rglob("*") if path.is_file()]
            self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
