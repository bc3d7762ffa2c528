/* Rotations: SO(3) by unit quaternions, its exponential, logarithm and their Jacobians.
 *
 *   R [+] theta = R Exp(theta),  R1 [-] R2 = Log(R2^T R1),  t = |theta|
 *   Exp(theta) = I + A hat + B hat^2,      A = sin t / t,  B = (1 - cos t) / t^2
 *   R^T dR = (Gamma dtheta)^,  Gamma = I - B hat + D hat^2,  D = (t - sin t) / t^3
 *   Gamma^-1 = I + hat/2 + E hat^2,        E = (1 - (t/2) cot(t/2)) / t^2
 * (Tobin & Rucker, "Orientation in Extended Position-Based Dynamics"; hat = hat(theta).)
 *
 * Up to t = pi, all that a logarithm returns, every function is a polynomial in t^2
 * without square root (E: plus one pole's term), regular at 0 and at pi. Beyond, closed
 * forms with the kernels of trig.h take over (so3.c); nothing cancels there any more. */
#ifndef XS_MATH_SO3_H
#define XS_MATH_SO3_H

#include "math/trig.h"
#include "math/vec.h"

/* Largest t^2 of the polynomials, just above pi^2. */
#define XS_SO3_POLY_T2 10.0

/* Largest tan^2(t/2) of the logarithm's polynomial, t = 0.78. */
#define XS_SO3_LOG_TAN2 0.17

/* Quaternions with a smaller w^2 are scaled first: their squares lose digits. */
#define XS_SO3_LOG_MIN_W2 0x1p-900

/* ---- Scalar functions of t2 = t^2 ---- */

/* xs_so3_half_angle for t2 > XS_SO3_POLY_T2. */
double xs_so3_half_angle_beyond(double t2, double *cosine);

/* Returns sin(t/2)/t, and cos(t/2). */
static inline double xs_so3_half_angle(double t2, double *cosine) {
  if (t2 <= XS_SO3_POLY_T2) {
    *cosine = xs_poly_8(XS_COEF_HALF_COS, t2);
    return xs_poly_8(XS_COEF_HALF_SIN, t2);
  }
  return xs_so3_half_angle_beyond(t2, cosine);
}

/* A = sin t / t */
static inline double xs_so3_coef_A(double t2) {
  double c, s = xs_so3_half_angle(t2, &c);
  return 2 * s * c;
}

/* B = (1 - cos t) / t^2; "a" of the rods' equations */
static inline double xs_so3_coef_B(double t2) {
  double c, s = xs_so3_half_angle(t2, &c);
  return 2 * s * s;
}

/* D = (t - sin t) / t^3 = (1 - A) / t^2; "b" of the rods' equations */
static inline double xs_so3_coef_D(double t2) {
  if (t2 <= XS_SO3_POLY_T2) return xs_poly_9(XS_COEF_D, t2);
  return (1 - xs_so3_coef_A(t2)) / t2;
}

/* E = (1 - (t/2) cot(t/2)) / t^2, with poles at t = 2 pi, 4 pi, ..; "c" of the rods'
 * equations. E = sum over k of 2 / (4 pi^2 k^2 - t^2): the first term is taken out of the
 * polynomial, which the far poles of the others leave smooth. */
static inline double xs_so3_coef_E(double t2) {
  if (t2 <= XS_SO3_POLY_T2) return 2 / (4 * XS_PI * XS_PI - t2) + xs_poly_8(XS_COEF_E, t2);
  double c, s = xs_so3_half_angle(t2, &c);
  return (1 - 0.5 * c / s) / t2;
}

/* B'(t)/t = (t sin t - 2 + 2 cos t) / t^4 = (A - 2 B) / t^2; "A" of the rods' equations */
static inline double xs_so3_coef_dB(double t2) {
  if (t2 <= XS_SO3_POLY_T2) return xs_poly_9(XS_COEF_DB, t2);
  return (xs_so3_coef_A(t2) - 2 * xs_so3_coef_B(t2)) / t2;
}

/* D'(t)/t = (3 sin t - 2 t - t cos t) / t^5 = (B - 3 D) / t^2; "B" of the rods' equations */
static inline double xs_so3_coef_dD(double t2) {
  if (t2 <= XS_SO3_POLY_T2) return xs_poly_9(XS_COEF_DD, t2);
  return (xs_so3_coef_B(t2) - 3 * xs_so3_coef_D(t2)) / t2;
}

/* ---- Quaternions and matrices ---- */

/* q / |q| for any q whose norm neither overflows nor underflows. */
static inline xs_quat xs_so3_normalize(xs_quat q) {
  double n = sqrt(xs_quat_norm2(q));
  return (xs_quat){q.w / n, q.x / n, q.y / n, q.z / n};
}

