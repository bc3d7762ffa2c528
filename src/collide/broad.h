/* Broad phase: all pairs of boxes that meet, by a uniform hash.
 *
 * Space is cut into cells of twice the median of the boxes' largest edges; a box is entered in
 * every cell it touches, and boxes are compared within cells. A pair that shares several cells
 * is taken in the one with the largest of the two lower corners, so each comes once. Boxes over
 * more than XS_BROAD_CELLS cells, or without end, stand in a list of their own and are compared
 * with all. Pairs come out sorted by (a, b), a < b; which pairs depends on the boxes alone, not on
 * the cells. A box that is not finite (NaN) meets nothing. Cost: linear in boxes and pairs. */
#ifndef XS_COLLIDE_BROAD_H
#define XS_COLLIDE_BROAD_H

#include <stdint.h>

#include "base/arena.h"
#include "math/vec.h"

enum { XS_BROAD_CELLS = 64 };

typedef struct xs_broad_box {
  xs_vec3 lo, hi; /* m */
} xs_broad_box;

typedef struct xs_broad_pair {
  int a, b; /* a < b */
} xs_broad_pair;

/* Whether a pair of meeting boxes is wanted; asked once for each. */
typedef int xs_broad_filter(const void *context, int a, int b);

/* A box in a cell. */
typedef struct xs_broad_entry {
  int32_t cell[3];
  int box;
} xs_broad_entry;

typedef struct xs_broad {
  int n;                                   /* boxes */
  int entries_max, pairs_max, buckets_max; /* what fits */
  int entries_needed, pairs_needed;        /* by the last call */
  double *edge;                            /* n: scratch of the median */
  int32_t (*lower)[3];                     /* n: cell of the lower corner */
  int32_t (*upper)[3];                     /* n */
  int *large, n_large;                     /* n */
  char *is_large;                          /* n: 1 large, 2 left out */
  int *bucket;                             /* buckets_max + 1: first entry of each */
  xs_broad_entry *entry;                   /* entries_max */
  int *count;                              /* n + 1: scratch of the sort */
  xs_broad_pair *pair, *unsorted;          /* pairs_max */
  int n_pairs;
} xs_broad;

/* For n boxes. 0 when memory is exhausted. */
int xs_broad_create(xs_broad *broad, xs_arena *arena, int n);

/* Makes room for so many entries and pairs; 0 when memory is exhausted. */
int xs_broad_reserve(xs_broad *broad, xs_arena *arena, int entries, int pairs);

/* Finds the pairs among n boxes; filter may be NULL. 0: they did not fit; entries_needed and
 * pairs_needed say what would (pairs only if entries fit), and pair is not to be read. */
int xs_broad_find(xs_broad *broad, const xs_broad_box *box, xs_broad_filter *filter,
                  const void *context);

#endif
