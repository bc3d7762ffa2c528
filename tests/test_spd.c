/* Small positive definite solves: known solutions, refused matrices. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/spd.h"

/* Uniform in [-1, 1], the same numbers in every run. */
static double noise(unsigned long *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A = G G^T + shift I of size n, and b = A x for a random x. */
static void random_system(int n, double shift, unsigned long *state, double *A, double *x,
                          double *b) {
  double G[36];
  for (int i = 0; i < n * n; i++) G[i] = noise(state);
  for (int i = 0; i < n; i++) x[i] = noise(state), b[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? shift : 0;
      for (int k = 0; k < n; k++) sum += G[i + n * k] * G[j + n * k];
      A[i + n * j] = sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i] += A[i + n * j] * x[j];
}

Test(spd, solution_is_recovered_at_every_size) {
  unsigned long state = 7;
  for (int n = 1; n <= 6; n++)
    for (int trial = 0; trial < 200; trial++) {
      double A[36], x[6], b[6];
      random_system(n, 0.5, &state, A, x, b);
      cr_assert(xs_spd_solve(n, A, b));
      for (int i = 0; i < n; i++)
        cr_expect(fabs(b[i] - x[i]) <= 1e-13, "n = %d: %g", n, b[i] - x[i]);
    }
}

Test(spd, factor_and_solution_of_a_known_system) {
  /* A = L D L^T with L = [1; 2 1; 3 4 1], D = (2, 3, 5). */
  double A[9] = {2, 4, 6, NAN, 11, 24, NAN, NAN, 71}, b[3] = {2, 1, 12};
  const double L21 = 2, L31 = 3, L32 = 4;
  cr_assert(xs_spd_solve(3, A, b));
  cr_expect(A[0] == 2 && A[1] == L21 && A[2] == L31 && A[4] == 3 && A[5] == L32 && A[8] == 5);
  /* y = L^-1 b = (2, -3, 18), z = (1, -1, 3.6), x by back substitution */
  cr_expect(fabs(b[2] - 3.6) <= 1e-15 && fabs(b[1] + 15.4) <= 1e-14 && fabs(b[0] - 21) <= 1e-13);
}

/* Blocks of a joint mix rows in metres with rows in radians. */
Test(spd, badly_scaled_rows_lose_nothing) {
  unsigned long state = 3;
  const double scale[6] = {1, 1e-6, 1e6, 1e-3, 1e4, 1e-9};
  for (int trial = 0; trial < 100; trial++) {
    double A[36], x[6], b[6];
    random_system(6, 1, &state, A, x, b);
    for (int i = 0; i < 6; i++) {
      b[i] *= scale[i];
      for (int j = 0; j < 6; j++) A[i + 6 * j] *= scale[i] * scale[j];
    }
    cr_assert(xs_spd_solve(6, A, b));
    for (int i = 0; i < 6; i++) cr_expect(fabs(b[i] * scale[i] - x[i]) <= 1e-13);
  }
}

Test(spd, matrices_that_are_not_positive_definite_are_refused) {
  double zero[1] = {0}, negative[1] = {-1}, nan[1] = {NAN}, b[2] = {1, 1};
  double indefinite[4] = {1, 2, 2, 1}, singular[4] = {1, 1, 1, 1}, late_nan[4] = {1, NAN, NAN, 1};
  cr_expect(!xs_spd_solve(1, zero, b));
  cr_expect(!xs_spd_solve(1, negative, b));
  cr_expect(!xs_spd_solve(1, nan, b));
  cr_expect(!xs_spd_solve(2, indefinite, b));
  cr_expect(!xs_spd_solve(2, singular, b));
  cr_expect(!xs_spd_solve(2, late_nan, b));
}
