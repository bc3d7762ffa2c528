/* Checkpoints: two slots, written in turn.
 *
 * /checkpoint/slot0 and slot1 hold every persist array (doubles, bit by bit), the step, the number
 * of records and a checksum of all these. `sequence` = 1 + step is written last: the slot with the
 * larger one (slot0, if both are the same) is complete, whenever a kill comes, because the other
 * one is being written. Should it be damaged nevertheless, the checksum tells, and the other one,
 * an earlier checkpoint or the same, is gone on from. When a run ends both slots get the same
 * content, so that a file does not tell how often its run was interrupted. Writing changes numbers
 * in place only, no metadata. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "io/result_hdf.h"
#include "io/result_private.h"

/* Numbers of an array. */
static size_t size_of(const xs_persist *array) {
  return (size_t)array->items * (size_t)array->components;
}

/* What a checkpoint belongs to, in an attribute of each slot's checksum: the scene, and all
 * overrides but those that --until adds. */
#define OWNER "scene"
static int64_t owner_of(const xs_scene_source *source) {
  static const char duration[] = "time.duration=";
  uint64_t hash = xs_hash_bytes(XS_HASH_START, source->text, source->length);
  for (const char *line = source->overrides; *line != '\0';) {
    const size_t n = strcspn(line, "\n"), next = n + (line[n] == '\n');
    if (strncmp(line, duration, sizeof duration - 1) != 0) hash = xs_hash_bytes(hash, line, next);
    line += next;
  }
  return (int64_t)hash;
}

/* Where a slot stands in the file, and how large it is, in another attribute there. A dataset whose
 * place is damaged would have another one's numbers overwritten by the next checkpoint. */
#define PLACES "places"
static int64_t places_of(const xs_result *result, const xs_result_slot *slot) {
  const hid_t counters[] = {slot->sequence, slot->step, slot->records, slot->checksum};
  const int n = (int)(sizeof counters / sizeof *counters);
  uint64_t hash = XS_HASH_START;
  for (int i = 0; i < n + result->subject.n_persist; i++) {
    const hid_t dataset = i < n ? counters[i] : slot->arrays[i - n];
    const uint64_t place[] = {H5Dget_offset(dataset), H5Dget_storage_size(dataset)};
    hash = xs_hash_words(hash, place, 2);
  }
  return (int64_t)hash;
}

/* ---- creating ---- */

/* A contiguous dataset that has its place in the file at once. */
static hid_t create_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *dims,
                          const char *unit, const char *long_name) {
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, dims, NULL);
  hid_t dataset = -1;
  if (plan >= 0 && space >= 0 && H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0 &&
      H5Pset_obj_track_times(plan, 0) >= 0)
    dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  if (dataset >= 0 && xs_result_hdf_describe(dataset, unit, long_name) < 0) {
    H5Dclose(dataset);
    return -1;
  }
  return dataset;
}

static herr_t create_slot(const xs_result *result, hid_t group, xs_result_slot *slot) {
  const hsize_t one = 1;
  slot->sequence = create_array(group, "sequence", H5T_STD_I64LE, 1, &one, "1",
                                "1 + step, 0: no checkpoint; the slot with the larger one counts");
  slot->step = create_array(group, "step", H5T_STD_I64LE, 1, &one, "1", "steps done");
  slot->records =
      create_array(group, "records", H5T_STD_I64LE, 1, &one, "1", "records up to this checkpoint");
  slot->checksum = create_array(group, "checksum", H5T_STD_I64LE, 1, &one, "1",
                                "FNV-1a of step, records and the arrays in the order of their "
                                "addresses in the file, each number taken as one 64-bit word");
  if (slot->sequence < 0 || slot->step < 0 || slot->records < 0 || slot->checksum < 0) return -1;
  if (xs_result_hdf_add_int64(slot->checksum, OWNER, owner_of(result->subject.source)) < 0)
    return -1;
  for (int i = 0; i < result->subject.n_persist; i++) {
    const xs_persist *array = &result->subject.persist[i];
    hsize_t dims[2] = {(hsize_t)array->items, (hsize_t)array->components};
    slot->arrays[i] =
        create_array(group, array->name, H5T_IEEE_F64LE, 2, dims, array->unit, array->long_name);
    if (slot->arrays[i] < 0) return -1;
  }
  return xs_result_hdf_add_int64(slot->checksum, PLACES, places_of(result, slot));
}

