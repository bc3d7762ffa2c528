/* Limits of joint variables: C = sign (q - bound) >= 0, one row with lambda >= 0.
 *
 *   revolute, prismatic, distance: q as in joint_coordinate_rows.c
 *   swing   2 atan2(|(x, y)|, |(w, z)|)    a = (w x - y z, w y + x z, 0) / (|(x, y)| |(w, z)|)
 *           gradient -Q1 a,  Q2 R_D^T a    (rotation columns of nodes 1, 2)
 *   twist   2 atan2(z, w)                  b = (w y + x z, y z - w x, m) / m,  m = w^2 + z^2
 *           gradient -Q1 b,  Q2 R_D^T b
 * (Tobin & Rucker, section 5) with R_D = Rbar_1^T Rbar_2 = R_swing Rz(twist) and (w, x, y, z)
 * its quaternion. R_D^T a and R_D^T b are those of the quaternion with w turned to -w, up to
 * the signs written out below.
 *
 * Swing 0 and pi have no axis a, swing pi no twist: the gradient there is 0, the swing 0 or
 * pi and the twist 2 atan2(z, w) of what is left, all finite. Close by, the gradient of swing
 * keeps unit length and that of twist grows as 1/cos(swing/2). Twist is taken within half a
 * turn of the middle of its range, so that the nearer bound is the one that is passed. */
#include <assert.h>

#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

/* Below this cos^2(swing/2) the twist is made of rounding errors. */
#define LOST_TWIST 0x1p-104

/* From q and its gradient to one side of a limit. */
XS_INLINE void bound(const xs_joint_limit *limit, double *C, double *G) {
  C[0] = limit->sign * (C[0] - limit->bound);
  for (int column = 0; column < 12; column++) G[column] *= limit->sign;
}

/* Gradient -Q1 a on node 1, Q2 b on node 2. */
XS_INLINE void put_axes(const xs_joint_geometry *joint, xs_vec3 a, xs_vec3 b, double *G) {
  const xs_vec3 none = {0, 0, 0};
  xs_joint_rows_put(G, 0, 1, 0, none, xs_vec3_neg(xs_mat3_mul_vec(&joint->Q1, a)));
  xs_joint_rows_put(G, 1, 1, 0, none, xs_mat3_mul_vec(&joint->Q2, b));
}

static void revolute(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  const xs_joint_limit *limit = block->data;
  xs_joint_rows_turned rel = xs_joint_rows_log(limit->joint, x);
  assert(first == 0 && count == 1);
  xs_joint_rows_angle(limit->joint, &rel, 0, first, count, C, G);
  bound(limit, C, G);
}

static void prismatic(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                      double *G) {
  const xs_joint_limit *limit = block->data;
  xs_vec3 w1 = xs_joint_rows_lever(limit->joint, x), axis = xs_mat3_column(&limit->joint->Q1, 2);
  assert(first == 0 && count == 1);
  xs_joint_rows_slide(limit->joint, x, w1, axis, 0, first, count, C, G);
  bound(limit, C, G);
}

static void distance(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  const xs_joint_limit *limit = block->data;
  assert(first == 0 && count == 1);
  (void)first, (void)count;
  xs_joint_rows_length(limit->joint, x, C, G);
  bound(limit, C, G);
}

static void swing(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                  double *G) {
  const xs_joint_limit *limit = block->data;
  assert(first == 0 && count == 1);
  (void)first, (void)count;
  xs_quat q = xs_quat_conj(xs_joint_rows_relative(limit->joint, x));
  double s = sqrt(q.x * q.x + q.y * q.y), c = sqrt(q.w * q.w + q.z * q.z);
  C[0] = 2 * xs_trig_atan2(s, c);

  /* (x, y)/s turned by the angle of (w, z), either way; two divisions, as s c may underflow.
   * Without axis one of the pairs is 0, and so is the gradient. */
  double per_s = s > 0 ? 1 / s : 0, per_c = c > 0 ? 1 / c : 0;
  double qx = q.x * per_s, qy = q.y * per_s, qw = q.w * per_c, qz = q.z * per_c;
  xs_vec3 a = {qw * qx - qz * qy, qw * qy + qz * qx, 0};
  xs_vec3 b = {qw * qx + qz * qy, qw * qy - qz * qx, 0};
  put_axes(limit->joint, a, b, G);
  bound(limit, C, G);
}

static void twist(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                  double *G) {
  const xs_joint_limit *limit = block->data;
  assert(first == 0 && count == 1);
  (void)first, (void)count;
  xs_quat q = xs_quat_conj(xs_joint_rows_relative(limit->joint, x));
  double angle = 2 * xs_trig_atan2(q.z, q.w), middle = limit->middle;
  C[0] = angle + 2 * XS_PI * floor((middle - angle) / (2 * XS_PI) + 0.5);

  double m = q.w * q.w + q.z * q.z, known = m > LOST_TWIST ? 1 : 0, k = known > 0 ? 1 / m : 0;
  xs_vec3 a = {k * (q.w * q.y + q.x * q.z), k * (q.y * q.z - q.w * q.x), known};
  xs_vec3 b = {k * (q.x * q.z - q.w * q.y), k * (q.y * q.z + q.w * q.x), known};
  put_axes(limit->joint, a, b, G);
  bound(limit, C, G);
}

const xs_row_kind xs_joint_revolute_limit = {.name = "revolute_limit",
                                             .n_rows = 1,
                                             .n_nodes = 2,
                                             .evaluate = revolute,
                                             .stiffness = xs_joint_stiffness_revolute_limit};
const xs_row_kind xs_joint_prismatic_limit = {.name = "prismatic_limit",
                                              .n_rows = 1,
                                              .n_nodes = 2,
                                              .evaluate = prismatic,
                                              .stiffness = xs_joint_stiffness_prismatic_limit};
const xs_row_kind xs_joint_distance_limit = {.name = "distance_limit",
                                             .n_rows = 1,
                                             .n_nodes = 2,
                                             .evaluate = distance,
                                             .stiffness = xs_joint_stiffness_distance_limit};
const xs_row_kind xs_joint_swing_limit = {
    .name = "swing_limit", .n_rows = 1, .n_nodes = 2, .evaluate = swing};
const xs_row_kind xs_joint_twist_limit = {
    .name = "twist_limit", .n_rows = 1, .n_nodes = 2, .evaluate = twist};
