/* One column of a banded L D L^T: what band.c and band_native.c share. */
#ifndef XS_MATH_BAND_COLUMN_H
#define XS_MATH_BAND_COLUMN_H

/* Divides a column by its pivot, column[0], and takes it off the columns to the right; below:
 * its entries below the pivot. */
static inline void xs_band_column_eliminate(double *column, int kd, int below) {
  const double inverse = 1 / column[0];
  for (int k = 1; k <= below; k++) {
    const double l = column[k] * inverse;
    if (l == 0) continue;
    double *target = column + (kd + 1) * k;
    for (int i = k; i <= below; i++) target[i - k] -= column[i] * l;
  }
  for (int k = 1; k <= below; k++) column[k] *= inverse;
}

/* Step of L y = b for the row b[0]. */
static inline void xs_band_column_forward(const double *column, int below, double *b) {
  const double y = b[0];
  for (int k = 1; k <= below; k++) b[k] -= column[k] * y;
}

/* Step of D L^T x = y. */
static inline void xs_band_column_backward(const double *column, int below, double *b) {
  double x = b[0] / column[0];
  for (int k = 1; k <= below; k++) x -= column[k] * b[k];
  b[0] = x;
}

#endif
