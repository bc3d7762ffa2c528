#!/usr/bin/env python3
"""Plots a result: what moved, energy by part, residuals over time, and the rods' centrelines.

  plot.py RESULT.h5 [-o PLOT.png]      default: the result's name with .png

The first panel shows joint coordinates; where none moves positions of bodies, and without
bodies positions of the rods' last nodes. Components that never leave zero are left out.
Centrelines are drawn at the first, some and the last records, in the plane of the two world
axes along which the rod reaches farthest. Titles and units come from the attributes of the
datasets.
"""
import argparse
import sys
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend without a display)
import numpy as np  # noqa: E402

AXES = "xyz"
LINES_SHOWN = 12  # of one panel; more cannot be told apart
RODS_SHOWN = 4
CENTRELINES_SHOWN = 6  # of one rod


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def attribute(dataset, name, default=""):
    return text(dataset.attrs.get(name, default))


def names_of(group):
    return [text(name) for name in group["name"][()]]


def vector_series(dataset, names):
    """(label, values over time) of each component of a T x entries x 3 dataset that moves."""
    values = dataset[()]
    return [(f"{name}.{AXES[k]}", values[:, i, k]) for i, name in enumerate(names)
            for k in range(values.shape[2]) if np.any(values[:, i, k])]


def moved(file):
    """Title, unit and series of the first panel."""
    if "joints/coordinate" in file and file["joints/coordinate"].shape[1]:
        dataset = file["joints/coordinate"]
        # Only a joint with several coordinates needs the component behind its name.
        series = vector_series(dataset, names_of(file["joints"]))
        entries = [label.rsplit(".", 1)[0] for label, _ in series]
        series = [(label if entries.count(entry) > 1 else entry, values)
                  for entry, (label, values) in zip(entries, series)]
        if series:
            return attribute(dataset, "long_name", "joint coordinate"), dataset, series
    if "bodies/position" in file and file["bodies/position"].shape[1]:
        dataset = file["bodies/position"]
        return (attribute(dataset, "long_name", "position"), dataset,
                vector_series(dataset, names_of(file["bodies"])))
    rods = rods_of(file)
    if rods:
        series = [(f"{name}.end.{AXES[k]}", position[:, -1, k]) for name, position in rods
                  for k in range(3) if np.any(position[:, -1, k])]
        return "positions of the rods' ends", rods[0][1], series
    return None


def rods_of(file):
    """(name, dataset of nodes' positions) of each rod."""
    return [(name, group["position"]) for name, group in file.get("rods", {}).items()
            if "position" in group]


def draw_centrelines(axes, name, position, time):
    """Centrelines of a rod at the first, some and the last records."""
    records = np.unique(np.linspace(0, len(time) - 1, CENTRELINES_SHOWN).round().astype(int))
    lines = position[records, :, :]
    extent = np.nanmax(lines, axis=(0, 1)) - np.nanmin(lines, axis=(0, 1))
    across, up = sorted(np.argsort(-extent, kind="stable")[:2])
    for i, record in enumerate(records):
        shade = plt.get_cmap("viridis")(i / max(1, len(records) - 1))
        axes.plot(lines[i, :, across], lines[i, :, up], color=shade, linewidth=1,
                  label=f"t = {time[record]:.4g} s")
    unit = attribute(position, "units", "m")
    axes.set_title(f"centreline of {name}")
    axes.set_xlabel(f"{AXES[across]} ({unit})")
    axes.set_ylabel(f"{AXES[up]} ({unit})")
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend(loc="upper right", fontsize="small")
    axes.grid(True, alpha=0.3)


def group_series(file, names):
    """(label, values) of those datasets /names that exist; label = last part of the name."""
    return [(name.rsplit("/", 1)[-1], file[name][()]) for name in names if name in file]


def draw(axes, time, series, title, unit, log=False):
    for label, values in series[:LINES_SHOWN]:
        # A logarithm shows neither zeros nor the NaN of a diverged step.
        axes.plot(time, np.where(values > 0, values, np.nan) if log else values, label=label,
                  linewidth=1)
    left_out = len(series) - LINES_SHOWN
    axes.set_title(title + (f" ({left_out} more not shown)" if left_out > 0 else ""))
    axes.set_ylabel(unit)
    if log and any(np.any(values > 0) for _, values in series):
        axes.set_yscale("log")
    if series:
        axes.legend(loc="upper right", fontsize="small")
    axes.grid(True, alpha=0.3)


def panels(file):
    """(title, unit, series, logarithmic) of each panel the result has something for."""
    found = []
    first = moved(file)
    if first:
        title, dataset, series = first
        found.append((title, attribute(dataset, "units"), series, False))
    energy = group_series(file, [f"energy/{part}" for part in
                                 ("kinetic", "gravity", "elastic", "total")])
    if energy:
        found.append(("energy", attribute(file["energy/total"], "units", "J"), energy, False))
    residual = group_series(file, ["residual/primal", "residual/constraint"])
    if residual:
        # The two have units of their own, which the legend keeps apart.
        residual = [(f"{label} [{attribute(file['residual/' + label], 'units')}]", values)
                    for label, values in residual]
        found.append(("residuals", "", residual, True))
    return found


def plot(result, output):
    with h5py.File(result, "r") as file:
        time = file["time"][()]
        found, rods = panels(file), rods_of(file)[:RODS_SHOWN]
        n_panels, n_rows = max(1, len(found)), max(1, len(found)) + len(rods)
        figure, grid = plt.subplots(n_rows, 1, squeeze=False, figsize=(9, 1 + 2.7 * n_rows))
        for axes, (title, unit, series, log) in zip(grid[:, 0], found):
            draw(axes, time, series, title, unit, log)
            if axes is not grid[0, 0]:
                axes.sharex(grid[0, 0])
        grid[n_panels - 1, 0].set_xlabel(f"time ({attribute(file['time'], 'units', 's')})")
        for axes, (name, position) in zip(grid[n_panels:, 0], rods):
            draw_centrelines(axes, name, position, time)
        version = attribute(file, "xsim_version")
        status = attribute(file, "status")
    figure.suptitle(f"{Path(result).name}: {status}, xsim {version}")
    figure.tight_layout()
    figure.savefig(output, dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    output = arguments.output or str(Path(arguments.result).with_suffix(".png"))
    try:
        plot(arguments.result, output)
    except (OSError, KeyError) as error:
        print(f"plot.py: {arguments.result}: {error}", file=sys.stderr)
        return 1
    print(f"plot: {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
