/* Loops of a pool that hand plain numbers to each other, for ThreadSanitizer
 * (tests/long/test_threads.py): each takes what the one before has written for an index and its
 * neighbours, which other threads have done, and pauses in between let threads fall asleep. Exit
 * status 1 if the outcome is not that of one thread. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/pool.h"

enum { N = 1000, LOOPS = 2000 };

typedef struct waves {
  const double *from;
  double *to;
} waves;

static void step(void *waves_, int begin, int end) {
  const waves *w = waves_;
  for (int i = begin; i < end; i++)
    w->to[i] = 0.25 * w->from[(i + N - 1) % N] + 0.5 * w->from[i] + 0.25 * w->from[(i + 1) % N];
}

static void run(xs_pool *pool, double *outcome) {
  double numbers[2][N] = {{0}};
  const struct timespec pause = {.tv_nsec = 2000000};
  for (int i = 0; i < N; i++) numbers[0][i] = (double)(i * 7919 % N);
  for (int loop = 0; loop < LOOPS; loop++) {
    waves w = {numbers[loop % 2], numbers[(loop + 1) % 2]};
    xs_pool_run(pool, N, 1 + loop % 90, step, &w);
    if (loop % 100 == 99) nanosleep(&pause, NULL);
  }
  memcpy(outcome, numbers[LOOPS % 2], sizeof numbers[0]);
}

int main(void) {
  static const int threads[] = {2, 3, 8};
  double wanted[N], outcome[N];
  run(NULL, wanted);
  for (int t = 0; t < 3; t++) {
    xs_pool *pool = xs_pool_create(threads[t]);
    if (!pool) return 2;
    run(pool, outcome);
    xs_pool_destroy(pool);
    if (memcmp(outcome, wanted, sizeof wanted) == 0) continue;
    (void)fprintf(stderr, "pool_waves: %d threads come to other numbers\n", threads[t]);
    return 1;
  }
  return 0;
}
