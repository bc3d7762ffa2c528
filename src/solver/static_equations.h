/* The equations of an equilibrium and their tangent.
 *
 * Unknown are the poses of the nodes that can move and the multipliers lambda of hard rows
 * (compliance 0); those of compliant rows follow from the poses, lambda = -C/alpha. Multipliers
 * are generalised forces (system->h = 1 s):
 *   r = f(x) + G^T lambda = 0,    C = 0 in hard rows                          [N, N m; m, rad]
 * f: gravity and loads, f = (p in the world, theta in the node's frame). Newton's step is
 *   [  K   -G^T ] [ dx      ]   [ r ]       K = -df/dx - d(G^T lambda)/dx + G_c^T alpha^-1 G_c
 *   [ -G   -eps ] [ dlambda ] = [ C ],
 * the exact derivative of r along x <- x [+] dx; K is symmetric at an equilibrium whose loads have
 * a potential (rows.h). eps, far below the compliance of what the rows act on, keeps the matrix
 * regular where rows of loops depend on each other; it does not change the solution, as C = 0
 * is asked for, not C = -eps lambda.
 *
 * Nodes and blocks with hard rows are ordered by reverse Cuthill-McKee: the band is as wide as an
 * element. An inequality row is in the equations while it is active. */
#ifndef XS_SOLVER_STATIC_EQUATIONS_H
#define XS_SOLVER_STATIC_EQUATIONS_H

#include "math/band.h"
#include "math/band_lu.h"
#include "solver/external.h"
#include "solver/system.h"

/* Which loads act: from those at one time to those at another. */
typedef struct xs_static_loads {
  double t_from, t_to; /* s; t_from < 0: from no loads and no gravity at all */
  double share;        /* 0 .. 1: (1 - share) of the former and share of the latter */
} xs_static_loads;

typedef struct xs_static_equations {
  xs_system *system;
  int n;                 /* unknowns */
  int *node_at, *row_at; /* n_nodes, n_rows: place of its (first) unknown, -1: none */
  int *owner;            /* n: node of the unknown, or -1 - block */
  unsigned char *active; /* n_blocks: inequality rows that take part */
  xs_band_lu matrix;
  double *mass;         /* n: M of displacements, 0 of multipliers */
  double *softness;     /* n_rows: eps of hard rows */
  double *force;        /* 6 n_nodes: f */
  double *balance;      /* n: r and C */
  double scale;         /* size of all forces that r is the sum of, N and N m */
  xs_external from, to; /* loads at both times */
  xs_band penalised;    /* K + G^T G/eps for counting, displacements only */
  int *penalised_at;    /* n_nodes */
} xs_static_equations;

xs_status xs_static_equations_create(xs_system *system, xs_arena *arena,
                                     xs_static_equations *equations, xs_report *report);

/* f, r, C and the multipliers of compliant rows at the poses x. */
void xs_static_equations_balance(xs_static_equations *equations, const xs_pose *x,
                                 const xs_static_loads *loads);

/* The matrix at the poses x of the balance, with shift M added to K, factored; symmetric: with
 * K's symmetric part. Returns -1, or the unknown whose pivot is 0 or not finite. */
int xs_static_equations_factor(xs_static_equations *equations, xs_pose *x,
                               const xs_static_loads *loads, double shift, int symmetric);

/* The same with M in K's place: for multipliers at a start where nothing is known of them. */
int xs_static_equations_factor_mass(xs_static_equations *equations, const xs_pose *x);

/* How many eigenvalues of K y = w^2 M y, over displacements that hard rows allow, lie below
 * -shift: Sylvester's law of inertia on K + shift M + G^T G/eps. */
int xs_static_equations_negative(xs_static_equations *equations, xs_pose *x,
                                 const xs_static_loads *loads, double shift);

/* Moves the poses by factor times the displacements in step, and lambda by its multipliers. */
void xs_static_equations_move(const xs_static_equations *equations, const double *step,
                              double factor, xs_pose *x);

/* y^T K y and sum |y_i| |K_ij| |y_j| of displacements y at the poses x, K's symmetric part. */
double xs_static_equations_energy(const xs_static_equations *equations, xs_pose *x,
                                  const xs_static_loads *loads, const double *y, double *magnitude);

#endif
