"""Fig. 10: where a rod's element is deepest in a shape, and nearest to another element.

The paper's searches are written out here, from the nodes that xsim records, and drawn; xsim's own
(src/collide) say where their contact is by the recorded xi. Shapes and curves are ours.
"""
import json

import figure9
import numpy as np

from . import style
from .model import Outcome, verdict
from .style import plt

NAME, TITLE, SECTION = "fig10", "Fig. 10: collision detection by optimization over elements", "7.1"
REDUCED = False
CUBIC = [[-0.5, 0, 0.0], [-0.2, 0, 0.22], [0.18, 0, -0.16], [0.5, 0, 0.12]]
QUADRATIC = [[-0.42, 0, 0.62], [0.05, 0, 0.2], [0.5, 0, 0.5]]
CAPSULE = {"type": "capsule", "radius": 0.16, "half_length": 0.2, "position": [-0.1, 0, 0.48],
           "orientation": {"axis": [0, 1, 0], "angle": 0.5}}
SEEDS = 7          # on the element, before golden section
START = (0.12, 0.2)  # seed of the pair
GOLDEN = (np.sqrt(5) - 1) / 2
SAME = 1e-4        # of xi: xsim's contact and the search's end
DONE = 1e-7        # of xi: where the searches stop


def sweeps(lab):
    """One tiny step: its contacts are those of the start."""
    def rod(name, basis, points):
        return {"name": name, "discretization": basis, "elements": 1, "material": "soft",
                "shape": {"type": "curve", "points": points}, "section": {"radius": 0.02},
                "contact_radius": 0.11, "ends": {"start": "clamped"}}
    common = {"format": 1, "time": {"step": 1e-9, "duration": 1e-9}, "contact": {"enabled": True},
              "materials": {"soft": {"density": 1000, "youngs_modulus": 1e6, "poisson_ratio": 0.4}}}
    scenes = {
        "shape": {**common, "rods": [rod("a", "cubic", CUBIC)],
                  "bodies": [{"name": "obstacle", "fixed": True, "shapes": [CAPSULE]}]},
        "pair": {**common, "rods": [rod("a", "cubic", CUBIC), rod("b", "quadratic", QUADRATIC)]},
    }
    found = {}
    for name, scene in scenes.items():
        path = lab.folder / "runs" / f"fig10_{name}.json"
        text = json.dumps(scene, indent=1)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        found[name] = lab.sweep_of(f"fig10_{name}", path, {}, may_diverge=True)
    return found


# ---- The paper's searches --------------------------------------------------------------
def curve(nodes, xi):
    return figure9.curve(nodes, len(nodes) - 1, np.atleast_1d(xi))


def slope(nodes, xi, step=1e-6):
    a, b = max(0, xi - step), min(1, xi + step)
    return (curve(nodes, b)[0] - curve(nodes, a)[0]) / (b - a)


def psi(p):
    """Signed distance from the capsule's surface."""
    angle = CAPSULE["orientation"]["angle"]
    axis = np.array([np.sin(angle), 0, np.cos(angle)])
    q = p - CAPSULE["position"]
    along = np.clip(q @ axis, -CAPSULE["half_length"], CAPSULE["half_length"])
    return np.linalg.norm(q - along[..., None] * axis, axis=-1) - CAPSULE["radius"]


def golden_section(f, low, high):
    """Places tried, in order; the last is the minimum."""
    a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    fa, fb, tried = f(a), f(b), [a, b]
    while high - low > DONE:
        if fa < fb:
            high, b, fb = b, a, fa
            a = high - GOLDEN * (high - low)
            fa = f(a)
            tried.append(a)
        else:
            low, a, fa = a, b, fb
            b = low + GOLDEN * (high - low)
            fb = f(b)
            tried.append(b)
    return tried + [(low + high) / 2]


def nearest(one, two, start):
    """(J^T J + lambda I) dxi = -J^T r, within [0, 1]; all iterates."""
    xi, damping, path = np.array(start, float), 1e-3, [np.array(start, float)]
    for _ in range(200):
        r = curve(one, xi[0])[0] - curve(two, xi[1])[0]
        J = np.column_stack([slope(one, xi[0]), -slope(two, xi[1])])
        g = J.T @ r
        # Where the bound holds an end, it stays.
        free = ~(((xi <= 0) & (g > 0)) | ((xi >= 1) & (g < 0)))
        A = J.T @ J + damping * np.eye(2)
        step = np.zeros(2)
        if free.any():
            step[free] = np.linalg.solve(A[np.ix_(free, free)], -g[free])
        new = np.clip(xi + step, 0, 1)
        closer = np.linalg.norm(curve(one, new[0])[0] - curve(two, new[1])[0])
        if closer < np.linalg.norm(r):
            xi, damping = new, damping / 10
            path.append(xi)
        else:
            damping *= 10
        if np.abs(step).max() < DONE:
            break
    return np.array(path)


