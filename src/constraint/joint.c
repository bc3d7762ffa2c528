/* From the description of a joint to its row block. */
#include "constraint/joint.h"

#include <assert.h>

#include "math/so3.h"

const xs_row_kind *xs_joint_kind(xs_joint_type type) {
  static const xs_row_kind *const kinds[XS_N_JOINT_TYPES] = {
      [XS_JOINT_FIXED] = &xs_joint_fixed,
      [XS_JOINT_REVOLUTE] = &xs_joint_revolute,
      [XS_JOINT_SPHERICAL] = &xs_joint_spherical,
  };
  assert(type < XS_N_JOINT_TYPES);
  return kinds[type];
}

xs_joint_geometry xs_joint_geometry_of(const xs_joint *joint) {
  return (xs_joint_geometry){
      .node1 = joint->node1,
      .node2 = joint->node2,
      .r1 = joint->frame1.r,
      .r2 = joint->frame2.r,
      .q1 = joint->frame1.q,
      .q2 = joint->frame2.q,
      .Q1 = xs_so3_matrix(joint->frame1.q),
      .Q2 = xs_so3_matrix(joint->frame2.q),
  };
}

xs_row_block xs_joint_block(const xs_joint *joint, const xs_joint_geometry *geometry, int index,
                            int first_row) {
  const xs_row_kind *kind = xs_joint_kind(joint->type);
  return (xs_row_block){
      .kind = kind,
      .data = geometry,
      .entity = index,
      .first_row = first_row,
      .n_rows = kind->n_rows,
      .n_nodes = 2,
      .node = {joint->node1, joint->node2},
      .bound = XS_BOUND_NONE,
  };
}

double xs_joint_gap(const xs_joint_geometry *geometry, const xs_pose *x) {
  const xs_pose *x1 = &x[geometry->node1], *x2 = &x[geometry->node2];
  xs_vec3 arm1 = xs_mat3_mul_vec(&x1->R, geometry->r1);
  xs_vec3 arm2 = xs_mat3_mul_vec(&x2->R, geometry->r2);
  return xs_vec3_norm(xs_vec3_add(xs_vec3_sub(x1->p, x2->p), xs_vec3_sub(arm1, arm2)));
}
