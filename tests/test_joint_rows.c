/* Every joint's rows: gradients against central differences through [+], and the balance of
 * forces and moments of G^T lambda. A joint type without an entry in `cases` fails. */
#include <criterion/criterion.h>
#include <stdint.h>

#include "constraint/joint.h"
#include "math/so3.h"

typedef struct row_case {
  xs_joint_type type;
  int n_rows;
} row_case;

static const row_case cases[] = {
    {XS_JOINT_FIXED, 6},
    {XS_JOINT_REVOLUTE, 5},
    {XS_JOINT_SPHERICAL, 3},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static uint64_t seed = 1;
static double uniform(void) { /* in (-1, 1), the same everywhere */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}
static xs_vec3 random_vec(void) {
  double x = uniform(), y = uniform();
  return (xs_vec3){x, y, uniform()};
}
static xs_quat random_quat(void) {
  xs_quat q = {uniform(), uniform(), uniform(), uniform()};
  return xs_so3_normalize(q);
}
static xs_pose pose_of(xs_vec3 p, xs_quat q) { return (xs_pose){p, q, xs_so3_matrix(q)}; }

/* A joint with random frames between nodes 1 and 2 (or the ground and 2), whose relative
 * rotation phi has the given size; the angle is random where it is negative. */
static xs_row_block random_state(xs_joint_type type, int node1, double angle, xs_joint *joint,
                                 xs_joint_geometry *geometry, xs_pose x[3]) {
  x[0] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  for (int i = 1; i < 3; i++) x[i] = pose_of(random_vec(), random_quat());
  *joint = (xs_joint){.name = "joint", .type = type, .node1 = node1, .node2 = 2};
  joint->frame1 = (xs_frame){random_vec(), random_quat()};
  joint->frame2 = (xs_frame){random_vec(), random_quat()};
  if (angle >= 0) {
    /* Choose q2 so that conj(qbar_2) qbar_1 = Exp(angle axis). */
    xs_vec3 axis = random_vec();
    xs_quat phi = xs_so3_exp(xs_vec3_scale(angle / xs_vec3_norm(axis), axis));
    xs_quat qbar1 = xs_quat_mul(x[node1].q, joint->frame1.q);
    xs_quat qbar2 = xs_quat_mul(qbar1, xs_quat_conj(phi));
    x[2] = pose_of(x[2].p, xs_so3_normalize(xs_quat_mul(qbar2, xs_quat_conj(joint->frame2.q))));
  }
  *geometry = xs_joint_geometry_of(joint);
  return xs_joint_block(joint, geometry, 0, 0);
}

static xs_pose moved(xs_pose x, int column, double by) {
  double d[6] = {0};
  d[column] = by;
  xs_vec3 p = xs_vec3_add(x.p, (xs_vec3){d[0], d[1], d[2]});
  return pose_of(p, xs_so3_plus(x.q, (xs_vec3){d[3], d[4], d[5]}));
}

static double gradient_error(const xs_row_block *block, xs_pose x[3]) {
  double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], plus[XS_ROWS_MAX], minus[XS_ROWS_MAX];
  double unused[XS_ROWS_MAX * 12], worst = 0;
  const double eps = 1e-5;
  int n = block->n_rows;
  block->kind->evaluate(block, x, 0, n, C, G);
  for (int k = 0; k < 2; k++)
    for (int c = 0; c < 6; c++) {
      xs_pose at = x[block->node[k]];
      x[block->node[k]] = moved(at, c, eps);
      block->kind->evaluate(block, x, 0, n, plus, unused);
      x[block->node[k]] = moved(at, c, -eps);
      block->kind->evaluate(block, x, 0, n, minus, unused);
      x[block->node[k]] = at;
      for (int r = 0; r < n; r++)
        worst = fmax(worst, fabs((plus[r] - minus[r]) / (2 * eps) - G[(k * 6 + c) * n + r]));
    }
  return worst;
}

Test(joint_rows, every_type_is_listed) {
  for (int type = 0; type < XS_N_JOINT_TYPES; type++) {
    int found = 0;
    for (int i = 0; i < N_CASES; i++) found += cases[i].type == (xs_joint_type)type;
    cr_assert_eq(found, 1, "joint type %s has no entry in this test",
                 xs_joint_kind((xs_joint_type)type)->name);
  }
  for (int i = 0; i < N_CASES; i++)
    cr_expect_eq(xs_joint_kind(cases[i].type)->n_rows, cases[i].n_rows);
}

