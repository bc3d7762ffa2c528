/* Geometric stiffness of the row triples of joint_rows.h, and of the joints made of them.
 *
 *   POS3   g_i = +- r_i x R_i^T s                     d g_i = +- hat(r_i) hat(R_i^T s) d_i
 *   ROT3   a.Log(Rbar_2^T Rbar_1)                     row_stiffness.h, in the joint's frames
 *   SLIDE  s a.R_1^T (pbar_2 - pbar_1), n = s R_1 a   dn = -R_1 hat(s a) d_1,
 *          g_p = -+ n, g_1 = s a x w1, g_2 = r2 x R_2^T n   dw1 = R_1^T dy + hat(w1) d_1
 *   LENGTH POS3 with s n, and (s/L) G^T (I - n n^T) G, G the gradient of POS3 */
#include "constraint/joint_stiffness.h"

#include <string.h>

#include "constraint/joint_rows.h"
#include "constraint/row_stiffness.h"

static void put(double *H, int i, int i_part, int k, int k_part, xs_mat3 A) {
  xs_row_stiffness_add(H, 12, i, i_part, k, k_part, A);
}

static void clear(double *H) { memset(H, 0, 144 * sizeof *H); }

static void position(const xs_joint_geometry *joint, const xs_pose *x, xs_vec3 s, double *H) {
  const xs_vec3 r[2] = {joint->r1, joint->r2};
  const int node[2] = {joint->node1, joint->node2};
  for (int i = 0; i < 2; i++) {
    const xs_vec3 on = xs_mat3_tmul_vec(&x[node[i]].R, xs_vec3_scale(i == 0 ? 1 : -1, s));
    put(H, i, 3, i, 3, xs_mat3_mul(xs_mat3_hat(r[i]), xs_mat3_hat(on)));
  }
}

/* a.phi; q1 and Q1: frame 1, or that of a frame 1 turned further. */
static void rotation(const xs_joint_geometry *joint, const xs_pose *x, xs_quat q1,
                     const xs_mat3 *Q1, xs_vec3 a, double *H) {
  xs_mat3 Gi;
  const xs_quat to1 = xs_quat_mul(x[joint->node1].q, q1),
                to2 = xs_quat_mul(x[joint->node2].q, joint->q2);
  const xs_vec3 phi = xs_so3_unit_log(xs_quat_mul(xs_quat_conj(to2), to1), &Gi);
  const xs_row_log_stiffness log = xs_row_stiffness_log(phi, &Gi, a);
  const xs_mat3 *Q2 = &joint->Q2;
  put(H, 0, 3, 0, 3, xs_mat3_mult(xs_mat3_mul(*Q1, log.jj), *Q1));
  put(H, 0, 3, 1, 3, xs_mat3_mult(xs_mat3_mul(*Q1, log.jo), *Q2));
  put(H, 1, 3, 0, 3, xs_mat3_mult(xs_mat3_mul(*Q2, log.oj), *Q1));
  put(H, 1, 3, 1, 3, xs_mat3_mult(xs_mat3_mul(*Q2, log.oo), *Q2));
}

/* a: the axis in node 1 times the row's s. */
static void slide(const xs_joint_geometry *joint, const xs_pose *x, xs_vec3 a, double *H) {
  const xs_mat3 *R1 = &x[joint->node1].R, *R2 = &x[joint->node2].R;
  const xs_mat3 ha = xs_mat3_hat(a), hr = xs_mat3_hat(joint->r2);
  const xs_vec3 w1 = xs_joint_rows_lever(joint, x), n = xs_mat3_mul_vec(R1, a);

  /* g_p1 = -n, g_p2 = n; and their transposes in g_1. */
  const xs_mat3 dn = xs_mat3_scale(-1, xs_mat3_mul(*R1, ha)), minus = xs_mat3_scale(-1, dn);
  put(H, 1, 0, 0, 3, dn);
  put(H, 0, 0, 0, 3, minus);
  put(H, 0, 3, 1, 0, xs_mat3_transpose(dn));
  put(H, 0, 3, 0, 0, xs_mat3_transpose(minus));

  put(H, 0, 3, 0, 3, xs_mat3_mul(ha, xs_mat3_hat(w1)));
  const xs_mat3 cross = xs_mat3_mul(hr, xs_mat3_tmul(*R2, dn)); /* hat(r2) R2^T dn */
  put(H, 1, 3, 0, 3, cross);
  put(H, 0, 3, 1, 3, xs_mat3_transpose(cross));
  put(H, 1, 3, 1, 3, xs_mat3_mul(hr, xs_mat3_hat(xs_mat3_tmul_vec(R2, n))));
}

