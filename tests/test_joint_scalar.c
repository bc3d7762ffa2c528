/* Normed joint rows: true gradients against central differences through [+], the errors that
 * Mueller et al.'s gradients are known to have, balance of forces and moments, zeros. */
#include <criterion/criterion.h>
#include <stdint.h>

#include "constraint/joint_scalar.h"
#include "math/so3.h"

static const double pi = 3.14159265358979323846;

typedef struct state {
  xs_joint_geometry geometry;
  xs_row_block block;
  xs_pose x[3];
} state;

static uint64_t seed = 1;
static double uniform(void) { /* in (-1, 1), the same everywhere */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}
static xs_vec3 random_vec(void) {
  double x = uniform(), y = uniform();
  return (xs_vec3){x, y, uniform()};
}
static xs_vec3 random_unit(void) {
  xs_vec3 a = random_vec();
  return xs_vec3_scale(1 / xs_vec3_norm(a), a);
}
static xs_quat random_quat(void) {
  double w = uniform(), x = uniform(), y = uniform();
  return xs_so3_normalize((xs_quat){w, x, y, uniform()});
}
static xs_pose pose_of(xs_vec3 p, xs_quat q) { return (xs_pose){p, q, xs_so3_matrix(q)}; }

static void set_kind(state *s, const xs_row_kind *kind) {
  s->block = (xs_row_block){.kind = kind,
                            .data = &s->geometry,
                            .n_rows = 1,
                            .n_nodes = 2,
                            .node = {s->geometry.node1, 2}};
}

/* Random frames between node1 (1, or 0: the ground) and node 2, random poses. */
static void random_state(state *s, int node1) {
  s->x[0] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  for (int i = 1; i < 3; i++) s->x[i] = pose_of(random_vec(), random_quat());
  xs_joint_geometry *g = &s->geometry;
  *g = (xs_joint_geometry){.node1 = node1, .node2 = 2, .r1 = random_vec(), .r2 = random_vec()};
  g->q1 = random_quat(), g->q2 = random_quat();
  g->Q1 = xs_so3_matrix(g->q1), g->Q2 = xs_so3_matrix(g->q2);
  g->height = random_unit();
}

/* Turns body 2 so that Rbar_1 [-] Rbar_2 = phi. */
static void set_rotation(state *s, xs_vec3 phi) {
  xs_quat qbar1 = xs_quat_mul(s->x[s->geometry.node1].q, s->geometry.q1);
  xs_quat qbar2 = xs_quat_mul(qbar1, xs_quat_conj(xs_so3_exp(phi)));
  xs_quat q2 = xs_quat_mul(qbar2, xs_quat_conj(s->geometry.q2));
  /* Quaternions of either sign stand for the same pose. */
  if (uniform() < 0) q2 = (xs_quat){-q2.w, -q2.x, -q2.y, -q2.z};
  s->x[2] = pose_of(s->x[2].p, xs_so3_normalize(q2));
}

/* Turns body 2 so that the angle from a1 to a2 is err, at a random angle about the axis. */
static void set_axis_error(state *s, double err) {
  double along = pi * uniform();
  xs_vec3 tilt = {err * cos(along), err * sin(along), 0};
  xs_quat phi = xs_quat_mul(xs_so3_exp((xs_vec3){0, 0, pi * uniform()}), xs_so3_exp(tilt));
  set_rotation(s, xs_so3_log(phi));
}

/* Moves body 2 so that pbar_2 - pbar_1 = Rbar_1 offset. */
static void set_offset(state *s, xs_vec3 offset) {
  const xs_joint_geometry *g = &s->geometry;
  const xs_pose *x1 = &s->x[g->node1];
  xs_vec3 w1 = xs_vec3_add(g->r1, xs_mat3_mul_vec(&g->Q1, offset));
  xs_vec3 pbar2 = xs_vec3_add(x1->p, xs_mat3_mul_vec(&x1->R, w1));
  s->x[2].p = xs_vec3_sub(pbar2, xs_mat3_mul_vec(&s->x[2].R, g->r2));
}

