/* Polynomials of fixed degree, coefficients lowest power first.
 *
 * Summed in pairs (Estrin's scheme) rather than by Horner's rule: the additions of one
 * level do not wait for each other, which halves the time in a chain of dependent
 * operations such as a simulator's step. The order of operations is fixed here, so every
 * x86-64 gives the same bits. */
#ifndef XS_MATH_POLY_H
#define XS_MATH_POLY_H

/* c[0] + c[1] x + c[2] x^2 + c[3] x^3, with x2 = x^2. */
static inline double xs_poly_cubic(const double *c, double x, double x2) {
  return (c[0] + c[1] * x) + x2 * (c[2] + c[3] * x);
}

static inline double xs_poly_5(const double c[6], double x) {
  double x2 = x * x;
  return (c[0] + c[1] * x) + x2 * xs_poly_cubic(c + 2, x, x2);
}

static inline double xs_poly_8(const double c[9], double x) {
  double x2 = x * x, x4 = x2 * x2;
  return xs_poly_cubic(c, x, x2) + x4 * (xs_poly_cubic(c + 4, x, x2) + x4 * c[8]);
}

static inline double xs_poly_9(const double c[10], double x) {
  double x2 = x * x, x4 = x2 * x2;
  return xs_poly_cubic(c, x, x2) + x4 * (xs_poly_cubic(c + 4, x, x2) + x4 * (c[8] + c[9] * x));
}

static inline double xs_poly_11(const double c[12], double x) {
  double x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  double low = xs_poly_cubic(c, x, x2) + x4 * xs_poly_cubic(c + 4, x, x2);
  return low + x8 * xs_poly_cubic(c + 8, x, x2);
}

#endif
