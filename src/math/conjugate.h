/* Conjugate gradients for a symmetric positive definite matrix that is known by its products, with
 * its diagonal as preconditioner (Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 9.2).
 */
#ifndef XS_MATH_CONJUGATE_H
#define XS_MATH_CONJUGATE_H

/* A, n x n. multiply writes A x to y, with self and work as they are here. */
typedef struct xs_conjugate {
  int n;
  const double *diagonal;
  void (*multiply)(const void *self, const void *work, const double *x, double *y);
  const void *self, *work;
} xs_conjugate;

/* Solves A x = rest from x = 0 on, in at most so many steps; fewer, where the preconditioned
 * residual has become 1e-12 of what it was, or the matrix proves not to be positive. On return rest
 * is what is left. direction, product: scratch of n. */
void xs_conjugate_solve(const xs_conjugate *A, int steps, double *rest, double *x,
                        double *direction, double *product);

#endif
