/* Every kind of joint rows: gradients against central differences through [+], rows asked for
 * one by one, and the balance of forces and moments of G^T lambda. A kind in xs_joint_kinds
 * without an entry in `cases` fails. The normed rows are in test_joint_scalar.c. */
#include <criterion/criterion.h>
#include <string.h>

#include "joint_sample.h"

/* Where the variable itself is singular, gradients are not compared. */
typedef enum { REGULAR, LENGTH, SWING, TWIST } singularity;

typedef struct row_case {
  const xs_row_kind *kind;
  xs_joint_type type;
  int n_rows, n_target; /* n_target > 0: with a target of so many coordinates */
  singularity singular;
  int needs_assembly; /* forces act at both anchors: balanced where those meet */
} row_case;

static const row_case cases[] = {
    {&xs_joint_fixed, XS_JOINT_FIXED, 6, 0, REGULAR, 1},
    {&xs_joint_revolute, XS_JOINT_REVOLUTE, 5, 0, REGULAR, 1},
    {&xs_joint_spherical, XS_JOINT_SPHERICAL, 3, 0, REGULAR, 1},
    {&xs_joint_prismatic, XS_JOINT_PRISMATIC, 5, 0, REGULAR, 0},
    {&xs_joint_planar, XS_JOINT_PLANAR, 3, 0, REGULAR, 0},
    {&xs_joint_distance, XS_JOINT_DISTANCE, 1, 0, LENGTH, 0},
    {&xs_joint_revolute_target, XS_JOINT_REVOLUTE, 6, 1, REGULAR, 1},
    {&xs_joint_prismatic_target, XS_JOINT_PRISMATIC, 6, 1, REGULAR, 0},
    {&xs_joint_spherical_target, XS_JOINT_SPHERICAL, 6, 3, REGULAR, 1},
    {&xs_joint_revolute_drive, XS_JOINT_REVOLUTE, 1, 1, REGULAR, 0},
    {&xs_joint_prismatic_drive, XS_JOINT_PRISMATIC, 1, 1, REGULAR, 0},
    {&xs_joint_spherical_drive, XS_JOINT_SPHERICAL, 3, 3, REGULAR, 0},
    {&xs_joint_revolute_coordinate, XS_JOINT_REVOLUTE, 1, 0, REGULAR, 0},
    {&xs_joint_prismatic_coordinate, XS_JOINT_PRISMATIC, 1, 0, REGULAR, 0},
    {&xs_joint_spherical_coordinate, XS_JOINT_SPHERICAL, 3, 0, REGULAR, 0},
    {&xs_joint_planar_coordinate, XS_JOINT_PLANAR, 3, 0, REGULAR, 0},
    {&xs_joint_distance_coordinate, XS_JOINT_DISTANCE, 1, 0, LENGTH, 0},
    {&xs_joint_revolute_limit, XS_JOINT_REVOLUTE, 1, 0, REGULAR, 0},
    {&xs_joint_prismatic_limit, XS_JOINT_PRISMATIC, 1, 0, REGULAR, 0},
    {&xs_joint_distance_limit, XS_JOINT_DISTANCE, 1, 0, LENGTH, 0},
    {&xs_joint_swing_limit, XS_JOINT_SPHERICAL, 1, 0, SWING, 0},
    {&xs_joint_twist_limit, XS_JOINT_SPHERICAL, 1, 0, TWIST, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* The relative rotation has the given size about a random axis, and the anchors have it for
 * a distance; random where it is negative. */
static xs_row_block random_state(const row_case *c, int node1, double size, sample *s) {
  sample_plain(s, c->type, node1);
  if (uniform() > 0) sample_move(s);
  if (c->n_target > 0) sample_aim(s, c->n_target, random_vec());
  double low = 0.5 + 0.5 * uniform();
  s->joint.limit = s->joint.swing = s->joint.twist =
      uniform() > 0 ? (xs_interval){low, INFINITY} : (xs_interval){-INFINITY, low};
  sample_init(s);
  xs_joint_freeze(&s->joint, uniform(), &s->geometry);
  s->turn = xs_joint_turn_start(&s->geometry, s->x);

  if (size >= 0) {
    xs_vec3 axis = random_vec();
    xs_quat relative = xs_so3_exp(xs_vec3_scale(size / xs_vec3_norm(axis), axis));
    if (c->n_target == 3) /* the rotation that is left to the target */
      relative = xs_quat_mul(xs_so3_exp(s->geometry.target), relative);
    sample_turn(s, relative);
    if (c->singular == LENGTH) sample_place(s, xs_vec3_scale(size / xs_vec3_norm(axis), axis));
    s->turn = xs_joint_turn_start(&s->geometry, s->x);
  }
  xs_row_block block = sample_block(s, c->kind);
  cr_assert(block.kind && block.kind == c->kind, "no block of kind %s", c->kind->name);
  return block;
}

/* Angle from frame 1's z to frame 2's z. */
static double swing_of(const sample *s) {
  const xs_joint_geometry *g = &s->geometry;
  xs_mat3 A = xs_mat3_mul(s->x[g->node1].R, g->Q1), B = xs_mat3_mul(s->x[2].R, g->Q2);
  xs_vec3 a = xs_mat3_column(&A, 2), b = xs_mat3_column(&B, 2);
  return atan2(xs_vec3_norm(xs_vec3_cross(a, b)), xs_vec3_dot(a, b));
}

static int is_singular(const row_case *c, const sample *s, double size) {
  const double pi = 3.14159265358979323846, swing = swing_of(s);
  switch (c->singular) {
    case LENGTH:
      return size >= 0 && size < 1e-3;
    case SWING:
      return swing < 1e-3 || swing > pi - 1e-3;
    case TWIST:
      return swing > pi - 1e-3;
    case REGULAR:
      break;
  }
  return 0;
}

static xs_pose moved(xs_pose x, int column, double by) {
  double d[6] = {0};
  d[column] = by;
  xs_vec3 p = xs_vec3_add(x.p, (xs_vec3){d[0], d[1], d[2]});
  return pose_of(p, xs_so3_plus(x.q, (xs_vec3){d[3], d[4], d[5]}));
}

/* C(x [+] eps) - C(x [-] eps) in one column of one node. */
static void difference(const xs_row_block *block, xs_pose x[3], int node, int column, double eps,
                       double d[XS_ROWS_MAX]) {
  double plus[XS_ROWS_MAX], minus[XS_ROWS_MAX], unused[XS_ROWS_MAX * 12];
  xs_pose at = x[node];
  x[node] = moved(at, column, eps);
  block->kind->evaluate(block, x, 0, block->n_rows, plus, unused);
  x[node] = moved(at, column, -eps);
  block->kind->evaluate(block, x, 0, block->n_rows, minus, unused);
  x[node] = at;
  for (int r = 0; r < block->n_rows; r++) d[r] = plus[r] - minus[r];
}

/* Against the central difference of fourth order. */
static double gradient_error(const xs_row_block *block, xs_pose x[3], double eps) {
  double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], near[XS_ROWS_MAX] = {0}, far[XS_ROWS_MAX] = {0};
  double worst = 0;
  int n = block->n_rows;
  block->kind->evaluate(block, x, 0, n, C, G);
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 6; c++) {
      difference(block, x, block->node[k], c, eps, near);
      difference(block, x, block->node[k], c, 2 * eps, far);
      for (int r = 0; r < n; r++) {
        double error = fabs((8 * near[r] - far[r]) / (12 * eps) - G[(k * 6 + c) * n + r]);
        if (!(error <= worst)) worst = error;
      }
    }
  return worst;
}

