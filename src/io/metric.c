/* Metrics: one number out of a result, and the checks of a scene; grammar in metric.h.
 *
 * A metric is resolved (metric_path.c), its series is read by one hyperslab of one component
 * (all of them for norm) and reduced (metric_reduce.c). Records count that every dataset has:
 * a killed run may have written one more here than there. */
#include "io/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/metric_path.h"
#include "io/metric_reduce.h"
#include "io/result_hdf.h"
#include "io/result_private.h"

/* ---- reading ---- */

static int64_t dataset_records(hid_t dataset) {
  hsize_t dims[H5S_MAX_RANK] = {0};
  hid_t space = H5Dget_space(dataset);
  int rank = space >= 0 ? H5Sget_simple_extent_dims(space, dims, NULL) : -1;
  if (space >= 0) H5Sclose(space);
  return rank > 0 ? (int64_t)dims[0] : -1;
}

/* Reads components [first, first + count) of an entry for all records, record after record. */
static herr_t read_part(hid_t dataset, const xs_result_field *field, int entry, int first,
                        int count, int64_t records, double *values) {
  hsize_t start[3] = {0}, size[3] = {(hsize_t)records, 1, 1};
  int rank = 1;
  if (field->axis != XS_AXIS_NONE) start[rank++] = (hsize_t)entry;
  if (field->components > 1) {
    start[rank] = (hsize_t)first;
    size[rank++] = (hsize_t)count;
  }
  herr_t status = -1;
  hsize_t total = (hsize_t)records * (hsize_t)count;
  hid_t memory = H5Screate_simple(1, &total, NULL), file = H5Dget_space(dataset);
  if (memory >= 0 && file >= 0 &&
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0)
    status = H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, values);
  if (memory >= 0) H5Sclose(memory);
  if (file >= 0) H5Sclose(file);
  return status;
}

/* Norm of each row of components, in place: row i goes to values[i]. */
static void take_norms(double *values, int64_t records, int components) {
  for (int64_t i = 0; i < records; i++) {
    double sum = 0;
    for (int k = 0; k < components; k++)
      sum += values[i * components + k] * values[i * components + k];
    values[i] = sqrt(sum);
  }
}

/* Reads time and values of a resolved metric; arrays from the arena. */
static xs_status read_series(hid_t file, const xs_metric_path *path, xs_arena *arena,
                             xs_metric_series *series, xs_report *report) {
  const xs_result_field *field = path->field;
  int norm = path->component == XS_METRIC_NORM, count = norm ? field->components : 1;
  hid_t time = H5Dopen2(file, "time", H5P_DEFAULT),
        data = H5Dopen2(file, path->dataset, H5P_DEFAULT);
  herr_t status = -1;
  if (time >= 0 && data >= 0) {
    int64_t n = dataset_records(time), m = dataset_records(data);
    series->n = n < m ? n : m;
    if (series->n >= 0) status = 0;
  }
  if (status == 0) {
    series->time = XS_ARENA_NEW(arena, double, series->n);
    series->value = XS_ARENA_NEW(arena, double, series->n *count);
  }
  if (status == 0 && series->time && series->value && series->n > 0 &&
      (read_part(time, &xs_result_fields[0], 0, 0, 1, series->n, series->time) < 0 ||
       read_part(data, field, path->entry, norm ? 0 : path->component, count, series->n,
                 series->value) < 0))
    status = -1;
  if (time >= 0) H5Dclose(time);
  if (data >= 0) H5Dclose(data);
  if (status < 0)
    return xs_result_hdf_fail(report, path->dataset, "cannot read a metric's dataset");
  if (!series->time || !series->value)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for a metric");
  if (norm) take_norms(series->value, series->n, count);
  /* Static results start with an equilibrium: its forces count. */
  const int skips = field->skip_start && H5Aexists(file, "static") <= 0;
  series->first = skips && series->n > 0 && series->time[0] == 0 ? 1 : 0;
  return XS_OK;
}

/* ---- metrics ---- */

/* Adds the dataset at path if it is there: its shape from the file. */
static xs_status add_dataset(hid_t file, const xs_result_field *field, const char *path,
                             xs_metric_catalog *catalog, xs_report *report) {
  hsize_t dims[3] = {0};
  if (!path) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for datasets");
  if (xs_result_hdf_exists(file, path) <= 0) return XS_OK;
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  int rank = 1 + (field->axis != XS_AXIS_NONE) + (field->components > 1);
  int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
             H5Sget_simple_extent_dims(space, dims, NULL) == rank;
  fits = fits && (field->components == 1 || dims[rank - 1] == (hsize_t)field->components);
  const hid_t type = field->number == XS_NUMBER_INT64 ? H5T_STD_I64LE : H5T_IEEE_F64LE;
  fits = fits && xs_result_hdf_has_type(dataset, type);
  if (space >= 0) H5Sclose(space);
  if (dataset >= 0) H5Dclose(dataset);
  if (!fits) return xs_result_hdf_fail(report, path, "damaged: dataset of another shape or type");
  const int entries = field->axis != XS_AXIS_NONE ? (int)dims[1] : 1;
  catalog->dataset[catalog->n_datasets++] = (xs_result_dataset){field, path, entries, 0};
  return XS_OK;
}