/* Room for identifiers, and for the largest array without gaps. */
static xs_status reserve(xs_result *result, xs_report *report) {
  size_t largest = 1;
  int n = result->subject.n_persist;
  for (int i = 0; i < n; i++) {
    const xs_persist *array = &result->subject.persist[i];
    if (size_of(array) > largest) largest = size_of(array);
  }
  result->gather = XS_ARENA_NEW(&result->arena, double, largest);
  int complete = result->gather != NULL;
  for (int s = 0; s < XS_RESULT_SLOTS; s++) {
    xs_result_slot *slot = &result->slots[s];
    slot->arrays = XS_ARENA_NEW(&result->arena, hid_t, n);
    slot->sequence = slot->step = slot->records = slot->checksum = -1;
    for (int i = 0; slot->arrays && i < n; i++) slot->arrays[i] = -1;
    complete = complete && slot->arrays;
  }
  if (complete) return XS_OK;
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for checkpoints");
}

xs_status xs_result_checkpoint_create(xs_result *result, xs_report *report) {
  xs_status status = reserve(result, report);
  if (status != XS_OK) return status;
  hid_t parent = H5Gcreate2(result->file, "checkpoint", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int made = parent >= 0;
  for (int s = 0; made && s < XS_RESULT_SLOTS; s++) {
    char name[16];
    snprintf(name, sizeof name, "slot%d", s);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    made = group >= 0 && create_slot(result, group, &result->slots[s]) >= 0;
    if (group >= 0 && H5Gclose(group) < 0) made = 0;
  }
  if (parent >= 0 && H5Gclose(parent) < 0) made = 0;
  return made ? XS_OK : xs_result_fail(result, "cannot create the checkpoint", report);
}

/* ---- writing ---- */

static uint64_t begin_checksum(int64_t step, int64_t records) {
  const int64_t counters[] = {step, records};
  return xs_hash_words(XS_HASH_START, counters, 2);
}

static herr_t write_int64(hid_t dataset, int64_t value) {
  return H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
}

/* Writes an array, and takes it into the checksum. */
static herr_t write_array(const xs_result *result, hid_t dataset, const xs_persist *array,
                          uint64_t *checksum) {
  size_t components = (size_t)array->components;
  if (size_of(array) == 0) return 0;
  for (size_t i = 0; i < (size_t)array->items; i++)
    memcpy(result->gather + i * components, array->data + i * (size_t)array->stride,
           components * sizeof(double));
  *checksum = xs_hash_words(*checksum, result->gather, size_of(array));
  return H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result->gather);
}

xs_status xs_result_checkpoint(xs_result *result, xs_report *report) {
  xs_status status = xs_result_flush(result, report);
  if (status != XS_OK) return status;
  const int other = !result->newest_slot;
  const xs_result_slot *slot = &result->slots[other];
  const int64_t step = result->subject.state->step;
  uint64_t checksum = begin_checksum(step, result->records);
  int written =
      write_int64(slot->step, step) >= 0 && write_int64(slot->records, result->records) >= 0;
  for (int i = 0; written && i < result->subject.n_persist; i++)
    written = write_array(result, slot->arrays[i], &result->subject.persist[i], &checksum) >= 0;
  written = written && write_int64(slot->checksum, (int64_t)checksum) >= 0 &&
            write_int64(slot->sequence, step + 1) >= 0;
  if (!written || xs_result_store_error(result->store))
    return xs_result_fail(result, "cannot write the checkpoint", report);
  result->newest_slot = other;
  xs_result_keep(result);
  return XS_OK;
}

/* ---- loading ---- */

