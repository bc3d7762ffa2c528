/* Joints beyond their gradients: motion and target frozen, blocks with compliances and
 * limits, known values, and what happens where a variable is singular. */
#include <criterion/criterion.h>
#include <string.h>

#include "joint_sample.h"

static const double pi = 3.14159265358979323846;

static double distance_of(xs_vec3 a, xs_vec3 b) { return xs_vec3_norm(xs_vec3_sub(a, b)); }

static double matrix_error(xs_mat3 A, xs_mat3 B) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(A.m[i][j] - B.m[i][j]));
  return worst;
}

static void evaluate(const xs_row_block *block, const xs_pose *x, double *C, double *G) {
  block->kind->evaluate(block, x, 0, block->n_rows, C, G);
}

/* ---- Freezing ---- */

Test(joint, frame_1_turns_about_its_own_origin) {
  sample s;
  sample_plain(&s, XS_JOINT_PLANAR, 1);
  /* In the carrier's axes, whose z is the node's x: a quarter turn about z in 2 s. */
  s.f[0] = (xs_timefn){.kind = XS_TIMEFN_RAMP, .u.ramp = {0, pi / 2, 0, 2, 0}};
  s.f[1] = (xs_timefn){.kind = XS_TIMEFN_RAMP, .u.ramp = {0, 3, 0, 2, 0}};
  xs_quat carrier = xs_so3_exp((xs_vec3){0, pi / 2, 0});
  s.motion = (xs_motion){.axis = {0, 0, 1}, .angle = &s.f[0], .q_carrier = carrier};
  s.joint.motion = &s.motion;
  sample_init(&s);

  xs_mat3 Q0 = xs_so3_matrix(s.joint.frame1.q),
          X = xs_so3_matrix(xs_so3_exp((xs_vec3){pi / 2, 0, 0}));
  cr_expect_leq(matrix_error(s.geometry.Q1, Q0), 1e-15);
  xs_joint_freeze(&s.joint, 2, &s.geometry);
  cr_expect_eq(distance_of(s.geometry.r1, s.joint.frame1.r), 0);
  cr_expect_leq(matrix_error(s.geometry.Q1, xs_mat3_mul(X, Q0)), 4e-15);
  cr_expect_leq(matrix_error(s.geometry.Q1, xs_so3_matrix(s.geometry.q1)), 1e-15);

  /* Translation along the carrier's z moves the origin along the node's x. */
  s.motion.translation.z = &s.f[1];
  xs_joint_freeze(&s.joint, 2, &s.geometry);
  xs_vec3 expected = xs_vec3_add(s.joint.frame1.r, (xs_vec3){3, 0, 0});
  cr_expect_leq(distance_of(s.geometry.r1, expected), 4e-15);

  /* The height stays along frame 1's z of the start; normals have turned. */
  cr_expect_leq(distance_of(s.geometry.height, xs_mat3_column(&Q0, 2)), 1e-15);
  cr_expect_geq(distance_of(s.geometry.height, xs_mat3_column(&s.geometry.Q1, 2)), 1e-3);

  /* Nothing adds up: back at t = 0 all is as it was. */
  xs_joint_freeze(&s.joint, 0, &s.geometry);
  cr_expect_eq(distance_of(s.geometry.r1, s.joint.frame1.r), 0);
  cr_expect_leq(matrix_error(s.geometry.Q1, Q0), 1e-15);
}

Test(joint, height_is_along_the_axis_before_the_motion_turns_it) {
  for (int trial = 0; trial < 20; trial++) {
    sample s;
    sample_plain(&s, XS_JOINT_PLANAR, trial % 2);
    sample_move(&s);
    sample_init(&s);
    xs_joint_freeze(&s.joint, uniform(), &s.geometry);
    xs_mat3 Q0 = xs_so3_matrix(s.joint.frame1.q);
    xs_vec3 e = xs_mat3_mul_vec(&s.x[s.joint.node1].R, xs_mat3_column(&Q0, 2)), d = random_vec();
    sample_place(&s, d);
    double C[3], G[36];
    xs_row_block block = sample_block(&s, &xs_joint_planar);
    evaluate(&block, s.x, C, G);
    cr_expect_float_eq(C[0], xs_vec3_dot(e, d), 1e-14);
    cr_expect_float_eq(xs_joint_gap(XS_JOINT_PLANAR, &s.geometry, s.x), fabs(C[0]), 1e-14);
  }
}

