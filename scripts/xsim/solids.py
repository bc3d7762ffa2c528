"""Solids of bodies (scene.py) as triangle meshes: vertices (V x 3, m), faces (F x 3), outward.

A plane is a square about its origin, as large as it is asked for; it has no end.
"""
import numpy as np

from .rotation import rotate

AROUND, ALONG = 24, 12  # vertices around an axis, and from pole to pole


def revolve(radius, z, around=AROUND):
    """The outline radius(z), from bottom to top, turned about z; ends of radius 0 are poles."""
    phi = 2 * np.pi * np.arange(around) / around
    ring = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    vertices = np.concatenate([
        np.stack([r * ring[:, 0], r * ring[:, 1], np.full(around, h)], axis=-1)
        for r, h in zip(radius, z)])
    return vertices, grid_faces(len(z), around, False)


def grid_faces(rows, columns, closed):
    """Triangles of rings of vertices; closed: the last ring joins the first."""
    i = np.arange(rows if closed else rows - 1)[:, None]
    j = np.arange(columns)[None]
    a, b = i * columns + j, i * columns + (j + 1) % columns
    c, d = (i + 1) % rows * columns + j, (i + 1) % rows * columns + (j + 1) % columns
    return np.concatenate([np.stack([a, b, d], axis=-1).reshape(-1, 3),
                           np.stack([a, d, c], axis=-1).reshape(-1, 3)])


def half_circle(radius, offset):
    """Outline of a sphere whose halves are moved apart by the offset."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, ALONG + 1)
    if offset > 0:
        angle = np.insert(angle, ALONG // 2, 0.0)
    z = radius * np.sin(angle)
    side = np.where(np.arange(len(angle)) < len(angle) / 2, -1, 1)
    return np.maximum(radius * np.cos(angle), 0), z + offset * side * (offset > 0)


def box(half):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return corners * half, np.array(faces)


def torus(major, minor):
    vertices = np.concatenate([
        np.stack([(major + minor * np.cos(u)) * np.cos(v), (major + minor * np.cos(u)) * np.sin(v),
                  np.full_like(v, minor * np.sin(u))], axis=-1)
        for u in 2 * np.pi * np.arange(ALONG) / ALONG
        for v in [2 * np.pi * np.arange(AROUND) / AROUND]])
    return vertices, grid_faces(ALONG, AROUND, True)


def mesh(solid, plane_size=1.0):
    """In the axes of the body's centre of mass."""
    kind = solid["type"]
    if kind == "sphere":
        vertices, faces = revolve(*half_circle(solid["radius"], 0))
    elif kind == "capsule":
        vertices, faces = revolve(*half_circle(solid["radius"], solid["half_length"]))
    elif kind == "cylinder":
        r, h = solid["radius"], solid["half_length"]
        vertices, faces = revolve([0, r, r, 0], [-h, -h, h, h])
    elif kind == "box":
        vertices, faces = box(solid["half_extents"])
    elif kind == "torus":
        vertices, faces = torus(solid["major_radius"], solid["minor_radius"])
    elif kind == "plane":
        vertices = plane_size / 2 * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]])
        faces = np.array([[0, 1, 2], [0, 2, 3]])
    else:
        raise ValueError(f"no mesh for a {kind}")
    turn = np.array(solid["orientation"], dtype=float)
    return rotate(turn, vertices) + np.array(solid["position"]), faces
