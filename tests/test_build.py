"""What the Makefile promises of a build: instruction sets, rebuilding, installing."""
import json
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
            scripts = Path(folder) / "usr/share/xsim/scripts"
            for name in ("bin/xsim", "share/man/man1/xsim.1", "share/xsim/schemas/scene.schema.json",
                         "share/xsim/scripts/matlab/xsim_read.m"):
                self.assertTrue((Path(folder) / "usr" / name).is_file(), name)
            self.assertEqual({path.name for path in (scripts / "xsim").iterdir()},
                             {path.name for path in (ROOT / "scripts/xsim").glob("*.py")})
            self.assertEqual((Path(folder) / "usr/share/xsim/viewer/page.html").is_file(),
                             (BUILD / "viewer/page.html").is_file())
            version = subprocess.run([f"{folder}/usr/bin/xsim", "--version"], check=True,
                                     capture_output=True, text=True).stdout
            self.assertIn("0.1.0", version)
            self.use(Path(folder) / "usr/bin/xsim", scripts)
            make("uninstall", *where)
            left = [path for path in Path(folder).rglob("*") if path.is_file()]
            self.assertEqual(left, [])

    def use(self, xsim, scripts):
        """What users call, as installed, from a folder elsewhere."""
        with tempfile.TemporaryDirectory() as folder:
            def call(*command):
                return subprocess.run(
                    command, cwd=folder, capture_output=True, text=True, check=True,
                    env={**os.environ, "PYTHONPATH": str(scripts), "PATH": f"{xsim.parent}:/usr/bin:/bin",
                         "XSIM": "xsim"}).stdout

            scene = str(ROOT / "scenes/paper/triple_pendulum.json")
            call("xsim", scene, "-o", "a.h5", "-q", "-s", "time.duration=0.1", "-s", "checks=[]")
            self.assertIn("complete", call("/usr/bin/python3", "-m", "xsim", "info", "a.h5"))
            self.assertIn("datasets agree", call(scripts / "xsim-diff", "a.h5", "a.h5"))
            (Path(folder) / "s.json").write_text(json.dumps(
                {"scene": scene, "parameters": {"time.duration": [0.01], "checks": [[]]}}),
                encoding="utf-8")
            call("xsim", "--sweep", "s.json", "-o", "s", "--task", "0", "-q")
            call(scripts / "collect", "s.json", "s", "-q")
            self.assertTrue((Path(folder) / "s/summary.csv").is_file())

    def test_page_is_found_where_it_is_installed(self):
        """The page as `make viewer` would have built it, in a build of its own."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "build/viewer/page.html"
            page.parent.mkdir(parents=True)
            page.write_text("<title>@TITLE@</title>@DESCRIPTION@@NUMBERS@", encoding="utf-8")
            make("install", f"DESTDIR={folder}", "PREFIX=/opt", f"VIEWER={page}")
            share = Path(folder) / "opt/share/xsim"
            self.assertEqual((share / "viewer/page.html").read_bytes(), page.read_bytes())
            subprocess.run([XSIM, ROOT / "scenes/paper/triple_pendulum.json", "-o", "a.h5", "-q", "-s",
                            "time.duration=0.1", "-s", "checks=[]"], cwd=folder, check=True)
            environment = {**os.environ, "PYTHONPATH": str(share / "scripts")}
            environment.pop("XSIM_VIEWER", None)
            subprocess.run(["/usr/bin/python3", "-m", "xsim", "html", "a.h5"], cwd=folder, check=True,
                           env=environment, stdout=subprocess.DEVNULL)
            self.assertIn("<title>triple_pendulum", (Path(folder) / "a.html").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
