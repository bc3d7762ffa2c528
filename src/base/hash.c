/* FNV-1a (hash.h). */
#include "base/hash.h"

#include <string.h>

#define PRIME 0x100000001b3u

uint64_t xs_hash_bytes(uint64_t hash, const void *bytes, size_t n) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * PRIME;
  return hash;
}

uint64_t xs_hash_words(uint64_t hash, const void *words, size_t n) {
  const char *at = words;
  for (size_t i = 0; i < n; i++) {
    uint64_t word;
    memcpy(&word, at + i * sizeof word, sizeof word);
    hash = (hash ^ word) * PRIME;
  }
  return hash;
}
