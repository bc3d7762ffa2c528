/* Angles that go on beyond pi: recorded, as coordinate, against limits and against a target. */
#include <criterion/criterion.h>

#include "joint_sample.h"

static double value_of(const xs_row_block *block, const xs_pose *x) {
  double C, G[12];
  cr_assert_not_null(block->kind);
  block->kind->evaluate(block, x, 0, 1, &C, G);
  return C;
}

/* A revolute joint with a kinematic target and limits on both sides, put together. */
static void hinge(sample *s, double target, xs_interval limit) {
  sample_plain(s, XS_JOINT_REVOLUTE, 1);
  sample_aim(s, 1, (xs_vec3){target, 0, 0});
  s->joint.limit = limit;
  sample_init(s);
}

static void set_angle(sample *s, double angle) {
  sample_turn(s, xs_so3_exp((xs_vec3){0, 0, angle}));
  sample_place(s, (xs_vec3){0, 0, 0});
}

/* Every row is asked at an angle that the turn has not reached yet, as in a substep. */
Test(joint_turn, angles_go_on_over_many_turns) {
  const double target = 30, min = -40, max = 50;
  for (int trial = 0; trial < 20; trial++) {
    sample s;
    hinge(&s, target, (xs_interval){min, max});
    xs_row_block coordinate = sample_block(&s, &xs_joint_revolute_coordinate);
    xs_row_block drive = sample_block(&s, &xs_joint_revolute_drive);
    xs_row_block whole = sample_block(&s, &xs_joint_revolute_target);
    xs_row_block low = {.kind = s.geometry.limit[0].kind, .data = &s.geometry.limit[0]};
    xs_row_block high = {.kind = s.geometry.limit[1].kind, .data = &s.geometry.limit[1]};

    double angle = 3 * uniform(), rate = trial == 0 ? 3 : 2.9 * uniform();
    set_angle(&s, angle);
    s.turn = xs_joint_turn_start(&s.geometry, s.x);
    for (int step = 0; step < 400; step++) {
      set_angle(&s, angle);
      double C[6], G[72];
      whole.kind->evaluate(&whole, s.x, 0, 6, C, G);
      cr_assert_float_eq(value_of(&coordinate, s.x), angle, 1e-11, "trial %d step %d", trial, step);
      cr_assert_float_eq(value_of(&drive, s.x), angle - target, 1e-11);
      cr_assert_float_eq(C[5], angle - target, 1e-11);
      cr_assert_float_eq(value_of(&low, s.x), angle - min, 1e-11);
      cr_assert_float_eq(value_of(&high, s.x), max - angle, 1e-11);

      xs_joint_turn_track(&s.geometry, s.x, &s.turn);
      double got = xs_joint_coordinate(XS_JOINT_REVOLUTE, &s.geometry, s.x, &s.turn).x;
      cr_assert_float_eq(got, angle, 1e-11, "trial %d step %d: %.15g, want %.15g", trial, step, got,
                         angle);
      cr_assert_eq(got, xs_joint_turn_angle(&s.turn));
      angle += rate;
    }
  }
}

/* A turn there and back, in steps that meet the half turns exactly or nearly. */
Test(joint_turn, half_turns_are_counted_both_ways) {
  const double pi = 3.14159265358979323846;
  sample s;
  hinge(&s, 0, unlimited);
  s.joint.frame1 = s.joint.frame2 = (xs_frame){{0, 0, 0}, {1, 0, 0, 0}};
  sample_init(&s);
  s.x[1] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  xs_row_block coordinate = sample_block(&s, &xs_joint_revolute_coordinate);
  for (int step = 0; step <= 400; step++) {
    double angle = 0.25 * pi * (step <= 200 ? step : 400 - step) - 6 * pi;
    set_angle(&s, angle);
    if (step == 0) s.turn = (xs_turn){-1, 0, -2}; /* 2 pi - 8 pi */
    cr_assert_float_eq(value_of(&coordinate, s.x), angle, 1e-11, "step %d: %.15g, not %.15g", step,
                       value_of(&coordinate, s.x), angle);
    xs_joint_turn_track(&s.geometry, s.x, &s.turn);
    cr_assert_float_eq(xs_joint_turn_angle(&s.turn), angle, 1e-11);
  }
}

Test(joint_turn, starts_within_half_a_turn) {
  for (int trial = 0; trial < 100; trial++) {
    sample s;
    hinge(&s, 0, unlimited);
    double angle = 3.1415 * uniform();
    set_angle(&s, angle + (trial % 3 - 1) * 2 * 3.14159265358979323846);
    if (trial % 2) s.x[2].q = (xs_quat){-s.x[2].q.w, -s.x[2].q.x, -s.x[2].q.y, -s.x[2].q.z};
    s.turn = xs_joint_turn_start(&s.geometry, s.x);
    cr_expect_float_eq(xs_joint_turn_angle(&s.turn), angle, 1e-12);
  }
}

/* Rotation of frame 1 by its motion counts as the turning of body 2 against it. */
Test(joint_turn, is_reckoned_from_the_moving_frame) {
  sample s;
  hinge(&s, 0, unlimited);
  s.f[0] = (xs_timefn){.kind = XS_TIMEFN_RAMP, .u.ramp = {0, 20, 0, 10, 0}};
  xs_mat3 Q = xs_so3_matrix(s.joint.frame1.q);
  s.motion =
      (xs_motion){.axis = xs_mat3_column(&Q, 2), .angle = &s.f[0], .q_carrier = xs_quat_identity()};
  s.joint.motion = &s.motion;
  sample_init(&s);
  set_angle(&s, 0.5);
  s.turn = xs_joint_turn_start(&s.geometry, s.x);
  xs_row_block coordinate = sample_block(&s, &xs_joint_revolute_coordinate);
  for (int step = 0; step <= 100; step++) {
    double t = 0.1 * step;
    xs_joint_freeze(&s.joint, t, &s.geometry);
    cr_assert_float_eq(value_of(&coordinate, s.x), 0.5 - 2 * t, 1e-11);
    xs_joint_turn_track(&s.geometry, s.x, &s.turn);
  }
}
