"""Says what a result holds: run, records, entries, energy, residuals, contacts."""
import warnings

import numpy as np

from .result import attribute

RODS_SHOWN = 12

def options(_parser):
    pass


def counted(names, most=8):
    """ "3: a, b, c" """
    shown = ", ".join(names[:most]) + (f", ... {names[-1]}" if len(names) > most else "")
    return f"{len(names)}" + (f": {shown}" if names else "")


def largest(run, path):
    """Largest of a residual with its time, or None."""
    if path not in run.file:
        return None
    values = run.array(path)
    if not np.any(np.isfinite(values)):
        return None
    k = int(np.nanargmax(values))
    return f"{values[k]:.3g} at t = {run.time[k]:.6g} s"


def lines(run):
    """(label, text) of each line."""
    scene, file = run.scene, run.file
    yield "result", f"{run.path}, {run.status or 'no status'}, xsim {run.version}"
    if scene.get("name"):
        yield "scene", scene["name"] + (f": {scene['description']}" if scene.get("description")
                                        else "")
    step = file.attrs.get("time_step")
    yield "time", (f"{len(run)} records, t = {run.time[0]:.6g} to {run.time[-1]:.6g} s"
                   + (f", step {step:.6g} s" if step else ""))
    solver = scene.get("solver")
    if solver:
        yield "solver", ", ".join(str(solver[key]) for key in (
            "integrator", "mode", "constraints", "solve", "rod_solve", "update") if key in solver)
    for label, entries in (("bodies", run.bodies), ("joints", run.joints), ("rods", run.rods)):
        yield label, counted(entries.names)
    if "energy/total" in file:
        total = run.energy.total
        drift, relative = run.energy_drift()
        yield "energy", (f"{total[0]:.9g} J at t = {run.time[0]:.6g}, {total[-1]:.9g} J at "
                         f"t = {run.time[-1]:.6g} s; largest drift {drift:.3g} J "
                         f"(relative: {relative:.3g})")
    for name in ("primal", "primal_relative", "constraint"):
        found = largest(run, f"residual/{name}")
        if found:
            yield name, f"at most {found}"
    if "contacts/count" in file:
        count = run.n_contacts()
        yield "contacts", f"{count.sum()} in all, at most {count.max()} at once"
    for rod in list(run.rods)[:RODS_SHOWN]:
        if "position" in rod.fields():
            tip = ", ".join(f"{x:.6g}" for x in rod.tip()[-1])
            yield rod.name, f"{len(rod.arc_length)} nodes, tip at the end ({tip}) m"
    groups = [name for name in file if name not in ("checkpoint", "provenance")]
    yield "datasets", ", ".join(sorted(groups))
    if attribute(file, "status") == "running":
        yield "note", "the run that writes this file has not ended, or was killed"


def run(result, _arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = list(lines(result))
    width = max(len(label) for label, _ in found)
    for label, words in found:
        print(f"{label:<{width}}  {words}")
