/* Pieces of a file that are not written yet: disjoint ranges of bytes, by address.
 *
 * A newer piece takes its place out of older ones. Kept in the C library's balanced tree, so that
 * each operation takes a time that grows as the logarithm of the number of pieces: a result of
 * thousands of datasets has tens of thousands of them pending at once. */
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
  void *tree;
  xs_arena arena; /* pieces and their bytes: what is cut out is given back with the others */
  size_t n, room;
  uint64_t end;            /* behind the last of them; 0 without any */
  xs_result_piece **order; /* room pointers: see list */
} xs_result_pieces;

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

/* Drops all of them; free also gives the room for the list back. */
void xs_result_pieces_clear(xs_result_pieces *pieces);
void xs_result_pieces_free(xs_result_pieces *pieces);

#endif
