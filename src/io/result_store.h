/* The file under HDF5: a file driver whose metadata reaches the disk in commits.
 *
 * HDF5 describes its data by metadata (superblock, object headers, B-trees) that it writes
 * piece by piece; a process killed between two pieces leaves a file that may not open, and
 * a write that fails half-way leaves HDF5 unable to close. This driver closes both gaps:
 *
 * - Raw data go straight to the file. They lie where the metadata on disk does not look
 *   yet, or repeat the bytes that are there (xs_result_store_leave: when they move).
 * - Metadata are kept in memory until xs_result_store_commit, which writes them in an
 *   order in which every single write leaves a file that opens and holds all records up to
 *   the commit before: length of the file, superblock, pieces behind its old end and at empty
 *   places, B-tree nodes from the root down, the rest, object headers (the extents) last; in one
 *   that cuts rows off, headers first. A piece that a commit changes fits into a page (object
 *   headers change in eight bytes, B-tree nodes are aligned), which a kill does not split.
 * - After a failed write nothing more is written, HDF5 is told that all went well, and the
 *   error is kept for the next commit: so HDF5 always closes, and the file stays as the
 *   last commit left it. */
#ifndef XS_IO_RESULT_STORE_H
#define XS_IO_RESULT_STORE_H

#include <hdf5.h>

#include "base/report.h"
#include "io/result_places.h"

typedef struct xs_result_store xs_result_store;

/* A store on an open file; path (for messages) and fd must outlive it, fd stays open.
 * XS_INTERNAL without memory or when HDF5 refuses the driver. */
xs_status xs_result_store_create(int fd, const char *path, xs_result_store **store,
                                 xs_report *report);

/* HDF5's file on the store, made anew or opened; negative on failure. HDF5 reuses no room in it,
 * which a file must have been made for: made tells of an open file, also one without a store,
 * whether it was; negative on failure. */
hid_t xs_result_store_create_file(xs_result_store *store);
hid_t xs_result_store_open_file(xs_result_store *store);
int xs_result_store_made(hid_t file);

/* A second file of HDF5 on the store, for reading: what it would be after a commit of what HDF5 has
 * flushed. Negative on failure. */
hid_t xs_result_store_view(xs_result_store *store);

/* From here on the file is worth keeping: messages name it as path (which must outlive the
 * store) and say what it holds, no longer that nothing is kept. */
void xs_result_store_keep(xs_result_store *store, const char *path);

/* Brings what HDF5 has flushed (H5Fflush, H5Fclose) onto the disk. XS_IO with the cause if
 * a write failed, now or before. */
xs_status xs_result_store_commit(xs_result_store *store, xs_report *report);

/* Where data were last written. Without a cache of chunks, HDF5 writes a chunk at a stroke. */
xs_result_place xs_result_store_written(const xs_result_store *store);

/* Data have left a place, as a chunk does whose size changes: it is kept as it is until the next
 * commit, from which on the file on disk refers to their new place. */
void xs_result_store_leave(xs_result_store *store, xs_result_place place);

/* Until the next commit datasets get shorter: it writes their headers (the extents) first, and last
 * what HDF5 fills in place of rows that were cut off. */
void xs_result_store_cut(xs_result_store *store);

/* errno of the first write that failed; 0 while all is well. */
int xs_result_store_error(const xs_result_store *store);

/* What is pending is dropped. Nothing may have the file open through HDF5 any more. */
void xs_result_store_free(xs_result_store *store);

#endif
