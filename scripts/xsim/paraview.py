"""Writes what ParaView opens: OUT.xdmf, to be opened by its XDMF reader, and OUT_paraview.h5 beside it.

Each instant has the blocks
  bodies    surfaces of the solids; of a plane a square            body: its index
  centres   centres of mass                                        linear_velocity, angular_velocity
  rods      centre lines; Extract Surface and Tube thicken them    curvature, twist, stretch, shear, radius, rod
  contacts  points, in instants that have some                     force (on side 1), normal, gap

Surfaces and centre lines stand in OUT_paraview.h5 (single precision); the rest is read from the result
itself, which has to stay beside the two. Instants are thinned evenly where they are more than --records.
"""
from pathlib import Path
from xml.sax.saxutils import quoteattr

import h5py
import numpy as np

from . import scene as looks
from . import solids
from .errors import Problem
from .html import extent
from .rotation import rotate

RECORDS = 1000
PIECES = 8        # of an element's centre line
POLYLINE = 2      # XDMF's number for it in a mixed topology


def options(parser):
    parser.add_argument("-o", "--output", help="default: the result's name with .xdmf")
    parser.add_argument("--records", type=int, default=RECORDS, metavar="N",
                        help=f"at most so many instants ({RECORDS})")


# ---- Pieces of XML ----

def element(name, inside="", **attributes):
    words = "".join(f" {key}={quoteattr(str(value))}" for key, value in attributes.items())
    return f"<{name}{words}>{inside}</{name}>" if inside else f"<{name}{words}/>"


def numbers(dataset):
    """DataItem of a whole dataset."""
    kind = "Int" if dataset.dtype.kind in "iu" else "Float"
    place = f"{Path(dataset.file.filename).name}:{dataset.name}"
    return element("DataItem", place, Format="HDF", NumberType=kind, Precision=dataset.dtype.itemsize,
                   Dimensions=" ".join(map(str, dataset.shape)))


def rows(dataset, first, count):
    """DataItem of some rows of a dataset."""
    rest = dataset.shape[1:]
    chosen = [first, *[0] * len(rest), *[1] * (1 + len(rest)), count, *rest]
    choice = element("DataItem", " ".join(map(str, chosen)), Format="XML",
                     Dimensions=f"3 {1 + len(rest)}")
    # Of an instant the axis of time, which is 1 long, is left out.
    shape = rest if count == 1 and dataset.ndim > 2 else (count, *rest)
    return element("DataItem", choice + numbers(dataset), ItemType="HyperSlab",
                   Dimensions=" ".join(map(str, shape)))


def values(name, item, components, center="Node"):
    kind = {1: "Scalar", 3: "Vector"}[components]
    return element("Attribute", item, Name=name, AttributeType=kind, Center=center)


def grid(name, topology, geometry, attributes):
    return element("Grid", topology + element("Geometry", geometry, GeometryType="XYZ") +
                   "".join(attributes), Name=name, GridType="Uniform")


def points_only(count):
    return element("Topology", TopologyType="Polyvertex", NumberOfElements=count, NodesPerElement=1)


def by_instant(group, values_over_time):
    """A dataset an instant: of a geometry with cells the reader wants no choice of rows (it complains
    that it can keep nothing of it)."""
    return [group.create_dataset(f"points/{k:06d}", data=points)
            for k, points in enumerate(values_over_time)]


# ---- Blocks: a function of (place among the shown instants, record) that gives a grid ----

def body_blocks(run, records, store):
    if "position" not in run.bodies.fields():
        return
    position, orientation = run.bodies.position[records], run.bodies.orientation[records]
    materials = run.scene.get("materials", {})
    entries = [{"fixed": bool(body.get("fixed")), "solids": looks.solids(body, materials)}
               for body in run.scene["bodies"]]
    low, high = np.array(extent(run, entries, records))
    plane = 4 * np.linalg.norm(high - low)
    placed, faces, owner, count = [], [], [], 0
    for i, entry in enumerate(entries):
        for solid in entry["solids"]:
            vertices, triangles = solids.mesh(solid, plane)
            placed.append((rotate(orientation[:, i, None], vertices[None]) +
                           position[:, i, None]).astype("f4"))
            faces.append(triangles + count)
            owner.append(np.full(len(vertices), i))
            count += len(vertices)
    if count:
        group = store.create_group("bodies")
        points = by_instant(group, np.concatenate(placed, axis=1))
        group["triangles"] = np.concatenate(faces).astype("i4")
        group["body"] = np.concatenate(owner).astype("i4")
        topology = element("Topology", numbers(group["triangles"]), TopologyType="Triangle",
                           NumberOfElements=len(group["triangles"]))
        yield lambda k, _: grid("bodies", topology, numbers(points[k]),
                                [values("body", numbers(group["body"]), 1)])
    yield lambda _, record: grid(
        "centres", points_only(len(run.bodies)), rows(run.dataset("bodies/position"), record, 1),
        [values(name, rows(run.dataset(f"bodies/{name}"), record, 1), 3)
         for name in ("linear_velocity", "angular_velocity")])


