/* Rotations of an element's nodes from its reference, and how the reference turns with them.
 *
 *   Theta_j = Log(R_ref^T R_j),   dTheta_j = Gamma^-1(Theta_j) d_j - Gamma^-1(Theta_j)^T d_ref
 * for R_j <- R_j Exp(d_j). With 2 nodes the reference is the first, with 3 the middle one,
 * where Theta = 0 identically: such a node is left out of all sums. With 4 nodes it is half
 * way from R_a to R_b, the inner ones. With q_ab = conj(q_a) q_b = (w, v), w >= 0, of angle P:
 *   q_ref = q_a (1 + w, v) / sqrt(2 (1 + w)),     Theta_b = -Theta_a = P/2
 *   d_ref = (d_a + d_b)/2 + s x (d_b - d_a)/2,    s = v/(1 + w) = tan(P/4) about P's axis
 * The second line is Gamma(P/2) Gamma^-1(P)/2 = (I + hat(s))/2 in closed form: on the plane
 * across P the two Jacobians are complex numbers, whose product is 1 + i tan(P/4). */
#ifndef XS_CONSTRAINT_ROD_ROTATION_H
#define XS_CONSTRAINT_ROD_ROTATION_H

#include "base/unroll.h"
#include "constraint/rod.h"
#include "math/so3_unit.h"

enum { XS_ROD_HALF_WAY = -1, XS_ROD_INNER_A = 1, XS_ROD_INNER_B = 2 };

typedef struct xs_rod_rotation {
  xs_mat3 R_ref;
  xs_vec3 Theta[XS_ROD_ELEMENT_NODES_MAX];
  xs_mat3 Gi[XS_ROD_ELEMENT_NODES_MAX]; /* Gamma^-1(Theta_j) */
  xs_vec3 s;                            /* half-way reference only */
} xs_rod_rotation;

/* Reference of an element of n nodes: one of them, or XS_ROD_HALF_WAY. */
XS_INLINE int xs_rod_reference(int n) { return n == 2 ? 0 : n == 3 ? 1 : XS_ROD_HALF_WAY; }

/* (1 + w, v) / sqrt(2 (1 + w)) of q_ab = conj(q_a) q_b, with w >= 0: half of the rotation. */
XS_INLINE xs_quat xs_rod_half(xs_quat q_ab) {
  double sign = copysign(1, q_ab.w), w = 1 + fabs(q_ab.w), k = 1 / sqrt(w + w);
  return (xs_quat){k * w, k * sign * q_ab.x, k * sign * q_ab.y, k * sign * q_ab.z};
}

/* Inlined with n constant; x: poses of the element's n nodes. */
XS_INLINE void xs_rod_rotate(const xs_pose *x, int n, xs_rod_rotation *rotation) {
  int reference = xs_rod_reference(n);
  xs_quat q_ref;

  if (reference == XS_ROD_HALF_WAY) {
    xs_quat q_a = x[XS_ROD_INNER_A].q, q_b = x[XS_ROD_INNER_B].q;
    xs_quat half = xs_rod_half(xs_quat_mul(xs_quat_conj(q_a), q_b));
    q_ref = xs_quat_mul(q_a, half);
    rotation->R_ref = xs_so3_matrix(q_ref);

    /* half = (cos(P/4), sin(P/4) axis); its logarithm is P/2. */
    rotation->s = xs_vec3_scale(1 / half.w, xs_quat_vec(half));
    xs_vec3 Theta = xs_so3_unit_log(half, &rotation->Gi[XS_ROD_INNER_B]);
    rotation->Theta[XS_ROD_INNER_B] = Theta;
    rotation->Theta[XS_ROD_INNER_A] = xs_vec3_neg(Theta);
    rotation->Gi[XS_ROD_INNER_A] = xs_mat3_transpose(rotation->Gi[XS_ROD_INNER_B]);
  } else {
    q_ref = x[reference].q;
    rotation->R_ref = x[reference].R;
  }

  XS_UNROLL
  for (int j = 0; j < n; j++) {
    if (j == reference) continue;
    if (reference == XS_ROD_HALF_WAY && (j == XS_ROD_INNER_A || j == XS_ROD_INNER_B)) continue;
    rotation->Theta[j] =
        xs_so3_unit_log(xs_quat_mul(xs_quat_conj(q_ref), x[j].q), &rotation->Gi[j]);
  }
}

/* A += s B */
XS_INLINE void xs_rod_add_scaled(xs_mat3 *A, double s, const xs_mat3 *B) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A->m[i][j] += s * B->m[i][j];
}

/* A += (B -+ B hat(s))/2: what an inner node gets from the half-way reference. */
XS_INLINE void xs_rod_add_share(xs_mat3 *A, const xs_mat3 *B, xs_vec3 half_s, double sign) {
  XS_UNROLL
  for (int i = 0; i < 3; i++) {
    xs_vec3 row = xs_mat3_row(B, i), turn = xs_vec3_cross(row, half_s);
    A->m[i][0] += 0.5 * row.x + sign * turn.x;
    A->m[i][1] += 0.5 * row.y + sign * turn.y;
    A->m[i][2] += 0.5 * row.z + sign * turn.z;
  }
}

#endif
