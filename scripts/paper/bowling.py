"""String-pin bowling of section 9.6 and Fig. 1."""
import numpy as np

from . import solid, style
from .model import OPEN, Outcome, verdict
from .runs import DONE
from .scene import Scene
from .style import plt

NAME, TITLE, SECTION = "bowling", "Bowling (Fig. 1)", "9.6"
REDUCED = True
SHOWN = 6     # instants
ASIDE = 0.35  # m beside the lane that are shown
PIN, BALL, ROPE, LANE = "#f3efe6", "#2b2f6b", style.ORANGE, "#d9b98a"


def sweeps(lab):
    shorter = ("time.duration=0.5",) if lab.quick else ()  # the throw
    return {"throw": lab.sweep_of("bowling", "bowling", {}, *shorter, may_diverge=True)}


def color_of(name, _shape):
    if name.startswith("pin"):
        return PIN
    return BALL if name == "ball" else None


def draw(case):
    scene = Scene(case)
    # The throw is over soon: half of the pictures lie within its first second.
    end = scene.time[-1]
    early = np.linspace(0, min(0.9, end), SHOWN // 2 + 1)[:-1]
    instants = [*early, *np.linspace(min(0.9, end), end, SHOWN - len(early))]
    figure, grid = plt.subplots(2, SHOWN // 2, figsize=(style.PAGE, 5.2), layout="constrained")
    V = solid.view(-142, 24)
    lane = [[-1.3, -0.55, 0], [1.0, -0.55, 0], [1.0, 0.55, 0], [-1.3, 0.55, 0]]
    bounds = []
    for axes, t in zip(grid.flat, instants):
        record = scene.record(t)
        bounds.append(solid.draw(axes, scene.bodies(record, color_of) + scene.rods(record, ROPE), V,
                                 flat=[(lane, LANE)]))
        axes.set_title(f"$t$ = {scene.time[record]:.2f} s")
    corners = np.array(lane) @ V[:2].T
    low = np.min([corners.min(axis=0), *(b[0] for b in bounds)], axis=0)
    high = np.max([corners.max(axis=0), *(b[1] for b in bounds)], axis=0)
    for axes in grid.flat:
        axes.set(xlim=(corners[:, 0].min(), corners[:, 0].max() + ASIDE), ylim=(low[1], high[1]))
    return figure


def tilt(scene, record):
    """Angle between the pins' axes and the vertical, rad."""
    pins = [k for k, name in enumerate(scene.names) if name.startswith("pin")]
    return np.array([np.arccos(np.clip(scene.rotation(record, k)[2, 2], -1, 1)) for k in pins])


def evaluate(lab, done):
    outcome = Outcome()
    (case,) = done["throw"].wait().values()
    scene = Scene(case)
    parameters = ("`scenes/paper/bowling.json`: Table 2's ropes (E = 1e8; the text says 1 GPa), h = 2 "
                  "ms; pins, ball, springs and friction are ours"
                  + ("; the first 0.5 s" if lab.quick else ""))

    def say(quote, measured, judged):
        outcome.claim("9.6, Fig. 1", quote, measured, judged, parameters)

    complete, end = case.status == DONE, scene.time[-1]
    ended = "" if complete else f"; the run diverged at {end:.2f} s"
    factor = case.real_time_factor()
    say("With a time step of h = 2×10⁻³ seconds, this scenario can be simulated faster than "
        "real-time.", "processor time not measured: the run was resumed" if factor is None else
        f"processor time is {style.number(factor)} times the simulated time, one core{ended}",
        OPEN if factor is None else verdict(factor < 1, complete))
    speed = np.linalg.norm(case["bodies/linear_velocity"], axis=2)
    pins = [k for k, name in enumerate(scene.names) if name.startswith("pin")]
    hit = int(np.sum(speed[:, pins].max(axis=0) > 0.5))
    stretch = max(np.abs(case[f"rods/{rod}/strain_shear"][..., 2]).max() for rod in scene.nodes)
    overlap = max(0, -np.min(case["contacts/gap"], initial=0))
    say("creating high-impact collisions between pins and strings",
        f"{hit} of {len(pins)} pins move faster than 0.5 m/s, the fastest at "
        f"{speed[:, pins].max():.1f} m/s; deepest overlap {style.number(overlap)} m",
        verdict(hit > 1))
    say("Despite only consisting of 8 elements, the rope exhibits smooth deformation and high "
        "stability.", f"ropes are stretched by {100 * stretch:.2g} % at most{ended}",
        verdict(complete, stretch < 0.1))
    if not lab.quick:
        standing = int(np.sum(tilt(scene, -1) < np.deg2rad(5)))
        back = np.linalg.norm(scene.position[-1, pins, :2] - scene.position[0, pins, :2], axis=1)
        say("After the throw, the pins are raised and untangled before set down again for the next "
            "throw.", f"{standing} of {len(pins)} stand upright at the end, at most "
            f"{1e3 * back.max():.0f} mm from their spots{ended}",
            verdict(complete, standing == len(pins), back.max() < 0.05))
    outcome.figure("fig01_bowling", "String-pin bowling: ten pins on ropes of eight cubic elements.",
                   draw(case))
    return outcome
