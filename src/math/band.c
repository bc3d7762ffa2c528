/* Right-looking L D L^T in a band (Golub & Van Loan, Matrix Computations, 4.3), own and by
 * LAPACK. Column j is finished, then taken off the columns to its right within the band;
 * the innermost loops run down columns, which are contiguous. */
#include "math/band.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <pthread.h>

#include "math/band_column.h"

/* Takes row j out: its pivot counts as infinite, what is below it as zero. */
static void drop(xs_band *band, int j) {
  double *column = band->AB + (band->kd + 1) * j;
  for (int i = 0; i <= band->kd; i++) column[i] = 0;
}

static int entries_below(const xs_band *band, int j) {
  return band->n - 1 - j < band->kd ? band->n - 1 - j : band->kd;
}

/* Takes column j off the columns to the right. */
static void eliminate(xs_band *band, int j) {
  xs_band_column_eliminate(band->AB + (band->kd + 1) * j, band->kd, entries_below(band, j));
}

int xs_band_read_rank(xs_band *band, double tolerance) {
  const int ld = band->kd + 1;
  for (int j = 0; j < band->n; j++) band->scale[j] = band->AB[ld * j];
  for (int j = 0; j < band->n; j++) {
    const double pivot = band->AB[ld * j];
    if (!(pivot <= DBL_MAX)) return j;
    band->dropped[j] = pivot <= tolerance * band->scale[j];
    if (band->dropped[j])
      drop(band, j);
    else
      eliminate(band, j);
  }
  return -1;
}

int xs_band_factor(xs_band *band) {
  const int ld = band->kd + 1;
  for (int j = 0; j < band->n; j++) {
    if (band->dropped && band->dropped[j]) {
      drop(band, j);
      continue;
    }
    const double pivot = band->AB[ld * j];
    if (!(pivot > 0 && pivot <= DBL_MAX)) return j;
    eliminate(band, j);
  }
  return -1;
}

int xs_band_negative(xs_band *band) {
  const int ld = band->kd + 1;
  int negative = 0;
  for (int j = 0; j < band->n; j++) {
    const double pivot = band->AB[ld * j];
    negative += pivot < 0;
    if (pivot == 0)
      drop(band, j);
    else
      eliminate(band, j);
  }
  return negative;
}

void xs_band_solve(const xs_band *band, double *b) {
  const int ld = band->kd + 1;
  /* L y = b; dropped columns are zero below their pivots. */
  for (int j = 0; j < band->n; j++) {
    const double *column = band->AB + ld * j;
    if (column[0] == 0) b[j] = 0;
    xs_band_column_forward(column, entries_below(band, j), b + j);
  }
  xs_band_backward(band, b);
}

void xs_band_backward(const xs_band *band, double *b) {
  const int ld = band->kd + 1;
  for (int j = band->n - 1; j >= 0; j--) {
    const double *column = band->AB + ld * j;
    if (column[0] == 0)
      b[j] = 0;
    else
      xs_band_column_backward(column, entries_below(band, j), b + j);
  }
}

/* ---- By LAPACK ---- */

/* OpenBLAS without threads has one work space for all that call it, so one thread at a time does.
 */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
  pthread_mutex_lock(&library);
  openblas_set_num_threads(1);
}

static void leave(void) { pthread_mutex_unlock(&library); }

int xs_band_factor_lapack(xs_band *band) {
  enter();
  int info = LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', band->n, band->kd, band->AB, band->kd + 1);
  leave();
  return info == 0 ? -1 : info > 0 ? info - 1 : 0;
}

static int factor_parts(xs_band *band, int n_parts, const int *start) {
  const int kd = band->kd;
  for (int p = 0; p < n_parts; p++) {
    const int n = start[p + 1] - start[p];
    double *diagonal = band->AB + start[p] + (long)kd * start[p];
    const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, diagonal, kd);
    if (info != 0) return start[p] + (info > 0 ? info - 1 : 0);
    if (p + 1 == n_parts) break;

    /* Next part below: X L^T = A, then its own diagonal less X X^T. */
    const int below = start[p + 2] - start[p + 1];
    double *off = diagonal + n;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, n, 1,
                diagonal, kd, off, kd);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, below, n, -1, off, kd, 1,
                off + (long)kd * n, kd);
  }
  return -1;
}

int xs_band_factor_parts(xs_band *band, int n_parts, const int *start) {
  enter();
  const int failed = factor_parts(band, n_parts, start);
  leave();
  return failed;
}

void xs_band_solve_lapack(const xs_band *band, double *b) {
  enter();
  /* Its arguments are right by construction: info is 0. */
  LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', band->n, band->kd, 1, band->AB, band->kd + 1, b,
                      band->n);
  leave();
}

void xs_band_backward_lapack(const xs_band *band, double *b) {
  enter();
  cblas_dtbsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, band->n, band->kd, band->AB,
              band->kd + 1, b, 1);
  leave();
}
