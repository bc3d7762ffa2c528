/* The table of a sweep: DIR/summary.csv, and the same as DIR/summary.h5.
 *
 * A row a case: its number, parameters, exit status, metrics. A cell is empty (in HDF5 NaN, and -1
 * for the exit status) where there is no value: of a case that has not ended yet, of a metric that
 * a case that failed early has no records for. Texts stand as they are, other values that are no
 * numbers as JSON. */
#ifndef XS_APP_SWEEP_SUMMARY_H
#define XS_APP_SWEEP_SUMMARY_H

#include "app/sweep_jobs.h"

/* Gathers the rows of all cases in the folder and writes both files; counts the cases by the
 * status of their rows into tally, those without one as not begun. XS_IO with the cause. */
xs_status xs_sweep_summary_write(const xs_sweep_run *run, xs_sweep_tally *tally, xs_report *report);

#endif