Test(joint, freezing_a_joint_at_rest_changes_nothing) {
  for (int type = 0; type < XS_N_JOINT_TYPES; type++) {
    sample s;
    sample_plain(&s, (xs_joint_type)type, 1);
    sample_init(&s);
    unsigned char before[sizeof s.geometry];
    memcpy(before, &s.geometry, sizeof before);
    xs_joint_freeze(&s.joint, 1, &s.geometry);
    cr_expect_eq(memcmp(before, (const unsigned char *)&s.geometry, sizeof before), 0);
  }
}

/* ---- Targets ---- */

Test(joint, target_is_frozen_at_its_time) {
  sample s;
  sample_plain(&s, XS_JOINT_PRISMATIC, 1);
  sample_aim(&s, 1, (xs_vec3){0, 0, 0});
  s.f[6] = (xs_timefn){.kind = XS_TIMEFN_RAMP, .u.ramp = {0, 4, 0, 2, 0}};
  sample_init(&s);
  xs_row_block block = sample_block(&s, &xs_joint_prismatic_target);
  double C[6], G[72];
  sample_turn(&s, xs_quat_identity());
  sample_slide(&s, (xs_vec3){0.1, 0.2, 0.3});
  for (int i = 0; i <= 2; i++) {
    xs_joint_freeze(&s.joint, i, &s.geometry);
    evaluate(&block, s.x, C, G);
    const double expected[6] = {0.1, 0.2, 0, 0, 0, 0.3 - 2 * i};
    for (int r = 0; r < 6; r++) cr_expect_float_eq(C[r], expected[r], 1e-14, "row %d", r);
  }
}

/* Rbar_2 = Rbar_1 Exp(target) Exp(d) gives d, also where q itself is beyond pi. */
Test(joint, spherical_target_holds_up_to_half_a_turn_and_beyond) {
  for (int trial = 0; trial < 100; trial++) {
    sample s;
    xs_vec3 axis = random_vec(), d = xs_vec3_scale(0.5, random_vec());
    xs_vec3 target = xs_vec3_scale((3 + 0.3 * uniform()) / xs_vec3_norm(axis), axis);
    sample_plain(&s, XS_JOINT_SPHERICAL, trial % 2);
    sample_aim(&s, 3, target);
    if (trial % 3) sample_move(&s);
    sample_init(&s);
    xs_joint_freeze(&s.joint, 1, &s.geometry);
    sample_turn(&s, xs_quat_mul(xs_so3_exp(target), xs_so3_exp(d)));
    double C[6], G[72];
    xs_row_block block = sample_block(&s, &xs_joint_spherical_target);
    evaluate(&block, s.x, C, G);
    cr_expect_leq(distance_of((xs_vec3){C[3], C[4], C[5]}, d), 1e-14);
  }
}

/* A coordinate of stiffness 0 has a row that does nothing and makes no system singular. */
Test(joint, target_rows_of_no_stiffness_are_left_out) {
  sample s;
  sample_plain(&s, XS_JOINT_SPHERICAL, 1);
  sample_aim(&s, 3, random_vec());
  s.target.stiffness[0] = 50;
  s.target.stiffness[1] = 0;
  sample_init(&s);
  double C[6], G[72];
  xs_row_block block = sample_block(&s, &xs_joint_spherical_target);
  evaluate(&block, s.x, C, G);
  const double alpha[6] = {0, 0, 0, 1.0 / 50, 1, 0};
  for (int r = 0; r < 6; r++) cr_expect_eq(block.alpha[r], alpha[r], "row %d", r);
  for (int r = 3; r < 6; r++) {
    double size = fabs(C[r]);
    for (int column = 0; column < 12; column++) size += fabs(G[column * 6 + r]);
    cr_expect_eq(size == 0, r == 4, "row %d", r);
  }

  /* With none left it is a joint without target. */
  s.target.stiffness[0] = s.target.stiffness[2] = 0;
  sample_init(&s);
  cr_expect_null(sample_block(&s, &xs_joint_spherical_target).kind);
  cr_expect_not_null(sample_block(&s, &xs_joint_spherical).kind);
  cr_expect_null(sample_block(&s, &xs_joint_spherical_drive).kind);

  /* So is one that has a rate only. */
  sample_aim(&s, 3, random_vec());
  for (int i = 0; i < 3; i++) s.target.value[i] = NULL;
  sample_init(&s);
  cr_expect_null(sample_block(&s, &xs_joint_spherical_target).kind);
}

