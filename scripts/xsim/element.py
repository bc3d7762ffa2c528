"""The elements of a rod: its centre line, frames and strains between the nodes.

  p = sum phi_j p_j,  R = R_ref Exp(phi),  phi = sum phi_j Log(R_ref^T R_j)
  v = R^T p',  u = J_r(phi) phi'   (shear, shear, stretch; bending about d1, d2, twist)

phi_j: Lagrange polynomials of equispaced nodes; R_ref: the middle node, or half-way between the two
middle ones; J_r: the right Jacobian of SO(3). A rigid chain is drawn as linear elements. Leading axes
of positions (... x n x 3) and orientations (... x n x 4), time for instance, are kept.
"""
import numpy as np

from .rotation import CONJUGATE, exponential, logarithm, multiply, rotate

NODES = {"rigid_chain": 2, "linear": 2, "quadratic": 3, "cubic": 4}  # of an element


def lagrange(n, xi):
    """phi_j(xi) of n nodes on [0, 1]: points x n."""
    at = np.linspace(0, 1, n)
    return np.stack([np.prod([(xi - at[k]) / (at[j] - at[k]) for k in range(n) if k != j], axis=0)
                     for j in range(n)], axis=-1)


def lagrange_slope(n, xi):
    """d phi_j / d xi: points x n."""
    slopes = []
    for j in range(n):
        others = [k / (n - 1) for k in range(n) if k != j]
        polynomial = np.poly1d(others, r=True) / np.prod([j / (n - 1) - a for a in others])
        slopes.append(np.polyval(polynomial.deriv(), xi))
    return np.stack([s * np.ones_like(xi) for s in slopes], axis=-1)


def split(values, n):
    """... x nodes x 3 to ... x elements x n x 3."""
    first = np.arange(0, values.shape[-2] - 1, n - 1)
    return values[..., first[:, None] + np.arange(n), :]


def rotation_from_reference(orientation, n):
    """R_ref (... x elements x 1 x 4) and phi_j (... x elements x n x 3)."""
    q = split(orientation, n)
    a, b = q[..., (n - 1) // 2, :], q[..., n // 2, :]
    reference = multiply(a, exponential(0.5 * logarithm(multiply(a * CONJUGATE, b))))
    reference = reference[..., None, :]
    return reference, logarithm(multiply(np.broadcast_to(reference * CONJUGATE, q.shape), q))


def points(position, n, xi):
    """... x elements x points x 3."""
    return np.einsum("kj,...ejc->...ekc", lagrange(n, xi), split(position, n))


def frames(orientation, n, xi):
    """... x elements x points x 4."""
    reference, turn = rotation_from_reference(orientation, n)
    turn = exponential(np.einsum("kj,...ejc->...ekc", lagrange(n, xi), turn))
    return multiply(np.broadcast_to(reference, turn.shape), turn)


def right_jacobian(phi, a):
    """J_r(phi) a = a - (1 - cos t)/t^2 phi x a + (t - sin t)/t^3 phi x (phi x a), t = |phi|."""
    t = np.linalg.norm(phi, axis=-1, keepdims=True)
    half = np.sinc(t / (2 * np.pi))
    # (t - sin t)/t^3 loses its digits where t is small; its series does not.
    cubic = np.where(t < 0.1, 1 / 6 - t**2 / 120 + t**4 / 5040,
                     (t - np.sin(t)) / np.where(t > 0, t, 1)**3)
    once = np.cross(phi, a)
    return a - 0.5 * half**2 * once + cubic * np.cross(phi, once)


def strains(position, orientation, n, length, element, xi):
    """v and u (... x points x 3) at xi[k] of element[k]; length: of an element at rest, m."""
    shape, slope = lagrange(n, xi), lagrange_slope(n, xi) / length
    reference, turn = rotation_from_reference(orientation, n)
    turn, reference = turn[..., element, :, :], reference[..., element, 0, :]
    phi = np.einsum("kj,...kjc->...kc", shape, turn)
    phi_s = np.einsum("kj,...kjc->...kc", slope, turn)
    p_s = np.einsum("kj,...kjc->...kc", slope, split(position, n)[..., element, :, :])
    q = multiply(reference, exponential(phi))
    return rotate(q * CONJUGATE, p_s), right_jacobian(phi, phi_s)