static void length(const xs_joint_geometry *joint, const xs_pose *x, double s, double *H) {
  const xs_mat3 *R1 = &x[joint->node1].R, *R2 = &x[joint->node2].R;
  double L;
  const xs_vec3 n = xs_joint_scalar_unit(xs_joint_rows_gap(joint, x), &L);
  if (!(L > 0)) return; /* no direction: the gradient is 0 */
  position(joint, x, xs_vec3_scale(s, n), H);

  xs_mat3 across = xs_mat3_outer(xs_vec3_scale(-s / L, n), n);
  for (int i = 0; i < 3; i++) across.m[i][i] += s / L;
  const xs_mat3 G[4] = {
      xs_mat3_identity(), xs_mat3_scale(-1, xs_mat3_mul(*R1, xs_mat3_hat(joint->r1))),
      xs_mat3_scale(-1, xs_mat3_identity()), xs_mat3_mul(*R2, xs_mat3_hat(joint->r2))};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      put(H, i / 2, 3 * (i % 2), k / 2, 3 * (k % 2), xs_mat3_tmul(G[i], xs_mat3_mul(across, G[k])));
}

/* ---- Joints ---- */

static void positioned(const xs_row_block *block, const xs_pose *x, const double *s, xs_vec3 a,
                       double *H) {
  const xs_joint_geometry *joint = block->data;
  clear(H);
  position(joint, x, (xs_vec3){s[0], s[1], s[2]}, H);
  rotation(joint, x, joint->q1, &joint->Q1, a, H);
}

void xs_joint_stiffness_fixed(const xs_row_block *block, const xs_pose *x, const double *s,
                              double *H) {
  positioned(block, x, s, (xs_vec3){s[3], s[4], s[5]}, H);
}

void xs_joint_stiffness_revolute(const xs_row_block *block, const xs_pose *x, const double *s,
                                 double *H) {
  positioned(block, x, s, (xs_vec3){s[3], s[4], 0}, H);
}

/* The angle is -phi_3 and turns, which do not change. */
void xs_joint_stiffness_revolute_target(const xs_row_block *block, const xs_pose *x,
                                        const double *s, double *H) {
  const xs_joint_geometry *joint = block->data;
  positioned(block, x, s, (xs_vec3){s[3], s[4], -joint->driven.x * s[5]}, H);
}

void xs_joint_stiffness_spherical(const xs_row_block *block, const xs_pose *x, const double *s,
                                  double *H) {
  clear(H);
  position(block->data, x, (xs_vec3){s[0], s[1], s[2]}, H);
}

void xs_joint_stiffness_spherical_target(const xs_row_block *block, const xs_pose *x,
                                         const double *s, double *H) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_stiffness_spherical(block, x, s, H);
  const xs_vec3 a = xs_vec3_mul(joint->driven, (xs_vec3){-s[3], -s[4], -s[5]});
  rotation(joint, x, joint->q1_target, &joint->Q1_target, a, H);
}

void xs_joint_stiffness_prismatic(const xs_row_block *block, const xs_pose *x, const double *s,
                                  double *H) {
  const xs_joint_geometry *joint = block->data;
  clear(H);
  slide(joint, x, xs_mat3_mul_vec(&joint->Q1, (xs_vec3){s[0], s[1], 0}), H);
  rotation(joint, x, joint->q1, &joint->Q1, (xs_vec3){s[2], s[3], s[4]}, H);
}

void xs_joint_stiffness_prismatic_target(const xs_row_block *block, const xs_pose *x,
                                         const double *s, double *H) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_stiffness_prismatic(block, x, s, H);
  slide(joint, x, xs_vec3_scale(joint->driven.x * s[5], xs_mat3_column(&joint->Q1, 2)), H);
}

void xs_joint_stiffness_planar(const xs_row_block *block, const xs_pose *x, const double *s,
                               double *H) {
  const xs_joint_geometry *joint = block->data;
  clear(H);
  slide(joint, x, xs_vec3_scale(s[0], joint->height), H);
  rotation(joint, x, joint->q1, &joint->Q1, (xs_vec3){s[1], s[2], 0}, H);
}

void xs_joint_stiffness_distance(const xs_row_block *block, const xs_pose *x, const double *s,
                                 double *H) {
  clear(H);
  length(block->data, x, s[0], H);
}

/* ---- Limits ---- */

void xs_joint_stiffness_revolute_limit(const xs_row_block *block, const xs_pose *x, const double *s,
                                       double *H) {
  const xs_joint_limit *limit = block->data;
  clear(H);
  rotation(limit->joint, x, limit->joint->q1, &limit->joint->Q1,
           (xs_vec3){0, 0, -limit->sign * s[0]}, H);
}

void xs_joint_stiffness_prismatic_limit(const xs_row_block *block, const xs_pose *x,
                                        const double *s, double *H) {
  const xs_joint_limit *limit = block->data;
  clear(H);
  slide(limit->joint, x, xs_vec3_scale(limit->sign * s[0], xs_mat3_column(&limit->joint->Q1, 2)),
        H);
}

void xs_joint_stiffness_distance_limit(const xs_row_block *block, const xs_pose *x, const double *s,
                                       double *H) {
  const xs_joint_limit *limit = block->data;
  clear(H);
  length(limit->joint, x, limit->sign * s[0], H);
}
