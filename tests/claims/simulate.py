"""Runs scenes for the claims: one folder for all results of a test run, each distinct run
made once. The program is $XSIM, default build/xsim."""
import atexit
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

import h5py

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
XSIM = os.environ.get("XSIM", os.path.join(ROOT, "build", "xsim"))
# The formulations that the paper compares, and the corrected step, as overrides of a scene.
FORMULATIONS = {
    "scalar": ("solver.constraints=scalar", "solver.solve=individual"),
    "individual": ("solver.solve=individual",),
    "block": ("solver.solve=block",),
    "global": ("solver.solve=global",),
    "corrected": ("solver.solve=global", "solver.update=corrected", "solver.iterations=3"),
}
_folder = None


def _results():
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="xsim-claims-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    return _folder


def run(scene, *overrides, status=(0,), environment=None):
    """Runs scenes/<scene>.json with "PATH=VALUE" overrides; returns the result, open for
    reading. Fails unless the exit status is one of those given."""
    key = hashlib.sha256(repr((scene, overrides, environment)).encode()).hexdigest()[:16]
    output = os.path.join(_results(), f"{key}.h5")
    if not os.path.exists(output):
        command = [XSIM, scene_path(scene), "-o", output, "--quiet"]
        for override in overrides:
            command += ["--set", override]
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, **(environment or {})})
        if done.returncode not in status:
            raise AssertionError(f"{' '.join(command)}: exit {done.returncode}, "
                                 f"expected {status}\n{done.stdout}{done.stderr}")
    return h5py.File(output, "r")


def run_content(content, *overrides, status=(0,)):
    """The same for a scene given as Python's lists and dictionaries."""
    text = json.dumps(content)
    path = os.path.join(_results(), hashlib.sha256(text.encode()).hexdigest()[:16] + ".json")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return run(path, *overrides, status=status)


def scene_path(scene):
    return scene if os.path.isabs(scene) else os.path.join(ROOT, "scenes", scene + ".json")


def data_path(name):
    return os.path.join(ROOT, "tests", "data", name)
