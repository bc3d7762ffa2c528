/* The free flight of an orientation over a step, variational and symmetric.
 *
 * With the body's angular velocity w' in the middle of the step the rotation vector xi of
 * R_{n+1} = R_n Exp(xi) solves
 *   Gamma^-1(xi) I xi = h I w',   Gamma^-1(xi) y = y + xi x y/2 + E(|xi|) xi x (xi x y),
 * and afterwards w'' = I^-1 Exp(xi)^T I w': the momentum R I w is kept to round-off, whatever is
 * left of xi's equation, and a steady spin is exact. Newton's method from h w' with
 *   J = I + (hat(xi) I - hat(I xi))/2
 *         + E (hat(xi)^2 I + (xi . I xi) 1 + xi (I xi)^T - 2 (I xi) xi^T),
 * in which the derivative of E, of the order |xi|^4/360 beside the rest, is left out. */
#ifndef XS_SOLVER_RATTLE_SPIN_H
#define XS_SOLVER_RATTLE_SPIN_H

#include "math/so3.h"
#include "solver/inertial.h"

/* Largest |xi|, rad: beyond it the equation has no solution close to h w'. */
#define XS_RATTLE_SPIN_MAX 3.0

enum { XS_RATTLE_SPIN_NEWTON_MAX = 20 };

/* J at xi; y = I xi. */
static inline xs_mat3 xs_rattle_spin_jacobian(xs_vec3 moment, xs_vec3 xi, xs_vec3 y, double E) {
  const double size2 = xs_vec3_norm2(xi), along = xs_vec3_dot(xi, y);
  const double x[3] = {xi.x, xi.y, xi.z}, Y[3] = {y.x, y.y, y.z},
               I[3] = {moment.x, moment.y, moment.z};
  xs_mat3 J;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      J.m[i][j] = E * (x[i] * x[j] * I[j] + x[i] * Y[j] - 2 * Y[i] * x[j]);
  for (int i = 0; i < 3; i++) J.m[i][i] += I[i] + E * (along - size2 * I[i]);
  /* (hat(xi) I - hat(I xi))/2 */
  J.m[0][1] += 0.5 * (y.z - xi.z * moment.y), J.m[1][0] += 0.5 * (xi.z * moment.x - y.z);
  J.m[0][2] += 0.5 * (xi.y * moment.z - y.y), J.m[2][0] += 0.5 * (y.y - xi.y * moment.x);
  J.m[1][2] += 0.5 * (y.x - xi.x * moment.z), J.m[2][1] += 0.5 * (xi.x * moment.y - y.x);
  return J;
}

/* xi of the flight with turn = h w'; 0 if there is none below XS_RATTLE_SPIN_MAX. */
static inline int xs_rattle_spin(const xs_inertia *inertia, xs_vec3 turn, xs_vec3 *result) {
  const double max2 = XS_RATTLE_SPIN_MAX * XS_RATTLE_SPIN_MAX;
  const xs_vec3 momentum = xs_vec3_mul(inertia->moment, turn);
  xs_vec3 xi = turn;
  *result = turn;
  for (int k = 0; k < XS_RATTLE_SPIN_NEWTON_MAX; k++) {
    const double size2 = xs_vec3_norm2(xi);
    if (!(size2 <= max2)) return 0;
    const double E = xs_so3_coef_E(size2);
    const xs_vec3 y = xs_vec3_mul(inertia->moment, xi), cross = xs_vec3_cross(xi, y);
    xs_vec3 left = xs_vec3_sub(momentum, y);
    left = xs_vec3_add_scaled(left, -0.5, cross);
    left = xs_vec3_add_scaled(left, -E, xs_vec3_cross(xi, cross));
    const xs_mat3 J = xs_rattle_spin_jacobian(inertia->moment, xi, y, E);
    const xs_vec3 d = xs_inertial_solve3(&J, left);
    xi = xs_vec3_add(xi, d);
    *result = xi;
    /* What a step leaves: quadratic in it, and what J leaves out. */
    const double d2 = xs_vec3_norm2(d), rest = size2 * size2 / 50;
    if (d2 * (d2 + rest * rest) <= 1e-32 * size2) return xs_vec3_norm2(xi) <= max2;
  }
  return 0;
}

/* w'' after the flight. */
static inline xs_vec3 xs_rattle_spin_after(const xs_inertia *inertia, xs_vec3 xi, xs_vec3 omega) {
  const xs_mat3 turned = xs_so3_matrix(xs_so3_exp(xi));
  const xs_vec3 momentum = xs_vec3_mul(inertia->moment, omega);
  return xs_vec3_mul(inertia->inv_moment, xs_mat3_tmul_vec(&turned, momentum));
}

#endif
