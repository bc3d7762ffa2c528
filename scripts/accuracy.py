#!/usr/bin/python3
"""Prints how accurate xsim is: the numbers that README.md states, by the functions and scenes
of the tests in tests/claims. The program is $XSIM, default build/xsim.

  triple pendulum   largest error of the three angles at 1 s, median error of the force at the
                    pivot over the first second, both against a solution of the
                    minimal-coordinate equations (tests/data/triple_pendulum.json), order of
                    the error in the step, and median residuals
  integrators       backward Euler (solve global), rattle and genalpha at the same step, against
                    solutions in minimal coordinates (scenes/time, tests/data/time): attitude at
                    the time given, joint forces from 0.1 s on, orders of the latter two
  free bodies       what is kept without joints, and without external forces
"""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/claims"), str(ROOT / "tests")]

try:
    import numpy as np

    import needs
    import test_triple_pendulum as pendulum
    from simulate import run
    from test_free_bodies import relative
    from time_scenes import attitude_error, force_error, order, simulate
except ImportError as error:
    sys.exit(f"accuracy.py: {error}; run it as: "
             "$(scripts/install-deps.sh --python) scripts/accuracy.py")

MOTIONS = (("spatial_double_pendulum", 2), ("heavy_top", 1), ("heavy_top_fast", 1),
           ("heavy_top_lie", 1), ("four_bar", 1), ("torsion_spring_20", 2),
           ("torsion_spring_50", 2), ("moving_target", 2), ("velocity_drive", 2))
SECOND_ORDER = ("rattle", "genalpha")
STEPS = (1e-3, 5e-4, 2.5e-4, 1.25e-4)


def print_pendulum():
    print("triple pendulum (scenes/paper/triple_pendulum.json), one iteration a step")
    print(f"{'solve':<11} {'step (s)':>9} {'angle (rad)':>12} {'order':>6} {'force (N)':>10} "
          f"{'|C|':>9} {'primal, rel.':>12}")
    for solve in ("block", "individual", "global"):
        before = None
        for step in STEPS:
            result = pendulum.simulate(step, solve)
            angle = pendulum.angle_error(result, 1.0)
            order = f"{np.log2(before / angle):6.3f}" if before else " " * 6
            # The force is compared every 10 ms, which are whole steps.
            force = pendulum.pivot_force_error(result)
            constraint, primal = (np.median(result[f"residual/{name}"][1:])
                                  for name in ("constraint", "primal_relative"))
            print(f"{solve:<11} {step:9.3g} {angle:12.3e} {order} {force:10.3e} "
                  f"{constraint:9.2e} {primal:12.2e}")
            before = angle


def print_integrators():
    print("\nintegrators, step 1e-3 s, orders to 5e-4 s; joints and iterations as by default")
    print(f"{'scene':<24} {'at (s)':>6} {'euler (rad)':>12}" + "".join(
        f" {name + ' (rad)':>14} {'order':>6} {'force (N)':>10} {'order':>6}"
        for name in SECOND_ORDER))
    for name, at in MOTIONS:
        print_motion(name, at, attitude_error(simulate(name, 1e-3, integrator="euler"), name, at), [
            ([attitude_error(r, name, at) for r in results],
             [force_error(r, name, 0.1) for r in results])
            for results in ([simulate(name, h, integrator=integrator) for h in (1e-3, 5e-4)]
                            for integrator in SECOND_ORDER)])
    print_motion("triple_pendulum", 5, pendulum.angle_error(
        pendulum.simulate(1e-3, "global", 5.0), 5.0), [
            ([pendulum.angle_error(r, 5.0) for r in results],
             [pendulum.pivot_force_error(r, 5.0) for r in results])
            for results in ([run(pendulum.SCENE, f"time.step={h}", "time.duration=5", "checks=[]",
                                 f'solver={{"integrator":"{integrator}"}}') for h in (1e-3, 5e-4)]
                            for integrator in SECOND_ORDER)])


def print_motion(name, at, euler, errors):
    """errors: by integrator, of the attitude and of the force, each at both steps."""
    print(f"{name:<24} {at:6g} {euler:12.2e}" + "".join(
        f" {angle[0]:14.2e} {order(angle):6.2f} {force[0]:10.2e} {order(force):6.2f}"
        for angle, force in errors))


def print_free_bodies():
    top = run("demo/free_top")
    print("\nfree top (scenes/demo/free_top.json), largest relative change in "
          f"{top['time'][-1]:g} s")
    print(f"energy            {relative(top['energy/total'][:]):.1e}")
    size = np.linalg.norm(top["momentum/angular"][:], axis=-1)
    print(f"angular momentum  {relative(size):.1e}")
    chain = run("demo/free_chain")
    p = chain["momentum/linear"][:]
    change = np.linalg.norm(p - p[0], axis=1).max() / np.linalg.norm(p[0])
    print(f"\nfree chain (scenes/demo/free_chain.json), largest relative change in "
          f"{len(p) - 1} steps\nlinear momentum   {change:.1e}")


def main():
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    needs.program()
    print_pendulum()
    print_integrators()
    print_free_bodies()


if __name__ == "__main__":
    main()
