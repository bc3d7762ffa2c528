/* Loading scenes: defaults, overrides, poses, frames, functions of time, messages, and what
 * the result keeps of a scene. Masses are in test_scene_mass.c. */
#include <dirent.h>
#include <stdlib.h>

#include "scene_helpers.h"

#define BODY(name, more) "{\"name\": \"" name "\", \"mass\": 1, \"inertia\": [1, 2, 2.5]" more "}"

/* ---- Defaults ---- */

Test(scene, defaults_of_the_interface) {
  static loaded l;
  const xs_world *w = load_parts(
      &l, "\"bodies\": [" BODY("a", "") "], \"joints\": [{\"name\": \"j\", \"type\": "
          "\"revolute\", \"body2\": \"a\"}]");
  cr_expect_str_eq(w->name, "");
  cr_expect_eq(vec3_distance(w->gravity, xs_vec3_make(0, 0, 0)), 0);
  cr_expect_eq(w->time.substeps, 1);
  cr_expect_str_eq(w->solver.method, "xpbd");
  cr_expect_eq(w->solver.solve, XS_SOLVE_BLOCK);
  cr_expect_eq(w->solver.constraints, XS_CONSTRAINTS_VECTOR);
  cr_expect_eq(w->solver.update, XS_UPDATE_XPBD);
  cr_expect_eq(w->solver.tolerance, 0);
  cr_expect_eq(w->solver.iterations, 1);
  cr_expect_eq(w->solver.gyroscopic, XS_GYROSCOPIC_MIDPOINT);
  cr_expect_eq(w->output.every, 1);
  cr_expect_eq(w->output.compression, 0);
  cr_expect_eq(w->output.checkpoint, 1);
  cr_expect(w->output.bodies && w->output.joints && !w->output.residual_peak);

  /* Ground first; a body at the origin, at rest, movable. */
  cr_expect_eq(w->n_nodes, 2);
  cr_expect_eq(w->inertia[XS_GROUND].inv_mass, 0);
  cr_expect_eq(w->inertia[1].inv_mass, 1);
  cr_expect_eq(w->inertia[1].inv_moment.y, 0.5);
  cr_expect_eq(w->bodies[0].node, 1);
  cr_expect_eq(w->bodies[0].q0.w, 1);
  cr_expect_eq(w->bodies[0].q_principal.w, 1);
  cr_expect_eq(vec3_distance(w->bodies[0].p0, xs_vec3_make(0, 0, 0)), 0);
  const xs_joint *j = &w->joints[0];
  cr_expect(j->node1 == XS_GROUND && j->node2 == 1);
  cr_expect(j->motion == NULL && j->target == NULL && isnan(j->length));
  cr_expect(j->compliance == 0 && j->rotational_compliance == 0 && j->damping == 0);
  cr_expect(j->limit.min == -INFINITY && j->limit.max == INFINITY);
  cr_expect(w->bodies[0].motion == NULL);
  cr_expect_eq(xs_world_steps(w), 1000);
  cr_expect_str_eq(xs_world_node_name(w, 0), "ground");
  cr_expect_str_eq(xs_world_node_name(w, 1), "a");

  /* Everything in one point: a size of 1 m. */
  cr_expect_eq(w->size, 1);
  xs_arena_free(&l.arena);
}

/* ---- Overrides ---- */

Test(scene, overrides_act_in_order_before_the_checks) {
  static loaded l;
  const char *const set[] = {"time.step=5e-4", "solver.solve=individual", "bodies.a.mass=3",
                             "bodies.0.mass=4", "time.step=2e-3"};
  load_text(&l, "{\"time\": {\"step\": 1, \"duration\": 1}, \"bodies\": [" BODY("a", "") "]}", 5,
            set);
  cr_assert_eq(l.status, XS_OK);
  cr_expect_eq(l.world->time.step, 2e-3);
  cr_expect_eq(l.world->solver.solve, XS_SOLVE_INDIVIDUAL);
  cr_expect_eq(l.world->inertia[1].mass, 4);
  cr_expect_str_eq(l.source.overrides,
                   "time.step=5e-4\nsolver.solve=individual\nbodies.a.mass=3\nbodies.0.mass=4\n"
                   "time.step=2e-3\n");

  /* Stored with a result, they act before new ones. */
  static loaded again;
  const char *const later[] = {"bodies.a.mass=5"};
  again.status =
      xs_scene_load_text(l.source.text, l.source.length, "test.json", l.source.overrides, 1, later,
                         &again.arena, &again.world, &again.source, &again.report);
  cr_assert_eq(again.status, XS_OK);
  cr_expect_eq(again.world->inertia[1].mass, 5);
  cr_expect_eq(again.world->time.step, 2e-3);
  xs_arena_free(&again.arena);
  xs_arena_free(&l.arena);
}

