/* Joints of a scene beyond their frames: limits, targets, motions, compliance, damping; bodies
 * with prescribed poses; what is said of a start that does not fit. */
#include "scene_helpers.h"

/* Two bodies, the first off the axes and with a full tensor, and one joint. */
static const xs_joint *load_joint(loaded *l, const char *type, const char *more) {
  char members[2048];
  snprintf(members, sizeof members,
           "\"bodies\": [{\"name\": \"a\", \"position\": [1, 2, 3], \"center_of_mass\": [0.1, 0.2, "
           "0.3], \"orientation\": {\"rotation_vector\": [0.3, -0.4, 1.2]}, \"mass\": 1, "
           "\"inertia\": [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]},"
           "{\"name\": \"b\", \"mass\": 2, \"inertia\": [1, 1, 1]}],"
           "\"joints\": [{\"name\": \"j\", \"type\": \"%s\", %s}]",
           type, more);
  return load_parts(l, members)->joints;
}

/* The one warning that a joint gets. */
static void expect_warning(const char *type, const char *more, const char *path, const char *text) {
  loaded *l = calloc(1, sizeof *l);
  (void)load_joint(l, type, more);
  cr_assert_eq(l->report.n_warnings, text != NULL, "%s %s: %d warnings", type, more,
               l->report.n_warnings);
  if (text != NULL) {
    cr_expect_str_eq(l->report.kept[0].text, text);
    cr_expect_str_eq(l->report.kept[0].path, path);
  }
  xs_arena_free(&l->arena);
  free(l);
}

/* ---- Limits ---- */

Test(scene_joint, limits_of_angles_and_lengths) {
  static loaded l, k, m;
  const xs_joint *j =
      load_joint(&l, "revolute", "\"body2\": \"b\", \"limits\": [{\"deg\": -720}, 4]");
  cr_expect_float_eq(j->limit.min, -4 * XS_PI, 1e-14);
  cr_expect_eq(j->limit.max, 4);
  j = load_joint(&k, "prismatic", "\"body2\": \"b\", \"limits\": [null, 2]");
  cr_expect(j->limit.min == -INFINITY && j->limit.max == 2);
  j = load_joint(&m, "distance", "\"body2\": \"b\", \"limits\": [0, 1.5]");
  cr_expect(j->limit.min == 0 && j->limit.max == 1.5 && isnan(j->length));
  cr_expect_eq(l.report.n_warnings + k.report.n_warnings + m.report.n_warnings, 0);
  xs_arena_free(&l.arena);
  xs_arena_free(&k.arena);
  xs_arena_free(&m.arena);
}

Test(scene_joint, limits_of_a_ball) {
  static loaded l, k;
  const xs_joint *j = load_joint(&l, "spherical", "\"body2\": \"b\", \"limits\": {\"swing\": 1}");
  cr_expect(j->swing.min == 0 && j->swing.max == 1);
  cr_expect(j->twist.min == -INFINITY && j->twist.max == INFINITY);
  j = load_joint(&k, "spherical",
                 "\"body2\": \"b\", \"limits\": {\"swing\": [null, {\"deg\": 180}], "
                 "\"twist\": [-0.5, 0.25]}");
  cr_expect(j->swing.min == -INFINITY && j->swing.max == XS_PI);
  cr_expect(j->twist.min == -0.5 && j->twist.max == 0.25);
  xs_arena_free(&l.arena);
  xs_arena_free(&k.arena);
}

/* Frame 1 turned by -angle about an axis against frame 2: body 2 is at +angle. */
#define TURNED(axis, angle)                                                          \
  "\"body2\": \"b\", \"frame2\": {}, \"frame1\": {\"orientation\": {\"axis\": " axis \
  ", \"angle\": " angle "}}, "

