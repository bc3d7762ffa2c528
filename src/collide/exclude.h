/* Which pairs are never tested, as sorted lists of pairs of numbers.
 *
 * Numbers are owners (body b: b, rod r: n_bodies + r) for contact.exclude, and groups (body b: b,
 * the k-th element of all rods: n_bodies + k) for joints: what a joint joins are a body, or the
 * elements of a rod less than XS_EXCLUDE_ARC diameters of arc from the joined node. */
#ifndef XS_COLLIDE_EXCLUDE_H
#define XS_COLLIDE_EXCLUDE_H

#include "model/world.h"

/* Arc between two points of a rod that may touch, in diameters: no false contact down to a
 * bending radius of 0.6 diameters, and a tube cannot touch itself below pi. */
#define XS_EXCLUDE_ARC 2.5

typedef struct xs_exclude_pair {
  int a, b; /* a <= b */
} xs_exclude_pair;

typedef struct xs_exclude {
  int n_owners, n_groups;
  xs_exclude_pair *owners, *groups; /* sorted */
} xs_exclude;

/* 0 when memory is exhausted. */
int xs_exclude_create(const xs_world *world, xs_arena *arena, xs_exclude *exclude);

int xs_exclude_owners(const xs_exclude *exclude, int owner1, int owner2);
int xs_exclude_groups(const xs_exclude *exclude, int group1, int group2);

#endif
