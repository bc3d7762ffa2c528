"""Runs a driver on a scene and compares what it recorded with the reference."""
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from scenes import SCENES  # first: it sets numpy's threads
from references import reference

import numpy as np
from table import XSIM  # bench/shared

DRIVERS = XSIM.parent / "bench/peers"
HEAD, BODY = 3, 13  # numbers of a row, as in peer.h
ENOUGH = 0.2  # s of steps that are not repeated


@dataclass
class Measured:
    """One simulator, mode, scene and step."""
    simulator: str
    mode: str
    scene: str
    step: float
    microseconds: float = np.nan  # a step, processor time
    wall_microseconds: float = np.nan
    seconds: float = np.nan  # processor time of the whole motion
    error: float = np.nan  # m: farthest any centre of mass ever was from where it should be
    gap: float = np.nan  # m
    energy: float = np.nan  # largest deviation from the reference's, of its scale
    note: str = ""
    origin: tuple = ()  # processor, commit and variant of xsim, versions of the peers


class Problem:
    """A scene with its reference and its files."""

    def __init__(self, name, folder, duration=None):
        self.name, self.scene, self.folder = name, SCENES[name](), Path(folder)
        if duration is not None:
            self.scene.duration = duration
        self.p, self.kinetic, self.gravity = reference(name, self.scene)
        # energies are compared with the largest kinetic one, or with what lifts a box by its height
        self.energy_scale = self.kinetic.max()
        if not self.energy_scale > 0:
            box = self.scene.bodies[0]
            self.energy_scale = box.mass * 9.81 * 2 * box.half[2]
        self.text, self.xsim = self.folder / f"{name}.txt", self.folder / f"{name}.json"
        self.text.write_text(self.scene.text(), encoding="utf-8")
        self.xsim.write_text(self.scene.xsim(), encoding="utf-8")

    def run(self, mode, step, time_limit):
        """Rows of a run of a mode at a step; None where the time did not suffice."""
        scene = self.xsim if mode.simulator == "xsim" else self.text
        if mode.simulator == "MuJoCo":
            scene = self.folder / f"{self.name}.xml"
            model, *deeper = self.scene.mjcf(*mode.mujoco(step))
            scene.write_text(model, encoding="utf-8")
            for i, text in enumerate(deeper, 1):
                (self.folder / f"deeper{i}.xml").write_text(text, encoding="utf-8")
        every = round(self.scene.every / step)
        records = round(self.scene.duration / self.scene.every)
        assert abs(every * step - self.scene.every) < 1e-12, (step, self.scene.every)
        with tempfile.NamedTemporaryFile(dir=self.folder) as out:
            # from the folder: MuJoCo leaves a log where it runs
            try:
                done = subprocess.run(
                    [DRIVERS / mode.driver, scene, mode.arguments(step), repr(step), str(records),
                     str(every), out.name], cwd=self.folder, stdin=subprocess.DEVNULL,
                    capture_output=True, text=True, timeout=time_limit, check=False)
            except subprocess.TimeoutExpired:
                return None
            if done.returncode not in (0, 5):  # 5: diverged, of xsim
                raise RuntimeError(f"{mode.driver} {self.name} {mode.name}: {done.stderr}")
            rows = np.fromfile(out.name)
        return rows.reshape(-1, HEAD + BODY * len(self.scene.bodies))

    def measure(self, mode, step, time_limit=60.0, repeats=3):
        """Repeated until repeats, or ENOUGH seconds of steps, are reached; of each stretch between
        two records the shortest time counts."""
        found = Measured(mode.simulator, mode.name, self.name, step)
        times, spent = [], 0.0
        while len(times) < repeats and (not times or spent < ENOUGH):
            rows = self.run(mode, step, time_limit)
            if rows is None:
                found.note = f"not within {time_limit:g} s"
                return found
            times.append(rows[1:, 1:HEAD])
            spent += times[-1][:, 1].sum()
        wall, cpu = np.min(times, axis=0).sum(0)
        done = len(rows) - 1
        steps = done * round(self.scene.every / step)
        if steps > 0:
            found.microseconds, found.wall_microseconds = 1e6 * cpu / steps, 1e6 * wall / steps
        if done < len(self.p) - 1:
            found.note = f"broke down after {done * self.scene.every:g} s"
            return found
        found.seconds = cpu
        poses = rows[:, HEAD:].reshape(len(rows), -1, BODY)
        found.error = np.linalg.norm(poses[:, :, :3] - self.p, axis=-1).max()
        found.gap = self.scene.gap(poses)
        kinetic, gravity = self.scene.energy(poses)
        off = kinetic + gravity - (self.kinetic + self.gravity)
        # the zero of gravity's energy is the same: positions are in the same frame
        found.energy = np.abs(off).max() / self.energy_scale
        return found
