/* Whether an equilibrium is stable: the lowest eigenvalue of its tangent.
 *
 *   K y = w^2 M y,   y and M y's reactions within what hard rows allow: G y = 0
 * K's symmetric part, M the masses and moments of the nodes: w^2 in 1/s^2 is the square of the
 * lowest natural angular frequency; below 0 a disturbance grows as exp(|w| t). Its sign does
 * not depend on M. By inverse iteration on the matrix of the equations; where K has negative
 * eigenvalues with a shift below all of them, which counting finds. */
#ifndef XS_SOLVER_STATIC_STABILITY_H
#define XS_SOLVER_STATIC_STABILITY_H

#include "solver/static_newton.h"

typedef struct xs_static_stability {
  double lowest; /* 1/s^2; 0: the matrix is singular to the last digit */
  int negative;  /* how many eigenvalues are below 0 */
} xs_static_stability;

/* Of the poses x, which are moved and put back, with the multipliers of the system. */
xs_static_stability xs_static_stability_of(xs_static_newton *newton, xs_pose *x,
                                           const xs_static_loads *loads);

/* A node that can move without a force in some direction (the tangent, unsymmetric parts included,
 * is singular to round-off), -1 if all is held. */
int xs_static_stability_unheld(xs_static_newton *newton, xs_pose *x, const xs_static_loads *loads);

#endif
