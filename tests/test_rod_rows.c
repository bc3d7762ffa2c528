/* Rows of rod elements: gradients, invariance, balance, parts of a block, rows left out. */
#include <criterion/criterion.h>

#include "constraint/rod_element.h"
#include "rod_sample.h"

/* Rotation between neighbouring nodes, rad; 2.5: as far as the reference allows. */
static const double angles[] = {0, 1e-9, 1e-4, 0.1, 1, 2.5};
enum { N_ANGLES = sizeof angles / sizeof *angles };

static void evaluate(const sample *s, int first, int count, double *C, double *G) {
  s->block[0].kind->evaluate(&s->block[0], s->x, first, count, C, G);
}

/* Intervals between the reference and the node farthest from it: quadratic 1, cubic 1.5. */
static double reach(const rod_case *c) { return c->discretization == XS_ROD_CUBIC ? 1.5 : 1; }

/* A state at about 0.95 pi or less from the reference. */
static void state_at(sample *s, const rod_case *c, double angle, int trial) {
  double limit = 0.95 * pi / reach(c);
  double wander = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.1 : 1;
  if (angle > 0.9 * limit) wander *= 0.1;
  do sample_element(s, c, angle < limit ? angle : limit - 0.01, wander);
  while (xs_rod_largest_rotation(&s->rod, s->x, &(int){0}) > 0.95 * pi);
}

static xs_pose moved(xs_pose x, int column, double by) {
  double d[6] = {0};
  d[column] = by;
  xs_vec3 p = xs_vec3_add(x.p, (xs_vec3){d[0], d[1], d[2]});
  return pose_of(p, xs_so3_plus(x.q, (xs_vec3){d[3], d[4], d[5]}));
}

/* C(x [+] eps) - C(x [-] eps) in one column of one node. */
static void difference(sample *s, int node, int column, double eps, double d[XS_ROWS_MAX]) {
  static double plus[XS_ROWS_MAX], minus[XS_ROWS_MAX], unused[BLOCK_SIZE];
  int n = s->block[0].n_rows;
  xs_pose at = s->x[node];
  s->x[node] = moved(at, column, eps);
  evaluate(s, 0, n, plus, unused);
  s->x[node] = moved(at, column, -eps);
  evaluate(s, 0, n, minus, unused);
  s->x[node] = at;
  for (int r = 0; r < n; r++) d[r] = plus[r] - minus[r];
}

/* Against the central difference of fourth order. */
static double gradient_error(sample *s, double eps) {
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE];
  double near[XS_ROWS_MAX] = {0}, far[XS_ROWS_MAX] = {0}, worst = 0;
  int n = s->block[0].n_rows;
  evaluate(s, 0, n, C, G);
  for (int k = 0; k < s->block[0].n_nodes; k++)
    for (int c = 0; c < 6; c++) {
      difference(s, s->block[0].node[k], c, eps, near);
      difference(s, s->block[0].node[k], c, 2 * eps, far);
      for (int r = 0; r < n; r++) {
        double error = fabs((8 * near[r] - far[r]) / (12 * eps) - G[(k * 6 + c) * n + r]);
        if (!(error <= worst)) worst = error;
      }
    }
  return worst;
}

Test(rod_rows, gradients_are_those_of_the_rows) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++) {
    double worst = 0;
    for (int a = 0; a < N_ANGLES; a++)
      for (int trial = 0; trial < 60; trial++) {
        state_at(&s, &rod_cases[i], angles[a], trial);
        double error = gradient_error(&s, 1e-4);
        cr_assert_leq(error, 1e-8, "%s at %g: gradient off by %g", rod_cases[i].name, angles[a],
                      error);
        if (error > worst) worst = error;
      }
    cr_log_info("%s: gradients to %.1e\n", rod_cases[i].name, worst);
  }
}

/* What every observer sees: C does not change when all nodes are turned and shifted. */
Test(rod_rows, rigid_motion_leaves_the_strains) {
  static sample s;
  static double C[XS_ROWS_MAX], moved_C[XS_ROWS_MAX], G[BLOCK_SIZE];
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int a = 0; a < N_ANGLES; a++)
      for (int trial = 0; trial < 60; trial++) {
        state_at(&s, &rod_cases[i], angles[a], trial);
        evaluate(&s, 0, s.block[0].n_rows, C, G);
        sample_move(&s, xs_so3_exp(xs_vec3_scale(3, random_vec())), random_vec());
        evaluate(&s, 0, s.block[0].n_rows, moved_C, G);
        for (int r = 0; r < s.block[0].n_rows; r++)
          cr_assert_float_eq(C[r], moved_C[r], 1e-13, "%s at %g: row %d moved by %g",
                             rod_cases[i].name, angles[a], r, moved_C[r] - C[r]);
      }
}

/* Objectivity of the gradients: forces, and moments about the world's origin, of G^T lambda
 * sum to zero for any lambda. */
