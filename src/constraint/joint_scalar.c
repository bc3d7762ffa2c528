/* Which normed rows a joint has in which form; the rows are in joint_scalar_position.c and
 * joint_scalar_angle.c. */
#include "constraint/joint_scalar.h"

#include <assert.h>

/* Angle and position; NULL = not that row. */
typedef struct scalar_rows {
  const xs_row_kind *angle, *position;
} scalar_rows;

static const scalar_rows true_gradients[XS_N_JOINT_TYPES] = {
    [XS_JOINT_FIXED] = {&xs_joint_scalar_rotation, &xs_joint_scalar_anchors},
    [XS_JOINT_REVOLUTE] = {&xs_joint_scalar_axis, &xs_joint_scalar_anchors},
    [XS_JOINT_SPHERICAL] = {NULL, &xs_joint_scalar_anchors},
    [XS_JOINT_PRISMATIC] = {&xs_joint_scalar_rotation, &xs_joint_scalar_across},
    [XS_JOINT_PLANAR] = {&xs_joint_scalar_axis, &xs_joint_scalar_height},
    [XS_JOINT_DISTANCE] = {NULL, &xs_joint_distance},
};

static const scalar_rows mueller_gradients[XS_N_JOINT_TYPES] = {
    [XS_JOINT_FIXED] = {&xs_joint_scalar_rotation_mueller, &xs_joint_scalar_anchors},
    [XS_JOINT_REVOLUTE] = {&xs_joint_scalar_axis_mueller, &xs_joint_scalar_anchors},
    [XS_JOINT_SPHERICAL] = {NULL, &xs_joint_scalar_anchors},
    [XS_JOINT_PRISMATIC] = {&xs_joint_scalar_rotation_mueller, &xs_joint_scalar_across_mueller},
    [XS_JOINT_PLANAR] = {&xs_joint_scalar_axis_mueller, &xs_joint_scalar_height},
    [XS_JOINT_DISTANCE] = {NULL, &xs_joint_distance},
};

int xs_joint_scalar_kinds(xs_joint_type type, xs_constraints form, const xs_row_kind *kind[2]) {
  assert(type < XS_N_JOINT_TYPES && form != XS_CONSTRAINTS_VECTOR);
  const scalar_rows *rows =
      form == XS_CONSTRAINTS_SCALAR_MUELLER ? &mueller_gradients[type] : &true_gradients[type];
  int n = 0;
  if (rows->angle) kind[n++] = rows->angle;
  kind[n++] = rows->position;
  return n;
}
