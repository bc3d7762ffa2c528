/* What the searches of contact_cone.c and contact_pile.c share: one contact of the problem. */
#ifndef XS_SOLVER_CONTACT_CONE_PRIVATE_H
#define XS_SOLVER_CONTACT_CONE_PRIVATE_H

#include <math.h>

#include "solver/contact_cone.h"

/* A sweep that changes no l by more than this part of the largest normal one ends the search. */
#define XS_CONTACT_CONE_TOLERANCE 1e-12
/* What ends above this counts as not solved. */
#define XS_CONTACT_CONE_SOLVED 1e-8

/* Row block i of A l - b. */
static inline void xs_contact_cone_residual(const xs_contact_cone *c, const double *l, int i,
                                            double r[3]) {
  r[0] = -c->b[3 * i], r[1] = -c->b[3 * i + 1], r[2] = -c->b[3 * i + 2];
  for (int k = c->first[i]; k < c->first[i + 1]; k++) {
    const double *A = c->A + 9 * (size_t)k, *lj = l + 3 * c->column[k];
    r[0] += A[0] * lj[0] + A[1] * lj[1] + A[2] * lj[2];
    r[1] += A[3] * lj[0] + A[4] * lj[1] + A[5] * lj[2];
    r[2] += A[6] * lj[0] + A[7] * lj[1] + A[8] * lj[2];
  }
}

/* Contact i by itself, the others as they are: its normal, then its tangents. Returns the largest
 * change. */
static inline double xs_contact_cone_relax(const xs_contact_cone *c, double *l, int i) {
  const double *A = c->A + 9 * (size_t)c->first[i];
  double r[3], *li = l + 3 * i;
  xs_contact_cone_residual(c, l, i, r);
  double l_n = li[0] - r[0] / A[0];
  if (!(l_n > 0)) l_n = 0;
  const double change_n = l_n - li[0];
  const double a[3] = {A[4], A[5], A[8]};
  const double s[2] = {r[1] + A[3] * change_n - (A[4] * li[1] + A[5] * li[2]),
                       r[2] + A[6] * change_n - (A[7] * li[1] + A[8] * li[2])};
  double x[2];
  xs_contact_cone_friction(a, s, c->static_friction[i] * l_n, c->friction[i] * l_n, x);
  const double change_t = fmax(fabs(x[0] - li[1]), fabs(x[1] - li[2]));
  li[0] = l_n, li[1] = x[0], li[2] = x[1];
  return fmax(fabs(change_n), change_t);
}

/* Whether a problem is one for contact_pile.c. */
int xs_contact_pile_is(const xs_contact_cone *cone);

/* The search of contact_pile.c: l is the start on entry, the solution on return; 1 if it ended
 * before its last sweep, or with a change below XS_CONTACT_CONE_SOLVED. */
int xs_contact_pile_solve(const xs_contact_cone *cone, double *l, xs_contact_cone_work *work);

#endif
