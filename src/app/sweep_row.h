/* What is kept of a case beside its result, for the summary: DIR/case-0007.json.
 *
 *   { "case": 7, "content": "9f3a...", "exit_status": 0, "parameters": {...}, "metrics": {...} }
 *
 * "content" identifies what was run: the scene's bytes, the overrides, the program. So a row that
 * is out of date is never taken for the case's. A metric without a value is null. */
#ifndef XS_APP_SWEEP_ROW_H
#define XS_APP_SWEEP_ROW_H

#include "app/sweep.h"
#include "io/result.h"

enum { XS_SWEEP_CONTENT = 17 }; /* bytes of an identification with the terminating 0 */

/* DIR/case-0007SUFFIX, DIR/summarySUFFIX for index < 0. NULL when memory is exhausted. */
const char *xs_sweep_row_path(const char *folder, int index, const char *suffix, xs_arena *arena);

/* The overrides as a result stores them: a line each. NULL when memory is exhausted. */
const char *xs_sweep_row_overrides(int n_set, const char *const *set, xs_arena *arena);

/* Identifies what is run: FNV-1a, 64 bit, of all texts that decide about it. */
void xs_sweep_row_content(const xs_sweep *sweep, const char *overrides, const xs_run_info *info,
                          char content[XS_SWEEP_CONTENT]);

/* Writes the row of a case; metrics: sweep->n_metrics values, NaN = none; NULL: none at all. Whole
 * or not at all. XS_IO with the cause. */
xs_status xs_sweep_row_write(const xs_sweep *sweep, const char *folder, int index,
                             const char *content, xs_status status, const double *metrics,
                             xs_report *report);

/* Reads the row of a case: *status and metrics (NaN = none). Returns 0 if there is none of this
 * content with all metrics of the sweep. */
int xs_sweep_row_read(const xs_sweep *sweep, const char *folder, int index, const char *content,
                      xs_status *status, double *metrics);

/* Opens path.partial for writing, and afterwards renames it to path: for files that are to be
 * there whole or not at all. NULL, or XS_IO, with the cause in the report. */
FILE *xs_sweep_row_open(const char *path, xs_report *report);
xs_status xs_sweep_row_close(FILE *stream, const char *path, xs_report *report);

#endif
