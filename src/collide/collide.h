/* Detection of contacts between bodies, rods and themselves.
 *
 * Once a substep: poses in, a sorted list of contacts out. Every shape of a body and every
 * element of a rod is an object; broad.h finds pairs of objects whose boxes meet, narrow.h and
 * rod_pair.h the contacts of a pair. What is kept has gap < margin at the poses x (rows that are
 * open do nothing); with moved = |relative displacement from x^n to x|, rotations included:
 *   two bodies       margin = max(0.02 smallest half-extent of either, 2 moved)
 *   with a rod       margin = max(0.4 contact radius (the smaller one), 2 moved)
 * A contact is a true condition on its points whether or not it is the deepest one, so a
 * manifold may hold more of them than needed, never a wrong one.
 *
 * Never tested: two shapes of one body; two objects that cannot move (no inverse mass); what a
 * joint joins, unless contact.joined (of a rod: elements less than 2.5 diameters of arc from the
 * joined node); pairs in contact.exclude; two points of one rod with less than 2.5 diameters of
 * arc between them, or any if self_contact is off.
 *
 * Lists are sorted by side 1 (kind, owner, part), then side 2, then by place in the pair; bodies
 * come before rods. They depend on the poses and, through match and lambda, on the list before;
 * on nothing else.
 *
 * Memory: create takes it from the arena, detect takes none. When a buffer is too small detect
 * says so; grow, then detect again. To grow between steps only, call grow whenever
 * xs_collide_tight says that less than half of a buffer is free. Nothing is ever dropped. */
#ifndef XS_COLLIDE_COLLIDE_H
#define XS_COLLIDE_COLLIDE_H

#include "constraint/contact.h"

typedef struct xs_collide xs_collide;

typedef enum xs_collide_status {
  XS_COLLIDE_DONE,
  XS_COLLIDE_FULL /* a buffer is too small: the list is the last one, unchanged */
} xs_collide_status;

typedef struct xs_contact_list {
  xs_contact *contact; /* n of them; solvers write lambda */
  int n;
} xs_contact_list;

/* world->contact says what touches; enabled or not is the caller's concern. The arena is used
 * again by grow. XS_INTERNAL when memory is exhausted. */
xs_status xs_collide_create(const xs_world *world, xs_arena *arena, xs_collide **collide,
                            xs_report *report);

/* Finds the contacts at the poses x, of a substep that started at x_n (all nodes), matches them
 * with the list of the last call, and makes the result the list. Matching is one to one between
 * contacts of the same pair, nearest first, by core points in the frames of their nodes (rods: by
 * arc length), up to 3 % of the size. */
xs_collide_status xs_collide_detect(xs_collide *collide, const xs_pose *x, const xs_pose *x_n);

/* The list of the last detect that was done; empty at first. It stays in place until the call
 * after next, or grow. */
const xs_contact_list *xs_collide_contacts(const xs_collide *collide);

/* Whether a buffer has been more than half full. */
int xs_collide_tight(const xs_collide *collide);

/* Enlarges what is tight or was full, to four times what was asked for. Contacts move: blocks
 * that point to them must be made again. XS_INTERNAL when memory is exhausted. */
xs_status xs_collide_grow(xs_collide *collide, xs_report *report);

/* Bytes of the buffers by each contact that fits. */
double xs_collide_contact_bytes(void);

/* How many contacts fit at present. */
int xs_collide_capacity(const xs_collide *collide);

#endif