Test(scene, faults_of_overrides_name_the_override) {
  static loaded l;
  const char *const set[] = {"time.step=0"};
  load_text(&l, "{\"time\": {\"step\": 1, \"duration\": 1}}", 1, set);
  cr_assert_eq(l.status, XS_SCENE);
  cr_assert_eq(l.report.n_errors, 1);
  cr_expect_str_eq(l.report.kept[0].file, "--set time.step=0");
  cr_expect_str_eq(l.report.kept[0].path, "time.step");
  xs_arena_free(&l.arena);
}

Test(scene, overrides_are_lines) {
  static loaded l;
  const char *const set[] = {"time.step=\n1"};
  load_text(&l, "{\"time\": {\"step\": 1, \"duration\": 1}}", 1, set);
  cr_expect_eq(l.status, XS_USAGE);
  xs_arena_free(&l.arena);
}

/* ---- Poses ---- */

static xs_quat orientation_of(const char *form) {
  static loaded l;
  char members[1024];
  l = (loaded){0};
  snprintf(members, sizeof members,
           "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 2, 2.5], "
           "\"orientation\": {%s}}]",
           form);
  const xs_quat q = load_parts(&l, members)->bodies[0].q0;
  xs_arena_free(&l.arena);
  return q;
}

Test(scene, four_forms_of_one_orientation) {
  /* A third of a turn about (1, 1, 1) takes x to y, y to z, z to x. */
  const xs_quat expected = {0.5, 0.5, 0.5, 0.5};
  cr_expect_lt(quat_distance(orientation_of("\"quaternion\": [0.5, 0.5, 0.5, 0.5]"), expected),
               1e-15);
  cr_expect_lt(quat_distance(orientation_of("\"quaternion\": [-0.5, -0.5, -0.5, -0.5]"), expected),
               1e-15);
  cr_expect_lt(quat_distance(orientation_of("\"matrix\": [[0,0,1],[1,0,0],[0,1,0]]"), expected),
               1e-15);
  cr_expect_lt(quat_distance(orientation_of("\"axis\": [0.57735026918962576, 0.57735026918962576, "
                                            "0.57735026918962576], \"angle\": {\"deg\": 120}"),
                             expected),
               1e-15);
  cr_expect_lt(quat_distance(orientation_of("\"rotation_vector\": [1.2091995761561452, "
                                            "1.2091995761561452, 1.2091995761561452]"),
                             expected),
               1e-15);
}

Test(scene, quaternions_start_with_w_not_negative) {
  const xs_quat q = orientation_of("\"axis\": [0, 0, 1], \"angle\": {\"deg\": 350}");
  cr_expect_gt(q.w, 0);
  cr_expect_float_eq(q.z, sin(-5 * XS_PI / 180), 1e-15);
}

Test(scene, large_directions_are_normalised_with_a_warning) {
  static loaded l;
  const xs_world *w = load_parts(
      &l, "\"bodies\": [" BODY("a", ", \"orientation\": {\"quaternion\": [0, 0, 0, 1e200]}") "]");
  cr_expect_eq(w->bodies[0].q0.z, 1);
  cr_expect_eq(l.report.n_warnings, 1);
  xs_arena_free(&l.arena);
}

Test(scene, nodes_sit_in_the_centre_of_mass) {
  /* The body's frame is turned by 90 degrees about z: its x is the world's y. */
  static loaded l;
  const xs_world *w = load_parts(
      &l,
      "\"bodies\": [" BODY("a",
                           ", \"position\": [1, 2, 3], \"center_of_mass\": [0.5, 0, 0.25], "
                           "\"orientation\": {\"axis\": [0, 0, 1], \"angle\": {\"deg\": 90}}, "
                           "\"linear_velocity\": [1, 2, 3], \"angular_velocity\": [4, 5, 6]") "]");
  cr_expect_lt(vec3_distance(w->bodies[0].p0, xs_vec3_make(1, 2.5, 3.25)), 1e-15);
  cr_expect_eq(vec3_distance(w->bodies[0].v0, xs_vec3_make(1, 2, 3)), 0);
  cr_expect_eq(vec3_distance(w->bodies[0].omega0, xs_vec3_make(4, 5, 6)), 0);
  xs_arena_free(&l.arena);
}

