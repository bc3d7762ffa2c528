/* A series in time reduced to one number. No HDF5. */
#ifndef XS_IO_METRIC_REDUCE_H
#define XS_IO_METRIC_REDUCE_H

#include <stdint.h>

#include "base/report.h"
#include "io/metric_path.h"

/* Times that differ by less than this part of a record interval are the same: times are
 * products step * h, with rounding. */
#define XS_METRIC_TIME_SLACK 1e-6

/* value[i] at time[i], time growing. Values before `first` have no meaning (forces at t = 0). */
typedef struct xs_metric_series {
  int64_t n, first;
  double *time, *value;
} xs_metric_series;

/* Reduces the records with from <= time <= to (to within 1e-6 of a record interval). at:
 * linear between the records, exact on one. The drift refers to the first record, whatever
 * the window. A value that is not a number makes the result not a number. May reorder the
 * values. XS_SCENE when no record is in the window, `at` is outside, or the drift's
 * reference is 0; metric is for messages. */
xs_status xs_metric_reduce(xs_metric_series *series, xs_metric_reduction reduction, double at,
                           double from, double to, const char *metric, double *value,
                           xs_report *report);

/* Largest |series(time[i]) - value[i]| over the reference's times in [from, to], linear
 * between records. XS_SCENE when such a time is outside the records, or none is in the
 * window. */
xs_status xs_metric_reduce_deviation(const xs_metric_series *series, int n, const double *time,
                                     const double *value, double from, double to,
                                     const char *metric, double *deviation, xs_report *report);

#endif
