"""Plots a result: what moved, energy by part, residuals, paths of bodies, the rods over time.

  motion     joint coordinates; where none moves positions of bodies, and without bodies positions of
             the rods' last nodes; components that never leave zero are left out
  energy     kinetic, gravity, elastic, total
  residuals  primal and constraint, and the number of contacts
  paths      of the centres of mass, and of rods' ends, in the plane of the two world axes along which
             they reach farthest
  rods       centre lines at the first, some and the last records, in the plane chosen likewise

Titles and units come from the attributes of the datasets.
"""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (after the choice of a backend without a display)
import numpy as np  # noqa: E402

from .result import attribute  # noqa: E402

AXES = "xyz"
PANELS = ("motion", "energy", "residuals", "paths", "rods")
LINES_SHOWN = 12  # of one panel; more cannot be told apart
RODS_SHOWN = 4
CENTRELINES_SHOWN = 6  # of one rod


def options(parser):
    parser.add_argument("-o", "--output", help="default: the result's name with .png")
    parser.add_argument("--only", nargs="+", choices=PANELS, default=PANELS, metavar="PANEL",
                        help=f"which panels: {', '.join(PANELS)}")


def short_title(dataset, default):
    """The long name up to the colon behind which it goes into details."""
    return attribute(dataset, "long_name", default).split(":", 1)[0]


# ---- What each panel shows: (title, unit, [(label, values over time)]) or None ----

def vector_series(values, names):
    """Each component of T x entries x 3 that moves."""
    return [(f"{name}.{AXES[k]}", values[:, i, k]) for i, name in enumerate(names)
            for k in range(values.shape[2]) if np.any(values[:, i, k])]


def moved(run):
    if "coordinate" in run.joints.fields() and len(run.joints):
        # Only a joint with several coordinates needs the component behind its name.
        series = vector_series(run.joints.coordinate, run.joints.names)
        entries = [label.rsplit(".", 1)[0] for label, _ in series]
        series = [(label if entries.count(entry) > 1 else entry, values)
                  for entry, (label, values) in zip(entries, series)]
        if series:
            dataset = run.dataset("joints/coordinate")
            return short_title(dataset, "joint coordinate"), attribute(dataset, "units"), series
    if "position" in run.bodies.fields() and len(run.bodies):
        dataset = run.dataset("bodies/position")
        return (short_title(dataset, "position"), attribute(dataset, "units"),
                vector_series(run.bodies.position, run.bodies.names))
    tips = [(rod.name, rod.tip()) for rod in rods_of(run)]
    if tips:
        series = vector_series(np.stack([tip for _, tip in tips], axis=1),
                               [f"{name}.end" for name, _ in tips])
        return "positions of the rods' ends", "m", series
    return None


def rods_of(run):
    return [rod for rod in run.rods if "position" in rod.fields()]


def energies(run):
    series = [(part, run.array(f"energy/{part}")) for part in
              ("kinetic", "gravity", "elastic", "total") if f"energy/{part}" in run.file]
    return ("energy", "J", series) if series else None


def residuals(run):
    """The two have units of their own, which the legend keeps apart."""
    series = [(f"{name} [{run.units(f'residual/{name}')}]", run.array(f"residual/{name}"))
              for name in ("primal", "constraint") if f"residual/{name}" in run.file]
    return ("residuals", "", series) if series else None


def paths(run):
    """(label, T x 3) of what moves by more than a thousandth of the largest movement."""
    found = []
    if "position" in run.bodies.fields():
        found += [(name, run.bodies.position[:, i]) for i, name in enumerate(run.bodies.names)]
    found += [(f"{rod.name}.end", rod.tip()) for rod in rods_of(run)]
    reach = [np.ptp(place, axis=0).max() for _, place in found]
    return [entry for entry, far in zip(found, reach) if far > 1e-3 * max(reach)]


# ---- Drawing ----

