/* Joint variables as users read them (joint.h says which), for the record. */
#include "constraint/joint_rows.h"
#include "math/so3.h"

/* Rbar_1^T (pbar_2 - pbar_1) */
static xs_vec3 slides(const xs_joint_geometry *geometry, const xs_pose *x) {
  xs_vec3 w1 = xs_joint_rows_lever(geometry, x);
  return xs_mat3_tmul_vec(&geometry->Q1, xs_vec3_sub(w1, geometry->r1));
}

/* Log(Rbar_1^T Rbar_2) = -phi */
static xs_vec3 rotation(const xs_joint_geometry *geometry, const xs_pose *x) {
  return xs_so3_log(xs_quat_conj(xs_joint_rows_relative(geometry, x)));
}

xs_vec3 xs_joint_coordinate(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x,
                            const xs_turn *turn) {
  const xs_vec3 none = {0, 0, 0};
  switch (type) {
    case XS_JOINT_REVOLUTE:
      return (xs_vec3){xs_joint_turn_angle(turn), 0, 0};
    case XS_JOINT_SPHERICAL:
      return rotation(geometry, x);
    case XS_JOINT_PRISMATIC:
      return (xs_vec3){slides(geometry, x).z, 0, 0};
    case XS_JOINT_PLANAR: {
      xs_vec3 u = slides(geometry, x);
      return (xs_vec3){u.x, u.y, rotation(geometry, x).z};
    }
    case XS_JOINT_DISTANCE:
      return (xs_vec3){xs_vec3_norm(xs_joint_rows_gap(geometry, x)), 0, 0};
    case XS_JOINT_FIXED:
    case XS_N_JOINT_TYPES:
      break;
  }
  return none;
}

double xs_joint_gap(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x) {
  xs_vec3 gap = xs_joint_rows_gap(geometry, x);
  switch (type) {
    case XS_JOINT_PRISMATIC: {
      xs_vec3 u = slides(geometry, x);
      return sqrt(u.x * u.x + u.y * u.y);
    }
    case XS_JOINT_PLANAR: {
      xs_vec3 normal = xs_mat3_mul_vec(&x[geometry->node1].R, geometry->height);
      return fabs(xs_vec3_dot(normal, gap));
    }
    case XS_JOINT_DISTANCE:
      /* No length: limits only, nothing to come apart. */
      return isnan(geometry->length) ? 0 : fabs(xs_vec3_norm(gap) - geometry->length);
    case XS_JOINT_FIXED:
    case XS_JOINT_REVOLUTE:
    case XS_JOINT_SPHERICAL:
    case XS_N_JOINT_TYPES:
      break;
  }
  return xs_vec3_norm(gap);
}
