/* Where two curves are nearest: local minima of f(x, y) = |p1(x) - p2(y)|^2 on a rectangle.
 *
 *   r = p1 - p2, u = p1', v = p2':
 *   g = (u.r, -v.r),   H = [ u.u + p1''.r   -u.v ; -u.v   v.v - p2''.r ] + lam max(u.u, v.v) I
 * Levenberg-Marquardt with the second derivatives (pure J^T J converges linearly where r is not
 * small). A step is taken if f falls, then lam / 10, else lam * 10, also where H is not positive
 * definite. A variable at a bound whose gradient points outward stays; a step that leaves the
 * rectangle is cut there and the other variable solved for again. Two lines: in closed form. */
#ifndef XS_COLLIDE_CURVE_PAIR_H
#define XS_COLLIDE_CURVE_PAIR_H

#include "collide/curve.h"

enum { XS_CURVE_PAIR_SEEDS = 7, XS_CURVE_PAIR_MAX = 25 };

/* Two polynomials, each on [lo, hi]. */
typedef struct xs_curve_pair {
  const xs_curve *curve[2];
  double lo[2], hi[2];
} xs_curve_pair;

typedef struct xs_curve_minimum {
  double xi[2];
  double distance; /* m */
  int outward[2];  /* -1, 1: at lo, hi, and f falls beyond; 0 otherwise */
} xs_curve_minimum;

/* The minimum that is reached from start; of two lines: the nearest points, in the middle of
 * them if there are many. */
xs_curve_minimum xs_curve_pair_from(const xs_curve_pair *pair, const double start[2]);

/* All that are reached from the local minima of a grid of XS_CURVE_PAIR_SEEDS^2 points; those
 * with both |dxi| < 0.02 of the interval to an earlier one are left out. Where the grid's minimum
 * is so far that the curves cannot come within `limit` nothing is reached from it. Returns how
 * many. */
int xs_curve_pair_minima(const xs_curve_pair *pair, double limit,
                         xs_curve_minimum minimum[XS_CURVE_PAIR_MAX]);

#endif
