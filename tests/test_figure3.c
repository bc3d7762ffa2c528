/* Tobin & Rucker, section 5.1 and figure 3: how far one XPBD update with alpha = 0 gets,
 *   dx = M^-1 G^T (G M^-1 G^T)^-1 (-C),                                        (55), (57)
 * all rows at once, under three definitions of one and the same constraint.
 *
 * Points are nodes without moment of inertia, in the plane z = 0; the rows are those of
 * spherical joints, normed and as vectors, and a nonlinear vector. The paper gives the first
 * point, (0.6, -0.4). The nonlinear vector and the three points of its second example are
 * in its picture only; the ones here are ours, and for them the misses have closed forms. */
#include <criterion/criterion.h>

#include "constraint/joint_scalar.h"
#include "math/spd.h"

enum { NODES_MAX = 4, ROWS_MAX = 6 }; /* node 0 is the ground */

/* p - p_ground taken componentwise to d + d^3: zero only at 0, but not linear. */
static void evaluate_cubic(const xs_row_block *block, const xs_pose *x, int first, int count,
                           double *C, double *G) {
  xs_vec3 d = xs_vec3_sub(x[block->node[0]].p, x[block->node[1]].p);
  const double value[3] = {d.x, d.y, d.z};
  for (int i = 0; i < 12 * count; i++) G[i] = 0;
  for (int at = 0; at < count; at++) {
    double di = value[first + at], slope = 1 + 3 * di * di;
    C[at] = di + di * di * di;
    G[(0 * 6 + first + at) * count + at] = slope;
    G[(1 * 6 + first + at) * count + at] = -slope;
  }
}
static const xs_row_kind cubic = {
    .name = "cubic", .n_rows = 3, .n_nodes = 2, .evaluate = evaluate_cubic};

static const xs_row_kind *normed(void) {
  const xs_row_kind *kind[2];
  int n = xs_joint_scalar_kinds(XS_JOINT_SPHERICAL, XS_CONSTRAINTS_SCALAR, kind);
  cr_assert_eq(n, 1);
  return kind[0];
}

static xs_pose point(double px, double py) {
  return (xs_pose){{px, py, 0}, xs_quat_identity(), xs_mat3_identity()};
}

/* A joint of the given kind between two points, in the points themselves. */
static xs_row_block join(const xs_row_kind *kind, int node1, int node2, int first_row,
                         xs_joint_geometry *geometry) {
  *geometry = (xs_joint_geometry){.node1 = node1,
                                  .node2 = node2,
                                  .q1 = xs_quat_identity(),
                                  .q2 = xs_quat_identity(),
                                  .Q1 = xs_mat3_identity(),
                                  .Q2 = xs_mat3_identity()};
  return (xs_row_block){.kind = kind,
                        .data = geometry,
                        .first_row = first_row,
                        .n_rows = kind->n_rows,
                        .n_nodes = 2,
                        .node = {node1, node2}};
}

/* One update of all rows at once; inv_mass of each node, the ground's 0. Moves x, returns
 * dlambda. */
static void update(int n_blocks, const xs_row_block *block, const double *inv_mass, xs_pose *x,
                   double dlambda[ROWS_MAX]) {
  double J[ROWS_MAX][NODES_MAX][3] = {{{0}}}, A[ROWS_MAX * ROWS_MAX];
  int n = 0;

  /* G of all rows over all nodes; translations only, since points do not turn. */
  for (int b = 0; b < n_blocks; b++) {
    int rows = block[b].n_rows;
    double C[3], G[3 * 12];
    block[b].kind->evaluate(&block[b], x, 0, rows, C, G);
    for (int r = 0; r < rows; r++, n++) {
      dlambda[n] = -C[r];
      for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) J[n][block[b].node[k]][c] = G[(k * 6 + c) * rows + r];
    }
  }

  /* A = G M^-1 G^T */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i + n * j] = 0;
      for (int node = 0; node < NODES_MAX; node++)
        for (int c = 0; c < 3; c++) A[i + n * j] += inv_mass[node] * J[i][node][c] * J[j][node][c];
    }
  cr_assert(xs_spd_solve(n, A, dlambda));

  for (int node = 0; node < NODES_MAX; node++)
    for (int i = 0; i < n; i++) {
      xs_vec3 g = {J[i][node][0], J[i][node][1], J[i][node][2]};
      x[node].p = xs_vec3_add_scaled(x[node].p, inv_mass[node] * dlambda[i], g);
    }
}

/* ---- Top: one point constrained to 0 ---- */

static xs_vec3 point_after(const xs_row_kind *kind) {
  const double inv_mass[NODES_MAX] = {0, 1, 0, 0};
  xs_pose x[NODES_MAX] = {point(0, 0), point(0.6, -0.4), point(0, 0), point(0, 0)};
  xs_joint_geometry geometry;
  xs_row_block block = join(kind, 1, XS_GROUND, 0, &geometry);
  double dlambda[ROWS_MAX];
  update(1, &block, inv_mass, x, dlambda);
  return x[1].p;
}

