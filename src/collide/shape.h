/* Shapes as signed distance functions psi(x), in the shape's own frame.
 *
 * psi < 0 inside; |psi| is the distance to the surface everywhere, and |grad psi| = 1 where psi
 * is smooth. With rho = |(x, y)| and |.|+ the length of the positive components:
 *   sphere    |x| - r                  capsule   |x - clamp(z, -h, h) e_z| - r
 *   box       q = |x| - e:             |q|+ + min(0, max q)
 *   cylinder  q = (rho - r, |z| - h):  |q|+ + min(0, max q)
 *   plane     z                        torus     |(rho - R, z)| - r
 * Where the nearest surface point is not unique (centres, axes, bisecting planes) the gradient
 * is that of one of them, always the same. */
#ifndef XS_COLLIDE_SHAPE_H
#define XS_COLLIDE_SHAPE_H

#include "model/world.h"

enum { XS_SHAPE_BREAKS_MAX = 3 };

/* psi at x, m. */
double xs_shape_distance(const xs_shape *shape, xs_vec3 x);

/* psi at x, and grad psi there: the unit normal, outward. */
double xs_shape_distance_gradient(const xs_shape *shape, xs_vec3 x, xs_vec3 *gradient);

/* Radius of the core (contact.h): sphere, capsule, torus; 0 for the others. */
double xs_shape_core_radius(const xs_shape *shape);

/* Whether a straight curve may lie on the surface: plane, box, cylinder, capsule. */
int xs_shape_ruled(const xs_shape *shape);

/* Functions of x that change sign where the nearest part of a ruled surface may change from one
 * to another: distances from the planes and cylinders through its edges and seams. Returns how
 * many, at most XS_SHAPE_BREAKS_MAX. */
int xs_shape_breaks(const xs_shape *shape, xs_vec3 x, double breaks[XS_SHAPE_BREAKS_MAX]);

/* Half the edges, along the world's axes, of the box round a shape whose axes are R's columns,
 * m; 0 for a plane, which no box holds. */
xs_vec3 xs_shape_half_extents(const xs_shape *shape, const xs_mat3 *R);

/* Half the smallest extent, m, of the shape or of its tube; INFINITY for a plane. */
double xs_shape_smallest_half_extent(const xs_shape *shape);

/* Radius of the sphere round its centre that holds it, m; 0 for a plane. */
double xs_shape_bounding_radius(const xs_shape *shape);

#endif
