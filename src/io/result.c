/* Life of a result: create, finish, abandon. See result.h; the order of writing that makes
 * killed files readable is in result_store.h, the lock in result_partial.h. */
#include "io/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/result_hdf.h"
#include "io/result_partial.h"
#include "io/result_private.h"

/* ---- errors and commits ---- */

xs_status xs_result_fail(xs_result *result, const char *what, xs_report *report) {
  result->failed = 1;
  if (result->store && xs_result_store_error(result->store))
    return xs_result_store_commit(result->store, report); /* adds the message of the error */
  return xs_result_hdf_fail(report, xs_result_name(result), what);
}

const char *xs_result_name(const xs_result *result) {
  return result->kept ? result->partial : result->path;
}

void xs_result_keep(xs_result *result) {
  result->kept = 1;
  xs_result_store_keep(result->store, result->partial);
}

xs_status xs_result_commit(xs_result *result, xs_report *report) {
  if (H5Fflush(result->file, H5F_SCOPE_LOCAL) < 0)
    return xs_result_fail(result, "cannot flush", report);
  xs_status status = xs_result_store_commit(result->store, report);
  if (status != XS_OK) result->failed = 1;
  return status;
}

/* ---- preparing and releasing ---- */

xs_status xs_result_prepare(const char *path, const xs_result_subject *subject, xs_result **result,
                            xs_report *report) {
  xs_result_hdf_start();
  xs_result *made = calloc(1, sizeof *made);
  if (!made) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the result");
  made->subject = *subject;
  made->fd = -1;
  made->file = -1;
  *result = made;
  return xs_result_partial_names(path, &made->arena, &made->path, &made->partial, report);
}

/* Closes HDF5's file. With H5F_CLOSE_STRONG, the driver's degree, its datasets close too. */
static herr_t close_file(xs_result *result) {
  herr_t status = result->file >= 0 ? H5Fclose(result->file) : 0;
  result->file = -1;
  return status;
}

void xs_result_release(xs_result *result) {
  (void)close_file(result);
  xs_result_store_free(result->store);
  if (result->fd >= 0) close(result->fd);
  xs_arena_free(&result->arena);
  free(result);
}

/* ---- creating ---- */

static xs_status start_file(xs_result *result, xs_report *report) {
  xs_status status = xs_result_store_create(result->fd, result->path, &result->store, report);
  if (status != XS_OK) return status;
  result->file = xs_result_store_create_file(result->store);
  if (result->file < 0) return xs_result_fail(result, "cannot create", report);
  status = xs_result_create_content(result, report);
  return status == XS_OK ? xs_result_commit(result, report) : status;
}

xs_status xs_result_create(const char *path, int force, const xs_result_subject *subject,
                           xs_result **result, xs_report *report) {
  xs_result *made = NULL;
  xs_status status = xs_result_prepare(path, subject, &made, report);
  if (!made) return status;
  if (status == XS_OK)
    status = xs_result_partial_claim(made->path, made->partial,
                                     force ? XS_CLAIM_FORCE : XS_CLAIM_NEW, &made->fd, report);
  if (status == XS_OK) {
    status = start_file(made, report);
    /* Nothing was recorded: leave nothing behind. The lock is still ours. */
    if (status != XS_OK) (void)unlink(made->partial);
  } else {
    made->fd = -1;
  }
  if (status == XS_OK)
    *result = made;
  else
    xs_result_release(made);
  return status;
}

/* ---- ending ---- */

xs_status xs_result_finish(xs_result *result, const char *status_text, int exit_code,
                           xs_report *report) {
  xs_status status = XS_OK;
  xs_result_hdf_start();
  if (result->failed) status = xs_result_fail(result, "cannot finish", report);
  if (status == XS_OK) status = xs_result_record_write_out(result, 1, report);
  if (status == XS_OK) status = xs_result_checkpoint_settle(result, report);
  if (status == XS_OK && (xs_result_hdf_put_text(result->file, "status", status_text) < 0 ||
                          xs_result_hdf_put_int(result->file, "exit_code", exit_code) < 0))
    status = xs_result_fail(result, "cannot finish", report);
  if (status == XS_OK && close_file(result) < 0)
    status = xs_result_fail(result, "cannot close", report);
  if (status == XS_OK) status = xs_result_store_commit(result->store, report);
  if (status == XS_OK)
    status = xs_result_partial_publish(result->path, result->partial, result->fd, report);
  xs_result_release(result);
  return status;
}

void xs_result_abandon(xs_result *result) {
  /* The error that led here has been reported; this one could only repeat it. */
  xs_report unread = {0};
  xs_result_hdf_start();
  if (!result->failed) (void)xs_result_flush(result, &unread);
  if (!result->failed && close_file(result) >= 0)
    (void)xs_result_store_commit(result->store, &unread);
  /* Nothing could go on from it, and the lock is still ours. */
  if (!result->kept) (void)unlink(result->partial);
  xs_result_release(result);
}

const char *xs_result_hdf5_version(void) {
  static char text[32];
  unsigned major = 0, minor = 0, release = 0;
  xs_result_hdf_start(); /* any call of HDF5 may be its first one */
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
  return text;
}
