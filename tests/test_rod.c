/* Rods as a whole: blocks, compliance, strains, energies and the largest rotation. */
#include "constraint/rod.h"

#include <criterion/criterion.h>

#include "rod_sample.h"

static xs_vec3 shear[ROD_POINTS_MAX], bend[ROD_POINTS_MAX];

/* ---- Blocks and compliance ---- */

Test(rod, blocks_run_along_the_nodes) {
  static sample s;
  const xs_row_kind *kinds[] = {&xs_rod_kind_chain, &xs_rod_kind_linear, &xs_rod_kind_quadratic,
                                &xs_rod_kind_cubic};
  const int n_nodes[] = {2, 2, 3, 4};
  for (int i = 0; i < N_ROD_CASES; i++) {
    const rod_case *c = &rod_cases[i];
    sample_rod(&s, c, 3, 1.5, 7);
    xs_rod_compliance(&s.rod, s.alpha);
    int n_rows = 5, n = n_nodes[c->discretization];
    xs_rod_blocks(&s.rod, s.alpha, s.element, 11, &n_rows, s.block);
    cr_expect_eq(n_rows, 5 + 3 * 6 * c->n_gauss);
    for (int e = 0; e < 3; e++) {
      const xs_row_block *b = &s.block[e];
      cr_expect(b->kind == kinds[c->discretization] && b->alpha == s.alpha && b->entity == 11);
      cr_expect_eq(b->first_row, 5 + e * 6 * c->n_gauss);
      cr_expect_eq(b->n_rows, 6 * c->n_gauss);
      cr_expect(b->n_nodes == n && b->kind->n_nodes == n);
      cr_expect_eq(b->bound, XS_BOUND_NONE);
      for (int k = 0; k < n; k++) cr_expect_eq(b->node[k], 7 + e * (n - 1) + k);
    }
  }
}

/* 1/(w l K) with l = 0.5, K = 3, 5, 7, 11, 13, 17. */
Test(rod, compliance_holds_weight_and_length) {
  static sample s;
  sample_rod(&s, &rod_cases[0], 3, 1.5, 1);
  xs_rod_compliance(&s.rod, s.alpha);
  const double chain[] = {2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 11, 2.0 / 13, 2.0 / 17};
  for (int i = 0; i < 6; i++) cr_expect_float_eq(s.alpha[i], chain[i], 1e-15);

  sample_rod(&s, &rod_cases[5], 3, 1.5, 1);
  s.rod.K_shear.x = 0;
  xs_rod_compliance(&s.rod, s.alpha);
  const double outer[] = {1, 7.2 / 5, 7.2 / 7, 7.2 / 11, 7.2 / 13, 7.2 / 17};
  const double middle[] = {1, 4.5 / 5, 4.5 / 7, 4.5 / 11, 4.5 / 13, 4.5 / 17};
  for (int i = 0; i < 6; i++) {
    cr_expect_float_eq(s.alpha[i], outer[i], 1e-15);
    cr_expect_float_eq(s.alpha[6 + i], middle[i], 1e-15);
    cr_expect_float_eq(s.alpha[12 + i], outer[i], 1e-15);
  }
}

Test(rod, gauss_points_have_their_arc_length) {
  static sample s;
  double at[ROD_POINTS_MAX];
  sample_rod(&s, &rod_cases[3], 2, 1, 1);
  xs_rod_gauss_arc_length(&s.rod, at);
  const double expected[] = {0.25 - 0.25 / sqrt(3), 0.25 + 0.25 / sqrt(3), 0.75 - 0.25 / sqrt(3),
                             0.75 + 0.25 / sqrt(3)};
  for (int g = 0; g < 4; g++) cr_expect_float_eq(at[g], expected[g], 1e-15);
}

/* ---- Strains ---- */

Test(rod, strains_are_C) {
  static sample s;
  static double C[XS_ROWS_MAX], G[BLOCK_SIZE];
  for (int i = 0; i < N_ROD_CASES; i++) {
    sample_rod(&s, &rod_cases[i], 5, 2, 4);
    for (int k = 0; k < s.rod.n_nodes; k++)
      s.x[4 + k] = pose_of(random_vec(), xs_so3_exp(random_vec()));
    for (int g = 0; g < 5 * s.rod.n_gauss; g++) s.rest_bend[g] = random_vec();
    sample_blocks(&s);
    xs_rod_strains(&s.rod, s.x, shear, bend);
    for (int e = 0; e < 5; e++) {
      s.block[e].kind->evaluate(&s.block[e], s.x, 0, s.block[e].n_rows, C, G);
      for (int g = 0; g < s.rod.n_gauss; g++) {
        cr_expect_arr_eq(&shear[e * s.rod.n_gauss + g], C + 6 * g, sizeof(xs_vec3));
        cr_expect_arr_eq(&bend[e * s.rod.n_gauss + g], C + 6 * g + 3, sizeof(xs_vec3));
      }
    }
    /* Also where a stiffness is zero. */
    xs_vec3 first = shear[0];
    s.rod.K_shear = (xs_vec3){0, 0, 0};
    xs_rod_strains(&s.rod, s.x, shear, bend);
    cr_expect_arr_eq(&first, &shear[0], sizeof first);
  }
}

