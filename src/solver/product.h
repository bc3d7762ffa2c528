/* Products of gradients, A += G_a W_b^T, of which a global solve's matrix is made.
 *
 * Rods' blocks have six rows a Gauss point: their products are added in tiles of 6 x 3 that stay
 * in registers while the n columns of G_a and W_b pass. Each entry of A takes its terms in the
 * order of the columns. */
#ifndef XS_SOLVER_PRODUCT_H
#define XS_SOLVER_PRODUCT_H

#include "base/unroll.h"
#include "math/lanes.h"

enum { XS_PRODUCT_ROWS = 6, XS_PRODUCT_COLUMNS = 3 };

/* One tile; rows above row `from` of its first column (from + 1 of the second, ..) are left. */
XS_INLINE void xs_product_tile(double *A, int ld, int from, int n, const double *G, int na,
                               const double *W, int nb) {
  xs_lanes4 upper[XS_PRODUCT_COLUMNS];
  xs_lanes2 lower[XS_PRODUCT_COLUMNS];
  XS_UNROLL
  for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
    upper[j] = XS_CONST_LANES4(A + ld * j);
    lower[j] = XS_CONST_LANES2(A + ld * j + 4);
  }
  for (int c = 0; c < n; c++, G += na, W += nb) {
    const xs_lanes4 g = XS_CONST_LANES4(G);
    const xs_lanes2 h = XS_CONST_LANES2(G + 4);
    XS_UNROLL
    for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
      upper[j] += g * W[j];
      lower[j] += h * W[j];
    }
  }
  if (from < 0) {
    XS_UNROLL
    for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
      XS_LANES4(A + ld * j) = upper[j];
      XS_LANES2(A + ld * j + 4) = lower[j];
    }
    return;
  }
  XS_UNROLL
  for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
    double column[XS_PRODUCT_ROWS];
    XS_LANES4(column) = upper[j];
    XS_LANES2(column + 4) = lower[j];
    XS_UNROLL
    for (int i = 0; i < XS_PRODUCT_ROWS; i++)
      if (i >= from + j) A[ld * j + i] = column[i];
  }
}

XS_INLINE void xs_product_tiles(double *A, int ld, int itself, int n, int na, const double *G,
                                int nb, const double *W) {
  for (int j = 0; j < nb; j += XS_PRODUCT_ROWS) {
    int i = 0;
    if (itself) {
      xs_product_tile(A + j + ld * j, ld, 0, n, G + j, na, W + j, nb);
      xs_product_tile(A + j + ld * (j + 3), ld, 3, n, G + j, na, W + j + 3, nb);
      i = j + XS_PRODUCT_ROWS;
    }
    for (; i < na; i += XS_PRODUCT_ROWS) {
      xs_product_tile(A + i + ld * j, ld, -1, n, G + i, na, W + j, nb);
      xs_product_tile(A + i + ld * (j + 3), ld, -1, n, G + i, na, W + j + 3, nb);
    }
  }
}

/* A += G W^T for G of na rows and W of nb, both by n columns without gaps; A by columns with
 * leading dimension ld. itself: A's lower triangle only, na = nb. */
static inline void xs_product_add(double *A, int ld, int itself, int n, int na, const double *G,
                                  int nb, const double *W) {
  if (na % XS_PRODUCT_ROWS == 0 && nb % XS_PRODUCT_ROWS == 0) {
    xs_product_tiles(A, ld, itself, n, na, G, nb, W);
    return;
  }
  for (int c = 0; c < n; c++, G += na, W += nb)
    for (int j = 0; j < nb; j++)
      for (int i = itself ? j : 0; W[j] != 0 && i < na; i++) A[i + ld * j] += G[i] * W[j];
}

#endif
