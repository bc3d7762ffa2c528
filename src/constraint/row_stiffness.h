/* Pieces of d(G^T s)/dx that rows of joints and rods share (rows.h, xs_row_stiffness). */
#ifndef XS_CONSTRAINT_ROW_STIFFNESS_H
#define XS_CONSTRAINT_ROW_STIFFNESS_H

#include "constraint/rows.h"
#include "math/so3_second.h"

/* Adds A to the block of H (ld x ld by columns) at node i's, node k's coordinates: i_part, k_part
 * 0 for positions, 3 for rotations. */
static inline void xs_row_stiffness_add(double *H, int ld, int i, int i_part, int k, int k_part,
                                        xs_mat3 A) {
  double *to = H + 6 * i + i_part + ld * (6 * k + k_part);
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) to[r + ld * c] += A.m[r][c];
}

/* The potential a.Log(R_o^T R_j): its derivatives by body rotations of the frames j and o.
 *   g_j = Gi^T a, g_o = -Gi a,   dTheta = Gi d_j - Gi^T d_o */
typedef struct xs_row_log_stiffness {
  xs_mat3 jj, jo, oj, oo;
} xs_row_log_stiffness;

static inline xs_row_log_stiffness xs_row_stiffness_log(xs_vec3 Theta, const xs_mat3 *Gi,
                                                        xs_vec3 a) {
  xs_mat3 D, DT;
  xs_so3_dgamma_inv(Theta, a, &D, &DT);
  return (xs_row_log_stiffness){.jj = xs_mat3_mul(DT, *Gi),
                                .jo = xs_mat3_scale(-1, xs_mat3_mult(DT, *Gi)),
                                .oj = xs_mat3_scale(-1, xs_mat3_mul(D, *Gi)),
                                .oo = xs_mat3_mult(D, *Gi)};
}

#endif
