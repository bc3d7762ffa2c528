"""Reads results of xsim (HDF5) and looks at them.

  import xsim
  with xsim.open("out.h5") as run:
      run.time                            # T, s
      run.bodies["link1"].position        # T x 3, m; run.bodies.position is T x N x 3
      run.joints["hinge"].coordinate
      run.rods["beam"].tip()              # T x 3
      run.energy.total, run.residual.constraint
      run.labelled("bodies/position")     # with names on the axes, where xarray is installed

On the command line: python3 -m xsim info|plot|animate|html|paraview|link OUT.h5. Everything is read
from the file alone: what a body looks like or how a rod's elements run is in the scene that a result
holds (/provenance/resolved).
"""
import importlib

__all__ = ["Problem", "Result", "open"]
_PLACES = {"Problem": ("errors", "Problem"), "Result": ("result", "Result"),
           "open": ("result", "open_result")}


def __getattr__(name):
    """Imported when first asked for, so that the command line can say in a line that h5py or numpy is
    missing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'xsim' has no '{name}'")
    module, attribute = _PLACES[name]
    return getattr(importlib.import_module(f".{module}", __name__), attribute)
