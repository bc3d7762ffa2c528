#!/usr/bin/python3
"""Twist, writhe and least distance of a rod that winds around itself, from a result.

  link.py RESULT.h5 [ROD]    a line every tenth record: t, twist, writhe, their sum (turns),
                             least distance over the rod's thickness, contacts

The ends go on straight along the tangents that they have at the start, 1e5 m far, so that
link = twist + writhe (Calugareanu, White) is how far one end was turned against the other.
The centre line is a polygon with edges of at most an eighth of the rod's thickness:

  writhe  Wr = 1/(2 pi) sum over pairs of edges of the solid angle under which they see each other
          (exact for a polygon: Klenin, Langowski, Biopolymers 54, 2000)
  twist   Tw = 1/(2 pi) sum of the angles of d1 between edges, after parallel transport from one
          edge's direction to the next one's
  distance of points further apart than 2.5 thicknesses along the rod
"""
import json
import sys

import h5py
import numpy as np

FAR = 1e5              # m, length of the straight ends
NEIGHBOURS = 2.5       # thicknesses of arc in which points are neighbours
NODES = {"rigid_chain": 2, "linear": 2, "quadratic": 3, "cubic": 4}


# ---- Rotations as unit quaternions (w, x, y, z), on the last axis ----

def multiply(a, b):
    w, v, x, u = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([w * x - (v * u).sum(-1, keepdims=True),
                           w * u + x * v + np.cross(v, u)], axis=-1)


def logarithm(q):
    q = np.where(q[..., :1] < 0, -q, q)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    return 2 * np.arctan2(s, q[..., :1]) / np.where(s > 0, s, 1) * q[..., 1:]


def exponential(v):
    a = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(a / 2), 0.5 * np.sinc(a / (2 * np.pi)) * v], axis=-1)


