/* Contacts without friction as a problem of its own: who bears, and how much.
 *
 * Given N = n.G M^-1 G^T n (symmetric, positive semi-definite) and b, find l with
 *   0 <= l  complementary to  N l - b >= 0,
 * which is the minimiser of 1/2 l N l - b l over l >= 0: there is one, and N l is unique where
 * more bears than is needed.
 *
 * Method: block principal pivoting (Portugal, Judice & Vicente, Math. Comp. 63, 1994) finds who
 * bears, from those that would overlap: all that pull let go and all that overlap join at once, as
 * long as they become fewer. Then sweeps (projected Gauss-Seidel), which judge, with Newton's steps
 * between them that lower the energy; they do the whole work where pivoting goes round in circles.
 */
#ifndef XS_SOLVER_CONTACT_NORMAL_H
#define XS_SOLVER_CONTACT_NORMAL_H

#include "base/arena.h"

/* Sparse by rows: entries k = first[i] .. first[i + 1] - 1 of row i stand in columns column[k],
 * the first of them is the diagonal, > 0. */
typedef struct xs_contact_normal {
  int n;
  const int *first, *column;
  const double *N;
  const double *b;
} xs_contact_normal;

/* Work space for up to `capacity` contacts. */
typedef struct xs_contact_normal_work {
  size_t envelope_capacity; /* doubles */
  double *envelope;
  int n_unknowns, *unknown, *contact; /* unknown of a contact, or -1; contact of an unknown */
  int *begin;                         /* first column of an unknown's row in the envelope */
  size_t *at;
  double *pivot, *rest, *step, *direction, *product; /* 1 an unknown */
  double *gap, *saved, *start;                       /* 1 a contact */
} xs_contact_normal_work;

/* 0 if memory is exhausted. */
int xs_contact_normal_create(int capacity, xs_arena *arena, xs_contact_normal_work *work);

/* l: n, the start on entry, the solution on return. Returns 1, or 0 if the last sweep still
 * changed something. */
int xs_contact_normal_solve(const xs_contact_normal *problem, double *l,
                            xs_contact_normal_work *work);

#endif
