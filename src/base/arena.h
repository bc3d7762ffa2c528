/* Memory that is taken piece by piece and given back all at once.
 *
 * Everything that lives as long as a scene, a method or a recorder comes from an arena:
 * nothing has to be freed one by one, the step loop has nothing to allocate, and one
 * place counts what was used. Blocks come from calloc, so memory is zeroed. */
#ifndef XS_BASE_ARENA_H
#define XS_BASE_ARENA_H

#include <stddef.h>

typedef struct xs_arena_block xs_arena_block;

/* An all-zero xs_arena is empty and ready for use. */
typedef struct xs_arena {
  xs_arena_block *newest;
  size_t allocated; /* bytes handed out, padding included */
  int exhausted;    /* a piece could not be had: nor can any other one */
} xs_arena;

/* count * size bytes, zeroed, aligned to 64 bytes (a cache line, an AVX-512 vector).
 * NULL when memory is exhausted or count * size overflows, and from then on until the arena is
 * freed, so that of many pieces the last one tells of all. count = 0 gives a valid pointer that
 * must not be read. */
void *xs_arena_alloc(xs_arena *arena, size_t count, size_t size);

/* A copy of text, NULL when memory is exhausted. */
char *xs_arena_copy_text(xs_arena *arena, const char *text);

/* Gives everything back; the arena is empty and may be used again. */
void xs_arena_free(xs_arena *arena);

#define XS_ARENA_NEW(arena, type, count) \
  ((type *)xs_arena_alloc((arena), (size_t)(count), sizeof(type)))

#endif
