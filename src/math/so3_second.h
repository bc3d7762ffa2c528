/* Second derivatives on SO(3): what the tangent of rows needs besides so3.h.
 *
 * With q = |theta|^2, and d = 2 d/dq as in so3.h (dB = B'/t):
 *   XS_SO3_DDB = d(dB), XS_SO3_DDD = d(dD), XS_SO3_DE = d(E)
 * as power series in q: the first two converge everywhere, E's as far as 2 pi; with the terms that
 * stand here to round-off for |theta| <= pi. */
#ifndef XS_MATH_SO3_SECOND_H
#define XS_MATH_SO3_SECOND_H

#include "math/so3.h"

/* clang-format off */
static const double XS_SO3_DDB[] = {
    0.0111111111111111111,
    -0.000595238095238095238,
    0.0000132275132275132275,
    -1.67014055902944792e-7,
    1.37648947172756697e-9,
    -8.0295219184108073e-12,
    3.49870236096331473e-14,
    -1.18377147551390348e-16,
    3.20284490128220638e-19,
    -7.09164531282292074e-22,
    1.30922682698269306e-24,
    -2.04665088393157886e-27,
    2.74455099377797931e-30,
    -3.19232823407798462e-33,
    3.25167123410031537e-36,
    -2.92478364971986039e-39,
    2.34024296296930508e-42,
    -1.67664465672763184e-45,
    1.08184582315629878e-48,
    -6.31989604047019981e-52,
};
static const double XS_SO3_DDD[] = {
    0.0015873015873015873,
    -0.0000661375661375661376,
    1.2025012025012025e-6,
    -1.28472350694572917e-8,
    9.17659647818377977e-11,
    -4.72324818730047488e-13,
    1.84142229524384986e-15,
    -5.63700702625668323e-18,
    1.39254126142704625e-20,
    -2.83665812512916829e-23,
    4.84898824808404837e-26,
    -7.05741684114337537e-29,
    8.85339030250961067e-32,
    -9.67372192144843824e-35,
    9.29048924028661535e-38,
    -7.90482067491854159e-41,
    6.00062298197257712e-44,
    -4.08937721153080937e-47,
    2.51592051896813669e-50,
    -1.40442134232671107e-53,
};
static const double XS_SO3_DE[] = {
    0.00277777777777777778,
    0.000132275132275132275,
    4.96031746031746032e-6,
    1.67014055902944792e-7,
    5.28419013868749318e-9,
    1.60590438368216146e-10,
    4.74555241485161601e-12,
    1.37376992900445513e-13,
    3.91476365740451137e-15,
    1.1018005656720459e-16,
    3.06998223087875513e-18,
    8.48329689511072193e-20,
    2.32791453102976218e-21,
    6.35026686654551257e-23,
    1.72343720066166073e-24,
    4.65655192196756769e-26,
    1.25323827982620546e-27,
    3.36122433255421608e-29,
    8.98708517966239375e-31,
    2.39626870499285372e-32,
    6.3733105147668191e-34,
    1.69125357519984282e-35,
    4.47872241341747788e-37,
    1.18379858121632686e-38,
    3.12353837091037185e-40,
    8.22849572721535543e-42,
    2.16446779041242542e-43,
    5.68572247911895153e-45,
    1.49164641178028561e-46,
    3.90867362114028896e-48,
    1.02308121422758452e-49,
    2.67509160226526457e-51,
};
/* clang-format on */

#define XS_SO3_SERIES(coefficients, q) \
  xs_so3_series(coefficients, (int)(sizeof(coefficients) / sizeof(double)), q)

static inline double xs_so3_series(const double *coefficients, int n, double q) {
  double sum = 0;
  for (int k = n - 1; k >= 0; k--) sum = sum * q + coefficients[k];
  return sum;
}

/* a b^T + b a^T */
static inline xs_mat3 xs_so3_symmetric_outer(xs_vec3 a, xs_vec3 b) {
  return xs_mat3_add(xs_mat3_outer(a, b), xs_mat3_outer(b, a));
}

/* Gradient (theta) and, in *H, second derivative of m.Gamma(theta) x, for m and x held fixed:
 *   f = m.x - B k.theta + D d,  k = x x m,  d = (m.theta)(x.theta) - theta^2 (m.x) */
static inline xs_vec3 xs_so3_gamma_hessian(xs_vec3 theta, xs_vec3 x, xs_vec3 m, xs_mat3 *H) {
  const double q = xs_vec3_norm2(theta), B = xs_so3_coef_B(q), D = xs_so3_coef_D(q),
               dB = xs_so3_coef_dB(q), dD = xs_so3_coef_dD(q), ddB = XS_SO3_SERIES(XS_SO3_DDB, q),
               ddD = XS_SO3_SERIES(XS_SO3_DDD, q);
  const xs_vec3 k = xs_vec3_cross(x, m);
  const double mt = xs_vec3_dot(m, theta), xt = xs_vec3_dot(x, theta), mx = xs_vec3_dot(m, x),
               kt = xs_vec3_dot(k, theta), d = mt * xt - q * mx;
  xs_vec3 dd = xs_vec3_scale(xt, m);
  dd = xs_vec3_add_scaled(dd, mt, x);
  dd = xs_vec3_add_scaled(dd, -2 * mx, theta);

  xs_vec3 gradient = xs_vec3_scale(-B, k);
  gradient = xs_vec3_add_scaled(gradient, dD * d - dB * kt, theta);
  gradient = xs_vec3_add_scaled(gradient, D, dd);

  /* All that multiplies theta^T from the left, and its transpose. */
  xs_vec3 left = xs_vec3_scale(-dB, k);
  left = xs_vec3_add_scaled(left, dD, dd);
  left = xs_vec3_add_scaled(left, 0.5 * (ddD * d - ddB * kt), theta);
  *H = xs_mat3_add(xs_so3_symmetric_outer(left, theta),
                   xs_mat3_scale(D, xs_so3_symmetric_outer(m, x)));
  const double diagonal = dD * d - dB * kt - 2 * D * mx;
  for (int i = 0; i < 3; i++) H->m[i][i] += diagonal;
  return gradient;
}

/* d(Gamma^-1(theta) a)/dtheta and d(Gamma^-T(theta) a)/dtheta, |theta| <= pi:
 *   -+ hat(a)/2 + E (theta.a I + theta a^T - 2 a theta^T) + dE theta x (theta x a) theta^T */
static inline void xs_so3_dgamma_inv(xs_vec3 theta, xs_vec3 a, xs_mat3 *plain,
                                     xs_mat3 *transposed) {
  const double q = xs_vec3_norm2(theta), E = xs_so3_coef_E(q), dE = XS_SO3_SERIES(XS_SO3_DE, q);
  xs_vec3 left = xs_vec3_scale(-2 * E, a);
  left = xs_vec3_add_scaled(left, dE, xs_vec3_cross(theta, xs_vec3_cross(theta, a)));
  xs_mat3 Q = xs_mat3_add(xs_mat3_outer(xs_vec3_scale(E, theta), a), xs_mat3_outer(left, theta));
  const double diagonal = E * xs_vec3_dot(theta, a);
  for (int i = 0; i < 3; i++) Q.m[i][i] += diagonal;
  const xs_mat3 half = xs_mat3_hat(xs_vec3_scale(0.5, a));
  *transposed = xs_mat3_add(Q, half);
  *plain = xs_mat3_add(Q, xs_mat3_transpose(half));
}

#endif