/* ---- Joints ---- */

/* A joint frame in the world at t = 0. */
static xs_frame world_frame(const xs_world *w, int node, xs_frame frame) {
  if (node == XS_GROUND) return frame;
  const xs_body *body = &w->bodies[node - 1];
  const xs_mat3 R = xs_so3_matrix(body->q0);
  return (xs_frame){xs_vec3_add(body->p0, xs_mat3_mul_vec(&R, frame.r)),
                    xs_quat_mul(body->q0, frame.q)};
}

/* Two bodies in general positions with full tensors, and one joint. */
static const xs_world *load_joint(loaded *l, const char *type, const char *more) {
  char members[4096];
  snprintf(members, sizeof members,
           "\"bodies\": [{\"name\": \"a\", \"position\": [1, 2, 3], \"center_of_mass\": [0.1, 0.2, "
           "0.3], \"orientation\": {\"rotation_vector\": [0.3, -0.4, 1.2]}, \"mass\": 1, "
           "\"inertia\": [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]},"
           "{\"name\": \"b\", \"position\": [-1, 0, 1], \"center_of_mass\": [0, -0.2, 0.1], "
           "\"orientation\": {\"rotation_vector\": [-2, 0.1, 0.5]}, \"mass\": 2, "
           "\"inertia\": [[4, 0.3, 0.2], [0.3, 3, 0.1], [0.2, 0.1, 2]]}],"
           "\"joints\": [{\"name\": \"j\", \"type\": \"%s\", %s}]",
           type, more);
  return load_parts(l, members);
}

static void expect_frames(const xs_world *w, xs_vec3 position, xs_quat q) {
  const xs_joint *j = &w->joints[0];
  const xs_frame one = world_frame(w, j->node1, j->frame1),
                 two = world_frame(w, j->node2, j->frame2);
  cr_expect_lt(vec3_distance(one.r, position), 1e-14);
  cr_expect_lt(vec3_distance(two.r, position), 1e-14);
  cr_expect_lt(quat_distance(one.q, q), 1e-14);
  cr_expect_lt(quat_distance(two.q, q), 1e-14);
}

Test(scene, joint_at_a_place_in_the_world) {
  static loaded l;
  const xs_world *w =
      load_joint(&l, "revolute",
                 "\"body1\": \"a\", \"body2\": \"b\", \"at\": {\"position\": [5, 6, "
                 "7]}");
  expect_frames(w, xs_vec3_make(5, 6, 7), xs_quat_identity());
  cr_expect_eq(l.report.n_warnings, 0);
  xs_arena_free(&l.arena);
}

Test(scene, joint_axis_is_z_and_x_the_least_parallel_axis) {
  /* Axis y: x and z are equally far, the first counts. x = x, y = y cross x = -z, z = y. */
  static loaded l;
  const xs_world *w =
      load_joint(&l, "revolute",
                 "\"body2\": \"b\", \"at\": {\"position\": [5, 6, 7], \"axis\": [0, "
                 "1, 0]}");
  const xs_mat3 R = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
  expect_frames(w, xs_vec3_make(5, 6, 7), xs_so3_from_matrix(&R));
  xs_arena_free(&l.arena);

  /* Axis (0.6, 0.64, 0.48): z is least parallel, and made orthogonal. */
  static loaded k;
  w = load_joint(
      &k, "fixed",
      "\"body2\": \"a\", \"at\": {\"position\": [0, 0, 0], \"axis\": [0.6, 0.64, 0.48]}");
  const xs_frame frame = w->joints[0].frame1;
  const xs_mat3 F = xs_so3_matrix(frame.q);
  const xs_vec3 axis = {0.6, 0.64, 0.48};
  const xs_vec3 z = {-0.48 * 0.6, -0.48 * 0.64, 1 - 0.48 * 0.48};
  cr_expect_lt(vec3_distance(xs_mat3_column(&F, 2), axis), 1e-15);
  cr_expect_lt(vec3_distance(xs_mat3_column(&F, 0), xs_vec3_scale(1 / xs_vec3_norm(z), z)), 1e-15);
  xs_arena_free(&k.arena);
}

