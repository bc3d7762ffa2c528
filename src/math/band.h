/* Banded symmetric positive (semi)definite systems: A = L D L^T, with dropped rows.
 *
 * Lower band storage as LAPACK has it (dpbtrf, 'L'), by columns:
 *   A_ij = AB[(i - j) + ld * j],  j <= i <= min(n - 1, j + kd),  ld = kd + 1
 * A dense matrix is the case kd = n - 1. A_ij stands at AB[i + kd * j]: any rectangle inside
 * the band is an ordinary matrix by columns with leading dimension kd. Factorisations:
 *
 * - xs_band_factor, our own: no square root, fixed order of operations (the same bits on
 *   every x86-64), and rows that depend on those before them can be dropped. For the short
 *   bands of mechanisms it is also the faster one.
 * - xs_band_factor_lapack, dpbtrf: for long systems with wide bands.
 * - xs_band_factor_parts, dpotrf, dtrsm and dsyrk on the parts of a block-tridiagonal matrix,
 *   in place in the band: for rods of quadratic and cubic elements, where it is faster.
 *
 * The last two leave L L^T in the band, and share xs_band_solve_lapack. LAPACK is called by one
 * thread at a time.
 *
 * Dropping (loops of joints have more rows than rank): pivot j is dropped where
 * D_j <= tolerance * A_jj; its row and column then do not take part and x_j = 0. */
#ifndef XS_MATH_BAND_H
#define XS_MATH_BAND_H

/* Where a column of the factor may have entries below its pivot j: rows j + 1 .. near - 1 and
 * far .. end - 1. */
typedef struct xs_band_reach {
  int near, far, end;
} xs_band_reach;

typedef struct xs_band {
  int n, kd;                  /* rows; sub-diagonals */
  const xs_band_reach *reach; /* n; NULL: anywhere in the band */
  double *AB;                 /* (kd + 1) * n, zeroed by the caller before it is filled */
  double *scale;              /* n: the diagonal of A as it was, for the test of pivots */
  unsigned char *dropped;     /* n: 1 where a row is left out; NULL: none can be */
} xs_band;

/* Decides for every row whether it is dropped: factors with the tolerance and sets
 * dropped[]. The factor can be used for xs_band_solve. Returns -1, or the first row with a
 * pivot that is not finite. */
int xs_band_read_rank(xs_band *band, double tolerance);

/* Factors in place, leaving out the rows with dropped[j]. Returns -1, or the first row whose
 * pivot is not positive (not finite included). */
int xs_band_factor(xs_band *band);

/* How many eigenvalues of a symmetric matrix, definite or not, are below 0: the number of negative
 * pivots of A = L D L^T without pivoting (Sylvester's law of inertia). A pivot of 0 counts as
 * positive and its row as independent. Leaves the factor in AB. */
int xs_band_negative(xs_band *band);

/* x <- A^-1 b by the factor; dropped rows give 0. b: n, overwritten. */
void xs_band_solve(const xs_band *band, double *b);

/* Its second half alone: D L^T x = b. */
void xs_band_backward(const xs_band *band, double *b);

/* The same by LAPACK (no dropping): returns -1, or the first row whose leading minor is not
 * positive. One thread, no allocation. */
int xs_band_factor_lapack(xs_band *band);

/* The same for a matrix whose rows fall into n_parts parts, part p being rows start[p] ..
 * start[p + 1] - 1, and couple within a part and with the next one only. No part may be
 * larger than kd. */
int xs_band_factor_parts(xs_band *band, int n_parts, const int *start);

void xs_band_solve_lapack(const xs_band *band, double *b);

/* Its second half alone: L^T x = b. */
void xs_band_backward_lapack(const xs_band *band, double *b);

#endif