Test(joint_rows, gradients_are_those_of_the_rows) {
  const double pi = 3.14159265358979323846;
  const double angles[] = {-1, 0, 1e-9, 1e-5, 1e-3, 0.5, 3, pi - 1e-3, pi - 1e-4};
  for (int i = 0; i < N_CASES; i++)
    for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
      for (int trial = 0; trial < 40; trial++) {
        xs_joint joint;
        xs_joint_geometry geometry;
        xs_pose x[3];
        xs_row_block block =
            random_state(cases[i].type, trial % 2, angles[a], &joint, &geometry, x);
        double error = gradient_error(&block, x);
        cr_assert_leq(error, 1e-8, "%s at angle %g: gradient off by %g", block.kind->name,
                      angles[a], error);
      }
}

/* Asking for one row gives the same bits as asking for all. */
Test(joint_rows, single_rows_agree_with_the_block) {
  for (int i = 0; i < N_CASES; i++) {
    xs_joint joint;
    xs_joint_geometry geometry;
    xs_pose x[3];
    xs_row_block block = random_state(cases[i].type, 1, -1, &joint, &geometry, x);
    int n = block.n_rows;
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], c1, g1[12];
    block.kind->evaluate(&block, x, 0, n, C, G);
    for (int r = 0; r < n; r++) {
      block.kind->evaluate(&block, x, r, 1, &c1, g1);
      cr_expect_eq(c1, C[r]);
      for (int c = 0; c < 12; c++) cr_expect_eq(g1[c], G[c * n + r]);
    }
  }
}

/* Action and reaction: forces, and moments about the world origin, of G^T lambda sum to
 * zero for any lambda. Off the constraint manifold a joint's anchor points differ, so the
 * forces act on two lines; the states here are put together first. */
Test(joint_rows, forces_and_moments_balance) {
  for (int i = 0; i < N_CASES; i++)
    for (int trial = 0; trial < 100; trial++) {
      xs_joint joint;
      xs_joint_geometry geometry;
      xs_pose x[3];
      xs_row_block block = random_state(cases[i].type, 1, trial % 2 ? 0 : -1, &joint, &geometry, x);
      xs_vec3 pbar1 = xs_vec3_add(x[1].p, xs_mat3_mul_vec(&x[1].R, joint.frame1.r));
      x[2].p = xs_vec3_sub(pbar1, xs_mat3_mul_vec(&x[2].R, joint.frame2.r));
      int n = block.n_rows;
      double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12], lambda[XS_ROWS_MAX];
      block.kind->evaluate(&block, x, 0, n, C, G);
      for (int r = 0; r < n; r++) lambda[r] = uniform();

      xs_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
      for (int k = 0; k < 2; k++) {
        double g[6] = {0};
        for (int c = 0; c < 6; c++)
          for (int r = 0; r < n; r++) g[c] += G[(k * 6 + c) * n + r] * lambda[r];
        const xs_pose *xk = &x[block.node[k]];
        xs_vec3 f = {g[0], g[1], g[2]}, m = {g[3], g[4], g[5]};
        force = xs_vec3_add(force, f);
        moment =
            xs_vec3_add(moment, xs_vec3_add(xs_vec3_cross(xk->p, f), xs_mat3_mul_vec(&xk->R, m)));
      }
      cr_expect_leq(xs_vec3_norm(force), 1e-12, "%s", block.kind->name);
      cr_expect_leq(xs_vec3_norm(moment), 1e-12, "%s: %g", block.kind->name, xs_vec3_norm(moment));
    }
}

/* The recorded angle goes on over many turns, either way, and starts in (-pi, pi]. */
Test(joint_rows, revolute_angle_is_unwrapped) {
  for (int trial = 0; trial < 20; trial++) {
    xs_joint joint;
    xs_joint_geometry geometry;
    xs_pose x[3];
    xs_row_block block = random_state(XS_JOINT_REVOLUTE, 1, 0, &joint, &geometry, x);
    (void)block;
    double angle = 3 * uniform(), rate = 0.4 * uniform();
    xs_quat aligned = x[2].q;
    xs_turn turn;
    for (int step = 0; step < 400; step++) {
      /* Turn body 2 about the joint axis: Rbar_2 = Rbar_1 Rz(angle). */
      xs_quat about = xs_so3_exp((xs_vec3){0, 0, angle});
      xs_quat in_body =
          xs_quat_mul(xs_quat_mul(joint.frame2.q, about), xs_quat_conj(joint.frame2.q));
      x[2] = pose_of(x[2].p, xs_quat_mul(aligned, in_body));
      if (step == 0)
        turn = xs_joint_turn_start(&geometry, x);
      else
        xs_joint_turn_track(&geometry, x, &turn);
      double got = xs_joint_coordinate(XS_JOINT_REVOLUTE, &geometry, x, &turn).x;
      cr_assert_float_eq(got, angle, 1e-12, "trial %d step %d: %.15g, want %.15g", trial, step, got,
                         angle);
      angle += rate;
    }
  }
}
