/* A table as an HDF5 file: a dataset a column, all of one length. */
#ifndef XS_IO_RESULT_TABLE_H
#define XS_IO_RESULT_TABLE_H

#include "base/report.h"

typedef struct xs_result_table_column {
  const char *group;       /* NULL: in the root */
  const char *name;        /* without slash */
  const double *number;    /* one a row; or */
  const char *const *text; /* where this is not NULL */
  const char *long_name;
  const char *unit;
} xs_result_table_column;

/* Writes PATH, n_rows > 0 rows, by way of PATH.partial, so that an earlier PATH is replaced as a
 * whole or not at all. Columns of a group stand together. XS_IO with the cause. */
xs_status xs_result_table_write(const char *path, int n_rows, int n_columns,
                                const xs_result_table_column *columns, xs_report *report);

#endif
