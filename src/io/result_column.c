/* Columns: the datasets of the recorded fields, their chunks and their buffers.
 *
 * Chunks take about 64 KiB: rows of as many records as fit, never more than the run will
 * give; a row that is larger is divided along its entries. The buffer is one block in which
 * every column has room for capacity + chunk - 1 rows. Left out: when to write
 * (result_record.c). */
#include <assert.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/result_hdf.h"
#include "io/result_private.h"

/* Records that a run of this world gives: floor(steps / every) + 1. */
static hsize_t expected_records(const xs_world *world) {
  return (hsize_t)(xs_world_steps(world) / world->output.every) + 1;
}

/* ---- shape ---- */

static void set_chunk(xs_result_column *column, hsize_t records, size_t bytes) {
  size_t entry_bytes = column->row_bytes;
  column->chunk[1] = column->dims[1];
  column->chunk[2] = column->dims[2];
  column->chunk[0] = bytes / column->row_bytes;
  if (column->chunk[0] > records) column->chunk[0] = records;
  if (column->chunk[0] > 0) return;
  column->chunk[0] = 1;
  entry_bytes /= (size_t)column->dims[1];
  column->chunk[1] = bytes / entry_bytes;
}

static void set_shape(xs_result_column *column, hsize_t entries) {
  const xs_result_field *field = column->field;
  hsize_t components = (hsize_t)field->components;
  column->rank = 1;
  column->dims[0] = 0;
  column->dims[1] = column->dims[2] = 1;
  if (field->axis != XS_AXIS_NONE) column->dims[column->rank++] = entries;
  if (components > 1) column->dims[column->rank++] = components;
  column->row_bytes = (size_t)(entries * components) * sizeof(double);
  column->memory_type = field->number == XS_NUMBER_INT64 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}

static void set_source(xs_result *result, xs_result_column *column, int first) {
  const char *observation = (const char *)result->subject.observation;
  size_t offset = column->field->offset;
  switch (column->field->origin) {
    case XS_FROM_INSTANT:
      column->source = (const char *)&result->instant + offset;
      break;
    case XS_FROM_OBSERVATION:
      column->source = observation + offset;
      break;
    case XS_FROM_OBSERVATION_ARRAY:
      memcpy(&column->source, observation + offset, sizeof column->source);
      column->source += (size_t)first * (size_t)column->field->components * sizeof(double);
      break;
  }
}

/* The columns of this world, without datasets; without an observation they are a plan. */
static xs_status list_columns(xs_result *result, xs_report *report) {
  xs_result_dataset *list;
  int n;
  xs_status status =
      xs_result_fields_list(result->subject.world, &result->arena, &list, &n, report);
  if (status != XS_OK) return status;
  result->columns = XS_ARENA_NEW(&result->arena, xs_result_column, n);
  if (!result->columns)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for datasets");
  for (result->n_columns = 0; result->n_columns < n; result->n_columns++) {
    xs_result_column *column = &result->columns[result->n_columns];
    const xs_result_dataset *dataset = &list[result->n_columns];
    column->field = dataset->field;
    column->path = dataset->path;
    column->dataset = -1;
    set_shape(column, (hsize_t)dataset->entries);
    if (result->subject.observation) set_source(result, column, dataset->first);
  }
  return XS_OK;
}

/* ---- datasets ---- */

/* Chunks, filters; no fill values (every row is written), no times in the headers. */
static hid_t creation_plan(const xs_result_column *column, int compression) {
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  if (plan < 0) return plan;
  int bad = H5Pset_chunk(plan, column->rank, column->chunk) < 0 ||
            H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) < 0 || H5Pset_obj_track_times(plan, 0) < 0;
  if (!bad && compression > 0)
    bad = H5Pset_shuffle(plan) < 0 || H5Pset_deflate(plan, (unsigned)compression) < 0;
  if (!bad) return plan;
  H5Pclose(plan);
  return -1;
}

/* With many columns smaller chunks, so that their tails leave room in the buffer. */
static size_t chunk_bytes(const xs_result *result) {
  const size_t share = XS_RESULT_BUFFER / 4 / (size_t)result->n_columns, least = 4096;
  return share >= XS_RESULT_CHUNK ? XS_RESULT_CHUNK : share > least ? share : least;
}

/* A scale keeps a list of the datasets that it is attached to, which is written anew for each: with
 * thousands of them that takes seconds, and past 4000 the list has no room in an object's header.
 */
enum { SCALED_MAX = 1000 };

