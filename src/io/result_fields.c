/* The table of recorded fields; see result_fields.h. Order: as in the file. */
#include "io/result_fields.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "solver/observe.h"

#define INSTANT(member) XS_FROM_INSTANT, offsetof(xs_result_instant, member)
#define INLINE(member)  XS_FROM_OBSERVATION, offsetof(xs_observation, member)
#define ARRAY(member)   XS_FROM_OBSERVATION_ARRAY, offsetof(xs_observation, member)

/* Arrays of vectors and quaternions are copied as rows of doubles. */
_Static_assert(sizeof(xs_vec3) == 3 * sizeof(double), "xs_vec3 is three doubles");
_Static_assert(sizeof(xs_quat) == 4 * sizeof(double), "xs_quat is four doubles");

#define NAMES(...) ((const char *const[]){__VA_ARGS__})
#define XYZ        NAMES("x", "y", "z")
#define WXYZ       NAMES("w", "x", "y", "z")

/* clang-format off */
const xs_result_field xs_result_fields[XS_RESULT_N_FIELDS] = {
  {"time", XS_AXIS_NONE, 1, NULL, "s", "simulated time",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INSTANT(time)},
  {"step", XS_AXIS_NONE, 1, NULL, "1", "steps done",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_INT64, INSTANT(step)},

  {"bodies/position", XS_AXIS_BODY, 3, XYZ, "m", "position of the centre of mass, world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(position)},
  {"bodies/orientation", XS_AXIS_BODY, 4, WXYZ, "1",
   "orientation, unit quaternion (w, x, y, z), body frame to world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(orientation)},
  {"bodies/linear_velocity", XS_AXIS_BODY, 3, XYZ, "m/s",
   "velocity of the centre of mass, world frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(linear_velocity)},
  {"bodies/angular_velocity", XS_AXIS_BODY, 3, XYZ, "rad/s", "angular velocity, body frame",
   XS_FIELD_BODIES, 0, XS_NUMBER_DOUBLE, ARRAY(angular_velocity)},

  {"joints/force", XS_AXIS_JOINT, 3, XYZ, "N",
   "reaction force on body 2 at the joint frame, world frame",
   XS_FIELD_JOINTS, 1, XS_NUMBER_DOUBLE, ARRAY(joint_force)},
  {"joints/torque", XS_AXIS_JOINT, 3, XYZ, "N m",
   "reaction torque on body 2 at the joint frame, world frame",
   XS_FIELD_JOINTS, 1, XS_NUMBER_DOUBLE, ARRAY(joint_torque)},
  {"joints/coordinate", XS_AXIS_JOINT, 3, XYZ, "rad, m",
   "joint variables of body 2 against body 1: revolute, unwrapped angle about the axis in "
   "[0]; prismatic, distance along the axis in [0]; spherical, rotation vector; planar, "
   "displacements along frame 1's x and y and angle about its z in (-pi, pi]; distance, "
   "distance of the frames' origins in [0]; unused ones 0",
   XS_FIELD_JOINTS, 0, XS_NUMBER_DOUBLE, ARRAY(joint_coordinate)},

  {"rods/*/position", XS_AXIS_ROD_NODE, 3, XYZ, "m", "positions of the nodes, world frame",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_position)},
  {"rods/*/orientation", XS_AXIS_ROD_NODE, 4, WXYZ, "1",
   "orientations of the nodes, unit quaternions (w, x, y, z), node frame to world frame",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_orientation)},
  {"rods/*/linear_velocity", XS_AXIS_ROD_NODE, 3, XYZ, "m/s",
   "velocities of the nodes, world frame",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_linear_velocity)},
  {"rods/*/angular_velocity", XS_AXIS_ROD_NODE, 3, XYZ, "rad/s",
   "angular velocities of the nodes, node frame",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_angular_velocity)},
  {"rods/*/strain_shear", XS_AXIS_ROD_GAUSS, 3, XYZ, "1",
   "shear strains along d1 and d2 and stretch minus those at rest, at Gauss points",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_strain_shear)},
  {"rods/*/strain_bend", XS_AXIS_ROD_GAUSS, 3, XYZ, "1/m",
   "curvatures about d1 and d2 and twist minus those at rest, at Gauss points",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_strain_bend)},
  {"rods/*/force", XS_AXIS_ROD_GAUSS, 3, XYZ, "N",
   "elastic section force, stiffness times strain, material frame, at Gauss points",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_force)},
  {"rods/*/moment", XS_AXIS_ROD_GAUSS, 3, XYZ, "N m",
   "elastic section moment, stiffness times strain, material frame, at Gauss points",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_moment)},
  {"rods/*/energy", XS_AXIS_NONE, 4, NAMES("shear", "stretch", "bend", "twist"), "J",
   "elastic energy of shear, stretch, bending and twist",
   XS_FIELD_RODS, 0, XS_NUMBER_DOUBLE, ARRAY(rod_energy)},

  {"contacts/first", XS_AXIS_NONE, 1, NULL, "1",
   "row of the first contact of the instant in contacts/pair, point, normal, gap, force",
   XS_FIELD_CONTACTS, 0, XS_NUMBER_INT64, INSTANT(contact_first)},
  {"contacts/count", XS_AXIS_NONE, 1, NULL, "1", "contacts of the instant that bear or overlap",
   XS_FIELD_CONTACTS, 0, XS_NUMBER_INT64, INSTANT(contact_count)},

  {"residual/primal", XS_AXIS_NONE, 1, NULL, "kg m, kg m^2 rad",
   "primal residual |M (x - x~) - G^T lambda| at the end of the last substep; mode static: force "
   "out of balance |f + G^T lambda|, in N, N m",
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal)},
  {"residual/constraint", XS_AXIS_NONE, 1, NULL, "m, rad",
   "constraint residual |C + alpha~ lambda| at the end of the last substep; at t = 0 |C|",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(residual.constraint)},
  {"residual/primal_relative", XS_AXIS_NONE, 1, NULL, "1",
   "primal residual over |M (x - x~)|; mode static: over the size of all forces that it sums", 
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_relative)},
  {"residual/primal_applied", XS_AXIS_NONE, 1, NULL, "kg m, kg m^2 rad",
   "primal residual with the impulses as they were applied: |M (x - x~) - sum of impulses|",
   XS_FIELD_SCALAR, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_applied)},
  {"residual/primal_max", XS_AXIS_NONE, 1, NULL, "kg m, kg m^2 rad",
   "largest primal residual over all substeps since the record before",
   XS_FIELD_PEAK, 1, XS_NUMBER_DOUBLE, INLINE(residual.primal_max)},
  {"residual/constraint_max", XS_AXIS_NONE, 1, NULL, "m, rad",
   "largest constraint residual over all substeps since the record before; at t = 0 |C|",
   XS_FIELD_PEAK, 0, XS_NUMBER_DOUBLE, INLINE(residual.constraint_max)},
  {"residual/joint", XS_AXIS_JOINT, 1, NULL, "m, rad", "constraint residual of each joint",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, ARRAY(residual.joint)},
  {"residual/rod", XS_AXIS_ROD, 1, NULL, "1, 1/m", "constraint residual of each rod",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, ARRAY(residual.rod)},

  {"stability/lowest_eigenvalue", XS_AXIS_NONE, 1, NULL, "1/s^2",
   "lowest eigenvalue w^2 of K y = w^2 M y over displacements that the constraints allow, K the "
   "symmetric tangent stiffness; below 0 the equilibrium is unstable",
   XS_FIELD_STABILITY, 0, XS_NUMBER_DOUBLE, INLINE(lowest_eigenvalue)},
  {"stability/negative_eigenvalues", XS_AXIS_NONE, 1, NULL, "1",
   "number of eigenvalues below 0",
   XS_FIELD_STABILITY, 0, XS_NUMBER_DOUBLE, INLINE(negative_eigenvalues)},

  {"energy/kinetic", XS_AXIS_NONE, 1, NULL, "J", "kinetic energy",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(kinetic)},
  {"energy/gravity", XS_AXIS_NONE, 1, NULL, "J", "potential energy in gravity",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(gravity)},
  {"energy/elastic", XS_AXIS_NONE, 1, NULL, "J", "elastic energy",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(elastic)},
  {"energy/total", XS_AXIS_NONE, 1, NULL, "J", "kinetic, gravity and elastic energy together",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(total)},

  {"momentum/linear", XS_AXIS_NONE, 3, XYZ, "kg m/s", "linear momentum, world frame",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(linear_momentum)},
  {"momentum/angular", XS_AXIS_NONE, 3, XYZ, "kg m^2/s",
   "angular momentum about the world's origin, world frame",
   XS_FIELD_ALWAYS, 0, XS_NUMBER_DOUBLE, INLINE(angular_momentum)},

  {"timing/step", XS_AXIS_NONE, 1, NULL, "s", "mean wall time a step since the record before",
   XS_FIELD_ALWAYS, 1, XS_NUMBER_DOUBLE, INSTANT(wall)},
};
/* clang-format on */

