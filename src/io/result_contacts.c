/* Contacts of the recorded instants, one behind the other: /contacts/pair, point, ...
 *
 * How many there are changes from record to record, so their datasets grow by as many rows; those
 * of record i are rows first[i] .. first[i] + count[i] - 1, where /contacts/first and count are
 * columns like any other. Rows go through a buffer, and are written before the columns that count
 * them: what a kill leaves behind the last record counted belongs to none.
 *
 * Compressed, a chunk changes its size whenever rows are added to it, and HDF5 may put it where
 * the old one stood: its data wait for a commit of their own (xs_result_store_hold), so that a
 * failure leaves the rows that were there. */
#include <stddef.h>
#include <string.h>

#include "io/result_hdf.h"
#include "io/result_private.h"

enum { ROWS = 512, /* of the buffer */ PAIR = 6 };

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

static size_t bytes_of(const flat *f) { return (size_t)f->components * sizeof(double); }

static int is_recorded(const xs_result *result, int i) {
  const xs_world *world = result->subject.world;
  return world->output.contacts && world->contact.enabled &&
         (world->n_rods > 0 || strcmp(flats[i].path, "contacts/xi") != 0);
}

static herr_t create_dataset(xs_result *result, int i) {
  const flat *f = &flats[i];
  const int compression = result->subject.world->output.compression;
  const int rank = f->components > 1 ? 2 : 1;
  hsize_t dims[2] = {0, (hsize_t)f->components};
  hsize_t most[2] = {H5S_UNLIMITED, dims[1]};
  hsize_t chunk[2] = {XS_RESULT_CHUNK / bytes_of(f), dims[1]};
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, dims, most);
  hid_t dataset = -1;
  if (plan >= 0 && space >= 0 && H5Pset_chunk(plan, rank, chunk) >= 0 &&
      H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) >= 0 && H5Pset_obj_track_times(plan, 0) >= 0 &&
      (compression == 0 ||
       (H5Pset_shuffle(plan) >= 0 && H5Pset_deflate(plan, (unsigned)compression) >= 0)))
    dataset = H5Dcreate2(result->file, f->path, f->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space,
                         H5P_DEFAULT, plan, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  if (dataset < 0) return -1;
  result->contacts.dataset[i] = dataset;
  return xs_result_hdf_describe(dataset, f->unit, f->long_name);
}

/* 1 if the dataset is one that create_dataset makes. */
static int fits(hid_t dataset, const flat *f) {
  const int wanted = f->components > 1 ? 2 : 1;
  hsize_t dims[2] = {0, 1};
  hid_t space = H5Dget_space(dataset), plan = H5Dget_create_plist(dataset);
  hid_t type = H5Dget_type(dataset);
  const int same = space >= 0 && plan >= 0 && type >= 0 &&
                   H5Sget_simple_extent_ndims(space) == wanted &&
                   H5Sget_simple_extent_dims(space, dims, NULL) == wanted &&
                   dims[1] == (hsize_t)f->components && H5Pget_layout(plan) == H5D_CHUNKED &&
                   H5Tequal(type, f->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE) > 0;
  /* As many rows as there are chunks for, or about: xs_result_column_is_filled. */
  hsize_t chunk[2] = {1, 1}, found = 0;
  const int filled = same && H5Pget_chunk(plan, 2, chunk) == wanted &&
                     H5Dget_num_chunks(dataset, space, &found) >= 0 &&
                     dims[0] / chunk[0] <= found + ROWS;
  if (space >= 0) H5Sclose(space);
  if (plan >= 0) H5Pclose(plan);
  if (type >= 0) H5Tclose(type);
  return filled;
}

static xs_status buffer(xs_result *result, xs_report *report) {
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    if (!is_recorded(result, i)) continue;
    result->contacts.rows[i] = xs_arena_alloc(&result->arena, ROWS, bytes_of(&flats[i]));
    if (!result->contacts.rows[i])
      return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for contacts");
  }
  return XS_OK;
}

xs_status xs_result_contacts_create(xs_result *result, xs_report *report) {
  for (int i = 0; i < XS_RESULT_N_FLAT; i++)
    if (is_recorded(result, i) && create_dataset(result, i) < 0)
      return xs_result_fail(result, "cannot create a dataset", report);
  return buffer(result, report);
}

xs_status xs_result_contacts_open(xs_result *result, xs_report *report) {
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    if (!is_recorded(result, i)) continue;
    hid_t *dataset = &result->contacts.dataset[i];
    *dataset = -1;
    if (xs_result_hdf_exists(result->file, flats[i].path) > 0)
      *dataset = H5Dopen2(result->file, flats[i].path, H5P_DEFAULT);
    if (*dataset < 0 || !fits(*dataset, &flats[i]))
      return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                             "does not fit its scene or is damaged: dataset /%s is missing or of "
                             "another shape",
                             flats[i].path);
  }
  return buffer(result, report);
}

