"""Twist, writhe and least distance of a polygon, and of a rod that winds around itself.

  writhe  Wr = 1/(2 pi) sum over pairs of edges of the solid angle under which they see each other
          (exact for a polygon: Klenin, Langowski, Biopolymers 54, 2000)
  twist   Tw = 1/(2 pi) sum of the angles of d1 between edges, after parallel transport from one
          edge's direction to the next one's
  distance of points further apart than 2.5 thicknesses along the rod

An open rod's ends go on straight along the tangents that they have at the start, 1e5 m far, so that
link = twist + writhe (Calugareanu, White) is how far one end was turned against the other. Its centre
line is a polygon with edges of at most an eighth of its thickness.
"""
import numpy as np

from . import element
from .rotation import direction

FAR = 1e5         # m, length of the straight ends
NEIGHBOURS = 2.5  # thicknesses of arc in which points are neighbours


def with_ends(points, d1, first, last, d1_first, d1_last):
    """The same with straight ends along the unit vectors first and last."""
    return (np.concatenate([[points[0] - FAR * first], points, [points[-1] + FAR * last]]),
            np.concatenate([[d1_first], d1, [d1_last]]))


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


def ribbon(position, orientation, n, pieces):
    """Points at the ends of `pieces` edges an element, d1 at the middle of each edge."""
    ends = element.points(position, n, np.arange(pieces) / pieces).reshape(-1, 3)
    middles = element.frames(orientation, n, (np.arange(pieces) + 0.5) / pieces)
    return np.concatenate([ends, position[-1:]]), direction(middles, 0).reshape(-1, 3)


def measure(rod, every=1):
    """Of every so many records of a rod (result.Rod): arrays of the records' indices, twist, writhe
    (turns), distance over the rod's thickness."""
    n, thickness = rod.element_nodes, 2 * rod.contact_radius
    arc, elements = rod.arc_length, rod.n_elements
    pieces = max(8, int(np.ceil(8 * (arc[-1] - arc[0]) / elements / thickness)))
    edges = np.linspace(arc[0], arc[-1], pieces * elements + 1)
    position, orientation = rod.position, rod.orientation
    # Straight ends go along d3, which clamped ends keep.
    axes = direction(orientation[0, [0, -1]], 2)
    rows = []
    for k in range(0, len(position), every):
        points, d1 = ribbon(position[k], orientation[k], n, pieces)
        line, band = with_ends(points, d1, *axes, *direction(orientation[k, [0, -1]], 0))
        rows.append((twist(line, band), writhe(line),
                     distance(points, edges, NEIGHBOURS * thickness) / thickness))
    return (np.arange(0, len(position), every), *np.array(rows).T)