/* ---- Energies of length 2, K_shear = 3, 5, 7, K_bend = 11, 13, 17 ---- */

static void expect_energy(const sample *s, double shearing, double stretch, double bending,
                          double twist) {
  const double expected[4] = {shearing, stretch, bending, twist};
  double energy[4];
  xs_rod_strains(&s->rod, s->x, shear, bend);
  xs_rod_energy(&s->rod, shear, bend, energy);
  for (int i = 0; i < 4; i++)
    if (!isnan(expected[i]))
      cr_expect_float_eq(energy[i], expected[i], 1e-12, "%d: %g", i, energy[i]);
}

Test(rod, energies_of_uniform_states) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++) {
    sample_rod(&s, &rod_cases[i], 8, 2, 1);
    for (int k = 0; k < s.rod.n_nodes; k++) s.x[1 + k].p.z = 1.1 * s.arc_length[k];
    expect_energy(&s, 0, 0.5 * 7 * 0.01 * 2, 0, 0);

    for (int k = 0; k < s.rod.n_nodes; k++)
      s.x[1 + k].p = (xs_vec3){0.1 * s.arc_length[k], 0.2 * s.arc_length[k], s.arc_length[k]};
    expect_energy(&s, 0.5 * (3 * 0.01 + 5 * 0.04) * 2, 0, 0, 0);

    /* Twisted by 0.8 rad/m, straight. */
    for (int k = 0; k < s.rod.n_nodes; k++)
      s.x[1 + k] = pose_of((xs_vec3){0, 0, s.arc_length[k]},
                           xs_so3_exp((xs_vec3){0, 0, 0.8 * s.arc_length[k]}));
    expect_energy(&s, 0, 0, 0, 0.5 * 17 * 0.64 * 2);

    /* An arc of curvature 2/m about d2, a small shear for the chord's sake. */
    sample_helix(&s, 0.5, 0);
    expect_energy(&s, NAN, NAN, 0.5 * 13 * 4 * 2, 0);
  }
}

/* ---- Curves ---- */

/* Largest component of v - e3 or u - u* along the rod. */
static double largest(const xs_vec3 *a, int n) {
  double most = 0;
  for (int g = 0; g < n; g++) {
    double norm = xs_vec3_norm(a[g]);
    if (!(norm <= most)) most = norm;
  }
  return most;
}

/* Rotations of a curve with constant u are R_0 Exp(u s): their logarithms are linear in s, and
 * so every discretization finds u of an arc and of a helix, whatever the element's length. */
Test(rod, bending_of_helix_and_arc_is_exact) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int n = 4; n <= 64; n *= 2)
      for (int arc = 0; arc < 2; arc++) {
        double r = 0.1, c = arc ? 0 : 0.05;
        sample_rod(&s, &rod_cases[i], n, 0.5, 1);
        sample_helix(&s, r, c);
        for (int g = 0; g < n * s.rod.n_gauss; g++) s.rest_bend[g] = helix_bend(r, c);
        xs_rod_strains(&s.rod, s.x, shear, bend);
        double error = largest(bend, n * s.rod.n_gauss);
        cr_expect_leq(error, 1e-12, "%s, %d elements: %g", rod_cases[i].name, n, error);
      }
}

/* A curve whose curvature changes along it: R(s) = Exp(s^2 a) Exp(s b), for which
 * u = Exp(s b)^T 2 s a + b. */
static const xs_vec3 curve_a = {0.9, -0.4, 0.6}, curve_b = {0.5, 1.1, -0.7};

static xs_quat curve(double s) {
  xs_quat a = xs_so3_exp(xs_vec3_scale(s * s, curve_a)), b = xs_so3_exp(xs_vec3_scale(s, curve_b));
  return xs_quat_mul(a, b);
}

static xs_vec3 curve_bend(double s) {
  xs_mat3 B = xs_so3_matrix(xs_so3_exp(xs_vec3_scale(s, curve_b)));
  return xs_vec3_add(xs_mat3_tmul_vec(&B, xs_vec3_scale(2 * s, curve_a)), curve_b);
}

