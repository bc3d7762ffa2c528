/* From the description of a rod to its row blocks, and what is measured along it. */
#include "constraint/rod.h"

#include <assert.h>
#include <float.h>

#include "constraint/rod_element.h"
#include "constraint/rod_rotation.h"
#include "constraint/rod_shape.h"
#include "math/trig.h"

typedef void strain_function(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                             xs_vec3 *shear, xs_vec3 *bend);

/* What each discretization has. */
static const struct {
  int n_nodes;
  const xs_row_kind *kind;
  strain_function *strains;
} types[XS_N_ROD_DISCRETIZATIONS] = {
    [XS_ROD_CHAIN] = {2, &xs_rod_kind_chain, xs_rod_chain_strains},
    [XS_ROD_LINEAR] = {2, &xs_rod_kind_linear, xs_rod_linear_strains},
    [XS_ROD_QUADRATIC] = {3, &xs_rod_kind_quadratic, xs_rod_element_strains},
    [XS_ROD_CUBIC] = {4, &xs_rod_kind_cubic, xs_rod_element_strains},
};

int xs_rod_element_nodes(xs_rod_discretization discretization) {
  assert(discretization < XS_N_ROD_DISCRETIZATIONS);
  return types[discretization].n_nodes;
}

/* Nodes before the element's first. */
static int nodes_before(const xs_rod *rod, int element) {
  return element * (xs_rod_element_nodes(rod->discretization) - 1);
}

static const double *gauss_weight(const xs_rod *rod) {
  assert(1 <= rod->n_gauss && rod->n_gauss <= XS_ROD_GAUSS_MAX);
  assert(rod->discretization != XS_ROD_CHAIN || rod->n_gauss == 1);
  return XS_ROD_GAUSS_WEIGHT[rod->n_gauss - 1];
}

/* ---- Blocks ---- */

void xs_rod_compliance(const xs_rod *rod, double *alpha) {
  const double K[6] = {rod->K_shear.x, rod->K_shear.y, rod->K_shear.z,
                       rod->K_bend.x,  rod->K_bend.y,  rod->K_bend.z};
  const double *w = gauss_weight(rod);
  for (int g = 0; g < rod->n_gauss; g++)
    for (int i = 0; i < 6; i++)
      alpha[6 * g + i] = K[i] != 0 ? 1 / (w[g] * rod->element_length * K[i]) : 1;
}

void xs_rod_blocks(const xs_rod *rod, const double *alpha, xs_rod_element *elements, int entity,
                   int *n_rows, xs_row_block *block) {
  int n_nodes = xs_rod_element_nodes(rod->discretization);
  for (int e = 0; e < rod->n_elements; e++) {
    elements[e] = (xs_rod_element){rod, e, alpha};
    block[e] = (xs_row_block){
        .kind = types[rod->discretization].kind,
        .data = &elements[e],
        .alpha = alpha,
        .entity = entity,
        .first_row = *n_rows,
        .n_rows = 6 * rod->n_gauss,
        .n_nodes = n_nodes,
        .bound = XS_BOUND_NONE,
        .lambda_min = -INFINITY,
        .lambda_max = INFINITY,
    };
    for (int k = 0; k < n_nodes; k++) block[e].node[k] = rod->first_node + nodes_before(rod, e) + k;
    *n_rows += block[e].n_rows;
  }
}

/* ---- Along the rod ---- */

void xs_rod_strains(const xs_rod *rod, const xs_pose *x, xs_vec3 *shear, xs_vec3 *bend) {
  strain_function *strains = types[rod->discretization].strains;
  for (int e = 0; e < rod->n_elements; e++) {
    int g = e * rod->n_gauss;
    strains(rod, x + rod->first_node + nodes_before(rod, e), rod->rest_bend + g, shear + g,
            bend + g);
  }
}

void xs_rod_gauss_arc_length(const xs_rod *rod, double *arc_length) {
  for (int e = 0; e < rod->n_elements; e++)
    for (int g = 0; g < rod->n_gauss; g++)
      arc_length[e * rod->n_gauss + g] = rod->arc_length[nodes_before(rod, e)] +
                                         rod->element_length * XS_ROD_GAUSS_XI[rod->n_gauss - 1][g];
}

void xs_rod_energy(const xs_rod *rod, const xs_vec3 *shear, const xs_vec3 *bend, double energy[4]) {
  const double *w = gauss_weight(rod);
  double sum[4] = {0};
  for (int e = 0; e < rod->n_elements; e++)
    for (int g = 0; g < rod->n_gauss; g++) {
      xs_vec3 v = shear[e * rod->n_gauss + g], u = bend[e * rod->n_gauss + g];
      xs_vec3 v2 = xs_vec3_mul(v, v), u2 = xs_vec3_mul(u, u);
      double half = 0.5 * w[g] * rod->element_length;
      sum[0] += half * (rod->K_shear.x * v2.x + rod->K_shear.y * v2.y);
      sum[1] += half * (rod->K_shear.z * v2.z);
      sum[2] += half * (rod->K_bend.x * u2.x + rod->K_bend.y * u2.y);
      sum[3] += half * (rod->K_bend.z * u2.z);
    }
  for (int i = 0; i < 4; i++) energy[i] = sum[i];
}

/* ---- Largest rotation ---- */

/* Relative rotation of two nodes or of a node and the reference. */
typedef struct relative {
  xs_quat from, to;
  double w; /* |cosine| of half the angle */
  int element;
} relative;

static void keep_larger(relative *largest, xs_quat from, xs_quat to, int element) {
  double w = fabs(from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z);
  if (w < largest->w) *largest = (relative){from, to, w, element};
}

/* Nodes of one element from its reference; x: poses of its n nodes. */
static void keep_element(const xs_pose *x, int n, int element, relative *largest) {
  int reference = xs_rod_reference(n);
  xs_quat q_ref;
  if (reference == XS_ROD_HALF_WAY) {
    /* The inner nodes from each other: a half turn there turns the reference over. */
    xs_quat q_a = x[XS_ROD_INNER_A].q, q_b = x[XS_ROD_INNER_B].q;
    keep_larger(largest, q_a, q_b, element);
    q_ref = xs_quat_mul(q_a, xs_rod_half(xs_quat_mul(xs_quat_conj(q_a), q_b)));
  } else {
    q_ref = x[reference].q;
  }
  for (int j = 0; j < n; j++)
    if (j != reference) keep_larger(largest, q_ref, x[j].q, element);
}

double xs_rod_largest_rotation(const xs_rod *rod, const xs_pose *x, int *element) {
  relative largest = {x[rod->first_node].q, x[rod->first_node].q, INFINITY, 0};
  int n = xs_rod_element_nodes(rod->discretization);
  for (int e = 0; e < rod->n_elements; e++)
    keep_element(x + rod->first_node + nodes_before(rod, e), n, e, &largest);

  xs_quat q = xs_quat_mul(xs_quat_conj(largest.from), largest.to);
  *element = largest.element;
  return 2 * xs_trig_atan2(xs_vec3_norm(xs_quat_vec(q)), fabs(q.w));
}
