/* The native factor of a band: the bits of the plain one, and LAPACK's solutions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/band_native.h"

enum { N_MAX = 120, BLOCKS_MAX = 24 };

static uint64_t seed = 11;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

/* Blocks of rows that couple with the next `neighbours` blocks; but of the first ones, `legs`, each
 * with one block only, the first leg with the last block. */
typedef struct pattern {
  int n_blocks, rows[BLOCKS_MAX], neighbours, legs;
} pattern;

/* Rods of every order and quadrature, of joints' 1 to 6 rows before, in and after them, and
 * blocks that reach farther. */
static const pattern patterns[] = {
    {8, {6, 6, 6, 6, 6, 6, 6, 6}, 1, 0},
    {1, {6}, 1, 0},
    {2, {5, 1}, 1, 0},
    {7, {6, 12, 12, 12, 12, 12, 6}, 1, 0},
    {6, {5, 18, 18, 18, 18, 5}, 1, 0},
    {5, {24, 24, 24, 24, 3}, 1, 0},
    {8, {6, 6, 5, 12, 12, 1, 18, 6}, 2, 0},
    {9, {6, 6, 6, 6, 6, 6, 6, 6, 6}, 3, 0},
    {6, {18, 6, 18, 6, 18, 6}, 2, 0},
    {8, {12, 12, 12, 12, 6, 6, 6, 6}, 3, 4},
    {9, {12, 12, 12, 12, 6, 6, 5, 6, 6}, 4, 4},
    {7, {12, 12, 12, 6, 6, 6, 12}, 2, 3},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct matrices {
  xs_arena arena;
  xs_band_native native;
  xs_band band, plain, lapack;
  double AB[3][N_MAX * N_MAX];
} matrices;

/* The same random, diagonally dominant matrix three times. */
static void fill(const pattern *blocks, matrices *m) {
  int start[BLOCKS_MAX + 1] = {0}, low[BLOCKS_MAX], end[BLOCKS_MAX], kd = 0;
  for (int b = 0; b < blocks->n_blocks; b++) start[b + 1] = start[b] + blocks->rows[b];
  for (int b = 0; b < blocks->n_blocks; b++) {
    const int last = b + blocks->neighbours;
    low[b] = start[b + 1];
    end[b] = start[(last < blocks->n_blocks ? last : blocks->n_blocks - 1) + 1];
    if (b < blocks->legs) {
      low[b] = start[blocks->n_blocks - 1 - b];
      end[b] = start[blocks->n_blocks - b];
    }
    if (end[b] - 1 - start[b] > kd) kd = end[b] - 1 - start[b];
  }
  const int n = start[blocks->n_blocks];
  memset(m->AB, 0, sizeof m->AB);
  cr_assert_leq(n, N_MAX);
  for (int b = 0; b < blocks->n_blocks; b++)
    for (int j = start[b]; j < start[b + 1]; j++)
      for (int i = j; i < end[b]; i++)
        if (i < start[b + 1] || i >= low[b]) m->AB[0][i + kd * j] = i == j ? 2 * kd + 1 : uniform();
  memcpy(m->AB[1], m->AB[0], sizeof m->AB[0]);
  memcpy(m->AB[2], m->AB[0], sizeof m->AB[0]);
  m->band = (xs_band){.n = n, .kd = kd, .AB = m->AB[0]};
  m->plain = (xs_band){.n = n, .kd = kd, .AB = m->AB[1]};
  m->lapack = (xs_band){.n = n, .kd = kd, .AB = m->AB[2]};
  cr_assert_eq(xs_band_fill(blocks->n_blocks, start, low, end), blocks->legs > 0);
  cr_assert(xs_band_native_create(blocks->n_blocks, start, low, end, &m->arena, &m->native));
}

Test(band_native, the_factor_is_the_plain_one_bit_for_bit) {
  for (int p = 0; p < N_PATTERNS; p++) {
    static matrices m;
    fill(&patterns[p], &m);
    cr_assert_eq(xs_band_native_factor(&m.native, &m.band), -1);
    cr_assert_eq(xs_band_factor(&m.plain), -1);
    for (int j = 0; j < m.band.n; j++)
      for (int i = j; i < m.band.n && i - j <= m.band.kd; i++)
        cr_expect_eq(m.AB[0][i + m.band.kd * j], m.AB[1][i + m.band.kd * j],
                     "pattern %d, row %d, column %d", p, i, j);
    xs_arena_free(&m.arena);
  }
}

/* A leg's fill is its own joint's rows, and a gap before them. */
Test(band_native, fill_of_legs) {
  int start[] = {0, 12, 24, 30, 36}, low[] = {30, 24, 30, 36}, high[] = {36, 30, 36, 36};
  cr_expect(xs_band_fill(4, start, low, high));
  cr_expect_eq(low[0], 30);
  cr_expect_eq(high[0], 36);
  cr_expect_eq(low[1], 24);
  cr_expect_eq(high[1], 30);
  int low2[] = {12, 30, 36, 36}, high2[] = {30, 36, 36, 36}; /* the first passes on its last */
  (void)xs_band_fill(4, start, low2, high2);
  cr_expect_eq(low2[1], 24);
  cr_expect_eq(high2[1], 36);
}

Test(band_native, solutions_are_lapacks) {
  for (int p = 0; p < N_PATTERNS; p++) {
    static matrices m;
    double x[N_MAX], y[N_MAX], size = 0;
    fill(&patterns[p], &m);
    for (int i = 0; i < m.band.n; i++) x[i] = y[i] = uniform();
    cr_assert_eq(xs_band_native_factor(&m.native, &m.band), -1);
    cr_assert_eq(xs_band_factor_lapack(&m.lapack), -1);
    xs_band_native_solve(&m.native, &m.band, x);
    xs_band_solve_lapack(&m.lapack, y);
    for (int i = 0; i < m.band.n; i++) size = fmax(size, fabs(y[i]));
    for (int i = 0; i < m.band.n; i++)
      cr_expect_leq(fabs(x[i] - y[i]), 1e-13 * size, "pattern %d, row %d", p, i);
    xs_arena_free(&m.arena);
  }
}

Test(band_native, says_which_row_fails) {
  for (int row = 0; row < 48; row += 7) {
    static matrices m;
    fill(&patterns[0], &m);
    m.AB[0][row + m.band.kd * row] = -1;
    cr_expect_eq(xs_band_native_factor(&m.native, &m.band), row);
    xs_arena_free(&m.arena);
  }
}
