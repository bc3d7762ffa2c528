#!/usr/bin/python3
"""Spheres that fall a little way into a box and settle there.

  make_spheres.py SPHERES > SCENE.json

Glass marbles of 1 cm radius in a box as wide as the heap is high: a floor and four walls, all
planes. They start in layers, 2.3 radii apart, each moved aside by up to a tenth of a radius so that
no two of them stand exactly above each other (random numbers of a fixed seed, 1e-6 m). mu = 0.3,
no rebound, contacts solved together (global), one iteration a step of 1 ms. scenes/demo/spheres.json
holds 1000 of them; tests/claims/test_spheres.py, tests/long/test_spheres.py and bench/spheres.py
take other numbers.
"""
import argparse
import json
import math
import random

RADIUS, DENSITY, FRICTION = 0.01, 2500, 0.3
PITCH = 2.3 * RADIUS  # of the layers, and in them
ASIDE = 0.1 * RADIUS
STEP, GRAVITY = 1e-3, 9.81
COMMENT = """{0} marbles of 1 cm radius fall a little way into a box, five planes, and settle there
  // (scripts/make_spheres.py {0}). The energy never rises, and none leaves the box."""
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3


def side_of(spheres):
    """How many spheres stand in a row of a layer."""
    side = 1
    while side**3 < spheres:
        side += 1
    return side


def half_width(spheres):
    """Half the width of the box, m."""
    return 0.5 * side_of(spheres) * PITCH


def wall(x, y, axis, degrees):
    return {"type": "plane", "position": [round(x, 6), round(y, 6), 0],
            "orientation": {"axis": axis, "angle": {"deg": degrees}}}


def spheres(n, duration=0.5, every=10):
    """The scene as a dict; its first body is the box."""
    side, w, aside = side_of(n), half_width(n), random.Random(1)
    box = {"name": "box", "fixed": True,
           "shapes": [{"type": "plane"}, wall(-w, 0, [0, 1, 0], 90), wall(w, 0, [0, 1, 0], -90),
                      wall(0, -w, [1, 0, 0], -90), wall(0, w, [1, 0, 0], 90)]}
    bodies = [box]
    for k in range(n):
        place = k % side, k // side % side, k // side**2
        position = [(place[axis] + 0.5) * PITCH - (w if axis < 2 else 0)
                    + aside.uniform(-ASIDE, ASIDE) for axis in range(3)]
        bodies.append({"name": f"s{k}", "position": [round(x, 6) for x in position],
                       "mass": round(MASS, 9), "shapes": [{"type": "sphere", "radius": RADIUS}]})
    return {"format": 1, "name": f"spheres_{n}", "gravity": [0, 0, -GRAVITY],
            "time": {"step": STEP, "duration": duration}, "solver": {"solve": "global"},
            "contact": {"enabled": True, "friction": FRICTION},
            "output": {"every": every, "fields": ["bodies"]}, "bodies": bodies}


def write(scene):
    """One key a line, and one body, so that a scene of a thousand can be read."""
    bodies = ",\n  ".join(json.dumps(body) for body in scene["bodies"])
    lines = [f'"{key}": {json.dumps(value)}' for key, value in scene.items() if key != "bodies"]
    return ("{\n  // " + COMMENT.format(len(scene["bodies"]) - 1) + "\n  "
            + ",\n  ".join(['"$schema": "../../schemas/scene.schema.json"', *lines])
            + f',\n  "bodies": [\n  {bodies}\n  ]\n}}\n')


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spheres", type=int, help="number of spheres, at least 1")
    arguments = parser.parse_args()
    if arguments.spheres < 1:
        parser.error(f"{arguments.spheres} spheres: at least 1 is needed")
    print(write(spheres(arguments.spheres)), end="")