def draw_series(axes, time, panel, log=False):
    title, unit, series = panel
    for label, values in series[:LINES_SHOWN]:
        # A logarithm shows neither zeros nor the NaN of a diverged step.
        axes.plot(time, np.where(values > 0, values, np.nan) if log else values, label=label,
                  linewidth=1)
    left_out = len(series) - LINES_SHOWN
    axes.set_title(title + (f" ({left_out} more not shown)" if left_out > 0 else ""))
    axes.set_ylabel(unit)
    axes.set_xlabel("time (s)")
    if log and any(np.any(values > 0) for _, values in series):
        axes.set_yscale("log")
    if series:
        axes.legend(loc="upper right", fontsize="small")
    axes.grid(True, alpha=0.3)


def draw_contacts(axes, run):
    """The number of contacts, on an axis of its own on the right."""
    count = run.n_contacts()
    if not count.any():
        return
    right = axes.twinx()
    right.fill_between(run.time, count, step="mid", color="tab:gray", alpha=0.25, linewidth=0)
    right.set_ylabel("contacts")
    right.set_ylim(0, 1.05 * count.max())


def widest(points):
    """The two axes along which points reach farthest, in order."""
    extent = np.nanmax(points, axis=0) - np.nanmin(points, axis=0)
    return sorted(np.argsort(-extent, kind="stable")[:2])


def finish_plane(axes, across, up, title):
    axes.set_title(title)
    axes.set_xlabel(f"{AXES[across]} (m)")
    axes.set_ylabel(f"{AXES[up]} (m)")
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend(loc="upper right", fontsize="small")
    axes.grid(True, alpha=0.3)


def draw_paths(axes, found):
    across, up = widest(np.concatenate([place for _, place in found]))
    for label, place in found[:LINES_SHOWN]:
        line, = axes.plot(place[:, across], place[:, up], linewidth=0.8, label=label)
        axes.plot(place[-1, across], place[-1, up], "o", color=line.get_color(), markersize=4)
    left_out = len(found) - LINES_SHOWN
    finish_plane(axes, across, up, "paths, a dot at the end" +
                 (f" ({left_out} more not shown)" if left_out > 0 else ""))


def draw_rod(axes, rod, time):
    """Centre lines at some records."""
    records = np.unique(np.linspace(0, len(time) - 1, CENTRELINES_SHOWN).round().astype(int))
    # Without its scene (a file of other origin) a rod is drawn from node to node.
    smooth = "arc_length" in rod.fields()
    lines = (rod.centre_line()[1] if smooth else rod.position)[records]
    across, up = widest(lines.reshape(-1, 3))
    for i, record in enumerate(records):
        shade = plt.get_cmap("viridis")(i / max(1, len(records) - 1))
        axes.plot(lines[i, :, across], lines[i, :, up], color=shade, linewidth=1,
                  label=f"t = {time[record]:.4g} s")
    finish_plane(axes, across, up, f"centreline of {rod.name}")


def drawers(run, only):
    """A function of the axes for each panel that the result has something for."""
    found = []

    def over_time(panel, **how):
        if panel:
            found.append(lambda axes: draw_series(axes, run.time, panel, **how))

    if "motion" in only:
        over_time(moved(run))
    if "energy" in only:
        over_time(energies(run))
    if "residuals" in only and residuals(run):
        def draw_residuals(axes):
            draw_series(axes, run.time, residuals(run), log=True)
            draw_contacts(axes, run)
        found.append(draw_residuals)
    if "paths" in only and paths(run):
        found.append(lambda axes: draw_paths(axes, paths(run)))
    if "rods" in only:
        found += [lambda axes, rod=rod: draw_rod(axes, rod, run.time)
                  for rod in rods_of(run)[:RODS_SHOWN]]
    return found


def run(result, arguments):
    output = arguments.output or result.beside(".png")
    found = drawers(result, arguments.only)
    n_rows = max(1, len(found))
    figure, grid = plt.subplots(n_rows, 1, squeeze=False, figsize=(9, 1 + 2.7 * n_rows),
                                layout="constrained")
    for axes, draw in zip(grid[:, 0], found):
        draw(axes)
    figure.suptitle(f"{result.path.rsplit('/', 1)[-1]}: {result.status}, xsim {result.version}")
    figure.savefig(output, dpi=130)
    plt.close(figure)
    return [output]
