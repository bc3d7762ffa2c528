/* Columns: the datasets of the recorded fields, their chunks and their buffers.
 *
 * Chunks take about 64 KiB: rows of as many records as fit, never more than the run will
 * give; a row that is larger is divided along its entries. The buffer is one block in which
 * every column has room for capacity + chunk - 1 rows. Left out: when to write
 * (result_record.c). */
#include <assert.h>
#include <hdf5_hl.h>
#include <math.h>
#include <string.h>

#include "io/result_hdf.h"
#include "io/result_private.h"

/* Records that a run of this world gives: floor(steps / every) + 1. */
static hsize_t expected_records(const xs_world *world) {
  return (hsize_t)(xs_world_steps(world) / world->output.every) + 1;
}

/* ---- the list ---- */

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
    const xs_result_field *field = dataset->field;
    column->field = field;
    column->series = (xs_result_series){.path = dataset->path, .dataset = -1};
    xs_result_series_shape(&column->series,
                           field->axis != XS_AXIS_NONE ? (hsize_t)dataset->entries : 0,
                           (hsize_t)field->components,
                           field->number == XS_NUMBER_INT64 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
    if (result->subject.observation) set_source(result, column, dataset->first);
  }
  return XS_OK;
}

/* ---- datasets ---- */

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
  const xs_world *world = result->subject.world;
  const xs_result_field *field = column->field;
  xs_result_series *series = &column->series;
  xs_result_series_divide(series, expected_records(world), chunk_bytes(result));
  if (xs_result_series_create(series, result->file, world->output.compression, field->unit,
                              field->long_name) < 0)
    return -1;
  /* /time is the first column and the scale of the first axis of all others; where they are too
   * many, of those that are not a single rod's. */
  if (column == &result->columns[0]) return H5DSset_scale(series->dataset, "time");
  if (result->n_columns > SCALED_MAX && is_of_one_rod(field)) return 0;
  return H5DSattach_scale(series->dataset, result->columns[0].series.dataset, 0);
}

xs_status xs_result_column_create_all(xs_result *result, xs_report *report) {
  xs_status status = list_columns(result, report);
  if (status != XS_OK) return status;
  for (int i = 0; i < result->n_columns; i++)
    if (create_dataset(result, &result->columns[i]) < 0)
      return xs_result_fail(result, "cannot create a dataset", report);
  return XS_OK;
}

xs_status xs_result_column_open_all(xs_result *result, xs_report *report) {
  xs_status status = list_columns(result, report);
  if (status != XS_OK) return status;
  for (int i = 0; i < result->n_columns; i++) {
    xs_result_series *series = &result->columns[i].series;
    if (!xs_result_series_open(series, result->file))
      return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                             "does not fit its scene or is damaged: dataset /%s is missing or of "
                             "another shape or compression",
                             series->path);
  }
  return XS_OK;
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
    *record += result->columns[i].series.row_bytes;
    tails += result->columns[i].series.row_bytes * (size_t)(result->columns[i].series.chunk[0] - 1);
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

/* For the chunks of columns and contacts alike. */
static int make_packer(xs_result *result) {
  size_t bytes = 0;
  for (int i = 0; i < result->n_columns + XS_RESULT_N_FLAT; i++) {
    const int k = i - result->n_columns;
    const xs_result_series *series =
        k < 0 ? &result->columns[i].series : &result->contacts.series[k];
    const size_t tail = series->path ? xs_result_series_tail_bytes(series) : 0;
    if (tail > bytes) bytes = tail;
  }
  return bytes == 0 || xs_result_packer_create(bytes, &result->arena, &result->packer);
}

xs_status xs_result_column_buffer(xs_result *result, xs_report *report) {
  size_t capacity, record;
  const size_t bytes = size_buffer(result, &capacity, &record);
  if (capacity == 0) return refuse_record(record, report);
  result->capacity = (int)capacity;
  char *block = xs_arena_alloc(&result->arena, bytes, 1);
  if (!block || !make_packer(result))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for records");
  for (int i = 0; i < result->n_columns; i++) {
    xs_result_series *series = &result->columns[i].series;
    series->rows = block;
    block += series->row_bytes * (capacity + (size_t)series->chunk[0] - 1);
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
      xs_result_series_divide(&plan.columns[i].series, records, chunk_bytes(&plan));
    (void)size_buffer(&plan, &capacity, &record);
    if (capacity == 0) status = refuse_record(record, report);
    /* Of the buffer counts what is ever touched: tails only where chunks are compressed. */
    *memory = DATASET_BYTES * plan.n_columns;
    for (int i = 0; i < plan.n_columns; i++) {
      const xs_result_series *series = &plan.columns[i].series;
      const size_t chunk = (size_t)series->chunk[0];
      const size_t rows = capacity + (world->output.compression > 0 ? chunk - 1 : 0);
      const double leaves = ceil((double)records / (double)chunk / NODE_CHUNKS);
      *memory += (double)(series->row_bytes * (rows < records ? rows : records));
      nodes += leaves > 1 ? leaves + 1 : 1;
    }
    *memory += NODE_BYTES * fmin(nodes, NODES_MAX);
  }
  xs_arena_free(&plan.arena);
  return status;
}