Test(rod_rows, forces_and_moments_balance) {
  static sample s;
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE], lambda[XS_ROWS_MAX];
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int a = 0; a < N_ANGLES; a++)
      for (int trial = 0; trial < 60; trial++) {
        state_at(&s, &rod_cases[i], angles[a], trial);
        int n = s.block[0].n_rows;
        evaluate(&s, 0, n, C, G);
        for (int r = 0; r < n; r++) lambda[r] = uniform();

        xs_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int k = 0; k < s.block[0].n_nodes; k++) {
          double g[6] = {0};
          for (int c = 0; c < 6; c++)
            for (int r = 0; r < n; r++) g[c] += G[(k * 6 + c) * n + r] * lambda[r];
          const xs_pose *xk = &s.x[s.block[0].node[k]];
          xs_vec3 f = {g[0], g[1], g[2]}, m = {g[3], g[4], g[5]};
          force = xs_vec3_add(force, f);
          moment = xs_vec3_add(moment, xs_vec3_cross(xk->p, f));
          moment = xs_vec3_add(moment, xs_mat3_mul_vec(&xk->R, m));
        }
        cr_assert_leq(xs_vec3_norm(force), 1e-12, "%s at %g", rod_cases[i].name, angles[a]);
        cr_assert_leq(xs_vec3_norm(moment), 1e-12, "%s at %g: %g", rod_cases[i].name, angles[a],
                      xs_vec3_norm(moment));
      }
}

/* Whether rows first .. first + count - 1 alone have the bits that they have in the block. */
static int part_agrees(const sample *s, int first, int count, const double *C, const double *G) {
  static double c[XS_ROWS_MAX], g[BLOCK_SIZE];
  int n = s->block[0].n_rows;
  evaluate(s, first, count, c, g);
  int same = memcmp(c, C + first, (size_t)count * sizeof *c) == 0;
  for (int column = 0; column < 6 * s->block[0].n_nodes; column++)
    same &= memcmp(g + column * count, G + column * n + first, (size_t)count * sizeof *g) == 0;
  return same;
}

Test(rod_rows, parts_agree_with_the_block) {
  static sample s;
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE];
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int trial = 0; trial < 8; trial++) {
      state_at(&s, &rod_cases[i], angles[trial % N_ANGLES], trial);
      if (trial % 2) s.rod.K_shear.y = s.rod.K_bend.z = 0;
      int n = s.block[0].n_rows;
      evaluate(&s, 0, n, C, G);
      for (int first = 0; first < n; first++)
        for (int count = 1; first + count <= n; count++)
          cr_assert(part_agrees(&s, first, count, C, G), "%s: rows %d + %d", rod_cases[i].name,
                    first, count);
    }
}

Test(rod_rows, rows_of_zero_stiffness_are_left_out) {
  static sample s;
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE], all_C[XS_ROWS_MAX], all_G[BLOCK_SIZE];
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int soft = 0; soft < 6; soft++) {
      state_at(&s, &rod_cases[i], 0.5, 1);
      int n = s.block[0].n_rows, n_columns = 6 * s.block[0].n_nodes;
      evaluate(&s, 0, n, all_C, all_G);
      double *K = soft < 3 ? &s.rod.K_shear.x + soft : &s.rod.K_bend.x + (soft - 3);
      *K = 0;
      sample_blocks(&s);
      evaluate(&s, 0, n, C, G);
      for (int r = 0; r < n; r++) {
        int is_soft = r % 6 == soft;
        cr_expect_eq(C[r], is_soft ? 0 : all_C[r]);
        cr_expect((s.block[0].alpha[r] == 1) == is_soft);
        for (int c = 0; c < n_columns; c++)
          cr_expect_eq(G[c * n + r], is_soft ? 0 : all_G[c * n + r]);
      }
    }
}

/* One point sees the same bending in a chain's joint and in a linear element. */
Test(rod_rows, linear_bends_as_the_chain) {
  static sample chain, linear;
  static double C[2][XS_ROWS_MAX], G[2][BLOCK_SIZE];
  for (int a = 0; a < N_ANGLES; a++)
    for (int trial = 0; trial < 60; trial++) {
      uint64_t start = seed;
      state_at(&chain, &rod_cases[0], angles[a], trial);
      seed = start;
      state_at(&linear, &rod_cases[1], angles[a], trial);
      evaluate(&chain, 3, 3, C[0], G[0]);
      evaluate(&linear, 3, 3, C[1], G[1]);
      cr_expect_arr_eq(C[0], C[1], 3 * sizeof(double));
      cr_expect_arr_eq(G[0], G[1], 3 * 12 * sizeof(double));
    }
}

/* The closed form of linear elements with one point against the general element. */
Test(rod_rows, closed_form_is_the_general_element) {
  static sample s;
  static double C[2][XS_ROWS_MAX], G[2][BLOCK_SIZE];
  for (int a = 0; a < N_ANGLES; a++)
    for (int trial = 0; trial < 60; trial++) {
      state_at(&s, &rod_cases[1], angles[a], trial);
      evaluate(&s, 0, 6, C[0], G[0]);
      xs_rod_element_evaluate_linear(&s.block[0], s.x, 0, 6, C[1], G[1]);
      for (int r = 0; r < 6; r++) cr_assert_float_eq(C[0][r], C[1][r], 1e-13);
      for (int i = 0; i < 6 * 12; i++) cr_assert_float_eq(G[0][i], G[1][i], 1e-13);
    }
}

/* The bending of a linear element is constant along it. */
Test(rod_rows, points_of_a_linear_element_share_the_bending) {
  static sample s;
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE];
  for (int trial = 0; trial < 60; trial++) {
    state_at(&s, &rod_cases[2], angles[trial % N_ANGLES], trial);
    s.rest_bend[1] = s.rest_bend[0];
    evaluate(&s, 0, 12, C, G);
    for (int i = 3; i < 6; i++) cr_expect_float_eq(C[i], C[6 + i], 1e-14);
  }
}
