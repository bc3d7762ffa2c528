"""Sweeps of xsim on several cores, resumable; their results and processor times.

Every run is a case of a sweep, started by `xsim --sweep S --task K`: xsim itself leaves finished
cases alone and goes on with stopped ones. Sweeps come from scenes/paper, or are written here for
a scene (Lab.sweep_of). A case that ran from start to end in one process leaves case-0007.usage
beside its result: the processor time of the process, that of a run without steps, and the number
of steps. On a machine with other work to do this says more than wall time.
"""
import itertools
import json
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py

from .model import SceneMissing

ROOT = Path(__file__).resolve().parent.parent.parent
SCENES = ROOT / "scenes/paper"
DONE, DIVERGED = 0, 5


def read_json(path):
    """A scene or sweep: JSON with comments that are lines or stand at their ends."""
    text = Path(path).read_text(encoding="utf-8")
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda m: m[1] or "", text))


def values_of(sweep):
    """Of every case {path: value}, as xsim counts them: the last parameter fastest."""
    keys = list(sweep["parameters"])
    lists = [sweep["parameters"][key] for key in keys]
    chosen = zip(*lists) if sweep.get("mode") == "zip" else itertools.product(*lists)
    cases = []
    for values in chosen:
        case = {}
        for key, value in zip(keys, values):
            paths = [path.strip() for path in key.split(",")]
            case.update(zip(paths, value if len(paths) > 1 else [value]))
        cases.append(case)
    return cases


def is_stopped(result):
    """Whether it is that of a run that was stopped before its end."""
    if not result.exists():
        return False
    with h5py.File(result, "r") as file:
        return file.attrs["status"].decode() == "stopped"


class Case:
    """A run: its values and its result, which opens when it is asked for."""

    def __init__(self, values, path, status):
        self.values, self.path, self.status = values, path, status
        self._file = None

    @property
    def file(self):
        if self._file is None:
            self._file = h5py.File(self.path, "r")
        return self._file

    def __getitem__(self, name):
        return self.file[name][()]

    def names(self, group):
        return [name.decode() for name in self[f"{group}/name"]]

    @property
    def resolved(self):
        """All parameters of the run."""
        return json.loads(self["provenance/resolved"])

    @property
    def commit(self):
        return self["provenance/git_commit"].decode()

    def usage(self):
        """Processor seconds, steps, load average of the machine; None where not measured."""
        path = self.path.with_suffix(".usage")
        return json.loads(path.read_text()) if path.exists() else None

    def step_time(self):
        """Processor time a step, s, without what xsim's start takes; None where not measured."""
        usage = self.usage()
        if not usage or not usage["steps"]:
            return None
        return max(0, usage["cpu"] - usage["start"]) / usage["steps"]

    def real_time_factor(self):
        """Processor time over simulated time; None where not measured."""
        step = self.step_time()
        return step / self.resolved["time"]["step"] if step is not None else None


class Sweep:
    """Cases that are queued or have run, by the values that differ between them."""

    def __init__(self, futures, values):
        self._futures = futures
        varied = [path for path in values[0] if len({json.dumps(v[path]) for v in values}) > 1]
        self._keys = [tuple(v[path] for path in varied) for v in values]

    def wait(self):
        """{key: Case}; the key is the value that varies, or the tuple of those that do."""
        found = {}
        for key, future in zip(self._keys, self._futures):
            hashable = tuple(json.dumps(k) if isinstance(k, (list, dict)) else k for k in key)
            found[hashable[0] if len(hashable) == 1 else hashable] = future.result()
        return found


class Lab:
    """Where experiments run: program, folder, cores, whole or quick."""

    def __init__(self, folder, xsim, jobs, quick):
        self.folder, self.xsim, self.quick = Path(folder).resolve(), xsim, quick
        self._pool, self._queued = ThreadPoolExecutor(jobs), {}
        (self.folder / "runs").mkdir(parents=True, exist_ok=True)
        self._start = min(self._start_time() for _ in range(3))

    def close(self):
        self._pool.shutdown(cancel_futures=True)

    def choose(self, full, quick):
        return quick if self.quick else full

    def sweep(self, name, *overrides, only=None, may_diverge=False):
        """Queues scenes/paper/<name>.sweep.json, of which those cases whose values `only` accepts."""
        return self._queue(SCENES / f"{name}.sweep.json", name, overrides, only, may_diverge)

    def sweep_of(self, name, scene, parameters, *overrides, may_diverge=False):
        """Queues a sweep over a scene of scenes/paper, or one given as a path; its checks, which
        hold for the scene as it stands, are left out."""
        path = SCENES / f"{scene}.json" if isinstance(scene, str) else scene
        if not path.exists():
            raise SceneMissing(str(path.relative_to(ROOT)))
        sweep = {"scene": str(path), "parameters": {**parameters, "checks": [[]]}}
        file = self.folder / "runs" / f"{name}.sweep.json"
        text = json.dumps(sweep, indent=1)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
        return self._queue(file, name, overrides, None, may_diverge)

    def _start_time(self):
        """Processor time of a run without steps, s."""
        command = [self.xsim, SCENES / "cantilever.json", "-q", "-f", "-o",
                   self.folder / "runs/start.h5", "-s", "time.duration=0", "-s", "checks=[]"]
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {process.returncode}")
        return used.ru_utime + used.ru_stime

    def _queue(self, file, name, overrides, only, may_diverge):
        """A name that is queued already is the same sweep, which two experiments need."""
        if name not in self._queued:
            self._queued[name] = self._submit(file, name, overrides, only, may_diverge)
        return self._queued[name]

    def _submit(self, file, name, overrides, only, may_diverge):
        values = values_of(read_json(file))
        tasks = [k for k, v in enumerate(values) if only is None or only(v)]
        folder = self.folder / "runs" / name
        folder.mkdir(exist_ok=True)
        return Sweep([self._pool.submit(self._run, file, folder, overrides, k, values[k],
                                        may_diverge) for k in tasks], [values[k] for k in tasks])

    def _run(self, file, folder, overrides, task, values, may_diverge):
        result = folder / f"case-{task:04d}.h5"
        usage, partial = result.with_suffix(".usage"), Path(f"{result}.partial")
        command = [self.xsim, "--sweep", file, "-o", folder, "--task", str(task), "-q"]
        for override in overrides:
            command += ["-s", override]
        resumed = partial.exists() or is_stopped(result)
        before = result.stat().st_mtime_ns if result.exists() else None
        load = os.getloadavg()[0]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = process.stderr.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        allowed = (DONE, DIVERGED) if may_diverge else (DONE,)
        if process.returncode not in allowed or not result.exists():
            raise RuntimeError(f"{' '.join(map(str, command))}: exit status {process.returncode}\n"
                               f"{said}")
        if resumed:
            usage.unlink(missing_ok=True)
        elif result.stat().st_mtime_ns != before:
            with h5py.File(result, "r") as opened:
                steps = int(opened["step"][-1])
            usage.write_text(json.dumps({"cpu": used.ru_utime + used.ru_stime, "steps": steps,
                                         "start": self._start, "load": load}))
        return Case(values, result, process.returncode)
