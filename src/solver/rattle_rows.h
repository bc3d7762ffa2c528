/* The rows of a rattle step: their equations in its two solves, and their multipliers.
 *
 * lambda (position solve) and mu (velocity solve) are impulses, N s or N m s. With E = G of the
 * row, the step solves for each sort of row
 *
 *            position: r = 0, d r/d lambda = h (A + D)       velocity: (A + D) mu = -e
 *   hard     r = C                              D = 0        e = E v + C_t              D = 0
 *   spring   r = C + (1 - theta)/theta C_n      D = 2/(h^2 k theta)
 *              + h D lambda                                  e = E v + C_t + C/(h theta), same D
 *   dashpot  r = C - C_n - h rbar + h D lambda  D = 2/(h d)
 *                     e = E v + C_t - r + (1 - sigma)/(h sigma) (C - C_n - h rbar),
 *                                                                        D = 2/(h sigma d)
 *   rate     r = C - C_n - h rbar               D = 0        e = E v + C_t - r          D = 0
 *   limit    as a hard row where it carries: lambda >= 0, lambda + mu >= 0; else no part
 *
 * C_n with targets at t_n, C at t_{n+1}; rbar = (r_n + r_{n+1})/2 of the rate aimed at. theta and
 * sigma are weights between the explicit and the stiff end,
 *   z = h^2 k S, theta = (z/(4 + z))^2,   y = h d S, sigma = (y/(4 + y))^2,
 * with S the row's sum of |A_ij| over all elastic rows (the diagonal alone is not safe). Soft
 * springs are Stoermer-Verlet, stiff ones tend to the hard row without ringing, and the step is of
 * second order throughout. Position and velocity matrices differ by the dashpots alone. */
#ifndef XS_SOLVER_RATTLE_ROWS_H
#define XS_SOLVER_RATTLE_ROWS_H

#include "solver/mechanism.h"

typedef struct xs_rattle_rows {
  const xs_mechanism *mechanism;
  xs_global *global; /* matrix; gradients at x_n, ahead of them at x_{n+1} */
  double h;
  int n_elastic;
  double *lambda, *mu; /* n_rows, as all that follow */
  double *impulse;     /* lambda + mu of the last step */
  double *C_n;         /* C at t_n */
  double *aim_n;       /* rates aimed at, at t_n */
  double *moved;       /* of dashpots and rates: C - C_n - h rbar */
  double *blend;       /* theta of springs, sigma of dashpots */
  double *diagonal;    /* D of the position solve */
  double *weight;      /* of r beside hard rows: A_jj/(A_jj + D) */
  double *unit;        /* what r is compared with: 1 m or the scene's size if that is less, 1 rad */
  double *residual;    /* r times weight, after the last evaluation */
  double *A, *S;       /* work space: diagonal of A, sums */
  double *rhs;         /* work space */
  double *rate;        /* work space: c */
  unsigned char *elastic; /* springs and dashpots */
  unsigned char *carries; /* limits that take part */
  int stiffest;           /* a spring whose period is not resolved, z > 1; -1: none */
} xs_rattle_rows;

xs_status xs_rattle_rows_create(const xs_mechanism *mechanism, double h, xs_arena *arena,
                                xs_rattle_rows *rows, xs_report *report);

/* Takes x_n, at time t to which the geometry is frozen, for the start. carries: by the sign of
 * impulse. Factors for the position solve. Returns -1 or an entity without solution. */
int xs_rattle_rows_begin(xs_rattle_rows *rows, const xs_pose *x, double t);

/* lambda <- mu. */
void xs_rattle_rows_warm_start(xs_rattle_rows *rows);

/* Evaluates r at x_{n+1} (time t). Limits that are violated begin to carry: *joined is set, and
 * the matrix has to be factored anew. Returns the largest |r| weight/unit, its row in *worst. */
double xs_rattle_rows_evaluate(xs_rattle_rows *rows, const xs_pose *x, double t, int *joined,
                               int *worst);

/* Factors for the position solve with the gradients at hand. Returns as begin does. */
int xs_rattle_rows_factor(xs_rattle_rows *rows);

/* lambda -= (A + D)^-1 r/h; limits that would pull are let go. Returns whether any were. */
int xs_rattle_rows_correct(xs_rattle_rows *rows);

/* The velocity solve at x_{n+1}, whose gradients become those at hand, and the factor of the
 * next position solve: changes the state's velocities. Returns as begin does. */
int xs_rattle_rows_finish(xs_rattle_rows *rows, xs_state *state, double t);

#endif
