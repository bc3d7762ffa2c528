/* clang-format off */
/* The row triples from which joints are made, with their gradients.
 *
 * Columns (p1, R1, p2, R2), with Gi = Gamma^-1(phi), w1 = R1^T (pbar_2 - p1):
 *   POS3    pbar_1 - pbar_2              : [ I,         -R1 hat(r1),  -I,        R2 hat(r2)       ]
 *   ROT3    phi                          : [ 0,          Gi Q1^T,      0,       -Gi^T Q2^T        ]
 *   SLIDE   a . R1^T (pbar_2 - pbar_1)   : [-(R1 a)^T,  (a x w1)^T,   (R1 a)^T, (r2 x R2^T R1 a)^T]
 *   LENGTH  |pbar_1 - pbar_2|            : n^T POS3, n the unit vector; 0 at length 0
 *   ANGLE   -phi_3 + 2 pi k              : minus row 3 of ROT3; k goes on beyond pi
 * The SLD3 rows are SLIDE along the columns a of Q1; its lever arm on body 1 is w1, to the point
 * where pbar_2 is now. Row i of R hat(r) is (row i of R) x r, and row i of Gi Q^T is Q (row i of
 * Gi), so each row costs a cross product or a matrix-vector product.
 * Log jumps from phi to about -phi where the rotation passes half a turn. Hinges go through there:
 * their two rows phi_1, phi_2 take the sign of the relative quaternion's w (xs_joint_rows_side),
 * whose sign goes on with the states', so that rows and multipliers go on smoothly as well.
 *
 * The writers take a row's place `at` in C and G and the leading dimension `count`
 * (rows.h: G[(k * 6 + column) * count + row]), so that one row alone can be asked for. */
/* clang-format on */
#ifndef XS_CONSTRAINT_JOINT_ROWS_H
#define XS_CONSTRAINT_JOINT_ROWS_H

#include "base/unroll.h"
#include "constraint/joint.h"
#include "constraint/joint_scalar.h"
#include "constraint/joint_turn.h"
#include "math/so3_unit.h"

/* ---- Which rows are asked for ---- */

/* Of a triple's rows, from .. to - 1 are asked for; the first goes to place `at`. */
typedef struct xs_joint_rows_span {
  int from, to, at;
} xs_joint_rows_span;

/* A triple gives n rows of its block, from row `start` on; first .. first + count - 1 of the
 * block are asked for. */
XS_INLINE xs_joint_rows_span xs_joint_rows_asked(int start, int n, int first, int count) {
  int from = first > start ? first - start : 0, end = first + count - start;
  return (xs_joint_rows_span){from, end < n ? end : n, start + from - first};
}

XS_INLINE void xs_joint_rows_put(double *G, int node, int count, int at, xs_vec3 translation,
                                 xs_vec3 rotation) {
  double *column = G + node * 6 * count + at;
  column[0 * count] = translation.x;
  column[1 * count] = translation.y;
  column[2 * count] = translation.z;
  column[3 * count] = rotation.x;
  column[4 * count] = rotation.y;
  column[5 * count] = rotation.z;
}

XS_INLINE double xs_joint_rows_component(xs_vec3 a, int i) {
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

/* ---- POS3 ---- */

/* pbar_1 - pbar_2. Centres first: far from the origin their difference is exact or nearly
 * so. */
XS_INLINE xs_vec3 xs_joint_rows_gap(const xs_joint_geometry *joint, const xs_pose *x) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 arm1 = xs_mat3_mul_vec(&x1->R, joint->r1), arm2 = xs_mat3_mul_vec(&x2->R, joint->r2);
  return xs_vec3_add(xs_vec3_sub(x1->p, x2->p), xs_vec3_sub(arm1, arm2));
}

/* POS3 as the rows from `start` on. */
XS_INLINE void xs_joint_rows_position(const xs_joint_geometry *joint, const xs_pose *x, int start,
                                      int first, int count, double *C, double *G) {
  xs_joint_rows_span s = xs_joint_rows_asked(start, 3, first, count);
  if (s.from >= s.to) return;
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 gap = xs_joint_rows_gap(joint, x);
  for (int i = s.from, at = s.at; i < s.to; i++, at++) {
    xs_vec3 e = {i == 0, i == 1, i == 2};
    C[at] = xs_joint_rows_component(gap, i);
    xs_joint_rows_put(G, 0, count, at, e, xs_vec3_cross(joint->r1, xs_mat3_row(&x1->R, i)));
    xs_joint_rows_put(G, 1, count, at, xs_vec3_neg(e),
                      xs_vec3_cross(xs_mat3_row(&x2->R, i), joint->r2));
  }
}

/* ---- ROT3 ---- */

/* conj(Rbar_2) Rbar_1 as a quaternion: phi is its logarithm. */
XS_INLINE xs_quat xs_joint_rows_relative(const xs_joint_geometry *joint, const xs_pose *x) {
  xs_quat q1 = xs_quat_mul(x[joint->node1].q, joint->q1);
  xs_quat q2 = xs_quat_mul(x[joint->node2].q, joint->q2);
  return xs_quat_mul(xs_quat_conj(q2), q1);
}

/* Relative rotation, its logarithm and Gamma^-1: what the rotation rows of a block share. */
typedef struct xs_joint_rows_turned {
  xs_quat q;
  xs_vec3 phi;
  xs_mat3 Gi;
} xs_joint_rows_turned;

