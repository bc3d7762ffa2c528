/* Residuals and joint reactions of a backward Euler step, from its rows and multipliers. */
#ifndef XS_SOLVER_RESIDUAL_H
#define XS_SOLVER_RESIDUAL_H

#include "solver/method.h"

/* The system (51), (52) at a state. */
typedef struct xs_system {
  const xs_world *world;
  int n_blocks;
  const xs_row_block *block;
  double h;               /* substep, s; 0 before the first: no primal residual */
  const double *lambda;   /* all rows */
  const xs_vec3 *dp;      /* n_nodes: p - p~, m, without the round-off of p */
  const xs_quat *q_tilde; /* n_nodes: predicted orientation */
  double *momentum;       /* work, 6 n_nodes: r_P node by node */
} xs_system;

/* Either output may be NULL. */
void xs_residual_evaluate(const xs_system *system, const xs_pose *x, xs_residual *residual,
                          xs_reaction *reaction);

#endif
