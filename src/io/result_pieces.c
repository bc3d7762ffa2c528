/* Pending pieces of a file (result_pieces.h).
 *
 * To the tree two ranges are equal if they overlap. Pieces never do; so the tree is in order, and
 * asked for a range it gives one of those that overlap it. What is cut from a piece at either end
 * leaves it in its place. */
#include "io/result_pieces.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

static int compare(const void *left, const void *right) {
  const xs_result_piece *a = left, *b = right;
  if (a->address + a->size <= b->address) return -1;
  return b->address + b->size <= a->address;
}

/* One of the pieces that overlap a range, or NULL. */
static xs_result_piece *overlapping(const xs_result_pieces *pieces, uint64_t address, size_t size) {
  const xs_result_piece range = {.address = address, .size = size};
  void *const *found = size > 0 ? tfind(&range, &pieces->tree, compare) : NULL;
  return found ? *found : NULL;
}

/* A piece with its bytes behind it, not yet in the tree. */
static xs_result_piece *make(xs_result_pieces *pieces, int kind, uint64_t address, size_t size,
                             const void *bytes) {
  xs_result_piece *made = xs_arena_alloc(&pieces->arena, 1, sizeof *made + size);
  if (!made) return NULL;
  memcpy(made + 1, bytes, size);
  *made = (xs_result_piece){address, size, (unsigned char *)(made + 1), kind, 0};
  return made;
}

/* Puts a piece that overlaps none into the tree. */
static int insert(xs_result_pieces *pieces, xs_result_piece *piece) {
  if (pieces->n == pieces->room) {
    const size_t room = pieces->room ? 2 * pieces->room : FIRST_ROOM;
    xs_result_piece **grown = realloc(pieces->order, room * sizeof *grown);
    if (!grown) return 0;
    pieces->order = grown;
    pieces->room = room;
  }
  if (!tsearch(piece, &pieces->tree, compare)) return 0;
  pieces->n++;
  if (piece->address + piece->size > pieces->end) pieces->end = piece->address + piece->size;
  return 1;
}

int xs_result_pieces_cut(xs_result_pieces *pieces, uint64_t address, size_t size) {
  const uint64_t end = address + size;
  for (xs_result_piece *old; (old = overlapping(pieces, address, size)) != NULL;) {
    const uint64_t old_end = old->address + old->size;
    if (old->address >= address && old_end <= end) {
      (void)tdelete(old, &pieces->tree, compare);
      pieces->n--;
    } else if (old->address >= address) { /* what stands behind stays */
      old->bytes += end - old->address;
      old->size = (size_t)(old_end - end);
      old->address = end;
    } else { /* what stands before stays, and perhaps what stands behind */
      xs_result_piece *behind = NULL;
      if (old_end > end) {
        behind = make(pieces, old->kind, end, (size_t)(old_end - end),
                      old->bytes + (end - old->address));
        if (!behind) return 0;
      }
      old->size = (size_t)(address - old->address);
      if (behind && !insert(pieces, behind)) return 0;
    }
  }
  return 1;
}

int xs_result_pieces_put(xs_result_pieces *pieces, int kind, uint64_t address, size_t size,
                         const void *bytes) {
  xs_result_piece *old = overlapping(pieces, address, size);
  /* The usual case: a block that was flushed before, once more. */
  if (old && old->address == address && old->size == size && old->kind == kind) {
    memcpy(old->bytes, bytes, size);
    return 1;
  }
  xs_result_piece *made = make(pieces, kind, address, size, bytes);
  return made && xs_result_pieces_cut(pieces, address, size) && insert(pieces, made);
}

void xs_result_pieces_lay_over(const xs_result_pieces *pieces, uint64_t address, size_t size,
                               void *buffer) {
  const xs_result_piece *piece = overlapping(pieces, address, size);
  if (!piece) return;
  const uint64_t end = address + size, piece_end = piece->address + piece->size;
  const uint64_t first = piece->address > address ? piece->address : address;
  const uint64_t last = piece_end < end ? piece_end : end;
  memcpy((char *)buffer + (first - address), piece->bytes + (first - piece->address),
         (size_t)(last - first));
  /* The ranges before and behind it: each piece is met once. */
  xs_result_pieces_lay_over(pieces, address, (size_t)(first - address), buffer);
  xs_result_pieces_lay_over(pieces, last, (size_t)(end - last), (char *)buffer + (last - address));
}

/* ---- All of them ---- */

typedef struct listing {
  xs_result_piece **order;
  size_t n;
} listing;

static void list_one(const void *node, VISIT visit, void *listing_) {
  listing *l = listing_;
  if (visit == postorder || visit == leaf) l->order[l->n++] = *(xs_result_piece *const *)node;
}

xs_result_piece **xs_result_pieces_list(xs_result_pieces *pieces) {
  listing l = {pieces->order, 0};
  twalk_r(pieces->tree, list_one, &l);
  return pieces->order;
}

static void keep(void *piece) { (void)piece; } /* the arena has it */

void xs_result_pieces_clear(xs_result_pieces *pieces) {
  tdestroy(pieces->tree, keep);
  xs_arena_free(&pieces->arena);
  pieces->tree = NULL;
  pieces->n = 0;
  pieces->end = 0;
}

void xs_result_pieces_free(xs_result_pieces *pieces) {
  xs_result_pieces_clear(pieces);
  free(pieces->order);
  *pieces = (xs_result_pieces){0};
}
