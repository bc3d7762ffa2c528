/* Residuals and joint reactions of a backward Euler step, from its rows and multipliers. */
#ifndef XS_SOLVER_RESIDUAL_H
#define XS_SOLVER_RESIDUAL_H

#include "solver/damping.h"
#include "solver/system.h"

/* At the poses x, with C and G evaluated anew. system->h = 0 before the first substep: no
 * primal residual, no reactions. damping (or NULL) adds the dashpots' part of reactions.
 * Either output may be NULL. */
void xs_residual_evaluate(const xs_system *system, const xs_damping *damping, const xs_pose *x,
                          xs_residual *residual, xs_reaction *reaction);

/* Adds to a joint's reaction the generalised force to_force g on its node 2 at x2, moved from
 * the centre of mass to the joint frame. */
void xs_residual_add_reaction(const xs_joint *joint, const xs_pose *x2, const double g[6],
                              double to_force, xs_reaction *reaction);

#endif
