/* Recording: copies observations into the buffer, writes the buffer out.
 *
 * A record costs one copy a column. The buffer is written when it is full and when a second
 * of wall time has passed; in between HDF5 is not called at all. */
#include <string.h>
#include <time.h>

#include "io/result_hdf.h"
#include "io/result_private.h"

/* Seconds on a clock that only goes forward; its 4 ms ticks are enough here, and cheap. */
static double now(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Most rows are one number or one vector: copies of a known size are single moves. */
static void copy_row(char *to, const char *from, size_t bytes) {
  if (bytes == sizeof(double))
    memcpy(to, from, sizeof(double));
  else if (bytes == sizeof(xs_vec3))
    memcpy(to, from, sizeof(xs_vec3));
  else
    memcpy(to, from, bytes);
}

xs_status xs_result_record(xs_result *result, double step_wall, xs_report *report) {
  const double flush_interval = 1.0; /* s: what a kill may cost at most */
  if (result->failed) return xs_result_fail(result, "cannot write", report);
  const xs_state *state = result->subject.state;
  result->instant.time = xs_state_time(result->subject.world, state);
  result->instant.step = state->step;
  result->instant.wall = step_wall;
  if (xs_result_contacts_append(result) < 0)
    return xs_result_fail(result, "cannot write contacts", report);

  for (int i = 0; i < result->n_columns; i++) {
    const xs_result_column *column = &result->columns[i];
    const xs_result_series *series = &column->series;
    const size_t row = (size_t)(result->records - series->first);
    copy_row(series->rows + row * series->row_bytes, column->source, series->row_bytes);
  }
  result->records++;
  result->buffered++;
  if (result->buffered == result->capacity || now() - result->last_flush >= flush_interval)
    return xs_result_record_write_out(result, 0, report);
  return XS_OK;
}

static xs_status write_columns(xs_result *result, int first, int end, int final,
                               xs_report *report) {
  for (int i = first; i < end; i++)
    if (xs_result_series_write(&result->columns[i].series, result->store, &result->packer,
                               result->records, final) < 0)
      return xs_result_fail(result, "cannot write records", report);
  return xs_result_commit(result, report);
}

xs_status xs_result_record_write_out(xs_result *result, int final, xs_report *report) {
  if (xs_result_contacts_write(result, final) < 0)
    return xs_result_fail(result, "cannot write contacts", report);
  /* First all but /time, which says how many records there are. */
  xs_status status = write_columns(result, 1, result->n_columns, final, report);
  if (status == XS_OK) status = write_columns(result, 0, 1, final, report);
  result->buffered = 0;
  result->last_flush = now();
  return status;
}

xs_status xs_result_flush(xs_result *result, xs_report *report) {
  if (result->failed) return xs_result_fail(result, "cannot write", report);
  xs_result_hdf_start();
  return result->buffered > 0 ? xs_result_record_write_out(result, 0, report) : XS_OK;
}

xs_status xs_result_make_readable(xs_result *result, xs_report *report) {
  xs_status status = xs_result_flush(result, report);
  for (int i = 0; status == XS_OK && i < result->n_columns; i++)
    if (xs_result_series_refresh(&result->columns[i].series, result->file) < 0)
      status = xs_result_fail(result, "cannot open a dataset anew", report);
  if (status == XS_OK && xs_result_contacts_refresh(result) < 0)
    status = xs_result_fail(result, "cannot open a dataset anew", report);
  return status;
}
