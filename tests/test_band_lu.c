/* LU in a band against the product, and the inertia of a symmetric band. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/band.h"
#include "math/band_lu.h"

Test(band_lu, solves_what_needs_pivoting) {
  enum { N = 40, KD = 3 };
  static double AB[(3 * KD + 1) * N], x[N], b[N];
  static int pivot[N];
  xs_band_lu band = {N, KD, AB, pivot};
  xs_band_lu_clear(&band);
  for (int i = 0; i < N; i++) x[i] = cos(i);
  for (int i = 0; i < N; i++)
    for (int j = i > KD ? i - KD : 0; j <= i + KD && j < N; j++) {
      const double a = i == j ? 0 : sin(3 * i + 7 * j); /* a diagonal of zeros */
      *xs_band_lu_at(&band, i, j) = a;
      b[i] += a * x[j];
    }
  cr_assert_eq(xs_band_lu_factor(&band), -1);
  xs_band_lu_solve(&band, b);
  for (int i = 0; i < N; i++) cr_assert_float_eq(b[i], x[i], 1e-9);
}

Test(band_lu, a_singular_matrix_is_told) {
  static double AB[4 * 3];
  static int pivot[3];
  xs_band_lu band = {3, 1, AB, pivot};
  xs_band_lu_clear(&band);
  *xs_band_lu_at(&band, 0, 0) = *xs_band_lu_at(&band, 2, 2) = 1;
  cr_assert_eq(xs_band_lu_factor(&band), 1);
}

/* tridiag(-1, 2, -1) - shift has eigenvalues 4 sin^2(k pi / 2 (N + 1)) - shift. */
Test(band_lu, negative_eigenvalues_are_counted) {
  enum { N = 30 };
  for (int k = 0; k < N; k++) {
    static double AB[2 * N];
    xs_band band = {.n = N, .kd = 1, .AB = AB};
    const double half = sin((k + 0.5) * 3.14159265358979 / (2 * (N + 1)));
    for (int i = 0; i < N; i++) AB[2 * i] = 2 - 4 * half * half, AB[2 * i + 1] = -1;
    cr_assert_eq(xs_band_negative(&band), k);
  }
}