static int is_of_one_rod(const xs_result_field *field) {
  return field->axis == XS_AXIS_ROD_NODE || field->axis == XS_AXIS_ROD_GAUSS;
}

static herr_t create_dataset(xs_result *result, xs_result_column *column) {
  const xs_result_field *field = column->field;
  hsize_t most[3] = {H5S_UNLIMITED, column->dims[1], column->dims[2]};
  hid_t type = field->number == XS_NUMBER_INT64 ? H5T_STD_I64LE : H5T_IEEE_F64LE;
  int compression = result->subject.world->output.compression;
  set_chunk(column, expected_records(result->subject.world), chunk_bytes(result));
  column->compressed = compression > 0;

  hid_t plan = creation_plan(column, compression);
  hid_t space = H5Screate_simple(column->rank, column->dims, most);
  if (plan >= 0 && space >= 0)
    column->dataset =
        H5Dcreate2(result->file, column->path, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  if (column->dataset < 0) return -1;
  if (xs_result_hdf_describe(column->dataset, field->unit, field->long_name) < 0) return -1;

  /* /time is the first column and the scale of the first axis of all others; where they are too
   * many, of those that are not a single rod's. */
  if (column == &result->columns[0]) return H5DSset_scale(column->dataset, "time");
  if (result->n_columns > SCALED_MAX && is_of_one_rod(field)) return 0;
  return H5DSattach_scale(column->dataset, result->columns[0].dataset, 0);
}

xs_status xs_result_column_create_all(xs_result *result, xs_report *report) {
  xs_status status = list_columns(result, report);
  if (status != XS_OK) return status;
  for (int i = 0; i < result->n_columns; i++)
    if (create_dataset(result, &result->columns[i]) < 0)
      return xs_result_fail(result, "cannot create a dataset", report);
  return XS_OK;
}

int xs_result_column_has_chunks(const xs_result_column *column, int64_t records) {
  hsize_t wanted = 1, found = 0;
  for (int k = 0; k < column->rank; k++) {
    const hsize_t length = k == 0 ? (hsize_t)records : column->dims[k], chunk = column->chunk[k];
    if (chunk == 0) return 0;
    const hsize_t along = length / chunk + (length % chunk > 0);
    if (along > 0 && wanted > UINT64_MAX / along) return 0;
    wanted *= along;
  }
  hid_t space = H5Dget_space(column->dataset);
  const int counted = space >= 0 && H5Dget_num_chunks(column->dataset, space, &found) >= 0;
  if (space >= 0) H5Sclose(space);
  return counted && found >= wanted;
}

int xs_result_column_is_filled(const xs_result_column *column) {
  hsize_t found = 0;
  hid_t space = H5Dget_space(column->dataset);
  const int counted = space >= 0 && H5Dget_num_chunks(column->dataset, space, &found) >= 0;
  if (space >= 0) H5Sclose(space);
  const hsize_t buffer = XS_RESULT_BUFFER / column->row_bytes + column->chunk[0];
  return counted &&
         (column->dims[0] <= buffer || (column->dims[0] - buffer) / column->chunk[0] <= found);
}

static int has_type(const xs_result_column *column) {
  const hid_t wanted = column->field->number == XS_NUMBER_INT64 ? H5T_STD_I64LE : H5T_IEEE_F64LE;
  hid_t type = H5Dget_type(column->dataset);
  const int same = type >= 0 && H5Tequal(type, wanted) > 0;
  if (type >= 0) H5Tclose(type);
  return same;
}

/* Takes shape, chunk and filters from the file; 1 if they fit this world, 0 if not. */
static int read_dataset(xs_result_column *column) {
  hsize_t dims[3] = {0, 1, 1}, most[3] = {0, 0, 0};
  hid_t space = H5Dget_space(column->dataset), plan = H5Dget_create_plist(column->dataset);
  int fits = space >= 0 && plan >= 0 && H5Sget_simple_extent_ndims(space) == column->rank &&
             H5Sget_simple_extent_dims(space, dims, most) == column->rank &&
             most[0] == H5S_UNLIMITED && H5Pget_layout(plan) == H5D_CHUNKED &&
             dims[1] == column->dims[1] && dims[2] == column->dims[2];
  if (fits) {
    column->dims[0] = dims[0];
    column->chunk[1] = column->chunk[2] = 1;
    fits = H5Pget_chunk(plan, 3, column->chunk) == column->rank;
    column->compressed = H5Pget_nfilters(plan) > 0;
  }
  if (space >= 0) H5Sclose(space);
  if (plan >= 0) H5Pclose(plan);
  return fits && has_type(column);
}

xs_status xs_result_column_open_all(xs_result *result, xs_report *report) {
  xs_status status = list_columns(result, report);
  if (status != XS_OK) return status;
  for (int i = 0; i < result->n_columns; i++) {
    xs_result_column *column = &result->columns[i];
    if (xs_result_hdf_exists(result->file, column->path) > 0)
      column->dataset = H5Dopen2(result->file, column->path, H5P_DEFAULT);
    if (column->dataset < 0 || !read_dataset(column))
      return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                             "does not fit its scene or is damaged: dataset /%s is missing or of "
                             "another shape",
                             column->path);
  }
  return XS_OK;
}

