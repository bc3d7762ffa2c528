/* Pieces of a file that are not written yet: disjoint ranges of bytes, by address.
 *
 * A newer piece takes its place out of older ones. A place is found by bisection: a result of
 * thousands of datasets has tens of thousands of pieces pending at once. */
#ifndef XS_IO_RESULT_PIECES_H
#define XS_IO_RESULT_PIECES_H

#include <stdint.h>

#include "base/arena.h"

typedef struct xs_result_piece {
  uint64_t address; /* in the file */
  size_t size;
  unsigned char *bytes;
  int kind, rank; /* the owner's */
} xs_result_piece;

/* All zero: empty. */
typedef struct xs_result_pieces {
  size_t n, room;
  xs_result_piece **by_address, **list; /* room pointers each; list: see there */
  uint64_t end;                         /* behind the last of them; 0 without any */
  unsigned char *first; /* pieces and their bytes; what is cut out is given back with the others */
  size_t first_used;
  xs_arena more; /* those that have no room there */
} xs_result_pieces;

/* Room to begin with, so that a flush of a result of few datasets allocates nothing here. 0 if
 * memory is exhausted; pieces go without. */
int xs_result_pieces_reserve(xs_result_pieces *pieces);

/* A copy of bytes as a piece. 0 if memory is exhausted; what was there may then be gone. */
int xs_result_pieces_put(xs_result_pieces *pieces, int kind, uint64_t address, size_t size,
                         const void *bytes);

/* Takes [address, address + size) out of all pieces. 0 if memory is exhausted. */
int xs_result_pieces_cut(xs_result_pieces *pieces, uint64_t address, size_t size);

/* Copies what pieces hold of [address, address + size) over the same of a buffer. */
void xs_result_pieces_lay_over(const xs_result_pieces *pieces, uint64_t address, size_t size,
                               void *buffer);

/* All n of them by address, to be ranked and sorted by the owner; valid until the next put or cut.
 */
xs_result_piece **xs_result_pieces_list(xs_result_pieces *pieces);

/* Drops all of them; free also gives the room back. */
void xs_result_pieces_clear(xs_result_pieces *pieces);
void xs_result_pieces_free(xs_result_pieces *pieces);

#endif
