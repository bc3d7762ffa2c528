/* Jacobi's method for a symmetric 3x3 matrix.
 *
 * Plane rotations J zero one off-diagonal entry after another, A <- J^T A J, V <- V J, in
 * the order (1,2), (1,3), (2,3), until all are exactly zero: convergence is quadratic, so
 * the entries soon underflow. Each angle is the smaller of the two possible, |angle| <=
 * pi/4, and V remains a product of rotations (Golub & Van Loan, Matrix Computations, 8.5).
 * Accurate to round-off relative to |A|; nothing is sorted. */
#include "math/eigen3.h"

#include <math.h>

/* A safeguard: quadratic convergence needs about six. */
enum { MAX_SWEEPS = 30 };

/* Zeroes A_pq by a rotation in the plane (p, q). */
static void rotate(double A[3][3], double V[3][3], int p, int q) {
  if (A[p][q] == 0) return;

  /* t = tan(angle), the smaller root of t^2 + 2 t cot(2 angle) - 1 = 0. An infinite
   * cotangent gives t = 0: A_pq is negligible. */
  double cot2 = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  double t = (cot2 < 0 ? -1 : 1) / (fabs(cot2) + sqrt(cot2 * cot2 + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;

  /* The 2x2 block becomes diagonal. */
  A[p][p] -= t * A[p][q];
  A[q][q] += t * A[p][q];
  A[p][q] = A[q][p] = 0;

  /* The third row and column turn with it, and so do the columns of V. */
  int r = 3 - p - q;
  double rp = A[r][p], rq = A[r][q];
  A[r][p] = A[p][r] = c * rp - s * rq;
  A[r][q] = A[q][r] = s * rp + c * rq;
  for (int i = 0; i < 3; i++) {
    double vp = V[i][p], vq = V[i][q];
    V[i][p] = c * vp - s * vq;
    V[i][q] = s * vp + c * vq;
  }
}

void xs_eigen3_symmetric(const xs_mat3 *A, xs_vec3 *values, xs_mat3 *vectors) {
  double a[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) a[i][j] = a[j][i] = A->m[i][j];

  *vectors = xs_mat3_identity();
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    if (a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0) break;
    rotate(a, vectors->m, 0, 1);
    rotate(a, vectors->m, 0, 2);
    rotate(a, vectors->m, 1, 2);
  }
  *values = (xs_vec3){a[0][0], a[1][1], a[2][2]};
}
