/* What is said when a step has failed: messages that name time, step and entity. All of them
 * return XS_DIVERGED with their message in the report, but for xs_diverged_look. */
#ifndef XS_SOLVER_DIVERGED_H
#define XS_SOLVER_DIVERGED_H

#include "solver/system.h"

/* A joint counts as torn when its gap is above this many times the scene's size, and as
 * many times its own gap at the start. Below it, a bad start may still be recovered. */
#define XS_DIVERGED_TORN 10.0

/* A node whose angular velocity would turn it by `turn` rad in the substep that ends at t. */
xs_status xs_diverged_too_fast(const xs_system *system, const xs_state *state, int node,
                               double turn, double t, xs_report *report);

/* Something looked suspect on the way: names the first node that is not finite, joint that is
 * torn or entity whose equations had no solution, if the substep really ended so; else XS_OK. */
xs_status xs_diverged_look(const xs_system *system, const xs_state *state, double t,
                           xs_report *report);

/* solver.tolerance was not reached; the residuals at the end. */
xs_status xs_diverged_not_converged(const xs_system *system, const xs_state *state,
                                    const xs_residual *residual, double t, xs_report *report);

#endif
