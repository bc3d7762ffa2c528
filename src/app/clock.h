/* Wall time for the program: progress, timing of steps, time limits.
 *
 * Never part of the state: a result depends on it in /timing and /provenance only. */
#ifndef XS_APP_CLOCK_H
#define XS_APP_CLOCK_H

#include <time.h>

/* Seconds since some fixed instant; not moved by changes of the date. CLOCK_MONOTONIC
 * with a valid address cannot fail on Linux. */
static inline double xs_clock_now(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same as of the system's latest tick, a few ms ago at most: cheaper to read. */
static inline double xs_clock_tick(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
