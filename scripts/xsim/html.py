"""Writes one page to look at a result in a browser: bodies, rods, contacts, energy, residuals.

The page holds everything, program and numbers, and needs no network. The program (three.js and
scripts/viewer) is built once by `make viewer`. Records are thinned evenly where they are more than
--records, or than the page's size allows; the curves keep their extremes.
"""
import base64
import gzip
import html
import json
import os
import warnings
from pathlib import Path

import numpy as np

from . import scene as looks
from .errors import Problem
from .result import attribute

# Of `make viewer`, and of `make install`.
TEMPLATES = [Path(__file__).resolve().parents[2] / folder / "viewer/page.html" for folder in ("build", ".")]
RECORDS = 2000
MOST_BYTES = 24e6    # of what is shown over time, before it is packed
CURVE_POINTS = 1200  # of one curve
# What colours a rod: name, unit, whether it has a sign.
MEASURES = [("curvature", "1/m", False), ("twist", "rad/m", True), ("stretch", "1", True),
            ("shear", "1", False)]


def options(parser):
    parser.add_argument("-o", "--output", help="default: the result's name with .html")
    parser.add_argument("--records", type=int, metavar="N",
                        help=f"at most so many records (default: {RECORDS}, or what "
                        f"{MOST_BYTES / 1e6:.0f} MB hold)")


# ---- Numbers ----

class Store:
    """Arrays one behind the other in one block of bytes, each at a multiple of 8; the page finds them
    by their names in `index`: [type, offset, shape, scale]."""

    def __init__(self):
        self.parts, self.index, self.size = [], {}, 0

    def add(self, name, values, kind="f4", scale=1.0):
        values = np.ascontiguousarray(np.asarray(values) * scale if scale != 1 else values)
        data = values.round().astype("<i2") if kind == "i2" else values.astype("<" + kind)
        raw = data.tobytes() + b"\0" * (-data.nbytes % 8)
        self.index[name] = [kind, self.size, list(values.shape), scale]
        self.parts.append(raw)
        self.size += len(raw)

    def add_rotations(self, name, values):
        """To 3e-5, which is far below what a picture shows."""
        self.add(name, values, "i2", 32767.0)

    def packed(self):
        return base64.b64encode(gzip.compress(b"".join(self.parts), 6, mtime=0)).decode()


def chosen_records(run, most):
    """Indices of the records that are shown."""
    numbers = 7 * len(run.bodies)
    for rod in run.rods:
        if "position" in rod.fields():
            numbers += 7 * len(rod.arc_length) + 4 * len(rod.gauss_arc_length)
    if most is None:
        most = min(RECORDS, int(MOST_BYTES / (4 * numbers + 8)))
    if most < 2:
        raise Problem("--records has to be at least 2")
    count = min(most, len(run))
    return np.unique(np.linspace(0, len(run) - 1, count).round().astype(int))


def thinned(time, values):
    """A curve of at most CURVE_POINTS points: smallest and largest of each piece of the time."""
    pieces = CURVE_POINTS // 2
    if len(time) <= 2 * pieces:
        return time, values
    edges = np.linspace(0, len(time), pieces + 1).round().astype(int)
    t, v = [], []
    for a, b in zip(edges[:-1], edges[1:]):
        piece = values[a:b]
        if np.all(np.isnan(piece)):
            chosen = [a]
        else:
            chosen = sorted({a + int(np.nanargmin(piece)), a + int(np.nanargmax(piece))})
        t += list(time[chosen])
        v += list(values[chosen])
    return np.array(t), np.array(v)


# ---- What is shown ----

def bodies(run, store, records):
    if "position" not in run.bodies.fields():
        return []
    store.add("body.position", run.bodies.position[records])
    store.add_rotations("body.orientation", run.bodies.orientation[records])
    materials = run.scene.get("materials", {})
    return [{"name": body["name"], "fixed": bool(body.get("fixed")),
             "solids": looks.solids(body, materials)} for body in run.scene["bodies"]]