/* ---- Blocks ---- */

Test(joint, compliance_goes_to_its_rows) {
  const int n_translation[XS_N_JOINT_TYPES] = {
      [XS_JOINT_FIXED] = 3,     [XS_JOINT_REVOLUTE] = 3, [XS_JOINT_SPHERICAL] = 3,
      [XS_JOINT_PRISMATIC] = 2, [XS_JOINT_PLANAR] = 1,   [XS_JOINT_DISTANCE] = 1};
  for (int type = 0; type < XS_N_JOINT_TYPES; type++) {
    sample s;
    int n_rows = 7;
    xs_row_block block[XS_JOINT_BLOCKS_MAX];
    sample_plain(&s, (xs_joint_type)type, 1);
    sample_init(&s);
    cr_expect_eq(xs_joint_blocks(&s.joint, &s.geometry, XS_CONSTRAINTS_VECTOR, 3, &n_rows, block),
                 1);
    cr_expect_null(block[0].alpha);
    cr_expect_eq(block[0].first_row, 7);
    cr_expect_eq(block[0].entity, 3);
    cr_expect_eq(n_rows, 7 + block[0].n_rows);

    s.joint.compliance = 1e-3;
    s.joint.rotational_compliance = 2e-3;
    sample_init(&s);
    xs_joint_blocks(&s.joint, &s.geometry, XS_CONSTRAINTS_VECTOR, 3, &n_rows, block);
    for (int r = 0; r < block[0].n_rows; r++)
      cr_expect_eq(block[0].alpha[r], r < n_translation[type] ? 1e-3 : 2e-3);

    int n = xs_joint_blocks(&s.joint, &s.geometry, XS_CONSTRAINTS_SCALAR, 3, &n_rows, block);
    cr_expect_eq(n, type == XS_JOINT_SPHERICAL || type == XS_JOINT_DISTANCE ? 1 : 2);
    cr_expect_eq(block[n - 1].alpha[0], 1e-3);
    if (n == 2) cr_expect_eq(block[0].alpha[0], 2e-3);
  }
}

Test(joint, scalar_forms_have_the_target_as_a_block_of_its_own) {
  sample s;
  int n_rows = 0;
  xs_row_block block[XS_JOINT_BLOCKS_MAX];
  sample_plain(&s, XS_JOINT_REVOLUTE, 1);
  sample_aim(&s, 1, random_vec());
  s.target.stiffness[0] = 4;
  s.joint.limit = (xs_interval){-1, 1};
  sample_init(&s);
  int n = xs_joint_blocks(&s.joint, &s.geometry, XS_CONSTRAINTS_SCALAR, 0, &n_rows, block);
  cr_assert_eq(n, 5);
  cr_expect_eq(block[2].kind, &xs_joint_revolute_drive);
  cr_expect_eq(block[2].alpha[0], 0.25);
  cr_expect_null(block[0].alpha);
  for (int b = 0; b < n; b++) cr_expect_eq(block[b].first_row, b);
}

static int limits_of(xs_joint_type type, xs_interval limit, xs_interval swing, xs_interval twist) {
  sample s;
  int n_rows = 0;
  xs_row_block block[XS_JOINT_BLOCKS_MAX];
  sample_plain(&s, type, 1);
  s.joint.limit = limit;
  s.joint.swing = swing;
  s.joint.twist = twist;
  sample_init(&s);
  int n = xs_joint_blocks(&s.joint, &s.geometry, XS_CONSTRAINTS_VECTOR, 0, &n_rows, block);
  for (int b = 1; b < n; b++) {
    cr_expect_eq(block[b].bound, XS_BOUND_BOX);
    cr_expect_eq(block[b].lambda_min, 0);
    cr_expect_eq(block[b].lambda_max, INFINITY);
    cr_expect_eq(block[b].first_row, block[b - 1].first_row + block[b - 1].n_rows);
  }
  return n - 1;
}

