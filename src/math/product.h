/* Products of matrices with six rows a block, A += G W^T, in tiles that stay in registers.
 *
 *   A    na x nb, or its lower triangle; by columns with leading dimension ld
 *   G    na x n, W  nb x n; by columns with leading dimensions ldg, ldw
 *
 * A tile is 6 x 3: while the n columns of G and W pass, its entries take their terms in the
 * order of the columns. Global solves' matrices are made of such products, and the native
 * factor of a band (band_native.c) takes them off. */
#ifndef XS_MATH_PRODUCT_H
#define XS_MATH_PRODUCT_H

#include "base/unroll.h"
#include "math/lanes.h"

enum { XS_PRODUCT_ROWS = 6, XS_PRODUCT_COLUMNS = 3 };

/* What is known to be zero in G and W: nothing, or of every six by six the lower left three by
 * three (a rod's bending does not depend on positions). */
typedef enum xs_product_zeros { XS_PRODUCT_FULL, XS_PRODUCT_LOWER_LEFT } xs_product_zeros;

/* One tile, of a six's left or right columns. below < 0: all of it; else column j is written from
 * row below + j on. Inlined with zeros and right constant. */
XS_INLINE void xs_product_tile(double *A, int ld, int below, xs_product_zeros zeros, int right,
                               int n, const double *G, int ldg, const double *W, int ldw) {
  xs_lanes4 upper[XS_PRODUCT_COLUMNS]; /* rows 0 to 3 */
  xs_lanes2 lower[XS_PRODUCT_COLUMNS]; /* rows 4 and 5 */
  XS_UNROLL
  for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
    upper[j] = XS_CONST_LANES4(A + ld * j);
    lower[j] = XS_CONST_LANES2(A + ld * j + 4);
  }
  for (int six = 0; six < n; six += 6) {
    XS_UNROLL
    for (int c = 0; c < 6; c++, G += ldg, W += ldw) {
      const int half_zero = zeros == XS_PRODUCT_LOWER_LEFT && c < 3;
      if (half_zero && right) continue;
      XS_UNROLL
      for (int j = 0; j < XS_PRODUCT_COLUMNS; j++) {
        upper[j] += XS_CONST_LANES4(G) * W[j];
        if (!half_zero) lower[j] += XS_CONST_LANES2(G + 4) * W[j];
      }
    }
  }

  if (below < 0) {
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
      if (i >= below + j) A[ld * j + i] = column[i];
  }
}

/* na, nb and n are multiples of six. itself: A's lower triangle only, na = nb. What is above it is
 * read, not written: in a band there are other entries. */
XS_INLINE void xs_product_add_tiles(double *A, int ld, int itself, xs_product_zeros zeros, int n,
                                    int na, const double *G, int ldg, int nb, const double *W,
                                    int ldw) {
  for (int j = 0; j < nb; j += XS_PRODUCT_ROWS) {
    double *left = A + ld * j, *right = left + ld * XS_PRODUCT_COLUMNS;
    const double *Wl = W + j, *Wr = Wl + XS_PRODUCT_COLUMNS;
    int i = 0;
    if (itself) {
      xs_product_tile(left + j, ld, 0, zeros, 0, n, G + j, ldg, Wl, ldw);
      xs_product_tile(right + j, ld, XS_PRODUCT_COLUMNS, zeros, 1, n, G + j, ldg, Wr, ldw);
      i = j + XS_PRODUCT_ROWS;
    }
    for (; i < na; i += XS_PRODUCT_ROWS) {
      xs_product_tile(left + i, ld, -1, zeros, 0, n, G + i, ldg, Wl, ldw);
      xs_product_tile(right + i, ld, -1, zeros, 1, n, G + i, ldg, Wr, ldw);
    }
  }
}

/* The same for any numbers of rows, G and W without gaps; zeros: where na and nb are multiples of
 * six. */
static inline void xs_product_add(double *A, int ld, int itself, xs_product_zeros zeros, int n,
                                  int na, const double *G, int nb, const double *W) {
  if (na % XS_PRODUCT_ROWS != 0 || nb % XS_PRODUCT_ROWS != 0) {
    for (int c = 0; c < n; c++, G += na, W += nb)
      for (int j = 0; j < nb; j++)
        for (int i = itself ? j : 0; W[j] != 0 && i < na; i++) A[i + ld * j] += G[i] * W[j];
  } else if (zeros == XS_PRODUCT_LOWER_LEFT) {
    xs_product_add_tiles(A, ld, itself, XS_PRODUCT_LOWER_LEFT, n, na, G, na, nb, W, nb);
  } else {
    xs_product_add_tiles(A, ld, itself, XS_PRODUCT_FULL, n, na, G, na, nb, W, nb);
  }
}

#endif
