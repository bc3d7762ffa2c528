/* The name of a metric taken apart: dataset, entry, component, reduction. No HDF5. */
#ifndef XS_IO_METRIC_PATH_H
#define XS_IO_METRIC_PATH_H

#include "base/report.h"
#include "io/metric_catalog.h"

typedef enum xs_metric_reduction {
  XS_METRIC_FINAL,
  XS_METRIC_MIN,
  XS_METRIC_MAX,
  XS_METRIC_MEAN,
  XS_METRIC_MEDIAN,
  XS_METRIC_RMS,
  XS_METRIC_RELATIVE_DRIFT,
  XS_METRIC_AT,
  XS_METRIC_SERIES /* none: the series itself */
} xs_metric_reduction;

enum { XS_METRIC_NORM = -1 }; /* as a component: the norm over all components */

typedef struct xs_metric_path {
  const xs_result_field *field;
  const char *dataset;  /* its path in the file */
  int entry, component; /* 0 where the field has no such axis */
  xs_metric_reduction reduction;
  double at; /* s, of XS_METRIC_AT */
} xs_metric_path;

/* Takes a metric apart; series = 1: without a reduction. XS_SCENE with the nearest name at
 * place (may be NULL) if a part is unknown or missing. */
xs_status xs_metric_path_resolve(const xs_metric_catalog *catalog, const char *metric, int series,
                                 const xs_place *place, xs_metric_path *path, xs_report *report);

#endif
