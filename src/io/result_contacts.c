/* Contacts of the recorded instants, one behind the other: /contacts/pair, point, ...
 *
 * How many there are changes from record to record, so their series grow by as many rows; those
 * of record i are rows first[i] .. first[i] + count[i] - 1, where /contacts/first and count are
 * columns like any other. Rows are written before the columns that count them: what a kill leaves
 * behind the last record counted belongs to none. */
#include <stddef.h>
#include <string.h>

#include "io/result_hdf.h"
#include "io/result_private.h"

enum { ROWS = 512, /* of a write */ PAIR = 6 };

typedef struct flat {
  const char *path;
  int components, whole; /* whole numbers */
  size_t offset;         /* in xs_observed_contact */
  const char *unit, *long_name;
} flat;

static const flat flats[XS_RESULT_N_FLAT] = {
    {"contacts/pair", PAIR, 1, offsetof(xs_observed_contact, pair), "1",
     "the two sides: kind (0 body, 1 rod), index of body or rod, index of shape or element; twice"},
    {"contacts/point", 3, 0, offsetof(xs_observed_contact, point), "m",
     "middle between the two surface points, world frame"},
    {"contacts/normal", 3, 0, offsetof(xs_observed_contact, normal), "1",
     "unit normal from side 2 to side 1, world frame"},
    {"contacts/gap", 1, 0, offsetof(xs_observed_contact, gap), "m", "gap; below 0: overlap"},
    {"contacts/force", 3, 0, offsetof(xs_observed_contact, force), "N",
     "force on side 1, friction included, mean of the last substep, world frame"},
    {"contacts/xi", 2, 0, offsetof(xs_observed_contact, xi), "1",
     "place of the contact in the element of each side that is a rod, 0 to 1"},
};

static int is_recorded(const xs_world *world, const flat *f) {
  return world->output.contacts && world->contact.enabled &&
         (world->n_rods > 0 || strcmp(f->path, "contacts/xi") != 0);
}

static void set_shapes(xs_result *result) {
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    xs_result_series *series = &result->contacts.series[i];
    if (!is_recorded(result->subject.world, &flats[i])) continue;
    *series = (xs_result_series){.path = flats[i].path, .dataset = -1};
    xs_result_series_shape(series, 0, (hsize_t)flats[i].components,
                           flats[i].whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
  }
}

/* The recorded series in turn: the first with *i = 0; NULL behind the last. */
static xs_result_series *next_series(xs_result *result, int *i) {
  while (*i < XS_RESULT_N_FLAT && !result->contacts.series[*i].path) ++*i;
  return *i < XS_RESULT_N_FLAT ? &result->contacts.series[(*i)++] : NULL;
}

static xs_status buffer(xs_result *result, xs_report *report) {
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));) {
    series->rows =
        xs_arena_alloc(&result->arena, ROWS + (size_t)series->chunk[0] - 1, series->row_bytes);
    if (!series->rows)
      return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for contacts");
  }
  return XS_OK;
}

xs_status xs_result_contacts_create(xs_result *result, xs_report *report) {
  set_shapes(result);
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    xs_result_series *series = &result->contacts.series[i];
    if (!series->path) continue;
    xs_result_series_divide(series, UINT64_MAX, XS_RESULT_CHUNK);
    if (xs_result_series_create(series, result->file, result->subject.world->output.compression,
                                flats[i].unit, flats[i].long_name) < 0)
      return xs_result_fail(result, "cannot create a dataset", report);
  }
  return buffer(result, report);
}

xs_status xs_result_contacts_open(xs_result *result, xs_report *report) {
  xs_result_series *series;
  set_shapes(result);
  for (int i = 0; (series = next_series(result, &i));)
    if (!xs_result_series_open(series, result->file) || !xs_result_series_is_filled(series) ||
        series->chunk[0] * series->row_bytes > XS_RESULT_CHUNK)
      return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                             "does not fit its scene or is damaged: dataset /%s is missing or of "
                             "another shape or compression",
                             series->path);
  return buffer(result, report);
}

/* ---- Writing ---- */

