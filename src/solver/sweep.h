/* Gauss-Seidel over row blocks, in their order. */
#ifndef XS_SOLVER_SWEEP_H
#define XS_SOLVER_SWEEP_H

#include "solver/system.h"

/* One sweep over the swept blocks. individual: row by row (56), each evaluated at the state that
 * the one before left; else all rows of a joint at once (55), the limits that are active with
 * them; scalar rows by themselves. Rods in threes of rows. */
void xs_sweep(xs_system *system, xs_pose *x, int individual);

/* Corrected update: puts x at x~ [+] M^-1 G(x)^T lambda, so that r_P is zero but for the
 * change of G that this brings; the next sweep goes on from there, and both residuals
 * converge. */
void xs_sweep_rebuild(xs_system *system, xs_pose *x);

#endif