static int is_switched_on(const xs_world *world, xs_result_switch group) {
  switch (group) {
    case XS_FIELD_BODIES:
      return world->output.bodies;
    case XS_FIELD_JOINTS:
      return world->output.joints;
    case XS_FIELD_RODS:
      return world->output.rods;
    case XS_FIELD_CONTACTS:
      return world->output.contacts && world->contact.enabled;
    case XS_FIELD_PEAK:
      return world->output.residual_peak;
    case XS_FIELD_SCALAR:
      return world->solver.constraints != XS_CONSTRAINTS_VECTOR;
    case XS_FIELD_STABILITY:
      return world->output.stability;
    case XS_FIELD_ALWAYS:
      break;
  }
  return 1;
}

/* Entries of a field along its axis, of one rod where it is a rod's. */
static int count_entries(const xs_world *world, const xs_result_field *field, const xs_rod *rod) {
  switch (field->axis) {
    case XS_AXIS_BODY:
      return world->n_bodies;
    case XS_AXIS_JOINT:
      return world->n_joints;
    case XS_AXIS_ROD:
      return world->n_rods;
    case XS_AXIS_ROD_NODE:
      assert(rod != NULL);
      return rod->n_nodes;
    case XS_AXIS_ROD_GAUSS:
      assert(rod != NULL);
      return rod->n_elements * rod->n_gauss;
    default:
      return 1;
  }
}

