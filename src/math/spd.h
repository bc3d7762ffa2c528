/* Small symmetric positive definite systems, n <= 6: the block of one joint.
 *
 * A = L D L^T with unit lower triangular L (Golub & Van Loan, Matrix Computations, 4.1):
 * one division a pivot and no square root, which at this size is most of the time of a
 * Cholesky factor L L^T. No pivoting: none is needed for positive definite A. Called with
 * a constant n the loops unroll completely; n can also be a variable. Larger and banded
 * systems go to LAPACK. */
#ifndef XS_MATH_SPD_H
#define XS_MATH_SPD_H

/* Unrolls the loop that follows, of at most 6 rounds; clang decides by itself. */
#if defined(__clang__)
#define XS_SPD_UNROLL
#else
#define XS_SPD_UNROLL _Pragma("GCC unroll 6")
#endif

/* Solves A x = b. A: n x n by columns, A_ij = A[i + n j]; only the lower triangle is read,
 * and overwritten by L below and D on the diagonal. b: n, overwritten by x. Returns 1, or
 * 0 if a pivot is not positive (NaN included): A is not positive definite, A and b are
 * then spoilt. */
static inline int xs_spd_solve(int n, double *A, double *b) {
  /* Column by column; b is carried along as one more row. Until column j is done, its
   * entries below the diagonal are those of L times the pivot. */
  XS_SPD_UNROLL
  for (int j = 0; j < n; j++) {
    double pivot = A[j + n * j];
    if (!(pivot > 0)) return 0;
    double inverse = 1 / pivot;
    XS_SPD_UNROLL
    for (int k = j + 1; k < n; k++) {
      double l = A[k + n * j] * inverse;
      XS_SPD_UNROLL
      for (int i = k; i < n; i++) A[i + n * k] -= A[i + n * j] * l;
      b[k] -= b[j] * l;
      A[k + n * j] = l;
    }
    b[j] *= inverse;
  }

  /* L^T x = D^-1 L^-1 b */
  XS_SPD_UNROLL
  for (int j = n - 1; j >= 0; j--) {
    XS_SPD_UNROLL
    for (int i = j + 1; i < n; i++) b[j] -= A[i + n * j] * b[i];
  }
  return 1;
}

#endif
