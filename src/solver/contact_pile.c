/* Contact problems of piles: many contacts, of which each shares bodies with a few
 * (contact_cone.h).
 *
 * Newton's step of contact_cone.c is no use there. Its factor fills: the neighbours of a contact in
 * the breadth-first order are a layer of the pile away, so that time and memory grow faster than
 * the contacts. And where friction holds more than is needed, which is everywhere in a pile, its
 * matrix is singular: steps leave along forces that cancel each other, without end.
 *
 * Method: sweeps of projected Gauss-Seidel, forth and back, whose change g = F(l) - l is taken for
 * the downhill direction of nonlinear conjugate gradients (Fletcher-Reeves; Silcowitz, Niebe,
 * Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force problems,
 * The Visual Computer 26, 2010):
 *   g = F(l) - l,   beta = |g|^2 / |g before|^2,   l <- F(l) + beta p,   p <- g + beta p
 * started again where beta > 1. A sweep, forth and back, costs time in proportion to the blocks of
 * A, and there are at most SWEEPS_MAX of them, so that the cost of a pile is linear in its
 * contacts. What load they do not carry through a deep pile in one substep stays as overlap, and is
 * carried by the iterations and substeps that follow.
 *
 * A sweep lowers 1/2 l^T A l - b^T l, which at velocities is the kinetic energy, but for what
 * friction gives back where the normal force that bounds it falls (a thousandth, in
 * tests/test_contact_pile.c). What is left at the end is a state straight after a sweep, so
 * that a search that ends early takes energy, too (tests/claims/test_spheres.py); Newton's steps
 * that ended early gave some. */
#include <math.h>
#include <string.h>

#include "solver/contact_cone_private.h"

/* From so many contacts on; below, Newton's step is worth its cost. */
#define PILE_MIN 128
/* Columns, in contacts, that the mean row reaches back, above which it is a pile. Stacks and
 * heaps like walls are narrower, and are solved to the end by Newton's step. */
#define NARROW 12
/* Blocks a contact, on average, above which it is not a pile but a tangle: contacts of one rod
 * all share it. */
#define TANGLE 32
/* Sweeps, each forth and back. */
#define SWEEPS_MAX 30
/* The last ones go on without the conjugate direction, which may leave the cones. */
#define SWEEPS_LAST 2

int xs_contact_pile_is(const xs_contact_cone *c) {
  if (c->n < PILE_MIN || c->first[c->n] > TANGLE * c->n) return 0;
  double reach = 0;
  for (int i = 0; i < c->n; i++) {
    int begin = i;
    for (int k = c->first[i]; k < c->first[i + 1]; k++)
      if (c->column[k] < begin) begin = c->column[k];
    reach += i - begin;
  }
  return reach > NARROW * (double)c->n;
}

/* Forth and back. Returns the largest change on the way back, over the largest normal l. */
static double sweep(const xs_contact_cone *c, double *l) {
  double change = 0, largest = 0;
  for (int i = 0; i < c->n; i++) (void)xs_contact_cone_relax(c, l, i);
  for (int i = c->n - 1; i >= 0; i--) {
    const double by = xs_contact_cone_relax(c, l, i);
    if (by > change || isnan(by)) change = by;
    if (l[3 * i] > largest) largest = l[3 * i];
  }
  return change > 0 && largest > 0 ? change / largest : change;
}

int xs_contact_pile_solve(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  const int n = 3 * c->n;
  double *before = w->saved, *p = w->direction, change = INFINITY, g2_before = 0;
  for (int k = 0; k < SWEEPS_MAX; k++) {
    memcpy(before, l, (size_t)n * sizeof *l);
    change = sweep(c, l);
    if (change <= XS_CONTACT_CONE_TOLERANCE) return 1;

    double g2 = 0;
    for (int f = 0; f < n; f++) g2 += (l[f] - before[f]) * (l[f] - before[f]);
    const double beta = g2 < g2_before ? g2 / g2_before : 0;
    g2_before = g2;
    if (k >= SWEEPS_MAX - SWEEPS_LAST) continue;
    for (int f = 0; f < n; f++) {
      const double g = l[f] - before[f], along = beta > 0 ? beta * p[f] : 0;
      l[f] += along;
      p[f] = g + along;
    }
  }
  return change <= XS_CONTACT_CONE_SOLVED;
}
