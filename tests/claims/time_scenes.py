"""The scenes of scenes/time against their references in tests/data/time (minimal coordinates,
tests/reference/time_references.py): what the tests of the integrators and scripts/accuracy.py
measure."""
import json
import os

import numpy as np

from simulate import data_path, run


def reference(name):
    with open(data_path(os.path.join("time", name + ".json")), encoding="utf-8") as stream:
        r = json.load(stream)
    return {**r, **{k: np.array(r[k]) for k in ("time", "orientation", "force")}}


def simulate(name, step, *overrides, until=None, integrator="rattle"):
    """The result of a scene; recorded where the reference has its times."""
    times = reference(name)["time"]
    until = times[-1] if until is None else until
    every = int(round(times[1] / step))
    solver = '{"integrator": "%s"}' % integrator
    if integrator == "euler":
        solver = '{"solve": "global"}'
    return run(f"time/{name}", f"time.step={step!r}", f"time.duration={until}",
               f"output.every={every}", f"solver={solver}", *overrides)


def attitude_errors(result, name):
    """Angle between simulated and exact orientation, rad, largest over bodies: T."""
    exact = reference(name)["orientation"]
    q = result["bodies/orientation"][:]
    exact = exact[:len(q)]
    # 2 arcsin of the vector part: arccos would lose half the digits near 0
    w, v = exact[..., :1], -exact[..., 1:]
    part = w * q[..., 1:] + q[..., :1] * v + np.cross(v, q[..., 1:])
    return 2 * np.arcsin(np.clip(np.linalg.norm(part, axis=-1), 0, 1)).max(axis=1)


def attitude_error(result, name, at):
    """At a time: the largest until then would be the same within a swing."""
    times = result["time"][:]
    return attitude_errors(result, name)[int(np.argmin(np.abs(times - at)))]


def force_error(result, name, after=0.0, until=np.inf):
    """Largest deviation of the joints' forces, N, over after < t <= until."""
    r = reference(name)
    names = [n.decode() for n in result["joints/name"][:]] if "joints/name" in result else None
    force = result["joints/force"][:]
    columns = range(len(r["joints"])) if names is None else [names.index(j) for j in r["joints"]]
    times = result["time"][:]
    some = (times > after) & (times <= until + 1e-9)
    exact = r["force"][:len(times)]
    return np.linalg.norm(force[:, list(columns)] - exact, axis=-1)[some].max()


def order(errors, ratio=2.0):
    """log of the ratio of errors at steps that differ by `ratio`."""
    return np.log(errors[0] / errors[1]) / np.log(ratio)
