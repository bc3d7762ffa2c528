/* The contact problem of contact_cone.h for piles: many contacts between bodies, each of which
 * shares them with a few others.
 *
 * Newton's step of contact_cone.c is no use there. Its factor fills: the neighbours of a contact in
 * the breadth-first order are a layer of the pile away, so that time and memory grow faster than
 * the contacts. And where friction holds more than is needed, which is everywhere in a pile, its
 * matrix is singular, and steps leave along forces that cancel each other.
 *
 * Method: sweeps of projected Gauss-Seidel, forth and back, whose change g = F(l) - l is taken for
 * the downhill direction of nonlinear conjugate gradients (Fletcher-Reeves; Silcowitz, Niebe,
 * Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force problems,
 * The Visual Computer 26, 2010):
 *   g = F(l) - l,   beta = |g|^2 / |g before|^2,   l <- F(l) + beta p,   p <- g + beta p
 * started again where beta > 1. A = G M^-1 G^T is not made: bodies carry w = M^-1/2 G^T (l - l0),
 * and a contact's rows are C + alpha~ l_n + G M^-1/2 w. A sweep costs time in proportion to the
 * contacts, whatever their bodies, and there are at most SWEEPS_MAX of them: the cost of a pile is
 * linear. What load they do not carry through a deep pile in one substep stays as overlap, and is
 * carried by the iterations and substeps that follow.
 *
 * Overlap that is left has to be pushed out later, which lifts what lies on it. With d = x - x^n,
 *   E^{n+1} - E^n - (work of loads) = sum of l (C - C^n) / h^2 - 1/2 |d/h - v^n|^2_M :
 * contacts that close do no work, overlaps that shrink under load do. Where the energy would rise
 * by that, only so large a part of l - l0 is done that it does not (l stays in its cones).
 *
 * A sweep lowers 1/2 l^T A l - b^T l, which at velocities is the kinetic energy, but for what
 * friction gives back where the normal force that bounds it falls (a thousandth, in
 * tests/test_contact_pile.c). What is left at the end is a state straight after a sweep, so
 * that a search that ends early takes energy, too (tests/claims/test_spheres.py); Newton's steps
 * that ended early gave some. */
#ifndef XS_SOLVER_CONTACT_PILE_H
#define XS_SOLVER_CONTACT_PILE_H

#include "base/arena.h"
#include "model/world.h"

typedef struct xs_contact_pile_contact {
  double G[36]; /* two sides, six columns of three rows each, times M^-1/2 */
  double A[6];  /* its own block: nn, n1, n2, 11, 12, 22 */
  double C[3];  /* rows at w = 0, less alpha~ l0 */
  double static_friction, friction;
  int body[2]; /* numbers of the pile; 0: what does not move */
} xs_contact_pile_contact;

typedef struct xs_contact_pile {
  int n, n_bodies, n_nodes; /* n_bodies: 0 counted, too */
  double softness;          /* alpha~ */
  double reach;             /* contacts that rows reach back, all together */
  xs_contact_pile_contact *contact;
  double *before, *p; /* 3 a contact */
  int *number, *node; /* a node's body, or 0; a body's node */
  int *first_contact; /* of a body */
  double *w, *w_p, *w_before;
} xs_contact_pile;

/* Before the first step; 0 without memory. */
int xs_contact_pile_create(xs_contact_pile *pile, int n_nodes, xs_arena *arena);

/* Room for as many contacts; 0 without memory. */
int xs_contact_pile_fit(xs_contact_pile *pile, int capacity, xs_arena *arena);

/* Empties it. softness: alpha~, as in A. */
void xs_contact_pile_begin(xs_contact_pile *pile, double softness);

/* Adds a contact of one or two nodes, in the group's order. G: 18 a node, three rows for each of
 * six columns. r: its rows of A l - b at l0, the start of the search. */
void xs_contact_pile_add(xs_contact_pile *pile, int n_nodes, const int *node, const double *G,
                         const xs_inertia *inertia, const double r[3], double l0,
                         double static_friction, double friction);

/* Whether Newton's step would be lost on it. Stacks, and heaps like walls, are narrower, and are
 * better solved to the end. */
int xs_contact_pile_is_wide(const xs_contact_pile *pile);

/* l: 3 n, the start on entry, the solution on return. Returns 1, or 0 if the last sweep still
 * changed something. */
int xs_contact_pile_solve(xs_contact_pile *pile, double *l);

/* After a solve of positions, without softness: sum of l (C - C_n), what contacts do in the substep
 * times h^2, if only this part is done of l - l0. C_n: 3 n, rows at x^n. */
double xs_contact_pile_work(const xs_contact_pile *pile, const double *l0, const double *l,
                            double part, const double *C_n);

#endif
