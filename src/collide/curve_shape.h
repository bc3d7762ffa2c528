/* Where a curve touches a shape: places along the curve, by psi of the shape.
 *
 * A tube of radius r round the curve touches the shape where psi(p(xi)) - r has its local minima.
 * psi is sampled (circles 32 intervals, elements of degree 2 and 3, and lines by a torus, 12,
 * other lines 2: psi of a convex shape is convex along a line), and every local minimum of the
 * samples is refined by golden section on the two intervals around it. An interval is left out
 * where psi, which changes no faster than the curve runs, cannot come below the limit.
 *
 * On surfaces that hold straight lines the minimum may be a whole piece of the curve, and the
 * place found in it an accident of rounding. There the places are, in this order:
 *   - the given stations (nodes, ends) as they are;
 *   - interior minima that lie deeper than both neighbouring stations by 1e-6 of `radius`;
 *   - where the curve passes over an edge or seam of the shape, unless a place is near (apart).
 * On other surfaces what lies round them may hardly change its distance between minima either: a
 * rope round a ring, which would sink in there. Where `between` is given, samples that are so far
 * from all other places are places, too (as of two rods: thin.h).
 * All of them are places of the curve with psi below the limit, so each is a true condition.
 *
 * Ends that the next element continues: a minimum there counts once, as the lower end of the
 * next element, and only if the curve before runs downhill into it. */
#ifndef XS_COLLIDE_CURVE_SHAPE_H
#define XS_COLLIDE_CURVE_SHAPE_H

#include "collide/curve.h"
#include "collide/shape.h"

enum { XS_CURVE_STATIONS_MAX = 4, XS_CURVE_PLACES_MAX = 48 };

typedef struct xs_curve_ask {
  const xs_shape *shape;
  xs_curve curve;         /* in the shape's frame */
  const xs_curve *before; /* the one that ends where this starts, same frame; NULL = none */
  int goes_on;            /* whether another starts where this ends */
  double limit;           /* m: places with psi < limit are wanted */
  double radius;          /* m: of the tube, or another small length of the curve's body */
  double apart;           /* m: edges closer than this to another place are left out */
  double between;         /* m; 0: minima alone */
  int n_stations;
  double station[XS_CURVE_STATIONS_MAX]; /* xi, rising */
} xs_curve_ask;

/* Writes the places, at most XS_CURVE_PLACES_MAX, and returns how many. */
int xs_curve_shape_places(const xs_curve_ask *ask, double xi[XS_CURVE_PLACES_MAX]);

#endif
