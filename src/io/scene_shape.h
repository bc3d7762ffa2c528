/* Shapes of a body: from parameters, their volumes and inertias, their extents. */
#ifndef XS_IO_SCENE_SHAPE_H
#define XS_IO_SCENE_SHAPE_H

#include "io/scene_build.h"

/* Mass, centre of mass and inertia about it, in some frame. */
typedef struct xs_mass_properties {
  double mass;     /* kg */
  xs_vec3 center;  /* m */
  xs_mat3 inertia; /* kg m^2 */
} xs_mass_properties;

/* Fills a shape; held says whether its body is fixed or prescribed. 0 if it makes no sense. */
int xs_scene_build_shape(xs_build *build, const xs_json *value, int held, xs_shape *shape);

/* Volume (m^3) of a shape, and its moments about its centre for density 1 (m^5). A plane
 * has none. */
double xs_scene_shape_volume(const xs_shape *shape, xs_vec3 *moment);

/* A compound in the body's frame. density[i] of each shape, kg/m^3; mass 0 if there is
 * nothing but planes. */
xs_mass_properties xs_scene_shapes_mass(int n, const xs_shape *shapes, const double *density);

/* Adds the extents of a shape at its place in the world; a plane adds nothing. */
void xs_scene_shape_add_extents(const xs_shape *shape, xs_frame body, xs_build_box *box);

#endif
