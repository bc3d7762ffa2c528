"""Rotations as unit quaternions (w, x, y, z) on the last axis; active, body to world."""
import numpy as np

CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a, b):
    w, v, x, u = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    return np.concatenate([w * x - (v * u).sum(-1, keepdims=True),
                           w * u + x * v + np.cross(v, u)], axis=-1)


def logarithm(q):
    """Rotation vector, at most pi long."""
    q = np.where(q[..., :1] < 0, -q, q)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    return 2 * np.arctan2(s, q[..., :1]) / np.where(s > 0, s, 1) * q[..., 1:]


def exponential(v):
    a = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cos(a / 2), 0.5 * np.sinc(a / (2 * np.pi)) * v], axis=-1)


def rotate(q, v):
    """R v."""
    w, u = q[..., :1], q[..., 1:]
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def direction(q, k):
    """d1, d2, d3 = R e_k for k = 0, 1, 2."""
    return rotate(q, np.eye(3)[k] * np.ones(q.shape[:-1] + (1,)))


def from_matrix(matrix):
    """By the largest of the four components (Shepperd)."""
    m = np.asarray(matrix, dtype=float)
    size = np.array([np.trace(m), m[0, 0], m[1, 1], m[2, 2]])
    k = int(np.argmax(size))
    if k == 0:
        q = np.array([1 + size[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        q = np.empty(4)
        q[0], q[k] = m[l, j] - m[j, l], 1 + m[i, i] - m[j, j] - m[l, l]
        q[1 + j], q[1 + l] = m[j, i] + m[i, j], m[l, i] + m[i, l]
    return q / np.linalg.norm(q)


def from_axis(axis):
    """A rotation that takes z to the axis."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    x = np.eye(3)[np.argmin(np.abs(z))]
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    return from_matrix(np.stack([x, np.cross(z, x), z], axis=1))


def from_scene(value):
    """Of one of the ways in which a scene gives an orientation, as the result stores it (angles in
    radians)."""
    if not value:
        return np.array([1.0, 0, 0, 0])
    if "quaternion" in value:
        q = np.array(value["quaternion"], dtype=float)
        return q / np.linalg.norm(q)
    if "matrix" in value:
        return from_matrix(value["matrix"])
    if "rotation_vector" in value:
        return exponential(np.array(value["rotation_vector"], dtype=float))
    axis = np.array(value["axis"], dtype=float)
    return exponential(axis / np.linalg.norm(axis) * value["angle"])
