#!/usr/bin/python3
"""Writes the scenes of Tobin & Rucker that have contact between bodies and rods: scenes/paper.

  make_contact_scenes.py    rewrites bowling.json and bristlebot*.json

The paper gives the ropes, the legs, the steps and the ball's speed (9.6, 9.7, Table 2); sizes and
masses that it does not give are those of the real game, or chosen, and stand in each scene's first
lines. tests/claims/test_bowling_throw.py and test_bristlebot.py take variants from here.
"""
import argparse
import json
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = "../../schemas/scene.schema.json"
G = 9.81


def plain(value):
    """Numbers of numpy as Python's, integral ones short, no -0."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, (float, np.floating)):
        return int(value) if value == int(value) and abs(value) < 1e15 else float(value)
    return value


def text_of(scene, comment):
    """A line an entry of bodies, rods, joints and checks."""
    lines = ["{", *(f"  // {line}" for line in comment.strip().splitlines())]
    entries = []
    for key, value in plain(scene).items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            inner = ",\n".join("    " + json.dumps(v) for v in value)
            entries.append(f'  "{key}": [\n{inner}\n  ]')
        else:
            entries.append(f'  "{key}": {json.dumps(value)}')
    return "\n".join(lines) + "\n" + ",\n".join(entries) + "\n}\n"


# ---- Bowling ---------------------------------------------------------------------------
BOWLING = """
String-pin bowling (Tobin & Rucker, 9.6 and Fig. 1): ten pins on ropes, a ball at 10 m/s, and
afterwards the pins are raised, untangled and set down.

From the paper: ropes of 8 cubic elements, 1.5 m long, 10 mm thick, nu 0.4, rho 1150, beta 10,
step 2 ms. Young's modulus is 1e8 here, as in its Table 2; its text says 1 GPa. The upper end of each
rope slides along z on a spring (an elastic prismatic joint), which stands for the rope's slack.

Of the real game: pins 15 in high, belly 4.77 in, foot 2.03 in, head 2.5 in thick, 1.6 kg,
spots 12 in apart; a ball of 8.5 in and 16 lb that rolls into the pocket beside the first pin; behind
the pins a pit 0.25 m deep with a cushion, to the sides walls. A pin is a foot (cylinder), a
belly (sphere) and a neck with head (capsule), hung by a knot 6 mm above its head that turns freely
(spherical joint); ropes touch their own pins, too ("joined"); centre of mass and inertia are those of this solid.
Ours: springs of 25 N/m and 5 N s/m; friction 0.2, on the lane 0.12, in the rings 0.06, and none on
ropes (whose ends it would spin in their knots); impacts of pins with restitution 0.5.

From 2.5 s on the springs' upper ends rise. The pins are pulled into rings above their spots, through
which their ropes run: heads pass, bellies are stopped and centred. From 8 s on they are let down.
"""
PIN_HEIGHT, PIN_MASS = 0.381, 1.6
FOOT, BELLY, HEAD = 0.0258, 0.0605, 0.0318  # radii
BELLY_HEIGHT, SPACING = 0.1143, 0.3048
BALL, BALL_MASS, SPEED = 0.10795, 7.26, 10.0
ROPE, ROPE_RADIUS = 1.5, 0.005
KNOT = PIN_HEIGHT + ROPE_RADIUS + 0.001  # the rope clears the head that it turns round
STIFFNESS, DAMPING = 25.0, 5.0
RING, RING_RADIUS, RING_HEIGHT = 0.0945, 0.0575, 1.0  # circle, tube
# m, by how much springs' upper ends rise: pins in the rings, hanging just above the floor (by
# 0.68 m the springs bear pins and ropes), standing
RAISED, HANGING, STANDING = 1.8, 0.73, 0.55
# ends of the lane and the pit, half the width between the walls, where the ball starts
LANE, PIT, HALF_WIDTH, START, PIT_DEPTH = 1.0, 1.7, 0.75, -1.2, 0.25


def spots():
    """Head pin first, row by row."""
    return [(SPACING * np.sqrt(3) / 2 * row, SPACING * (k - row / 2))
            for row in range(4) for k in range(row + 1)]


def pin_solid():
    """Height of the centre of mass, and inertia about it, of the union of a pin's shapes."""
    z = (np.arange(20000) + 0.5) / 20000 * PIN_HEIGHT
    radius2 = np.where(z < BELLY_HEIGHT, FOOT**2, 0)
    radius2 = np.maximum(radius2, BELLY**2 - (z - BELLY_HEIGHT)**2)
    top = PIN_HEIGHT - HEAD
    above = np.maximum(z - top, 0)
    radius2 = np.maximum(radius2, np.where(z > BELLY_HEIGHT, HEAD**2 - above**2, 0))
    mass = radius2 / radius2.sum() * PIN_MASS
    centre = (mass * z).sum()
    axial = (mass * radius2 / 2).sum()
    return centre, (mass * (radius2 / 4 + (z - centre)**2)).sum(), axial


