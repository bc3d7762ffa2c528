/* Every index once, by however many threads; loops one after the other. */
#include "base/pool.h"

#include <criterion/criterion.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { N = 1000 };

typedef struct counts {
  atomic_int visits[N], pieces;
} counts;

static void visit(void *counts_, int begin, int end) {
  counts *c = counts_;
  atomic_fetch_add(&c->pieces, 1);
  for (int i = begin; i < end; i++) atomic_fetch_add(&c->visits[i], 1);
}

static void expect_visits(counts *c, int n, int times) {
  for (int i = 0; i < N; i++)
    cr_expect_eq(atomic_load(&c->visits[i]), i < n ? times : 0, "index %d", i);
}

Test(pool, without_threads_one_call_does_all) {
  static counts c;
  xs_pool_run(NULL, N, 7, visit, &c);
  cr_expect_eq(atomic_load(&c.pieces), 1);
  expect_visits(&c, N, 1);
  xs_pool_destroy(NULL);
}

Test(pool, every_index_is_done_once_a_loop) {
  static const int threads[] = {2, 3, 8}, grains[] = {1, 7, 2000};
  for (int t = 0; t < 3; t++) {
    xs_pool *pool = xs_pool_create(threads[t]);
    cr_assert_not_null(pool);
    for (int g = 0; g < 3; g++) {
      static counts c;
      c = (counts){0};
      for (int loop = 0; loop < 200; loop++) xs_pool_run(pool, N - 1, grains[g], visit, &c);
      expect_visits(&c, N - 1, 200);
      cr_expect_eq(atomic_load(&c.pieces), 200 * ((N - 1 + grains[g] - 1) / grains[g]));
    }
    xs_pool_run(pool, 0, 1, visit, NULL);
    xs_pool_destroy(pool);
  }
}

static void add(void *sum, int begin, int end) {
  long long part = 0;
  for (int i = begin; i < end; i++) part += i;
  atomic_fetch_add((atomic_llong *)sum, part);
}

/* What a loop wrote is there for the next, also after threads have gone to sleep. */
Test(pool, loops_see_what_those_before_have_written) {
  xs_pool *pool = xs_pool_create(4);
  atomic_llong sum = 0;
  for (int loop = 0; loop < 1000; loop++) {
    xs_pool_run(pool, N, 10, add, &sum);
    cr_assert_eq(atomic_load(&sum), (loop + 1LL) * N * (N - 1) / 2);
  }
  xs_pool_destroy(pool);
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* More threads than processors: a loop does not wait for threads that had no turn yet, which cost
 * half a millisecond of spinning a loop and thread, and more of waiting. */
Test(pool, loops_do_not_wait_for_threads_that_never_came) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
  xs_pool *pool = xs_pool_create(8);
  atomic_llong sum = 0;
  const double start = processor_seconds();
  for (int loop = 0; loop < 1000; loop++) xs_pool_run(pool, N, 10, add, &sum);
  cr_expect_lt(processor_seconds() - start, 0.25);
  cr_expect_eq(atomic_load(&sum), 1000LL * N * (N - 1) / 2);
  xs_pool_destroy(pool);
}