Test(scene, joint_without_frames_is_the_second_body) {
  static loaded l;
  const xs_world *w = load_joint(&l, "fixed", "\"body1\": \"a\", \"body2\": \"b\"");
  expect_frames(w, xs_vec3_make(-1, 0, 1), xs_so3_exp(xs_vec3_make(-2, 0.1, 0.5)));
  xs_arena_free(&l.arena);

  /* The ground as second body: the world's origin. */
  static loaded k;
  w = load_joint(&k, "fixed", "\"body1\": \"a\", \"body2\": \"ground\"");
  expect_frames(w, xs_vec3_make(0, 0, 0), xs_quat_identity());
  cr_expect_eq(w->joints[0].node2, XS_GROUND);
  xs_arena_free(&k.arena);
}

Test(scene, joint_frames_in_their_bodies) {
  static loaded l;
  const xs_world *w = load_joint(
      &l, "spherical",
      "\"body1\": \"a\", \"body2\": \"ground\", \"frame1\": {\"position\": [0, 0, 0.5], "
      "\"orientation\": {\"axis\": [0, 0, 1], \"angle\": 0.5}}, \"frame2\": {\"position\": [1, 2, "
      "3]}");
  const xs_quat qa = xs_so3_exp(xs_vec3_make(0.3, -0.4, 1.2));
  const xs_mat3 Ra = xs_so3_matrix(qa);
  const xs_vec3 place = xs_vec3_add_scaled(xs_vec3_make(1, 2, 3), 0.5, xs_mat3_column(&Ra, 2));
  const xs_frame one = world_frame(w, 1, w->joints[0].frame1);
  cr_expect_lt(vec3_distance(one.r, place), 1e-14);
  cr_expect_lt(quat_distance(one.q, xs_quat_mul(qa, xs_so3_exp(xs_vec3_make(0, 0, 0.5)))), 1e-14);
  cr_expect_eq(vec3_distance(w->joints[0].frame2.r, xs_vec3_make(1, 2, 3)), 0);

  /* They are 0.5 m apart; a spherical joint holds no rotation. */
  cr_assert_eq(l.report.n_warnings, 1);
  cr_expect_str_eq(l.report.kept[0].text,
                   "the joint's frames do not meet at t = 0: 0.5 m and 0 rad apart");
  cr_expect_str_eq(l.report.kept[0].path, "joints[0]");
  xs_arena_free(&l.arena);
}

Test(scene, gap_of_a_revolute_joint_is_the_angle_of_its_axes) {
  static loaded l;
  (void)load_joint(&l, "revolute",
                   "\"body1\": \"ground\", \"body2\": \"a\", \"frame1\": {\"position\": [1, 2, 3], "
                   "\"orientation\": {\"rotation_vector\": [0.3, -0.4, 1.2]}}, \"frame2\": "
                   "{\"orientation\": {\"axis\": [1, 0, 0], \"angle\": 0.25}}");
  cr_assert_eq(l.report.n_warnings, 1);
  cr_expect_not_null(strstr(l.report.kept[0].text, "and 0.25 rad apart"));
  xs_arena_free(&l.arena);
}

/* ---- Loads ---- */

Test(scene, functions_of_time) {
  static loaded l;
  const xs_world *w = load_parts(
      &l,
      "\"bodies\": [" BODY("a", "") "], \"loads\": [{\"body\": \"a\", \"frame\": \"body\","
      "\"force\": [{\"ramp\": {\"from\": 1, \"to\": 3, \"start\": 1, \"end\": 2}},"
      "{\"sine\": {\"offset\": 1, \"amplitude\": 2, \"frequency\": 0.5, \"phase\": {\"deg\": 90}}},"
      "{\"table\": {\"time\": [0, 1, 3], \"value\": [0, 2, -2]}}],"
      "\"torque\": [{\"sum\": [1, {\"product\": [2, {\"ramp\": {\"from\": 0, \"to\": 1, \"end\": "
      "2, "
      "\"smooth\": true}}]}]}, 0, -1]}]");
  const xs_load *load = &w->loads[0];
  cr_expect_eq(load->node, 1);
  cr_expect_eq(load->follower, 1);
  cr_expect_eq(xs_timefn_value(load->force.x, 1.5), 2);
  cr_expect_float_eq(xs_timefn_value(load->force.y, 1), -1, 1e-15);
  cr_expect_eq(xs_timefn_value(load->force.z, 2), 0);
  cr_expect_float_eq(xs_timefn_value(load->torque.x, 0.5), 1 + 2 * 0.15625, 1e-15);
  cr_expect_eq(xs_timefn_value(load->torque.y, 1), 0);
  cr_expect_eq(xs_timefn_value(load->torque.z, 1), -1);
  xs_arena_free(&l.arena);
}

