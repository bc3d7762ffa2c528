/* Loads: world and follower components on a turned body whose principal axes are not the
 * scene's. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/so3.h"
#include "solver/external.h"

/* Turns by 90 degrees: P (node -> scene's body frame) about x, R (node -> world) about z. */
static const xs_quat quarter_x = {M_SQRT1_2, M_SQRT1_2, 0, 0};
static const xs_quat quarter_z = {M_SQRT1_2, 0, 0, M_SQRT1_2};

static const xs_timefn one = {.kind = XS_TIMEFN_CONSTANT, .u.constant = 1};
static const xs_timefn two = {.kind = XS_TIMEFN_CONSTANT, .u.constant = 2};
static const xs_timefn rise = {.kind = XS_TIMEFN_RAMP, .u.ramp = {0, 3, 0, 1, 0}};

static xs_pose x[2];
static xs_vec3 force[2], torque[2];
static xs_external external = {force, torque};

static void apply(xs_load *loads, int n, double t) {
  const xs_world world = {.n_nodes = 2, .n_loads = n, .loads = loads};
  x[1].q = quarter_z;
  x[1].R = xs_so3_matrix(quarter_z);
  xs_external_loads(&world, x, t, &external);
}

static void expect(xs_vec3 found, double a, double b, double c) {
  cr_expect_leq(xs_vec3_norm(xs_vec3_sub(found, (xs_vec3){a, b, c})), 1e-15, "%g %g %g", found.x,
                found.y, found.z);
}

/* Force as given; torque by R^T: world x is the node's -y. */
Test(external, world_load) {
  xs_load load = {.node = 1,
                  .q_principal = quarter_x,
                  .force = {&one, &two, NULL},
                  .torque = {&one, NULL, NULL}};
  apply(&load, 1, 0);
  expect(external.force[1], 1, 2, 0);
  expect(external.torque[1], 0, -1, 0);
}

/* Body axes -> node by P^T: (x, y, z) -> (x, z, -y); node -> world by R: (x, y, z) -> (-y, x, z).
 */
Test(external, follower_load) {
  xs_load load = {.node = 1,
                  .follower = 1,
                  .q_principal = quarter_x,
                  .force = {&one, &two, NULL},
                  .torque = {NULL, &one, NULL}};
  apply(&load, 1, 0);
  expect(external.force[1], 0, 1, -2);
  expect(external.torque[1], 0, 0, -1);
}

Test(external, loads_of_a_node_add_up_anew_each_time) {
  xs_load loads[2] = {{.node = 1, .force = {&one, NULL, &rise}, .torque = {NULL, NULL, &two}},
                      {.node = 1, .force = {&two, NULL, NULL}, .torque = {NULL, NULL, &rise}}};
  apply(loads, 2, 1);
  apply(loads, 2, 0.5);
  expect(external.force[1], 3, 0, 1.5);
  expect(external.torque[1], 0, 0, 3.5);
  expect(external.force[0], 0, 0, 0);
}