Test(joint_rows, every_kind_is_listed) {
  for (int k = 0; xs_joint_kinds[k]; k++) {
    int found = 0;
    for (int i = 0; i < N_CASES; i++) found += cases[i].kind == xs_joint_kinds[k];
    cr_assert_eq(found, 1, "%s has no entry in this test", xs_joint_kinds[k]->name);
  }
  for (int i = 0; i < N_CASES; i++) cr_expect_eq(cases[i].kind->n_rows, cases[i].n_rows);
}

/* What joints are made of is in xs_joint_kinds, so that no kind gets by the list. */
Test(joint_rows, every_block_is_of_a_listed_kind) {
  for (int type = 0; type < XS_N_JOINT_TYPES; type++)
    for (int n_target = 0; n_target <= 3; n_target++) {
      sample s;
      sample_plain(&s, (xs_joint_type)type, 1);
      s.joint.limit = s.joint.swing = s.joint.twist = (xs_interval){0.1, 0.2};
      int has_target = type == XS_JOINT_REVOLUTE || type == XS_JOINT_PRISMATIC ? n_target == 1
                       : type == XS_JOINT_SPHERICAL                            ? n_target == 3
                                                                               : 0;
      if (has_target) sample_aim(&s, n_target, random_vec());
      sample_init(&s);
      xs_row_block block[SAMPLE_BLOCKS_MAX];
      int n = sample_blocks(&s, block);
      for (int b = 0; b < n; b++) {
        int found = block[b].kind->impulse != NULL; /* scalar rows: test_joint_scalar.c */
        for (int k = 0; xs_joint_kinds[k]; k++) found |= xs_joint_kinds[k] == block[b].kind;
        cr_expect(found, "%s is not in xs_joint_kinds", block[b].kind->name);
      }
    }
}