/* Largest errors of v on the helix and of u on the curve, n elements. */
static void curve_errors(sample *s, const rod_case *c, int n, double error[2]) {
  double at[ROD_POINTS_MAX];
  int n_points = n * c->n_gauss;
  sample_rod(s, c, n, 0.5, 1);
  sample_helix(s, 0.1, 0.05);
  xs_rod_strains(&s->rod, s->x, shear, bend);
  error[0] = largest(shear, n_points);

  sample_rod(s, c, n, 1, 1);
  for (int k = 0; k < s->rod.n_nodes; k++)
    s->x[1 + k] = pose_of((xs_vec3){0, 0, 0}, curve(s->arc_length[k]));
  xs_rod_gauss_arc_length(&s->rod, at);
  for (int g = 0; g < n_points; g++) s->rest_bend[g] = curve_bend(at[g]);
  xs_rod_strains(&s->rod, s->x, shear, bend);
  error[1] = largest(bend, n_points);
}

/* Slopes of interpolants of degree 1, 2, 3 are off by l, l^2, l^3. The Gauss points of reduced
 * linear and quadratic elements are where the leading error vanishes, which gives one order
 * more; with the equispaced nodes of a cubic element those of no quadrature are. */
Test(rod, strains_of_curves_converge) {
  static sample s;
  const double order[N_ROD_CASES] = {2, 2, 1, 3, 2, 3, 3};
  for (int i = 0; i < N_ROD_CASES; i++) {
    double coarse[2], fine[2];
    curve_errors(&s, &rod_cases[i], 32, coarse);
    curve_errors(&s, &rod_cases[i], 64, fine);
    for (int k = 0; k < 2; k++) {
      double measured = log2(coarse[k] / fine[k]);
      cr_expect_float_eq(measured, order[i], 0.1, "%s: %s of order %g, error %g", rod_cases[i].name,
                         k ? "u" : "v", measured, fine[k]);
    }
  }
}

/* ---- Largest rotation ---- */

static double angle_between(xs_quat a, xs_quat b) { return xs_vec3_norm(xs_so3_minus(a, b)); }

/* By logarithms; a cubic element's inner nodes count from each other. */
static double element_rotation(const xs_pose *x, int n) {
  if (n == 2) return angle_between(x[0].q, x[1].q);
  if (n == 3) return fmax(angle_between(x[0].q, x[1].q), angle_between(x[2].q, x[1].q));
  xs_vec3 inner = xs_so3_minus(x[2].q, x[1].q);
  xs_quat half = xs_so3_plus(x[1].q, xs_vec3_scale(0.5, inner));
  double outer = fmax(angle_between(x[0].q, half), angle_between(x[3].q, half));
  return fmax(outer, xs_vec3_norm(inner));
}

Test(rod, largest_rotation_agrees_with_logarithms) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int trial = 0; trial < 100; trial++) {
      int n = xs_rod_element_nodes(rod_cases[i].discretization), where, element = -1;
      double size = trial % 2 ? 0.9 : 0.02, expected = 0;
      sample_rod(&s, &rod_cases[i], 6, 1, 2);
      xs_quat q = xs_so3_exp(random_vec());
      for (int k = 0; k < s.rod.n_nodes; k++) {
        s.x[2 + k] = pose_of(random_vec(), q);
        q = xs_so3_plus(q, xs_vec3_scale(size, random_vec()));
        if (uniform() > 0) q = (xs_quat){-q.w, -q.x, -q.y, -q.z};
      }
      for (int e = 0; e < 6; e++) {
        double rotation = element_rotation(&s.x[2 + e * (n - 1)], n);
        if (rotation > expected) expected = rotation, element = e;
      }
      double found = xs_rod_largest_rotation(&s.rod, s.x, &where);
      cr_expect_float_eq(found, expected, 1e-14, "%s: %g", rod_cases[i].name, found - expected);
      cr_expect_eq(where, element);
    }
}

/* Inner nodes half a turn apart make the reference jump, however near the outer ones are. */
Test(rod, largest_rotation_sees_a_turned_middle) {
  static sample s;
  int element;
  const double turn[] = {-1.6, -1.5, 1.5, 1.6};
  sample_rod(&s, &rod_cases[5], 1, 1, 0);
  for (int k = 0; k < 4; k++)
    s.x[k] = pose_of((xs_vec3){0, 0, 0}, xs_so3_exp((xs_vec3){turn[k], 0, 0}));
  cr_expect_float_eq(xs_rod_largest_rotation(&s.rod, s.x, &element), 3, 1e-14);
}
