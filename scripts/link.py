"""For scripts beside this one: twist, writhe and least distance of a rod as one table. What measures them
is scripts/xsim/curve.py; on the command line it is python3 -m xsim link."""
import numpy as np

import xsim


def measure(file, rod, discretization, thickness, every=1):
    """Of every so many records of an open h5py.File: t, twist, writhe, distance / thickness, contacts.
    Discretization and thickness have to be those of the result's scene."""
    result = xsim.open(file)
    entry = result.rods[rod]
    found = entry.scene["discretization"], 2 * entry.contact_radius
    if found[0] != discretization or abs(found[1] - thickness) > 1e-9 * thickness:
        raise ValueError(f"{result.path}: rod '{rod}' is {found[0]}, {found[1]:g} m thick, not "
                         f"{discretization}, {thickness:g} m")
    records, *columns = entry.link(every)
    return np.stack([result.time[records], *columns, result.n_contacts()[records]], axis=1)
