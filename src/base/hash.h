/* FNV-1a in 64 bits, to tell contents apart and to notice damage; no protection against intent.
 * (Fowler, Noll, Vo; the constants are those of the Internet-Draft "The FNV Non-Cryptographic Hash
 * Algorithm".) */
#ifndef XS_BASE_HASH_H
#define XS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* What a hash begins with. */
#define XS_HASH_START 0xcbf29ce484222325u

/* Takes n bytes into a hash. */
uint64_t xs_hash_bytes(uint64_t hash, const void *bytes, size_t n);

/* Takes n numbers of 8 bytes into a hash, each as one 64-bit word instead of eight bytes: several
 * times as fast. As either operation on the hash can be undone, contents that differ in one word
 * never have the same hash. */
uint64_t xs_hash_words(uint64_t hash, const void *words, size_t n);

#endif
