/* Coefficients of one step of the implicit family (genalpha.c), which differs from scheme to
 * scheme in these alone:
 *
 *   q = x0 + k2 u,  x0 = h v_n + x_a a_n + x_u u_n        displacement
 *   v = v0 + gain u,  v0 = v_n + v_a a_n + v_u u_n        velocity
 *   a = new u + old u_n + a_a a_n                         algorithmic acceleration after the step
 *
 * Generalized-alpha (Chung & Hulbert 1993; on Lie groups Arnold & Bruels 2007), rho its spectral
 * radius at infinite frequency:
 *   am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), g = 1/2 + af - am, b = (g + 1/2)^2/4
 * Backward Euler: q = h v, v = v_n + h u: no history, first order, never gains energy. */
#ifndef XS_SOLVER_GENALPHA_SCHEME_H
#define XS_SOLVER_GENALPHA_SCHEME_H

typedef struct xs_genalpha_scheme {
  double x_a, x_u, k2;   /* s^2 */
  double v_a, v_u, gain; /* s */
  double a_new, a_old, a_a;
} xs_genalpha_scheme;

static inline xs_genalpha_scheme xs_genalpha_scheme_of(double rho, double h) {
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1);
  const double g = 0.5 + af - am, b = (g + 0.5) * (g + 0.5) / 4, p = 1 / (1 - am);
  return (xs_genalpha_scheme){.x_a = h * h * (0.5 - b - b * am * p),
                              .x_u = h * h * b * af * p,
                              .k2 = h * h * b * (1 - af) * p,
                              .v_a = h * (1 - g - g * am * p),
                              .v_u = h * g * af * p,
                              .gain = h * g * (1 - af) * p,
                              .a_new = (1 - af) * p,
                              .a_old = af * p,
                              .a_a = -am * p};
}

static inline xs_genalpha_scheme xs_genalpha_scheme_euler(double h) {
  return (xs_genalpha_scheme){.k2 = h * h, .gain = h, .a_new = 1};
}

#endif
