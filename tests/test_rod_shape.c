/* Lagrange polynomials, Gauss points, and the interpolation of rotations. */
#include "constraint/rod_shape.h"

#include <criterion/criterion.h>

#include "constraint/rod_rotation.h"
#include "rod_sample.h"

Test(rod_shape, polynomials_are_one_at_their_node) {
  for (int n = 2; n <= 4; n++)
    for (int k = 0; k < n; k++) {
      xs_rod_shape s = xs_rod_shape_at(n, (double)k / (n - 1));
      for (int j = 0; j < 4; j++) cr_expect_float_eq(s.phi[j], j == k, 1e-15);
    }
}

/* Up to the polynomials' own degree, values and derivatives of monomials are exact. */
Test(rod_shape, polynomials_reproduce_their_degree) {
  for (int n = 2; n <= 4; n++)
    for (int i = 0; i <= 20; i++) {
      double xi = i / 20.0;
      xs_rod_shape s = xs_rod_shape_at(n, xi);
      for (int degree = 0; degree < n; degree++) {
        double value = 0, slope = 0;
        for (int j = 0; j < n; j++) {
          double monomial = pow((double)j / (n - 1), degree);
          value += s.phi[j] * monomial;
          slope += s.dphi[j] * monomial;
        }
        cr_expect_float_eq(value, pow(xi, degree), 1e-15);
        cr_expect_float_eq(slope, degree == 0 ? 0 : degree * pow(xi, degree - 1), 1e-14);
      }
    }
}

Test(rod_shape, tables_are_the_polynomials_at_the_gauss_points) {
  for (int n = 2; n <= 4; n++)
    for (int m = 1; m <= 4; m++)
      for (int g = 0; g < m; g++) {
        xs_rod_shape s = xs_rod_shape_at(n, XS_ROD_GAUSS_XI[m - 1][g]);
        cr_expect_arr_eq(&XS_ROD_GAUSS_SHAPE[n - 2][m - 1][g], &s, sizeof s);
      }
}

/* Exact up to degree 2 m - 1, and not beyond. */
Test(rod_shape, quadrature_has_its_degree) {
  for (int m = 1; m <= 4; m++)
    for (int degree = 0; degree <= 2 * m; degree++) {
      double sum = 0;
      for (int g = 0; g < m; g++)
        sum += XS_ROD_GAUSS_WEIGHT[m - 1][g] * pow(XS_ROD_GAUSS_XI[m - 1][g], degree);
      double error = fabs(sum - 1.0 / (degree + 1));
      if (degree < 2 * m)
        cr_expect_leq(error, 2e-16, "%d points, degree %d: %g", m, degree, error);
      else
        cr_expect_geq(error, 1e-6);
    }
}

static void rotate(const sample *s, int n, xs_rod_rotation *rotation) {
  const xs_pose *x = s->x + s->rod.first_node;
  if (n == 2) xs_rod_rotate(x, 2, rotation);
  if (n == 3) xs_rod_rotate(x, 3, rotation);
  if (n == 4) xs_rod_rotate(x, 4, rotation);
}

/* R_ref Exp(Theta_j) = R_j for every node but a reference node itself: with phi_j = 1 at its
 * own node alone the interpolation passes through all nodes. */
Test(rod_shape, nodes_are_interpolated_exactly) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int trial = 0; trial < 200; trial++) {
      sample_element(&s, &rod_cases[i], trial % 2 ? 1.7 : 1e-6, 0.2);
      int n = s.rod.n_nodes;
      xs_rod_rotation rotation;
      rotate(&s, n, &rotation);
      for (int j = 0; j < n; j++) {
        if (j == xs_rod_reference(n)) continue;
        xs_mat3 E = xs_so3_matrix(xs_so3_exp(rotation.Theta[j]));
        xs_mat3 R = xs_mat3_mul(rotation.R_ref, E), *R_j = &s.x[3 + j].R;
        for (int k = 0; k < 9; k++)
          cr_assert_float_eq((&R.m[0][0])[k], (&R_j->m[0][0])[k], 2e-15, "%s: node %d",
                             rod_cases[i].name, j);
      }
    }
}

/* A cubic element's reference lies on the shortest way between the inner nodes, half of it. */
Test(rod_shape, half_way_reference_is_half_of_the_logarithm) {
  static sample s;
  for (int trial = 0; trial < 200; trial++) {
    sample_element(&s, &rod_cases[N_ROD_CASES - 1], 1 + 0.9 * uniform(), 0.2);
    xs_rod_rotation rotation;
    rotate(&s, 4, &rotation);
    xs_quat q_a = s.x[4].q, q_b = s.x[5].q;
    xs_quat q = xs_so3_plus(q_a, xs_vec3_scale(0.5, xs_so3_minus(q_b, q_a)));
    xs_mat3 R = xs_so3_matrix(q);
    for (int k = 0; k < 9; k++)
      cr_assert_float_eq((&R.m[0][0])[k], (&rotation.R_ref.m[0][0])[k], 4e-15, "off by %g",
                         (&R.m[0][0])[k] - (&rotation.R_ref.m[0][0])[k]);
  }
}