Test(scene, cubic_tables_pass_a_parabola_of_natural_ends) {
  /* The natural spline through (0,0), (1,1), (2,0) has slope 0 in the middle. */
  static loaded l;
  const xs_world *w = load_parts(
      &l, "\"bodies\": [" BODY("a", "") "], \"loads\": [{\"body\": \"a\", \"force\": [{\"table\": "
          "{\"time\": [0, 1, 2], \"value\": [0, 1, 0], \"interpolation\": \"cubic\"}}, 0, 0]}]");
  cr_expect_float_eq(xs_timefn_value(w->loads[0].force.x, 0.5), 0.6875, 1e-15);
  cr_expect_float_eq(xs_timefn_rate(w->loads[0].force.x, 1), 0, 1e-15);
  xs_arena_free(&l.arena);
}

Test(scene, a_step_too_large_for_a_torque_is_warned_of) {
  static loaded l;
  (void)load_parts(&l, "\"bodies\": [" BODY("a", "") "], \"loads\": [{\"body\": \"a\", \"torque\": "
                       "[0, 0, {\"ramp\": {\"from\": 0, \"to\": 2e6, \"end\": 1}}]}]");
  cr_assert_eq(l.report.n_warnings, 1);
  cr_expect_str_eq(l.report.kept[0].path, "loads[0].torque");
  xs_arena_free(&l.arena);
}

/* ---- Size, checks ---- */

Test(scene, size_is_the_diagonal_of_all_there_is) {
  static loaded l;
  const xs_world *w = load_parts(
      &l, "\"bodies\": [" BODY("a", ", \"shapes\": [{\"type\": \"box\", \"half_extents\": "
          "[1, 2, 3], "
          "\"orientation\": {\"axis\": [0, 0, 1], \"angle\": {\"deg\": 90}}}]") "],"
          "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"body2\": \"a\", \"at\": "
          "{\"position\": [0, 0, 7]}}]");
  cr_expect_float_eq(w->size, sqrt(4 * 4 + 2 * 2 + 10 * 10), 1e-14);
  xs_arena_free(&l.arena);
}

Test(scene, checks_keep_what_they_ask) {
  static loaded l;
  const xs_world *w = load_parts(
      &l,
      "\"checks\": [{\"metric\": \"a.b\", \"below\": 1}, {\"metric\": \"c\", \"from\": 0.25, "
      "\"reference\": {\"time\": [0, 1], \"value\": [2, 3]}, \"within\": 0.5}]");
  cr_expect_eq(w->n_checks, 2);
  cr_expect_str_eq(w->checks[0].metric, "a.b");
  cr_expect_eq(w->checks[0].below, 1);
  cr_expect(isnan(w->checks[0].above) && isnan(w->checks[0].equals));
  cr_expect(isinf(w->checks[0].from) && isinf(w->checks[0].to));
  cr_expect_eq(w->checks[1].n_reference, 2);
  cr_expect_eq(w->checks[1].reference_value[1], 3);
  cr_expect_eq(w->checks[1].from, 0.25);
  cr_expect_eq(w->checks[1].within, 0.5);
  xs_arena_free(&l.arena);
}

/* ---- Messages ---- */

Test(scene, a_duration_of_broken_steps_is_warned_of) {
  static loaded l;
  load_text(&l, "{\"time\": {\"step\": 0.1, \"duration\": 1.04}, \"bodies\": [" BODY("a", "") "]}",
            0, NULL);
  cr_assert_eq(l.status, XS_OK);
  cr_assert_eq(l.report.n_warnings, 1);
  cr_expect_eq(xs_world_steps(l.world), 10);
  xs_arena_free(&l.arena);
}