Test(joint_rows, gradients_are_those_of_the_rows) {
  const double pi = 3.14159265358979323846;
  const double sizes[] = {-1, 0, 1e-9, 1e-5, 1e-3, 0.5, 3, pi - 1e-3, pi - 1e-4};
  for (int i = 0; i < N_CASES; i++) {
    int compared = 0;
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
      for (int trial = 0; trial < 40; trial++) {
        sample s;
        xs_row_block block = random_state(&cases[i], trial % 2, sizes[a], &s);
        if (is_singular(&cases[i], &s, sizes[a])) continue;
        /* Round-off asks for a larger, the sharp bend of a length of 1e-3 for a smaller eps. */
        double eps = cases[i].singular == LENGTH ? 2e-6 : 5e-6;
        double error = gradient_error(&block, s.x, eps);
        cr_assert_leq(error, 1e-8, "%s at %g: gradient off by %g", block.kind->name, sizes[a],
                      error);
        compared++;
      }
    cr_expect_geq(compared, 120, "%s: only %d states", cases[i].kind->name, compared);
  }
}

/* C_t: rows whose frame 1 and target move, against the central difference of fourth order over
 * time at fixed poses. */
Test(joint_rows, time_rates_are_those_of_the_rows) {
  const double t = 0.3, eps = 1e-4;
  for (int i = 0; i < N_CASES; i++)
    for (int trial = 0; trial < 60; trial++) {
      sample s;
      xs_row_block block = random_state(&cases[i], trial % 2, -1, &s);
      sample_move(&s);
      for (int c = 0; c < cases[i].n_target; c++) s.f[6 + c] = s.f[c];
      if (is_singular(&cases[i], &s, -1)) continue;
      /* The scalar forms' drive is no block of the vector form: the target's block has its row. */
      if (strstr(block.kind->name, "_drive")) continue;

      double C[5][XS_ROWS_MAX], G[XS_ROWS_MAX * 12], rate[XS_ROWS_MAX];
      for (int k = -2; k <= 2; k++) {
        xs_joint_freeze(&s.joint, t + k * eps, &s.geometry);
        block.kind->evaluate(&block, s.x, 0, block.n_rows, C[2 + k], G);
      }
      xs_joint_freeze(&s.joint, t, &s.geometry);
      block.kind->evaluate(&block, s.x, 0, block.n_rows, C[2], G);
      xs_joint_time_rate(&s.joint, &s.geometry, &block, s.x, G, t, rate);
      for (int r = 0; r < block.n_rows; r++) {
        double found = (8 * (C[3][r] - C[1][r]) - (C[4][r] - C[0][r])) / (12 * eps);
        if (fabs(C[4][r] - C[0][r]) > 1) continue; /* passed half a turn */
        double size = 1 + fabs(found);
        cr_assert_leq(fabs(found - rate[r]), 1e-7 * size, "%s row %d: %.12g, by differences %.12g",
                      block.kind->name, r, rate[r], found);
      }
    }
}

/* Right up to where swing and twist lose their meaning; twist's gradient is of size
 * 1/cos(swing/2) = 2000 there, and so grow the errors of the difference. */
Test(joint_rows, swing_and_twist_are_right_near_their_singular_points) {
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < N_CASES; i++) {
    if (cases[i].singular != SWING && cases[i].singular != TWIST) continue;
    for (int trial = 0; trial < 100; trial++) {
      double swing = trial % 2 ? 1.001e-3 : pi - 1.001e-3, direction = 3 * uniform();
      xs_vec3 axis = {swing * cos(direction), swing * sin(direction), 0};
      xs_quat twist = xs_so3_exp((xs_vec3){0, 0, 2 * uniform()});
      sample s;
      xs_row_block block = random_state(&cases[i], trial % 4 > 1, -1, &s);
      sample_turn(&s, xs_quat_mul(xs_so3_exp(axis), twist));
      double size = cases[i].singular == TWIST ? 1 / cos(swing / 2) : 1;
      double eps = cases[i].singular == TWIST ? 1e-6 : 3e-6;
      double error = gradient_error(&block, s.x, eps) / size;
      cr_assert_leq(error, 1e-8, "%s at swing %g: gradient off by %g", block.kind->name, swing,
                    error);
    }
  }
}

