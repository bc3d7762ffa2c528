"""Shaded pictures of rods and bodies, orthographic: facets sorted from back to front.

A solid is (facets N x 4 x 3, colour): tube, box, revolved (spheres, cylinders, capsules, pins).
Facets that face away are left out; the others are shaded by two lights from the viewer's side.
Small facets hide each other well enough; large ones (floors, walls) are drawn first, apart.
"""
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb

LIGHT = np.array([-0.45, 0.6, 0.66])  # in the viewer's axes: right, up, to the viewer
FILL = np.array([0.7, -0.1, 0.7])


def rotation(quaternion):
    """R of w, x, y, z."""
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def view(azimuth, elevation):
    """Right, up and towards the viewer, as rows; degrees."""
    a, e = np.deg2rad(azimuth), np.deg2rad(elevation)
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0])
    return np.array([right, np.cross(towards, right), towards])


def _facets(grid):
    """Quadrilaterals of a grid of points m x n x 3."""
    return np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]],
                    axis=2).reshape(-1, 4, 3)


def tube(points, radius, color, sides=14):
    """Around a polygon, with frames moved along it without twist, and round ends."""
    t = np.gradient(points, axis=0)
    t /= np.linalg.norm(t, axis=1)[:, None]
    u = np.cross(t[0], np.eye(3)[np.argmin(np.abs(t[0]))])
    frames = []
    for tangent in t:
        u = u - (u @ tangent) * tangent
        u = u / np.linalg.norm(u)
        frames.append((u, np.cross(tangent, u)))
    phi = np.linspace(0, 2 * np.pi, sides + 1)
    round_ = np.array([np.outer(np.cos(phi), u) + np.outer(np.sin(phi), v) for u, v in frames])
    grid = points[:, None] + radius * round_
    caps = []
    for end, sign in ((0, -1), (-1, 1)):
        turn = np.linspace(0, np.pi / 2, 4)[::sign]
        caps.append(points[end] + radius * (np.cos(turn)[:, None, None] * round_[end] +
                                            sign * np.sin(turn)[:, None, None] * t[end]))
    return _facets(np.concatenate([caps[0][:-1], grid, caps[1][1:]])), color


def revolved(profile, place, R, color, sides=28):
    """(radius, z) turned about z, z growing; at `place`, turned by R."""
    phi = np.linspace(0, 2 * np.pi, sides + 1)
    r, z = np.asarray(profile, float).T
    grid = np.stack([r[:, None] * np.cos(phi), r[:, None] * np.sin(phi),
                     np.broadcast_to(z[:, None], (len(z), len(phi)))], axis=-1)
    return _facets(grid.transpose(1, 0, 2)[::-1]) @ R.T + place, color


def sphere(radius, place, color):
    a = np.linspace(-np.pi / 2, np.pi / 2, 15)
    return revolved(np.column_stack([radius * np.cos(a), radius * np.sin(a)]), place, np.eye(3),
                    color)


def cylinder(radius, half, place, R, color):
    return revolved([(0, -half), (radius, -half), (radius, half), (0, half)], place, R, color)


def capsule(radius, half, place, R, color):
    a = np.linspace(0, np.pi / 2, 7)
    top = np.column_stack([radius * np.cos(a), half + radius * np.sin(a)])
    return revolved(np.concatenate([top[::-1] * [1, -1], top]), place, R, color)


def torus(major, minor, place, R, color, sides=36):
    phi, a = np.linspace(0, 2 * np.pi, sides + 1), np.linspace(0, 2 * np.pi, 15)
    r, z = major + minor * np.cos(a), minor * np.sin(a)
    grid = np.stack([np.outer(np.cos(phi), r), np.outer(np.sin(phi), r),
                     np.broadcast_to(z, (len(phi), len(z)))], axis=-1)
    return _facets(grid) @ R.T + place, color


def box(half, place, R, color, pieces=6):
    """Each side in pieces x pieces facets."""
    s = np.linspace(-1, 1, pieces + 1)
    a, b = np.meshgrid(s, s, indexing="ij")
    sides = []
    for axis in range(3):
        for sign in (-1, 1):
            grid = np.empty((*a.shape, 3))
            grid[..., axis] = sign
            grid[..., (axis + 1) % 3], grid[..., (axis + 2) % 3] = (a, b) if sign > 0 else (b, a)
            sides.append(_facets(grid))
    return np.concatenate(sides) * half @ R.T + place, color


def draw(axes, solids, right_up_towards, flat=()):
    """`flat`: (corners, colour) of polygons behind everything. Returns the picture's bounds."""
    V = right_up_towards
    for corners, color in flat:
        axes.fill(*(np.asarray(corners) @ V[:2].T).T, color=color, linewidth=0, zorder=0)
    facets = np.concatenate([facets for facets, _ in solids]) @ V.T
    base = np.concatenate([np.broadcast_to(to_rgb(color), (len(facets), 3))
                           for facets, color in solids])
    normal = np.cross(facets[:, 2] - facets[:, 0], facets[:, 3] - facets[:, 1])
    size = np.linalg.norm(normal, axis=1)
    seen = (size > 0) & (normal[:, 2] > 0)
    facets, base, normal = facets[seen], base[seen], normal[seen] / size[seen, None]
    light, fill = (v / np.linalg.norm(v) for v in (LIGHT, FILL))
    shade = 0.42 + 0.5 * np.clip(normal @ light, 0, 1) + 0.14 * np.clip(normal @ fill, 0, 1)
    half = light + [0, 0, 1]
    gloss = 0.28 * np.clip(normal @ (half / np.linalg.norm(half)), 0, 1)**24
    colors = np.clip(base * shade[:, None] + gloss[:, None], 0, 1)
    order = np.argsort(facets[:, :, 2].mean(axis=1))
    axes.add_collection(PolyCollection(facets[order][:, :, :2], facecolors=colors[order],
                                       edgecolors=colors[order], linewidths=0.25, zorder=1,
                                       rasterized=True))
    lo, hi = facets[:, :, :2].min(axis=(0, 1)), facets[:, :, :2].max(axis=(0, 1))
    axes.set_xlim(lo[0], hi[0])
    axes.set_ylim(lo[1], hi[1])
    axes.set_aspect("equal")
    axes.axis("off")
    return lo, hi
