/* From the description of a joint to what its rows need, and to its row blocks. */
#include "constraint/joint.h"

#include <assert.h>

#include "constraint/joint_scalar.h"
#include "math/so3.h"

/* ---- What each type has ---- */

typedef struct type_rows {
  const xs_row_kind *joint, *target, *drive, *coordinate;
  int n_translation; /* of the joint rows; they come first */
} type_rows;

static const type_rows types[XS_N_JOINT_TYPES] = {
    [XS_JOINT_FIXED] = {.joint = &xs_joint_fixed, .n_translation = 3},
    [XS_JOINT_REVOLUTE] = {&xs_joint_revolute, &xs_joint_revolute_target, &xs_joint_revolute_drive,
                           &xs_joint_revolute_coordinate, 3},
    [XS_JOINT_SPHERICAL] = {&xs_joint_spherical, &xs_joint_spherical_target,
                            &xs_joint_spherical_drive, &xs_joint_spherical_coordinate, 3},
    [XS_JOINT_PRISMATIC] = {&xs_joint_prismatic, &xs_joint_prismatic_target,
                            &xs_joint_prismatic_drive, &xs_joint_prismatic_coordinate, 2},
    [XS_JOINT_PLANAR] = {.joint = &xs_joint_planar,
                         .coordinate = &xs_joint_planar_coordinate,
                         .n_translation = 1},
    [XS_JOINT_DISTANCE] = {.joint = &xs_joint_distance,
                           .coordinate = &xs_joint_distance_coordinate,
                           .n_translation = 1},
};

const xs_row_kind *xs_joint_kind(xs_joint_type type) {
  assert(type < XS_N_JOINT_TYPES);
  return types[type].joint;
}

int xs_joint_translation_rows(xs_joint_type type) {
  assert(type < XS_N_JOINT_TYPES);
  return types[type].n_translation;
}

const xs_row_kind *const xs_joint_kinds[] = {
    &xs_joint_fixed,
    &xs_joint_revolute,
    &xs_joint_spherical,
    &xs_joint_prismatic,
    &xs_joint_planar,
    &xs_joint_distance,
    &xs_joint_revolute_target,
    &xs_joint_prismatic_target,
    &xs_joint_spherical_target,
    &xs_joint_revolute_drive,
    &xs_joint_prismatic_drive,
    &xs_joint_spherical_drive,
    &xs_joint_revolute_coordinate,
    &xs_joint_prismatic_coordinate,
    &xs_joint_spherical_coordinate,
    &xs_joint_planar_coordinate,
    &xs_joint_distance_coordinate,
    &xs_joint_revolute_limit,
    &xs_joint_prismatic_limit,
    &xs_joint_distance_limit,
    &xs_joint_swing_limit,
    &xs_joint_twist_limit,
    NULL,
};

/* ---- Geometry ---- */

/* Whether a target acts on coordinate i at position level. */
static int is_driven(const xs_target *target, int i) {
  return target && i < target->n && target->value[i] && target->stiffness[i] > 0;
}

static int has_target(const xs_joint *joint) {
  return is_driven(joint->target, 0) || is_driven(joint->target, 1) || is_driven(joint->target, 2);
}

/* Compliance of the joint rows, then of the target's: 1/stiffness, 1 where left out. */
static void init_compliance(const xs_joint *joint, xs_joint_geometry *geometry) {
  int n = types[joint->type].joint->n_rows, n_translation = types[joint->type].n_translation;
  for (int r = 0; r < n; r++)
    geometry->alpha[r] = r < n_translation ? joint->compliance : joint->rotational_compliance;
  if (!has_target(joint)) return;

  const xs_target *target = joint->target;
  assert(types[joint->type].target && n + target->n == types[joint->type].target->n_rows);
  for (int i = 0; i < target->n; i++)
    geometry->alpha[n + i] = is_driven(target, i) ? 1 / target->stiffness[i] : 1;
  geometry->driven = (xs_vec3){is_driven(target, 0), is_driven(target, 1), is_driven(target, 2)};
}

/* The sides of a range that the variable, which lies in [least, most], can reach. */
static void add_limits(const xs_row_kind *kind, xs_interval range, double least, double most,
                       xs_joint_geometry *geometry) {
  double middle = 0.5 * range.min + 0.5 * range.max;
  xs_joint_limit limit = {kind, geometry, 1, range.min, isfinite(middle) ? middle : 0};
  if (range.min > least) geometry->limit[geometry->n_limits++] = limit;
  limit.sign = -1;
  limit.bound = range.max;
  if (range.max < most) geometry->limit[geometry->n_limits++] = limit;
}

static void init_limits(const xs_joint *joint, xs_joint_geometry *geometry) {
  switch (joint->type) {
    case XS_JOINT_REVOLUTE:
      add_limits(&xs_joint_revolute_limit, joint->limit, -INFINITY, INFINITY, geometry);
      break;
    case XS_JOINT_PRISMATIC:
      add_limits(&xs_joint_prismatic_limit, joint->limit, -INFINITY, INFINITY, geometry);
      break;
    case XS_JOINT_DISTANCE:
      add_limits(&xs_joint_distance_limit, joint->limit, 0, INFINITY, geometry);
      break;
    case XS_JOINT_SPHERICAL:
      add_limits(&xs_joint_swing_limit, joint->swing, 0, XS_PI, geometry);
      add_limits(&xs_joint_twist_limit, joint->twist, -INFINITY, INFINITY, geometry);
      break;
    case XS_JOINT_FIXED:
    case XS_JOINT_PLANAR:
    case XS_N_JOINT_TYPES:
      break;
  }
}

