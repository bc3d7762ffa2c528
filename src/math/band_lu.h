/* Banded general systems by LU with partial pivoting (LAPACK dgbtrf, dgbtrs).
 *
 * For matrices that are neither symmetric nor definite: equilibria with multipliers, and with
 * loads that follow what they act on. As many super- as sub-diagonals; storage by columns with
 * kd rows on top for what pivoting fills in:
 *   A_ij = AB[2 kd + i - j + ld j],  |i - j| <= kd,  ld = 3 kd + 1 */
#ifndef XS_MATH_BAND_LU_H
#define XS_MATH_BAND_LU_H

typedef struct xs_band_lu {
  int n, kd;
  double *AB; /* (3 kd + 1) n */
  int *pivot; /* n */
} xs_band_lu;

/* All entries 0. */
void xs_band_lu_clear(xs_band_lu *band);

static inline double *xs_band_lu_at(const xs_band_lu *band, int i, int j) {
  return band->AB + 2 * band->kd + i - j + (long)(3 * band->kd + 1) * j;
}

/* Factors in place. Returns -1, or the first row whose pivot is exactly 0 or not finite. */
int xs_band_lu_factor(xs_band_lu *band);

/* x <- A^-1 b by the factor; b: n, overwritten. */
void xs_band_lu_solve(const xs_band_lu *band, double *b);

#endif