herr_t xs_result_contacts_write(xs_result *result, int final) {
  xs_result_contacts *c = &result->contacts;
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));)
    if (xs_result_series_write(series, result->store, &result->packer, c->rows, final) < 0)
      return -1;
  c->buffered = 0;
  return 0;
}

static void append(xs_result_series *series, const flat *f, int64_t row,
                   const xs_observed_contact *contact) {
  memcpy(series->rows + (size_t)(row - series->first) * series->row_bytes,
         (const char *)contact + f->offset, series->row_bytes);
}

herr_t xs_result_contacts_append(xs_result *result) {
  xs_result_contacts *c = &result->contacts;
  const xs_observation *o = result->subject.observation;
  result->instant.contact_first = c->rows;
  result->instant.contact_count = 0;
  if (!c->series[0].path) return 0;
  for (int k = 0; k < xs_observe_contacts(o); k++) {
    xs_observed_contact contact;
    if (!xs_observe_contact(o, result->subject.state->x, k, &contact)) continue;
    for (int i = 0; i < XS_RESULT_N_FLAT; i++)
      if (c->series[i].path) append(&c->series[i], &flats[i], c->rows, &contact);
    result->instant.contact_count++;
    c->rows++;
    if (++c->buffered < ROWS) continue;
    xs_result_hdf_start();
    if (xs_result_contacts_write(result, 0) < 0) return -1;
  }
  return 0;
}

/* ---- Going back ---- */

enum { PART = 4096 }; /* entries that are read at a time */

/* Entries of an int64 column. */
static herr_t read_entries(hid_t dataset, hsize_t first, hsize_t n, int64_t *values) {
  herr_t status = -1;
  hid_t memory = H5Screate_simple(1, &n, NULL), space = H5Dget_space(dataset);
  if (memory >= 0 && space >= 0 &&
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL) >= 0)
    status = H5Dread(dataset, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, values);
  if (space >= 0) H5Sclose(space);
  if (memory >= 0) H5Sclose(memory);
  return status;
}

/* Sums up the counts of so many records, each of which has to begin where those before it end;
 * negative if one does not. */
static herr_t sum_counts(hid_t first, hid_t count, int64_t records, int64_t *sum) {
  int64_t begins[PART], counts[PART];
  *sum = 0;
  for (int64_t at = 0; at < records; at += PART) {
    const int64_t n = records - at < PART ? records - at : PART;
    if (read_entries(first, (hsize_t)at, (hsize_t)n, begins) < 0 ||
        read_entries(count, (hsize_t)at, (hsize_t)n, counts) < 0)
      return -1;
    for (int64_t k = 0; k < n; k++) {
      if (begins[k] != *sum || counts[k] < 0 || counts[k] > INT32_MAX) return -1;
      *sum += counts[k];
    }
  }
  return 0;
}

herr_t xs_result_contacts_count(xs_result *result, int64_t records) {
  xs_result_contacts *c = &result->contacts;
  c->counted = 0;
  if (!c->series[0].path || records == 0) return 0;
  hid_t first = H5Dopen2(result->file, "contacts/first", H5P_DEFAULT);
  hid_t count = H5Dopen2(result->file, "contacts/count", H5P_DEFAULT);
  herr_t status = first >= 0 && count >= 0 ? sum_counts(first, count, records, &c->counted) : -1;
  if (first >= 0) H5Dclose(first);
  if (count >= 0) H5Dclose(count);
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));)
    if (series->dims[0] < (hsize_t)c->counted || !xs_result_series_has_chunks(series, c->counted))
      status = -1;
  return status;
}

herr_t xs_result_contacts_refresh(xs_result *result) {
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));)
    if (xs_result_series_refresh(series, result->file) < 0) return -1;
  return 0;
}

herr_t xs_result_contacts_refill(xs_result *result) {
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));)
    if (xs_result_series_refill(series, result->contacts.counted) < 0) return -1;
  return 0;
}

herr_t xs_result_contacts_cut(xs_result *result) {
  xs_result_contacts *c = &result->contacts;
  xs_result_series *series;
  for (int i = 0; (series = next_series(result, &i));)
    if (xs_result_series_cut(series, result->store, &result->packer, c->counted) < 0) return -1;
  c->rows = c->counted;
  c->buffered = 0;
  return 0;
}
