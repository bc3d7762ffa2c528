#!/usr/bin/python3
"""Prints the known limits that README.md lists, by the scenes and functions of the tests that are
expected to fail for them (tests/claims), at a step and at a quarter of it. The program is $XSIM,
default build/xsim.

  known_limits.py          all of them
  known_limits.py NAME     one: gap, one_iteration, limit, swing, twist, helix (this one for 10
                           and 40 elements), clamp_force, cradle
"""
import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/claims")]

import needs  # noqa: E402 (as the others)
import test_contact as contact  # noqa: E402 (needs the path above)
import test_genalpha as genalpha  # noqa: E402
import test_joint_variants as variants  # noqa: E402
import test_replay_joints as replay  # noqa: E402
import test_replay_rods as rods  # noqa: E402

ROUND_OFF = 1e-12  # below, a number says nothing and is printed as 0


def helix_strain(elements):
    """Largest strain of shear and stretch of a weightless helix of cubic elements at its start."""
    return np.abs(rods.Helix().weightless("cubic", elements)["rods/coil/strain_shear"][0]).max()


# Name: unit, how a number is printed, the number at a step (or else), steps.
LIMITS = {
    "gap": ("kg^(1/2) m", ".2f", lambda h: replay.Recovery().momentum(h, "angular"),
            replay.steps(1 / 240)),
    "one_iteration": ("J", ".1e", lambda h: replay.Limits().energy_gain(h), replay.steps(1e-3)),
    "limit": ("J", ".1f", lambda h: replay.Limits().energy_gain(h, *replay.Limits.ALONE),
              replay.steps(1e-3)),
    "swing": ("%", ".0f", lambda h: 100 * variants.Impacts().swing_rise(h, solve="individual"),
              variants.Impacts.STEPS),
    "twist": ("%", ".0f", lambda h: 100 * variants.Impacts().twist_rise(h, solve="individual"),
              variants.Impacts.STEPS),
    "helix": ("", ".1e", helix_strain, (10, 40)),
    "clamp_force": ("N", ".4f", lambda h: genalpha.tip_error(h)[1], replay.steps(1e-3)),
    "cradle": ("m/s", ".2f", lambda h: contact.Restitution().cradle(h)[-1], replay.steps(1e-3)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names or list(LIMITS)
    unknown = [name for name in names if name not in LIMITS]
    if unknown:
        parser.error(f"no limit is called {unknown[0]}; known: {', '.join(LIMITS)}")
    needs.program()
    for name in names:
        unit, form, value, steps = LIMITS[name]
        numbers = [value(h) for h in steps]
        shown = [format(x if x > ROUND_OFF else 0, form) for x in numbers]
        print(f"{name}: {', '.join(shown)} {unit}".rstrip())


if __name__ == "__main__":
    main()