Test(scene_joint, a_start_outside_the_limits_is_told_with_its_excess) {
  expect_warning("revolute", TURNED("[0, 0, 1]", "-0.75") "\"limits\": [0.5, 1]", NULL, NULL);
  expect_warning("revolute", TURNED("[0, 0, 1]", "-0.75") "\"limits\": [-1, 0.5]",
                 "joints[0].limits", "the angle starts outside its limits: 0.75 rad, by 0.25 rad");
  expect_warning("spherical", TURNED("[1, 0, 0]", "0.75") "\"limits\": {\"swing\": 0.5}",
                 "joints[0].limits", "the swing starts outside its limits: 0.75 rad, by 0.25 rad");
  expect_warning("spherical", TURNED("[0, 0, 1]", "0.75") "\"limits\": {\"twist\": [-0.5, 0.5]}",
                 "joints[0].limits", "the twist starts outside its limits: -0.75 rad, by 0.25 rad");
  expect_warning("prismatic",
                 "\"body2\": \"b\", \"frame1\": {}, \"frame2\": {\"position\": [0, 0, 2]}, "
                 "\"limits\": [null, 1.5]",
                 "joints[0].limits",
                 "the distance along the axis starts outside its limits: 2 m, by 0.5 m");
  expect_warning("distance",
                 "\"body2\": \"b\", \"frame1\": {}, \"frame2\": {\"position\": [3, 4, 0]}, "
                 "\"limits\": [6, null]",
                 "joints[0].limits", "the distance starts outside its limits: 5 m, by 1 m");
}

/* ---- Targets ---- */

Test(scene_joint, a_value_alone_and_a_rate_alone_are_kinematic) {
  static loaded l, k;
  const xs_target *t =
      load_joint(&l, "revolute", "\"body2\": \"b\", \"target\": {\"value\": 0}")->target;
  cr_assert(t != NULL && t->n == 1 && t->value[0] != NULL && t->rate[0] == NULL);
  cr_expect(t->stiffness[0] == INFINITY && t->damping[0] == 0);
  cr_expect_eq(xs_timefn_value(t->value[0], 1), 0);
  t = load_joint(&k, "prismatic", "\"body2\": \"b\", \"target\": {\"rate\": 3}")->target;
  cr_assert(t != NULL && t->value[0] == NULL);
  cr_expect(t->stiffness[0] == 0 && t->damping[0] == INFINITY);
  cr_expect_eq(xs_timefn_value(t->rate[0], 1), 3);
  xs_arena_free(&l.arena);
  xs_arena_free(&k.arena);
}

Test(scene_joint, spring_and_damper_of_an_angle) {
  static loaded l;
  const xs_target *t =
      load_joint(&l, "revolute",
                 "\"body2\": \"b\", \"target\": {\"value\": {\"ramp\": {\"from\": 0, \"to\": "
                 "{\"deg\": 90}, \"end\": 2}}, \"stiffness\": 7, \"rate\": {\"deg\": 180}, "
                 "\"damping\": 0.5}")
          ->target;
  cr_expect_float_eq(xs_timefn_value(t->value[0], 1), XS_PI / 4, 1e-15);
  cr_expect_float_eq(xs_timefn_value(t->rate[0], 1), XS_PI, 1e-15);
  cr_expect(t->stiffness[0] == 7 && t->damping[0] == 0.5);
  xs_arena_free(&l.arena);
}

Test(scene_joint, three_of_each_for_a_ball) {
  static loaded l;
  const xs_target *t =
      load_joint(&l, "spherical",
                 "\"body2\": \"b\", \"target\": {\"value\": [0, {\"deg\": 180}, {\"sine\": "
                 "{\"amplitude\": 1, \"frequency\": 0.25}}], \"stiffness\": [1, 2, 0], "
                 "\"damping\": [0, 0, 3]}")
          ->target;
  cr_assert_eq(t->n, 3);
  cr_expect_eq(xs_timefn_value(t->value[1], 0), XS_PI);
  cr_expect_float_eq(xs_timefn_value(t->value[2], 1), 1, 1e-15);
  cr_expect(t->stiffness[0] == 1 && t->stiffness[1] == 2 && t->stiffness[2] == 0);
  cr_expect(t->damping[0] == 0 && t->damping[2] == 3 && t->rate[0] == NULL);
  xs_arena_free(&l.arena);
}