Test(scene, faults_are_collected_and_kept_in_file_order) {
  static loaded l;
  load_text(&l,
            "{\"gravity\": 1, \"time\": {\"step\": 1, \"duration\": 1},\n"
            "\"joints\": [{\"name\": \"j\", \"type\": \"revolut\", \"body2\": \"b\"}],\n"
            "\"bodies\": [{\"name\": \"a\", \"mass\": -1, \"inertia\": [1, 1, 1]}]}",
            0, NULL);
  cr_assert_eq(l.status, XS_SCENE);
  cr_assert_null(l.world);
  cr_assert_eq(l.report.n_errors, 4);
  const char *const paths[] = {"gravity", "joints[0].type", "joints[0].body2", "bodies[0].mass"};
  for (int i = 0; i < 4; i++) cr_expect_str_eq(l.report.kept[i].path, paths[i]);
  xs_arena_free(&l.arena);
}

Test(scene, an_earlier_error_in_the_report_does_not_spoil_a_good_scene) {
  static loaded l;
  (void)xs_report_error(&l.report, XS_USAGE, NULL, "something else");
  load_text(&l, "{\"time\": {\"step\": 1, \"duration\": 1}}", 0, NULL);
  cr_expect_eq(l.status, XS_OK);
  cr_expect_not_null(l.world);
  xs_arena_free(&l.arena);
}

Test(scene, a_missing_file_is_a_wrong_scene) {
  static loaded l;
  l.status =
      xs_scene_load("tests/good/no_such.json", 0, NULL, &l.arena, &l.world, &l.source, &l.report);
  cr_expect_eq(l.status, XS_SCENE);
  xs_arena_free(&l.arena);
}

/* ---- Resolved parameters ---- */

#define EXPECT_SAME(field) cr_expect(a->field == b->field, #field " of %s", file)

static void expect_same_bits(const void *a, const void *b, size_t size, const char *what,
                             const char *file) {
  cr_expect_eq(memcmp(a, b, size), 0, "%s of %s", what, file);
}

static void expect_same_functions(xs_timefn3 f, xs_timefn3 g, const char *file) {
  for (int i = 0; i <= 50; i++) {
    const double t = 0.01 * i;
    cr_expect_eq(xs_timefn_value(f.x, t), xs_timefn_value(g.x, t), "%s", file);
    cr_expect_eq(xs_timefn_value(f.y, t), xs_timefn_value(g.y, t), "%s", file);
    cr_expect_eq(xs_timefn_value(f.z, t), xs_timefn_value(g.z, t), "%s", file);
  }
}

static void expect_same_motion(const xs_motion *a, const xs_motion *b, const char *file) {
  cr_assert_eq(a == NULL, b == NULL, "%s", file);
  if (a == NULL) return;
  expect_same_bits(&a->axis, &b->axis, sizeof a->axis, "axis", file);
  expect_same_bits(&a->q_carrier, &b->q_carrier, sizeof a->q_carrier, "carrier", file);
  expect_same_functions(a->translation, b->translation, file);
  expect_same_functions(a->vector, b->vector, file);
  expect_same_functions((xs_timefn3){a->angle, NULL, NULL}, (xs_timefn3){b->angle, NULL, NULL},
                        file);
}

static void expect_same_bodies(const xs_world *a, const xs_world *b, const char *file) {
  expect_same_bits(a->inertia, b->inertia, (size_t)a->n_nodes * sizeof *a->inertia, "inertia",
                   file);
  for (int i = 0; i < a->n_bodies; i++) {
    const xs_body *x = &a->bodies[i], *y = &b->bodies[i];
    cr_expect_str_eq(x->name, y->name);
    cr_expect(x->node == y->node && x->fixed == y->fixed && x->n_shapes == y->n_shapes);
    expect_same_motion(x->motion, y->motion, file);
    expect_same_bits(&x->center_of_mass, &y->center_of_mass, sizeof x->center_of_mass, "com", file);
    expect_same_bits(&x->q_principal, &y->q_principal, sizeof x->q_principal, "axes", file);
    expect_same_bits(&x->p0, &y->p0, sizeof x->p0, "p0", file);
    expect_same_bits(&x->q0, &y->q0, sizeof x->q0, "q0", file);
    expect_same_bits(&x->v0, &y->v0, sizeof x->v0, "v0", file);
    expect_same_bits(&x->omega0, &y->omega0, sizeof x->omega0, "omega0", file);
    for (int k = 0; k < x->n_shapes; k++) {
      const xs_shape *s = &x->shapes[k], *t = &y->shapes[k];
      cr_expect(s->type == t->type && s->material == t->material && s->radius == t->radius);
      cr_expect(s->half_length == t->half_length && s->major_radius == t->major_radius);
      expect_same_bits(&s->half_extents, &t->half_extents, 3 * sizeof(xs_vec3), "shape", file);
    }
  }
}