static hid_t open_in_slot(hid_t file, int s, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "checkpoint/slot%d/%s", s, name);
  return xs_result_hdf_exists(file, path) > 0 ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
}

/* Opens an array and compares its shape; negative if it does not fit. */
static hid_t open_array(hid_t file, int s, const xs_persist *array) {
  hsize_t dims[2] = {0, 0};
  hid_t dataset = open_in_slot(file, s, array->name);
  hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
  int fits = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
             H5Sget_simple_extent_dims(space, dims, NULL) == 2 &&
             dims[0] == (hsize_t)array->items && dims[1] == (hsize_t)array->components &&
             xs_result_hdf_has_type(dataset, H5T_IEEE_F64LE);
  if (space >= 0) H5Sclose(space);
  if (dataset >= 0 && !fits) H5Dclose(dataset);
  return fits ? dataset : -1;
}

/* The one number of a dataset; negative if it is unreadable. */
static herr_t read_int64(hid_t dataset, int64_t *value) {
  hid_t space = H5Dget_space(dataset);
  int single = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
               H5Sget_simple_extent_npoints(space) == 1;
  if (space >= 0) H5Sclose(space);
  single = single && xs_result_hdf_has_type(dataset, H5T_STD_I64LE);
  return single ? H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) : -1;
}

/* Opens a counter of a slot and tries to read it; negative if that fails. */
static hid_t open_counter(hid_t file, int s, const char *name) {
  int64_t value;
  hid_t dataset = open_in_slot(file, s, name);
  if (dataset < 0 || read_int64(dataset, &value) >= 0) return dataset;
  H5Dclose(dataset);
  return -1;
}

/* 1 if all numbers of an array can be read; they go to the work space. */
static int readable(const xs_result *result, hid_t dataset, const xs_persist *array) {
  if (size_of(array) == 0) return 1;
  return H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result->gather) >= 0;
}

static xs_status open_slot(xs_result *result, int s, xs_report *report) {
  xs_result_slot *slot = &result->slots[s];
  const char *missing = NULL;
  slot->sequence = open_counter(result->file, s, "sequence");
  slot->step = open_counter(result->file, s, "step");
  slot->records = open_counter(result->file, s, "records");
  slot->checksum = open_counter(result->file, s, "checksum");
  if (slot->sequence < 0 || slot->step < 0 || slot->records < 0 || slot->checksum < 0)
    missing = "its counters";
  int64_t owner, places;
  if (!missing && (xs_result_hdf_get(slot->checksum, OWNER, H5T_NATIVE_INT64, &owner) < 0 ||
                   owner != owner_of(result->subject.source)))
    return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                           "damaged: the checkpoint in /checkpoint/slot%d is of another scene or "
                           "of other overrides",
                           s);
  for (int i = 0; !missing && i < result->subject.n_persist; i++) {
    slot->arrays[i] = open_array(result->file, s, &result->subject.persist[i]);
    if (slot->arrays[i] < 0 || !readable(result, slot->arrays[i], &result->subject.persist[i]))
      missing = result->subject.persist[i].name;
  }
  if (!missing && (xs_result_hdf_get(slot->checksum, PLACES, H5T_NATIVE_INT64, &places) < 0 ||
                   places != places_of(result, slot)))
    return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                           "damaged: /checkpoint/slot%d does not stand in the file where it was "
                           "put",
                           s);
  if (!missing) return XS_OK;
  return xs_report_error(
      report, XS_IO, &(xs_place){.file = xs_result_name(result)},
      "the checkpoint does not fit its scene or is damaged: %s missing, unreadable or of "
      "another shape in /checkpoint/slot%d",
      missing, s);
}

/* Reads an array, and takes it into the checksum. */
static herr_t read_array(const xs_result *result, hid_t dataset, const xs_persist *array,
                         uint64_t *checksum) {
  size_t components = (size_t)array->components;
  if (size_of(array) == 0) return 0;
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result->gather) < 0)
    return -1;
  *checksum = xs_hash_words(*checksum, result->gather, size_of(array));
  for (size_t i = 0; i < (size_t)array->items; i++)
    memcpy(array->data + i * (size_t)array->stride, result->gather + i * components,
           components * sizeof(double));
  return 0;
}

