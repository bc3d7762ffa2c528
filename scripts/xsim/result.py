"""A result, opened: entries by name, datasets as arrays.

A record that a running or killed run has begun and not finished is left out: all arrays over time are
as long as /time says. Arrays are read when they are asked for. Names of fields are those in the file
(README, "Reading a result").
"""
import json
from pathlib import Path

import h5py
import numpy as np

from . import curve, element, scene
from .errors import Problem

# Axes behind the time of the datasets of a group, for labelled arrays.
COMPONENTS = {3: list("xyz"), 4: list("wxyz")}
ROD_ENERGY = ["shear", "stretch", "bend", "twist"]


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def attribute(dataset, name, default=""):
    return text(dataset.attrs.get(name, default))


class Group:
    """Datasets of one group as attributes: run.energy.total."""

    def __init__(self, run, path):
        self._run, self._path = run, path

    def fields(self):
        """Names of the datasets over time."""
        group = self._run.file.get(self._path, {})
        return [name for name, item in group.items()
                if isinstance(item, h5py.Dataset) and name not in ("name", "type")]

    def __getattr__(self, field):
        if field.startswith("_"):
            raise AttributeError(field)
        return self._run.array(f"{self._path}/{field}")


class Entry:
    """One body or joint: its part of each dataset of the group, T x components."""

    def __init__(self, group, index, name):
        self._group, self.index, self.name = group, index, name

    def __getattr__(self, field):
        if field.startswith("_"):
            raise AttributeError(field)
        return self._group._run.array(f"{self._group._path}/{field}", self.index)


class Named(Group):
    """Entries by name or index; the group's own attributes are the arrays of all of them."""

    def __init__(self, run, path):
        super().__init__(run, path)
        self.names = self._read_names()

    def _read_names(self):
        names = self._run.file.get(f"{self._path}/name")
        return [] if names is None else [text(name) for name in names[()]]

    def index(self, name):
        if isinstance(name, (int, np.integer)):
            return range(len(self.names))[name]
        if name not in self.names:
            raise Problem(f"{self._run.path}: {self._path}: no '{name}' ("
                          f"{', '.join(self.names) or 'there are none'})")
        return self.names.index(name)

    def _entry(self, index):
        return Entry(self, index, self.names[index])

    def __getitem__(self, name):
        return self._entry(self.index(name))

    def __iter__(self):
        return (self._entry(i) for i in range(len(self.names)))

    def __len__(self):
        return len(self.names)


class Rods(Named):
    def _read_names(self):
        # A file that was not written by xsim may have rods without the list.
        return super()._read_names() or [
            name for name, item in self._run.file.get("rods", {}).items()
            if isinstance(item, h5py.Group)]

    def _entry(self, index):
        return Rod(self._run, index, self.names[index])


class Rod(Group):
    """A rod: its nodes' and Gauss points' datasets, and what follows from them."""

    def __init__(self, run, index, name):
        super().__init__(run, f"rods/{name}")
        self.index, self.name = index, name

    @property
    def scene(self):
        """Its entry in the scene."""
        for entry in self._run.scene.get("rods", []):
            if entry["name"] == self.name:
                return entry
        raise Problem(f"{self._run.path}: the scene in /provenance/resolved has no rod "
                      f"'{self.name}'")

    @property
    def element_nodes(self):
        return element.NODES[self.scene["discretization"]]

    @property
    def n_elements(self):
        return (len(self.arc_length) - 1) // (self.element_nodes - 1)

    @property
    def contact_radius(self):
        given = self.scene
        return given.get("contact_radius") or scene.section(given)["half"][0]

    def tip(self):
        """Position of the last node, T x 3, m."""
        return self.position[:, -1]

    def centre_line(self, pieces=8):
        """Points of the elements' own curve, `pieces` an element: arc length, T x points x 3."""
        n, position = self.element_nodes, self.position
        inner = element.points(position, n, np.arange(pieces) / pieces)
        inner = inner.reshape(len(position), -1, 3)
        arc = self.arc_length
        return (np.linspace(arc[0], arc[-1], inner.shape[1] + 1),
                np.concatenate([inner, position[:, -1:]], axis=1))

    def strains(self, arc_length=None):
        """v (shear along d1 and d2, stretch: 0, 0, 1 when undeformed) and u (curvatures about d1 and
        d2, twist, 1/m; those at rest included), T x points x 3; at the Gauss points, or where asked."""
        at = self.gauss_arc_length if arc_length is None else np.asarray(arc_length, dtype=float)
        start, count = self.arc_length[0], self.n_elements
        length = (self.arc_length[-1] - start) / count
        index = np.clip(((at - start) / length).astype(int), 0, count - 1)
        return element.strains(self.position, self.orientation, self.element_nodes, length, index,
                               (at - start) / length - index)

    def curvature(self, arc_length=None):
        """|(u1, u2)|, T x points, 1/m."""
        return np.hypot(*np.moveaxis(self.strains(arc_length)[1][..., :2], -1, 0))

    def twist_rate(self, arc_length=None):
        """u3, T x points, rad/m."""
        return self.strains(arc_length)[1][..., 2]

    def link(self, every=1):
        """Of every so many records: indices of the records, twist and writhe (turns; their sum is
        the link), least distance of strands over the thickness (curve.py)."""
        return curve.measure(self, every)