def rod_blocks(run, records, store):
    rods = [rod for rod in run.rods if "position" in rod.fields()]
    if not rods:
        return
    columns = {name: [] for name in ("points", "curvature", "twist", "stretch", "shear", "radius",
                                     "rod")}
    topology, count = [], 0
    for rod in rods:
        arc, line = rod.centre_line(PIECES)
        v, u = rod.strains(arc)
        v, u, line = v[records], u[records], line[records]
        columns["points"].append(line)
        columns["curvature"].append(np.hypot(u[..., 0], u[..., 1]))
        columns["twist"].append(u[..., 2])
        columns["stretch"].append(v[..., 2] - 1)
        columns["shear"].append(np.hypot(v[..., 0], v[..., 1]))
        columns["radius"].append(np.full(len(arc), max(looks.section(rod.scene)["half"])))
        columns["rod"].append(np.full(len(arc), rod.index))
        topology += [POLYLINE, len(arc), *range(count, count + len(arc))]
        count += len(arc)
    group = store.create_group("rods")
    points = by_instant(group, np.concatenate(columns.pop("points"), axis=1).astype("f4"))
    for name, parts in columns.items():
        joined = np.concatenate(parts, axis=1 if name not in ("radius", "rod") else 0)
        group[name] = joined.astype("i4" if name == "rod" else "f4")
    group["topology"] = np.array(topology, dtype="i4")
    lines = element("Topology", numbers(group["topology"]), TopologyType="Mixed",
                    NumberOfElements=len(rods))
    yield lambda k, _: grid(
        "rods", lines, numbers(points[k]),
        [values(name, rows(group[name], k, 1), 1)
         for name in ("curvature", "twist", "stretch", "shear")] +
        [values(name, numbers(group[name]), 1) for name in ("radius", "rod")])


def contact_blocks(run, _records, _store):
    count = run.n_contacts()
    if not count.any():
        return
    first = run.array("contacts/first")

    def block(_, record):
        if count[record] == 0:
            return ""
        where = (int(first[record]), int(count[record]))
        return grid("contacts", points_only(count[record]),
                    rows(run.dataset("contacts/point"), *where),
                    [values(name, rows(run.dataset(f"contacts/{name}"), *where), size)
                     for name, size in (("force", 3), ("normal", 3), ("gap", 1))])
    yield block


def run(result, arguments):
    output = Path(arguments.output or result.beside(".xdmf"))
    beside = output.with_name(output.stem + "_paraview.h5")
    if output.resolve().parent != Path(result.path).resolve().parent:
        raise Problem(f"{output}: has to be in the folder of {result.path}, which it refers to")
    if arguments.records < 1:
        raise Problem("--records has to be at least 1")
    count = min(arguments.records, len(result))
    records = np.unique(np.linspace(0, len(result) - 1, count).round().astype(int))
    with h5py.File(beside, "w") as store:
        blocks = [block for make in (body_blocks, rod_blocks, contact_blocks)
                  for block in make(result, records, store)]
        if not blocks:
            raise Problem(f"{result.path}: has neither bodies nor rods to show; output.fields of the "
                          f"scene say what is recorded")
        instants = [element("Grid", element("Time", Value=repr(float(result.time[record]))) +
                            "".join(block(k, record) for block in blocks),
                            Name="instant", GridType="Collection", CollectionType="Spatial")
                    for k, record in enumerate(records)]
    text = element("Xdmf", element("Domain", element(
        "Grid", "\n".join(instants), Name=result.scene.get("name", "xsim"), GridType="Collection",
        CollectionType="Temporal")), Version="2.0")
    output.write_text(f'<?xml version="1.0" ?>\n{text}\n', encoding="utf-8")
    return [output, beside]