def rods(run, store, records):
    found = []
    for rod in run.rods:
        if "position" not in rod.fields():
            continue
        name = f"rod{len(found)}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            v, u = rod.strains()
        measures = {"curvature": np.hypot(u[..., 0], u[..., 1]), "twist": u[..., 2],
                    "stretch": v[..., 2] - 1, "shear": np.hypot(v[..., 0], v[..., 1])}
        store.add(f"{name}.position", rod.position[records])
        store.add_rotations(f"{name}.orientation", rod.orientation[records])
        for key, _, _ in MEASURES:
            store.add(f"{name}.{key}", measures[key][records])
        found.append({"name": rod.name, "nodes": rod.element_nodes, "elements": rod.n_elements,
                      "section": looks.section(rod.scene), "arc": rod.arc_length.tolist(),
                      "gauss": rod.gauss_arc_length.tolist(),
                      "discretization": rod.scene["discretization"]})
    return found


def joints(run):
    found = []
    for joint in run.scene.get("joints", []):
        place = looks.end_of_joint(joint, run)
        if place:
            kind, index, node, at, turn = place
            found.append({"name": joint["name"], "type": joint["type"], "on": kind, "index": index,
                          "node": node, "at": list(at), "turn": list(turn)})
    shown = [rod for rod in run.rods if "position" in rod.fields()]
    for index, rod in enumerate(shown):
        for end, node in (("start", 0), ("end", len(rod.arc_length) - 1)):
            held = rod.scene.get("ends", {}).get(end)
            if held in ("clamped", "pinned"):
                found.append({"name": f"{rod.name}-{end}", "on": "rod", "index": index, "node": node,
                              "type": "fixed" if held == "clamped" else "spherical",
                              "at": [0, 0, 0], "turn": [1, 0, 0, 0]})
    return found


def contacts(run, store, records):
    """Rows of the shown records, one behind the other; forces on side 1, or on side 2 where side 1 is
    a body that never moves."""
    if "contacts/count" not in run.file or not run.n_contacts().any():
        return False
    first, count = run.array("contacts/first")[records], run.n_contacts()[records]
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(first, count)]).astype(int)
    store.add("contact.first", np.concatenate([[0], np.cumsum(count)]), "i4")
    pair, force = run.array("contacts/pair")[rows], run.array("contacts/force")[rows]
    fixed = np.array([body.get("fixed", False) for body in run.scene["bodies"]] + [False])
    at_rest = (pair[:, 0] == 0) & fixed[np.where(pair[:, 0] == 0, pair[:, 1], -1)]
    store.add("contact.point", run.array("contacts/point")[rows])
    store.add("contact.force", np.where(at_rest[:, None], -force, force))
    return True


def curves(run, store):
    """[{title, unit, log, series: [{label, name of t and of v in the store}]}]"""
    found = []
    wanted = [("Energy", "J", False, [(part, f"energy/{part}") for part in
                                      ("total", "kinetic", "gravity", "elastic")]),
              ("Residuals", "", True, [
                  ("constraint", "residual/constraint"), ("primal", "residual/primal"),
                  ("relative", "residual/primal_relative")]),
              ("Contacts", "", False, [("count", "contacts/count")])]
    for title, unit, log, series in wanted:
        shown = []
        for label, path in series:
            values = run.array(path).astype(float) if path in run.file else np.zeros(0)
            # A part that is never there (gravity of a scene without it) is not a curve.
            if not np.any(values[np.isfinite(values)]):
                continue
            name = f"curve{len(found)}.{label}"
            t, v = thinned(run.time, values)
            store.add(name + ".t", t, "f8")
            store.add(name + ".v", v, "f8")
            shown.append({"label": label, "title": path.rsplit("/", 1)[-1].replace("_", " "), "name": name,
                          "unit": attribute(run.dataset(path), "units").replace("1", "")
                          if unit == "" else unit})
        if shown:
            found.append({"title": title, "unit": unit, "log": log, "series": shown})
    return found


