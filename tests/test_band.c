/* Banded factors against the equations they solve, LAPACK, and known ranks. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/band.h"

enum { N_MAX = 60 };

static uint64_t seed = 7;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

/* A random positive definite band matrix: B B^T with B lower banded, dense in A. */
static void random_matrix(int n, int kd, double A[N_MAX][N_MAX]) {
  static double B[N_MAX][N_MAX];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = j > i || i - j > kd ? 0 : i == j ? 1.5 + uniform() : uniform() / kd;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i][j] = 0;
      for (int k = 0; k < n; k++) A[i][j] += B[i][k] * B[j][k];
    }
}

static void store(xs_band *band, double A[N_MAX][N_MAX]) {
  int ld = band->kd + 1;
  memset(band->AB, 0, (size_t)(ld * band->n) * sizeof(double));
  for (int j = 0; j < band->n; j++)
    for (int i = j; i < band->n && i - j <= band->kd; i++) band->AB[(i - j) + ld * j] = A[i][j];
}

static double residual(int n, double A[N_MAX][N_MAX], const double *x, const double *b) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double r = -b[i];
    for (int j = 0; j < n; j++) r += A[i][j] * x[j];
    worst = fmax(worst, fabs(r));
  }
  return worst;
}

Test(band, solves_what_it_factored) {
  static double A[N_MAX][N_MAX], AB[N_MAX * N_MAX], scale[N_MAX];
  const int sizes[][2] = {{1, 0}, {2, 1}, {7, 3}, {30, 11}, {60, 5}, {60, 59}};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    xs_band band = {.n = sizes[s][0], .kd = sizes[s][1], .AB = AB, .scale = scale};
    random_matrix(band.n, band.kd, A);
    double b[N_MAX] = {0}, x[N_MAX] = {0}, y[N_MAX] = {0};
    for (int i = 0; i < band.n; i++) b[i] = x[i] = y[i] = uniform();
    store(&band, A);
    cr_assert_eq(xs_band_factor(&band), -1);
    xs_band_solve(&band, x);
    cr_expect_leq(residual(band.n, A, x, b), 1e-11, "n %d kd %d", band.n, band.kd);

    store(&band, A);
    cr_assert_eq(xs_band_factor_lapack(&band), -1);
    xs_band_solve_lapack(&band, y);
    for (int i = 0; i < band.n; i++) cr_expect_float_eq(x[i], y[i], 1e-9 * (1 + fabs(y[i])));
  }
}

/* Rows that are combinations of others: rank is read, and a consistent right-hand side is
 * solved exactly. */
Test(band, drops_dependent_rows_and_solves_the_rest) {
  enum { N = 12, RANK = 9 };
  static double A[N_MAX][N_MAX], AB[N * N], scale[N];
  unsigned char dropped[N];
  double V[N][RANK], b[N] = {0}, x[N], truth[N];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < RANK; k++) V[i][k] = uniform();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = 0;
      for (int k = 0; k < RANK; k++) A[i][j] += V[i][k] * V[j][k];
    }
  for (int i = 0; i < N; i++) truth[i] = uniform();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b[i] += A[i][j] * truth[j];

  xs_band band = {.n = N, .kd = N - 1, .AB = AB, .scale = scale, .dropped = dropped};
  store(&band, A);
  cr_assert_eq(xs_band_read_rank(&band, 1e-9), -1);
  int count = 0;
  for (int i = 0; i < N; i++) count += dropped[i];
  cr_assert_eq(count, N - RANK);
  memcpy(x, b, sizeof x);
  xs_band_solve(&band, x);
  cr_expect_leq(residual(N, A, x, b), 1e-10);

  /* the same set again in a plain factor */
  store(&band, A);
  cr_assert_eq(xs_band_factor(&band), -1);
  double again[N];
  memcpy(again, b, sizeof again);
  xs_band_solve(&band, again);
  for (int i = 0; i < N; i++) cr_expect_eq(again[i], x[i]);
}

/* Block by block gives the factor that dpbtrf gives, with parts of different sizes. */
Test(band, factors_by_parts) {
  static double A[N_MAX][N_MAX], AB[N_MAX * N_MAX], other[N_MAX * N_MAX], scale[N_MAX];
  const int start[] = {0, 6, 18, 30, 42, 54, 60};
  random_matrix(60, 23, A);
  /* keep neighbouring parts only, and what stays diagonally dominant */
  int part_of[60];
  for (int p = 0; p < 6; p++)
    for (int i = start[p]; i < start[p + 1]; i++) part_of[i] = p;
  for (int i = 0; i < 60; i++)
    for (int j = 0; j < 60; j++) {
      if (abs(part_of[i] - part_of[j]) > 1) A[i][j] = 0;
      if (i == j) A[i][j] += 10;
    }
  xs_band band = {.n = 60, .kd = 23, .AB = AB, .scale = scale}, plain = band;
  plain.AB = other;
  store(&band, A);
  store(&plain, A);
  cr_assert_eq(xs_band_factor_parts(&band, 6, start), -1);
  cr_assert_eq(xs_band_factor_lapack(&plain), -1);
  double x[60], b[60];
  for (int i = 0; i < 60; i++) b[i] = x[i] = uniform();
  xs_band_solve_lapack(&band, x);
  cr_expect_leq(residual(60, A, x, b), 1e-12);
  for (int j = 0; j < 60; j++)
    for (int k = 0; k <= 23 && j + k < 60; k++)
      cr_expect_float_eq(AB[k + 24 * j], other[k + 24 * j], 1e-12);

  A[33][33] = -1;
  store(&band, A);
  cr_expect_eq(xs_band_factor_parts(&band, 6, start), 33);
}

Test(band, says_which_row_fails) {
  static double A[N_MAX][N_MAX], AB[N_MAX * N_MAX], scale[N_MAX];
  xs_band band = {.n = 10, .kd = 3, .AB = AB, .scale = scale};
  random_matrix(10, 3, A);
  A[6][6] = -1;
  store(&band, A);
  cr_expect_eq(xs_band_factor(&band), 6);
  store(&band, A);
  cr_expect_eq(xs_band_factor_lapack(&band), 6);
  A[6][6] = NAN;
  store(&band, A);
  cr_expect_eq(xs_band_factor(&band), 6);
}