static void expect_same_target(const xs_target *a, const xs_target *b, const char *file) {
  cr_assert_eq(a == NULL, b == NULL, "%s", file);
  if (a == NULL) return;
  cr_expect_eq(a->n, b->n);
  expect_same_bits(a->stiffness, b->stiffness, sizeof a->stiffness, "stiffness", file);
  expect_same_bits(a->damping, b->damping, sizeof a->damping, "damping", file);
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(a->value[i] == NULL, b->value[i] == NULL);
    cr_expect_eq(a->rate[i] == NULL, b->rate[i] == NULL);
    expect_same_functions((xs_timefn3){a->value[i], a->rate[i], NULL},
                          (xs_timefn3){b->value[i], b->rate[i], NULL}, file);
  }
}

static void expect_same_joint(const xs_joint *a, const xs_joint *b, const char *file) {
  cr_expect_str_eq(a->name, b->name);
  EXPECT_SAME(type);
  EXPECT_SAME(node1);
  EXPECT_SAME(node2);
  expect_same_bits(&a->frame1, &b->frame1, 2 * sizeof(xs_frame), "frames", file);
  expect_same_motion(a->motion, b->motion, file);
  EXPECT_SAME(compliance);
  EXPECT_SAME(rotational_compliance);
  EXPECT_SAME(damping);
  cr_expect(a->length == b->length || (isnan(a->length) && isnan(b->length)));
  expect_same_bits(&a->limit, &b->limit, 3 * sizeof(xs_interval), "limits", file);
  expect_same_target(a->target, b->target, file);
}

static void expect_same_world(const xs_world *a, const xs_world *b, const char *file) {
  cr_expect_str_eq(a->name, b->name);
  cr_expect_str_eq(a->description, b->description);
  expect_same_bits(&a->gravity, &b->gravity, sizeof a->gravity, "gravity", file);
  EXPECT_SAME(time.step);
  EXPECT_SAME(time.duration);
  EXPECT_SAME(time.substeps);
  cr_expect_str_eq(a->solver.method, b->solver.method);
  EXPECT_SAME(solver.solve);
  EXPECT_SAME(solver.constraints);
  EXPECT_SAME(solver.update);
  EXPECT_SAME(solver.tolerance);
  EXPECT_SAME(solver.iterations);
  EXPECT_SAME(solver.gyroscopic);
  expect_same_bits(&a->output, &b->output, sizeof a->output, "output", file);
  EXPECT_SAME(n_nodes);
  EXPECT_SAME(n_materials);
  EXPECT_SAME(n_bodies);
  EXPECT_SAME(n_joints);
  EXPECT_SAME(n_loads);
  EXPECT_SAME(n_checks);
  EXPECT_SAME(size);
  for (int i = 0; i < a->n_materials; i++)
    expect_same_bits(&a->materials[i].density, &b->materials[i].density, sizeof(double), "density",
                     file);
  expect_same_bodies(a, b, file);
  for (int i = 0; i < a->n_joints; i++) expect_same_joint(&a->joints[i], &b->joints[i], file);
  for (int i = 0; i < a->n_loads; i++) {
    EXPECT_SAME(loads[i].node);
    EXPECT_SAME(loads[i].follower);
    expect_same_functions(a->loads[i].force, b->loads[i].force, file);
    expect_same_functions(a->loads[i].torque, b->loads[i].torque, file);
  }
  for (int i = 0; i < a->n_checks; i++) {
    cr_expect_str_eq(a->checks[i].metric, b->checks[i].metric);
    expect_same_bits(&a->checks[i].from, &b->checks[i].from, 6 * sizeof(double), "check", file);
    EXPECT_SAME(checks[i].n_reference);
  }
}

