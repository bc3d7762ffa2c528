/* Unconstrained rotation over a step: Euler's equation with the gyroscopic term.
 *
 * omega, torque: node frame; moment: principal moments; returns omega~ of the prediction
 * R~ = R [+] h omega~. Three choices (torque at t_n in all):
 *   explicit   w = omega + h I^-1 (tau - omega x I omega)
 *   implicit   I (w - omega) + h w x I w = h tau
 *   midpoint   I (w - omega) + h wm x I wm = h tau,  wm = (w + omega)/2
 * The last keeps energy and |I omega| of a free body exactly; the first, which the paper
 * most likely uses, gains energy; the second loses it. The implicit ones are one family,
 *   f(w) = I (w - omega) + h (a x I a) - h tau,  a = s w + (1 - s) omega,  s = 1 or 1/2,
 * solved by Newton's method from the explicit value. f is quadratic, so after a step d
 * the residual is h s^2 (d x I d) exactly, without evaluating f again: that ends the
 * iteration. */
#ifndef XS_SOLVER_INERTIAL_H
#define XS_SOLVER_INERTIAL_H

#include "model/world.h"

/* Newton steps allowed; 2 to 4 reach round-off for h |omega| below 1. A step whose residual
 * is still above round-off after these is left to the caller's checks (h |omega| < pi). */
enum { XS_INERTIAL_NEWTON_MAX = 20 };

/* Solves A x = b for a 3x3 matrix by Cramer's rule on its columns. */
static inline xs_vec3 xs_inertial_solve3(const xs_mat3 *A, xs_vec3 b) {
  xs_vec3 a0 = xs_mat3_column(A, 0), a1 = xs_mat3_column(A, 1), a2 = xs_mat3_column(A, 2);
  xs_vec3 c12 = xs_vec3_cross(a1, a2);
  double inverse = 1 / xs_vec3_dot(a0, c12);
  return (xs_vec3){xs_vec3_dot(b, c12) * inverse, xs_vec3_dot(b, xs_vec3_cross(a2, a0)) * inverse,
                   xs_vec3_dot(b, xs_vec3_cross(a0, a1)) * inverse};
}

/* w <- the solution of f(w) = 0, from the value given. */
static inline xs_vec3 xs_inertial_newton(const xs_inertia *inertia, double h, double s,
                                         xs_vec3 omega, xs_vec3 torque, xs_vec3 w) {
  xs_vec3 moment = inertia->moment;
  for (int k = 0; k < XS_INERTIAL_NEWTON_MAX; k++) {
    xs_vec3 a = xs_vec3_add_scaled(xs_vec3_scale(s, w), 1 - s, omega);
    xs_vec3 Ia = xs_vec3_mul(moment, a);
    /* f = I (w - omega) + h (a x I a - tau) */
    xs_vec3 f = xs_vec3_add_scaled(xs_vec3_mul(moment, xs_vec3_sub(w, omega)), h,
                                   xs_vec3_sub(xs_vec3_cross(a, Ia), torque));
    /* J = I + h s (hat(a) I - hat(I a)) */
    double g = h * s;
    xs_mat3 J = {{{moment.x, g * (Ia.z - a.z * moment.y), g * (a.y * moment.z - Ia.y)},
                  {g * (a.z * moment.x - Ia.z), moment.y, g * (Ia.x - a.x * moment.z)},
                  {g * (Ia.y - a.y * moment.x), g * (a.x * moment.y - Ia.x), moment.z}}};
    xs_vec3 d = xs_inertial_solve3(&J, xs_vec3_neg(f));
    w = xs_vec3_add(w, d);
    /* What is left of w: I^-1 of the exact residual, against the round-off of w. */
    xs_vec3 left = xs_vec3_mul(inertia->inv_moment, xs_vec3_cross(d, xs_vec3_mul(moment, d)));
    double bound = 1e-17 / (g * s);
    if (!(xs_vec3_norm2(left) > bound * bound * xs_vec3_norm2(w))) break;
  }
  return w;
}

static inline xs_vec3 xs_inertial_omega(xs_gyroscopic gyroscopic, const xs_inertia *inertia,
                                        double h, xs_vec3 omega, xs_vec3 torque) {
  xs_vec3 Iw = xs_vec3_mul(inertia->moment, omega);
  xs_vec3 moment = xs_vec3_sub(torque, xs_vec3_cross(omega, Iw));
  xs_vec3 w = xs_vec3_add_scaled(omega, h, xs_vec3_mul(inertia->inv_moment, moment));
  if (gyroscopic == XS_GYROSCOPIC_EXPLICIT) return w;
  double s = gyroscopic == XS_GYROSCOPIC_MIDPOINT ? 0.5 : 1;
  return xs_inertial_newton(inertia, h, s, omega, torque, w);
}

#endif