void xs_joint_geometry_init(const xs_joint *joint, const xs_turn *turn,
                            xs_joint_geometry *geometry) {
  assert(joint->type < XS_N_JOINT_TYPES);
  *geometry = (xs_joint_geometry){
      .node1 = joint->node1,
      .node2 = joint->node2,
      .r1 = joint->frame1.r,
      .r2 = joint->frame2.r,
      .q1 = joint->frame1.q,
      .q2 = joint->frame2.q,
      .Q1 = xs_so3_matrix(joint->frame1.q),
      .Q2 = xs_so3_matrix(joint->frame2.q),
      .length = joint->length,
      .turn = joint->type == XS_JOINT_REVOLUTE ? turn : NULL,
  };
  geometry->height = xs_mat3_column(&geometry->Q1, 2);
  init_compliance(joint, geometry);
  init_limits(joint, geometry);
  xs_joint_freeze(joint, 0, geometry);
}

/* Frame 1 stands at (r + translation(t), Exp(rotation(t)) q), in node axes: it turns about
 * its own origin. */
static void freeze_frame(const xs_joint *joint, double t, xs_joint_geometry *geometry) {
  xs_vec3 translation;
  xs_quat rotation;
  xs_motion_at(joint->motion, t, &translation, &rotation);
  geometry->r1 = xs_vec3_add(joint->frame1.r, translation);
  geometry->q1 = xs_so3_renormalize(xs_quat_mul(rotation, joint->frame1.q));
  geometry->Q1 = xs_so3_matrix(geometry->q1);
}

static void freeze_target(const xs_joint *joint, double t, xs_joint_geometry *geometry) {
  const xs_timefn *const *value = joint->target->value;
  geometry->target = (xs_vec3){xs_timefn_value(value[0], t), xs_timefn_value(value[1], t),
                               xs_timefn_value(value[2], t)};
  if (joint->type != XS_JOINT_SPHERICAL) return;
  xs_quat turned = xs_quat_mul(geometry->q1, xs_so3_exp(geometry->target));
  geometry->q1_target = xs_so3_renormalize(turned);
  geometry->Q1_target = xs_so3_matrix(geometry->q1_target);
}

void xs_joint_freeze(const xs_joint *joint, double t, xs_joint_geometry *geometry) {
  if (joint->motion) freeze_frame(joint, t, geometry);
  if (has_target(joint)) freeze_target(joint, t, geometry);
}

/* ---- Blocks ---- */

static xs_row_block make_block(const xs_row_kind *kind, const xs_joint_geometry *geometry,
                               int index, int first_row) {
  return (xs_row_block){
      .kind = kind,
      .data = geometry,
      .entity = index,
      .first_row = first_row,
      .n_rows = kind->n_rows,
      .n_nodes = 2,
      .node = {geometry->node1, geometry->node2},
      .bound = XS_BOUND_NONE,
  };
}

/* The same with the geometry's compliances from alpha on; NULL where all are 0. */
static xs_row_block compliant_block(const xs_row_kind *kind, const xs_joint_geometry *geometry,
                                    int index, const double *alpha, int *n_rows) {
  xs_row_block block = make_block(kind, geometry, index, *n_rows);
  for (int r = 0; r < kind->n_rows; r++)
    if (alpha[r] > 0) block.alpha = alpha;
  *n_rows += kind->n_rows;
  return block;
}

/* The normed rows, angle and position, and the target's rows by themselves. */
static int scalar_blocks(const xs_joint *joint, const xs_joint_geometry *geometry,
                         xs_constraints form, int index, int *n_rows, xs_row_block *block) {
  const type_rows *type = &types[joint->type];
  const xs_row_kind *kind[2];
  int n = xs_joint_scalar_kinds(joint->type, form, kind);
  for (int i = 0; i < n; i++) {
    int is_angle = n == 2 && i == 0;
    const double *alpha = geometry->alpha + (is_angle ? type->n_translation : 0);
    block[i] = compliant_block(kind[i], geometry, index, alpha, n_rows);
  }
  if (has_target(joint)) {
    const double *alpha = geometry->alpha + type->joint->n_rows;
    block[n++] = compliant_block(type->drive, geometry, index, alpha, n_rows);
  }
  return n;
}

int xs_joint_blocks(const xs_joint *joint, const xs_joint_geometry *geometry, xs_constraints form,
                    int index, int *n_rows, xs_row_block block[XS_JOINT_BLOCKS_MAX]) {
  const type_rows *type = &types[joint->type];
  int has_rows = joint->type != XS_JOINT_DISTANCE || !isnan(joint->length), n = 0;

  if (has_rows && form == XS_CONSTRAINTS_VECTOR) {
    const xs_row_kind *kind = has_target(joint) ? type->target : type->joint;
    block[n++] = compliant_block(kind, geometry, index, geometry->alpha, n_rows);
  } else if (has_rows) {
    n += scalar_blocks(joint, geometry, form, index, n_rows, block);
  }

  for (int i = 0; i < geometry->n_limits; i++) {
    const xs_joint_limit *limit = &geometry->limit[i];
    xs_row_block *row = &block[n++];
    *row = make_block(limit->kind, geometry, index, (*n_rows)++);
    row->data = limit;
    row->bound = XS_BOUND_BOX;
    row->lambda_min = 0;
    row->lambda_max = INFINITY;
  }
  return n;
}

int xs_joint_coordinate_block(const xs_joint *joint, const xs_joint_geometry *geometry, int index,
                              xs_row_block *block) {
  const xs_row_kind *kind = types[joint->type].coordinate;
  if (!kind) return 0;
  *block = make_block(kind, geometry, index, 0);
  return 1;
}
