"""Centre lines of rods from recorded nodes, as the elements have them."""
import numpy as np
from xsim import element


def centre_line(position, discretization, pieces):
    """Points at the ends of `pieces` edges an element: polynomials of the nodes. A chain's bodies
    and linear elements are joined by straight lines."""
    n = element.NODES[discretization]
    first = np.arange(0, len(position) - 1, n - 1)
    nodes = position[first[:, None] + np.arange(n)]
    inner = np.einsum("kj,ejc->ekc", element.lagrange(n, np.arange(pieces) / pieces), nodes)
    return np.concatenate([inner.reshape(-1, 3), position[-1:]])


def kinks(position, discretization):
    """Angles (rad) between the tangents of neighbouring elements at the node that they share."""
    n = element.NODES[discretization]
    first = np.arange(0, len(position) - 1, n - 1)
    nodes = position[first[:, None] + np.arange(n)]
    step = 1e-6
    ends = element.lagrange(n, np.array([0, step, 1 - step, 1]))
    p = np.einsum("kj,ejc->ekc", ends, nodes)
    start, end = p[:, 1] - p[:, 0], p[:, 3] - p[:, 2]
    a, b = end[:-1], start[1:]
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1))
