/* Forward halves of many solves side by side (band_lanes.h). */
#include "math/band_lanes.h"

#include "base/unroll.h"
#include "math/lanes.h"

enum { LANES = XS_BAND_LANES, HALF = LANES / 2 };

/* Rows from <= i < to lose what the row at `low`, `high` says. By address: how such vectors are
 * passed depends on the processor that is compiled for, which clang refuses. */
static inline void take_off(const double *column, int from, int to, const xs_lanes4 *low,
                            const xs_lanes4 *high, double *z) {
  for (int i = from; i < to; i++) {
    XS_LANES4(z + (long)LANES * i) -= column[i] * *low;
    XS_LANES4(z + (long)LANES * i + HALF) -= column[i] * *high;
  }
}

static inline int all_zero(const xs_lanes4 *low, const xs_lanes4 *high) {
  for (int k = 0; k < HALF; k++)
    if ((*low)[k] != 0 || (*high)[k] != 0) return 0;
  return 1;
}

void xs_band_lanes_forward(const xs_band *band, int cholesky, int first, double *Z) {
  const int kd = band->kd;
  for (int j = first; j < band->n; j++) {
    const double *column = band->AB + (long)(kd + 1) * j;
    const int below = band->n - 1 - j < kd ? band->n - 1 - j : kd;
    double *z = Z + (long)LANES * j;
    xs_lanes4 low = XS_CONST_LANES4(z), high = XS_CONST_LANES4(z + HALF);
    if (column[0] == 0) /* dropped */
      low = high = (xs_lanes4){0};
    else if (cholesky)
      low /= column[0], high /= column[0];
    XS_LANES4(z) = low;
    XS_LANES4(z + HALF) = high;
    if (!band->reach) {
      take_off(column, 1, 1 + below, &low, &high, z);
      continue;
    }
    const xs_band_reach *reach = band->reach + j;
    if (all_zero(&low, &high)) continue; /* a leg that the panel does not touch */
    take_off(column, 1, reach->near - j, &low, &high, z);
    take_off(column, reach->far - j, reach->end - j, &low, &high, z);
  }
}

void xs_band_lanes_inner(const xs_band *band, int cholesky, int first, const double *Y,
                         const double *Z, double *target) {
  /* Four rows of the target at a time stay in registers. */
  for (int half = 0; half < LANES; half += HALF) {
    xs_lanes4 low[HALF] = {{0}}, high[HALF] = {{0}};
    for (int j = first; j < band->n; j++) {
      const double pivot = band->AB[(long)(band->kd + 1) * j];
      const double weight = cholesky ? 1 : pivot == 0 ? 0 : 1 / pivot;
      const double *y = Y + (long)LANES * j + half, *z = Z + (long)LANES * j;
      const xs_lanes4 z_low = weight * XS_CONST_LANES4(z);
      const xs_lanes4 z_high = weight * XS_CONST_LANES4(z + HALF);
      XS_UNROLL
      for (int k = 0; k < HALF; k++) {
        low[k] += y[k] * z_low;
        high[k] += y[k] * z_high;
      }
    }
    XS_UNROLL
    for (int k = 0; k < HALF; k++) {
      XS_LANES4(target + LANES * (half + k)) = low[k];
      XS_LANES4(target + LANES * (half + k) + HALF) = high[k];
    }
  }
}

void xs_band_lanes_combine(const xs_band *band, int first, const double *Z, const double *l,
                           double *sum) {
  const xs_lanes4 l_low = XS_CONST_LANES4(l), l_high = XS_CONST_LANES4(l + HALF);
  for (int j = first; j < band->n; j++) {
    const double *z = Z + (long)LANES * j;
    const xs_lanes4 part = XS_CONST_LANES4(z) * l_low + XS_CONST_LANES4(z + HALF) * l_high;
    sum[j] += (part[0] + part[2]) + (part[1] + part[3]);
  }
}
