"""Simulators and their modes, with their settings; bench/README.md says why these.

An argument "{h}", "{2h}", "{4h}" stands for the step, twice, four times it.
"""
from dataclasses import dataclass

JOINTS, CONTACT = ("triple", "chain", "four_bar"), ("stack", "slide")


@dataclass
class Mode:
    simulator: str
    name: str
    setting: str  # what the driver takes as MODE; of MuJoCo: options | attributes of constraints
    scenes: tuple = JOINTS + CONTACT

    @property
    def driver(self):
        return self.simulator.lower()

    def at(self, step):
        text = self.setting
        for word, factor in (("{h}", 1), ("{2h}", 2), ("{4h}", 4)):
            text = text.replace(word, repr(factor * step))
        return text

    def arguments(self, step):
        return "-" if self.simulator == "MuJoCo" else self.at(step)

    def mujoco(self, step):
        """Attributes of <option> and of constraints (geoms, connects, pairs)."""
        option, _, constraint = self.at(step).partition("|")
        return option, constraint


def mujoco(integrator, time_constant, impedance, more=""):
    return (f'integrator="{integrator}" solver="Newton" iterations="100" tolerance="1e-10" '
            f'cone="elliptic" {more}|solref="{time_constant} 1" solimp="{impedance} 0.001 0.5 2"')


HARD, SOFT = "0.9999 0.9999", "0.9 0.95"  # MuJoCo's impedance: nearly rigid, and its default

MODES = [
    Mode("xsim", "euler individual", '{"solve":"individual"}'),
    Mode("xsim", "euler block", '{"solve":"block"}'),
    Mode("xsim", "euler global", '{"solve":"global"}'),
    Mode("xsim", "euler corrected", '{"solve":"global","update":"corrected","iterations":3}',
         JOINTS),
    Mode("xsim", "rattle", '{"integrator":"rattle"}', JOINTS),
    Mode("xsim", "genalpha", '{"integrator":"genalpha"}', JOINTS),

    Mode("MuJoCo", "Euler", mujoco("Euler", "{2h}", HARD), JOINTS),
    Mode("MuJoCo", "implicit", mujoco("implicit", "{2h}", HARD), JOINTS),
    Mode("MuJoCo", "RK4", mujoco("RK4", "{2h}", HARD), JOINTS),
    Mode("MuJoCo", "Euler default soft", mujoco("Euler", "0.02", SOFT), ("four_bar", *CONTACT)),
    Mode("MuJoCo", "Euler 2h", mujoco("Euler", "{2h}", HARD, 'impratio="10"'), ("stack",)),
    Mode("MuJoCo", "Euler 4h", mujoco("Euler", "{4h}", HARD, 'impratio="10"'), CONTACT),
    Mode("MuJoCo", "Euler 4h noslip",
         mujoco("Euler", "{4h}", HARD, 'impratio="10" noslip_iterations="20"'), CONTACT),
    Mode("MuJoCo", "RK4 4h", mujoco("RK4", "{4h}", HARD, 'impratio="10"'), CONTACT),

    Mode("ODE", "world", "world"),
    Mode("ODE", "world, CFM 1e-7", "world,0.2,1e-7", CONTACT),
    Mode("ODE", "quick 20", "quick20"),
    Mode("ODE", "quick 100", "quick100"),
    Mode("ODE", "quick 100, CFM 1e-7", "quick100,0.2,1e-7", CONTACT),

    Mode("Bullet", "impulse 10", "si10"),
    Mode("Bullet", "impulse 100", "si100"),
    Mode("Bullet", "impulse 10, anchor", "si10,-1,anchor", CONTACT),
    Mode("Bullet", "impulse 100, anchor", "si100,-1,anchor", CONTACT),
    Mode("Bullet", "MLCP Dantzig", "dantzig", JOINTS),
    Mode("Bullet", "MLCP Dantzig, anchor", "dantzig,-1,anchor", CONTACT),
    Mode("Bullet", "MLCP Lemke", "lemke", ("triple", "four_bar")),
    Mode("Bullet", "multibody", "multibody", JOINTS),
    Mode("Bullet", "multibody RK4", "multibody-rk4", JOINTS),
]
