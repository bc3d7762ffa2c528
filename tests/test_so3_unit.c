/* The short logarithm of unit quaternions against the general one, over all angles. */
#include <criterion/criterion.h>

#include "math/so3_unit.h"

static double difference(xs_mat3 A, xs_mat3 B) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(A.m[i][j] - B.m[i][j]));
  return worst;
}

Test(so3_unit, agrees_with_the_general_logarithm) {
  const xs_vec3 axis = {2.0 / 7, -3.0 / 7, 6.0 / 7};
  for (int i = 0; i <= 40000; i++) {
    double t = XS_PI * i / 40000;
    xs_quat q = xs_so3_exp(xs_vec3_scale(t, axis));
    xs_mat3 gamma_inv;
    xs_vec3 phi = xs_so3_unit_log(q, &gamma_inv), want = xs_so3_log(q);
    cr_assert_leq(xs_vec3_norm(xs_vec3_sub(phi, want)), 1.5e-15 * t, "t = %.17g", t);
    cr_assert_leq(difference(gamma_inv, xs_so3_gamma_inv(want)), 4e-15, "t = %.17g", t);
  }
}

Test(so3_unit, small_angles_keep_their_digits) {
  for (double t = 1; t > 1e-300; t *= 0.1) {
    xs_mat3 gamma_inv;
    xs_vec3 phi = xs_so3_unit_log(xs_so3_exp((xs_vec3){0, t, 0}), &gamma_inv);
    cr_assert_leq(fabs(phi.y - t), 5e-16 * t, "t = %g", t);
    cr_assert(phi.x == 0 && phi.z == 0);
  }
}

Test(so3_unit, either_sign_of_q_is_the_same_rotation) {
  xs_quat q = xs_so3_exp((xs_vec3){0.3, -1.1, 2.0});
  xs_mat3 A, B;
  xs_vec3 a = xs_so3_unit_log(q, &A);
  xs_vec3 b = xs_so3_unit_log((xs_quat){-q.w, -q.x, -q.y, -q.z}, &B);
  cr_assert_eq(xs_vec3_norm(xs_vec3_sub(a, b)), 0);
  cr_assert_eq(difference(A, B), 0);
}
