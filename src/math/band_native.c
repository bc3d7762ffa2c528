/* Panels of six columns on vectors of four and two lanes (band_native.h).
 *
 * A panel's square S = L_S D L_S^T is factored in scalars; then, six rows of the panel at a
 * time, X = B L_S^-T, and the rest of the matrix loses X (X D^-1)^T (product.h). The lower part
 * of the factor is X D^-1. A_ij stands at AB[i + kd j]. */
#include "math/band_native.h"

#include <float.h>

#include "math/band_column.h"
#include "math/product.h"

enum { WIDTH = XS_PRODUCT_ROWS };

static int is_fixed(const xs_band_panel *panel) {
  return panel->width == WIDTH && panel->near % WIDTH == 0 && panel->n_far % WIDTH == 0;
}

/* Rows below the square, the gap included. */
static int span(const xs_band_panel *panel) {
  return (panel->n_far > 0 ? panel->far + panel->n_far : panel->width + panel->near) - panel->width;
}

int xs_band_fill(int n_blocks, const int *start, int *low, int *high) {
  int gaps = 0;
  for (int b = 0; b < n_blocks; b++) {
    if (low[b] >= high[b]) continue;
    gaps |= low[b] > start[b + 1];

    /* The block in which the range begins. */
    int from = b + 1, to = n_blocks - 1;
    while (from < to) {
      const int middle = from + (to - from) / 2;
      if (start[middle + 1] > low[b])
        to = middle;
      else
        from = middle + 1;
    }
    const int rest = start[from + 1];
    if (high[b] <= rest) continue;
    if (low[from] >= high[from]) low[from] = rest, high[from] = rest;
    if (rest < low[from]) low[from] = rest;
    if (high[b] > high[from]) high[from] = high[b];
  }
  return gaps;
}

int xs_band_native_create(int n_blocks, const int *start, const int *low, const int *high,
                          xs_arena *arena, xs_band_native *native) {
  int n = 0, most = 0;
  for (int b = 0; b < n_blocks; b++) n += (start[b + 1] - start[b] + WIDTH - 1) / WIDTH;
  native->n_panels = 0;
  native->panel = XS_ARENA_NEW(arena, xs_band_panel, n);
  if (!native->panel) return 0;
  for (int b = 0; b < n_blocks; b++) {
    const int n_far = low[b] < high[b] ? high[b] - low[b] : 0, joined = low[b] <= start[b + 1];
    for (int first = start[b]; first < start[b + 1]; first += WIDTH) {
      const int left = start[b + 1] - first, width = left < WIDTH ? left : WIDTH;
      xs_band_panel panel = {.first = first, .width = width, .near = left - width};
      if (joined)
        panel.near += n_far;
      else
        panel.far = low[b] - first, panel.n_far = n_far;
      native->panel[native->n_panels++] = panel;
      if (panel.near + panel.n_far > most) most = panel.near + panel.n_far;
    }
  }
  native->work = XS_ARENA_NEW(arena, double, 2 * WIDTH * (size_t)most);
  return native->work != NULL;
}

/* ---- Factor ---- */

/* L_S into the square and inverse pivots. Returns -1, or the column that has no pivot. */
XS_INLINE int factor_square(double *A, int ld, double inverse[WIDTH]) {
  double S[WIDTH][WIDTH]; /* by columns, the lower triangle */
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    XS_UNROLL
    for (int i = j; i < WIDTH; i++) S[j][i] = A[i + ld * j];
  }
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    if (!(S[j][j] > 0 && S[j][j] <= DBL_MAX)) return j;
    inverse[j] = 1 / S[j][j];
    XS_UNROLL
    for (int k = j + 1; k < WIDTH; k++) {
      const double l = S[j][k] * inverse[j];
      XS_UNROLL
      for (int i = k; i < WIDTH; i++) S[k][i] -= S[j][i] * l;
      A[k + ld * j] = l;
    }
    A[j + ld * j] = S[j][j];
  }
  return -1;
}

