/* Contacts as rows: one contact is one block of three rows, normal and two tangents.
 *
 * Each side is a thin *core* with a radius r round it (sphere: centre, capsule: axis, torus:
 * circle, rod: centre line; r = 0 where the core is the surface itself: box, cylinder, plane).
 * With the core point c and the surface point a of each side, both fixed in its matter, and n,
 * t1, t2 orthonormal and fixed in the world, n from side 2 to side 1:
 *   C_n = n.(c1 - c2) - (r1 + r2) >= 0,   lambda_n >= 0
 *   C_t = (t1, t2).((a1 - a2) - (a1 - a2 at x^n)),   |lambda_t| <= mu lambda_n
 *   a1 = c1 - r1 n,   a2 = c2 + r2 n   at detection
 * (Tobin & Rucker, section 7.) At detection C_n is also n.(a1 - a2), the gap; turning a core
 * with its radius leaves C_n as it is. A row's direction d has these gradients on side 1, and
 * the opposite ones on side 2:
 *   body  c, a = p + R r_loc:            by p  d^T,          by theta  (r_loc x R^T d)^T
 *   rod   c = p(xi):                     by p_j  phi_j d^T
 *         a = p(xi) + R(xi) q:           by p_j  phi_j d^T,  by theta_j  (X_j^T (q x R(xi)^T d))^T
 * X_j: rod_turn.h. A chain is treated as a linear element. Nodes that both sides share
 * (self-contact) stand in the block once, with both parts in their columns, so that
 * G M^-1 G^T is right; solvers see a contact of 1 to 8 nodes and need not know of sides.
 *
 * Evaluation is a pure function of the poses, and of first and count row by row: normal rows
 * alone (first 0, count 1) cost no rotations of rods. lambda's cone is the solver's: the block
 * says XS_BOUND_CONE, with friction in its contact, which data points to. */
#ifndef XS_CONSTRAINT_CONTACT_H
#define XS_CONSTRAINT_CONTACT_H

#include "constraint/rod.h"

enum { XS_CONTACT_ROWS = 3 }; /* n, t1, t2 */

/* One side. Body: one node. Rod: the nodes of an element. */
typedef struct xs_contact_side {
  const xs_rod *rod; /* NULL: a body */
  int owner;         /* index into world.bodies, or into world.rods */
  int part;          /* of the body's shapes, or of the rod's elements */
  int first_node, n_nodes;
  double radius; /* r of the core, m, >= 0 */
  xs_vec3 core;  /* body: c in the node's frame, m; rod: unused */
  xs_vec3 arm;   /* body: a in the node's frame, m; rod: q in the frame R(xi), m */
  double xi;     /* rod: place in its element, 0 .. 1 */
  double phi[XS_ROD_ELEMENT_NODES_MAX]; /* rod: phi_j(xi); body: 1 */
} xs_contact_side;

typedef struct xs_contact {
  xs_contact_side side[2];
  xs_vec3 n, t1, t2; /* world, orthonormal, right-handed in this order; n from side 2 to 1 */
  xs_vec3 start;     /* a1 - a2 at x^n, world, m */
  double gap;        /* C_n at the poses of detection, m; < 0: overlap */
  double friction, restitution;

  /* match: the previous list's contact that this one continues, or -1; and its lambda (XPBD
   * units, tangents carried over into t1, t2), or zeros. Solvers store what they find in lambda. */
  double lambda[XS_CONTACT_ROWS];
  int match;

  /* Nodes of the block, each once; slot[s][j]: place in node of side s's j-th node. */
  int n_nodes;
  int node[XS_ROW_NODES_MAX];
  int slot[2][XS_ROD_ELEMENT_NODES_MAX];
} xs_contact;

extern const xs_row_kind xs_contact_kind; /* n_nodes of a block is its contact's, not the kind's */

/* A side at a point given in the world at the poses x: of a body's shape, with core point c and
 * outward direction d (unit; -n for side 1, n for side 2); of a rod's element at xi. */
xs_contact_side xs_contact_body_side(const xs_pose *x, int node, int body, int shape, xs_vec3 c,
                                     double radius, xs_vec3 d);
xs_contact_side xs_contact_rod_side(const xs_pose *x, const xs_rod *rod, int rod_index, int element,
                                    double xi, double radius, xs_vec3 d);

/* Completes a contact whose sides and n are set: tangents, start (from the poses x_n of the last
 * step), gap (at x), nodes and slots. match = -1, lambda = 0. */
void xs_contact_complete(xs_contact *contact, const xs_pose *x, const xs_pose *x_n);

/* Its block, valid as long as the contact stays where it is. alpha: 3 values (m/N) or NULL. */
xs_row_block xs_contact_block(const xs_contact *contact, const double *alpha, int entity,
                              int first_row);

/* World position of a side's surface point a and core point c at the poses x, m. */
xs_vec3 xs_contact_surface_point(const xs_contact_side *side, const xs_pose *x);
xs_vec3 xs_contact_core_point(const xs_contact_side *side, const xs_pose *x);

#endif