/* One Newton step towards |q| = 1: an error e of the norm becomes 1.5 e^2. */
static inline xs_quat xs_so3_renormalize(xs_quat q) {
  double s = 1.5 - 0.5 * xs_quat_norm2(q);
  return (xs_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* Matrix of the unit quaternion q, body to world. */
static inline xs_mat3 xs_so3_matrix(xs_quat q) {
  double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  return (xs_mat3){{{1 - (yy + zz), xy - wz, xz + wy},
                    {xy + wz, 1 - (xx + zz), yz - wx},
                    {xz - wy, yz + wx, 1 - (xx + yy)}}};
}

/* Unit quaternion, w >= 0, of a rotation matrix (Shepperd: the largest component first,
 * so that nothing cancels). */
static inline xs_quat xs_so3_from_matrix(const xs_mat3 *R) {
  const double(*m)[3] = R->m;
  double trace = m[0][0] + m[1][1] + m[2][2];
  double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
  double xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
  xs_quat q;

  /* Each is 4 times the largest component times (w, x, y, z). */
  if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2])
    q = (xs_quat){1 + trace, wx, wy, wz};
  else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2])
    q = (xs_quat){wx, 1 + 2 * m[0][0] - trace, xy, xz};
  else if (m[1][1] >= m[2][2])
    q = (xs_quat){wy, xy, 1 + 2 * m[1][1] - trace, yz};
  else
    q = (xs_quat){wz, xz, yz, 1 + 2 * m[2][2] - trace};

  if (q.w < 0) q = (xs_quat){-q.w, -q.x, -q.y, -q.z};
  return xs_so3_normalize(q);
}

/* ---- Exponential and logarithm ---- */

/* Unit quaternion of the rotation vector theta, rad. */
static inline xs_quat xs_so3_exp(xs_vec3 theta) {
  double c, s = xs_so3_half_angle(xs_vec3_norm2(theta), &c);
  return (xs_quat){c, s * theta.x, s * theta.y, s * theta.z};
}

/* Log where u = tan^2(t/2) = |v|^2/w^2 is small: (2/w) (atan r / r) v, r = sqrt u. n2 = |v|^2.
 * The division does not wait for n2. */
static inline xs_vec3 xs_so3_log_small(xs_quat q, double n2) {
  double inverse = 1 / q.w, u = (n2 * inverse) * inverse;
  return xs_vec3_scale(2 * inverse * xs_poly_11(XS_COEF_LOG, u), xs_quat_vec(q));
}

/* xs_so3_log for all other quaternions. */
xs_vec3 xs_so3_log_beyond(xs_quat q);

/* Rotation vector of q, |Log| <= pi; q of any scale and sign but zero, which gives NaN.
 * At a half turn the sign of the axis is q's. */
static inline xs_vec3 xs_so3_log(xs_quat q) {
  double n2 = xs_vec3_norm2(xs_quat_vec(q)), w2 = q.w * q.w;
  if (n2 < XS_SO3_LOG_TAN2 * w2 && w2 > XS_SO3_LOG_MIN_W2) return xs_so3_log_small(q, n2);
  return xs_so3_log_beyond(q);
}

/* q [+] theta */
static inline xs_quat xs_so3_plus(xs_quat q, xs_vec3 theta) {
  return xs_so3_renormalize(xs_quat_mul(q, xs_so3_exp(theta)));
}

/* q1 [-] q2 = Log(R2^T R1) */
static inline xs_vec3 xs_so3_minus(xs_quat q1, xs_quat q2) {
  return xs_so3_log(xs_quat_mul(xs_quat_conj(q2), q1));
}

/* ---- Jacobians ---- */

/* I + a hat(theta) + b hat(theta)^2 */
static inline xs_mat3 xs_so3_polynomial(xs_vec3 theta, double a, double b) {
  xs_vec3 u = xs_vec3_scale(a, theta), v = xs_vec3_scale(b, theta);
  double xx = v.x * theta.x, yy = v.y * theta.y, zz = v.z * theta.z;
  double xy = v.x * theta.y, xz = v.x * theta.z, yz = v.y * theta.z;
  return (xs_mat3){{{1 - (yy + zz), xy - u.z, xz + u.y},
                    {xy + u.z, 1 - (xx + zz), yz - u.x},
                    {xz - u.y, yz + u.x, 1 - (xx + yy)}}};
}

/* Gamma(theta), the right Jacobian: D_theta Exp(theta). */
static inline xs_mat3 xs_so3_gamma(xs_vec3 theta) {
  double t2 = xs_vec3_norm2(theta);
  return xs_so3_polynomial(theta, -xs_so3_coef_B(t2), xs_so3_coef_D(t2));
}

/* Gamma^-1(theta) = D Log at theta, |theta| < 2 pi; its transpose is that of -theta. */
static inline xs_mat3 xs_so3_gamma_inv(xs_vec3 theta) {
  return xs_so3_polynomial(theta, 0.5, xs_so3_coef_E(xs_vec3_norm2(theta)));
}

/* H(theta, x) = d(Gamma(theta) x)/dtheta
 *   = B hat(x) + D (theta.x I + theta x^T - 2 x theta^T)
 *     + [-B'/t theta x x + D'/t theta x (theta x x)] theta^T */
static inline xs_mat3 xs_so3_dgamma(xs_vec3 theta, xs_vec3 x) {
  double t2 = xs_vec3_norm2(theta), B = xs_so3_coef_B(t2), D = xs_so3_coef_D(t2);
  xs_vec3 cross = xs_vec3_cross(theta, x), cross2 = xs_vec3_cross(theta, cross);

  /* All that multiplies theta^T. */
  xs_vec3 left = xs_vec3_scale(-xs_so3_coef_dB(t2), cross);
  left = xs_vec3_add_scaled(left, xs_so3_coef_dD(t2), cross2);
  left = xs_vec3_add_scaled(left, -2 * D, x);

  xs_mat3 H = xs_mat3_hat(xs_vec3_scale(B, x));
  H = xs_mat3_add(H, xs_mat3_outer(xs_vec3_scale(D, theta), x));
  H = xs_mat3_add(H, xs_mat3_outer(left, theta));
  double diagonal = D * xs_vec3_dot(theta, x);
  for (int i = 0; i < 3; i++) H.m[i][i] += diagonal;
  return H;
}

#endif
