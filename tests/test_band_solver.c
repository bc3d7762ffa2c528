/* solver.band_solver says who factors: with native, nothing of a run calls LAPACK or BLAS.
 *
 * This program's own functions stand before those of the libraries; they count and refuse. */
#include <cblas.h>
#include <criterion/criterion.h>
#include <lapacke.h>
#include <stdio.h>

#include "app/setup.h"

static int calls;

lapack_int LAPACKE_dpbtrf_work(int layout, char uplo, lapack_int n, lapack_int kd, double *ab,
                               lapack_int ldab) {
  (void)layout, (void)uplo, (void)n, (void)kd, (void)ab, (void)ldab;
  calls++;
  return 1;
}
lapack_int LAPACKE_dpotrf_work(int layout, char uplo, lapack_int n, double *a, lapack_int lda) {
  (void)layout, (void)uplo, (void)n, (void)a, (void)lda;
  calls++;
  return 1;
}
lapack_int LAPACKE_dpbtrs_work(int layout, char uplo, lapack_int n, lapack_int kd, lapack_int nrhs,
                               const double *ab, lapack_int ldab, double *b, lapack_int ldb) {
  (void)layout, (void)uplo, (void)n, (void)kd, (void)nrhs, (void)ab, (void)ldab, (void)b, (void)ldb;
  calls++;
  return 1;
}
void cblas_dtrsm(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose,
                 CBLAS_DIAG diag, blasint m, blasint n, double alpha, const double *a, blasint lda,
                 double *b, blasint ldb) {
  (void)order, (void)side, (void)uplo, (void)transpose, (void)diag, (void)m, (void)n, (void)alpha,
      (void)a, (void)lda, (void)b, (void)ldb;
  calls++;
}
void cblas_dsyrk(CBLAS_ORDER order, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, blasint n,
                 blasint k, double alpha, const double *a, blasint lda, double beta, double *c,
                 blasint ldc) {
  (void)order, (void)uplo, (void)transpose, (void)n, (void)k, (void)alpha, (void)a, (void)lda,
      (void)beta, (void)c, (void)ldc;
  calls++;
}
void openblas_set_num_threads(int n) {
  (void)n;
  calls++;
}

/* Ten steps of a damped rod; how often LAPACK or BLAS was called. */
static int calls_of(const char *solver, const char *discretization, xs_status *status) {
  static xs_arena arena;
  static xs_report report;
  xs_setup setup;
  char band[64], kind[64];
  snprintf(band, sizeof band, "solver.band_solver=%s", solver);
  snprintf(kind, sizeof kind, "rods.beam.discretization=%s", discretization);
  const char *set[] = {band, kind};
  const xs_options options = {.command = XS_COMMAND_RUN,
                              .scene = "scenes/demo/cantilever_swing.json",
                              .n_set = 2,
                              .set = set};
  cr_assert_eq(xs_setup_create(&options, &arena, &setup, &report), XS_OK, "%s",
               report.kept[0].text);
  calls = 0;
  *status = XS_OK;
  for (int k = 0; k < 10 && *status == XS_OK; k++) {
    *status = setup.method->step(setup.method_self, setup.state, NULL, &report);
    xs_observe(setup.world, setup.method, setup.method_self, setup.state, setup.observation);
  }
  xs_arena_free(&arena);
  return calls;
}

Test(band_solver, native_calls_no_library) {
  static const char *const discretizations[] = {"rigid_chain", "linear", "quadratic", "cubic"};
  xs_status status;
  for (int i = 0; i < 4; i++) {
    cr_expect_eq(calls_of("native", discretizations[i], &status), 0, "%s", discretizations[i]);
    cr_expect_eq(status, XS_OK);
    cr_expect_gt(calls_of("lapacke", discretizations[i], &status), 0, "%s", discretizations[i]);
  }
}
