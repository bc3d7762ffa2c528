/* Contact with Coulomb friction as a problem of its own: cones and a matrix, no bodies.
 *
 * n contacts, of which contact i has l_i = (l_n, l_t1, l_t2). Given A = G M^-1 G^T (symmetric,
 * positive semi-definite, in blocks of 3 x 3) and b, find l with, for each contact,
 *   0 <= l_n  complementary to  (A l - b)_n >= 0,
 *   l_t  the minimiser of  1/2 l_t^T A_tt l_t + s^T l_t  over  |l_t| <= mu l_n,
 *        s = (A l - b)_t - A_tt l_t : what slips where l_t = 0.
 * It serves positions (l = lambda, A l - b: gaps and slips) and velocities (l: impulses).
 *
 * The minimiser is exact: it sticks at x = -A_tt^-1 s if |x| <= mu l_n, else
 * (A_tt + sigma I) x = -s with |x| = mu l_n, so that friction opposes the slip that is left.
 * (A stick solution brought back to the cone along its radius is not: A_tt of a box's corner is
 * anisotropic, and friction comes out several percent short.) Where a static coefficient
 * is above mu, the problem is solved with it, and solved again with mu for those that slipped: in
 * the midst of a search a contact may slip that in the end is held.
 *
 * Method: projected Gauss-Seidel over the contacts, normal row then both tangents, with a
 * Newton step after each sweep in which each contact goes on doing what it does (open, sticking,
 * sliding); that step is what makes mass ratios, stacks and sliding converge. Where it goes round
 * in circles, friction within bounds that are given is solved for, a convex problem, whose normal
 * parts give the next bounds. Where nothing has friction, normal rows are a problem of their own
 * (contact_normal.h). Large friction has no guaranteed solution: after the last sweep the state
 * stays as it is, and the return value says so. */
#ifndef XS_SOLVER_CONTACT_CONE_H
#define XS_SOLVER_CONTACT_CONE_H

#include "solver/contact_normal.h"

/* By rows of blocks: those of contact i are k = first[i] .. first[i + 1] - 1, the k-th one is
 * A[9 k ..] (3 x 3 by rows) in block column column[k]. The first of them is the diagonal. */
typedef struct xs_contact_cone {
  int n;
  const int *first, *column;
  const double *A;
  double *normal;                /* scratch, as many as blocks */
  const double *b;               /* 3 n */
  const double *friction;        /* n: mu of what slides */
  const double *static_friction; /* n: mu up to which it sticks, >= friction */
} xs_contact_cone;

/* Work space for up to `capacity` contacts. */
typedef struct xs_contact_cone_work {
  int capacity;
  size_t envelope_capacity; /* doubles */
  double *mu;               /* capacity: coefficients in force */
  double *saved;            /* 3 capacity */
  /* Newton's unknowns, at most 3 a contact: those of contact i from first_unknown[i] on */
  int n_unknowns, *first_unknown, *contact;
  double *p, *q;                                                /* 3 an unknown */
  double *sigma, *rest, *step, *direction, *product, *diagonal; /* 1 an unknown */
  unsigned char *slides; /* capacity: has left its cone in a Newton step, and not come back */
  int *begin;            /* envelope: first column of an unknown's row */
  size_t *at;
  double *lower, *upper;
  double *bound;                 /* capacity: of friction, where it is given */
  double *start;                 /* 3 capacity */
  xs_contact_normal_work normal; /* without friction */
  double *normal_b, *normal_l;   /* capacity */
} xs_contact_cone_work;

/* 0 if memory is exhausted. */
int xs_contact_cone_create(int capacity, xs_arena *arena, xs_contact_cone_work *work);

/* l: 3 n, the start on entry, the solution on return. Returns 1, or 0 if the last sweep still
 * changed something. */
int xs_contact_cone_solve(const xs_contact_cone *cone, double *l, xs_contact_cone_work *work);

/* The friction step alone: A_tt = (a11, a12, a22), s, and the bounds mu_s l_n, mu l_n; the
 * minimiser into x. */
void xs_contact_cone_friction(const double a[3], const double s[2], double stick, double slide,
                              double x[2]);

#endif