herr_t xs_result_column_reopen(xs_result *result, xs_result_column *column) {
  if (H5Dclose(column->dataset) < 0) return -1;
  column->dataset = H5Dopen2(result->file, column->path, H5P_DEFAULT);
  return column->dataset < 0 ? -1 : 0;
}

/* ---- buffer ---- */

/* What HDF5 and the store keep in memory of a dataset that is being written, and of a node of the
 * B-tree of its chunks, of which the cache of metadata holds so many; all measured. */
#define DATASET_BYTES 22e3
#define NODE_BYTES    25e3
enum { NODES_MAX = XS_RESULT_METADATA_MAX / 3100, NODE_CHUNKS = 64 };

/* Bytes of the buffer; how many records it holds, and bytes of one. Columns' tails may leave it no
 * room: 0 records then. */
static size_t size_buffer(const xs_result *result, size_t *capacity, size_t *record) {
  size_t tails = 0;
  *record = *capacity = 0;
  for (int i = 0; i < result->n_columns; i++) {
    *record += result->columns[i].row_bytes;
    tails += result->columns[i].row_bytes * (size_t)(result->columns[i].chunk[0] - 1);
  }
  assert(*record > 0 && "time and step are always recorded");
  if (*record + tails > XS_RESULT_BUFFER) return *record + tails;
  const size_t room = (XS_RESULT_BUFFER - tails) / *record;
  *capacity = XS_RESULT_BUFFER_WANTED / *record;
  if (*capacity > room) *capacity = room;
  if (*capacity == 0) *capacity = 1;
  return *capacity * *record + tails;
}

static xs_status refuse_record(size_t record, xs_report *report) {
  return xs_report_error(report, XS_SCENE, NULL,
                         "a record takes %.1f MiB, more than the %d MiB of the record buffer; "
                         "record fewer fields (output.fields)",
                         (double)record / 0x1p20, XS_RESULT_BUFFER >> 20);
}

xs_status xs_result_column_buffer(xs_result *result, xs_report *report) {
  size_t capacity, record;
  const size_t bytes = size_buffer(result, &capacity, &record);
  if (capacity == 0) return refuse_record(record, report);
  result->capacity = (int)capacity;
  char *block = xs_arena_alloc(&result->arena, bytes, 1);
  if (!block) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for records");
  for (int i = 0; i < result->n_columns; i++) {
    xs_result_column *column = &result->columns[i];
    column->rows = block;
    block += column->row_bytes * (capacity + (size_t)column->chunk[0] - 1);
  }
  return XS_OK;
}

xs_status xs_result_column_plan(const xs_world *world, double *memory, xs_report *report) {
  xs_result plan = {.subject.world = world};
  const size_t records = expected_records(world);
  xs_status status = list_columns(&plan, report);
  if (status == XS_OK) {
    size_t capacity, record;
    double nodes = 0;
    for (int i = 0; i < plan.n_columns; i++)
      set_chunk(&plan.columns[i], records, chunk_bytes(&plan));
    (void)size_buffer(&plan, &capacity, &record);
    if (capacity == 0) status = refuse_record(record, report);
    /* Of the buffer counts what is ever touched: tails only where chunks are compressed. */
    *memory = DATASET_BYTES * plan.n_columns;
    for (int i = 0; i < plan.n_columns; i++) {
      const size_t chunk = (size_t)plan.columns[i].chunk[0];
      const size_t rows = capacity + (world->output.compression > 0 ? chunk - 1 : 0);
      const double leaves = ceil((double)records / (double)chunk / NODE_CHUNKS);
      *memory += (double)(plan.columns[i].row_bytes * (rows < records ? rows : records));
      nodes += leaves > 1 ? leaves + 1 : 1;
    }
    *memory += NODE_BYTES * fmin(nodes, NODES_MAX);
  }
  xs_arena_free(&plan.arena);
  return status;
}