static double evaluate(const state *s, double g[2][6]) {
  double C;
  s->block.kind->evaluate(&s->block, s->x, 0, 1, &C, g[0]);
  return C;
}

static double value_moved(const state *s, int node, int column, double by) {
  state at = *s;
  at.block.data = &at.geometry;
  double d[6] = {0}, unused[2][6];
  d[column] = by;
  xs_pose *x = &at.x[node];
  *x = pose_of(xs_vec3_add(x->p, (xs_vec3){d[0], d[1], d[2]}),
               xs_so3_plus(x->q, (xs_vec3){d[3], d[4], d[5]}));
  return evaluate(&at, unused);
}

/* dC/dx by central differences of fourth order. Norms of 1e-3 bend within 1e-3, so the
 * step is short: the error of the formula is then (2e-3)^4, that of round-off 5e-10. */
static void true_gradient(const state *s, double g[2][6]) {
  const double e = 2e-6;
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 6; c++) {
      int node = s->block.node[k];
      double near = value_moved(s, node, c, e) - value_moved(s, node, c, -e);
      double far = value_moved(s, node, c, 2 * e) - value_moved(s, node, c, -2 * e);
      g[k][c] = (8 * near - far) / (12 * e);
    }
}

/* Largest |a - factor b|; NaN if there is one (fmax would drop it). */
static double difference(double a[2][6], double factor, double b[2][6]) {
  double worst = 0;
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 6; c++) {
      double d = fabs(a[k][c] - factor * b[k][c]);
      if (isnan(d)) return d;
      worst = fmax(worst, d);
    }
  return worst;
}

static xs_vec3 rotation_part(const double g[6]) { return (xs_vec3){g[3], g[4], g[5]}; }

/* Sum over both nodes of the forces, and of the moments about the world's origin. */
static void net(const state *s, double g[2][6], xs_vec3 *force, xs_vec3 *moment) {
  *force = *moment = (xs_vec3){0, 0, 0};
  for (int k = 0; k < 2; k++) {
    const xs_pose *x = &s->x[s->block.node[k]];
    xs_vec3 f = {g[k][0], g[k][1], g[k][2]};
    *force = xs_vec3_add(*force, f);
    *moment = xs_vec3_add(*moment, xs_vec3_cross(x->p, f));
    *moment = xs_vec3_add(*moment, xs_mat3_mul_vec(&x->R, rotation_part(g[k])));
  }
}

/* The sizes at which rows are tried: of angles, and of offsets where smaller than 1. */
static const double sizes[] = {1e-3, 1e-2, 0.5, 1.5, 3, 3.14159265358979 - 1e-3};
enum { N_SIZES = sizeof sizes / sizeof *sizes, TRIALS = 40 };

/* A random state with the given size of the row's error, slid along the axis at random. */
static void state_of_size(state *s, const xs_row_kind *kind, double size, int trial) {
  random_state(s, trial % 2);
  if (kind == &xs_joint_scalar_axis || kind == &xs_joint_scalar_axis_mueller)
    set_axis_error(s, size);
  else
    set_rotation(s, xs_vec3_scale(size, random_unit()));

  xs_vec3 offset = xs_vec3_scale(size, random_unit());
  if (kind == &xs_joint_scalar_across || kind == &xs_joint_scalar_across_mueller) {
    double direction = pi * uniform();
    offset = (xs_vec3){size * cos(direction), size * sin(direction), 2 * uniform()};
  }
  set_offset(s, offset);
  set_kind(s, kind);
}

static const xs_row_kind *const true_kinds[] = {&xs_joint_scalar_anchors, &xs_joint_scalar_across,
                                                &xs_joint_scalar_height, &xs_joint_scalar_rotation,
                                                &xs_joint_scalar_axis};
