/* Shuffle and deflate (result_pack.h). */
#include "io/result_pack.h"

#include <assert.h>
#include <zlib.h>

enum { NUMBER = 8 }; /* bytes */

int xs_result_packer_create(size_t bytes, xs_arena *arena, xs_result_packer *packer) {
  packer->bytes = bytes;
  packer->shuffled = xs_arena_alloc(arena, bytes, 1);
  packer->packed = xs_arena_alloc(arena, bytes, 1);
  return packer->shuffled && packer->packed;
}

/* First the first bytes of all numbers, then the second ones, ... */
static void shuffle(const unsigned char *from, size_t bytes, unsigned char *to) {
  const size_t n = bytes / NUMBER;
  for (size_t k = 0; k < NUMBER; k++)
    for (size_t i = 0; i < n; i++) *to++ = from[i * NUMBER + k];
}

size_t xs_result_pack(xs_result_packer *packer, const void *chunk, size_t bytes, int level) {
  assert(bytes <= packer->bytes && bytes % NUMBER == 0);
  shuffle(chunk, bytes, packer->shuffled);
  uLongf size = bytes - 1; /* more room than that is not wanted */
  return compress2(packer->packed, &size, packer->shuffled, bytes, level) == Z_OK ? size : 0;
}

const char *xs_result_pack_version(void) { return zlibVersion(); }
