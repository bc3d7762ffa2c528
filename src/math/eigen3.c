/* Jacobi's method for a symmetric 3x3 matrix.
 *
 * Plane rotations J zero one off-diagonal entry after another, A <- J^T A J, V <- V J, in
 * the order (1,2), (1,3), (2,3), until all are zero, entries below round-off counting as
 * zero; convergence is quadratic. Each angle is the smaller of the two possible, |angle| <=
 * pi/4, and V remains a product of rotations (Golub & Van Loan, Matrix Computations, 8.5).
 * Accurate to round-off relative to |A|; nothing is sorted. */
#include "math/eigen3.h"

#include <math.h>

/* A safeguard: quadratic convergence needs about six. */
enum { MAX_SWEEPS = 30 };

/* Zeroes A_pq by a rotation in the plane (p, q). Below round-off of the diagonal (the
 * criterion of Demmel and Veselic, which keeps small eigenvalues' relative accuracy) there
 * is nothing left to rotate: in a multiple eigenvalue's plane it would only stir noise. */
static void rotate(xs_mat3 *A, xs_mat3 *V, int p, int q) {
  double(*a)[3] = A->m, (*v)[3] = V->m;
  if (fabs(a[p][q]) <= 0x1p-53 * sqrt(fabs(a[p][p] * a[q][q]))) a[p][q] = a[q][p] = 0;
  if (a[p][q] == 0) return;

  /* t = tan(angle), the smaller root of t^2 + 2 t cot(2 angle) - 1 = 0. An infinite
   * cotangent gives t = 0: A_pq is negligible. */
  double cot2 = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (cot2 < 0 ? -1 : 1) / (fabs(cot2) + sqrt(cot2 * cot2 + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;

  /* The 2x2 block becomes diagonal. */
  a[p][p] -= t * a[p][q];
  a[q][q] += t * a[p][q];
  a[p][q] = a[q][p] = 0;

  /* The third row and column turn with it, and so do the columns of V. */
  int r = 3 - p - q;
  double rp = a[r][p], rq = a[r][q];
  a[r][p] = a[p][r] = c * rp - s * rq;
  a[r][q] = a[q][r] = s * rp + c * rq;
  for (int i = 0; i < 3; i++) {
    double vp = v[i][p], vq = v[i][q];
    v[i][p] = c * vp - s * vq;
    v[i][q] = s * vp + c * vq;
  }
}

void xs_eigen3_symmetric(const xs_mat3 *A, xs_vec3 *values, xs_mat3 *vectors) {
  /* The upper triangle counts, so that round-off in the lower one changes nothing. */
  xs_mat3 a = *A, V = xs_mat3_identity();
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++) a.m[j][i] = a.m[i][j];

  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    if (a.m[0][1] == 0 && a.m[0][2] == 0 && a.m[1][2] == 0) break;
    rotate(&a, &V, 0, 1);
    rotate(&a, &V, 0, 2);
    rotate(&a, &V, 1, 2);
  }
  *values = (xs_vec3){a.m[0][0], a.m[1][1], a.m[2][2]};
  *vectors = V;
}
