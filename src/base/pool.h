/* Threads that share out independent pieces of a loop.
 *
 * The pieces are begin .. end - 1 of 0 .. n - 1, given out as threads come for them: a piece must
 * not depend on which thread does it, on its bounds or on other pieces, so that results are the
 * same, bit for bit, for every number of threads. What a loop sums over pieces is summed after it,
 * in order.
 *
 * Threads wait by spinning for some microseconds, as the next loop often follows at once, then
 * asleep. Signals are left to the thread that created the pool. */
#ifndef XS_BASE_POOL_H
#define XS_BASE_POOL_H

typedef struct xs_pool xs_pool;

enum { XS_POOL_THREADS_MAX = 256 };

typedef void xs_pool_task(void *context, int begin, int end);

/* A pool of n_threads >= 2, the caller counted as one; NULL if there are no more threads or memory
 * to be had (errno says why). */
xs_pool *xs_pool_create(int n_threads);

/* NULL: nothing. No loop may be under way. */
void xs_pool_destroy(xs_pool *pool);

/* Calls task for pieces of up to `grain` of 0 .. n - 1, and returns when all are done. Without
 * a pool (NULL), or with one piece, it is called once, for all. From one thread at a time, not from
 * within a task. */
void xs_pool_run(xs_pool *pool, int n, int grain, xs_pool_task *task, void *context);

#endif