Test(joint, limits_have_a_row_for_each_side_that_can_be_reached) {
  const xs_interval none = unlimited, both = {0.5, 1}, max = {-INFINITY, 1}, cone = {0, 1};
  cr_expect_eq(limits_of(XS_JOINT_REVOLUTE, none, none, none), 0);
  cr_expect_eq(limits_of(XS_JOINT_REVOLUTE, both, none, none), 2);
  cr_expect_eq(limits_of(XS_JOINT_REVOLUTE, max, none, none), 1);
  cr_expect_eq(limits_of(XS_JOINT_PRISMATIC, both, none, none), 2);
  cr_expect_eq(limits_of(XS_JOINT_DISTANCE, cone, none, none), 1);
  cr_expect_eq(limits_of(XS_JOINT_SPHERICAL, none, both, both), 4);
  cr_expect_eq(limits_of(XS_JOINT_SPHERICAL, none, cone, none), 1);
  cr_expect_eq(limits_of(XS_JOINT_SPHERICAL, none, max, none), 1);
  cr_expect_eq(limits_of(XS_JOINT_SPHERICAL, none, (xs_interval){0, pi}, none), 0);
}

Test(joint, distance_without_length_has_its_limits_alone) {
  for (int form = XS_CONSTRAINTS_VECTOR; form <= XS_CONSTRAINTS_SCALAR_MUELLER; form++) {
    sample s;
    int n_rows = 0;
    xs_row_block block[XS_JOINT_BLOCKS_MAX];
    sample_plain(&s, XS_JOINT_DISTANCE, 1);
    s.joint.length = NAN;
    s.joint.limit = (xs_interval){0.2, 0.8};
    sample_init(&s);
    cr_assert_eq(xs_joint_blocks(&s.joint, &s.geometry, (xs_constraints)form, 0, &n_rows, block),
                 2);
    sample_place(&s, (xs_vec3){0, 0.3, 0.4});
    double C, G[12];
    evaluate(&block[0], s.x, &C, G);
    cr_expect_float_eq(C, 0.3, 1e-14);
    evaluate(&block[1], s.x, &C, G);
    cr_expect_float_eq(C, 0.3, 1e-14);
    cr_expect_eq(xs_joint_gap(XS_JOINT_DISTANCE, &s.geometry, s.x), 0);
  }
}

/* ---- Known values ---- */

Test(joint, coordinates_and_gaps_have_known_values) {
  for (int trial = 0; trial < 20; trial++)
    for (int type = 0; type < XS_N_JOINT_TYPES; type++) {
      sample s;
      sample_plain(&s, (xs_joint_type)type, trial % 2);
      if (trial % 3) sample_move(&s);
      sample_init(&s);
      xs_joint_freeze(&s.joint, uniform(), &s.geometry);
      xs_vec3 turned = {0, 0, 3 * uniform()}, u = {3, 4, 12};
      if (type == XS_JOINT_SPHERICAL) turned = random_vec();
      if (type == XS_JOINT_PLANAR && !s.joint.motion) u.z = -u.z;
      sample_turn(&s, xs_so3_exp(turned));
      sample_slide(&s, u);
      s.turn = xs_joint_turn_start(&s.geometry, s.x);

      const xs_vec3 coordinate[XS_N_JOINT_TYPES] = {[XS_JOINT_REVOLUTE] = {turned.z, 0, 0},
                                                    [XS_JOINT_SPHERICAL] = turned,
                                                    [XS_JOINT_PRISMATIC] = {12, 0, 0},
                                                    [XS_JOINT_PLANAR] = {3, 4, turned.z},
                                                    [XS_JOINT_DISTANCE] = {13, 0, 0}};
      const double gap[XS_N_JOINT_TYPES] = {13, 13, 13, 5, 12, 13 - 0.7};
      xs_vec3 got = xs_joint_coordinate(s.joint.type, &s.geometry, s.x, &s.turn);
      cr_expect_leq(distance_of(got, coordinate[type]), 1e-13, "type %d", type);
      if (type != XS_JOINT_PLANAR || !s.joint.motion)
        cr_expect_float_eq(xs_joint_gap(s.joint.type, &s.geometry, s.x), gap[type], 1e-13);

      /* The coordinate rows say the same. */
      xs_row_block block;
      int n = xs_joint_coordinate_block(&s.joint, &s.geometry, 0, &block);
      cr_expect_eq(n, type != XS_JOINT_FIXED);
      if (n == 0) continue;
      double C[3] = {0, 0, 0}, G[36];
      evaluate(&block, s.x, C, G);
      cr_expect_leq(distance_of((xs_vec3){C[0], C[1], C[2]}, got), 1e-13, "type %d", type);
    }
}

