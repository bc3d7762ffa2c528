#!/usr/bin/python3
"""A chain of equal links hung from the ground, released straight at 30 degrees from hanging.

  make_chain.py LINKS > SCENE.json

Links of 0.1 kg and 0.1 m on ball joints, in a plane turned by 33 degrees about the vertical;
joints solved together with the corrected update, three iterations a step of 1 ms. Used by
tests/claims/test_chain.py and bench/chain.py.
"""
import argparse
import json
import sys

import numpy as np

LENGTH, RADIUS, MASS = 0.1, 0.01, 0.1
TILT, AZIMUTH = np.deg2rad(30), np.deg2rad(33)


def chain(links, duration=1.0):
    """The scene as a dict."""
    along = np.array([np.sin(TILT) * np.cos(AZIMUTH), np.sin(TILT) * np.sin(AZIMUTH),
                      -np.cos(TILT)])
    # the turn that takes the link's z from up to against the chain's direction
    turn = {"axis": [np.sin(AZIMUTH), -np.cos(AZIMUTH), 0.0], "angle": float(TILT)}
    transverse = MASS * (3 * RADIUS**2 + LENGTH**2) / 12
    bodies = [{"name": f"link{i}", "position": ((i + 0.5) * LENGTH * along).tolist(),
               "orientation": turn, "mass": MASS,
               "inertia": [transverse, transverse, MASS * RADIUS**2 / 2]} for i in range(links)]
    upper, lower = ({"position": [0, 0, sign * LENGTH / 2]} for sign in (1, -1))
    joints = [{"name": f"ball{i}", "type": "spherical",
               "body1": f"link{i - 1}" if i > 0 else "ground", "body2": f"link{i}",
               "frame1": lower if i > 0 else {"position": [0, 0, 0]}, "frame2": upper}
              for i in range(links)]
    return {"format": 1, "name": f"chain_{links}", "gravity": [0, 0, -9.81],
            "time": {"step": 1e-3, "duration": duration},
            "solver": {"solve": "global", "update": "corrected", "iterations": 3},
            "bodies": bodies, "joints": joints}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("links", type=int, help="number of links, at least 1")
    arguments = parser.parse_args()
    if arguments.links < 1:
        parser.error(f"{arguments.links} links: at least 1 is needed")
    json.dump(chain(arguments.links), sys.stdout, indent=1)
    print()
