/* The row triples from which joints are made, with their gradients.
 *
 * Columns (p1, R1, p2, R2), with Gi = Gamma^-1(phi):
 *   POS3  pbar_1 - pbar_2 : [ I, -R1 hat(r1), -I,  R2 hat(r2) ]
 *   ROT3  phi             : [ 0,  Gi Q1^T,     0, -Gi^T Q2^T  ]
 * Row i of R hat(r) is (row i of R) x r, and row i of Gi Q^T is Q (row i of Gi), so each
 * row costs a cross product or a matrix-vector product.
 *
 * The writers take a row's place `at` in C and G and the leading dimension `count`
 * (rows.h: G[(k * 6 + column) * count + row]), so that one row alone can be asked for. */
#ifndef XS_CONSTRAINT_JOINT_ROWS_H
#define XS_CONSTRAINT_JOINT_ROWS_H

#include "constraint/joint.h"
#include "math/so3_unit.h"

static inline void xs_joint_rows_put(double *G, int node, int count, int at, xs_vec3 translation,
                                     xs_vec3 rotation) {
  double *column = G + node * 6 * count + at;
  column[0 * count] = translation.x;
  column[1 * count] = translation.y;
  column[2 * count] = translation.z;
  column[3 * count] = rotation.x;
  column[4 * count] = rotation.y;
  column[5 * count] = rotation.z;
}

static inline double xs_joint_rows_component(xs_vec3 a, int i) {
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

/* POS3 rows first .. last - 1 (0..3), written from place `at` on. */
static inline void xs_joint_rows_position(const xs_joint_geometry *joint, const xs_pose *x,
                                          int first, int last, int at, int count, double *C,
                                          double *G) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 arm1 = xs_mat3_mul_vec(&x1->R, joint->r1), arm2 = xs_mat3_mul_vec(&x2->R, joint->r2);
  /* Centres first: far from the origin their difference is exact or nearly so. */
  xs_vec3 gap = xs_vec3_add(xs_vec3_sub(x1->p, x2->p), xs_vec3_sub(arm1, arm2));
  for (int i = first; i < last; i++, at++) {
    xs_vec3 e = {i == 0, i == 1, i == 2};
    C[at] = xs_joint_rows_component(gap, i);
    xs_joint_rows_put(G, 0, count, at, e, xs_vec3_cross(joint->r1, xs_mat3_row(&x1->R, i)));
    xs_joint_rows_put(G, 1, count, at, xs_vec3_neg(e),
                      xs_vec3_cross(xs_mat3_row(&x2->R, i), joint->r2));
  }
}

/* conj(Rbar_2) Rbar_1 as a quaternion: phi is its logarithm. */
static inline xs_quat xs_joint_rows_relative(const xs_joint_geometry *joint, const xs_pose *x) {
  xs_quat q1 = xs_quat_mul(x[joint->node1].q, joint->q1);
  xs_quat q2 = xs_quat_mul(x[joint->node2].q, joint->q2);
  return xs_quat_mul(xs_quat_conj(q2), q1);
}

/* ROT3 rows first .. last - 1 (0..3), written from place `at` on. */
static inline void xs_joint_rows_rotation(const xs_joint_geometry *joint, const xs_pose *x,
                                          int first, int last, int at, int count, double *C,
                                          double *G) {
  xs_mat3 Gi;
  xs_vec3 phi = xs_so3_unit_log(xs_joint_rows_relative(joint, x), &Gi);
  xs_vec3 none = {0, 0, 0};
  for (int i = first; i < last; i++, at++) {
    C[at] = xs_joint_rows_component(phi, i);
    xs_joint_rows_put(G, 0, count, at, none, xs_mat3_mul_vec(&joint->Q1, xs_mat3_row(&Gi, i)));
    xs_joint_rows_put(G, 1, count, at, none,
                      xs_vec3_neg(xs_mat3_mul_vec(&joint->Q2, xs_mat3_column(&Gi, i))));
  }
}

/* Rows first .. first + count - 1 of a joint whose rows are POS3, then the first
 * n_rotation rows of ROT3. Inlined with constant arguments by the joint types. */
static inline void xs_joint_rows_evaluate(const xs_row_block *block, const xs_pose *x,
                                          int n_rotation, int first, int count, double *C,
                                          double *G) {
  const xs_joint_geometry *joint = block->data;
  int end = first + count, at = 0;
  if (first < 3) {
    int last = end < 3 ? end : 3;
    xs_joint_rows_position(joint, x, first, last, 0, count, C, G);
    at = last - first;
  }
  if (n_rotation > 0 && end > 3) {
    int from = first > 3 ? first - 3 : 0;
    xs_joint_rows_rotation(joint, x, from, end - 3, at, count, C, G);
  }
}

#endif
