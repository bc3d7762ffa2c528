/* What metrics can name in a result: its datasets, and the entries of those that have names. */
#ifndef XS_IO_METRIC_CATALOG_H
#define XS_IO_METRIC_CATALOG_H

#include "base/arena.h"
#include "base/names.h"
#include "base/report.h"
#include "io/result_fields.h"

typedef struct xs_metric_catalog {
  int n_datasets;
  xs_result_dataset *dataset;
  xs_name *path;                       /* of each dataset, sorted */
  const char *const *names[XS_N_AXES]; /* NULL where entries have no recorded names */
  int n_names[XS_N_AXES];
  xs_name *sorted[XS_N_AXES];
} xs_metric_catalog;

/* The catalog of a result of this world, from the arena. */
xs_status xs_metric_catalog_of_world(const xs_world *world, xs_arena *arena,
                                     xs_metric_catalog *catalog, xs_report *report);

/* Makes datasets and names that are there findable: the last step of who fills a catalog. */
xs_status xs_metric_catalog_sort(xs_metric_catalog *catalog, xs_arena *arena, xs_report *report);

/* The dataset of a path, NULL if there is none. */
const xs_result_dataset *xs_metric_catalog_dataset(const xs_metric_catalog *catalog,
                                                   const char *path);

/* Index of an entry of this name along an axis, -1 if there is none. */
int xs_metric_catalog_entry(const xs_metric_catalog *catalog, xs_result_axis axis,
                            const char *name);

#endif