static const xs_row_kind *const mueller_kinds[] = {&xs_joint_scalar_across_mueller,
                                                   &xs_joint_scalar_rotation_mueller,
                                                   &xs_joint_scalar_axis_mueller};
enum {
  N_TRUE = sizeof true_kinds / sizeof *true_kinds,
  N_MUELLER = sizeof mueller_kinds / sizeof *mueller_kinds,
  N_KINDS = N_TRUE + N_MUELLER
};
static const xs_row_kind *kind_number(int i) {
  return i < N_TRUE ? true_kinds[i] : mueller_kinds[i - N_TRUE];
}

Test(joint_scalar, joints_have_their_rows_in_order) {
  const xs_row_kind *kind[2];
  for (int type = 0; type < XS_N_JOINT_TYPES; type++)
    for (int form = XS_CONSTRAINTS_SCALAR; form <= XS_CONSTRAINTS_SCALAR_MUELLER; form++) {
      int n = xs_joint_scalar_kinds((xs_joint_type)type, (xs_constraints)form, kind);
      int no_angle = type == XS_JOINT_SPHERICAL || type == XS_JOINT_DISTANCE;
      cr_assert_eq(n, no_angle ? 1 : 2, "joint type %d", type);
      for (int i = 0; i < n; i++)
        cr_expect(kind[i]->n_rows == 1 && kind[i]->n_nodes == 2, "joint type %d", type);
    }
  xs_joint_scalar_kinds(XS_JOINT_PRISMATIC, XS_CONSTRAINTS_SCALAR, kind);
  cr_expect(kind[0] == &xs_joint_scalar_rotation && kind[1] == &xs_joint_scalar_across);
  xs_joint_scalar_kinds(XS_JOINT_REVOLUTE, XS_CONSTRAINTS_SCALAR_MUELLER, kind);
  cr_expect(kind[0] == &xs_joint_scalar_axis_mueller && kind[1] == &xs_joint_scalar_anchors);
}

/* C is the size of the error that was put in. */
Test(joint_scalar, rows_measure_the_error) {
  for (int i = 0; i < N_KINDS; i++)
    for (int a = 0; a < N_SIZES; a++) {
      state s;
      double unused[2][6], size = sizes[a], want = size;
      const xs_row_kind *kind = kind_number(i);
      if (kind == &xs_joint_scalar_height) continue;
      if (kind == &xs_joint_scalar_rotation_mueller) want = 2 * sin(size / 2);
      if (kind == &xs_joint_scalar_axis_mueller) want = sin(size);
      state_of_size(&s, kind, size, a);
      cr_expect_float_eq(evaluate(&s, unused), want, 1e-14, "%s at %g", kind->name, size);
    }
}

/* The planar joint's height counts from frame 1, along the fixed direction, with its sign. */
Test(joint_scalar, height_is_signed) {
  state s;
  double unused[2][6];
  state_of_size(&s, &xs_joint_scalar_height, 1, 1);
  s.geometry.height = xs_mat3_column(&s.geometry.Q1, 2);
  set_offset(&s, (xs_vec3){3, -2, -0.25});
  cr_expect_float_eq(evaluate(&s, unused), -0.25, 1e-14);
}

Test(joint_scalar, true_gradients_are_those_of_the_rows) {
  for (int i = 0; i < N_TRUE; i++)
    for (int a = 0; a < N_SIZES; a++)
      for (int trial = 0; trial < TRIALS; trial++) {
        state s;
        double g[2][6], want[2][6];
        state_of_size(&s, true_kinds[i], sizes[a], trial);
        evaluate(&s, g);
        true_gradient(&s, want);
        double error = difference(g, 1, want);
        cr_assert_leq(error, 1e-8, "%s at %g: gradient off by %g", s.block.kind->name, sizes[a],
                      error);
      }
}

