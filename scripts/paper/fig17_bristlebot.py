"""Fig. 17 and the bristlebots of Fig. 1: bodies on twelve curved legs, shaken forward."""
import numpy as np

from . import solid, style
from .model import OPEN, Outcome, SceneMissing, verdict
from .scene import Scene, orientation
from .style import plt

NAME, TITLE, SECTION = "fig17", "Fig. 17: bristlebot", "9.7"
REDUCED = True
SCENES = {"single": "bristlebot", "enclosure": "bristlebot_enclosure", "three": "bristlebot_three"}
BODY, LEG, WALL, FLOOR = style.BLUE, style.ORANGE, "#9a9a9a", "#ececec"
FRAMES = 10  # records between two bodies of the picture, as in the paper
PAPER_FREQUENCY = 500  # Hz, "> 500 Hz"


def sweeps(lab):
    """Those whose scenes are there; "missing" names the others."""
    done, missing = {}, []
    for name, scene in SCENES.items():
        # Quick: 0.1 s of each.
        shorter = ("time.duration=0.1",) if lab.quick else ()
        try:
            done[name] = lab.sweep_of(f"fig17_{name}", scene, {}, *shorter)
        except SceneMissing as error:
            missing.append((name, str(error)))
    return {**done, "missing": missing}


def body_color(name, _shape):
    return BODY if name.startswith("body") else None


def draw_diagram(axes, case):
    """The construction from the side."""
    scene = Scene(case)
    scene_bodies = {body["name"]: body for body in scene.parameters["bodies"]}
    half = scene_bodies["body"]["shapes"][0]["half_extents"]
    motor = next(j for j, name in enumerate(case.names("joints")) if name == "motor")
    at = np.array(scene.parameters["joints"][motor]["at"]["position"])
    rotor = scene.position[0, scene.names.index("rotor")]
    V = solid.view(-62, 18)
    disc = solid.cylinder(0.0032, 0.0012, at + [0, -half[1] - 0.0014, 0], np.array(
        [[1, 0, 0], [0, 0, -1], [0, 1, 0]]), style.GRAY)
    mass = solid.cylinder(0.0013, 0.0008, rotor + (rotor - at) + [0, -half[1] - 0.0034, 0], np.array(
        [[1, 0, 0], [0, 0, -1], [0, 1, 0]]), style.RED)
    floor = [[-0.034, -0.018, 0], [0.036, -0.018, 0], [0.036, 0.018, 0], [-0.034, 0.018, 0]]
    low, high = solid.draw(axes, scene.bodies(0, body_color) + scene.rods(0, LEG), V,
                           flat=[(floor, FLOOR)])
    front = axes.inset_axes([0, 0, 1, 1])
    solid.draw(front, [disc, mass], V)
    corners = np.array(floor) @ V[:2].T
    for part in (axes, front):
        part.set(xlim=(corners[:, 0].min(), corners[:, 0].max()),
                 ylim=(corners[:, 1].min(), high[1] + 0.004))

    def label(text, point, offset):
        front.annotate(text, point @ V[:2].T, xytext=offset, textcoords="offset points",
                       fontsize=8, ha="center",
                       arrowprops={"arrowstyle": "-", "linewidth": 0.6, "shrinkB": 0})

    top = scene.position[0, scene.names.index("body")] + [-0.012, 0, half[2]]
    label("rigid body", top, (-6, 16))
    label("eccentric\nmass", rotor + [0, -half[1], 0], (70, 36))
    # The foremost leg: its first row stands at the near side.
    leg = min(scene.nodes.values(), key=lambda nodes: (nodes[0, 0, 1], nodes[0, 0, 0]))[0]
    label("12 legs, one quadratic\nelement each", leg[1], (-16, -42))
    ahead = np.array([[0.014, -0.021, 0], [0.032, -0.021, 0]]) @ V[:2].T
    front.annotate("", ahead[1], ahead[0], annotation_clip=False,
                   arrowprops={"arrowstyle": "-|>", "color": "k", "linewidth": 1})
    front.annotate("forward", ahead.mean(axis=0), xytext=(4, -11), textcoords="offset points",
                   fontsize=8, ha="center", annotation_clip=False)


def draw_run(axes, case, names):
    """From above: bodies every FRAMES records, early ones light, and their paths."""
    scene = Scene(case)
    for body in scene.parameters["bodies"]:
        for shape in body["shapes"]:
            if body["fixed"] and shape["type"] == "box":
                outline(axes, shape["half_extents"], shape["position"],
                        orientation(shape["orientation"]), facecolor=WALL, edgecolor="none")
    colors = plt.get_cmap("viridis")
    last = len(scene.time) - 1
    shown = [k for k in range(last % FRAMES, last + 1, FRAMES)]
    for name in names:
        k = scene.names.index(name)
        half = scene.parameters["bodies"][k]["shapes"][0]["half_extents"]
        for record in shown:
            color = colors(0.95 - 0.9 * record / last)
            outline(axes, half, scene.position[record, k], scene.rotation(record, k),
                    facecolor=(*color[:3], 0.18), edgecolor=color, linewidth=0.9)
        axes.plot(*scene.position[:, k, :2].T, color="k", linewidth=0.6)
        front = scene.position[shown[-1], k] + scene.rotation(shown[-1], k) @ [half[0], 0, 0]
        axes.plot(*front[:2], "o", color=style.RED, markersize=3)
    axes.set_aspect("equal")
    axes.grid(False)
    axes.axis("off")


