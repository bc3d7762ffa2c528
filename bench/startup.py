#!/usr/bin/python3
"""Time from starting the program to its first step, and what it is made of.

"first step" ends when the last line of --verbose is read, which the program writes right
before it steps. "one step" is the whole run of one step: besides the above the step, the last
writing of the result, fsync and rename. Both start with the creation of the process.

The parts: an empty program alone and with the libraries that xsim is linked with, one by one
(loading, relocating and initializing them, unloading them at the end); `xsim --version`, which
adds the loading of xsim itself; and the same run of one step with the result in memory
(/dev/shm), so without a disk, and with a single thread in OpenBLAS, which starts a pool of
threads where xsim was built without Debian's libopenblas0-serial. All are taken in turn, so that they see the same disturbances. Processor time
(all threads, user and system) is given, too: it does not wait for others.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "shared"))
from table import SCENE, XSIM, Table, begin  # noqa: E402 (needs the path above)

RUNS = 100  # of the first step and of one step; the parts run every PART_EVERY-th time
PART_EVERY = 4
TARGET = 15.0  # ms
LIBRARIES = ("libcjson", "openblas", "hdf5", "hdf5 libcjson openblas lapacke")


def run_to_end(command, environment):
    """Wall and processor time of a run, ms."""
    silent = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, {**os.environ, **environment}, file_actions=silent)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{shlex.join(command)}: wait status {status}")
    return 1e3 * wall, 1e3 * (usage.ru_utime + usage.ru_stime)


def run_to_first_step(command):
    """Wall time until the last line of --verbose has come, ms."""
    start = time.perf_counter()
    loud = [word for word in command if word != "--quiet"]
    with subprocess.Popen([*loud, "--verbose"], stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL) as process:
        for _ in process.stderr:
            last = time.perf_counter()
    if process.returncode != 0:
        raise SystemExit(f"{shlex.join(command)}: exit status {process.returncode}")
    return 1e3 * (last - start)


def rpath_of_xsim():
    """Where xsim looks for libraries first: in the folder of the OpenBLAS without threads."""
    text = subprocess.run(["readelf", "-d", XSIM], check=True, capture_output=True,
                          text=True).stdout
    return re.findall(r"\(RPATH\).*\[(.*)\]", text)


def empty_program(packages, folder):
    """An empty program linked with libraries whether it needs them or not; built by cc."""
    path = Path(folder) / ("empty_" + packages.replace(" ", "_"))
    source = path.with_suffix(".c")
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    flags = subprocess.run(["pkg-config", "--libs", *packages.split()], check=True,
                           capture_output=True, text=True).stdout.split() if packages else []
    flags += [f"-Wl,--disable-new-dtags,-rpath,{folder}" for folder in rpath_of_xsim()]
    subprocess.run(["cc", source, "-Wl,--no-as-needed", *flags, "-o", path], check=True)
    return [str(path)]


def loader_share(command):
    """Lines of the dynamic loader's own statistics."""
    done = subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "LD_DEBUG": "statistics"})
    words = ("total startup", "relocation:", "number of relocations:", "load objects")
    lines = [line.split(":", 1)[1].strip() for line in done.stderr.splitlines() if ":" in line]
    return [line for line in lines if any(word in line for word in words)]


def commands(folder, memory):
    """Names of what is timed to its end, with command, environment and target."""
    def one_step(place):
        return [str(XSIM), str(SCENE), "--set", "time.duration=1e-3", "--set",
                "checks=[]", "--quiet", "--force", "-o",
                str(Path(place) / "startup.h5")]
    version = [str(XSIM), "--version"]
    timed = {"one step": (one_step(folder), {}, TARGET),
             "one step, one OpenBLAS thread": (one_step(folder), {"OPENBLAS_NUM_THREADS": "1"},
                                               None),
             "xsim --version": (version, {}, None),
             "empty program": (empty_program("", folder), {}, None)}
    if memory:
        timed["one step, result in memory"] = (one_step(memory), {}, None)
    for packages in LIBRARIES:
        timed[f"empty program with {packages}"] = (empty_program(packages, folder), {}, None)
    return timed


def main():
    begin(__doc__)
    table = Table("startup", "ms")
    memory_root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory() as folder, \
            tempfile.TemporaryDirectory(dir=memory_root) as memory:
        timed = commands(folder, memory if memory_root else None)
        times = {name: [] for name in timed}
        first_step = []
        for run in range(RUNS):
            first_step.append(run_to_first_step(timed["one step"][0][:4] + timed["one step"][0][5:]))
            for name, (command, environment, target) in timed.items():
                if target is None and run % PART_EVERY != 0:
                    continue
                times[name].append(run_to_end(command, environment))

    table.add("first step", first_step, TARGET)
    for name, (_, _, target) in timed.items():
        wall, processor_time = zip(*times[name])
        table.add(name, wall, target)
        table.add(f"{name} (processor time)", processor_time)
    print("The dynamic loader says:", *loader_share([str(XSIM), "--version"]), sep="\n  ")


if __name__ == "__main__":
    main()
