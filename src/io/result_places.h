/* Places in a file that its data have left: where the last chunks of compressed series stood before
 * they were full, unfiltered, and so all about as large.
 *
 * What stood there may still be what the file on disk refers to, so a place that is left waits for
 * the next commit; only then is it free for other data. A place is given away as a whole, for data
 * that nearly fill it: were compressed chunks put there, which are smaller, the next unfiltered one
 * would find no place. The list lives in memory: what is free when a run ends stays unused. */
#ifndef XS_IO_RESULT_PLACES_H
#define XS_IO_RESULT_PLACES_H

#include <stddef.h>
#include <stdint.h>

typedef struct xs_result_place {
  uint64_t address, size;
} xs_result_place;

/* All zero: empty. */
typedef struct xs_result_places {
  xs_result_place *list; /* first those that are free, then those that wait */
  size_t n, n_free, room;
} xs_result_places;

/* Notes that data have left a place. Without memory for the note it is never used again. */
void xs_result_places_leave(xs_result_places *places, xs_result_place place);

/* A commit: places that wait are free from here on. */
void xs_result_places_settle(xs_result_places *places);

/* Gives away the smallest free place of size bytes to an eighth more. Returns its address, 0 if
 * there is none. */
uint64_t xs_result_places_take(xs_result_places *places, uint64_t size);

void xs_result_places_free(xs_result_places *places);

#endif
