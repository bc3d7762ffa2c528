"""The experiments in the paper's order."""
from . import (fig03_constraints, fig08_rotation, fig09_shapes, fig11_solvers, fig12_residuals,
               fig13_convergence, fig14_locking, fig15_spring, fig16_plectoneme)

EXPERIMENTS = (fig03_constraints, fig08_rotation, fig09_shapes, fig11_solvers, fig12_residuals,
               fig13_convergence, fig14_locking, fig15_spring, fig16_plectoneme)