def pin_shapes():
    neck = (PIN_HEIGHT - HEAD - BELLY_HEIGHT) / 2
    return [{"type": "cylinder", "radius": FOOT, "half_length": BELLY_HEIGHT / 2,
             "position": [0, 0, BELLY_HEIGHT / 2], "material": "wood"},
            {"type": "sphere", "radius": BELLY, "position": [0, 0, BELLY_HEIGHT],
             "material": "wood"},
            {"type": "capsule", "radius": HEAD, "half_length": neck,
             "position": [0, 0, BELLY_HEIGHT + neck], "material": "wood"}]


def box(low, high, material):
    low, high = np.array(low), np.array(high)
    return {"type": "box", "half_extents": (high - low) / 2, "position": (high + low) / 2,
            "material": material}


def lift():
    """Up into the rings, down to just above the floor, onto it, and until the spring is at rest."""
    ramps = ((0, RAISED, 2.5, 6.5), (0, HANGING - RAISED, 8, 11), (0, STANDING - HANGING, 11, 13),
             (0, -STANDING, 13, 14))
    return {"sum": [{"ramp": {"from": low, "to": high, "start": start, "end": end, "smooth": True}}
                    for low, high, start, end in ramps]}


def bowling(aim=0.08):
    """aim: how far beside the head pin's spot the ball runs, m."""
    centre, transverse, axial = pin_solid()
    wall = 0.1
    hall = [box([-2, -HALF_WIDTH, -PIT_DEPTH], [LANE, HALF_WIDTH, 0], "lane"),
            box([LANE, -HALF_WIDTH, -PIT_DEPTH - wall], [PIT, HALF_WIDTH, -PIT_DEPTH], "lane"),
            box([PIT, -HALF_WIDTH, -PIT_DEPTH], [PIT + wall, HALF_WIDTH, 1], "cushion"),
            box([-2, -HALF_WIDTH - wall, -PIT_DEPTH], [PIT, -HALF_WIDTH, 1], "cushion"),
            box([-2, HALF_WIDTH, -PIT_DEPTH], [PIT, HALF_WIDTH + wall, 1], "cushion")]
    rings = [{"type": "torus", "major_radius": RING, "minor_radius": RING_RADIUS,
              "position": [x, y, RING_HEIGHT], "material": "ring"} for x, y in spots()]
    bodies = [{"name": "hall", "fixed": True, "shapes": hall},
              {"name": "rings", "fixed": True, "shapes": rings},
              {"name": "ball", "mass": BALL_MASS, "position": [START, aim, BALL],
               "linear_velocity": [SPEED, 0, 0], "angular_velocity": [0, SPEED / BALL, 0],
               "shapes": [{"type": "sphere", "radius": BALL, "material": "ball"}]}]
    rods, joints = [], []
    for k, (x, y) in enumerate(spots(), 1):
        bodies.append({"name": f"pin{k}", "position": [x, y, 0], "mass": PIN_MASS,
                       "center_of_mass": [0, 0, centre],
                       "inertia": [transverse, transverse, axial], "shapes": pin_shapes()})
        rods.append({"name": f"rope{k}", "discretization": "cubic", "elements": 8,
                     "material": "rope", "damping": 10,
                     "shape": {"type": "straight", "length": ROPE},
                     "section": {"radius": ROPE_RADIUS},
                     "pose": {"position": [x, y, KNOT]}})
        joints.append({"name": f"knot{k}", "type": "spherical", "body1": f"pin{k}",
                       "body2": {"rod": f"rope{k}", "node": "start"},
                       "at": {"position": [x, y, KNOT]}})
        joints.append({"name": f"slack{k}", "type": "prismatic", "body1": "ground",
                       "body2": {"rod": f"rope{k}", "node": "end"},
                       "at": {"position": [x, y, KNOT + ROPE], "axis": [0, 0, 1]},
                       "target": {"value": lift(), "stiffness": STIFFNESS, "damping": DAMPING}})
    rope = {"density": 1150, "youngs_modulus": 1e8, "poisson_ratio": 0.4, "friction": 0}
    return {"$schema": SCHEMA, "format": 1, "name": "bowling",
            "description": "String-pin bowling (Tobin & Rucker, 9.6): a throw, pins raised and set",
            "gravity": [0, 0, -G], "time": {"step": 2e-3, "duration": 14.5},
            "solver": {"solve": "global", "band_solver": "native"},
            "contact": {"enabled": True, "friction": 0.2, "joined": True},
            "materials": {"rope": rope, "wood": {"restitution": 0.5},
                          "ball": {"friction": 0.2}, "lane": {"friction": 0.07}, "cushion": {}, "ring": {"friction": 0.02}},
            "bodies": bodies, "rods": rods, "joints": joints, "output": {"every": 5}}


