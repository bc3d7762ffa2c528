/* One case of a sweep, in this process.
 *
 * A result that stands in the folder and was made from the same scene, overrides and program is
 * not computed again: if it is complete or diverged it is left alone, and if it was stopped or
 * killed the run goes on from its checkpoint. Anything else is replaced by a new run. Afterwards,
 * whatever came of it, the case's row is written (sweep_row.h). */
#ifndef XS_APP_SWEEP_CASE_H
#define XS_APP_SWEEP_CASE_H

#include <sys/types.h>

#include "app/options.h"
#include "app/sweep_row.h"

/* What all cases of a sweep share. */
typedef struct xs_sweep_run {
  const xs_sweep *sweep;
  const xs_options *options; /* of the command line; output is the folder */
  const xs_run_info *info;
  double started; /* xs_clock_now() when the program began */
} xs_sweep_run;

/* What a case tells who started it; lies in memory that both processes see. */
typedef struct xs_sweep_news {
  volatile double fraction; /* of its steps that are done */
  volatile int is_computed; /* it only waits for the disk */
  pid_t sweep;              /* who is to be woken then, by a SIGCHLD */
  int was_finished;         /* it was left alone */
  volatile int is_ended;    /* with this status, and its worker waits for another case */
  xs_status status;
  char message[XS_REPORT_TEXT]; /* the first error, "" without one */
} xs_sweep_news;

/* Overrides of a case and what identifies it; -s comes after the sweep's values. */
typedef struct xs_sweep_case {
  int n_set;
  const char **set;
  const char *overrides; /* as a result stores them */
  char content[XS_SWEEP_CONTENT];
} xs_sweep_case;

/* XS_INTERNAL without memory. */
xs_status xs_sweep_case_describe(const xs_sweep_run *run, int index, xs_arena *arena,
                                 xs_sweep_case *described, xs_report *report);

/* Runs case `index`. news: of a worker, whose standard output and error go to the case's log; NULL:
 * this process was asked for this case alone and speaks for itself. Returns the case's exit
 * status; errors are in the report. */
xs_status xs_sweep_case_run(const xs_sweep_run *run, int index, xs_sweep_news *news,
                            xs_arena *arena, xs_report *report);

#endif
