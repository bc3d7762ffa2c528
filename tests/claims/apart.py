"""How far apart the things of a result are, by its poses alone: bodies' shapes as signed distances,
rods as tubes round their elements' curves. Nothing here is the program's own detection.

A solid of a body is a core with a radius: points of the world (a sphere's centre, a capsule's axis, a
cylinder's rims, a box's corners) sampled at each record. A gap is the least distance of one's
core from the other's surface, less the core's radius: not below the true one, and at most
sagitta and spacing of the samples above it.
"""
import json
from itertools import combinations

import numpy as np

SAMPLES = 16  # of an element, its end not counted
AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)


def rotate(q, x):
    """Vectors x (..., 3) by quaternions q (..., 4), broadcast."""
    w, v = q[..., :1], q[..., 1:]
    t = 2 * np.cross(v, x)
    return x + w * t + np.cross(v, t)


def conjugate(q):
    return q * [1, -1, -1, -1]


# ---- Shapes: in their own frames ----
def distance(shape, x):
    """Signed distance of points (..., 3) from a shape's surface."""
    kind = shape["type"]
    if kind == "sphere":
        return np.linalg.norm(x, axis=-1) - shape["radius"]
    if kind == "plane":
        return x[..., 2]
    if kind == "capsule":
        z = np.clip(x[..., 2], -shape["half_length"], shape["half_length"])
        return np.hypot(np.hypot(x[..., 0], x[..., 1]), x[..., 2] - z) - shape["radius"]
    if kind == "torus":
        ring = np.hypot(x[..., 0], x[..., 1]) - shape["major_radius"]
        return np.hypot(ring, x[..., 2]) - shape["minor_radius"]
    if kind == "cylinder":
        d = np.stack([np.hypot(x[..., 0], x[..., 1]) - shape["radius"],
                      np.abs(x[..., 2]) - shape["half_length"]], axis=-1)
    else:
        d = np.abs(x) - np.array(shape["half_extents"])
    return np.linalg.norm(np.maximum(d, 0), axis=-1) + np.minimum(d.max(axis=-1), 0)


def core(shape):
    """Points of the core, and its radius."""
    kind = shape["type"]
    if kind == "sphere":
        return np.zeros((1, 3)), shape["radius"]
    if kind == "capsule":
        z = np.linspace(-1, 1, 9) * shape["half_length"]
        return np.stack([0 * z, 0 * z, z], axis=1), shape["radius"]
    if kind == "cylinder":
        rim = shape["radius"] * np.stack([np.cos(AROUND), np.sin(AROUND), 0 * AROUND], axis=1)
        return np.concatenate([rim + [0, 0, z * shape["half_length"]] for z in (-1, 0, 1)]), 0.0
    if kind == "box":
        corners = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        return corners * shape["half_extents"], 0.0
    return None, 0.0  # torus, plane: seen from the other side


