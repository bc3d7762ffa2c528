/* LU in a band by LAPACK (band_lu.h). */
#include "math/band_lu.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

void xs_band_lu_clear(xs_band_lu *band) {
  memset(band->AB, 0, (size_t)(3 * band->kd + 1) * (size_t)band->n * sizeof *band->AB);
}

int xs_band_lu_factor(xs_band_lu *band) {
  const int ld = 3 * band->kd + 1;
  openblas_set_num_threads(1);
  const int info = LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, band->n, band->n, band->kd, band->kd,
                                       band->AB, ld, band->pivot);
  if (info != 0) return info > 0 ? info - 1 : 0;
  for (int j = 0; j < band->n; j++)
    if (!(fabs(*xs_band_lu_at(band, j, j)) <= DBL_MAX)) return j;
  return -1;
}

void xs_band_lu_solve(const xs_band_lu *band, double *b) {
  /* Its arguments are right by construction: info is 0. */
  LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', band->n, band->kd, band->kd, 1, band->AB,
                      3 * band->kd + 1, band->pivot, b, band->n);
}