XS_INLINE xs_joint_rows_turned xs_joint_rows_log(const xs_joint_geometry *joint, const xs_pose *x) {
  xs_joint_rows_turned rel = {.q = xs_joint_rows_relative(joint, x)};
  rel.phi = xs_so3_unit_log(rel.q, &rel.Gi);
  return rel;
}

/* Sign that makes phi_1 and phi_2 of a hinge smooth over any number of turns. */
XS_INLINE double xs_joint_rows_side(const xs_joint_rows_turned *rel) {
  return rel->q.w < 0 ? -1 : 1;
}

/* Rows sign * phi, its components skip .. skip + n - 1, as the rows from `start` on. Q1 is
 * frame 1's, or that of a frame 1 turned further. */
XS_INLINE void xs_joint_rows_rotation(const xs_joint_geometry *joint,
                                      const xs_joint_rows_turned *rel, const xs_mat3 *Q1,
                                      double sign, int skip, int n, int start, int first, int count,
                                      double *C, double *G) {
  xs_joint_rows_span s = xs_joint_rows_asked(start, n, first, count);
  const xs_vec3 none = {0, 0, 0};
  for (int i = s.from + skip, at = s.at; i < s.to + skip; i++, at++) {
    xs_vec3 on1 = xs_vec3_scale(sign, xs_mat3_row(&rel->Gi, i));
    xs_vec3 on2 = xs_vec3_scale(-sign, xs_mat3_column(&rel->Gi, i));
    C[at] = sign * xs_joint_rows_component(rel->phi, i);
    xs_joint_rows_put(G, 0, count, at, none, xs_mat3_mul_vec(Q1, on1));
    xs_joint_rows_put(G, 1, count, at, none, xs_mat3_mul_vec(&joint->Q2, on2));
  }
}

/* ---- ANGLE ---- */

/* Angle of body 2 about frame 1's z, unwrapped if the joint has a turn, as row `start`. */
XS_INLINE void xs_joint_rows_angle(const xs_joint_geometry *joint, const xs_joint_rows_turned *rel,
                                   int start, int first, int count, double *C, double *G) {
  xs_joint_rows_span s = xs_joint_rows_asked(start, 1, first, count);
  if (s.from >= s.to) return;
  xs_joint_rows_rotation(joint, rel, &joint->Q1, -1, 2, 1, start, first, count, C, G);
  if (joint->turn) C[s.at] += 2 * XS_PI * xs_joint_turn_count(joint->turn, rel->q);
}

/* ---- SLIDE, LENGTH ---- */

/* w1 = R1^T (pbar_2 - p1) */
XS_INLINE xs_vec3 xs_joint_rows_lever(const xs_joint_geometry *joint, const xs_pose *x) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 arm2 = xs_mat3_mul_vec(&x2->R, joint->r2);
  return xs_mat3_tmul_vec(&x1->R, xs_vec3_add(xs_vec3_sub(x2->p, x1->p), arm2));
}

/* pbar_2 - pbar_1 along `axis`, which is fixed in node 1, as row `start`. */
XS_INLINE void xs_joint_rows_slide(const xs_joint_geometry *joint, const xs_pose *x, xs_vec3 w1,
                                   xs_vec3 axis, int start, int first, int count, double *C,
                                   double *G) {
  xs_joint_rows_span s = xs_joint_rows_asked(start, 1, first, count);
  if (s.from >= s.to) return;
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 n = xs_mat3_mul_vec(&x1->R, axis);
  C[s.at] = xs_vec3_dot(axis, xs_vec3_sub(w1, joint->r1));
  xs_joint_rows_put(G, 0, count, s.at, xs_vec3_neg(n), xs_vec3_cross(axis, w1));
  xs_joint_rows_put(G, 1, count, s.at, n, xs_vec3_cross(joint->r2, xs_mat3_tmul_vec(&x2->R, n)));
}

/* |pbar_1 - pbar_2| as a block's only row. */
XS_INLINE void xs_joint_rows_length(const xs_joint_geometry *joint, const xs_pose *x, double *C,
                                    double *G) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 gap = xs_joint_rows_gap(joint, x);
  xs_vec3 n = xs_joint_scalar_unit(gap, C);
  xs_joint_rows_put(G, 0, 1, 0, n, xs_vec3_cross(joint->r1, xs_mat3_tmul_vec(&x1->R, n)));
  xs_joint_rows_put(G, 1, 1, 0, xs_vec3_neg(n),
                    xs_vec3_cross(xs_mat3_tmul_vec(&x2->R, n), joint->r2));
}

/* ---- Joints made of POS3 and rows of ROT3 ---- */

/* POS3, then the first n_rotation rows of ROT3. Inlined with constant arguments. */
XS_INLINE void xs_joint_rows_evaluate(const xs_row_block *block, const xs_pose *x, int n_rotation,
                                      int first, int count, double *C, double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_rows_position(joint, x, 0, first, count, C, G);
  if (n_rotation == 0 || first + count <= 3) return;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  const double side = n_rotation == 2 ? xs_joint_rows_side(&rel) : 1;
  xs_joint_rows_rotation(joint, &rel, &joint->Q1, side, 0, n_rotation, 3, first, count, C, G);
}

#endif
