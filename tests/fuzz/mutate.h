/* Mutations of documents that know their table (io/scene_table.h).
 *
 * A document is read by cJSON, some of its values are changed, and it is written again. What a
 * value becomes is drawn from what the table says of it: a number in or about its range, one of its
 * words, a name that stands in the document, an object with its keys; at times something that the
 * table does not allow, a value from elsewhere in the document, or nothing. Lists get longer and
 * shorter. So most mutants pass the reader, and what lies behind it is reached. Same seed, same
 * mutant. */
#ifndef XS_TESTS_FUZZ_MUTATE_H
#define XS_TESTS_FUZZ_MUTATE_H

#include <stdint.h>

#include "io/scene_table.h"

/* Both write at most max_size bytes to out and return how many; 0 if text is no document. out may
 * be text. */
size_t fuzz_mutate(const xs_object *root, const uint8_t *text, size_t size, uint8_t *out,
                   size_t max_size, unsigned seed);
/* A value of the other document takes the place of one of the same key in the first. */
size_t fuzz_mutate_cross(const uint8_t *text, size_t size, const uint8_t *other, size_t other_size,
                         uint8_t *out, size_t max_size, unsigned seed);

#endif