xs_status xs_result_checkpoint_open(xs_result *result, xs_report *report) {
  xs_status status = reserve(result, report);
  for (int s = 0; status == XS_OK && s < XS_RESULT_SLOTS; s++)
    status = open_slot(result, s, report);
  return status;
}

/* Loads a slot; 0 if it cannot be read, or if its content is not what was written. */
static int load_slot(xs_result *result, int s, int64_t *records) {
  const xs_result_slot *slot = &result->slots[s];
  int64_t sequence = 0, step = -1, stored = 0;
  int loaded = read_int64(slot->sequence, &sequence) >= 0 && read_int64(slot->step, &step) >= 0 &&
               read_int64(slot->records, records) >= 0 &&
               read_int64(slot->checksum, &stored) >= 0 && step >= 0 && *records >= 0 &&
               sequence - 1 == step;
  uint64_t checksum = begin_checksum(step, *records);
  for (int i = 0; loaded && i < result->subject.n_persist; i++)
    loaded = read_array(result, slot->arrays[i], &result->subject.persist[i], &checksum) >= 0;
  if (!loaded || checksum != (uint64_t)stored) return 0;
  result->subject.state->step = step;
  result->newest_slot = s;
  return 1;
}

xs_status xs_result_checkpoint_load(xs_result *result, int64_t *records, xs_report *report) {
  const xs_place place = {.file = xs_result_name(result)};
  int64_t sequence[XS_RESULT_SLOTS] = {0};
  for (int s = 0; s < XS_RESULT_SLOTS; s++)
    if (read_int64(result->slots[s].sequence, &sequence[s]) < 0)
      return xs_result_fail(result, "cannot read the checkpoint", report);

  const int newest = sequence[1] > sequence[0];
  if (sequence[newest] < 1)
    return xs_report_error(report, XS_IO, &place,
                           "holds no checkpoint: the run was cut off before its first one; start "
                           "it again with --force");
  if (load_slot(result, newest, records)) return XS_OK;
  if (sequence[!newest] < 1 || !load_slot(result, !newest, records))
    return xs_report_error(report, XS_IO, &place,
                           "damaged: the checkpoint is not what was written (its checksum "
                           "differs), nor is there another one; --rerun runs the scene again");
  xs_report_warning(report, &place,
                    "the newest checkpoint is damaged (its checksum differs): going on from the "
                    "other one, of step %" PRId64,
                    result->subject.state->step);
  return XS_OK;
}

/* ---- settling ---- */

/* Copies a dataset of so many numbers of 8 bytes. */
static herr_t copy_numbers(const xs_result *result, hid_t from, hid_t to, hid_t type, size_t n) {
  if (n == 0) return 0;
  if (H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result->gather) < 0) return -1;
  return H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result->gather);
}

xs_status xs_result_checkpoint_settle(xs_result *result, xs_report *report) {
  const xs_result_slot *from = &result->slots[result->newest_slot];
  const xs_result_slot *to = &result->slots[!result->newest_slot];
  const hid_t integer = H5T_NATIVE_INT64, number = H5T_NATIVE_DOUBLE;
  int copied = copy_numbers(result, from->step, to->step, integer, 1) >= 0 &&
               copy_numbers(result, from->records, to->records, integer, 1) >= 0 &&
               copy_numbers(result, from->checksum, to->checksum, integer, 1) >= 0;
  for (int i = 0; copied && i < result->subject.n_persist; i++) {
    const xs_persist *array = &result->subject.persist[i];
    copied = copy_numbers(result, from->arrays[i], to->arrays[i], number, size_of(array)) >= 0;
  }
  copied = copied && copy_numbers(result, from->sequence, to->sequence, integer, 1) >= 0;
  return copied ? XS_OK : xs_result_fail(result, "cannot copy the checkpoint", report);
}