/* Asking for some rows gives the same bits as asking for all. */
Test(joint_rows, single_rows_agree_with_the_block) {
  for (int i = 0; i < N_CASES; i++)
    for (int trial = 0; trial < 20; trial++) {
      sample s;
      xs_row_block block = random_state(&cases[i], trial % 2, trial % 3 ? -1 : 1, &s);
      int n = block.n_rows;
      double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], c[XS_ROWS_MAX], g[XS_ROWS_MAX * 12];
      block.kind->evaluate(&block, s.x, 0, n, C, G);
      for (int first = 0; first < n; first++)
        for (int count = 1; first + count <= n; count++) {
          block.kind->evaluate(&block, s.x, first, count, c, g);
          int same = memcmp(c, C + first, (size_t)count * sizeof *c) == 0;
          for (int column = 0; column < 12; column++)
            same &=
                memcmp(g + column * count, G + column * n + first, (size_t)count * sizeof *g) == 0;
          cr_expect(same, "%s: rows %d + %d", block.kind->name, first, count);
        }
    }
}

/* Action and reaction: forces, and moments about the world origin, of G^T lambda sum to
 * zero for any lambda. Rows that pull at both anchors do so only where these meet. */
Test(joint_rows, forces_and_moments_balance) {
  for (int i = 0; i < N_CASES; i++)
    for (int trial = 0; trial < 100; trial++) {
      sample s;
      xs_row_block block = random_state(&cases[i], 1, trial % 2 ? 1e-9 : -1, &s);
      if (cases[i].needs_assembly) sample_place(&s, (xs_vec3){0, 0, 0});
      int n = block.n_rows;
      double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], lambda[XS_ROWS_MAX];
      block.kind->evaluate(&block, s.x, 0, n, C, G);
      for (int r = 0; r < n; r++) lambda[r] = uniform();

      xs_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
      for (int k = 0; k < 2; k++) {
        double g[6] = {0};
        for (int c = 0; c < 6; c++)
          for (int r = 0; r < n; r++) g[c] += G[(k * 6 + c) * n + r] * lambda[r];
        const xs_pose *xk = &s.x[block.node[k]];
        xs_vec3 f = {g[0], g[1], g[2]}, m = {g[3], g[4], g[5]};
        force = xs_vec3_add(force, f);
        moment =
            xs_vec3_add(moment, xs_vec3_add(xs_vec3_cross(xk->p, f), xs_mat3_mul_vec(&xk->R, m)));
      }
      cr_expect_leq(xs_vec3_norm(force), 1e-12, "%s", block.kind->name);
      cr_expect_leq(xs_vec3_norm(moment), 1e-12, "%s: %g", block.kind->name, xs_vec3_norm(moment));
    }
}

/* d(G^T s)/dx of the kinds that have it, against the fourth-order difference of G^T s. */
Test(joint_rows, stiffness_is_the_derivative_of_the_generalised_force) {
  static const double sizes[] = {1e-4, 0.1, 1, 2};
  int tested = 0;
  for (int i = 0; i < N_CASES; i++) {
    double worst = 0;
    if (!cases[i].kind->stiffness) continue;
    tested++;
    for (int k = 0; k < 4; k++)
      for (int trial = 0; trial < 40; trial++) {
        sample s;
        double exact[144], difference[144], lambda[6], size = 0;
        if (cases[i].singular == LENGTH && sizes[k] < 0.1) continue;
        const xs_row_block block = random_state(&cases[i], trial % 2, sizes[k], &s);
        for (int r = 0; r < 6; r++) lambda[r] = uniform();
        block.kind->stiffness(&block, s.x, lambda, exact);
        xs_rows_stiffness_difference(&block, s.x, lambda, difference);
        for (int c = 0; c < 144; c++) size = fmax(size, fabs(difference[c]));
        for (int c = 0; c < 144; c++) worst = fmax(worst, fabs(exact[c] - difference[c]) / size);
      }
    /* A length of 0.1 bends its force over 0.1: the difference's error is (1e-3/0.1)^4. */
    cr_assert_leq(worst, cases[i].singular == LENGTH ? 1e-6 : 1e-9, "%s: off by %g",
                  cases[i].kind->name, worst);
    cr_log_info("%s: stiffness to %.1e\n", cases[i].kind->name, worst);
  }
  cr_assert_eq(tested, 12);
}
