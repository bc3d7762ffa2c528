/* Series: datasets that grow, in chunks (result_series.h). */
#include "io/result_series.h"

#include <string.h>

#include "io/result_format.h"
#include "io/result_hdf.h"

/* ---- shape ---- */

void xs_result_series_shape(xs_result_series *series, hsize_t entries, hsize_t components,
                            hid_t memory_type) {
  series->rank = 1;
  series->dims[0] = 0;
  series->dims[1] = series->dims[2] = 1;
  if (entries > 0) series->dims[series->rank++] = entries;
  if (components > 1) series->dims[series->rank++] = components;
  series->row_bytes = (size_t)((entries > 0 ? entries : 1) * components) * sizeof(double);
  series->memory_type = memory_type;
}

void xs_result_series_divide(xs_result_series *series, hsize_t rows, size_t bytes) {
  size_t entry_bytes = series->row_bytes;
  series->chunk[1] = series->dims[1];
  series->chunk[2] = series->dims[2];
  series->chunk[0] = bytes / series->row_bytes;
  if (series->chunk[0] > rows) series->chunk[0] = rows;
  if (series->chunk[0] > 0) return;
  series->chunk[0] = 1;
  entry_bytes /= (size_t)series->dims[1];
  series->chunk[1] = bytes / entry_bytes;
}

/* ---- datasets ---- */

static hid_t file_type(const xs_result_series *series) {
  return series->memory_type == H5T_NATIVE_INT64 ? H5T_STD_I64LE : H5T_IEEE_F64LE;
}

/* Chunks, filters; no fill values (every row is written), no times in the headers. */
static hid_t creation_plan(const xs_result_series *series, int compression) {
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
  if (plan < 0) return plan;
  int bad = H5Pset_chunk(plan, series->rank, series->chunk) < 0 ||
            H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER) < 0 || H5Pset_obj_track_times(plan, 0) < 0;
  if (!bad && compression > 0)
    bad = H5Pset_shuffle(plan) < 0 || H5Pset_deflate(plan, (unsigned)compression) < 0;
  if (!bad) return plan;
  H5Pclose(plan);
  return -1;
}

