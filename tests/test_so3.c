/* Rotations: round trips, Jacobians by central differences, reference values. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "data/trig_table.h"
#include "math/so3.h"

/* Some unit vectors, axes of the coordinate system among them. */
static const xs_vec3 axes[] = {{1, 0, 0},          {0, -1, 0},
                               {0, 0, 1},          {0.6, -0.48, 0.64},
                               {-0.36, 0.8, 0.48}, {2.0 / 3, 2.0 / 3, -1.0 / 3}};
enum { N_AXES = sizeof axes / sizeof *axes };

/* Angles near every place where something could go wrong, then evenly up to pi. */
static const double special[] = {0,      1e-300,       1e-160,       1e-20,        1e-9,
                                 1e-5,   1e-3,         0.1,          0.77,         0.776,
                                 0.7799, 0.785,        1.0,          XS_PI / 2,    2.0,
                                 3.0,    XS_PI - 1e-3, XS_PI - 1e-6, XS_PI - 1e-9, XS_PI - 1e-15};
enum { N_SPECIAL = sizeof special / sizeof *special, N_EVEN = 4001 };

static double angle_at(int i) {
  return i < N_SPECIAL ? special[i] : XS_PI * (i - N_SPECIAL) / N_EVEN;
}

static double largest_entry(xs_mat3 A) {
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!(fabs(A.m[i][j]) <= largest)) largest = fabs(A.m[i][j]);
  return largest;
}

static double difference(xs_mat3 A, xs_mat3 B) {
  return largest_entry(xs_mat3_add(A, xs_mat3_scale(-1, B)));
}

static xs_vec3 basis(int k) { return (xs_vec3){k == 0, k == 1, k == 2}; }

static void set_column(xs_mat3 *A, int j, xs_vec3 v) {
  A->m[0][j] = v.x, A->m[1][j] = v.y, A->m[2][j] = v.z;
}

/* ---- Scalars ---- */

Test(so3, scalars_have_their_reference_values) {
  double (*const f[])(double) = {xs_so3_coef_A, xs_so3_coef_B,  xs_so3_coef_D,
                                 xs_so3_coef_E, xs_so3_coef_dB, xs_so3_coef_dD};
  const char *name[] = {"A", "B", "D", "E", "B'/t", "D'/t"};
  double worst[6] = {0};
  for (size_t i = 0; i < sizeof so3_table / sizeof *so3_table; i++)
    for (int k = 0; k < 6; k++) {
      /* Relative to the function's size, which falls as 1/t^2. Beyond pi the rounding of t
       * itself turns sin t by t ulps; the table keeps away from E's poles. */
      double t2 = so3_table[i][0], want = so3_table[i][1 + k];
      double e = fabs(f[k](t2) - want) / fmax(fabs(want), fabs(so3_table[0][1 + k]) / (1 + t2));
      double bound = t2 <= XS_SO3_POLY_T2 ? 1e-15 : 1e-15 * (1 + sqrt(t2));
      cr_expect(e <= bound, "%s at t^2 = %.17g: %g", name[k], t2, e);
      worst[k] = fmax(worst[k], e);
    }
  for (int k = 0; k < 6; k++) cr_log_info("%s: largest relative error %.2g", name[k], worst[k]);
}

Test(so3, half_angle_has_its_reference_values) {
  for (size_t i = 0; i < sizeof so3_table / sizeof *so3_table; i++) {
    double t2 = so3_table[i][0], c, s = xs_so3_half_angle(t2, &c);
    cr_expect(fabs(s - so3_table[i][7]) <= 2e-16, "sin at %g: %g", t2, s - so3_table[i][7]);
    cr_expect(fabs(c - so3_table[i][8]) <= 4e-16, "cos at %g: %g", t2, c - so3_table[i][8]);
  }
}

/* No jump where a polynomial hands over: neighbours differ by round-off only. */
Test(so3, nothing_jumps_at_the_switch_near_pi) {
  double (*const f[])(double) = {xs_so3_coef_A, xs_so3_coef_B,  xs_so3_coef_D,
                                 xs_so3_coef_E, xs_so3_coef_dB, xs_so3_coef_dD};
  double below = XS_SO3_POLY_T2, above = nextafter(below, 11);
  for (int k = 0; k < 6; k++)
    cr_expect(fabs(f[k](below) - f[k](above)) <= 1e-15 * fabs(f[k](0)), "function %d: %g", k,
              f[k](below) - f[k](above));
}

/* ---- Exponential and logarithm ---- */