# ---- Bristlebot ------------------------------------------------------------------------
BRISTLEBOT = """
A body on twelve curved legs, shaken by an eccentric mass that turns at 520 Hz. The legs lean
back (their tips point to -x), stick as the body is pressed down and slip as it rises, so that it walks
to +x. From the paper (9.7, table 2): legs of one quadratic element, 15 mm long, 2 mm thick, E 4.5e6,
nu 0.4, rho 1000, no damping, h 1e-4, more than 500 Hz. Ours: a body of 6 g, 44 x 15 x 8 mm; 0.4 g
turning 0.8 mm off its axis; legs in two rows, 8 mm apart, bent by 20 degrees with chords at 25 degrees
from the vertical; friction 0.6; feet on the floor at the start.
"""
ENCLOSURE = BRISTLEBOT + """
It stands in an enclosure of 90 x 70 mm with walls 20 mm high, turned by 20 degrees, and runs into
the walls.
"""
THREE = BRISTLEBOT + """
Three of them stand in enclosures of 90 x 70 mm, side by side with walls 20 mm high between them,
turned by 20, 100 and -150 degrees.
"""
LEG, LEG_RADIUS, BEND, LEAN = 0.015, 0.001, np.deg2rad(20), 25.0
BODY = np.array([0.022, 0.0075, 0.004])
ROTOR = np.array([0.012, 0, 0])  # its axis, in the body's frame
ECCENTRIC, FREQUENCY = 8e-4, 520.0
PEN = np.array([0.045, 0.035])  # half the width inside
WALL, WALL_HEIGHT = 0.004, 0.02


