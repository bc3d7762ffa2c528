/* Principal axes: reconstruction, known spectra, exactness for diagonal matrices. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/eigen3.h"
#include "math/so3.h"

static double determinant(const xs_mat3 *V) {
  xs_vec3 a = xs_mat3_column(V, 0), b = xs_mat3_column(V, 1), c = xs_mat3_column(V, 2);
  return xs_vec3_dot(a, xs_vec3_cross(b, c));
}

/* Largest entry of X - Y. */
static double difference(xs_mat3 X, xs_mat3 Y) {
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!(fabs(X.m[i][j] - Y.m[i][j]) <= largest)) largest = fabs(X.m[i][j] - Y.m[i][j]);
  return largest;
}

static xs_mat3 compose(xs_mat3 V, xs_vec3 values) {
  return xs_mat3_mult(xs_mat3_mul(V, xs_mat3_diag(values)), V);
}

static double smallest(xs_vec3 v) { return fmin(v.x, fmin(v.y, v.z)); }
static double largest(xs_vec3 v) { return fmax(v.x, fmax(v.y, v.z)); }

/* Known principal values turned by many rotations, degenerate ones included. */
Test(eigen3, principal_values_and_axes_are_recovered) {
  const xs_vec3 spectra[] = {{1, 2, 3},  {5, 5, 5},    {2, 2, 7},        {1, 1 + 1e-12, 4},
                             {-3, 0, 2}, {1e-9, 1, 1}, {1, 1e-12, 1e-6}, {0, 0, 1}};
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 500; i++) {
      xs_quat q = xs_so3_exp((xs_vec3){0.013 * i, 1.7 - 0.007 * i, 0.3 * (i % 9)});
      xs_mat3 A = compose(xs_so3_matrix(q), spectra[k]), V;
      double size = largest(spectra[k]);
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < r; c++) A.m[r][c] = A.m[c][r];

      xs_vec3 values;
      xs_eigen3_symmetric(&A, &values, &V);
      cr_expect(difference(compose(V, values), A) <= 5e-15 * fmax(size, 3));
      cr_expect(difference(xs_mat3_tmul(V, V), xs_mat3_identity()) <= 4e-15);
      cr_expect(determinant(&V) > 0.999);
      cr_expect(fabs(smallest(values) - smallest(spectra[k])) <= 1e-14 * fmax(size, 1));
      cr_expect(fabs(largest(values) - size) <= 1e-14 * fmax(size, 1));
    }
}

Test(eigen3, diagonal_matrices_give_exactly_the_identity) {
  xs_mat3 A = xs_mat3_diag((xs_vec3){3, 0.1, 7}), V;
  xs_vec3 values;
  xs_eigen3_symmetric(&A, &values, &V);
  cr_expect(values.x == 3 && values.y == 0.1 && values.z == 7);
  cr_expect(difference(V, xs_mat3_identity()) == 0);
}

/* Off-diagonal entries that differ by hundreds of orders of magnitude from the others. */
Test(eigen3, extreme_entries_neither_overflow_nor_stall) {
  xs_mat3 A = {{{1, 1e-200, 0}, {1e-200, 1, 1e-320}, {0, 1e-320, 2}}}, V;
  xs_vec3 values;
  xs_eigen3_symmetric(&A, &values, &V);
  cr_expect(values.x == 1 && values.y == 1 && values.z == 2);
  cr_expect(difference(xs_mat3_tmul(V, V), xs_mat3_identity()) <= 1e-15);

  xs_mat3 bad = xs_mat3_diag((xs_vec3){1, NAN, 1});
  bad.m[0][1] = bad.m[1][0] = 1;
  xs_eigen3_symmetric(&bad, &values, &V);
  cr_expect(isnan(values.x));
}
