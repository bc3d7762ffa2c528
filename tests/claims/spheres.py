"""Spheres that settle in a box (scripts/make_spheres.py): runs of them, and what has to hold."""
import json
import os
import sys
import tempfile

import numpy as np

from simulate import ROOT, run

sys.path.insert(0, os.path.join(ROOT, "scripts"))
from make_spheres import RADIUS, half_width, spheres  # noqa: E402 (needs the path above)


def settle(n, duration, every, *overrides):
    """The result of n spheres, a record each so many steps."""
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "spheres.json")
        with open(scene, "w", encoding="utf-8") as stream:
            json.dump(spheres(n, duration, every), stream)
        return run(scene, *overrides)


def largest_rise(result):
    """Of the energy from one record to the next, relative to that at the start."""
    energy = result["energy/total"][:]
    return np.diff(energy).max() / energy[0]


def deepest_in_walls(result):
    """How far a sphere ever reached into the floor or a wall, in radii; none is outside while this
    is below 1."""
    position = result["bodies/position"][:, 1:]
    w = half_width(position.shape[1])
    return (RADIUS - min(w - np.abs(position[..., :2]).max(), position[..., 2].min())) / RADIUS
