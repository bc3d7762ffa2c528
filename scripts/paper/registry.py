"""The experiments in the paper's order."""
from . import (bowling, fig03_constraints, fig08_rotation, fig09_shapes, fig10_collision,
               fig11_solvers, fig12_residuals, fig13_convergence, fig14_locking, fig15_spring,
               fig16_plectoneme, fig17_bristlebot, tables)

EXPERIMENTS = (fig03_constraints, fig08_rotation, fig09_shapes, fig10_collision, fig11_solvers,
               fig12_residuals, fig13_convergence, fig14_locking, fig15_spring, fig16_plectoneme,
               bowling, fig17_bristlebot, tables)
