/* The filters of compressed results, shuffle and deflate, as HDF5 applies them on writing a chunk.
 *
 * A chunk that is written anew must not land on itself (result_store.h), and whether HDF5 would put
 * it there depends on its size: so that is found out before HDF5 is given the chunk. */
#ifndef XS_IO_RESULT_PACK_H
#define XS_IO_RESULT_PACK_H

#include <stddef.h>

#include "base/arena.h"

typedef struct xs_result_packer {
  size_t bytes; /* of the largest chunk, unpacked */
  unsigned char *shuffled, *packed;
} xs_result_packer;

/* Work space for chunks of so many bytes. 0 if memory is exhausted. */
int xs_result_packer_create(size_t bytes, xs_arena *arena, xs_result_packer *packer);

/* Packs a chunk of numbers of eight bytes, level 1 to 9, into packer->packed. Returns its size
 * there; 0 if that would not be smaller, or memory is exhausted. */
size_t xs_result_pack(xs_result_packer *packer, const void *chunk, size_t bytes, int level);

/* The zlib that is loaded. */
const char *xs_result_pack_version(void);

#endif