static void check_round_trip(const char *file) {
  loaded *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
  cr_assert(first != NULL && second != NULL);
  first->status =
      xs_scene_load(file, 0, NULL, &first->arena, &first->world, &first->source, &first->report);
  cr_assert_eq(first->status, XS_OK, "%s", file);
  load_text(second, first->source.resolved, 0, NULL);
  cr_assert_eq(second->status, XS_OK, "resolved %s", file);
  expect_same_world(first->world, second->world, file);
  cr_expect_str_eq(first->source.resolved, second->source.resolved, "resolved %s", file);
  xs_arena_free(&first->arena);
  xs_arena_free(&second->arena);
  free(first);
  free(second);
}

Test(scene, resolved_parameters_give_the_same_world) {
  const char *const folders[] = {"tests/good", "scenes/paper"};
  int n = 0;
  for (int i = 0; i < 2; i++) {
    DIR *directory = opendir(folders[i]);
    cr_assert_not_null(directory, "run from the root of the repository");
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
      if (strstr(entry->d_name, ".json") == NULL || strstr(entry->d_name, ".sweep.json") != NULL)
        continue;
      char file[512];
      snprintf(file, sizeof file, "%s/%s", folders[i], entry->d_name);
      check_round_trip(file);
      n++;
    }
    closedir(directory);
  }
  cr_assert_geq(n, 7);
}

/* ---- Schema, help, the paper's scene ---- */

Test(scene, committed_schema_is_what_the_table_gives) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  xs_scene_write_schema(stream);
  fclose(stream);
  FILE *file = fopen("schemas/scene.schema.json", "rb");
  cr_assert_not_null(file, "run from the root of the repository");
  char *committed = calloc(1, length + 2);
  const size_t n = fread(committed, 1, length + 1, file);
  fclose(file);
  cr_expect(n == length && memcmp(text, committed, length) == 0,
            "write schemas/scene.schema.json anew: build/check_scene --schema");
  free(committed);
  free(text);
}

Test(scene, help_knows_parts_and_refuses_unknown_ones) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  cr_expect_eq(xs_scene_write_help(stream, NULL), 1);
  cr_expect_eq(xs_scene_write_help(stream, "solver"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "bodies.mass"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "bodies.0.orientation.angle"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "materials.steel.density"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "joints.motion.rotation.angle.ramp.to"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "joints.hinge.target"), 1);
  cr_expect_eq(xs_scene_write_help(stream, "solver.speed"), 0);
  cr_expect_eq(xs_scene_write_help(stream, "wind"), 0);
  cr_expect_eq(xs_scene_write_help(stream, "rods.beam.section.radius"), 1);
  fclose(stream);
  cr_expect_not_null(strstr(text, "half_extents"));
  cr_expect_not_null(strstr(text, "for spherical"));
  free(text);
}

Test(scene, triple_pendulum_has_its_energy_and_meets) {
  static loaded l;
  l.status = xs_scene_load("scenes/paper/triple_pendulum.json", 0, NULL, &l.arena, &l.world,
                           &l.source, &l.report);
  cr_assert_eq(l.status, XS_OK);
  cr_expect_eq(l.report.n_warnings, 0);
  double energy = 0;
  for (int i = 0; i < 3; i++)
    energy -= l.world->inertia[i + 1].mass * xs_vec3_dot(l.world->gravity, l.world->bodies[i].p0);
  cr_expect_float_eq(energy, -7.665698803106644, 2e-15);
  for (int j = 0; j < 3; j++) {
    const xs_joint *joint = &l.world->joints[j];
    const xs_frame one = world_frame(l.world, joint->node1, joint->frame1);
    const xs_frame two = world_frame(l.world, joint->node2, joint->frame2);
    cr_expect_lt(vec3_distance(one.r, two.r), 1e-15);

    /* The joint sits on the rods' ends, and its axis stands across them. */
    cr_expect_lt(vec3_distance(joint->frame2.r, xs_vec3_make(0, 0, -0.5)), 1e-15);
    const xs_mat3 F = xs_so3_matrix(two.q);
    cr_expect_lt(fabs(xs_mat3_column(&F, 2).z), 1e-15);
  }
  xs_arena_free(&l.arena);
}