herr_t xs_result_series_create(xs_result_series *series, hid_t file, int compression,
                               const char *unit, const char *long_name) {
  hsize_t most[3] = {H5S_UNLIMITED, series->dims[1], series->dims[2]};
  series->compression = compression;
  series->dataset = -1;
  hid_t plan = creation_plan(series, compression);
  hid_t space = H5Screate_simple(series->rank, series->dims, most);
  if (plan >= 0 && space >= 0)
    series->dataset =
        H5Dcreate2(file, series->path, file_type(series), space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  if (space >= 0) H5Sclose(space);
  return series->dataset < 0 ? -1 : xs_result_hdf_describe(series->dataset, unit, long_name);
}

size_t xs_result_series_tail_bytes(const xs_result_series *series) {
  if (series->compression == 0 || series->chunk[0] == 1) return 0;
  return (size_t)series->chunk[0] * series->row_bytes;
}

/* Takes the filters from a plan: none, or those that creation_plan sets. */
static int take_filters(xs_result_series *series, hid_t plan) {
  const int n = H5Pget_nfilters(plan);
  unsigned flags, number = 0, level = 0;
  size_t n_number = 1, n_level = 1; /* parameters: shuffle's, bytes of a number; deflate's */
  series->compression = 0;
  if (n == 0) return 1;
  /* What is written past the filters is a chunk of whole rows. */
  if (series->chunk[0] > 1 &&
      (series->chunk[1] != series->dims[1] || series->chunk[2] != series->dims[2]))
    return 0;
  if (n != 2 ||
      H5Pget_filter2(plan, 0, &flags, &n_number, &number, 0, NULL, NULL) != H5Z_FILTER_SHUFFLE ||
      H5Pget_filter2(plan, 1, &flags, &n_level, &level, 0, NULL, NULL) != H5Z_FILTER_DEFLATE)
    return 0;
  series->compression = (int)level;
  return n_number == 1 && number == sizeof(double) && n_level == 1 && level >= 1 && level <= 9;
}

int xs_result_series_open(xs_result_series *series, hid_t file) {
  series->dataset = -1;
  if (xs_result_hdf_exists(file, series->path) > 0)
    series->dataset = H5Dopen2(file, series->path, H5P_DEFAULT);
  if (series->dataset < 0) return 0;
  hsize_t dims[3] = {0, 1, 1}, most[3] = {0, 0, 0};
  hid_t space = H5Dget_space(series->dataset), plan = H5Dget_create_plist(series->dataset);
  int fits = space >= 0 && plan >= 0 && H5Sget_simple_extent_ndims(space) == series->rank &&
             H5Sget_simple_extent_dims(space, dims, most) == series->rank &&
             most[0] == H5S_UNLIMITED && H5Pget_layout(plan) == H5D_CHUNKED &&
             dims[1] == series->dims[1] && dims[2] == series->dims[2];
  if (fits) {
    series->dims[0] = dims[0];
    series->chunk[1] = series->chunk[2] = 1;
    fits = H5Pget_chunk(plan, 3, series->chunk) == series->rank && take_filters(series, plan);
  }
  if (space >= 0) H5Sclose(space);
  if (plan >= 0) H5Pclose(plan);
  return fits && xs_result_hdf_has_type(series->dataset, file_type(series));
}

herr_t xs_result_series_refresh(xs_result_series *series, hid_t file) {
  if (!series->stale) return 0;
  series->stale = 0;
  if (H5Dclose(series->dataset) < 0) return -1;
  series->dataset = H5Dopen2(file, series->path, H5P_DEFAULT);
  return series->dataset < 0 ? -1 : 0;
}

static int count_chunks(const xs_result_series *series, hsize_t *found) {
  hid_t space = H5Dget_space(series->dataset);
  const int counted = space >= 0 && H5Dget_num_chunks(series->dataset, space, found) >= 0;
  if (space >= 0) H5Sclose(space);
  return counted;
}

int xs_result_series_has_chunks(const xs_result_series *series, int64_t rows) {
  hsize_t wanted = 1, found = 0;
  for (int k = 0; k < series->rank; k++) {
    const hsize_t length = k == 0 ? (hsize_t)rows : series->dims[k], chunk = series->chunk[k];
    if (chunk == 0) return 0;
    const hsize_t along = length / chunk + (length % chunk > 0);
    if (along > 0 && wanted > UINT64_MAX / along) return 0;
    wanted *= along;
  }
  return count_chunks(series, &found) && found >= wanted;
}

int xs_result_series_is_filled(const xs_result_series *series) {
  hsize_t found = 0;
  const hsize_t buffer = XS_RESULT_BUFFER / series->row_bytes + series->chunk[0];
  return count_chunks(series, &found) &&
         (series->dims[0] <= buffer || (series->dims[0] - buffer) / series->chunk[0] <= found);
}

/* ---- writing ---- */

/* HDF5's read or write of the buffered rows [first, end). */
static herr_t transfer(xs_result_series *series, int64_t first, int64_t end, int writing) {
  hsize_t start[3] = {(hsize_t)first, 0, 0};
  hsize_t count[3] = {(hsize_t)(end - first), series->dims[1], series->dims[2]};
  char *rows = series->rows + (size_t)(first - series->first) * series->row_bytes;
  if (first >= end) return 0;
  herr_t status = -1;
  hid_t memory = H5Screate_simple(series->rank, count, NULL), file = H5Dget_space(series->dataset);
  if (memory >= 0 && file >= 0 &&
      H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
    status = writing
                 ? H5Dwrite(series->dataset, series->memory_type, memory, file, H5P_DEFAULT, rows)
                 : H5Dread(series->dataset, series->memory_type, memory, file, H5P_DEFAULT, rows);
  if (memory >= 0) H5Sclose(memory);
  if (file >= 0) H5Sclose(file);
  return status;
}

/* Writes the chunk of rows[0]: size bytes that have gone through the filters, or not. */
static herr_t write_chunk(xs_result_series *series, const void *bytes, size_t size, int filtered) {
  const uint32_t skip_all_filters = 0x3;
  hsize_t offset[3] = {(hsize_t)series->first, 0, 0};
  series->stale = 1;
  return H5Dwrite_chunk(series->dataset, H5P_DEFAULT, filtered ? 0 : skip_all_filters, offset, size,
                        bytes);
}

/* Replaces the chunk that was written unfiltered: packed and at another place, as its size is
 * another; or else at the same place by what stands there and the rows behind it. */
static herr_t replace_tail(xs_result_series *series, xs_result_store *store,
                           xs_result_packer *packer) {
  const size_t bytes = xs_result_series_tail_bytes(series);
  const size_t packed = xs_result_pack(packer, series->rows, bytes, series->compression);
  if (packed == 0) return write_chunk(series, series->rows, bytes, 0);
  if (write_chunk(series, packer->packed, packed, 1) < 0) return -1;
  xs_result_store_leave(store, series->tail);
  return 0;
}

/* Rows up to `end` through the filters, if there are any. */
static herr_t write_filtered(xs_result_series *series, xs_result_store *store,
                             xs_result_packer *packer, int64_t end) {
  int64_t first = series->first;
  if (series->tail.size > 0) {
    if (replace_tail(series, store, packer) < 0) return -1;
    series->tail = (xs_result_place){0};
    first += (int64_t)series->chunk[0];
  }
  return transfer(series, first, end, 1);
}

/* The extent only grows over rows that are written before the next commit. */
static herr_t grow(xs_result_series *series, int64_t end) {
  if ((hsize_t)end <= series->dims[0]) return 0;
  series->dims[0] = (hsize_t)end;
  return H5Dset_extent(series->dataset, series->dims);
}

/* Full chunks through the filters, what remains as a chunk that skips them: always of the
 * same size and at the same place until it is full. */
static herr_t write_compressed(xs_result_series *series, xs_result_store *store,
                               xs_result_packer *packer, int64_t end) {
  int64_t chunk = (int64_t)series->chunk[0], edge = end / chunk * chunk;
  if (edge > series->first) {
    if (grow(series, edge) < 0 || write_filtered(series, store, packer, edge) < 0) return -1;
    memmove(series->rows, series->rows + (size_t)(edge - series->first) * series->row_bytes,
            (size_t)(end - edge) * series->row_bytes);
    series->first = edge;
  }
  if (end == edge) return 0;
  if (grow(series, end) < 0 ||
      write_chunk(series, series->rows, xs_result_series_tail_bytes(series), 0) < 0)
    return -1;
  series->tail = xs_result_store_written(store);
  return 0;
}

herr_t xs_result_series_write(xs_result_series *series, xs_result_store *store,
                              xs_result_packer *packer, int64_t end, int final) {
  if (series->compression > 0 && !final) return write_compressed(series, store, packer, end);
  if (grow(series, end) < 0 || write_filtered(series, store, packer, end) < 0) return -1;
  series->first = end;
  return 0;
}

/* ---- going back ---- */

herr_t xs_result_series_refill(xs_result_series *series, int64_t rows) {
  const int64_t chunk = (int64_t)series->chunk[0];
  series->first = series->compression > 0 ? rows / chunk * chunk : rows;
  return transfer(series, series->first, rows, 0);
}

/* To the end of what the buffer does not hold; the last chunk is written anew, elsewhere. */
herr_t xs_result_series_cut(xs_result_series *series, xs_result_store *store,
                            xs_result_packer *packer, int64_t rows) {
  series->tail = (xs_result_place){0};
  series->dims[0] = (hsize_t)series->first;
  if (H5Dset_extent(series->dataset, series->dims) < 0) return -1;
  return xs_result_series_write(series, store, packer, rows, 0);
}
