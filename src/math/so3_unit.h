/* Logarithm and Gamma^-1 of a unit quaternion, in the shortest chain of operations.
 *
 * A joint needs phi = Log(q) and Gamma^-1(phi) at every relative angle up to pi, once an
 * iteration, and waits for both. For a unit quaternion with w >= 0, z = (1 - w)/2 =
 * sin^2(t/4) lies in [0, 1/2], and (t/2)/sin(t/2) and E = (1 - (t/2) cot(t/2))/t^2 are
 * smooth functions of z there (their next singularity is t = 2 pi, z = 1): two
 * polynomials, evaluated side by side, without branch, division or square root. z loses
 * nothing that matters: its error is 1e-16 absolute, and so is that of the two functions.
 * q must be of unit length up to round-off; xs_so3_log takes any. */
#ifndef XS_MATH_SO3_UNIT_H
#define XS_MATH_SO3_UNIT_H

#include "math/so3.h"

/* Log(q), |Log| <= pi (at a half turn the sign of the axis is q's), and *gamma_inv =
 * Gamma^-1(Log(q)). */
static inline xs_vec3 xs_so3_unit_log(xs_quat q, xs_mat3 *gamma_inv) {
  double z = 0.5 - 0.5 * fabs(q.w);
  double k = copysign(2.0, q.w) * xs_poly_20(XS_COEF_UNIT_LOG, z);
  xs_vec3 phi = xs_vec3_scale(k, xs_quat_vec(q));
  *gamma_inv = xs_so3_polynomial(phi, 0.5, xs_poly_20(XS_COEF_UNIT_E, z));
  return phi;
}

#endif