Test(scene_joint, a_start_off_a_kinematic_target_is_told) {
  static const char told[] =
      "the joint starts 0.5 rad off its kinematic target, which takes it there in the first step";
  expect_warning("revolute", "\"body2\": \"b\", \"target\": {\"value\": 0.5}", "joints[0].target",
                 told);
  expect_warning("spherical", "\"body2\": \"b\", \"target\": {\"value\": [0.3, 0, 0.4]}",
                 "joints[0].target", told);
  expect_warning("spherical", TURNED("[1, 0, 0]", "-0.5") "\"target\": {\"value\": [0.5, 0, 0]}",
                 NULL, NULL);
  expect_warning("revolute", "\"body2\": \"b\", \"target\": {\"value\": 0.5, \"stiffness\": 1}",
                 NULL, NULL);
}

/* ---- Compliance, damping, length ---- */

Test(scene_joint, softness_and_damping_are_kept) {
  static loaded l;
  const xs_joint *j = load_joint(&l, "planar",
                                 "\"body2\": \"b\", \"compliance\": 1e-6, "
                                 "\"rotational_compliance\": 2e-6, \"damping\": 3");
  cr_expect(j->compliance == 1e-6 && j->rotational_compliance == 2e-6 && j->damping == 3);
  xs_arena_free(&l.arena);
}

/* ---- Gaps ---- */

Test(scene_joint, gaps_are_what_the_type_holds) {
  /* Frame 2 at (3, 4, 2) in frame 1. */
#define AWAY "\"body2\": \"b\", \"frame1\": {}, \"frame2\": {\"position\": [3, 4, 2]}"
  static const char meet[] = "the joint's frames do not meet at t = 0: %s m and %s rad apart";
  char text[128];
#define TOLD(m, rad) (snprintf(text, sizeof text, meet, m, rad), text)
  expect_warning("prismatic", AWAY, "joints[0]", TOLD("5", "0"));
  expect_warning("planar", AWAY, "joints[0]", TOLD("2", "0"));
  expect_warning("distance", AWAY ", \"length\": 5", "joints[0]",
                 "the joint's frames are 5.38516 m apart at t = 0, 0.385165 m off the length");
  expect_warning("prismatic",
                 "\"body2\": \"b\", \"frame1\": {}, \"frame2\": {\"position\": [0, 0, 2]}", NULL,
                 NULL);
  expect_warning("planar",
                 "\"body2\": \"b\", \"frame1\": {}, \"frame2\": {\"position\": [3, 4, 0]}", NULL,
                 NULL);

  /* A prismatic joint holds the turn about its axis, a planar one does not. */
  expect_warning("prismatic", TURNED("[0, 0, 1]", "0.5") "\"damping\": 0", "joints[0]",
                 TOLD("0", "0.5"));
  expect_warning("planar", TURNED("[0, 0, 1]", "0.5") "\"damping\": 0", NULL, NULL);
  expect_warning("planar", TURNED("[1, 0, 0]", "0.5") "\"damping\": 0", "joints[0]",
                 TOLD("0", "0.5"));
}

Test(scene_joint, gaps_count_the_motion_at_the_start) {
  expect_warning("fixed",
                 "\"body2\": \"b\", \"motion\": {\"translation\": [0, 0, {\"sine\": {\"offset\": "
                 "0.5, \"amplitude\": 1, \"frequency\": 1}}]}",
                 "joints[0]", "the joint's frames do not meet at t = 0: 0.5 m and 0 rad apart");
  expect_warning("fixed",
                 "\"body2\": \"b\", \"motion\": {\"rotation\": {\"axis\": [0, 1, 0], \"angle\": "
                 "0.25}}",
                 "joints[0]", "the joint's frames do not meet at t = 0: 0 m and 0.25 rad apart");

  /* Planar: the height along the axis before the turn, frame 1's origin 0.5 m below. */
  expect_warning("planar",
                 "\"body2\": \"b\", \"frame1\": {\"position\": [1, 0, -0.5]}, \"frame2\": "
                 "{\"orientation\": {\"axis\": [0, 1, 0], \"angle\": 0.25}}, \"motion\": "
                 "{\"translation\": [0, 0, 0.5], \"rotation\": {\"axis\": [0, 1, 0], \"angle\": "
                 "0.25}}",
                 NULL, NULL);
}

/* ---- Motions ---- */