/* ---- Writing ---- */

static herr_t write_rows(const xs_result_contacts *c, int i) {
  const int rank = flats[i].components > 1 ? 2 : 1;
  hsize_t dims[2] = {(hsize_t)(c->written + c->buffered), (hsize_t)flats[i].components};
  hsize_t start[2] = {(hsize_t)c->written, 0}, count[2] = {(hsize_t)c->buffered, dims[1]};
  if (H5Dset_extent(c->dataset[i], dims) < 0) return -1;
  herr_t status = -1;
  hid_t memory = H5Screate_simple(rank, count, NULL), file = H5Dget_space(c->dataset[i]);
  if (memory >= 0 && file >= 0 &&
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
    status = H5Dwrite(c->dataset[i], flats[i].whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, memory,
                      file, H5P_DEFAULT, c->rows[i]);
  if (memory >= 0) H5Sclose(memory);
  if (file >= 0) H5Sclose(file);
  return status;
}

/* Around what may move a compressed chunk. */
static void hold(const xs_result *result) {
  if (result->subject.world->output.compression > 0) xs_result_store_hold(result->store);
}
static herr_t let_go(xs_result *result) {
  if (result->subject.world->output.compression == 0) return 0;
  xs_report unread = {0}; /* the store keeps its error, the caller reports it */
  return xs_result_commit(result, &unread) == XS_OK ? 0 : -1;
}

herr_t xs_result_contacts_write(xs_result *result) {
  xs_result_contacts *c = &result->contacts;
  if (c->buffered == 0) return 0;
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    if (!is_recorded(result, i)) continue;
    hold(result);
    if (write_rows(c, i) < 0 || let_go(result) < 0) return -1;
  }
  c->written += c->buffered;
  c->buffered = 0;
  return 0;
}

herr_t xs_result_contacts_append(xs_result *result) {
  xs_result_contacts *c = &result->contacts;
  const xs_observation *o = result->subject.observation;
  result->instant.contact_first = c->written + c->buffered;
  result->instant.contact_count = 0;
  if (!is_recorded(result, 0)) return 0;
  for (int k = 0; k < xs_observe_contacts(o); k++) {
    xs_observed_contact row;
    if (!xs_observe_contact(o, result->subject.state->x, k, &row)) continue;
    for (int i = 0; i < XS_RESULT_N_FLAT; i++)
      if (c->rows[i] != NULL)
        memcpy(c->rows[i] + (size_t)c->buffered * bytes_of(&flats[i]),
               (const char *)&row + flats[i].offset, bytes_of(&flats[i]));
    result->instant.contact_count++;
    if (++c->buffered < ROWS) continue;
    xs_result_hdf_start();
    if (xs_result_contacts_write(result) < 0) return -1;
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

/* 1 if a flat dataset has at least so many rows. */
static int has_rows(hid_t dataset, int64_t rows) {
  hsize_t dims[2] = {0, 1};
  hid_t space = H5Dget_space(dataset);
  const int read = space >= 0 && H5Sget_simple_extent_ndims(space) <= 2 &&
                   H5Sget_simple_extent_dims(space, dims, NULL) > 0;
  if (space >= 0) H5Sclose(space);
  return read && dims[0] >= (hsize_t)rows;
}

herr_t xs_result_contacts_count(xs_result *result, int64_t records) {
  xs_result_contacts *c = &result->contacts;
  c->counted = 0;
  if (!is_recorded(result, 0) || records == 0) return 0;
  hid_t first = H5Dopen2(result->file, "contacts/first", H5P_DEFAULT);
  hid_t count = H5Dopen2(result->file, "contacts/count", H5P_DEFAULT);
  herr_t status = first >= 0 && count >= 0 ? sum_counts(first, count, records, &c->counted) : -1;
  if (first >= 0) H5Dclose(first);
  if (count >= 0) H5Dclose(count);
  for (int i = 0; i < XS_RESULT_N_FLAT; i++)
    if (is_recorded(result, i) && !has_rows(c->dataset[i], c->counted)) status = -1;
  return status;
}

herr_t xs_result_contacts_cut(xs_result *result) {
  xs_result_contacts *c = &result->contacts;
  c->written = c->counted;
  c->buffered = 0;
  for (int i = 0; i < XS_RESULT_N_FLAT; i++) {
    hsize_t dims[2] = {(hsize_t)c->written, (hsize_t)flats[i].components};
    if (!is_recorded(result, i)) continue;
    hold(result);
    if (H5Dset_extent(c->dataset[i], dims) < 0 || let_go(result) < 0) return -1;
  }
  return 0;
}