/* True gradient minus Mueller's: on body 1's rotation alone, -u_3 (axis x n), all in node
 * 1's frame; its size is the distance slid. */
Test(joint_scalar, mueller_across_errs_by_the_slide) {
  for (int a = 0; a < N_SIZES; a++)
    for (int trial = 0; trial < TRIALS; trial++) {
      state s;
      double g[2][6], want[2][6];
      state_of_size(&s, &xs_joint_scalar_across_mueller, sizes[a], trial);
      double slide = 2 * uniform(), direction = pi * uniform();
      set_offset(&s, (xs_vec3){sizes[a] * cos(direction), sizes[a] * sin(direction), slide});
      evaluate(&s, g);
      true_gradient(&s, want);

      xs_vec3 axis = xs_mat3_column(&s.geometry.Q1, 2);
      xs_vec3 n = xs_mat3_mul_vec(&s.geometry.Q1, (xs_vec3){cos(direction), sin(direction), 0});
      xs_vec3 error = xs_vec3_scale(-slide, xs_vec3_cross(axis, n));
      xs_vec3 found = xs_vec3_sub(rotation_part(want[0]), rotation_part(g[0]));
      cr_assert_leq(xs_vec3_norm(xs_vec3_sub(found, error)), 1e-8);
      cr_assert_float_eq(xs_vec3_norm(found), fabs(slide), 1e-8);
      for (int c = 0; c < 3; c++) g[0][3 + c] = want[0][3 + c];
      cr_assert_leq(difference(g, 1, want), 1e-8);
    }
}

/* Mueller's angles: the true gradient of the sine is the given one times a cosine. */
Test(joint_scalar, mueller_angles_err_by_a_cosine) {
  for (int i = 1; i < N_MUELLER; i++)
    for (int a = 0; a < N_SIZES; a++)
      for (int trial = 0; trial < TRIALS; trial++) {
        state s;
        double g[2][6], want[2][6], size = sizes[a];
        state_of_size(&s, mueller_kinds[i], size, trial);
        int half = mueller_kinds[i] == &xs_joint_scalar_rotation_mueller;
        evaluate(&s, g);
        true_gradient(&s, want);
        double error = difference(want, half ? cos(size / 2) : cos(size), g);
        cr_assert_leq(error, 1e-8, "%s at %g: %g", s.block.kind->name, size, error);
      }
}

/* All rows but Mueller's across act in balance, assembled or not. */
Test(joint_scalar, forces_and_moments_balance) {
  for (int i = 0; i < N_KINDS; i++)
    for (int a = 0; a < N_SIZES; a++)
      for (int trial = 0; trial < TRIALS; trial++) {
        state s;
        double g[2][6];
        xs_vec3 force, moment;
        if (kind_number(i) == &xs_joint_scalar_across_mueller) continue;
        state_of_size(&s, kind_number(i), sizes[a], trial);
        evaluate(&s, g);
        net(&s, g, &force, &moment);
        cr_assert_leq(xs_vec3_norm(force), 1e-12, "%s", s.block.kind->name);
        cr_assert_leq(xs_vec3_norm(moment), 1e-12, "%s at %g: %g", s.block.kind->name, sizes[a],
                      xs_vec3_norm(moment));
      }
}

/* Mueller's pair across the axis leaves the couple u_3 a1 x f, f the force on node 2. */
Test(joint_scalar, mueller_across_leaves_a_couple) {
  for (int trial = 0; trial < TRIALS; trial++) {
    state s;
    double g[2][6], slide = 2 * uniform();
    xs_vec3 force, moment;
    state_of_size(&s, &xs_joint_scalar_across_mueller, 1, trial);
    set_offset(&s, (xs_vec3){0.3, -0.2, slide});
    evaluate(&s, g);
    net(&s, g, &force, &moment);

    xs_vec3 axis = xs_mat3_column(&s.geometry.Q1, 2);
    xs_vec3 a1 = xs_mat3_mul_vec(&s.x[s.geometry.node1].R, axis), f = {g[1][0], g[1][1], g[1][2]};
    xs_vec3 want = xs_vec3_scale(slide, xs_vec3_cross(a1, f));
    cr_expect_leq(xs_vec3_norm(force), 1e-12);
    cr_expect_leq(xs_vec3_norm(xs_vec3_sub(moment, want)), 1e-12);
    cr_expect_float_eq(xs_vec3_norm(moment), fabs(slide), 1e-12);
  }
}