/* Sets R_D = R_swing Rz(twist) and returns C of a spherical joint's only limit. */
static double limit_value(sample *s, double swing, double direction, double twist) {
  xs_vec3 axis = {swing * cos(direction), swing * sin(direction), 0};
  sample_turn(s, xs_quat_mul(xs_so3_exp(axis), xs_so3_exp((xs_vec3){0, 0, twist})));
  cr_assert_eq(s->geometry.n_limits, 1);
  xs_row_block block = {
      .kind = s->geometry.limit[0].kind, .data = &s->geometry.limit[0], .n_rows = 1};
  double C, G[12];
  evaluate(&block, s->x, &C, G);
  return C;
}

Test(joint, swing_and_twist_have_known_values) {
  for (int trial = 0; trial < 200; trial++) {
    double swing = 1.55 + 1.55 * uniform(), direction = 3 * uniform(), twist = 3.1 * uniform();
    sample s;
    sample_plain(&s, XS_JOINT_SPHERICAL, trial % 2);
    s.joint.swing = (xs_interval){0, 1};
    sample_init(&s);
    cr_expect_float_eq(limit_value(&s, swing, direction, twist), 1 - swing, 1e-13);
    s.joint.swing = unlimited;
    s.joint.twist = (xs_interval){-1, INFINITY};
    sample_init(&s);
    cr_expect_float_eq(limit_value(&s, swing, direction, twist), twist + 1, 1e-12);
  }
}

/* In the range [0, 4] a twist of -2.5 is 2 pi - 2.5 = 3.78, within it; 4.2 is above it. */
Test(joint, twist_is_taken_near_the_middle_of_its_range) {
  sample s;
  sample_plain(&s, XS_JOINT_SPHERICAL, 1);
  s.joint.twist = (xs_interval){0, 4};
  sample_init(&s);
  cr_assert_eq(s.geometry.n_limits, 2);
  s.geometry.n_limits = 1; /* the lower side, then the upper one */
  cr_expect_float_eq(limit_value(&s, 0.5, 1, -2.5), 2 * pi - 2.5, 1e-13);
  s.geometry.limit[0] = s.geometry.limit[1];
  cr_expect_float_eq(limit_value(&s, 0.5, 1, 4.2), -0.2, 1e-13);
}

/* ---- Singular points ---- */

/* Body 2 turned by the quaternion R_D against body 1, exactly, at the same place. */
static void expect_idle(sample *s, const xs_row_kind *kind, xs_quat R_D, double value) {
  s->joint.frame1 = s->joint.frame2 = (xs_frame){{0, 0, 0}, {1, 0, 0, 0}};
  sample_init(s);
  s->x[1] = pose_of((xs_vec3){1, 2, 3}, xs_quat_identity());
  s->x[2] = pose_of((xs_vec3){1, 2, 3}, R_D);
  double C, G[12];
  xs_row_block block = sample_block(s, kind);
  cr_assert(block.kind == kind);
  evaluate(&block, s->x, &C, G);
  cr_expect_float_eq(C, value, 1e-15, "%s: %g", kind->name, C);
  for (int c = 0; c < 12; c++) cr_expect_eq(G[c], 0, "%s", kind->name);
}

Test(joint, rows_without_direction_are_idle_and_finite) {
  const xs_quat none = {1, 0, 0, 0}, half_x = {0, 1, 0, 0}, half_xy = {0, 0.6, 0.8, 0};
  sample s;
  sample_plain(&s, XS_JOINT_DISTANCE, 1);
  s.joint.limit = (xs_interval){-INFINITY, 2};
  expect_idle(&s, &xs_joint_distance, none, -0.7);
  expect_idle(&s, &xs_joint_distance_limit, none, 2);
  expect_idle(&s, &xs_joint_distance_coordinate, none, 0);

  sample_plain(&s, XS_JOINT_SPHERICAL, 1);
  s.joint.swing = (xs_interval){0, 1};
  expect_idle(&s, &xs_joint_swing_limit, none, 1);
  expect_idle(&s, &xs_joint_swing_limit, half_x, 1 - pi);
  expect_idle(&s, &xs_joint_swing_limit, half_xy, 1 - pi);
  s.joint.twist = (xs_interval){-INFINITY, 0.25};
  expect_idle(&s, &xs_joint_twist_limit, half_x, 0.25);
  expect_idle(&s, &xs_joint_twist_limit, half_xy, 0.25);
}