def outline(axes, half, place, R, **look):
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * half @ R.T + place
    axes.fill(*corners[:, :2].T, **look)


def ahead(case):
    """Way of the (first) body along where it points at the start, m; mean speed, m/s."""
    scene = Scene(case)
    k = scene.names.index("body") if "body" in scene.names else scene.names.index("body1")
    way = (scene.position[-1, k] - scene.position[0, k]) @ scene.rotation(0, k)[:, 0]
    return way, way / scene.time[-1]


def evaluate(lab, done):
    outcome = Outcome()
    cases = {name: next(iter(done[name].wait().values())) for name in SCENES if name in done}
    for name, path in done["missing"]:
        outcome.alarms.append(f"scene missing: {path}")
    where = "`scenes/paper/{}.json`: Table 2's legs; body, eccentric mass, lean and friction are ours"

    def say(quote, measured, judged, scene):
        outcome.claim("9.7, Fig. 17", quote, measured, judged, where.format(scene))

    if "single" in cases:
        case = cases["single"]
        way, speed = ahead(case)
        motor = next(j for j in case.resolved["joints"] if j["name"] == "motor")
        turn = motor["target"]["value"]["ramp"]
        frequency = (turn["to"] - turn["from"]) / turn["end"] / (2 * np.pi)
        say("The compliance and inclination of the legs produce asymmetric stick-slip interactions "
            "with the ground, resulting in an anisotropic friction response that converts the "
            "oscillatory vibrations into a net forward motion.",
            f"it goes {1e3 * way:.1f} mm forward in {case['time'][-1]:g} s, {1e3 * speed:.0f} mm/s; "
            f"the mass turns at {frequency:.0f} Hz", verdict(way > 0, frequency > PAPER_FREQUENCY),
            SCENES["single"])
    times = {name: case.real_time_factor() for name, case in cases.items()}
    if "enclosure" in cases:
        factor = times["enclosure"]
        single = (f"; of the single one {style.number(times['single'])} times"
                  if times.get("single") else "")
        say("the scenario in Figure 17, right, can be simulated faster than real-time, despite the "
            "small time step used",
            "processor time not measured: the run was resumed" if factor is None else
            f"processor time is {style.number(factor)} times the simulated time, h = 0.1 ms, one core"
            f"{single}",
            OPEN if factor is None else verdict(factor < 1), SCENES["enclosure"])
    else:
        say("the scenario in Figure 17, right, can be simulated faster than real-time, despite the "
            "small time step used", "scene missing", OPEN, SCENES["enclosure"])
    draw(outcome, cases)
    outcome.table("fig17", "Bristlebots", ["scene", "simulated, s", "forward, mm", "mean speed, mm/s",
                                           "deepest overlap, m", "processor time over simulated"],
                  [[SCENES[name], f"{case['time'][-1]:g}", f"{1e3 * ahead(case)[0]:.1f}",
                    f"{1e3 * ahead(case)[1]:.0f}",
                    style.number(max(0, -np.min(case["contacts/gap"], initial=0))),
                    style.number(times[name]) if times[name] else "-"]
                   for name, case in cases.items()],
                  "Forward: of the first body, along the direction it points at the start.")
    return outcome


def draw(outcome, cases):
    if "single" not in cases:
        return
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.PAGE, 2.6), layout="constrained",
                                         width_ratios=(1.25, 1))
    draw_diagram(left, cases["single"])
    if "enclosure" in cases:
        draw_run(right, cases["enclosure"], ("body",))
    else:
        draw_run(right, cases["single"], ("body",))
        right.set_title("scene missing: no enclosure", color=style.RED)
    outcome.figure("fig17", f"Left: construction. Right: the bristlebot in a walled enclosure from "
                   f"above, every {FRAMES} records (dot: its front).", figure)
    if "three" in cases:
        figure, axes = plt.subplots(figsize=(style.COLUMN * 1.2, 4.4), layout="constrained")
        scene = Scene(cases["three"])
        draw_run(axes, cases["three"], [n for n in scene.names if n.startswith("body")])
        outcome.figure("fig01_bristlebots", "Three bristlebots in enclosures (Fig. 1), from above, "
                       f"every {FRAMES} records.", figure)