def robot(number="", at=(0, 0), yaw=0.0, lean=LEAN, turns=FREQUENCY, rotor=ROTOR):
    """Bodies, rods, joints. lean: degrees between a leg's chord and the vertical, tips towards -x;
    0: straight legs. yaw: degrees."""
    heading = Rotation.from_euler("z", yaw, degrees=True)
    bend = 0.0 if lean == 0 else BEND
    if lean == 0:
        shape, chord, upright = {"type": "straight", "length": LEG}, LEG, 180.0
    else:
        radius = LEG / BEND
        shape = {"type": "arc", "radius": radius, "angle": BEND}
        chord = 2 * radius * np.sin(BEND / 2)
        upright = 180 + np.sign(lean) * (abs(lean) - np.rad2deg(bend) / 2)
    root = chord * np.cos(np.deg2rad(lean)) + LEG_RADIUS
    centre = np.array([*at, root + BODY[2]])
    pose = Rotation.from_euler("y", upright, degrees=True)
    if lean < 0:
        pose = pose * Rotation.from_euler("z", 180, degrees=True)
    quaternion = np.roll((heading * pose).as_quat(), 1)
    turned = {} if yaw == 0 else {"orientation": {"axis": [0, 0, 1], "angle": {"deg": yaw}}}

    def place(x):
        return centre + heading.apply(x)

    body, spin = f"body{number}", f"rotor{number}"
    axis = rotor + [0, 0, ECCENTRIC]
    bodies = [{"name": body, "mass": 0.006, "position": centre, **turned,
               "shapes": [{"type": "box", "half_extents": BODY}]},
              {"name": spin, "mass": 0.0004, "position": place(axis), **turned,
               "inertia": [2e-10, 2e-10, 2e-10]}]
    rods, joints = [], []
    for k in range(12):
        leg = f"{number}_{k:02}" if number else f"{k:02}"
        start = place([(k // 2 - 2.5) * 0.008, 0.016 * (k % 2 - 0.5), -BODY[2]])
        rods.append({"name": f"leg{leg}", "discretization": "quadratic", "elements": 1,
                     "material": "rubber", "shape": shape, "section": {"radius": LEG_RADIUS},
                     "pose": {"position": start, "orientation": {"quaternion": quaternion}}})
        joints.append({"name": f"root{leg}", "type": "fixed", "body1": body,
                       "body2": {"rod": f"leg{leg}", "node": "start"}, "at": {"position": start}})
    joints.append({"name": f"motor{number}", "type": "revolute", "body1": body, "body2": spin,
                   "at": {"position": place(rotor), "axis": heading.apply([0, 1, 0])},
                   "target": {"value": {"ramp": {"from": 0, "to": 2 * np.pi * turns * 10, "end": 10}}}})
    return bodies, rods, joints


def pens(n):
    """Walls of n enclosures along y, the first one about the origin."""
    low, high = -PEN[1], -PEN[1] + n * (2 * PEN[1] + WALL) - WALL
    ends = [box([side * (PEN[0] + WALL / 2) - WALL / 2, low - WALL, 0],
                [side * (PEN[0] + WALL / 2) + WALL / 2, high + WALL, WALL_HEIGHT], "wall")
            for side in (-1, 1)]
    between = [box([-PEN[0], low - WALL + k * (2 * PEN[1] + WALL), 0],
                   [PEN[0], low + k * (2 * PEN[1] + WALL), WALL_HEIGHT], "wall")
               for k in range(n + 1)]
    return {"name": "walls", "fixed": True, "shapes": ends + between}


def pen_centre(k):
    return (0.0, k * (2 * PEN[1] + WALL))


def bristle_scene(name, description, robots, n_pens=0, duration=0.3, checks=()):
    bodies = [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]}]
    if n_pens:
        bodies.append(pens(n_pens))
    rods, joints = [], []
    for one in robots:
        bodies += one[0]
        rods += one[1]
        joints += one[2]
    materials = {"rubber": {"density": 1000, "youngs_modulus": 4.5e6, "poisson_ratio": 0.4}}
    if n_pens:
        materials["wall"] = {"friction": 0.1}
    scene = {"$schema": SCHEMA, "format": 1, "name": name, "description": description,
             "gravity": [0, 0, -G], "time": {"step": 1e-4, "duration": duration},
             "solver": {"solve": "global", "band_solver": "native"},
             "contact": {"enabled": True, "friction": 0.6}, "materials": materials,
             "bodies": bodies, "rods": rods, "joints": joints, "output": {"every": 100}}
    if checks:
        scene["checks"] = list(checks)
    return scene


def bristlebot(**variant):
    """The single one; lean, turns, yaw: as robot."""
    return bristle_scene("bristlebot", "A body on leaning, curved legs is shaken forward",
                         [robot(**variant)],
                         checks=[{"metric": "bodies.position.body.x.final", "above": 0.01},
                                 {"metric": "bodies.position.body.z.min", "above": 0.01}])


def enclosure():
    return bristle_scene("bristlebot_enclosure", "A bristlebot runs into the walls around it",
                         [robot(yaw=20)], n_pens=1, duration=1.5,
                         checks=inside(["body"]))


def inside(names):
    """Bodies stay above the floor, and inside their enclosures."""
    checks = []
    for k, name in enumerate(names):
        x, y = pen_centre(k)
        for axis, centre, half in (("x", x, PEN[0]), ("y", y, PEN[1])):
            metric = f"bodies.position.{name}.{axis}"
            checks.append({"metric": f"{metric}.max", "below": centre + half})
            checks.append({"metric": f"{metric}.min", "above": centre - half})
        checks.append({"metric": f"bodies.position.{name}.z.min", "above": 0.01})
    return checks


def three():
    return bristle_scene("bristlebot_three", "Three bristlebots, each in an enclosure",
                         [robot(k + 1, pen_centre(k), yaw)
                          for k, yaw in enumerate((20, 100, -150))],
                         n_pens=3, duration=1.0, checks=inside(["body1", "body2", "body3"]))


def scenes():
    """(path, text) of all of them."""
    for scene, comment in ((bowling(), BOWLING), (bristlebot(), BRISTLEBOT),
                           (enclosure(), ENCLOSURE), (three(), THREE)):
        yield ROOT / f"scenes/paper/{scene['name']}.json", text_of(scene, comment)


def main():
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for path, text in scenes():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
