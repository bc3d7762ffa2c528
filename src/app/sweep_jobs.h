/* All cases of a sweep in worker processes, --jobs of them at a time. A worker whose case is
 * computed and whose file is on its way to the disk does not count: the wait of some milliseconds
 * would leave a processor idle.
 *
 * A worker is a fork of this process, which has no file open in HDF5, in a process group of its
 * own, so that a Ctrl-C at the terminal comes to the sweep alone. It runs case after case as long
 * as they end well; one that fails ends with its process, so that a crash, or a kill for want of
 * memory, is the failure of that case only. (A process for each case would cost it some
 * milliseconds more.) The sweep passes SIGINT and SIGTERM on as one SIGTERM; each worker then
 * closes its file, and no further case is begun. Should the sweep itself be killed, the kernel
 * sends its workers a SIGTERM.
 */
#ifndef XS_APP_SWEEP_JOBS_H
#define XS_APP_SWEEP_JOBS_H

#include "app/sweep_case.h"

typedef struct xs_sweep_tally {
  int by_status[XS_CHECK + 1]; /* cases that ended with each exit status */
  int finished_before;         /* of these: left alone */
  int not_begun;
} xs_sweep_tally;

/* Runs the cases. A worker, too, comes back from here, with *is_worker = 1 and the status that its
 * process is to end with. In the sweep's own process: XS_OK, whatever came of the cases, or
 * XS_INTERNAL if it cannot work at all. Failures of cases are printed to stderr as they come. */
xs_status xs_sweep_jobs_run(const xs_sweep_run *run, xs_sweep_tally *tally, int *is_worker,
                            xs_arena *arena, xs_report *report);

/* The exit status of a sweep: the worst of its cases, in the order 1 to 7, 0. */
xs_status xs_sweep_jobs_worst(const xs_sweep_tally *tally);

#endif
