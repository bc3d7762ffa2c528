/* The summary (sweep_summary.h), from the rows that the cases have left. */
#include "app/sweep_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/sweep_cases.h"
#include "io/result_table.h"

/* All rows: n_cases numbers a column. */
typedef struct table {
  const xs_sweep *sweep;
  xs_arena *arena;
  double *number, *exit_status; /* -1: there is no row */
  double *metric;               /* case after case */
} table;

/* ---- Reading ---- */

static xs_status gather(const xs_sweep_run *run, table *t, xs_sweep_tally *tally,
                        xs_report *report) {
  const xs_sweep *sweep = t->sweep;
  for (int i = 0; i < sweep->n_cases; i++) {
    xs_arena arena = {0};
    xs_sweep_case described;
    xs_status ended = XS_OK;
    double *metric = t->metric + (size_t)i * (size_t)sweep->n_metrics;
    const xs_status status = xs_sweep_case_describe(run, i, &arena, &described, report);
    if (status != XS_OK) return status;
    for (int m = 0; m < sweep->n_metrics; m++) metric[m] = NAN;
    const int found =
        xs_sweep_row_read(sweep, run->options->output, i, described.content, &ended, metric);
    t->number[i] = i;
    t->exit_status[i] = found ? (double)ended : -1;
    if (found)
      tally->by_status[ended]++;
    else
      tally->not_begun++;
    xs_arena_free(&arena);
  }
  return XS_OK;
}

/* A metric without a value in cases that ran to their end: no cell is empty in silence. */
static void warn_of_gaps(const xs_sweep_run *run, const table *t, xs_report *report) {
  const xs_sweep *sweep = t->sweep;
  for (int m = 0; m < sweep->n_metrics; m++) {
    int ended = 0, without = 0, first = 0;
    for (int i = 0; i < sweep->n_cases; i++) {
      if (t->exit_status[i] != XS_OK && t->exit_status[i] != XS_CHECK) continue;
      ended++;
      if (!isnan(t->metric[(size_t)i * (size_t)sweep->n_metrics + (size_t)m])) continue;
      if (without++ == 0) first = i;
    }
    if (without == 0) continue;
    xs_report_warning(report, &(xs_place){.file = sweep->file},
                      "metric \"%s\" has no value in %d of the %d cases that ran to their end; the "
                      "first is case %d, whose log in %s says why",
                      sweep->metric[m], without, ended, first, run->options->output);
  }
}

/* ---- CSV ---- */

/* A cell (RFC 4180): in quotes where it holds a comma, a quote or a line's end. */
static void write_cell(FILE *stream, const char *text) {
  if (text[strcspn(text, ",\"\r\n")] == '\0') {
    fputs(text, stream);
    return;
  }
  fputc('"', stream);
  for (; *text != '\0'; text++) {
    if (*text == '"') fputc('"', stream);
    fputc(*text, stream);
  }
  fputc('"', stream);
}

/* The text of a value; NULL without memory. */
static const char *value_text(const xs_json *value, xs_arena *arena) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return NULL;
  xs_sweep_cases_write_value(stream, value, 0);
  const char *copy = fclose(stream) == 0 && text ? xs_arena_copy_text(arena, text) : NULL;
  free(text);
  return copy;
}

static xs_status write_csv(const table *t, const char *path, xs_report *report) {
  const xs_sweep *sweep = t->sweep;
  FILE *stream = xs_sweep_row_open(path, report);
  if (stream == NULL) return XS_IO;
  fputs("case", stream);
  for (int p = 0; p < sweep->n_parameters; p++) {
    fputc(',', stream);
    write_cell(stream, xs_sweep_cases_path(sweep, p));
  }
  fputs(",exit_status", stream);
  for (int m = 0; m < sweep->n_metrics; m++) {
    fputc(',', stream);
    write_cell(stream, sweep->metric[m]);
  }
  fputc('\n', stream);

  for (int i = 0; i < sweep->n_cases; i++) {
    xs_arena arena = {0};
    fprintf(stream, "%d", i);
    for (int p = 0; p < sweep->n_parameters; p++) {
      const char *text = value_text(xs_sweep_cases_value(sweep, i, p), &arena);
      fputc(',', stream);
      write_cell(stream, text != NULL ? text : "");
    }
    fputc(',', stream);
    if (t->exit_status[i] >= 0) fprintf(stream, "%.0f", t->exit_status[i]);
    for (int m = 0; m < sweep->n_metrics; m++) {
      const double value = t->metric[(size_t)i * (size_t)sweep->n_metrics + (size_t)m];
      fputc(',', stream);
      if (isfinite(value)) fprintf(stream, "%.17g", value);
    }
    fputc('\n', stream);
    xs_arena_free(&arena);
  }
  return xs_sweep_row_close(stream, path, report);
}

