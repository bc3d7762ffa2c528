/* Preconditioned conjugate gradients (conjugate.h). */
#include "math/conjugate.h"

#define ENOUGH 1e-24 /* of rest . diagonal^-1 rest */

void xs_conjugate_solve(const xs_conjugate *A, int steps, double *rest, double *x,
                        double *direction, double *product) {
  const int n = A->n;
  double rho = 0;
  for (int f = 0; f < n; f++) {
    x[f] = 0;
    direction[f] = rest[f] / A->diagonal[f];
    rho += rest[f] * direction[f];
  }
  const double start = rho;
  for (int k = 0; k < steps && rho > ENOUGH * start; k++) {
    double curvature = 0;
    A->multiply(A->self, A->work, direction, product);
    for (int f = 0; f < n; f++) curvature += direction[f] * product[f];
    if (!(curvature > 0)) return;
    const double by = rho / curvature, before = rho;
    rho = 0;
    for (int f = 0; f < n; f++) {
      x[f] += by * direction[f];
      rest[f] -= by * product[f];
      rho += rest[f] * rest[f] / A->diagonal[f];
    }
    for (int f = 0; f < n; f++)
      direction[f] = rest[f] / A->diagonal[f] + rho / before * direction[f];
  }
}
