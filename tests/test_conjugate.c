/* Conjugate gradients against a solution that is known, and where the matrix is not positive. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/conjugate.h"

enum { N = 40 };

/* The second difference with a sloping diagonal: self holds what is added to it. */
static void multiply(const void *self, const void *work, const double *x, double *y) {
  const double *more = self;
  (void)work;
  for (int i = 0; i < N; i++)
    y[i] = (2 + more[i]) * x[i] - (i > 0 ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0);
}

static double more[N], diagonal[N], known[N], rest[N], x[N], direction[N], product[N];

static xs_conjugate system_with(double slope) {
  for (int i = 0; i < N; i++) {
    more[i] = slope * i;
    diagonal[i] = 2 + more[i];
    known[i] = sin(i + 1.0);
  }
  multiply(more, NULL, known, rest);
  return (xs_conjugate){N, diagonal, multiply, more, NULL};
}

Test(conjugate, finds_the_solution_and_leaves_the_rest) {
  const xs_conjugate A = system_with(0.3);
  xs_conjugate_solve(&A, 2 * N, rest, x, direction, product);
  for (int i = 0; i < N; i++) cr_expect_float_eq(x[i], known[i], 1e-11);
  for (int i = 0; i < N; i++) cr_expect_lt(fabs(rest[i]), 1e-10);
}

Test(conjugate, makes_no_more_steps_than_it_may) {
  const xs_conjugate A = system_with(0.3);
  double error = 0;
  xs_conjugate_solve(&A, 3, rest, x, direction, product);
  multiply(more, NULL, x, product);
  multiply(more, NULL, known, direction);
  for (int i = 0; i < N; i++) {
    cr_expect_float_eq(rest[i], direction[i] - product[i], 1e-12);
    error = fmax(error, fabs(x[i] - known[i]));
  }
  cr_expect(error > 1e-6 && error < 1);
}

Test(conjugate, ends_where_the_matrix_is_not_positive) {
  const xs_conjugate A = system_with(-1.0);
  for (int i = 0; i < N; i++) diagonal[i] = 1;
  xs_conjugate_solve(&A, 2 * N, rest, x, direction, product);
  for (int i = 0; i < N; i++) cr_expect(isfinite(x[i]));
}

Test(conjugate, nothing_to_solve_leaves_zero) {
  const xs_conjugate A = system_with(0.3);
  for (int i = 0; i < N; i++) rest[i] = 0;
  xs_conjugate_solve(&A, 2 * N, rest, x, direction, product);
  for (int i = 0; i < N; i++) cr_expect_eq(x[i], 0);
}
