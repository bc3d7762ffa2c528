#!/usr/bin/python3
"""Writes the scenes of Tobin & Rucker, Fig. 12, in every formulation: scenes/paper.

  make_paper_scenes.py    rewrites triple_pendulum*.json and rps3*.json

The mechanisms come from scenes/paper/triple_pendulum.json, whose text is kept but for its checks,
and from scripts/make_rps3.py. These two files are solved joint by joint ("block"); the others
differ from them in name, solver and checks only:

  scalar       normed rows of Mueller et al. 2020, one after another: the paper's baseline
  individual   vector-valued rows, one after another
  global       all joints at once
  corrected    all joints at once, the primal residual kept in the equations

Checks are what one run can say of the claims. Those that compare formulations are met by bounds
on either side whose ratio is the claim (primal residual of the pendulum at release: scalar above
1e-5, individual below 1e-10). Angles and legs are compared with tests/data/triple_pendulum.json
and inverse kinematics, forces with the same solution and with tests/data/rps3_drive.json. All
else is compared by tests/claims/test_triple_pendulum.py and test_rps3.py, at other steps as well.
"""
import argparse
import json
import re
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

import make_rps3

ROOT = Path(__file__).resolve().parent.parent
SOLVERS = {
    "block": {"solve": "block", "iterations": 1},
    "scalar": {"constraints": "scalar", "solve": "individual", "iterations": 1},
    "individual": {"solve": "individual", "iterations": 1},
    "global": {"solve": "global", "iterations": 1},
    "corrected": {"solve": "global", "update": "corrected", "iterations": 3},
}
DESCRIPTIONS = {
    "scalar": "scalar rows one after another", "individual": "vector rows one after another",
    "global": "all joints at once", "corrected": "all joints at once, corrected",
}
MECHANISMS = ("triple_pendulum", "rps3")


def data(name):
    return np.array(json.loads((ROOT / "tests/data" / name).read_text(encoding="utf-8"))["data"])


def listed(values):
    return [float(v) for v in values]


# ---- Checks: (comment or None, check) --------------------------------------------------
def pendulum_checks(formulation):
    reference = data("triple_pendulum.json")  # t, th1..3, w1..3, E, Fs, Fz; every 10 ms
    checks = [("the energy of the start", {"metric": "energy.total.at:0",
                                           "equals": -7.665698803106644, "within": 1e-12})]

    # Median of the force at the pivot over the first second.
    fine = np.arange(1, 1001) * 1e-3
    force = np.median(np.hypot(*CubicSpline(reference[:, 0], reference[:, 8:10])(fine).T))
    pivot = {"metric": "joints.force.hinge1.norm.median", "to": 1}
    if formulation == "scalar":
        return checks + [
            ("what the multipliers leave is as large as the impulses",
             {"metric": "residual.primal_relative.median", "to": 0.1, "above": 1, "below": 2.5}),
            ("1e5 times what individual leaves",
             {"metric": "residual.primal.median", "to": 0.1, "above": 1e-5}),
            ("10 times what individual and block leave",
             {"metric": "residual.constraint.median", "to": 2, "above": 1e-3}),
            (f"off by more than 5 N; exact: {force:.2f} N",
             {**pivot, "above": round(float(force) + 5, 2)})]

    checks += [
        (None, {"metric": "residual.primal_relative.median", "to": 1, "below": 1e-4}),
        (None, {"metric": "residual.primal.median", "to": 0.1, "below": 1e-10}),
        (None, {"metric": "residual.constraint.median", "to": 2, "below": 1e-4}),
        ("never apart", {"metric": "residual.constraint.max", "below": 1}),
        ("within 0.8 N of the exact median",
         {**pivot, "equals": round(float(force), 4), "within": 0.8})]
    if formulation == "corrected":
        checks += [
            ("both residuals at round-off",
             {"metric": "residual.primal.median", "to": 1, "below": 1e-15}),
            (None, {"metric": "residual.constraint.median", "to": 1, "below": 1e-14})]

    # Relative angles of the hinges, counted down from the start as their axis points.
    rows = reference[10:101:10]
    absolute = np.concatenate([np.zeros((len(rows), 1)), rows[:, 1:4] - reference[0, 1:4]], axis=1)
    for i, relative in enumerate(-np.diff(absolute, axis=1).T):
        checks.append((None if i else "links within 0.022 rad of the exact solution, so a hinge "
                       "between two within 0.044",
                       {"metric": f"joints.coordinate.hinge{i + 1}.0",
                        "reference": {"time": [round(float(t), 2) for t in rows[:, 0]],
                                      "value": [round(float(q), 10) for q in relative]},
                        "within": 0.044 if i else 0.022}))
    return checks


