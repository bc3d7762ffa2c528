/* The free coordinates q(x) of each joint type as rows, body 2 relative to body 1:
 *
 *   revolute   -phi_3, unwrapped by the turn       prismatic  u_3
 *   spherical  Log(Rbar_1^T Rbar_2) = -phi         distance   |pbar_1 - pbar_2|
 *   planar     u_1, u_2, -phi_3
 * with u = Rbar_1^T (pbar_2 - pbar_1). Off the joint's manifold -phi_3 differs from the twist
 * that a turn records by terms of second order in phi_1, phi_2. */
#include <assert.h>

#include "constraint/joint_rows.h"

static void revolute(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  xs_joint_rows_angle(joint, &rel, 0, first, count, C, G);
}

static void prismatic(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                      double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_vec3 w1 = xs_joint_rows_lever(joint, x);
  xs_joint_rows_slide(joint, x, w1, xs_mat3_column(&joint->Q1, 2), 0, first, count, C, G);
}

static void spherical(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                      double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  xs_joint_rows_rotation(joint, &rel, &joint->Q1, -1, 0, 3, 0, first, count, C, G);
}

static void planar(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                   double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_vec3 w1 = xs_joint_rows_lever(joint, x);
  for (int i = 0; i < 2; i++)
    xs_joint_rows_slide(joint, x, w1, xs_mat3_column(&joint->Q1, i), i, first, count, C, G);
  if (first + count <= 2) return;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  xs_joint_rows_angle(joint, &rel, 2, first, count, C, G);
}

static void distance(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  assert(first == 0 && count == 1);
  (void)first, (void)count;
  xs_joint_rows_length(block->data, x, C, G);
}

const xs_row_kind xs_joint_revolute_coordinate = {
    .name = "revolute_coordinate", .n_rows = 1, .n_nodes = 2, .evaluate = revolute};
const xs_row_kind xs_joint_prismatic_coordinate = {
    .name = "prismatic_coordinate", .n_rows = 1, .n_nodes = 2, .evaluate = prismatic};
const xs_row_kind xs_joint_spherical_coordinate = {
    .name = "spherical_coordinate", .n_rows = 3, .n_nodes = 2, .evaluate = spherical};
const xs_row_kind xs_joint_planar_coordinate = {
    .name = "planar_coordinate", .n_rows = 3, .n_nodes = 2, .evaluate = planar};
const xs_row_kind xs_joint_distance_coordinate = {
    .name = "distance_coordinate", .n_rows = 1, .n_nodes = 2, .evaluate = distance};