Test(so3, log_inverts_exp_up_to_pi) {
  double worst = 0;
  for (int i = 0; i < N_SPECIAL + N_EVEN; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_vec3 theta = xs_vec3_scale(angle_at(i), axes[k]), log = xs_so3_log(xs_so3_exp(theta));
      double e = xs_vec3_norm(xs_vec3_sub(log, theta));
      cr_expect(e <= 1e-14, "angle %.17g, axis %d: %g", angle_at(i), k, e);
      worst = fmax(worst, e);
    }
  cr_log_info("largest |Log Exp theta - theta| %.2g", worst);
}

/* At pi itself the two signs of the axis are the same rotation. */
Test(so3, log_inverts_exp_at_pi_up_to_sign) {
  for (int k = 0; k < N_AXES; k++) {
    xs_vec3 theta = xs_vec3_scale(XS_PI, axes[k]), log = xs_so3_log(xs_so3_exp(theta));
    double same = xs_vec3_norm(xs_vec3_sub(log, theta));
    double opposite = xs_vec3_norm(xs_vec3_add(log, theta));
    cr_expect(fmin(same, opposite) <= 1e-14, "axis %d: %g", k, fmin(same, opposite));
  }
  xs_vec3 log = xs_so3_log((xs_quat){0, 0, 1, 0});
  cr_expect(log.x == 0 && log.y == XS_PI && log.z == 0);
}

Test(so3, tiny_rotations_keep_their_relative_accuracy) {
  for (int k = 0; k < N_AXES; k++) {
    xs_vec3 theta = xs_vec3_scale(1e-300, axes[k]), log = xs_so3_log(xs_so3_exp(theta));
    xs_vec3 error = xs_vec3_scale(1e300, xs_vec3_sub(log, theta));
    cr_expect(xs_vec3_norm(error) <= 1e-15, "axis %d", k);
  }
}

Test(so3, exp_beyond_pi_is_the_same_rotation_as_a_turn_less) {
  for (double t = 3.0; t < 40; t += 0.37) {
    xs_vec3 n = axes[3];
    xs_quat q = xs_so3_exp(xs_vec3_scale(t, n));
    double turns = round(t / (2 * XS_PI));
    /* 2 pi as two doubles */
    double rest = (t - turns * 2 * XS_PI) - turns * 2.4492935982947064e-16;
    xs_vec3 log = xs_so3_log(q);
    cr_expect(xs_vec3_norm(xs_vec3_sub(log, xs_vec3_scale(rest, n))) <= 2e-14, "angle %g", t);
    cr_expect(fabs(xs_quat_norm2(q) - 1) <= 1e-15);
  }
}

Test(so3, log_takes_any_scale_and_sign) {
  const double scale[] = {-1, 2.5, -1e-3, 1e150, -1e-150, 1e-158, -1e-170, 1e-300, -1e300};
  for (int i = 0; i < N_SPECIAL; i++)
    for (int s = 0; s < 9; s++) {
      xs_quat q = xs_so3_exp(xs_vec3_scale(special[i], axes[4]));
      xs_quat p = {scale[s] * q.w, scale[s] * q.x, scale[s] * q.y, scale[s] * q.z};
      double e = xs_vec3_norm(xs_vec3_sub(xs_so3_log(p), xs_so3_log(q)));
      cr_expect(e <= 2e-15, "angle %g, scale %g: %g", special[i], scale[s], e);
    }
  cr_expect(isnan(xs_so3_log((xs_quat){0, 0, 0, 0}).x));
}

/* Both of the logarithm's branches just beside the switch. */
Test(so3, log_is_continuous_at_its_switch) {
  double r = sqrt(XS_SO3_LOG_TAN2);
  xs_vec3 below = xs_so3_log((xs_quat){1, 0, r * (1 - 1e-15), 0});
  xs_vec3 above = xs_so3_log((xs_quat){1, 0, r * (1 + 1e-15), 0});
  cr_expect(above.y > below.y && above.y - below.y < 3e-15, "%g", above.y - below.y);
}

/* ---- Matrices ---- */

Test(so3, exp_agrees_with_rodrigues_formula) {
  for (int i = 0; i < N_SPECIAL; i++)
    for (int k = 0; k < N_AXES; k++) {
      double t = special[i];
      xs_mat3 hat = xs_mat3_hat(axes[k]), want = xs_mat3_identity();
      want = xs_mat3_add(want, xs_mat3_scale(sin(t), hat));
      want = xs_mat3_add(want, xs_mat3_scale(1 - cos(t), xs_mat3_mul(hat, hat)));
      double e = difference(xs_so3_matrix(xs_so3_exp(xs_vec3_scale(t, axes[k]))), want);
      cr_expect(e <= 1e-15, "angle %g, axis %d: %g", t, k, e);
    }
}