def rps3_checks(formulation):
    if formulation == "scalar":
        return [("3e3 to 5e4 times what individual leaves",
                 {"metric": "residual.primal.median", "above": 3e-4, "below": 1.5e-3})]
    checks = [(None, {"metric": "residual.primal.median", "below": 1e-7})]

    # First order: 1e-2 N at a step of 1 ms, 5e-2 N at 5 ms, once the start is over.
    drive = data("rps3_drive.json")
    times = np.arange(5, 201, 5) * 0.05
    checks.append(("force that drives the platform, against inverse dynamics",
                   {"metric": "joints.force.drive.z",
                    "reference": {"time": [round(float(t), 2) for t in times],
                                  "value": listed(np.round(drive[np.arange(5, 201, 5) % 80, 1],
                                                           9))},
                    "within": 5e-2}))
    if formulation == "corrected":
        checks += [("both residuals at round-off",
                    {"metric": "residual.primal.median", "below": 1e-15}),
                   (None, {"metric": "residual.constraint.median", "below": 1e-14})]
        poses = [make_rps3.platform_pose(*make_rps3.platform_motion(t)) for t in range(1, 11)]
        between = make_rps3.ROD_LENGTH + make_rps3.LOWER_ANCHOR - make_rps3.UPPER_ANCHOR
        for i in range(3):
            lengths = [make_rps3.leg(i, *pose)[0] - between for pose in poses]
            checks.append((None if i else "legs, against inverse kinematics",
                           {"metric": f"joints.coordinate.slide{i + 1}.0",
                            "reference": {"time": list(range(1, 11)), "value": listed(lengths)},
                            "within": 1e-13}))
    return checks


# ---- Text ------------------------------------------------------------------------------
def mechanism_text(mechanism):
    """The mechanism solved by block, without checks."""
    if mechanism == "rps3":
        return make_rps3.scene_text()
    text = (ROOT / "scenes/paper/triple_pendulum.json").read_text(encoding="utf-8")
    return re.sub(r',\n  "checks": \[\n.*\n  \]\n}\n$', "\n}\n", text, flags=re.DOTALL)


def checks_text(checks):
    lines = []
    for i, (comment, check) in enumerate(checks):
        lines += [f"    // {comment}"] if comment else []
        lines.append(f"    {json.dumps(check)}" + ("," if i < len(checks) - 1 else ""))
    return ',\n  "checks": [\n' + "\n".join(lines) + "\n  ]\n}\n"


def replaced(text, key, value):
    """The text with the first `"key": ...` at the top level, one line, given another value."""
    text, n = re.subn(rf'^  "{key}": .*,$', lambda _: f'  "{key}": {json.dumps(value)},', text,
                      count=1, flags=re.MULTILINE)
    assert n == 1, key
    return text


def scene_text(mechanism, formulation):
    text = mechanism_text(mechanism)
    if formulation != "block":
        description = re.search(r'"description": "(.*?)[,(]? ?\(?(Tobin.*?)\)"', text)
        head = (f"// {mechanism}.json, where the numbers chosen are explained, with\n"
                f"// {DESCRIPTIONS[formulation]}; written by scripts/make_paper_scenes.py.\n")
        text = head + re.sub(r"\A(//.*\n)+", "", text)
        text = replaced(text, "name", f"{mechanism}_{formulation}")
        text = replaced(text, "description", f"{description[1].strip()}: "
                        f"{DESCRIPTIONS[formulation]} ({description[2]})")
        text = replaced(text, "solver", {"method": "xpbd", **SOLVERS[formulation]})
    checks = {"triple_pendulum": pendulum_checks, "rps3": rps3_checks}[mechanism](formulation)
    assert text.endswith("\n}\n")
    return text[:-len("\n}\n")] + checks_text(checks)


def scenes():
    """Path and text of every scene."""
    for mechanism in MECHANISMS:
        for formulation in SOLVERS:
            name = mechanism if formulation == "block" else f"{mechanism}_{formulation}"
            yield ROOT / "scenes/paper" / f"{name}.json", scene_text(mechanism, formulation)


def main():
    argparse.ArgumentParser(description=__doc__,
                            formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for path, text in list(scenes()):
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
