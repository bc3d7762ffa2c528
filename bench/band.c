/* Time of factoring a banded matrix: our own L D L^T (math/band.h) and LAPACK's dpbtrf.
 *
 *   band        measures; appends to bench/results/band.csv
 *
 * Random positive definite matrices of ROWS rows with half-bandwidths (sub-diagonals) from 5,
 * where mechanisms are, to 200. Both factor the same matrix, by turns; copying it back in between
 * is not counted. A figure is of one factor; the last column of the screen is the ratio of the
 * minima, own by LAPACK's, which decides from where on solver/global.c takes LAPACK's.
 * Neither has a variant for AVX2 of ours: the column says what methods would run as. Left out:
 * solving with the factor, and reading the rank (xs_band_read_rank), which only
 * our own factor can do. Processor time: the machine may do other things, too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "math/band.h"
#include "table.h"

static const char *const table_path = "bench/results/band.csv";

enum { ROWS = 1000, KD_MAX = 200, REPETITIONS = 21, BATCH_MAX = 40 };
static const int bandwidths[] = {5, 10, 20, 35, 50, 64, 80, 96, 128, 160, 200};
enum { N_BANDWIDTHS = sizeof bandwidths / sizeof *bandwidths };

typedef int factor(xs_band *band);

/* ---- The matrix -------------------------------------------------------------------- */

static uint64_t seed = 7;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}

/* Diagonally dominant, entries of the band in (-1, 1). */
static void fill(xs_band *band) {
  const int ld = band->kd + 1;
  memset(band->AB, 0, sizeof(double) * (size_t)ld * (size_t)band->n);
  for (int j = 0; j < band->n; j++)
    for (int i = 0; i < ld && i + j < band->n; i++)
      band->AB[i + ld * j] = i == 0 ? 2 * band->kd + 1 + uniform() : uniform();
}

/* ---- Measuring --------------------------------------------------------------------- */

static double processor_time(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one factor, over a batch of copies; negative if the matrix was refused. */
static double time_of(factor *by, const xs_band *matrix, xs_band *copy, int batch) {
  const size_t bytes = sizeof(double) * (size_t)(matrix->kd + 1) * (size_t)matrix->n;
  double sum = 0;
  for (int k = 0; k < batch; k++) {
    memcpy(copy->AB, matrix->AB, bytes);
    const double start = processor_time();
    const int failed = by(copy);
    sum += processor_time() - start;
    if (failed >= 0) return -1;
  }
  return sum / batch;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* us of one factor, of sorted seconds. */
static figure reduce(double seconds[REPETITIONS]) {
  qsort(seconds, REPETITIONS, sizeof(double), compare);
  return (figure){1e6 * seconds[0], 1e6 * seconds[REPETITIONS / 2]};
}

static xs_status measure(xs_band *matrix, xs_band *copy, FILE *table, xs_report *report) {
  factor *const by[2] = {xs_band_factor, xs_band_factor_lapack};
  static const char *const names[2] = {"own", "dpbtrf"};
  static double seconds[2][REPETITIONS];
  const int batch = BATCH_MAX / matrix->kd + 1;
  fill(matrix);
  for (int r = -1; r < REPETITIONS; r++)
    for (int f = 0; f < 2; f++) {
      const double time = time_of(by[f], matrix, copy, batch);
      if (time < 0)
        return xs_report_error(report, XS_INTERNAL, NULL,
                               "%s refused a matrix of half-bandwidth %d", names[f], matrix->kd);
      if (r >= 0) seconds[f][r] = time; /* the first warms up */
    }

  figure figures[2];
  for (int f = 0; f < 2; f++) {
    char name[64];
    figures[f] = reduce(seconds[f]);
    snprintf(name, sizeof name, "%d rows half-bandwidth %d %s", ROWS, matrix->kd, names[f]);
    bench_table_row(table, name, figures[f], 0);
  }
  printf("%56s %17.2f of dpbtrf's minimum\n", "", figures[0].min / figures[1].min);
  return XS_OK;
}

static xs_status measure_all(FILE *table, xs_report *report) {
  const size_t size = (size_t)(KD_MAX + 1) * ROWS;
  xs_band matrix = {.n = ROWS, .AB = malloc(size * sizeof(double))};
  xs_band copy = {.n = ROWS, .AB = malloc(size * sizeof(double))};
  xs_status status = XS_OK;
  if (!matrix.AB || !copy.AB) status = xs_report_error(report, XS_INTERNAL, NULL, "out of memory");

  bench_table_heading("us");
  for (int i = 0; i < N_BANDWIDTHS && status == XS_OK; i++) {
    matrix.kd = copy.kd = bandwidths[i];
    status = measure(&matrix, &copy, table, report);
  }
  free(matrix.AB);
  free(copy.AB);
  return status;
}

int main(int argc, char **argv) {
  static xs_report report;
  if (argc > 1) {
    fprintf(stderr, "usage: %s, without arguments\n", argv[0]);
    return XS_USAGE;
  }
  FILE *table = bench_table_open(table_path, &report);
  xs_status status = table ? measure_all(table, &report) : XS_IO;
  if (table) {
    const int written = !ferror(table);
    if ((fclose(table) != 0 || !written) && status == XS_OK)
      status =
          xs_report_error(&report, XS_IO, &(xs_place){.file = table_path}, "cannot be written");
  }
  xs_report_print(&report, stderr, XS_REPORT_AS_TEXT, 0);
  return (int)status;
}