Test(so3, matrix_of_a_product_is_the_product) {
  xs_quat a = xs_so3_exp((xs_vec3){0.3, -1.2, 0.7}), b = xs_so3_exp((xs_vec3){-2, 0.1, 0.4});
  xs_mat3 product = xs_mat3_mul(xs_so3_matrix(a), xs_so3_matrix(b));
  cr_expect(difference(xs_so3_matrix(xs_quat_mul(a, b)), product) <= 1e-15);
}

Test(so3, from_matrix_inverts_matrix_for_every_pivot) {
  for (int i = 0; i < N_SPECIAL; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_mat3 R = xs_so3_matrix(xs_so3_exp(xs_vec3_scale(special[i], axes[k])));
      xs_quat q = xs_so3_from_matrix(&R);
      cr_expect(q.w >= 0 && fabs(xs_quat_norm2(q) - 1) <= 1e-15);
      double e = difference(xs_so3_matrix(q), R);
      cr_expect(e <= 2e-15, "angle %g, axis %d: %g", special[i], k, e);
    }
}

Test(so3, normalizing_gives_unit_length) {
  xs_quat q = xs_so3_normalize((xs_quat){3, -4, 12, 84});
  cr_expect(fabs(q.w - 3.0 / 85) <= 1e-16 && fabs(q.z - 84.0 / 85) <= 2e-16);

  /* The Newton step squares a small error. */
  xs_quat p = xs_so3_renormalize((xs_quat){0.6 * (1 + 1e-8), 0, 0.8 * (1 + 1e-8), 0});
  cr_expect(fabs(xs_quat_norm2(p) - 1) <= 5e-16);
}

Test(so3, minus_undoes_plus) {
  xs_quat q = xs_so3_exp((xs_vec3){1, -0.4, 2});
  for (int i = 0; i < N_SPECIAL; i++) {
    xs_vec3 theta = xs_vec3_scale(special[i], axes[5]);
    xs_vec3 back = xs_so3_minus(xs_so3_plus(q, theta), q);
    double e = xs_vec3_norm(xs_vec3_sub(back, theta));
    /* Next to pi round-off may cross to the other sign of the axis. */
    if (special[i] > XS_PI - 1e-14) e = fmin(e, xs_vec3_norm(xs_vec3_add(back, theta)));
    cr_expect(e <= 4e-15, "angle %g: %g", special[i], e);
  }
}

/* A million small steps: the renormalisation of plus keeps unit length. */
Test(so3, plus_keeps_unit_length) {
  xs_quat q = xs_quat_identity();
  for (int i = 0; i < 1000000; i++) q = xs_so3_plus(q, (xs_vec3){1e-3, -2e-3, 3e-3});
  cr_expect(fabs(xs_quat_norm2(q) - 1) <= 1e-15, "%g", xs_quat_norm2(q) - 1);
}

/* ---- Jacobians ---- */

Test(so3, gamma_times_its_inverse_is_one) {
  double worst = 0;
  for (int i = 0; i < N_SPECIAL + N_EVEN; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_vec3 theta = xs_vec3_scale(angle_at(i), axes[k]);
      xs_mat3 product = xs_mat3_mul(xs_so3_gamma(theta), xs_so3_gamma_inv(theta));
      double e = difference(product, xs_mat3_identity());
      cr_expect(e <= 1e-13, "angle %.17g: %g", angle_at(i), e);
      worst = fmax(worst, e);
    }
  cr_log_info("largest |Gamma Gamma^-1 - I| %.2g", worst);
}

/* R^T dR = (Gamma dtheta)^: columns (Exp(theta + e) [-] Exp(theta - e)) / 2e, also beyond pi. */
Test(so3, gamma_is_the_derivative_of_exp) {
  const double angle[] = {0, 1e-9, 1e-3, 0.5, 1.5, 3, 3.14, XS_PI, 3.1622, 3.1623, 3.5, 5, 8};
  const double step = 1e-5;
  for (int i = 0; i < 13; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_vec3 theta = xs_vec3_scale(angle[i], axes[k]);
      xs_mat3 numeric;
      for (int j = 0; j < 3; j++) {
        xs_quat ahead = xs_so3_exp(xs_vec3_add_scaled(theta, step, basis(j)));
        xs_quat behind = xs_so3_exp(xs_vec3_add_scaled(theta, -step, basis(j)));
        set_column(&numeric, j, xs_vec3_scale(0.5 / step, xs_so3_minus(ahead, behind)));
      }
      double e = difference(numeric, xs_so3_gamma(theta));
      cr_expect(e <= 1e-9, "angle %g, axis %d: %g", angle[i], k, e);
    }
}

