/* Newton's method for one equilibrium, from poses near it.
 *
 * Steps are measured by their largest displacement, positions as part of the scene's size and
 * rotations in rad; xs_solver.tolerance is compared with that. Away from the solution:
 *
 * - plain: the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems, 3.3):
 *   the step is halved until the next simplified correction A^-1 F(x + a dx) is smaller than dx.
 *   It needs no units to weigh forces against couples, and finds unstable equilibria, too.
 * - descending: K + shift M instead of K, with the least shift that leaves no negative
 *   eigenvalue, so that steps lead down in energy: to a stable equilibrium, if there is one.
 *
 * Steps that turn a node by more than 1 rad, move one by more than half the scene, or turn a rod's
 * node further from its element's reference than that can tell, are cut. Inequality rows are
 * let in where they are violated and let go where they pull. */
#ifndef XS_SOLVER_STATIC_NEWTON_H
#define XS_SOLVER_STATIC_NEWTON_H

#include "solver/static_equations.h"

enum { XS_STATIC_NEWTON_HISTORY = 64 };

typedef enum xs_static_outcome {
  XS_STATIC_CONVERGED,
  XS_STATIC_FAILED,  /* out of iterations, or no step helps */
  XS_STATIC_SINGULAR /* a pivot of 0: newton->singular */
} xs_static_outcome;

typedef struct xs_static_newton {
  xs_static_equations *equations;
  double *step, *next; /* n: displacements and multipliers */
  double *lambda;      /* n_rows: before a step */
  double *mean;        /* n: work space of eigenvectors */
  xs_pose *x;          /* n_nodes: before a step */
  xs_turn *turn;       /* n_joints */
  int *switches;       /* n_blocks: how often an inequality row has changed sides */
  double shift;        /* 1/s^2: the latest one */
  int iterations;      /* of the latest equilibrium */
  double correction[XS_STATIC_NEWTON_HISTORY]; /* size of each step, as Newton asked for it */
  int singular;                                /* unknown */
} xs_static_newton;

xs_status xs_static_newton_create(xs_static_equations *equations, xs_arena *arena,
                                  xs_static_newton *newton, xs_report *report);

/* Moves the state and the multipliers to an equilibrium under the loads; what was converged is also
 * balanced (equations->balance). */
xs_static_outcome xs_static_newton_solve(xs_static_newton *newton, xs_state *state,
                                         const xs_static_loads *loads, int descending);

/* Multipliers of a state of which nothing is known but its loads: those with which the world
 * would begin to move. */
void xs_static_newton_first_multipliers(xs_static_newton *newton, xs_state *state,
                                        const xs_static_loads *loads);

#endif
