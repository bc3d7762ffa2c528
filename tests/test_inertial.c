/* Euler's equation over a step: each choice of the gyroscopic term against its formula. */
#include <criterion/criterion.h>
#include <math.h>

#include "solver/inertial.h"

static const xs_inertia body = {1, 1, {1, 2, 4}, {1, 0.5, 0.25}};
static const double h = 0.125;
static const xs_vec3 omega = {1, 2, 3}, torque = {0.5, -0.25, 1};

/* I (w - omega) + h (a x I a - torque), a = s w + (1 - s) omega. */
static xs_vec3 left_of(xs_vec3 w, double s) {
  xs_vec3 a = xs_vec3_add_scaled(xs_vec3_scale(s, w), 1 - s, omega);
  xs_vec3 gyroscopic = xs_vec3_cross(a, xs_vec3_mul(body.moment, a));
  return xs_vec3_add_scaled(xs_vec3_mul(body.moment, xs_vec3_sub(w, omega)), h,
                            xs_vec3_sub(gyroscopic, torque));
}

/* omega x I omega = (1,2,3) x (1,4,12) = (12,-9,2), so by hand
 * w = (1 + h (0.5 - 12), 2 + h (-0.25 + 9)/2, 3 + h (1 - 2)/4); all exact in binary. */
Test(inertial, explicit_step_is_the_formula) {
  xs_vec3 w = xs_inertial_omega(XS_GYROSCOPIC_EXPLICIT, &body, h, omega, torque);
  cr_expect_eq(w.x, -0.4375);
  cr_expect_eq(w.y, 2.546875);
  cr_expect_eq(w.z, 2.96875);
}

Test(inertial, implicit_and_midpoint_steps_solve_their_equations) {
  xs_vec3 w = xs_inertial_omega(XS_GYROSCOPIC_IMPLICIT, &body, h, omega, torque);
  cr_expect_leq(xs_vec3_norm(left_of(w, 1)), 1e-14);
  w = xs_inertial_omega(XS_GYROSCOPIC_MIDPOINT, &body, h, omega, torque);
  cr_expect_leq(xs_vec3_norm(left_of(w, 0.5)), 1e-14);
}

static double energy(xs_vec3 w) { return 0.5 * xs_vec3_dot(w, xs_vec3_mul(body.moment, w)); }

Test(inertial, midpoint_keeps_the_energy_that_the_others_change) {
  const xs_vec3 none = {0, 0, 0};
  const double start = energy(omega);
  xs_vec3 w = xs_inertial_omega(XS_GYROSCOPIC_MIDPOINT, &body, h, omega, none);
  cr_expect_float_eq(energy(w), start, 1e-14 * start);
  cr_expect_float_eq(xs_vec3_norm(xs_vec3_mul(body.moment, w)),
                     xs_vec3_norm(xs_vec3_mul(body.moment, omega)), 1e-14);
  w = xs_inertial_omega(XS_GYROSCOPIC_EXPLICIT, &body, h, omega, none);
  cr_expect_gt(energy(w), 1.01 * start);
  w = xs_inertial_omega(XS_GYROSCOPIC_IMPLICIT, &body, h, omega, none);
  cr_expect_lt(energy(w), 0.99 * start);
}

/* About a principal axis there is no gyroscopic torque: h tau/I in all choices. */
Test(inertial, all_choices_agree_about_a_principal_axis) {
  const xs_vec3 spin = {0, 3, 0}, along = {0, 1, 0};
  for (int choice = XS_GYROSCOPIC_MIDPOINT; choice <= XS_GYROSCOPIC_IMPLICIT; choice++) {
    xs_vec3 w = xs_inertial_omega((xs_gyroscopic)choice, &body, h, spin, along);
    cr_expect_float_eq(w.y, 3 + h * 0.5, 1e-15);
    cr_expect_eq(w.x, 0);
    cr_expect_eq(w.z, 0);
  }
}