/* D Log(R [+] e) at e = 0 is Gamma^-1(Log R). */
Test(so3, gamma_inv_is_the_derivative_of_log) {
  const double angle[] = {0, 1e-9, 1e-3, 0.5, 0.78, 1.5, 3, 3.14};
  const double step = 1e-5;
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_vec3 theta = xs_vec3_scale(angle[i], axes[k]);
      xs_quat q = xs_so3_exp(theta);
      xs_mat3 numeric;
      for (int j = 0; j < 3; j++) {
        xs_vec3 ahead = xs_so3_log(xs_so3_plus(q, xs_vec3_scale(step, basis(j))));
        xs_vec3 behind = xs_so3_log(xs_so3_plus(q, xs_vec3_scale(-step, basis(j))));
        set_column(&numeric, j, xs_vec3_scale(0.5 / step, xs_vec3_sub(ahead, behind)));
      }
      double e = difference(numeric, xs_so3_gamma_inv(theta));
      cr_expect(e <= 1e-9, "angle %g, axis %d: %g", angle[i], k, e);
    }
}

Test(so3, dgamma_is_the_derivative_of_gamma_times_x) {
  const double angle[] = {0, 1e-9, 1e-3, 0.5, 1.5, 3, XS_PI, 3.1622, 3.1623, 3.5, 5, 8};
  const double step = 1e-5;
  const xs_vec3 x = {0.7, -1.3, 0.4};
  double worst = 0;
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_vec3 theta = xs_vec3_scale(angle[i], axes[k]);
      xs_mat3 numeric;
      for (int j = 0; j < 3; j++) {
        xs_mat3 ahead = xs_so3_gamma(xs_vec3_add_scaled(theta, step, basis(j)));
        xs_mat3 behind = xs_so3_gamma(xs_vec3_add_scaled(theta, -step, basis(j)));
        xs_vec3 change = xs_vec3_sub(xs_mat3_mul_vec(&ahead, x), xs_mat3_mul_vec(&behind, x));
        set_column(&numeric, j, xs_vec3_scale(0.5 / step, change));
      }
      double e = difference(numeric, xs_so3_dgamma(theta, x));
      cr_expect(e <= 1e-8, "angle %g, axis %d: %g", angle[i], k, e);
      worst = fmax(worst, e);
    }
  cr_log_info("largest error of H by central differences %.2g", worst);
}

/* Gamma theta = Gamma^-1 theta = theta, Gamma(-theta) = Gamma(theta)^T. */
Test(so3, gamma_leaves_its_axis_alone) {
  for (int i = 0; i < N_SPECIAL; i++) {
    xs_vec3 theta = xs_vec3_scale(special[i], axes[3]);
    xs_mat3 G = xs_so3_gamma(theta), Gi = xs_so3_gamma_inv(theta);
    cr_expect(xs_vec3_norm(xs_vec3_sub(xs_mat3_mul_vec(&G, theta), theta)) <= 2e-15);
    cr_expect(xs_vec3_norm(xs_vec3_sub(xs_mat3_mul_vec(&Gi, theta), theta)) <= 2e-15);
    cr_expect(difference(xs_so3_gamma(xs_vec3_neg(theta)), xs_mat3_transpose(G)) == 0);
  }
}

/* phi = R1 [-] R2: Gamma^-1(phi)^T = Gamma^-1(phi) R1^T R2 = Gamma^-1(-phi) (D.2), and phi
 * is the same seen from both frames and after turning the world (D.3, objectivity). */
Test(so3, difference_of_rotations_is_objective) {
  xs_quat turn = xs_so3_exp((xs_vec3){-0.9, 2.1, 0.5}), q2 = xs_so3_exp((xs_vec3){0.2, 0.3, -2});
  for (int i = 0; i < N_SPECIAL - 1; i++)
    for (int k = 0; k < N_AXES; k++) {
      xs_quat q1 = xs_so3_plus(q2, xs_vec3_scale(special[i], axes[k]));
      xs_vec3 phi = xs_so3_minus(q1, q2);
      xs_mat3 Gi = xs_so3_gamma_inv(phi);
      xs_mat3 R12 = xs_mat3_tmul(xs_so3_matrix(q1), xs_so3_matrix(q2));
      cr_expect(difference(xs_mat3_mul(Gi, R12), xs_mat3_transpose(Gi)) <= 3e-15);
      cr_expect(difference(xs_so3_gamma_inv(xs_vec3_neg(phi)), xs_mat3_transpose(Gi)) == 0);

      xs_vec3 turned = xs_so3_minus(xs_quat_mul(turn, q1), xs_quat_mul(turn, q2));
      cr_expect(xs_vec3_norm(xs_vec3_sub(turned, phi)) <= 4e-15, "angle %g", special[i]);
      xs_mat3 M = xs_so3_matrix(xs_so3_exp(phi));
      cr_expect(xs_vec3_norm(xs_vec3_sub(xs_mat3_mul_vec(&M, phi), phi)) <= 4e-15);
    }
}
