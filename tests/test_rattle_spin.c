/* The variational flight of an orientation: its equation, what it keeps, its reverse, its end. */
#include <criterion/criterion.h>

#include "joint_sample.h"
#include "solver/rattle_spin.h"

static xs_inertia random_inertia(void) {
  const xs_vec3 moment = {1.5 + uniform(), 1.5 + uniform(), 1.5 + uniform()};
  return (xs_inertia){.moment = moment, .inv_moment = {1 / moment.x, 1 / moment.y, 1 / moment.z}};
}

/* Gamma^-1(xi) I xi = I turn */
Test(rattle_spin, solves_its_equation) {
  for (int trial = 0; trial < 2000; trial++) {
    const xs_inertia inertia = random_inertia();
    const double size = trial % 4 == 0 ? 1e-6 : trial % 4 == 1 ? 1e-3 : trial % 4 == 2 ? 0.1 : 1;
    const xs_vec3 turn = xs_vec3_scale(size, random_vec());
    xs_vec3 xi;
    cr_assert(xs_rattle_spin(&inertia, turn, &xi));
    const xs_mat3 gamma_inv = xs_so3_gamma_inv(xi);
    const xs_vec3 left = xs_mat3_mul_vec(&gamma_inv, xs_vec3_mul(inertia.moment, xi));
    const xs_vec3 off = xs_vec3_sub(left, xs_vec3_mul(inertia.moment, turn));
    cr_assert_leq(xs_vec3_norm(off), 3e-15 * size, "%g at %g", xs_vec3_norm(off), size);
  }
}

/* R I w is kept; flown back with -w'', the body is where it was. */
Test(rattle_spin, keeps_momentum_and_is_symmetric) {
  for (int trial = 0; trial < 1000; trial++) {
    const xs_inertia inertia = random_inertia();
    const xs_vec3 omega = random_vec();
    xs_vec3 xi, back;
    cr_assert(xs_rattle_spin(&inertia, omega, &xi));
    const xs_vec3 after = xs_rattle_spin_after(&inertia, xi, omega);
    const xs_mat3 R = xs_so3_matrix(xs_so3_exp(xi));
    const xs_vec3 before = xs_vec3_mul(inertia.moment, omega);
    const xs_vec3 kept = xs_mat3_mul_vec(&R, xs_vec3_mul(inertia.moment, after));
    cr_assert_leq(xs_vec3_norm(xs_vec3_sub(kept, before)), 4e-15);
    cr_assert(xs_rattle_spin(&inertia, xs_vec3_neg(after), &back));
    cr_assert_leq(xs_vec3_norm(xs_vec3_add(xi, back)), 1e-13);
  }
}

Test(rattle_spin, steady_spin_is_exact) {
  const xs_inertia inertia = random_inertia();
  for (double w = 0.01; w < 3; w += 0.1) {
    xs_vec3 xi;
    cr_assert(xs_rattle_spin(&inertia, (xs_vec3){0, w, 0}, &xi));
    cr_assert_float_eq(xi.y, w, 1e-15);
  }
}

Test(rattle_spin, refuses_more_than_three_radians) {
  const xs_inertia inertia = random_inertia();
  xs_vec3 xi;
  cr_expect(xs_rattle_spin(&inertia, (xs_vec3){0, 0, 2.99}, &xi));
  cr_expect_not(xs_rattle_spin(&inertia, (xs_vec3){0, 0, 3.01}, &xi));
  cr_expect_not(xs_rattle_spin(&inertia, (xs_vec3){0, 0, NAN}, &xi));
}
