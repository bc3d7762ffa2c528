/* What a run tells on stdout at its end: one table of the run, one of the checks.
 *
 * Extremes are gathered record by record while the run goes on; a resumed run knows those
 * of its own records only, and says from when on. The start's energy is that of t = 0 in
 * any case. */
#ifndef XS_APP_SUMMARY_H
#define XS_APP_SUMMARY_H

#include "app/setup.h"

/* The largest value so far, when it was, and of which joint or, behind the joints, rod (-1 =
 * none). */
typedef struct xs_peak {
  double value, time;
  int part;
} xs_peak;

typedef struct xs_summary {
  int64_t records;                 /* taken in */
  double from;                     /* s: simulated time at which the run began */
  double energy_start, energy_end; /* J, at t = 0 and at the latest record */
  double energy_time;              /* s, of the latest record */
  double drift;                    /* J: max |E - E(0)| over the records */
  xs_peak primal_relative, constraint;
} xs_summary;

/* One check of the scene after the run. */
typedef struct xs_check_outcome {
  double value; /* NaN if it could not be evaluated */
  int held;
} xs_check_outcome;

/* How the run ended. */
typedef struct xs_summary_end {
  const char *status;             /* "complete", "stopped", "diverged" */
  const char *path;               /* the result's file */
  int64_t first_step;             /* at which this run began */
  double wall;                    /* s, of the steps of this run */
  const xs_check_outcome *checks; /* world->n_checks; NULL if none were evaluated */
} xs_summary_end;

/* energy_start: at t = 0; from: simulated time at which this run begins. */
void xs_summary_begin(xs_summary *summary, double energy_start, double from);

/* Takes in a record. */
void xs_summary_record(xs_summary *summary, const xs_observation *observation, double time);

void xs_summary_print(FILE *stream, const xs_summary *summary, const xs_setup *setup,
                      const xs_summary_end *end);

/* "below 1e-06", "above 0 and below 1", "equals 2 within 0.1", ... */
const char *xs_summary_condition(const xs_check *check, char *buffer, size_t size);

/* Bytes as "1.4 MB" (powers of 1000). */
const char *xs_summary_bytes(double bytes, char *buffer, size_t size);

#endif
