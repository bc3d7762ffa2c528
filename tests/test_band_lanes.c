/* Forward halves side by side: H^T A^-1 H and A^-1 H l against plain solves. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/band_lanes.h"

enum { N = 40, KD = 7, FIRST = 11, LANES = XS_BAND_LANES };

static uint64_t seed = 5;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

typedef struct matrices {
  double AB[(KD + 1) * N], scale[N], Y[N * LANES], Z[N * LANES];
  unsigned char dropped[N];
  xs_band band;
} matrices;

/* A diagonally dominant band; two panels of which the second begins at row FIRST. */
static void fill(matrices *m) {
  memset(m, 0, sizeof *m);
  for (int j = 0; j < N; j++)
    for (int i = j; i < N && i - j <= KD; i++)
      m->AB[i + KD * j] = i == j ? 2 * KD + 1 + uniform() : uniform();
  for (int k = 0; k < N * LANES; k++) {
    m->Y[k] = uniform();
    if (k >= FIRST * LANES) m->Z[k] = uniform();
  }
  m->band = (xs_band){.n = N, .kd = KD, .AB = m->AB, .scale = m->scale, .dropped = m->dropped};
}

/* a's answers by whole solves against those by halves. */
static void compare(const matrices *m, int cholesky, void (*solve)(const xs_band *, double *),
                    void (*backward)(const xs_band *, double *)) {
  static double Y[N * LANES], Z[N * LANES];
  double inner[LANES * LANES], l[LANES], sum[N] = {0}, b[N];
  memcpy(Y, m->Y, sizeof Y);
  memcpy(Z, m->Z, sizeof Z);
  xs_band_lanes_forward(&m->band, cholesky, 0, Y);
  xs_band_lanes_forward(&m->band, cholesky, FIRST, Z);
  xs_band_lanes_inner(&m->band, cholesky, FIRST, Y, Z, inner);
  for (int z = 0; z < LANES; z++) {
    for (int i = 0; i < N; i++) b[i] = m->Z[i * LANES + z];
    solve(&m->band, b);
    for (int y = 0; y < LANES; y++) {
      double expected = 0;
      for (int i = 0; i < N; i++) expected += m->Y[i * LANES + y] * b[i];
      cr_expect_float_eq(inner[y * LANES + z], expected, 1e-14, "%d %d: off by %g", y, z,
                         inner[y * LANES + z] - expected);
    }
  }
  for (int z = 0; z < LANES; z++) l[z] = uniform();
  xs_band_lanes_combine(&m->band, FIRST, Z, l, sum);
  backward(&m->band, sum);
  for (int i = 0; i < N; i++) {
    b[i] = 0;
    for (int z = 0; z < LANES; z++) b[i] += m->Z[i * LANES + z] * l[z];
  }
  solve(&m->band, b);
  for (int i = 0; i < N; i++) cr_expect_float_eq(sum[i], b[i], 1e-14, "row %d", i);
}

Test(band_lanes, as_whole_solves_by_the_own_factor) {
  static matrices m;
  fill(&m);
  cr_assert_eq(xs_band_factor(&m.band), -1);
  compare(&m, 0, xs_band_solve, xs_band_backward);
}

/* The first four rows couple among themselves and with the last four within the band of row 0. */
Test(band_lanes, rows_in_a_gap_are_left_out) {
  static matrices m;
  static xs_band_reach reach[N];
  fill(&m);
  const int far = KD - 3, end = KD + 1;
  for (int j = 0; j < N; j++) {
    reach[j] = j < 4 ? (xs_band_reach){4, far, end}
                     : (xs_band_reach){j + KD + 1 < N ? j + KD + 1 : N, N, N};
    for (int i = 4; j < 4 && i <= j + KD; i++)
      if (i < far || i >= end) m.AB[i + KD * j] = 0;
  }
  m.band.reach = reach;
  cr_assert_eq(xs_band_factor(&m.band), -1);
  compare(&m, 0, xs_band_solve, xs_band_backward);
}

Test(band_lanes, dropped_rows_take_no_part) {
  static matrices m;
  fill(&m);
  m.dropped[3] = m.dropped[FIRST + 2] = m.dropped[N - 1] = 1;
  cr_assert_eq(xs_band_factor(&m.band), -1);
  compare(&m, 0, xs_band_solve, xs_band_backward);
}

Test(band_lanes, as_whole_solves_by_a_cholesky_factor) {
  static matrices m;
  fill(&m);
  cr_assert_eq(xs_band_factor_lapack(&m.band), -1);
  compare(&m, 1, xs_band_solve_lapack, xs_band_backward_lapack);
}
