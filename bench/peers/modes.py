"""Simulators and their modes, with the settings that bench/README.md states."""
from dataclasses import dataclass


@dataclass
class Mode:
    simulator: str
    name: str
    setting: str
    scenes: str = "triple chain four_bar stack slide"

    @property
    def driver(self):
        return self.simulator.lower()

    def arguments(self, step):
        return self.setting.format(step=step) if self.simulator != "MuJoCo" else "-"

    def mujoco(self, step):
        """Attributes of <option> and of constraints (geoms, connects, pairs)."""
        option, _, constraint = self.setting.partition("|")
        return option.format(h=step, h2=2 * step), constraint.format(h=step, h2=2 * step)