/* Where names are not recorded, an index still picks an entry. */
static xs_status file_catalog(hid_t file, xs_arena *arena, xs_metric_catalog *catalog,
                              xs_report *report) {
  for (int axis = 0; axis < XS_N_AXES; axis++) {
    const char *path = xs_result_fields_names_path((xs_result_axis)axis);
    if (path && xs_result_hdf_exists(file, path) > 0)
      catalog->names[axis] = xs_result_hdf_read_names(file, path, arena, &catalog->n_names[axis]);
  }
  const int n_rods = catalog->names[XS_AXIS_ROD] ? catalog->n_names[XS_AXIS_ROD] : 0;
  catalog->dataset =
      XS_ARENA_NEW(arena, xs_result_dataset, XS_RESULT_N_FIELDS * (size_t)(1 + n_rods));
  if (!catalog->dataset)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for datasets");

  xs_status status = XS_OK;
  for (int i = 0; i < XS_RESULT_N_FIELDS && status == XS_OK; i++) {
    const xs_result_field *field = &xs_result_fields[i];
    if (!xs_result_fields_is_of_rod(field))
      status = add_dataset(file, field, field->path, catalog, report);
    else
      for (int r = 0; r < n_rods && status == XS_OK; r++)
        status = add_dataset(
            file, field, xs_result_fields_rod_path(field, catalog->names[XS_AXIS_ROD][r], arena),
            catalog, report);
  }
  return status == XS_OK ? xs_metric_catalog_sort(catalog, arena, report) : status;
}

static xs_status value_in_file(hid_t file, const xs_metric_catalog *catalog, const char *metric,
                               double from, double to, double *value, xs_report *report) {
  xs_arena arena = {0};
  xs_metric_path path;
  xs_metric_series series = {0};
  xs_status status = xs_metric_path_resolve(catalog, metric, 0, NULL, &path, report);
  if (status == XS_OK) status = read_series(file, &path, &arena, &series, report);
  if (status == XS_OK)
    status = xs_metric_reduce(&series, path.reduction, path.at, from, to, metric, value, report);
  xs_arena_free(&arena);
  return status;
}

/* Makes a result's records readable, and its catalog with the first metric. */
static xs_status make_ready(xs_result *result, xs_report *report) {
  xs_result_hdf_start();
  xs_status status = xs_result_make_readable(result, report);
  if (status != XS_OK || result->catalog) return status;
  xs_metric_catalog *catalog = XS_ARENA_NEW(&result->arena, xs_metric_catalog, 1);
  if (!catalog) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for names");
  status = xs_metric_catalog_of_world(result->subject.world, &result->arena, catalog, report);
  if (status == XS_OK) result->catalog = catalog;
  return status;
}

xs_status xs_metric_value(xs_result *result, const char *metric, double from, double to,
                          double *value, xs_report *report) {
  const xs_status status = make_ready(result, report);
  if (status != XS_OK) return status;
  return value_in_file(result->file, result->catalog, metric, from, to, value, report);
}

xs_status xs_metric_file_value(const char *path, const char *metric, double from, double to,
                               double *value, xs_report *report) {
  xs_arena arena = {0};
  xs_metric_catalog catalog = {0};
  hid_t file;
  xs_status status = xs_result_hdf_open(path, &file, report);
  if (status != XS_OK) return status;
  status = file_catalog(file, &arena, &catalog, report);
  if (status == XS_OK) status = value_in_file(file, &catalog, metric, from, to, value, report);
  H5Fclose(file);
  xs_arena_free(&arena);
  return status;
}

xs_status xs_metric_validate(const xs_world *world, const char *metric, int is_series,
                             const xs_place *place, xs_report *report) {
  xs_arena arena = {0};
  xs_metric_catalog catalog = {0};
  xs_metric_path path;
  xs_status status = xs_metric_catalog_of_world(world, &arena, &catalog, report);
  if (status == XS_OK)
    status = xs_metric_path_resolve(&catalog, metric, is_series, place, &path, report);
  xs_arena_free(&arena);
  return status;
}

/* ---- checks ---- */

static xs_status check_reference(xs_result *result, const xs_check *check, double *value,
                                 xs_report *report) {
  xs_arena arena = {0};
  xs_metric_path path;
  xs_metric_series series = {0};
  xs_status status = make_ready(result, report);
  if (status == XS_OK)
    status = xs_metric_path_resolve(result->catalog, check->metric, 1, NULL, &path, report);
  if (status == XS_OK) status = read_series(result->file, &path, &arena, &series, report);
  if (status == XS_OK)
    status = xs_metric_reduce_deviation(&series, check->n_reference, check->reference_time,
                                        check->reference_value, check->from, check->to,
                                        check->metric, value, report);
  xs_arena_free(&arena);
  return status;
}

xs_status xs_metric_check(xs_result *result, const xs_check *check, double *value, int *held,
                          xs_report *report) {
  *held = 0;
  if (check->n_reference > 0) {
    const xs_status status = check_reference(result, check, value, report);
    if (status == XS_OK) *held = *value <= check->within;
    return status;
  }
  xs_status status = xs_metric_value(result, check->metric, check->from, check->to, value, report);
  if (status != XS_OK) return status;
  /* Written so that a value that is not a number never holds. */
  *held = !isnan(*value) && (isnan(check->below) || *value < check->below) &&
          (isnan(check->above) || *value > check->above) &&
          (isnan(check->equals) || fabs(*value - check->equals) <= check->within);
  return XS_OK;
}