def direction_1(q):
    """d1 = R (1, 0, 0)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)


# ---- A rod's elements ----

def lagrange(n, xi):
    """phi_j(xi) of n equispaced nodes: points x n."""
    at = np.linspace(0, 1, n)
    return np.stack([np.prod([(xi - at[k]) / (at[j] - at[k]) for k in range(n) if k != j], axis=0)
                     for j in range(n)], axis=-1)


def centre_line(position, orientation, n, pieces):
    """Points at the ends of `pieces` edges an element, d1 at the middle of each edge, as the
    elements of n nodes have them: p = sum phi_j p_j, R = R_ref Exp(sum phi_j Log(R_ref^T R_j)),
    R_ref the middle node or half-way between the two middle ones."""
    first = np.arange(0, len(position) - 1, n - 1)
    nodes = first[:, None] + np.arange(n)
    ends = lagrange(n, np.arange(pieces) / pieces)
    points = np.einsum("kj,ejc->ekc", ends, position[nodes]).reshape(-1, 3)
    q = orientation[nodes]
    a, b = q[:, (n - 1) // 2], q[:, n // 2]
    conjugate = np.array([1, -1, -1, -1])
    reference = multiply(a, exponential(0.5 * logarithm(multiply(a * conjugate, b))))[:, None]
    turn = logarithm(multiply(np.broadcast_to(reference * conjugate, q.shape), q))
    middles = lagrange(n, (np.arange(pieces) + 0.5) / pieces)
    turn = exponential(np.einsum("kj,ejc->ekc", middles, turn))
    d1 = direction_1(multiply(np.broadcast_to(reference, turn.shape), turn)).reshape(-1, 3)
    return np.concatenate([points, position[-1:]]), d1


def with_ends(points, d1, first, last, d1_first, d1_last):
    """The same with straight ends along the unit vectors first and last."""
    return (np.concatenate([[points[0] - FAR * first], points, [points[-1] + FAR * last]]),
            np.concatenate([[d1_first], d1, [d1_last]]))


# ---- Measures of a polygon ----

def solid_angle(a, b, c):
    """Signed, of the triangles of unit vectors a, b, c (van Oosterom, Strackee)."""
    return 2 * np.arctan2((a * np.cross(b, c)).sum(-1),
                          1 + (a * b).sum(-1) + (b * c).sum(-1) + (c * a).sum(-1))


def writhe(points):
    """Of an open polygon, turns: positive where strands cross as a right-handed screw does."""
    total = 0.0
    for i in range(len(points) - 3):
        to = points[i + 2:]
        r1, r2 = to - points[i], to - points[i + 1]
        r1 = r1 / np.linalg.norm(r1, axis=1)[:, None]
        r2 = r2 / np.linalg.norm(r2, axis=1)[:, None]
        a, b, c, d = r1[:-1], r1[1:], r2[1:], r2[:-1]
        total -= (solid_angle(a, b, c) + solid_angle(a, c, d)).sum()
    return total / (2 * np.pi)


def twist(points, d1):
    """Of the ribbon with d1 at the edges, turns; less than half a turn from edge to edge."""
    t = np.diff(points, axis=0)
    t = t / np.linalg.norm(t, axis=1)[:, None]
    d = d1 - (d1 * t).sum(1)[:, None] * t
    d = d / np.linalg.norm(d, axis=1)[:, None]
    t0, t1 = t[:-1], t[1:]
    # The smallest rotation that takes t0 to t1, applied to d: axis t0 x t1.
    axis, cosine = np.cross(t0, t1), (t0 * t1).sum(1)[:, None]
    moved = (cosine * d[:-1] + np.cross(axis, d[:-1]) +
             axis * (axis * d[:-1]).sum(1)[:, None] / (1 + cosine))
    return np.arctan2((np.cross(moved, d[1:]) * t1).sum(1), (moved * d[1:]).sum(1)).sum() / (
        2 * np.pi)


def distance(points, arc, apart):
    """Least distance between points and edges whose arcs are more than `apart` from each other."""
    least = np.inf
    p, e, e2 = points[:-1], np.diff(points, axis=0), (np.diff(points, axis=0)**2).sum(1)
    for i, point in enumerate(points):
        k = np.searchsorted(arc, arc[i] + apart, side="right")
        if k >= len(p):
            break
        x = np.clip(((point - p[k:]) * e[k:]).sum(1) / e2[k:], 0, 1)
        least = min(least, ((p[k:] + x[:, None] * e[k:] - point)**2).sum(1).min())
    return np.sqrt(least)


def measure(file, rod, discretization, thickness, every=1):
    """Of every so many records of an open result: t, twist, writhe, distance / thickness,
    contacts."""
    group, n = file[f"rods/{rod}"], NODES[discretization]
    arc = group["arc_length"][:]
    element = (arc[-1] - arc[0]) / ((len(arc) - 1) // (n - 1))
    pieces = max(8, int(np.ceil(8 * element / thickness)))
    edges = np.linspace(arc[0], arc[-1], pieces * ((len(arc) - 1) // (n - 1)) + 1)
    position, orientation = group["position"], group["orientation"]
    # Straight ends go along d3, which clamped ends keep.
    axes = [_direction_3(orientation[0, k]) for k in (0, -1)]
    rows = []
    for k in range(0, len(file["time"]), every):
        points, d1 = centre_line(position[k], orientation[k], n, pieces)
        ends = direction_1(orientation[k][[0, -1]])
        line, ribbon = with_ends(points, d1, *axes, *ends)
        contacts = file["contacts/count"][k] if "contacts/count" in file else 0
        rows.append((file["time"][k], twist(line, ribbon), writhe(line),
                     distance(points, edges, NEIGHBOURS * thickness) / thickness, contacts))
    return np.array(rows)


def _direction_3(q):
    w, x, y, z = q
    return np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


def _of_scene(file, rod):
    text = file["provenance/resolved"][()]
    for entry in json.loads(text)["rods"]:
        if entry["name"] == rod:
            radius = entry.get("contact_radius") or entry["section"]["radius"]
            return entry["discretization"], 2 * radius
    raise SystemExit(f"link.py: no rod '{rod}' in the scene of this result")


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    with h5py.File(sys.argv[1], "r") as file:
        rod = sys.argv[2] if len(sys.argv) > 2 else next(iter(
            name for name in file["rods"] if "position" in file["rods"][name]))
        print("     t     twist    writhe      link  distance  contacts")
        for t, tw, wr, gap, n in measure(file, rod, *_of_scene(file, rod), every=10):
            print(f"{t:6.2f} {tw:9.5f} {wr:9.5f} {tw + wr:9.5f}  {gap:8.5f}  {n:8.0f}")


if __name__ == "__main__":
    main()
