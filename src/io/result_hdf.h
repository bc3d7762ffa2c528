/* Small HDF5 operations that the files of the result share: attributes, texts, opening.
 *
 * HDF5 prints nothing: xs_result_hdf_start replaces its handler by one that remembers the
 * innermost description of the call that failed last, for our messages. Functions return a
 * negative value on failure, as HDF5's do; texts are fixed-length UTF-8 strings. */
#ifndef XS_IO_RESULT_HDF_H
#define XS_IO_RESULT_HDF_H

#include <hdf5.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/report.h"

/* Installs the handler and forgets what was remembered. Call at every entry from outside. */
void xs_result_hdf_start(void);

/* What HDF5 said of the last failure, "" without one. Valid until the next failure. */
const char *xs_result_hdf_text(void);

/* Adds `PATH: what (HDF5's text)` with XS_IO and returns it. */
xs_status xs_result_hdf_fail(xs_report *report, const char *path, const char *what);

/* 1 if a dataset's numbers are stored as this type. HDF5 converts numbers of other types when they
 * are read or written, and with a damaged type beyond the room that they have: ask first. */
int xs_result_hdf_has_type(hid_t dataset, hid_t type);

/* 1 if a type is one of those that results have: numbers, or texts of fixed length. */
int xs_result_hdf_is_own_type(hid_t type);

/* Attributes; a text takes the place of max(its length, room, 1) bytes, so that a longer
 * one may be put there later. put replaces the value of an attribute that exists. */
herr_t xs_result_hdf_add_text(hid_t object, const char *name, const char *text, size_t room);
herr_t xs_result_hdf_put_text(hid_t object, const char *name, const char *text);
herr_t xs_result_hdf_add_int(hid_t object, const char *name, int value);
herr_t xs_result_hdf_add_int64(hid_t object, const char *name, int64_t value);
herr_t xs_result_hdf_put_int(hid_t object, const char *name, int value);
herr_t xs_result_hdf_add_double(hid_t object, const char *name, double value);
herr_t xs_result_hdf_get(hid_t object, const char *name, hid_t memory_type, void *value);

/* The attributes `units` and `long_name` that every dataset has. */
herr_t xs_result_hdf_describe(hid_t dataset, const char *unit, const char *long_name);

/* Datasets that are written once, as a whole, have a checksum of their bytes in an attribute
 * (FNV-1a). verify reads one and compares; 0 also where there is none. */
herr_t xs_result_hdf_verify(hid_t dataset);

/* A scalar dataset that holds exactly these bytes (empty: one NUL), described. */
herr_t xs_result_hdf_add_bytes(hid_t group, const char *name, const char *bytes, size_t length,
                               const char *long_name);

/* A dataset of n texts, described. texts must be n > 0 strings. */
herr_t xs_result_hdf_add_names(hid_t group, const char *name, int n, const char *const *texts,
                               const char *long_name);

/* A dataset of n > 0 numbers, described. */
herr_t xs_result_hdf_add_doubles(hid_t group, const char *name, int n, const double *numbers,
                                 const char *unit, const char *long_name);

/* The bytes of such a dataset with a NUL behind them; length may be NULL. NULL on failure, and
 * where they are not what was written. */
char *xs_result_hdf_read_bytes(hid_t file, const char *path, xs_arena *arena, size_t *length);

/* The texts of a dataset as add_names wrote it, *n of them. NULL on failure. */
const char **xs_result_hdf_read_names(hid_t file, const char *path, xs_arena *arena, int *n);

/* 1 if the object is there, every group on the way included; 0 if not, negative: failure. */
int xs_result_hdf_exists(hid_t file, const char *path);

/* Opens a finished or a partial file for reading, without HDF5's lock, and checks that it is
 * a result of a format that is known. XS_IO with the cause otherwise. */
xs_status xs_result_hdf_open(const char *path, hid_t *file, xs_report *report);

/* The same without that check: opens any HDF5 file. */
xs_status xs_result_hdf_open_any(const char *path, hid_t *file, xs_report *report);

/* The check of xs_result_hdf_open on a file that is open. */
xs_status xs_result_hdf_check_format(hid_t file, const char *path, xs_report *report);

#endif