Test(figure3, vector_rows_bring_a_point_to_zero) {
  cr_expect_eq(xs_vec3_norm(point_after(&xs_joint_spherical)), 0);
}

/* Nonlinear, too, but linear along the radius, on which the update moves: round-off is left. */
Test(figure3, a_norm_brings_a_point_to_zero) {
  cr_expect_leq(xs_vec3_norm(point_after(normed())), 2e-16);
}

/* d - (d + d^3)/(1 + 3 d^2) = 2 d^3/(1 + 3 d^2) is left of each component. */
Test(figure3, nonlinear_vector_rows_miss_zero) {
  xs_vec3 p = point_after(&cubic);
  cr_expect_float_eq(p.x, 2 * 0.216 / 2.08, 1e-16);
  cr_expect_float_eq(p.y, -2 * 0.064 / 1.48, 1e-16);
  cr_expect_gt(xs_vec3_norm(p), 0.2);
}

/* ---- Bottom: three points, p1 joined to p2 and p2 to p3 ---- */

typedef struct triple {
  double p[3][2], inv_mass[3];
} triple;

static const triple bent[] = {
    {{{-1, 0}, {0, 1}, {1, 0}}, {1, 1, 1}},
    {{{-0.8, -0.5}, {0.1, 0.7}, {0.9, -0.2}}, {1, 1, 1}},
    {{{0, 0}, {1, 0}, {0.2, 0.1}}, {1, 1, 1}},
    {{{-1, 0}, {0, 0.1}, {1, 0}}, {0.5, 3, 1}},
};
enum { N_BENT = sizeof bent / sizeof *bent };

static void triple_after(const triple *of, const xs_row_kind *kind, xs_vec3 gap[2],
                         double dlambda[ROWS_MAX]) {
  const double inv_mass[NODES_MAX] = {0, of->inv_mass[0], of->inv_mass[1], of->inv_mass[2]};
  xs_pose x[NODES_MAX] = {point(0, 0)};
  for (int i = 0; i < 3; i++) x[i + 1] = point(of->p[i][0], of->p[i][1]);
  xs_joint_geometry geometry[2];
  xs_row_block block[2] = {join(kind, 1, 2, 0, &geometry[0]),
                           join(kind, 2, 3, kind->n_rows, &geometry[1])};
  update(2, block, inv_mass, x, dlambda);
  for (int i = 0; i < 2; i++) gap[i] = xs_vec3_sub(x[i + 1].p, x[i + 2].p);
}

Test(figure3, vector_rows_join_three_points) {
  for (int i = 0; i < N_BENT; i++) {
    xs_vec3 gap[2];
    double dlambda[ROWS_MAX];
    triple_after(&bent[i], &xs_joint_spherical, gap, dlambda);
    for (int k = 0; k < 2; k++) cr_expect_leq(xs_vec3_norm(gap[k]), 5e-16, "triple %d", i);
  }
}

/* With w of the middle point and the sine of the angle between the two lines, the gaps left
 * are w |dlambda of the other row| |sine|, across the line: a row sees nothing of that. */
Test(figure3, norms_do_not_join_three_points) {
  for (int i = 0; i < N_BENT; i++) {
    const triple *of = &bent[i];
    xs_vec3 gap[2], line[2];
    double dlambda[ROWS_MAX];
    for (int k = 0; k < 2; k++) {
      xs_vec3 d = {of->p[k][0] - of->p[k + 1][0], of->p[k][1] - of->p[k + 1][1], 0};
      line[k] = xs_vec3_scale(1 / xs_vec3_norm(d), d);
    }
    double sine = xs_vec3_norm(xs_vec3_cross(line[0], line[1]));
    triple_after(of, normed(), gap, dlambda);
    for (int k = 0; k < 2; k++) {
      double left = of->inv_mass[1] * fabs(dlambda[1 - k]) * sine;
      cr_expect_float_eq(xs_vec3_norm(gap[k]), left, 1e-15, "triple %d gap %d", i, k);
      cr_expect_float_eq(xs_vec3_dot(gap[k], line[k]), 0, 1e-15);
      cr_expect_gt(left, 0.02, "triple %d gap %d: only %g left", i, k, left);
    }
  }
}

/* Where the points lie on one line all motion is along it, and norms are linear there. */
Test(figure3, norms_join_three_points_in_line) {
  const triple straight = {{{-0.5, -0.25}, {0.5, 0.25}, {0.1, 0.05}}, {1, 1, 1}};
  xs_vec3 gap[2];
  double dlambda[ROWS_MAX];
  triple_after(&straight, normed(), gap, dlambda);
  for (int k = 0; k < 2; k++) cr_expect_leq(xs_vec3_norm(gap[k]), 5e-16);
}
