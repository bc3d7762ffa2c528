/* L D L^T of a band, block by block, of our own: no library, the same bits on every x86-64.
 *
 * The matrix is given as blocks of rows, and where the factor has entries below each of them
 * (xs_band_fill). Its columns are taken in panels of up to six of a block; below a panel are the
 * rest of its block, and one range of rows further down: legs on a body have a gap between the two.
 * Panels of six columns over multiples of six rows, as rods have, run on vectors of fixed size;
 * others, by joints of fewer rows, column by column as xs_band_factor. Every entry takes the same
 * operations in the same order as there, so the factors agree bit for bit; no row can be dropped.
 */
#ifndef XS_MATH_BAND_NATIVE_H
#define XS_MATH_BAND_NATIVE_H

#include "base/arena.h"
#include "math/band.h"

typedef struct xs_band_panel {
  int first, width; /* columns */
  int near;         /* rows next to the panel's square, */
  int far, n_far;   /* rows from `far` on (counted from the panel's first), how many */
} xs_band_panel;

typedef struct xs_band_native {
  int n_panels;
  xs_band_panel *panel;
  double *work; /* 12 times the most rows below a panel */
} xs_band_native;

/* On entry: block b is rows start[b] .. start[b + 1] - 1 and couples with some of the later rows
 * low[b] .. high[b] - 1 (low >= high: with none). On return the factor's columns have entries in no
 * other rows: eliminating a block couples all that it couples with, which the first of them passes
 * on (George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 5). Returns
 * whether some block's rows do not follow it at once. */
int xs_band_fill(int n_blocks, const int *start, int *low, int *high);

/* Panels of these blocks. Returns 0 without memory. */
int xs_band_native_create(int n_blocks, const int *start, const int *low, const int *high,
                          xs_arena *arena, xs_band_native *native);

/* Factors in place; the result is as xs_band_factor's. Returns -1, or the first row whose pivot
 * is not positive (not finite included). */
int xs_band_native_factor(const xs_band_native *native, xs_band *band);

/* x <- A^-1 b by the factor; and the second half of that alone, D L^T x = b. */
void xs_band_native_solve(const xs_band_native *native, const xs_band *band, double *b);
void xs_band_native_backward(const xs_band_native *native, const xs_band *band, double *b);

#endif