/* ---- HDF5 ---- */

/* A parameter as numbers if all its values are, else as texts. Returns 0 without memory. */
static int fill_parameter(const table *t, int parameter, xs_result_table_column *column) {
  const xs_sweep *sweep = t->sweep;
  int all_numbers = 1;
  double *number = XS_ARENA_NEW(t->arena, double, sweep->n_cases);
  const char **text = XS_ARENA_NEW(t->arena, const char *, sweep->n_cases);
  if (number == NULL || text == NULL) return 0;
  for (int i = 0; i < sweep->n_cases; i++) {
    const xs_json *value = xs_sweep_cases_value(sweep, i, parameter);
    all_numbers = all_numbers && value->type == XS_JSON_NUMBER;
    number[i] = value->number;
  }
  for (int i = 0; i < sweep->n_cases && !all_numbers; i++) {
    text[i] = value_text(xs_sweep_cases_value(sweep, i, parameter), t->arena);
    if (text[i] == NULL) return 0;
  }
  *column =
      (xs_result_table_column){.group = "parameters",
                               .name = xs_sweep_cases_path(sweep, parameter),
                               .number = number,
                               .text = all_numbers ? NULL : text,
                               .unit = "as in the scene",
                               .long_name = "value of this parameter of the scene, a case a row"};
  return 1;
}

static xs_status write_hdf5(const table *t, const char *path, xs_report *report) {
  const xs_sweep *sweep = t->sweep;
  const int n = 2 + sweep->n_parameters + sweep->n_metrics;
  xs_result_table_column *columns = XS_ARENA_NEW(t->arena, xs_result_table_column, n);
  int k = 0, good = columns != NULL;
  if (good) {
    columns[k++] = (xs_result_table_column){.name = "case",
                                            .number = t->number,
                                            .unit = "1",
                                            .long_name = "number of the case, from 0"};
    columns[k++] = (xs_result_table_column){.name = "exit_status",
                                            .number = t->exit_status,
                                            .unit = "1",
                                            .long_name = "exit status of the case; -1: not ended"};
  }
  for (int p = 0; good && p < sweep->n_parameters; p++) good = fill_parameter(t, p, &columns[k++]);
  for (int m = 0; good && m < sweep->n_metrics; m++) {
    double *value = XS_ARENA_NEW(t->arena, double, sweep->n_cases);
    good = value != NULL;
    for (int i = 0; good && i < sweep->n_cases; i++)
      value[i] = t->metric[(size_t)i * (size_t)sweep->n_metrics + (size_t)m];
    columns[k++] = (xs_result_table_column){
        .group = "metrics",
        .name = sweep->metric[m],
        .number = value,
        .unit = "as in the result",
        .long_name = "this metric of each case's result; NaN: there is none"};
  }
  if (!good) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the summary");
  return xs_result_table_write(path, sweep->n_cases, n, columns, report);
}

xs_status xs_sweep_summary_write(const xs_sweep_run *run, xs_sweep_tally *tally,
                                 xs_report *report) {
  xs_arena arena = {0};
  const xs_sweep *sweep = run->sweep;
  const size_t n = (size_t)sweep->n_cases;
  table t = {.sweep = sweep,
             .arena = &arena,
             .number = XS_ARENA_NEW(&arena, double, n),
             .exit_status = XS_ARENA_NEW(&arena, double, n),
             .metric = XS_ARENA_NEW(&arena, double, n *(size_t)sweep->n_metrics)};
  const char *csv = xs_sweep_row_path(run->options->output, -1, ".csv", &arena);
  const char *hdf5 = xs_sweep_row_path(run->options->output, -1, ".h5", &arena);
  xs_status status = XS_OK;
  if (!t.number || !t.exit_status || !t.metric || !csv || !hdf5)
    status = xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the summary");
  if (status == XS_OK) status = gather(run, &t, tally, report);
  if (status == XS_OK) status = write_csv(&t, csv, report);
  if (status == XS_OK) status = write_hdf5(&t, hdf5, report);
  if (status == XS_OK) warn_of_gaps(run, &t, report);
  xs_arena_free(&arena);
  return status;
}
