/* Normed angle rows of joints.
 *
 *   rotation  phi = Rbar_1 [-] Rbar_2, n = phi/|phi| (in both joint frames)
 *             [ 0, n^T Q1^T, 0, -n^T Q2^T ]     n^T Gamma^-1(phi) = n^T
 *   axis      Delta = a1 x a2, n = Delta/|Delta| (world), a_i = Rbar_i e3
 *             [ 0, -(R1^T n)^T, 0, (R2^T n)^T ]
 *
 * These are the gradients of the angles |phi| and err = atan2(|Delta|, a1.a2), of which
 * only the direction n enters. Mueller et al. take the same gradients, but for C what
 * their corrections yield without an arc function: 2 sin(|phi|/2), of which the true
 * gradient is cos(|phi|/2) times as long, and |Delta| = sin(err), where it is cos(err) times:
 * beyond a right angle that row takes opposite axes for its solution.
 *
 * err is not |(phi_1, phi_2)|, the vector rows' error: both vanish together only. Where axes
 * are exactly opposite there is no direction: err = pi with gradient zero. */
#include "constraint/joint_rows.h"
#include "constraint/joint_scalar.h"

static const xs_vec3 none = {0, 0, 0};

/* ---- rotation ---- */

static void rotation_with(const xs_joint_geometry *joint, const xs_pose *x, int mueller, double *C,
                          double *G) {
  /* q and -q are the same rotation: phi points along the vector part of the one with
   * w >= 0, whose angle is at most pi. */
  xs_quat q = xs_joint_rows_relative(joint, x);
  double sine_half;
  xs_vec3 n = xs_joint_scalar_unit(xs_quat_vec(q), &sine_half);
  if (q.w < 0) n = xs_vec3_neg(n);
  *C = 2 * (mueller ? sine_half : xs_trig_atan2(sine_half, fabs(q.w)));
  xs_joint_rows_put(G, 0, 1, 0, none, xs_mat3_mul_vec(&joint->Q1, n));
  xs_joint_rows_put(G, 1, 1, 0, none, xs_vec3_neg(xs_mat3_mul_vec(&joint->Q2, n)));
}

static void rotation(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  (void)first, (void)count; /* one row */
  rotation_with(block->data, x, 0, C, G);
}

static void rotation_mueller(const xs_row_block *block, const xs_pose *x, int first, int count,
                             double *C, double *G) {
  (void)first, (void)count;
  rotation_with(block->data, x, 1, C, G);
}

/* ---- axis ---- */

static void axis_with(const xs_joint_geometry *joint, const xs_pose *x, int mueller, double *C,
                      double *G) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 a1 = xs_mat3_mul_vec(&x1->R, xs_mat3_column(&joint->Q1, 2));
  xs_vec3 a2 = xs_mat3_mul_vec(&x2->R, xs_mat3_column(&joint->Q2, 2));
  double sine;
  xs_vec3 n = xs_joint_scalar_unit(xs_vec3_cross(a1, a2), &sine);
  *C = mueller ? sine : xs_trig_atan2(sine, xs_vec3_dot(a1, a2));
  xs_joint_rows_put(G, 0, 1, 0, none, xs_vec3_neg(xs_mat3_tmul_vec(&x1->R, n)));
  xs_joint_rows_put(G, 1, 1, 0, none, xs_mat3_tmul_vec(&x2->R, n));
}

static void axis(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                 double *G) {
  (void)first, (void)count;
  axis_with(block->data, x, 0, C, G);
}

static void axis_mueller(const xs_row_block *block, const xs_pose *x, int first, int count,
                         double *C, double *G) {
  (void)first, (void)count;
  axis_with(block->data, x, 1, C, G);
}

/* A couple (world) on node 1, its opposite on node 2. */
static void couple(const xs_row_block *block, const xs_pose *x, xs_vec3 impulse, double g[][6]) {
  const xs_joint_geometry *joint = block->data;
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_joint_rows_put(g[0], 0, 1, 0, none, xs_mat3_tmul_vec(&x1->R, impulse));
  xs_joint_rows_put(g[0], 1, 1, 0, none, xs_vec3_neg(xs_mat3_tmul_vec(&x2->R, impulse)));
}

const xs_row_kind xs_joint_scalar_rotation = {
    .name = "rotation", .n_rows = 1, .n_nodes = 2, .evaluate = rotation, .impulse = couple};
const xs_row_kind xs_joint_scalar_rotation_mueller = {.name = "rotation-mueller",
                                                      .n_rows = 1,
                                                      .n_nodes = 2,
                                                      .evaluate = rotation_mueller,
                                                      .impulse = couple};
const xs_row_kind xs_joint_scalar_axis = {
    .name = "axis", .n_rows = 1, .n_nodes = 2, .evaluate = axis, .impulse = couple};
const xs_row_kind xs_joint_scalar_axis_mueller = {
    .name = "axis-mueller", .n_rows = 1, .n_nodes = 2, .evaluate = axis_mueller, .impulse = couple};
