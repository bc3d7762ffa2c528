/* Objects: the shapes of bodies and the elements of rods, where they are and how far they moved.
 *
 * In the order of lists of contacts: shapes body by body, then elements rod by rod. What does not
 * change is set once; xs_object_move brings frames, curves, boxes and margins to a substep's
 * poses. The margin of two objects (collide.h) is that of the pair's nature or of its motion:
 *   moved = |m1 - m2| + s1 + s2,   m: mean displacement,  s: largest deviation from it. */
#ifndef XS_COLLIDE_OBJECT_H
#define XS_COLLIDE_OBJECT_H

#include "collide/broad.h"
#include "collide/curve.h"
#include "collide/shape.h"

/* Part of an element at most XS_OBJECT_PART diameters long, and a sphere that holds it. */
#define XS_OBJECT_PART 1.0
/* Parts of an element at most: every part of one is tried against every part of another, and of
 * itself, so that a hair of long elements would not come to an end. */
#define XS_OBJECT_PARTS_MAX 1000
typedef struct xs_object_part {
  xs_vec3 centre; /* m */
  double radius;  /* m, without the tube's */
} xs_object_part;

typedef struct xs_object {
  const xs_shape *shape;            /* NULL: an element of a rod */
  const xs_rod *rod;                /* NULL: a shape of a body */
  int owner, part;                  /* body and shape, or rod and element, in the world */
  int exclude_owner, exclude_group; /* exclude.h */
  int node, n_nodes;                /* the first, and how many */
  int moves;                        /* whether it has a mass */
  double radius;                    /* of the core (contact.h), m */
  double margin;                    /* 0.02 smallest half-extent; rods 0.4 radius, m */
  double friction, restitution;
  xs_vec3 r_local; /* shape's frame in the node's */
  xs_mat3 R_local;

  /* At the poses of a substep. */
  xs_vec3 p; /* shape's frame in the world */
  xs_mat3 R;
  xs_curve curve; /* element's centre line */
  int n_parts;
  xs_object_part *parts;
  xs_vec3 moved; /* mean displacement since x_n, m */
  double spread; /* deviation from it, m */
} xs_object;

/* How many objects a world has. */
int xs_object_count(const xs_world *world);

/* Fills them. 0 when memory is exhausted. */
int xs_object_list(const xs_world *world, xs_arena *arena, xs_object *object);

/* Brings an object to the poses x of a substep from x_n, and its box: united over both poses and
 * grown so that boxes of a pair closer than its margin meet. */
void xs_object_move(xs_object *object, const xs_pose *x, const xs_pose *x_n, xs_broad_box *box);

/* Margin of a pair, m. */
double xs_object_pair_margin(const xs_object *a, const xs_object *b);

#endif
