#!/usr/bin/python3
"""Large scenes: many free bodies, one long rod, many rods, many rods that are recorded, many records of
one body.

  make_large.py bodies|rod|rods|recorded|records SIZE > SCENE.json

SIZE is the number of bodies, of the rod's elements, of rods of 100 elements, or of records (one a step).
Bodies and rods are stepped 20 times, rods to be recorded are so at the start and at the end; linear
elements, a step of 1 ms, native band solve.
Used by tests/long/test_large.py and bench/large.py.
"""
import argparse
import json
import sys

RUBBER = {"rubber": {"density": 1000, "youngs_modulus": 5e6, "poisson_ratio": 0.4}}
STEP, STEPS = 1e-3, 20


def scene(steps, every, fields, **content):
    return {"format": 1, "name": "large", "time": {"step": STEP, "duration": steps * STEP},
            "solver": {"band_solver": "native"}, "materials": RUBBER,
            "output": {"every": every, "fields": fields}, **content}


def rod(name, elements, y):
    """It lies along the world's x axis, clamped at its start."""
    return {"name": name, "discretization": "linear", "elements": elements,
            "shape": {"type": "straight", "length": elements * 0.01},
            "pose": {"position": [0, y, 0],
                     "orientation": {"axis": [0, 1, 0], "angle": {"deg": 90}}},
            "section": {"radius": 0.01}, "material": "rubber", "ends": {"start": "clamped"}}


def body(k):
    return {"name": f"b{k}", "position": [k % 100, k // 100 % 100, k // 10000], "mass": 1,
            "shapes": [{"type": "sphere", "radius": 0.1}], "angular_velocity": [1, 2, 3]}


def large(kind, size):
    """The scene as a dict."""
    if kind == "bodies":
        return scene(STEPS, STEPS, [], bodies=[body(k) for k in range(size)])
    if kind == "rod":
        return scene(STEPS, STEPS, [], rods=[rod("r", size, 0)])
    if kind in ("rods", "recorded"):
        return scene(STEPS, STEPS, ["rods"] if kind == "recorded" else [],
                     rods=[rod(f"r{k}", 100, 0.1 * k) for k in range(size)])
    return scene(size, 1, ["bodies"], bodies=[body(1)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("bodies", "rod", "rods", "recorded", "records"))
    parser.add_argument("size", type=int, help="at least 1")
    arguments = parser.parse_args()
    if arguments.size < 1:
        parser.error(f"a size of {arguments.size}: at least 1 is needed")
    json.dump(large(arguments.kind, arguments.size), sys.stdout, indent=1)
    print()