int xs_result_fields_is_of_rod(const xs_result_field *field) {
  return strchr(field->path, '*') != NULL;
}

int xs_result_fields_recorded(const xs_world *world, const xs_result_field *field) {
  if (!is_switched_on(world, field->group)) return 0;
  if (xs_result_fields_is_of_rod(field)) return world->n_rods > 0;
  return count_entries(world, field, NULL) > 0;
}

const char *xs_result_fields_rod_path(const xs_result_field *field, const char *rod,
                                      xs_arena *arena) {
  const size_t before = strcspn(field->path, "*");
  const size_t size = strlen(field->path) + strlen(rod) + 1;
  char *path = xs_arena_alloc(arena, size, 1);
  if (path != NULL)
    (void)snprintf(path, size, "%.*s%s%s", (int)before, field->path, rod, field->path + before + 1);
  return path;
}

/* A rod's datasets stand one behind the other in the observation's arrays. */
static int list_rods(const xs_world *world, const xs_result_field *field, xs_arena *arena,
                     xs_result_dataset *list) {
  int first = 0;
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    list[r] = (xs_result_dataset){.field = field,
                                  .path = xs_result_fields_rod_path(field, rod->name, arena),
                                  .entries = count_entries(world, field, rod),
                                  .first = first};
    first += list[r].entries;
    if (list[r].path == NULL) return 0;
  }
  return 1;
}

xs_status xs_result_fields_list(const xs_world *world, xs_arena *arena, xs_result_dataset **list,
                                int *n, xs_report *report) {
  *n = 0;
  *list = XS_ARENA_NEW(arena, xs_result_dataset, XS_RESULT_N_FIELDS * (size_t)(1 + world->n_rods));
  int good = *list != NULL;
  for (int i = 0; i < XS_RESULT_N_FIELDS && good; i++) {
    const xs_result_field *field = &xs_result_fields[i];
    if (!xs_result_fields_recorded(world, field)) continue;
    if (xs_result_fields_is_of_rod(field)) {
      good = list_rods(world, field, arena, *list + *n);
      *n += world->n_rods;
    } else {
      (*list)[(*n)++] = (xs_result_dataset){
          .field = field, .path = field->path, .entries = count_entries(world, field, NULL)};
    }
  }
  return good ? XS_OK : xs_report_error(report, XS_INTERNAL, NULL, "out of memory for datasets");
}

double xs_result_fields_numbers(const xs_world *world) {
  double numbers = 0;
  for (int i = 0; i < XS_RESULT_N_FIELDS; i++) {
    const xs_result_field *field = &xs_result_fields[i];
    if (!xs_result_fields_recorded(world, field)) continue;
    const int n = xs_result_fields_is_of_rod(field) ? world->n_rods : 1;
    for (int r = 0; r < n; r++)
      numbers += (double)count_entries(world, field, &world->rods[r]) * field->components;
  }
  return numbers;
}

const char *xs_result_fields_names_path(xs_result_axis axis) {
  switch (axis) {
    case XS_AXIS_BODY:
      return "bodies/name";
    case XS_AXIS_JOINT:
      return "joints/name";
    case XS_AXIS_ROD:
      return "rods/name";
    default:
      return NULL;
  }
}
