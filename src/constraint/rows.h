/* Rows: the one interface between what constrains the world and what solves it.
 *
 * A *row block* is a set of constraint rows C(x) that share their nodes and are
 * evaluated together. Joints, and later rod elements, limits, contacts and cloth springs,
 * are providers: each is a const xs_row_kind with a function that writes C and its
 * gradient. Solvers see blocks of rows and nothing else. What the interface owes to
 * each of its users, also those to come:
 *
 * - Joints: 2 nodes, up to 6 rows, two-sided. The ground is node 0 with zero inverse
 *   mass, so a one-sided joint is no special case.
 * - Rods: a block is one element, because its Gauss points share the costly logarithms
 *   of the nodal rotations: 2 to 4 nodes, 6 rows a Gauss point, up to 24 rows.
 *   Neighbouring elements share a node; a banded solver finds that in the node lists,
 *   and assembles G M^-1 G^T straight into its band from the same gradients.
 * - Limits and contacts: lambda has bounds [lambda_min, lambda_max]; a two-sided row has
 *   -inf, inf. Friction needs a cone over three rows: that is a property of its block
 *   (xs_row_bound), not of single rows. The number of contact blocks changes from step to
 *   step: a solver walks a list of blocks whose length may change, with lambda and
 *   residuals addressed by first_row.
 * - Particles without orientation (cloth, particle bodies): nodes with zero inverse
 *   moment. Their rotation columns are zero and drop out of G M^-1 G^T by themselves.
 * - Second-order integrators: they need C and G at poses and times of their choice, so
 *   evaluation is a pure function of the poses; nothing is cached in a block, and what
 *   depends on time is frozen into the provider's data before a solve.
 * - Vertex block descent and statics: with k = 1/alpha, a node's force is -G^T k C and its
 *   Gauss-Newton stiffness G^T k G, both read off the rows that list the node. Where the
 *   exact tangent is needed a kind offers the derivative of G^T lambda as a verb of its own,
 *   besides evaluate: stiffness.
 * - Classic PBD: uses C and G as they are and puts its stiffness factor in alpha's place.
 *
 * Multipliers are in XPBD units: G^T lambda / h^2 is the generalised force
 * (maths: Tobin & Rucker, eq. (51), (52)). Gradients are taken with respect to
 * (p, theta) of each node, R <- R Exp(theta): translation in the world, rotation in the
 * node's own frame. */
#ifndef XS_CONSTRAINT_ROWS_H
#define XS_CONSTRAINT_ROWS_H

#include "model/state.h"

enum {
  XS_ROWS_MAX = 24,    /* rows of a block: a fully integrated cubic rod element, 4 * 6 */
  XS_ROW_NODES_MAX = 8 /* nodes of a block: contact between two cubic rod elements */
};

typedef enum xs_row_bound {
  XS_BOUND_NONE, /* every lambda in (-inf, inf) */
  XS_BOUND_BOX,  /* lambda[r] in [lambda_min, lambda_max] of its block */
  XS_BOUND_CONE  /* lambda[0] >= 0, |(lambda[1], lambda[2])| <= mu lambda[0]: contact.h */
} xs_row_bound;

typedef struct xs_row_block xs_row_block;

/* Writes rows first .. first + count - 1 of the block at the poses x (all nodes).
 * C: count values. G: for each node k of the block the count x 6 matrix of its
 * columns (p, theta), column-major with leading dimension count:
 *   G[(k * 6 + column) * count + row]. */
typedef void xs_row_evaluate(const xs_row_block *block, const xs_pose *x, int first, int count,
                             double *C, double *G);

/* Scalar (normed) rows only: the generalised impulse g[k][6] on each node k of the block
 * when the world vector `impulse` acts on node 1 and its opposite on node 2 the way the row
 * does it (a force at the anchors, or a couple), with lever arms at the poses x. A sum of
 * steps of lambda times their directions is thus compared with G^T lambda. */
typedef void xs_row_impulse(const xs_row_block *block, const xs_pose *x, xs_vec3 impulse,
                            double g[][6]);

/* The derivative of the block's generalised force: H = d(G(x)^T s)/dx for s (n_rows) held fixed,
 * along x <- x [+] (p, theta) of its nodes. 6 n x 6 n by columns, H[i + 6 n j] = d g_i / d x_j,
 * with the coordinates in the order node by node (p, theta).
 *
 * G^T s is the gradient of the potential s.C by the body-frame directions X_i, so that H_ij =
 * X_j X_i (s.C): not the (covariant) Hessian, which is symmetric, but H - H^T = hat(tau)
 * on the rotations of a node, tau being its part of G^T s. Summed over all that acts on a
 * node it vanishes in equilibrium, if all of that has a potential. */
typedef void xs_row_stiffness(const xs_row_block *block, const xs_pose *x, const double *s,
                              double *H);

typedef struct xs_row_kind {
  const char *name;
  int n_rows, n_nodes;
  int turns_in_sixes; /* of every six rows the last three depend on rotations only */
  xs_row_evaluate *evaluate;
  xs_row_impulse *impulse;     /* NULL: not a scalar row */
  xs_row_stiffness *stiffness; /* NULL: by differences (xs_rows_stiffness) */
} xs_row_kind;

struct xs_row_block {
  const xs_row_kind *kind;
  const void *data;    /* the provider's parameters: xs_joint_geometry, ... */
  const double *alpha; /* compliance of each row (m/N, rad/(N m)); NULL = all zero */
  int entity;          /* index of the joint that owns the rows */
  int first_row;       /* of lambda and of the residual vector */
  int n_rows, n_nodes;
  int node[XS_ROW_NODES_MAX];
  xs_row_bound bound;
  double lambda_min, lambda_max; /* XS_BOUND_BOX */
};

/* d(G^T s)/dx of a block by its kind's verb or, where that is NULL, by differences. */
void xs_rows_stiffness(const xs_row_block *block, xs_pose *x, const double *s, double *H);

/* The same by central differences of fourth order of G^T s with steps of 1e-3: about 1e-11
 * of the entries' size. The poses of the block's nodes are moved and put back. */
void xs_rows_stiffness_difference(const xs_row_block *block, xs_pose *x, const double *s,
                                  double *H);

#endif