Test(scene_joint, a_motion_is_in_the_axes_of_the_scenes_body) {
  static loaded l;
  const xs_joint *j = load_joint(
      &l, "revolute",
      "\"body1\": \"a\", \"body2\": \"b\", \"frame1\": {\"position\": [1, 0, 0]}, \"frame2\": {}, "
      "\"motion\": {\"translation\": [0, {\"ramp\": {\"from\": 0, \"to\": 2, \"end\": 1}}, 0], "
      "\"rotation\": {\"vector\": [0, 0, {\"ramp\": {\"from\": 0, \"to\": {\"deg\": 90}, \"end\": "
      "1}}]}}");
  const xs_body *a = &l.world->bodies[0];
  xs_vec3 translation;
  xs_quat rotation;
  xs_motion_at(j->motion, 1, &translation, &rotation);

  /* Back in the body's axes: origin at (1, 2, 0), turned a quarter about z. */
  const xs_mat3 Q = xs_so3_matrix(a->q_principal);
  const xs_vec3 node = xs_vec3_add(j->frame1.r, translation);
  const xs_vec3 place = xs_vec3_add(a->center_of_mass, xs_mat3_mul_vec(&Q, node));
  const xs_quat turned = xs_quat_mul(a->q_principal, xs_quat_mul(rotation, j->frame1.q));
  cr_expect_lt(vec3_distance(place, xs_vec3_make(1, 2, 0)), 1e-15);
  cr_expect_lt(quat_distance(turned, xs_so3_exp(xs_vec3_make(0, 0, XS_PI / 2))), 1e-15);
  xs_arena_free(&l.arena);
}

Test(scene_joint, a_prescribed_body_needs_no_mass_and_starts_before_its_motion) {
  static loaded l;
  const xs_world *w = load_parts(
      &l,
      "\"bodies\": [{\"name\": \"stage\", \"position\": [1, 0, 0], \"center_of_mass\": [0, 1, 0], "
      "\"motion\": {\"translation\": [0, 0, 5], \"rotation\": {\"axis\": [0, 0, 1], \"angle\": "
      "{\"deg\": 90}}}}, {\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1]}], \"joints\": "
      "[{\"name\": \"j\", \"type\": \"fixed\", \"body1\": \"b\", \"body2\": \"stage\"}]");
  cr_expect(w->inertia[1].inv_mass == 0 && w->inertia[1].inv_moment.x == 0);
  cr_expect(!w->bodies[0].fixed && w->bodies[0].motion != NULL);
  cr_expect_eq(vec3_distance(w->bodies[0].p0, xs_vec3_make(1, 1, 0)), 0);

  /* Its frame at t = 0 stands at (1, 0, 5), a quarter turned: the joint sits there. */
  const xs_joint *j = &w->joints[0];
  cr_expect_lt(vec3_distance(j->frame1.r, xs_vec3_make(1, 0, 5)), 1e-15);
  cr_expect_lt(quat_distance(j->frame1.q, xs_so3_exp(xs_vec3_make(0, 0, XS_PI / 2))), 1e-15);
  cr_expect_lt(vec3_distance(j->frame2.r, xs_vec3_make(0, -1, 0)), 1e-15);
  xs_arena_free(&l.arena);
}

/* ---- Ways to solve ---- */

Test(scene_joint, the_solver_takes_its_words) {
  static loaded scalar, l;
  cr_expect_eq(
      load_parts(&scalar, "\"solver\": {\"constraints\": \"scalar-mueller\"}")->solver.constraints,
      XS_CONSTRAINTS_SCALAR_MUELLER);
  xs_arena_free(&scalar.arena);

  const xs_world *w = load_parts(
      &l,
      "\"solver\": {\"solve\": \"individual\", \"update\": \"corrected\", \"tolerance\": "
      "1e-9}, \"output\": {\"fields\": [\"residual_peak\"]}");
  cr_expect_eq(w->solver.solve, XS_SOLVE_INDIVIDUAL);
  cr_expect_eq(w->solver.update, XS_UPDATE_CORRECTED);
  cr_expect_eq(w->solver.tolerance, 1e-9);
  cr_expect(w->output.residual_peak && !w->output.bodies);

  /* One iteration seldom reaches a tolerance; and there are no bodies. */
  cr_expect_eq(l.report.n_warnings, 2);
  xs_arena_free(&l.arena);
}
