"""The experiments in the paper's order."""
from . import fig03_constraints, fig08_rotation, fig09_shapes, fig11_solvers, fig12_residuals

EXPERIMENTS = (fig03_constraints, fig08_rotation, fig09_shapes, fig11_solvers, fig12_residuals)
