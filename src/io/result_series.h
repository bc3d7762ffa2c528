/* Series: a dataset that grows along its first axis, and the rows of it that are not yet in the
 * file.
 *
 * Its buffer begins at row `first`. Uncompressed, that is the first row not written. Compressed,
 * it is the first row of the last chunk that is not full: such a chunk is written unfiltered each
 * time, at one and the same place, and compressed when it is full, at another
 * (xs_result_store_leave). */
#ifndef XS_IO_RESULT_SERIES_H
#define XS_IO_RESULT_SERIES_H

#include <hdf5.h>
#include <stdint.h>

#include "io/result_pack.h"
#include "io/result_store.h"

typedef struct xs_result_series {
  const char *path;
  hid_t dataset, memory_type; /* H5T_NATIVE_DOUBLE or _INT64 */
  int rank;
  hsize_t dims[3], chunk[3]; /* dims[0] = rows in the file */
  int compression;           /* level of deflate, after shuffle; 0: no filters */
  size_t row_bytes;
  int stale;            /* written past the filters, and not opened anew since */
  char *rows;           /* room for those of a write and chunk[0] - 1 more */
  int64_t first;        /* row of rows[0] */
  xs_result_place tail; /* where the chunk of `first` stands in the file, unfiltered; size 0: not */
} xs_result_series;

/* Sets rank, dims, type and bytes of rows of entries x components numbers; entries 0: one axis
 * less. */
void xs_result_series_shape(xs_result_series *series, hsize_t entries, hsize_t components,
                            hid_t memory_type);

/* Chunks of about so many bytes, no longer than the rows that will come; a row that is larger is
 * divided along its entries. */
void xs_result_series_divide(xs_result_series *series, hsize_t rows, size_t bytes);

/* Makes the dataset, empty; compression 0 to 9. Shape and chunks are set. */
herr_t xs_result_series_create(xs_result_series *series, hid_t file, int compression,
                               const char *unit, const char *long_name);

/* Bytes of a chunk that is written anew as it fills; 0 where none is. */
size_t xs_result_series_tail_bytes(const xs_result_series *series);

/* Opens the dataset and takes rows, chunks and compression from it; 0 if it is missing or of
 * another shape, type or filters. */
int xs_result_series_open(xs_result_series *series, hid_t file);

/* Before it is read where it was written: HDF5 1.10 keeps the filters of the chunk that it looked
 * up last, also when H5Dwrite_chunk has changed them since. Opened anew, a dataset knows better. */
herr_t xs_result_series_refresh(xs_result_series *series, hid_t file);

/* 1 if the file has the chunks of so many rows (a kill may have left an extent without). Counting
 * them walks through the whole index, which shows damage to it. */
int xs_result_series_has_chunks(const xs_result_series *series, int64_t rows);

/* 1 unless the extent claims rows, more than a buffer of them, that no chunks are there for: HDF5
 * would look for each of them when it is cut, for years if there are enough. */
int xs_result_series_is_filled(const xs_result_series *series);

/* Writes the buffered rows up to row `end`; final: also compresses the last chunk. Nothing refers
 * to them before the next commit. packer: for chunks of xs_result_series_tail_bytes. */
herr_t xs_result_series_write(xs_result_series *series, xs_result_store *store,
                              xs_result_packer *packer, int64_t end, int final);

/* Going back to so many rows: refill reads into the buffer what has to be written again, cut does
 * the rest. */
herr_t xs_result_series_refill(xs_result_series *series, int64_t rows);
herr_t xs_result_series_cut(xs_result_series *series, xs_result_store *store,
                            xs_result_packer *packer, int64_t rows);

#endif