class Result:
    """An open result; closes with a with statement. `source`: a path or an open h5py.File."""

    def __init__(self, source):
        self._owned = not isinstance(source, h5py.File)
        try:
            self.file = h5py.File(source, "r") if self._owned else source
        except OSError as error:
            raise Problem(f"{source}: cannot be read as HDF5: {error}") from None
        self.path = self.file.filename
        if "time" not in self.file:
            self.close()
            raise Problem(f"{source}: has no /time, so it is not a result of xsim")
        self.time = self.file["time"][()]
        self.bodies, self.joints = Named(self, "bodies"), Named(self, "joints")
        self.rods = Rods(self, "rods")
        self.energy, self.momentum = Group(self, "energy"), Group(self, "momentum")
        self.residual, self.timing = Group(self, "residual"), Group(self, "timing")
        self._scene = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._owned:
            self.file.close()

    def __len__(self):
        return len(self.time)

    def beside(self, suffix):
        """Path of a file beside the result: its name with another suffix."""
        path = Path(self.path)
        return (path.with_suffix("") if path.suffix == ".partial" else path).with_suffix(suffix)

    @property
    def status(self):
        return attribute(self.file, "status")

    @property
    def version(self):
        return attribute(self.file, "xsim_version")

    @property
    def scene(self):
        """All parameters of the run with defaults filled in, as dictionaries."""
        if self._scene is None:
            stored = self.file.get("provenance/resolved")
            self._scene = json.loads(stored[()]) if stored is not None else {}
        return self._scene

    def dataset(self, path):
        item = self.file.get(path)
        if not isinstance(item, h5py.Dataset):
            raise Problem(f"{self.path}: no dataset /{path}; output.fields of the scene say which "
                          f"groups are recorded, and h5dump -H lists the file")
        return item

    def array(self, path, entry=None):
        """A dataset as an array, or its entry of the second axis; over time as long as /time."""
        item = self.dataset(path)
        records = (slice(0, len(self)),) if self._is_over_time(path, item) else ()
        return item[records if entry is None else (*records, entry)]

    def _is_over_time(self, path, item):
        """Whether the first axis is time: not of names, arc lengths and the contacts' rows."""
        last = path.rsplit("/", 1)[-1]
        if last in ("name", "type", "arc_length", "gauss_arc_length"):
            return False
        if path.startswith("contacts/"):
            return last in ("first", "count")
        return not path.startswith(("provenance", "checkpoint")) and item.ndim > 0

    def units(self, path):
        return attribute(self.dataset(path), "units")

    def n_contacts(self):
        """Contacts of each record; zeros where none are recorded."""
        if "contacts/count" not in self.file:
            return np.zeros(len(self), dtype=int)
        return self.array("contacts/count")

    def contacts(self, record):
        """Of a record: {"pair", "point", "normal", "gap", "force", ...}, a row a contact."""
        if "contacts/count" not in self.file:
            return {}
        first = int(self.file["contacts/first"][record])
        last = first + int(self.file["contacts/count"][record])
        return {name: item[first:last] for name, item in self.file["contacts"].items()
                if name not in ("first", "count")}

    def energy_drift(self):
        """Largest |E - E(0)|, J, and that over the largest of |E(0)| and the recorded kinetic,
        gravity and elastic energies, as the summary of a run has it."""
        total = self.energy.total
        drift = np.nanmax(np.abs(total - total[0]))
        largest = np.nanmax([np.nanmax(np.abs(self.array(f"energy/{part}")))
                             for part in ("kinetic", "gravity", "elastic")] + [abs(total[0])])
        return drift, drift / largest if largest > 0 else 0.0

    def labelled(self, path):
        """A dataset as an xarray.DataArray: axes time, body, joint, rod, node, point, component."""
        try:
            import xarray  # pylint: disable=import-outside-toplevel
        except ImportError:
            raise Problem("labelled arrays need xarray: apt-get install python3-xarray") from None
        values, item = self.array(path), self.dataset(path)
        group, field = path.split("/")[0], path.rsplit("/", 1)[-1]
        dims, coords = [], {}
        if self._is_over_time(path, item):
            dims, coords = ["time"], {"time": self.time}
        for axis in range(len(dims), values.ndim):
            name, labels = self._axis(group, field, path, axis, values)
            dims.append(name)
            if labels is not None:
                coords[name] = labels
        return xarray.DataArray(values, dims=dims, coords=coords, name=field, attrs={
            "units": attribute(item, "units"), "long_name": attribute(item, "long_name")})

    def _axis(self, group, field, path, axis, values):
        """Name and labels of an axis behind the time."""
        size = values.shape[axis]
        if path.startswith("rods/") and path.count("/") == 2:
            if field == "energy":
                return "part", ROD_ENERGY
            at = "gauss_arc_length" if field.startswith(("gauss", "strain", "force", "moment")) \
                else "arc_length"
            if axis <= 1 and field not in ("arc_length", "gauss_arc_length"):
                return ("point" if at.startswith("gauss") else "node",
                        self.array(path.rsplit("/", 1)[0] + "/" + at))
            if field in ("arc_length", "gauss_arc_length"):
                return ("point" if field.startswith("gauss") else "node"), values
        elif axis <= 1 and group in ("bodies", "joints"):
            return {"bodies": "body", "joints": "joint"}[group], getattr(self, group).names
        elif path == "residual/joint":
            return "joint", self.joints.names
        elif path == "residual/rod":
            return "rod", self.rods.names
        elif group == "contacts" and axis == 0:
            return "contact", None
        return ("component", COMPONENTS.get(size)) if size in COMPONENTS else ("column", None)


def open_result(source):
    """Opens a result, or the .partial of a run that was killed or still runs."""
    return Result(source)
