/* A loop at a time, shared out by a counter (pool.h).
 *
 * A worker that notices a loop enters it, if it is still open; the caller closes the loop once all
 * pieces are given out, and waits for those that have entered. It does not wait for one that never
 * came: where there are more threads than free processors, that would take it as long as the system
 * lets others run, for each loop. */
#include "base/pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Looks at the counter before a thread goes to sleep: some hundred microseconds. */
#define SPINS 20000

typedef struct worker {
  xs_pool *pool;
  pthread_t thread;
} worker;

struct xs_pool {
  int n_workers; /* the caller left out */
  worker *worker;
  pthread_mutex_t mutex;
  pthread_cond_t begun, done;
  atomic_uint loop;    /* number of the loop that is under way, or the last */
  atomic_int is_open;  /* the loop may be entered */
  atomic_int n_inside; /* workers that have entered, or are about to look whether it is open */
  atomic_int next;     /* first index not given out */
  atomic_int ended;
  int n, grain;
  xs_pool_task *task;
  void *context;
};

static void rest(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Takes pieces until there are none. */
static void take(xs_pool *pool) {
  for (;;) {
    const int begin = atomic_fetch_add_explicit(&pool->next, pool->grain, memory_order_relaxed);
    if (begin >= pool->n) return;
    const int end = pool->n - begin < pool->grain ? pool->n : begin + pool->grain;
    pool->task(pool->context, begin, end);
  }
}

/* Returns the number of the next loop after `seen`. */
static unsigned await_loop(xs_pool *pool, unsigned seen) {
  for (int spin = 0; spin < SPINS; spin++) {
    const unsigned loop = atomic_load_explicit(&pool->loop, memory_order_acquire);
    if (loop != seen) return loop;
    rest();
  }
  pthread_mutex_lock(&pool->mutex);
  while (atomic_load_explicit(&pool->loop, memory_order_acquire) == seen)
    pthread_cond_wait(&pool->begun, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  return atomic_load_explicit(&pool->loop, memory_order_acquire);
}

/* Counts itself first, then looks; the caller closes first, then counts (close_loop). So, in the
 * one order of both that all threads agree on, either it sees the loop closed or is waited for. */
static void enter(xs_pool *pool) {
  atomic_fetch_add(&pool->n_inside, 1);
  if (atomic_load(&pool->is_open)) take(pool);
  if (atomic_fetch_sub(&pool->n_inside, 1) > 1) return;
  pthread_mutex_lock(&pool->mutex); /* the caller is awake, or about to sleep under the mutex */
  pthread_cond_signal(&pool->done);
  pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *self_) {
  xs_pool *pool = ((worker *)self_)->pool;
  for (unsigned seen = 0;;) {
    seen = await_loop(pool, seen);
    if (pool->ended) return NULL;
    enter(pool);
  }
}

static void begin_loop(xs_pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add_explicit(&pool->loop, 1, memory_order_release);
  pthread_cond_broadcast(&pool->begun);
  pthread_mutex_unlock(&pool->mutex);
}

static void close_loop(xs_pool *pool) {
  atomic_store(&pool->is_open, 0);
  for (int spin = 0; spin < SPINS; spin++) {
    if (atomic_load(&pool->n_inside) == 0) return;
    rest();
  }
  pthread_mutex_lock(&pool->mutex);
  while (atomic_load(&pool->n_inside) > 0) pthread_cond_wait(&pool->done, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
}

void xs_pool_run(xs_pool *pool, int n, int grain, xs_pool_task *task, void *context) {
  if (n <= 0) return;
  if (!pool || n <= grain) {
    task(context, 0, n);
    return;
  }
  pool->n = n;
  pool->grain = grain;
  pool->task = task;
  pool->context = context;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  atomic_store(&pool->is_open, 1);
  begin_loop(pool);
  take(pool);
  close_loop(pool);
}

xs_pool *xs_pool_create(int n_threads) {
  xs_pool *pool = calloc(1, sizeof *pool);
  worker *workers = calloc((size_t)n_threads, sizeof *workers);
  if (!pool || !workers) {
    free(pool);
    free(workers);
    return NULL;
  }
  pool->worker = workers;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->done, NULL);

  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = 0;
  for (int i = 0; i < n_threads - 1 && !failed; i++) {
    workers[i].pool = pool;
    failed = pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    if (!failed) pool->n_workers++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) return pool;
  xs_pool_destroy(pool);
  errno = failed;
  return NULL;
}

void xs_pool_destroy(xs_pool *pool) {
  if (!pool) return;
  pool->ended = 1;
  begin_loop(pool);
  for (int i = 0; i < pool->n_workers; i++) pthread_join(pool->worker[i].thread, NULL);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->mutex);
  free(pool->worker);
  free(pool);
}