# ---- The figure ------------------------------------------------------------------------
def draw(nodes, seeds, tried, pair_nodes, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.PAGE, 2.9), layout="constrained")
    x, z = np.meshgrid(np.linspace(-0.6, 0.6, 181), np.linspace(-0.32, 0.82, 171))
    values = psi(np.stack([x, 0 * x, z], axis=-1))
    left.contourf(x, z, values, levels=[-1, 0], colors=["#cfd8e6"])
    lines = left.contour(x, z, values, levels=np.arange(-0.1, 0.6, 0.1), colors=style.GRAY,
                         linewidths=0.5)
    left.clabel(lines, fmt="%.1f", fontsize=6.5)
    s = np.linspace(0, 1, 200)
    left.plot(*curve(nodes, s)[:, [0, 2]].T, color=style.RED, linewidth=1.6)
    left.plot(*curve(nodes, seeds)[:, [0, 2]].T, "o", markerfacecolor="white",
              markeredgecolor=style.GRAY, markersize=5, label="seeds")
    left.plot(*curve(nodes, np.array(tried[:-1]))[:, [0, 2]].T, "o", markerfacecolor="none",
              markeredgecolor="k", markersize=5, markeredgewidth=0.7, label="golden section")
    left.plot(*curve(nodes, tried[-1])[:, [0, 2]].T, "*", color="c", markeredgecolor="k",
              markeredgewidth=0.4, markersize=11, label="deepest")
    for at, color in zip(pair_nodes, (style.RED, style.BLUE)):
        right.plot(*curve(at, s)[:, [0, 2]].T, color=color, linewidth=1.6)
    for k, (a, b) in enumerate(path):
        ends = np.array([curve(pair_nodes[0], a)[0], curve(pair_nodes[1], b)[0]])[:, [0, 2]]
        last = k == len(path) - 1
        right.plot(*ends.T, color=style.GRAY, linewidth=0.6, linestyle="-" if last else ":")
        right.plot(*ends.T, "*" if last else "o", markersize=11 if last else 5,
                   color="c" if last else "k", markerfacecolor="c" if last else "none",
                   markeredgecolor="k", markeredgewidth=0.4 if last else 0.7,
                   label="nearest" if last else "iterates" if k == 0 else None)
    left.set_title("Cubic element and signed distance")
    right.set_title("Cubic and quadratic element")
    for axes in (left, right):
        axes.set_aspect("equal")
        axes.set(xlim=(-0.6, 0.6), ylim=(-0.32, 0.82), xlabel="$x$ (m)")
        axes.legend(loc="lower left", ncol=3, columnspacing=0.8, handletextpad=0.2)
    left.set_ylabel("$z$ (m)")
    return figure


def first_contact_xi(case):
    """xi on both sides of the deepest contact."""
    return case["contacts/xi"][np.argmin(case["contacts/gap"])]


def evaluate(_lab, done):
    outcome = Outcome()
    (shape,), (pair,) = (done[name].wait().values() for name in ("shape", "pair"))
    nodes = shape["rods/a/position"][0]
    seeds = np.linspace(0, 1, SEEDS)
    depth = psi(curve(nodes, seeds))
    deepest = int(np.argmin(depth))
    tried = golden_section(lambda xi: psi(curve(nodes, xi))[0], seeds[max(0, deepest - 1)],
                           seeds[min(SEEDS - 1, deepest + 1)])
    dense = np.linspace(0, 1, 200001)
    sampled = dense[np.argmin(psi(curve(nodes, dense)))]
    of_xsim = max(first_contact_xi(shape))  # that of the side without a rod is below
    parameters = ("our shapes; the paper's searches as written in `scripts/paper/fig10_collision.py`, "
                  "xsim's contact from a run of one tiny step")
    outcome.claim(
        "7.1.1, Fig. 10", "The deepest penetrating of seed point is then refined with golden section "
        "search", f"ξ = {tried[-1]:.6f} after {len(tried)} evaluations; {len(dense)} samples: "
        f"{sampled:.6f}; xsim's contact: {of_xsim:.6f}",
        verdict(abs(tried[-1] - sampled) < SAME, abs(of_xsim - sampled) < SAME), parameters)

    pair_nodes = [pair[f"rods/{name}/position"][0] for name in "ab"]
    path = nearest(*pair_nodes, START)
    fine = np.linspace(0, 1, 2001)
    p, q = curve(pair_nodes[0], fine), curve(pair_nodes[1], fine)
    apart = np.array([np.min(((q - a)**2).sum(axis=1)) for a in p])
    a = int(np.argmin(apart))
    best = (fine[a], fine[np.argmin(((q - p[a])**2).sum(axis=1))])
    found = first_contact_xi(pair)
    outcome.claim(
        "7.1.2, Fig. 10", "Iterative optimization for collision detection between a cubic rod element "
        "(red) and a quadratic rod element (blue), for a specific pair of seed points.",
        f"from ξ = {START} to ({path[-1][0]:.5f}, {path[-1][1]:.5f}) in {len(path) - 1} accepted "
        f"steps; {len(fine)}² samples: ({best[0]:.4f}, {best[1]:.4f}); xsim's contact: "
        f"({found[0]:.5f}, {found[1]:.5f})",
        verdict(np.abs(path[-1] - best).max() < 1 / len(fine),
                np.abs(path[-1] - found).max() < SAME), parameters)
    outcome.figure("fig10", "Left: the deepest point of a cubic element in a shape's signed distance, "
                   "from the deepest seed by golden section. Right: the nearest points of a cubic and "
                   "a quadratic element by damped Gauss-Newton steps.",
                   draw(nodes, seeds, tried, pair_nodes, path))
    return outcome
