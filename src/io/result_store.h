/* The file under HDF5: a file driver whose metadata reaches the disk in commits.
 *
 * HDF5 describes its data by metadata (superblock, object headers, B-trees) that it writes
 * piece by piece; a process killed between two pieces leaves a file that may not open, and
 * a write that fails half-way leaves HDF5 unable to close. This driver closes both gaps:
 *
 * - Raw data go straight to the file. They lie where the metadata on disk does not look
 *   yet, or repeat the bytes that are there. (The exception: xs_result_store_hold.)
 * - Metadata are kept in memory until xs_result_store_commit, which writes them in an
 *   order in which every single write leaves a file that opens and holds all records up to
 *   the commit before (but for held data, between them and their B-tree): length of the file,
 * superblock, pieces at places that were empty, B-tree nodes from the root down, the rest, object
 * headers (the extents) last. A piece that a commit changes fits into a page (object headers change
 * in eight bytes, B-tree nodes are aligned), which a kill does not split.
 * - After a failed write nothing more is written, HDF5 is told that all went well, and the
 *   error is kept for the next commit: so HDF5 always closes, and the file stays as the
 *   last commit left it. */
#ifndef XS_IO_RESULT_STORE_H
#define XS_IO_RESULT_STORE_H

#include <hdf5.h>

#include "base/report.h"

typedef struct xs_result_store xs_result_store;

/* A store on an open file; path (for messages) and fd must outlive it, fd stays open.
 * XS_INTERNAL without memory or when HDF5 refuses the driver. */
xs_status xs_result_store_create(int fd, const char *path, xs_result_store **store,
                                 xs_report *report);

/* A file access list that makes H5Fcreate and H5Fopen use the store, in the earliest
 * format; negative on failure. The caller closes it. */
hid_t xs_result_store_access(xs_result_store *store);

/* From here on the file is worth keeping: messages name it as path (which must outlive the
 * store) and say what it holds, no longer that nothing is kept. */
void xs_result_store_keep(xs_result_store *store, const char *path);

/* Brings what HDF5 has flushed (H5Fflush, H5Fclose) onto the disk. XS_IO with the cause if
 * a write failed, now or before. */
xs_status xs_result_store_commit(xs_result_store *store, xs_report *report);

/* Until the next commit data wait for it as well, to be written right before the B-trees: for
 * writing anew a chunk whose size changes, which HDF5 may put where the old one stands. A kill
 * between the two writes, chunk and B-tree node, some 20 us once for every chunk of a compressed
 * dataset, leaves a file that opens but with this one chunk unreadable; uncompressed results have
 * no such moment. */
void xs_result_store_hold(xs_result_store *store);

/* errno of the first write that failed; 0 while all is well. */
int xs_result_store_error(const xs_result_store *store);

/* What is pending is dropped. Nothing may have the file open through HDF5 any more. */
void xs_result_store_free(xs_result_store *store);

#endif
