/* The arena: a list of blocks, each filled from its start to its end.
 *
 * A block is a header followed by its memory; every piece starts on a multiple of
 * ALIGN, and sizes are rounded up to it. A request that does not fit into the rest of
 * the newest block gets a new block: a regular one, or one of its own size if it is large. A large
 * one is put behind the newest, whose rest stays in use. Regular blocks grow with the arena, so
 * that one for a few texts does not pay for the zeroing of much more.
 *
 * Left out: giving back single pieces, and use by several threads at once. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIGN = 64,               /* bytes; see the header */
  FIRST_BYTES = 8 * 1024,   /* of the first regular block; each is as large as all before it */
  BLOCK_BYTES = 256 * 1024, /* at most: large against small pieces, small against memory */
  LARGE_BYTES = BLOCK_BYTES / 4
};

struct xs_arena_block {
  xs_arena_block *older;
  char *free; /* the next piece starts here, aligned */
  size_t n_free;
};

/* A block with room for bytes, zeroed; NULL when memory is exhausted. */
static xs_arena_block *new_block(size_t bytes) {
  size_t overhead = sizeof(xs_arena_block) + ALIGN;
  if (bytes > SIZE_MAX - overhead) return NULL;
  xs_arena_block *block = calloc(1, overhead + bytes);
  if (!block) return NULL;

  uintptr_t after_header = (uintptr_t)(block + 1);
  size_t padding = (ALIGN - after_header % ALIGN) % ALIGN;
  block->free = (char *)(block + 1) + padding;
  block->n_free = bytes;
  return block;
}

/* A block of the arena with room for bytes (a multiple of ALIGN). */
static xs_arena_block *block_with_room(xs_arena *arena, size_t bytes) {
  xs_arena_block *newest = arena->newest;
  if (newest && newest->n_free >= bytes) return newest;

  int large = bytes > LARGE_BYTES;
  size_t regular = arena->allocated > FIRST_BYTES ? arena->allocated : FIRST_BYTES;
  if (regular > BLOCK_BYTES) regular = BLOCK_BYTES;
  if (regular < bytes) regular = bytes;
  xs_arena_block *block = new_block(large ? bytes : regular);
  if (!block) return NULL;

  /* A large block is full at once: it must not hide the rest of the newest one. */
  if (large && newest) {
    block->older = newest->older;
    newest->older = block;
  } else {
    block->older = newest;
    arena->newest = block;
  }
  return block;
}

void *xs_arena_alloc(xs_arena *arena, size_t count, size_t size) {
  xs_arena_block *block = NULL;
  size_t bytes = 0;
  if (!arena->exhausted && (size == 0 || count <= (SIZE_MAX - ALIGN) / size)) {
    bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    /* Also an empty piece takes room, so that every piece has an address of its own. */
    if (bytes == 0) bytes = ALIGN;
    block = block_with_room(arena, bytes);
  }
  arena->exhausted = !block;
  if (!block) return NULL;
  void *piece = block->free;
  block->free += bytes;
  block->n_free -= bytes;
  arena->allocated += bytes;
  return piece;
}

char *xs_arena_copy_text(xs_arena *arena, const char *text) {
  size_t bytes = strlen(text) + 1;
  char *copy = xs_arena_alloc(arena, bytes, 1);
  return copy ? memcpy(copy, text, bytes) : NULL;
}

void xs_arena_free(xs_arena *arena) {
  for (xs_arena_block *block = arena->newest, *older; block; block = older) {
    older = block->older;
    free(block);
  }
  *arena = (xs_arena){0};
}