/* G^T lambda is the impulse lambda n, n the direction that the gradient of node 1 shows. */
Test(joint_scalar, impulse_along_the_direction_is_the_gradient) {
  for (int i = 0; i < N_KINDS; i++)
    for (int trial = 0; trial < TRIALS; trial++) {
      state s;
      double g[2][6], impulse[2][6], lambda = uniform();
      state_of_size(&s, kind_number(i), 0.7, trial);
      evaluate(&s, g);
      xs_vec3 n = {g[0][0], g[0][1], g[0][2]};
      if (xs_vec3_norm2(n) == 0) n = xs_mat3_mul_vec(&s.x[s.geometry.node1].R, rotation_part(g[0]));
      cr_expect_float_eq(xs_vec3_norm(n), 1, 1e-14, "%s", s.block.kind->name);
      s.block.kind->impulse(&s.block, s.x, xs_vec3_scale(lambda, n), impulse);
      double error = difference(impulse, lambda, g);
      cr_expect_leq(error, 1e-14, "%s: %g", s.block.kind->name, error);
    }
}

/* Rows that are fulfilled exactly: C = 0, and a gradient of 0 instead of 0/0. */
Test(joint_scalar, norms_of_zero_have_no_gradient) {
  for (int i = 0; i < N_KINDS; i++) {
    const xs_row_kind *kind = kind_number(i);
    if (kind == &xs_joint_scalar_height) continue; /* no norm */
    state s;
    double g[2][6], zero[2][6] = {{0}};
    random_state(&s, 1);
    s.geometry.r1 = s.geometry.r2 = (xs_vec3){1, 2, 3};
    s.geometry.q1 = s.geometry.q2 = xs_quat_identity();
    s.geometry.Q1 = s.geometry.Q2 = xs_mat3_identity();
    s.x[1] = s.x[2] = pose_of((xs_vec3){4, 5, 6}, xs_quat_identity());
    set_kind(&s, kind);
    cr_expect_eq(evaluate(&s, g), 0, "%s", kind->name);
    cr_expect_eq(difference(g, 1, zero), 0, "%s", kind->name);
  }
}

/* Axes exactly opposite: the error is half a turn, not nothing. */
Test(joint_scalar, opposite_axes_are_half_a_turn_apart) {
  state s;
  double g[2][6], zero[2][6] = {{0}};
  random_state(&s, 1);
  s.geometry.Q1 = s.geometry.Q2 = xs_mat3_identity();
  s.x[1] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  s.x[2] = pose_of((xs_vec3){0, 0, 0}, (xs_quat){0, 1, 0, 0});
  set_kind(&s, &xs_joint_scalar_axis);
  cr_expect_float_eq(evaluate(&s, g), pi, 1e-15);
  cr_expect_eq(difference(g, 1, zero), 0);
}

/* Directions are of unit length down to numbers whose squares underflow. */
Test(joint_scalar, tiny_errors_have_a_direction) {
  const double tiny[] = {1e-140, 1e-160, 1e-200, 1e-300};
  for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
    double length;
    xs_vec3 n = xs_joint_scalar_unit((xs_vec3){3 * tiny[i], 0, -4 * tiny[i]}, &length);
    cr_expect_float_eq(length / tiny[i], 5, 1e-14);
    cr_expect_float_eq(n.x, 0.6, 1e-15);
    cr_expect_float_eq(n.z, -0.8, 1e-15);
  }
}
