/* Rows of one Gauss point, C = [v - e3; u - u*], and their place in a block.
 *
 * A kind writes six rows and their 6 x 6 gradients by node; D denotes the derivative by a
 * body rotation of the node, R(xi) <- R(xi) Exp(X d):
 *   [ dv/dp   Dv ]   [ c R^T   hat(v) X ]
 *   [ du/dp   Du ] = [ 0       Y        ],     c = phi'/l
 * When fewer rows than the block's are asked for, its points are written to a buffer and the
 * rows are copied: same operations, same bits. Rows of zero stiffness are cleared last. */
#ifndef XS_CONSTRAINT_ROD_ROWS_H
#define XS_CONSTRAINT_ROD_ROWS_H

#include <string.h>

#include "base/unroll.h"
#include "constraint/rod.h"

/* Six rows of C, and of G with leading dimension ld; column of node k: G + (6 k + column) ld. */
typedef struct xs_rod_rows {
  double *C, *G;
  int ld;
} xs_rod_rows;

XS_INLINE void xs_rod_rows_strain(const xs_rod_rows *rows, xs_vec3 v, xs_vec3 u,
                                  xs_vec3 rest_bend) {
  rows->C[0] = v.x;
  rows->C[1] = v.y;
  rows->C[2] = v.z - 1;
  rows->C[3] = u.x - rest_bend.x;
  rows->C[4] = u.y - rest_bend.y;
  rows->C[5] = u.z - rest_bend.z;
}

/* Gradient by node k: position columns c S (S = R^T; a mean of two for the chain). */
XS_INLINE void xs_rod_rows_position(const xs_rod_rows *rows, int k, double c, const xs_mat3 *R) {
  XS_UNROLL
  for (int column = 0; column < 3; column++) {
    double *g = rows->G + (6 * k + column) * rows->ld;
    g[0] = c * R->m[column][0];
    g[1] = c * R->m[column][1];
    g[2] = c * R->m[column][2];
    g[3] = g[4] = g[5] = 0;
  }
}

/* Rotation columns [V; Y]. */
XS_INLINE void xs_rod_rows_rotation(const xs_rod_rows *rows, int k, const xs_mat3 *V,
                                    const xs_mat3 *Y) {
  XS_UNROLL
  for (int column = 0; column < 3; column++) {
    double *g = rows->G + (6 * k + 3 + column) * rows->ld;
    g[0] = V->m[0][column];
    g[1] = V->m[1][column];
    g[2] = V->m[2][column];
    g[3] = Y->m[0][column];
    g[4] = Y->m[1][column];
    g[5] = Y->m[2][column];
  }
}

/* hat(v) X */
XS_INLINE xs_mat3 xs_rod_rows_cross(xs_vec3 v, const xs_mat3 *X) {
  xs_mat3 V;
  XS_UNROLL
  for (int c = 0; c < 3; c++) {
    V.m[0][c] = v.y * X->m[2][c] - v.z * X->m[1][c];
    V.m[1][c] = v.z * X->m[0][c] - v.x * X->m[2][c];
    V.m[2][c] = v.x * X->m[1][c] - v.y * X->m[0][c];
  }
  return V;
}

/* Copies rows first .. first + count - 1 of the block, as far as they belong to Gauss point
 * g, from the point's rows to the caller's C and G. */
XS_INLINE void xs_rod_rows_copy(const xs_rod_rows *from, int g, int n_nodes, int first, int count,
                                double *C, double *G) {
  for (int i = 0; i < 6; i++) {
    int at = 6 * g + i - first;
    if (at < 0 || at >= count) continue;
    C[at] = from->C[i];
    for (int column = 0; column < 6 * n_nodes; column++)
      G[column * count + at] = from->G[column * from->ld + i];
  }
}

/* C = 0, G = 0 in rows of zero stiffness. */
XS_INLINE void xs_rod_rows_leave_out(const xs_rod *rod, int n_nodes, int first, int count,
                                     double *C, double *G) {
  const double K[6] = {rod->K_shear.x, rod->K_shear.y, rod->K_shear.z,
                       rod->K_bend.x,  rod->K_bend.y,  rod->K_bend.z};
  int stiff = 1;
  XS_UNROLL
  for (int i = 0; i < 6; i++) stiff &= K[i] != 0;
  if (__builtin_expect(stiff, 1)) return;
  for (int r = 0; r < count; r++) {
    if (K[(first + r) % 6] != 0) continue;
    C[r] = 0;
    for (int column = 0; column < 6 * n_nodes; column++) G[column * count + r] = 0;
  }
}

#endif