/* ---- writing ---- */

static herr_t write_rows(xs_result_column *column, int64_t first, int64_t end, const char *rows) {
  hsize_t start[3] = {(hsize_t)first, 0, 0};
  hsize_t count[3] = {(hsize_t)(end - first), column->dims[1], column->dims[2]};
  if (end == first) return 0;
  herr_t status = -1;
  hid_t memory = H5Screate_simple(column->rank, count, NULL), file = H5Dget_space(column->dataset);
  if (memory >= 0 && file >= 0 &&
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
    status = H5Dwrite(column->dataset, column->memory_type, memory, file, H5P_DEFAULT, rows);
  if (memory >= 0) H5Sclose(memory);
  if (file >= 0) H5Sclose(file);
  return status;
}

/* Writes the chunk of rows[0] as it is, past the filters. */
static herr_t write_unfiltered(xs_result_column *column) {
  const uint32_t skip_all_filters = 0x3;
  hsize_t offset[3] = {(hsize_t)column->first, 0, 0};
  return H5Dwrite_chunk(column->dataset, H5P_DEFAULT, skip_all_filters, offset,
                        (size_t)column->chunk[0] * column->row_bytes, column->rows);
}

/* A chunk that keeps its size when it is written through the filters for the first time still
 * counts as unfiltered in HDF5 1.10: then it is written unfiltered, which costs nothing. */
static herr_t mend_filters(xs_result_column *column) {
  hsize_t offset[3] = {(hsize_t)column->first, 0, 0}, size = 0;
  if (H5Dget_chunk_storage_size(column->dataset, offset, &size) < 0) return -1;
  return size == column->chunk[0] * column->row_bytes ? write_unfiltered(column) : 0;
}

/* Replaces the chunk that was written unfiltered by rows [first, end) through the filters.
 * It changes its size, so HDF5 gives its place free at once: the data wait for the commit,
 * and no other column is written before that. HDF5 1.10 keeps the filters of the chunk that
 * it looked up last, also when H5Dwrite_chunk has changed them since; opened anew, a dataset
 * knows better. */
static herr_t replace_tail(xs_result *result, xs_result_column *column, int64_t end) {
  if (xs_result_column_reopen(result, column) < 0) return -1;
  xs_result_store_hold(result->store);
  if (write_rows(column, column->first, end, column->rows) < 0) return -1;
  if (mend_filters(column) < 0) return -1;
  column->tail_stored = 0;
  if (H5Fflush(result->file, H5F_SCOPE_LOCAL) < 0) return -1;
  xs_report unread = {0}; /* the store keeps its error, the caller reports it */
  return xs_result_store_commit(result->store, &unread) == XS_OK ? 0 : -1;
}

/* Rows [first, end) through the filters, if there are any. */
static herr_t write_filtered(xs_result *result, xs_result_column *column, int64_t end) {
  return column->tail_stored ? replace_tail(result, column, end)
                             : write_rows(column, column->first, end, column->rows);
}

/* The extent only grows over rows that are written before the next commit. */
static herr_t grow(xs_result_column *column, int64_t end) {
  if ((hsize_t)end <= column->dims[0]) return 0;
  column->dims[0] = (hsize_t)end;
  return H5Dset_extent(column->dataset, column->dims);
}

/* Full chunks through the filters, what remains as a chunk that skips them: always of the
 * same size and at the same place until it is full. */
static herr_t write_compressed(xs_result *result, xs_result_column *column, int64_t end) {
  int64_t chunk = (int64_t)column->chunk[0], edge = end / chunk * chunk;
  if (edge > column->first) {
    if (grow(column, edge) < 0 || write_filtered(result, column, edge) < 0) return -1;
    memmove(column->rows, column->rows + (size_t)(edge - column->first) * column->row_bytes,
            (size_t)(end - edge) * column->row_bytes);
    column->first = edge;
  }
  if (end == edge) return 0;
  if (grow(column, end) < 0) return -1;
  column->tail_stored = 1;
  return write_unfiltered(column);
}

herr_t xs_result_column_write(xs_result *result, xs_result_column *column, int64_t end, int final) {
  if (column->compressed && !final) return write_compressed(result, column, end);
  if (grow(column, end) < 0 || write_filtered(result, column, end) < 0) return -1;
  column->first = end;
  return 0;
}