class Poses:
    """What stands where in a result: bodies' shapes (of unturned shapes only) and rods."""

    def __init__(self, result):
        text = result["provenance/scene"][()].decode()
        lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
        self.scene = json.loads("\n".join(lines))
        self.time = result["time"][:]
        names = [name.decode() for name in result["bodies/name"]]
        position, orientation = result["bodies/position"][:], result["bodies/orientation"][:]
        self.bodies, self.rods, self.radius = {}, {}, {}
        for body in self.scene["bodies"]:
            k = names.index(body["name"])
            origin = np.array(body.get("position", [0, 0, 0]), dtype=float)
            shift = rotate(conjugate(orientation[0, k]), position[0, k] - origin)
            assert all("orientation" not in shape for shape in body.get("shapes", []))
            self.bodies[body["name"]] = (position[:, k], orientation[:, k], shift,
                                         body.get("shapes", []))
        for rod in self.scene["rods"]:
            self.rods[rod["name"]] = curve(result[f"rods/{rod['name']}/position"][:],
                                           rod["discretization"])
            self.radius[rod["name"]] = rod["section"]["radius"]

    def into(self, name, shape, x, at=slice(None)):
        """Points (T, N, 3) of the world in the frame of a body's shape, at some records or all."""
        p, q, shift, _ = self.bodies[name]
        local = rotate(conjugate(q[at])[:, None], x[at] - p[at, None])
        return local + shift - np.array(shape.get("position", [0, 0, 0]))

    def core(self, name, shape):
        points, radius = core(shape)
        if points is None:
            return None, radius
        p, q, shift, _ = self.bodies[name]
        points = points + np.array(shape.get("position", [0, 0, 0])) - shift
        return p[:, None] + rotate(q[:, None], points[None]), radius

    def between_bodies(self, one, other):
        """Least gap of two bodies at each record."""
        least = np.full(len(self.time), np.inf)
        for a, b in ((one, other), (other, one)):
            for shape in self.bodies[a][3]:
                points, radius = self.core(a, shape)
                for solid in self.bodies[b][3] if points is not None else ():
                    gap = distance(solid, self.into(b, solid, points)).min(axis=1) - radius
                    least = np.minimum(least, gap)
        return least

    def between_rod_and_body(self, rod, body):
        least, x = np.full(len(self.time), np.inf), self.rods[rod]
        spacing = np.linalg.norm(np.diff(x[0, ::SAMPLES // 2], axis=0), axis=1).max()
        for shape in self.bodies[body][3]:
            local = self.into(body, shape, x[:, ::SAMPLES // 2])
            near = distance(shape, local).min(axis=1) < self.radius[rod] + spacing
            gap = np.full(len(self.time), np.inf)
            gap[near] = distance(shape, self.into(body, shape, x, near)).min(axis=1)
            least = np.minimum(least, gap - self.radius[rod])
        return least

    def between_rods(self, one, other):
        """Gap at each record; and whether they went through each other between two records."""
        a, b = self.rods[one], self.rods[other]
        least, apart = np.full(len(self.time), np.inf), self.radius[one] + self.radius[other]
        way, place = np.full((len(self.time), 3), np.nan), np.full((len(self.time), 2), np.nan)
        low = np.maximum(a.min(axis=1) - b.max(axis=1), b.min(axis=1) - a.max(axis=1)).max(axis=1)
        for t in np.nonzero(low < NEAR)[0]:
            separation = nearest(a[t], b[t])
            least[t] = np.linalg.norm(separation[0]) - apart
            if least[t] < NEAR:
                way[t], place[t] = separation
        turned = np.einsum("ti,ti->t", way[1:], way[:-1]) < 0
        moved = np.abs(np.diff(place, axis=0)).max(axis=1)
        return least, bool(np.any(turned & (moved < 2 * SAMPLES)))

    def deepest(self, skip=()):
        """(gap, one, other) of the pair that comes nearest; names of rods that went through
        each other. skip: pairs of names that are not looked at."""
        worst, through = (np.inf, None, None), []
        fixed = {body["name"] for body in self.scene["bodies"] if body.get("fixed")}
        for one, other in combinations(self.bodies, 2):
            if not {one, other} <= fixed and (one, other) not in skip:
                worst = min(worst, (self.between_bodies(one, other).min(), one, other))
        for rod in self.rods:
            for body in self.bodies:
                if (rod, body) not in skip:
                    worst = min(worst, (self.between_rod_and_body(rod, body).min(), rod, body))
        for one, other in combinations(self.rods, 2):
            gap, went = self.between_rods(one, other)
            worst = min(worst, (gap.min(), one, other))
            through += [(one, other)] if went else []
        return worst, through


NEAR = 0.03  # m: farther rods are not looked at


def curve(nodes, discretization):
    """Points (T, N, 3) of the elements' curves through the nodes."""
    degree = {"linear": 1, "quadratic": 2, "cubic": 3}[discretization]
    at = np.arange(degree + 1) / degree
    xi = np.arange(SAMPLES) / SAMPLES
    basis = np.stack([np.prod([(xi - at[m]) / (at[k] - at[m])
                               for m in range(degree + 1) if m != k], axis=0)
                      for k in range(degree + 1)])
    elements = (nodes.shape[1] - 1) // degree
    parts = [np.einsum("ks,tki->tsi", basis, nodes[:, degree * e:degree * (e + 1) + 1])
             for e in range(elements)]
    return np.concatenate([*parts, nodes[:, -1:]], axis=1)


def nearest(a, b):
    """Of two polylines: the shortest vector from b to a, where (in samples) it stands."""
    squared = (a**2).sum(1)[:, None] + (b**2).sum(1)[None] - 2 * a @ b.T
    i, j = np.unravel_index(np.argmin(squared), squared.shape)
    best = None
    for m in range(max(i - 1, 0), min(i + 1, len(a) - 1)):
        for n in range(max(j - 1, 0), min(j + 1, len(b) - 1)):
            r = between_segments(a[m], a[m + 1], b[n], b[n + 1])
            if best is None or r @ r < best @ best:
                best = r
    return best, (i, j)


def between_segments(a0, a1, b0, b1):
    u, v, r = a1 - a0, b1 - b0, a0 - b0
    uu, vv, uv = u @ u, v @ v, u @ v
    determinant = uu * vv - uv * uv
    s = np.clip((uv * (v @ r) - vv * (u @ r)) / determinant, 0, 1) if determinant > 0 else 0.5
    t = np.clip((v @ r + s * uv) / vv, 0, 1)
    s = np.clip((t * uv - u @ r) / uu, 0, 1)
    return r + s * u - t * v
