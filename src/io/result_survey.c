/* Looking at results and planning them (result_survey.h); opens files for reading only. */
#include "io/result_survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "io/result_hdf.h"
#include "io/result_partial.h"
#include "io/result_private.h"

xs_status xs_result_survey_resumed(const char *path, xs_arena *arena, const char **file,
                                   xs_report *report) {
  const char *final, *partial;
  xs_status status = xs_result_partial_names(path, arena, &final, &partial, report);
  if (status != XS_OK) return status;

  /* A partial without content is what a run leaves that was killed before its first record. */
  int fd = open(partial, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  const int error = errno;
  const int holds_something = fd >= 0 && !xs_result_partial_blank(fd);
  if (fd >= 0) close(fd);
  *file = holds_something ? partial : final;

  if (fd < 0 && error == ELOOP) return xs_result_partial_refuse_link(partial, report);
  if (fd < 0 && error != ENOENT)
    return xs_report_error(report, XS_IO, &(xs_place){.file = partial}, "cannot be read: %s",
                           strerror(error));
  if (!holds_something && access(final, F_OK) != 0)
    return xs_report_error(report, XS_IO, &(xs_place){.file = final},
                           fd >= 0 ? "not found, and %s holds nothing yet: start the run again"
                                   : "not found, nor %s: nothing to go on with",
                           partial);
  return XS_OK;
}

/* One of the numbers of a checkpoint's slot; negative if it is unreadable. */
static int64_t read_counter(hid_t file, int slot, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "checkpoint/slot%d/%s", slot, name);
  if (xs_result_hdf_exists(file, path) <= 0) return -1;
  int64_t value = -1;
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  if (dataset < 0) return -1;
  hid_t space = H5Dget_space(dataset);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
      !xs_result_hdf_has_type(dataset, H5T_STD_I64LE) ||
      H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0)
    value = -1;
  if (space >= 0) H5Sclose(space);
  H5Dclose(dataset);
  return value;
}

/* The step of the newest checkpoint, negative without one. Slots of which the counters are damaged
 * do not count, as xs_result_checkpoint_load has it. */
static int64_t newest_checkpoint(hid_t file) {
  int64_t newest = -1;
  for (int slot = 0; slot < XS_RESULT_SLOTS; slot++) {
    const int64_t step = read_counter(file, slot, "step");
    if (step <= newest || step == INT64_MAX) continue;
    if (read_counter(file, slot, "sequence") == step + 1) newest = step;
  }
  return newest;
}

xs_result_content xs_result_survey_content(const char *file) {
  hid_t opened;
  xs_report unread = {0};
  if (xs_result_hdf_open_any(file, &opened, &unread) != XS_OK) return XS_CONTENT_FOREIGN;
  xs_result_content content = XS_CONTENT_FOREIGN;
  if (H5Aexists(opened, "xsim_format") > 0)
    content = newest_checkpoint(opened) >= 0 ? XS_CONTENT_RESUMABLE : XS_CONTENT_RESULT;
  H5Fclose(opened);
  return content;
}

static herr_t read_status(hid_t file, char *status, size_t size) {
  herr_t read = -1;
  memset(status, 0, size);
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
    read = xs_result_hdf_get(file, "status", type, status);
  if (type >= 0) H5Tclose(type);
  return read;
}

xs_status xs_result_survey_standing(const char *file, xs_result_standing *standing,
                                    xs_report *report) {
  hid_t opened;
  xs_result_hdf_start();
  xs_status status = xs_result_hdf_open(file, &opened, report);
  if (status != XS_OK) return status;

  standing->checkpoint_step = newest_checkpoint(opened);
  if (standing->checkpoint_step < 0)
    status = xs_report_error(report, XS_IO, &(xs_place){.file = file},
                             "holds no checkpoint to go on from; run its scene again with "
                             "--rerun");
  else if (read_status(opened, standing->status, sizeof standing->status) < 0 ||
           xs_result_hdf_get(opened, "exit_code", H5T_NATIVE_INT, &standing->exit_code) < 0)
    status = xs_result_hdf_fail(report, file, "its status cannot be read");
  H5Fclose(opened);
  return status;
}

double xs_result_survey_record_bytes(const xs_world *world) {
  return 8 * xs_result_fields_numbers(world);
}

/* What HDF5 keeps of a result that is open, without its datasets (tests/long/test_large.py measures
 * all together). */
#define OPEN_BYTES 0.8e6

xs_status xs_result_survey_memory(const xs_world *world, double *memory, xs_report *report) {
  const xs_status status = xs_result_column_plan(world, memory, report);
  *memory += OPEN_BYTES;
  return status;
}

void xs_result_survey_describe(const xs_result *result, FILE *stream) {
  char path[XS_PRINTABLE_PATH];
  fprintf(stream, "xsim: %s: buffer of %d records, %.0f bytes each\n",
          xs_printable_text(result->partial, path, sizeof path), result->capacity,
          xs_result_survey_record_bytes(result->subject.world));
  for (int i = 0; i < result->n_columns; i++) {
    const xs_result_series *series = &result->columns[i].series;
    fprintf(stream, "xsim: /%s: chunks of", series->path);
    for (int k = 0; k < series->rank; k++)
      fprintf(stream, "%s %llu", k > 0 ? " x" : "", (unsigned long long)series->chunk[k]);
    fprintf(stream, "%s\n", series->compression > 0 ? ", compressed" : "");
  }
}