/* Six rows below the square: X, and -X D^-1; both with leading dimension `below`. */
XS_INLINE void factor_rows(const double *square, double *rows, int ld, const double inverse[WIDTH],
                           int below, double *X, double *W) {
  xs_lanes4 upper[WIDTH];
  xs_lanes2 lower[WIDTH];
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    upper[j] = XS_CONST_LANES4(rows + ld * j);
    lower[j] = XS_CONST_LANES2(rows + ld * j + 4);
  }
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    XS_LANES4(X + below * j) = upper[j];
    XS_LANES2(X + below * j + 4) = lower[j];
    XS_UNROLL
    for (int k = j + 1; k < WIDTH; k++) {
      upper[k] -= upper[j] * square[k + ld * j];
      lower[k] -= lower[j] * square[k + ld * j];
    }
    upper[j] *= inverse[j];
    lower[j] *= inverse[j];
    XS_LANES4(rows + ld * j) = upper[j];
    XS_LANES2(rows + ld * j + 4) = lower[j];
    XS_LANES4(W + below * j) = -upper[j];
    XS_LANES2(W + below * j + 4) = -lower[j];
  }
}

/* target's tiles lose X W^T, with n_rows of X from row i and n_columns of W from row j on. */
XS_INLINE void update(double *target, int ld, int itself, int below, const double *X, int n_rows,
                      const double *W, int n_columns) {
  xs_product_add_tiles(target, ld, itself, XS_PRODUCT_FULL, WIDTH, n_rows, X, below, n_columns, W,
                       below);
}

static int factor_fixed(const xs_band_panel *panel, double *A, int kd, double *work) {
  const int near = panel->near, far = panel->far, n_far = panel->n_far, below = near + n_far;
  double inverse[WIDTH], *X = work, *W = work + WIDTH * below;
  const int failed = factor_square(A, kd, inverse);
  if (failed >= 0) return panel->first + failed;
  for (int i = 0; i < near; i += WIDTH)
    factor_rows(A, A + WIDTH + i, kd, inverse, below, X + i, W + i);
  for (int i = 0; i < n_far; i += WIDTH)
    factor_rows(A, A + far + i, kd, inverse, below, X + near + i, W + near + i);
  double *column = A + kd * WIDTH;
  update(column + WIDTH, kd, 1, below, X, near, W, near);
  if (n_far == 0) return -1;
  update(column + far, kd, 0, below, X + near, n_far, W, near);
  update(A + far + kd * far, kd, 1, below, X + near, n_far, W + near, n_far);
  return -1;
}

static int factor_any(const xs_band_panel *panel, double *A, int kd) {
  for (int j = 0; j < panel->width; j++) {
    double *column = A + (kd + 1) * j;
    if (!(column[0] > 0 && column[0] <= DBL_MAX)) return panel->first + j;
    xs_band_column_eliminate(column, kd, panel->width - 1 - j + span(panel));
  }
  return -1;
}

int xs_band_native_factor(const xs_band_native *native, xs_band *band) {
  int failed = -1;
  for (int p = 0; p < native->n_panels && failed < 0; p++) {
    const xs_band_panel *panel = &native->panel[p];
    double *A = band->AB + (long)(band->kd + 1) * panel->first;
    failed = is_fixed(panel) ? factor_fixed(panel, A, band->kd, native->work)
                             : factor_any(panel, A, band->kd);
  }
  return failed;
}

/* ---- Solve ---- */

/* b <- b - A y for rows from <= i < to below the square. */
XS_INLINE void forward_rows(const double *A, int ld, int from, int to, const double y[WIDTH],
                            double *b) {
  for (int i = from; i < to; i += WIDTH) {
    xs_lanes4 upper = XS_CONST_LANES4(b + i);
    xs_lanes2 lower = XS_CONST_LANES2(b + i + 4);
    XS_UNROLL
    for (int j = 0; j < WIDTH; j++) {
      upper -= XS_CONST_LANES4(A + i + ld * j) * y[j];
      lower -= XS_CONST_LANES2(A + i + ld * j + 4) * y[j];
    }
    XS_LANES4(b + i) = upper;
    XS_LANES2(b + i + 4) = lower;
  }
}

