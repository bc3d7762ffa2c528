/* The table of recorded fields; see result_fields.h. Order: as in the file. */
#include "io/result_fields.h"

#include "solver/observe.h"

#define INSTANT(member) XS_FROM_INSTANT, offsetof(xs_result_instant, member)
#define INLINE(member)  XS_FROM_OBSERVATION, offsetof(xs_observation, member)
#define ARRAY(member)   XS_FROM_OBSERVATION_ARRAY, offsetof(xs_observation, member)

/* Arrays of vectors and quaternions are copied as rows of doubles. */
_Static_assert(sizeof(xs_vec3) == 3 * sizeof(double), "xs_vec3 is three doubles");
_Static_assert(sizeof(xs_quat) == 4 * sizeof(double), "xs_quat is four doubles");

/* clang-format off */
const xs_result_field xs_result_fields[XS_RESULT_N_FIELDS] = {
  {"time", XS_AXIS_NONE, 1, "", "s", "simulated time",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INSTANT(time)},
  {"step", XS_AXIS_NONE, 1, "", "1", "steps done",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_INT64, INSTANT(step)},

  {"bodies/position", XS_AXIS_BODY, 3, "xyz", "m", "position of the centre of mass, world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(position)},
  {"bodies/orientation", XS_AXIS_BODY, 4, "wxyz", "1",
   "orientation, unit quaternion (w, x, y, z), body frame to world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(orientation)},
  {"bodies/linear_velocity", XS_AXIS_BODY, 3, "xyz", "m/s",
   "velocity of the centre of mass, world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(linear_velocity)},
  {"bodies/angular_velocity", XS_AXIS_BODY, 3, "xyz", "rad/s", "angular velocity, body frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(angular_velocity)},

  {"joints/force", XS_AXIS_JOINT, 3, "xyz", "N",
   "reaction force on body 2 at the joint frame, world frame",
   XS_FIELD_JOINTS, 1, XS_NUMBER_DOUBLE, ARRAY(joint_force)},
  {"joints/torque", XS_AXIS_JOINT, 3, "xyz", "N m",
   "reaction torque on body 2 at the joint frame, world frame",
   XS_FIELD_JOINTS, 1, XS_NUMBER_DOUBLE, ARRAY(joint_torque)},
  {"joints/coordinate", XS_AXIS_JOINT, 3, "xyz", "rad, m",
   "joint variables of body 2 against body 1: revolute, unwrapped angle about the axis in "
   "[0]; prismatic, distance along the axis in [0]; spherical, rotation vector; planar, "
   "displacements along frame 1's x and y and angle about its z in (-pi, pi]; distance, "
   "distance of the frames' origins in [0]; unused ones 0",
   XS_FIELD_JOINTS, 0, XS_NUMBER_DOUBLE, ARRAY(joint_coordinate)},

  {"residual/primal", XS_AXIS_NONE, 1, "", "kg m, kg m^2 rad",
   "primal residual |M (x - x~) - G^T lambda| at the end of the last substep",
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal)},
  {"residual/constraint", XS_AXIS_NONE, 1, "", "m, rad",
   "constraint residual |C + alpha~ lambda| at the end of the last substep; at t = 0 |C|",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(residual.constraint)},
  {"residual/primal_relative", XS_AXIS_NONE, 1, "", "1",
   "primal residual over |M (x - x~)|", 
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_relative)},
  {"residual/primal_applied", XS_AXIS_NONE, 1, "", "kg m, kg m^2 rad",
   "primal residual with the impulses as they were applied: |M (x - x~) - sum of impulses|",
   XS_FIELD_SCALAR, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_applied)},
  {"residual/primal_max", XS_AXIS_NONE, 1, "", "kg m, kg m^2 rad",
   "largest primal residual over all substeps since the record before",
   XS_FIELD_PEAK, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_max)},
  {"residual/constraint_max", XS_AXIS_NONE, 1, "", "m, rad",
   "largest constraint residual over all substeps since the record before; at t = 0 |C|",
   XS_FIELD_PEAK, 0, XS_NUMBER_DOUBLE, INLINE(residual.constraint_max)},
  {"residual/joint", XS_AXIS_JOINT, 1, "", "m, rad", "constraint residual of each joint",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, ARRAY(residual.joint)},

  {"energy/kinetic", XS_AXIS_NONE, 1, "", "J", "kinetic energy",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(kinetic)},
  {"energy/gravity", XS_AXIS_NONE, 1, "", "J", "potential energy in gravity",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(gravity)},
  {"energy/elastic", XS_AXIS_NONE, 1, "", "J", "elastic energy",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(elastic)},
  {"energy/total", XS_AXIS_NONE, 1, "", "J", "kinetic, gravity and elastic energy together",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(total)},

  {"momentum/linear", XS_AXIS_NONE, 3, "xyz", "kg m/s", "linear momentum, world frame",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(linear_momentum)},
  {"momentum/angular", XS_AXIS_NONE, 3, "xyz", "kg m^2/s",
   "angular momentum about the world's origin, world frame",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(angular_momentum)},

  {"timing/step", XS_AXIS_NONE, 1, "", "s", "mean wall time a step since the record before",
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INSTANT(wall)},
};
/* clang-format on */

int xs_result_fields_entries(const xs_world *world, xs_result_axis axis) {
  switch (axis) {
    case XS_AXIS_BODY:
      return world->n_bodies;
    case XS_AXIS_JOINT:
      return world->n_joints;
    default:
      return 1;
  }
}

static int is_switched_on(const xs_world *world, xs_result_switch group) {
  switch (group) {
    case XS_FIELD_BODIES:
      return world->output.bodies;
    case XS_FIELD_JOINTS:
      return world->output.joints;
    case XS_FIELD_PEAK:
      return world->output.residual_peak;
    case XS_FIELD_SCALAR:
      return world->solver.constraints != XS_CONSTRAINTS_VECTOR;
    case XS_FIELD_ALWAYS:
      break;
  }
  return 1;
}

int xs_result_fields_recorded(const xs_world *world, const xs_result_field *field) {
  return is_switched_on(world, field->group) && xs_result_fields_entries(world, field->axis) > 0;
}

const char *xs_result_fields_names_path(xs_result_axis axis) {
  switch (axis) {
    case XS_AXIS_BODY:
      return "bodies/name";
    case XS_AXIS_JOINT:
      return "joints/name";
    default:
      return NULL;
  }
}
