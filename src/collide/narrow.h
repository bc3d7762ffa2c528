/* Narrow phase: the contacts of a pair of objects.
 *
 * Shapes are a core with a radius (contact.h), and a curve against psi of a shape (curve_shape.h)
 * is the one mechanism for nearly all pairs:
 *   sphere  - any           psi of the other at the centre
 *   capsule - any           axis against psi, stations at the ends
 *   torus   - any           circle against psi, stations on it
 *   rod     - any           centre line of the element against psi, stations at the nodes
 *   box     - plane         corners
 *   cylinder- plane         both rims, stations on them
 *   box     - box           separating axes and clipped faces (box_pair.h)
 *   cylinder- box           rims against psi of the box, edges of the box against psi of the
 * cylinder cylinder- cylinder      rims of each against psi of the other; axis against axis rod -
 * rod           element_pair.h Nearest points of two solids without core lie on a rim or an edge of
 * one of them, or on both rounds of two cylinders, so the last lines but one miss nothing while
 * solids overlap by less than their features are wide; deep inside each other the nearest face may
 * be the wrong one. Two planes do not meet: they belong to bodies that do not move. */
#ifndef XS_COLLIDE_NARROW_H
#define XS_COLLIDE_NARROW_H

#include "collide/object.h"
#include "collide/thin.h"

/* A contact between two objects: points of the cores, world. */
typedef struct xs_narrow_hit {
  xs_vec3 c[2]; /* on the first and second object's core, m; rods: on the centre line */
  double xi[2]; /* rods */
  xs_vec3 n;    /* unit, from the second to the first */
  xs_thin_rank rank;
} xs_narrow_hit;

/* Takes a contact; may be called any number of times for a pair. */
typedef void xs_narrow_take(void *context, const xs_narrow_hit *hit);

/* A pair of objects with their margin, and who takes its contacts. */
typedef struct xs_narrow {
  const xs_object *object[2];
  double margin; /* m: gaps below it are taken */
  xs_narrow_take *take;
  void *context;
} xs_narrow;

/* All contacts, in an order that depends on the two objects alone. */
void xs_narrow_pair(const xs_narrow *pair);

#endif
