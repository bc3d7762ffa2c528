/* Pending pieces of a file (result_pieces.h).
 *
 * Pointers to pieces stand by address; a place is found by bisection. HDF5 flushes by address, so
 * that a new piece mostly comes last; else those behind it move by one. What is cut from a piece at
 * either end leaves it in its place. */
#include "io/result_pieces.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024, FIRST_BYTES = 1 << 20, ALIGN = 16 };

/* ---- Room ---- */

static int make_room(xs_result_pieces *pieces, size_t room) {
  xs_result_piece **by_address = realloc(pieces->by_address, room * sizeof *by_address);
  if (!by_address) return 0;
  pieces->by_address = by_address;
  xs_result_piece **list = realloc(pieces->list, room * sizeof *list);
  if (!list) return 0;
  pieces->list = list;
  pieces->room = room;
  return 1;
}

int xs_result_pieces_reserve(xs_result_pieces *pieces) {
  pieces->first = malloc(FIRST_BYTES);
  return pieces->first && make_room(pieces, FIRST_ROOM);
}

static void *take(xs_result_pieces *pieces, size_t size) {
  const size_t left = pieces->first ? FIRST_BYTES - pieces->first_used : 0;
  if (size > left) return xs_arena_alloc(&pieces->more, 1, size);
  void *taken = pieces->first + pieces->first_used;
  const size_t padded = (size + ALIGN - 1) / ALIGN * ALIGN;
  pieces->first_used += padded < left ? padded : left;
  return taken;
}

/* ---- Places ---- */

/* How many pieces end at or before an address: the index of the first that may overlap what begins
 * there. */
static size_t find(const xs_result_pieces *pieces, uint64_t address) {
  size_t low = 0, high = pieces->n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const xs_result_piece *piece = pieces->by_address[middle];
    if (piece->address + piece->size <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Puts a copy of bytes, which overlaps no piece, before piece `at`. */
static int insert(xs_result_pieces *pieces, size_t at, int kind, uint64_t address, size_t size,
                  const void *bytes) {
  if (pieces->n == pieces->room && !make_room(pieces, 2 * pieces->room + FIRST_ROOM)) return 0;
  xs_result_piece *made = take(pieces, sizeof *made + size);
  if (!made) return 0;
  memcpy(made + 1, bytes, size);
  *made = (xs_result_piece){address, size, (unsigned char *)(made + 1), kind, 0};
  xs_result_piece **place = pieces->by_address + at;
  memmove(place + 1, place, (pieces->n - at) * sizeof(xs_result_piece *));
  *place = made;
  pieces->n++;
  if (address + size > pieces->end) pieces->end = address + size;
  return 1;
}

int xs_result_pieces_cut(xs_result_pieces *pieces, uint64_t address, size_t size) {
  const uint64_t end = address + size;
  const size_t first = find(pieces, address);
  size_t whole = first; /* pieces first .. whole - 1 go as a whole */
  if (size == 0) return 1;
  for (size_t i = first; i < pieces->n && pieces->by_address[i]->address < end; i++) {
    xs_result_piece *old = pieces->by_address[i];
    const uint64_t old_end = old->address + old->size;
    if (old->address < address && old_end > end) { /* what stands before and behind stays */
      const size_t behind = (size_t)(old_end - end);
      const unsigned char *bytes = old->bytes + (end - old->address);
      if (!insert(pieces, i + 1, old->kind, end, behind, bytes)) return 0;
      old->size = (size_t)(address - old->address);
      return 1;
    }
    if (old->address < address) { /* what stands before stays */
      old->size = (size_t)(address - old->address);
      whole = i + 1;
    } else if (old_end > end) { /* what stands behind stays */
      old->bytes += end - old->address;
      old->size = (size_t)(old_end - end);
      old->address = end;
    } else {
      whole = i + 1;
    }
  }
  /* The first of them may have been cut only at its end. */
  size_t from = first;
  if (from < whole && pieces->by_address[from]->address < address) from++;
  if (from < whole) {
    memmove(pieces->by_address + from, pieces->by_address + whole,
            (pieces->n - whole) * sizeof(xs_result_piece *));
    pieces->n -= whole - from;
  }
  return 1;
}

int xs_result_pieces_put(xs_result_pieces *pieces, int kind, uint64_t address, size_t size,
                         const void *bytes) {
  const size_t at = find(pieces, address);
  xs_result_piece *old = at < pieces->n ? pieces->by_address[at] : NULL;
  /* The usual case: a block that was flushed before, once more. */
  if (old && old->address == address && old->size == size && old->kind == kind) {
    memcpy(old->bytes, bytes, size);
    return 1;
  }
  return xs_result_pieces_cut(pieces, address, size) &&
         insert(pieces, find(pieces, address), kind, address, size, bytes);
}

void xs_result_pieces_lay_over(const xs_result_pieces *pieces, uint64_t address, size_t size,
                               void *buffer) {
  const uint64_t end = address + size;
  for (size_t i = find(pieces, address); i < pieces->n; i++) {
    const xs_result_piece *piece = pieces->by_address[i];
    if (piece->address >= end) return;
    const uint64_t piece_end = piece->address + piece->size;
    const uint64_t first = piece->address > address ? piece->address : address;
    const uint64_t last = piece_end < end ? piece_end : end;
    memcpy((char *)buffer + (first - address), piece->bytes + (first - piece->address),
           (size_t)(last - first));
  }
}

/* ---- All of them ---- */

xs_result_piece **xs_result_pieces_list(xs_result_pieces *pieces) {
  if (pieces->n > 0) memcpy(pieces->list, pieces->by_address, pieces->n * sizeof *pieces->list);
  return pieces->list;
}

void xs_result_pieces_clear(xs_result_pieces *pieces) {
  xs_arena_free(&pieces->more);
  pieces->first_used = 0;
  pieces->n = 0;
  pieces->end = 0;
}

void xs_result_pieces_free(xs_result_pieces *pieces) {
  xs_result_pieces_clear(pieces);
  free(pieces->by_address);
  free(pieces->list);
  free(pieces->first);
  *pieces = (xs_result_pieces){0};
}