def extent(run, entries, records):
    """Corners of the box that all that moves is in; where nothing does, all but planes."""
    places = []
    moves = any(not body["fixed"] for body in entries) or any(
        "position" in rod.fields() for rod in run.rods)
    for i, body in enumerate(entries):
        if body["fixed"] and moves:
            continue
        solid = [s for s in body["solids"] if s["type"] != "plane"]
        reach = max((np.linalg.norm(s["position"]) + size(s) for s in solid), default=0)
        if solid or not body["solids"]:
            place = run.bodies.position[records, i]
            places += [place - reach, place + reach]
    for rod in run.rods:
        if "position" in rod.fields():
            places.append(rod.position[records].reshape(-1, 3))
    if not places:
        raise Problem(f"{run.path}: has neither bodies nor rods to show; output.fields of the scene "
                      f"say what is recorded")
    places = np.concatenate(places)
    places = places[np.all(np.isfinite(places), axis=1)]
    return [places.min(axis=0).tolist(), places.max(axis=0).tolist()]


def size(solid):
    """Radius of a ball about its place that it is in."""
    if solid["type"] == "box":
        return float(np.linalg.norm(solid["half_extents"]))
    if solid["type"] == "torus":
        return solid["major_radius"] + solid["minor_radius"]
    return float(np.hypot(solid["radius"], solid.get("half_length", 0))
                 if solid["type"] == "cylinder" else
                 solid["radius"] + solid.get("half_length", 0))


def facts(run):
    """[label, words] of what the run was."""
    scene = run.scene
    solver = scene.get("solver", {})
    found = [["Status", run.status], ["Records", str(len(run))]]
    if "time" in scene:
        found.append(["Step", f"{scene['time']['step']:g} s"])
    if solver:
        found.append(["Solver", ", ".join(str(solver[key]) for key in
                                          ("integrator", "solve", "constraints") if key in solver)])
    found.append(["Program", f"xsim {run.version}"])
    commit = attribute(run.file, "git_commit")
    if commit:
        found.append(["Commit", commit[:12]])
    return found


def page_data(run, most=None):
    """The page's description and numbers: (dictionary, Store)."""
    store, records = Store(), chosen_records(run, most)
    store.add("time", run.time[records], "f8")
    entries = bodies(run, store, records)
    data = {"name": run.scene.get("name") or Path(run.path).stem,
            "description": run.scene.get("description", ""),
            "file": Path(run.path).name, "facts": facts(run), "records": len(run),
            "gravity": run.scene.get("gravity", [0, 0, 0]),
            "bodies": entries, "rods": rods(run, store, records), "joints": joints(run),
            "contacts": contacts(run, store, records), "curves": curves(run, store),
            "measures": [{"name": n, "unit": u, "signed": s} for n, u, s in MEASURES],
            "extent": extent(run, entries, records)}
    data["arrays"] = store.index
    return data, store


def run(result, arguments):
    template = Path(os.environ.get("XSIM_VIEWER") or
                    next((path for path in TEMPLATES if path.is_file()), TEMPLATES[0]))
    if not template.is_file():
        raise Problem(f"{template}: the page's program is not built; in xsim's sources 'make viewer' "
                      f"builds it (needs npm) and 'make install' installs it, or XSIM_VIEWER names it")
    output = Path(arguments.output or result.beside(".html"))
    data, store = page_data(result, arguments.records)
    # "</script>" in a name would end the element that the text stands in.
    described = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    text = template.read_text(encoding="utf-8")
    for mark, words in (("@TITLE@", html.escape(data["name"])), ("@DESCRIPTION@", described),
                        ("@NUMBERS@", store.packed())):
        if text.count(mark) != 1:
            raise Problem(f"{template}: is not the page that `make viewer` builds (no {mark})")
        text = text.replace(mark, words)
    output.write_text(text, encoding="utf-8")
    return [output]
