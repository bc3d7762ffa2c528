/* Nearest names, for messages: what may have been meant by a name that does not exist. */
#ifndef XS_BASE_SUGGEST_H
#define XS_BASE_SUGGEST_H

#include <stddef.h>

/* The candidate nearest to word, by the number of letters to insert, drop, replace or swap
 * with their neighbour (Damerau-Levenshtein; optimal string alignment); among equally near
 * ones that with the fewest differences of case, then the first. NULL when nothing is
 * near: more than max(1, length / 3) such edits, or as many edits as word has letters.
 * NULL candidates are passed over. */
const char *xs_suggest_nearest(const char *word, int n, const char *const *candidates);

/* `did you mean "revolute"? (fixed, revolute, planar)`, or without a near name
 * `allowed: fixed, revolute, planar`, or `there are none` if n = 0. Writes at most size > 0
 * bytes to buffer, the list cut with "..." where it does not fit, and returns buffer. */
const char *xs_suggest_hint(const char *word, int n, const char *const *candidates, char *buffer,
                            size_t size);

#endif
