/* The rotation R(xi) inside an element, and how it turns with the element's nodes.
 *
 *   R(xi) = R_ref Exp(theta),  theta = sum phi_j Theta_j          (Theta_j: rod_rotation.h)
 *   X_j: R(xi) <- R(xi) Exp(X_j d_j) when R_j <- R_j Exp(d_j), to first order
 *   X_j = phi_j Gamma(theta) Gamma^-1(Theta_j),   X_ref = Exp(theta)^T - sum phi_j Gamma Gamma_j^-T
 * The same X_j as in rod_element.c, at any xi and without the strains; chains count as linear
 * elements. */
#ifndef XS_CONSTRAINT_ROD_TURN_H
#define XS_CONSTRAINT_ROD_TURN_H

#include "constraint/rod_rotation.h"

typedef struct xs_rod_turn {
  xs_mat3 R; /* R(xi) */
  xs_mat3 X[XS_ROD_ELEMENT_NODES_MAX];
} xs_rod_turn;

/* Inlined with n constant; x: poses of the element's n nodes, phi: phi_j(xi). */
XS_INLINE void xs_rod_turn_of(const xs_pose *x, int n, const double *phi, xs_rod_turn *turn) {
  int reference = xs_rod_reference(n);
  xs_rod_rotation rotation;
  xs_rod_rotate(x, n, &rotation);
  xs_vec3 theta = {0, 0, 0};
  XS_UNROLL
  for (int j = 0; j < n; j++)
    if (j != reference) theta = xs_vec3_add_scaled(theta, phi[j], rotation.Theta[j]);

  double t2 = xs_vec3_norm2(theta), B = xs_so3_coef_B(t2);
  xs_mat3 E = xs_so3_polynomial(theta, xs_so3_coef_A(t2), B);
  xs_mat3 Gamma = xs_so3_polynomial(theta, -B, xs_so3_coef_D(t2));
  turn->R = xs_mat3_mul(rotation.R_ref, E);

  /* Nodes, and what the reference carries along. */
  xs_mat3 S = {{{0}}}, X_ref = xs_mat3_transpose(E);
  XS_UNROLL
  for (int j = 0; j < n; j++) {
    if (j == reference) continue;
    xs_rod_add_scaled(&S, phi[j], &rotation.Gi[j]);
    turn->X[j] = xs_mat3_scale(phi[j], xs_mat3_mul(Gamma, rotation.Gi[j]));
  }
  xs_mat3 GS = xs_mat3_mult(Gamma, S);
  xs_rod_add_scaled(&X_ref, -1, &GS);
  if (reference == XS_ROD_HALF_WAY) {
    xs_vec3 half_s = xs_vec3_scale(0.5, rotation.s);
    xs_rod_add_share(&turn->X[XS_ROD_INNER_A], &X_ref, half_s, -1);
    xs_rod_add_share(&turn->X[XS_ROD_INNER_B], &X_ref, half_s, 1);
  } else {
    turn->X[reference] = X_ref;
  }
}

static inline void xs_rod_turn_at(const xs_pose *x, int n, const double *phi, xs_rod_turn *turn) {
  if (n == 2)
    xs_rod_turn_of(x, 2, phi, turn);
  else if (n == 3)
    xs_rod_turn_of(x, 3, phi, turn);
  else
    xs_rod_turn_of(x, 4, phi, turn);
}

/* R(xi) alone: what only X needs is left out by the compiler, as nothing reads it. */
static inline xs_mat3 xs_rod_turn_rotation(const xs_pose *x, int n, const double *phi) {
  xs_rod_turn turn;
  if (n == 2)
    xs_rod_turn_of(x, 2, phi, &turn);
  else if (n == 3)
    xs_rod_turn_of(x, 3, phi, &turn);
  else
    xs_rod_turn_of(x, 4, phi, &turn);
  return turn.R;
}

#endif