/* L y = b of a panel: its square, then what is below. */
XS_INLINE void forward_fixed(const xs_band_panel *panel, const double *A, int ld, double *b) {
  double y[WIDTH];
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) y[j] = b[j];
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    XS_UNROLL
    for (int k = j + 1; k < WIDTH; k++) y[k] -= A[k + ld * j] * y[j];
    b[j] = y[j];
  }
  forward_rows(A, ld, WIDTH, WIDTH + panel->near, y, b);
  forward_rows(A, ld, panel->far, panel->far + panel->n_far, y, b);
}

/* Sums of A^T x over rows from <= i < to below the square, by lanes. */
XS_INLINE void backward_rows(const double *A, int ld, int from, int to, const double *b,
                             xs_lanes4 upper[WIDTH], xs_lanes2 lower[WIDTH]) {
  for (int i = from; i < to; i += WIDTH) {
    const xs_lanes4 xu = XS_CONST_LANES4(b + i);
    const xs_lanes2 xl = XS_CONST_LANES2(b + i + 4);
    XS_UNROLL
    for (int j = 0; j < WIDTH; j++) {
      upper[j] += XS_CONST_LANES4(A + i + ld * j) * xu;
      lower[j] += XS_CONST_LANES2(A + i + ld * j + 4) * xl;
    }
  }
}

/* D L^T x = y of a panel: products with what is below by lanes, then lanes, then its square. */
XS_INLINE void backward_fixed(const xs_band_panel *panel, const double *A, int ld, double *b) {
  xs_lanes4 upper[WIDTH] = {{0}};
  xs_lanes2 lower[WIDTH] = {{0}};
  backward_rows(A, ld, WIDTH, WIDTH + panel->near, b, upper, lower);
  backward_rows(A, ld, panel->far, panel->far + panel->n_far, b, upper, lower);
  double x[WIDTH];
  XS_UNROLL
  for (int j = 0; j < WIDTH; j++) {
    const xs_lanes4 u = upper[j];
    const double sum = ((u[0] + u[2]) + (u[1] + u[3])) + (lower[j][0] + lower[j][1]);
    x[j] = b[j] / A[j + ld * j] - sum;
  }
  XS_UNROLL
  for (int k = WIDTH - 1; k >= 0; k--) {
    XS_UNROLL
    for (int j = 0; j < k; j++) x[j] -= A[k + ld * j] * x[k];
    b[k] = x[k];
  }
}

static void forward_any(const xs_band_panel *panel, const double *A, int kd, double *b) {
  for (int j = 0; j < panel->width; j++)
    xs_band_column_forward(A + (kd + 1) * j, panel->width - 1 - j + span(panel), b + j);
}

static void backward_any(const xs_band_panel *panel, const double *A, int kd, double *b) {
  for (int j = panel->width - 1; j >= 0; j--)
    xs_band_column_backward(A + (kd + 1) * j, panel->width - 1 - j + span(panel), b + j);
}

void xs_band_native_solve(const xs_band_native *native, const xs_band *band, double *b) {
  const int kd = band->kd;
  for (int p = 0; p < native->n_panels; p++) {
    const xs_band_panel *panel = &native->panel[p];
    const double *A = band->AB + (long)(kd + 1) * panel->first;
    if (is_fixed(panel))
      forward_fixed(panel, A, kd, b + panel->first);
    else
      forward_any(panel, A, kd, b + panel->first);
  }
  xs_band_native_backward(native, band, b);
}

void xs_band_native_backward(const xs_band_native *native, const xs_band *band, double *b) {
  const int kd = band->kd;
  for (int p = native->n_panels - 1; p >= 0; p--) {
    const xs_band_panel *panel = &native->panel[p];
    const double *A = band->AB + (long)(kd + 1) * panel->first;
    if (is_fixed(panel))
      backward_fixed(panel, A, kd, b + panel->first);
    else
      backward_any(panel, A, kd, b + panel->first);
  }
}
