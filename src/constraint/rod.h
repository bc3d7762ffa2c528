/* Cosserat rods as row blocks (Tobin & Rucker, sections 6 and 9).
 *
 * A block is an element: its Gauss points share the logarithms of its nodes' rotations.
 * Rows run Gauss point by Gauss point, six each: C = [v - e3; u - u*] with the strains
 *   v = R^T p'  (shear and stretch, 1),   u = (R^T R')^vee  (bend and twist, 1/m)
 * in the material frame, and compliance alpha = 1/(w_g l K): the quadrature's weight sits
 * in the compliance, not in C. A row of zero stiffness is left out: C = 0, G = 0, alpha = 1.
 *
 *   rod_shape.h     Lagrange polynomials, Gauss points
 *   rod_rotation.h  nodal rotations from the reference
 *   rod_rows.h      the rows of one Gauss point in C and G
 *   rod_pair.h      two nodes, one point: what the next two share
 *   rod_chain.c     chain of rigid bodies: mean rotation in v, one point a joint
 *   rod_linear.c    linear elements with one point, in closed form
 *   rod_element.c   finite elements: p by Lagrange, R = R_ref Exp(sum phi_j Log(R_ref^T R_j))
 *
 * The reference is node 1 for linear elements, the middle node for quadratic ones, the
 * half-way rotation between the inner nodes for cubic ones; so strains do not depend on the
 * observer, to round-off. Rotations from the reference must stay below pi. */
#ifndef XS_CONSTRAINT_ROD_H
#define XS_CONSTRAINT_ROD_H

#include "constraint/rows.h"

enum { XS_ROD_ELEMENT_NODES_MAX = 4, XS_ROD_GAUSS_MAX = 4 };

/* Parameters of an element's rows. */
typedef struct xs_rod_element {
  const xs_rod *rod;
  int index;           /* of the element in its rod */
  const double *alpha; /* 6 n_gauss: the same for all elements of a rod */
} xs_rod_element;

extern const xs_row_kind xs_rod_kind_chain, xs_rod_kind_linear, xs_rod_kind_quadratic,
    xs_rod_kind_cubic; /* n_rows of a block is 6 n_gauss of its rod, not the kind's */

/* Nodes of an element: 2, 2, 3, 4. */
int xs_rod_element_nodes(xs_rod_discretization discretization);

/* Fills alpha[6 n_gauss] for a rod. */
void xs_rod_compliance(const xs_rod *rod, double *alpha);

/* Blocks of a rod's elements, in order; elements[n_elements] and alpha must outlive them.
 * entity as given; *n_rows is advanced. */
void xs_rod_blocks(const xs_rod *rod, const double *alpha, xs_rod_element *elements, int entity,
                   int *n_rows, xs_row_block *block);

/* Strains minus rest, C of all Gauss points at the poses x: shear[g] = v - e3 and
 * bend[g] = u - u*, g = 0 .. n_elements n_gauss - 1. Also where a stiffness is zero. */
void xs_rod_strains(const xs_rod *rod, const xs_pose *x, xs_vec3 *shear, xs_vec3 *bend);

/* Arc length of the Gauss points at rest, m. */
void xs_rod_gauss_arc_length(const xs_rod *rod, double *arc_length);

/* Largest rotation of a node from its element's reference, rad, and the element (from 0); to
 * compare with pi. The inner nodes of a cubic element count from each other, because half a
 * turn between them turns their half-way reference over; as long as bending is smooth the outer
 * ones are farther (3/2 against 1 interval). Cheap: no logarithm but one; below 1e-7 rad the
 * choice among elements is left to round-off. */
double xs_rod_largest_rotation(const xs_rod *rod, const xs_pose *x, int *element);

/* Elastic energy by part, J: shear, stretch, bend, twist. */
void xs_rod_energy(const xs_rod *rod, const xs_vec3 *shear, const xs_vec3 *bend, double energy[4]);

#endif
