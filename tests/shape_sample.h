/* Shapes for the tests, and their surfaces as patches, for distances by search. */
#ifndef TESTS_SHAPE_SAMPLE_H
#define TESTS_SHAPE_SAMPLE_H

#include <math.h>

#include "collide/shape.h"
#include "rod_sample.h"

static const struct {
  const char *name;
  xs_shape shape;
} shape_samples[] = {
    {"sphere", {.type = XS_SHAPE_SPHERE, .radius = 0.7}},
    {"capsule", {.type = XS_SHAPE_CAPSULE, .radius = 0.4, .half_length = 0.8}},
    {"cylinder", {.type = XS_SHAPE_CYLINDER, .radius = 0.6, .half_length = 0.5}},
    {"box", {.type = XS_SHAPE_BOX, .half_extents = {0.5, 0.7, 0.9}}},
    {"plane", {.type = XS_SHAPE_PLANE}},
    {"torus", {.type = XS_SHAPE_TORUS, .major_radius = 0.8, .minor_radius = 0.3}},
};
enum { N_SHAPES = sizeof shape_samples / sizeof *shape_samples };

/* How many patches (u, v) in [0, 1]^2 cover the surface. */
static inline int shape_patches(const xs_shape *s) {
  switch (s->type) {
    case XS_SHAPE_BOX:
      return 6;
    case XS_SHAPE_CAPSULE:
    case XS_SHAPE_CYLINDER:
      return 3;
    default:
      return 1;
  }
}

static inline xs_vec3 on_circle(double r, double u, double z) {
  return xs_vec3_make(r * cos(2 * pi * u), r * sin(2 * pi * u), z);
}

/* A point of the surface, written down without the distance function. */
static inline xs_vec3 shape_surface(const xs_shape *s, int patch, double u, double v) {
  double r = s->radius, h = s->half_length, side = patch == 1 ? -1 : 1;
  switch (s->type) {
    case XS_SHAPE_SPHERE:
      return on_circle(r * sin(pi * v), u, r * cos(pi * v));
    case XS_SHAPE_CAPSULE:
      if (patch == 0) return on_circle(r, u, h * (2 * v - 1));
      return on_circle(r * sin(pi / 2 * v), u, side * (h + r * cos(pi / 2 * v)));
    case XS_SHAPE_CYLINDER:
      if (patch == 0) return on_circle(r, u, h * (2 * v - 1));
      return on_circle(r * v, u, side * h);
    case XS_SHAPE_BOX: {
      double e[3] = {s->half_extents.x, s->half_extents.y, s->half_extents.z}, p[3];
      int axis = patch / 2;
      p[axis] = patch % 2 ? e[axis] : -e[axis];
      p[(axis + 1) % 3] = e[(axis + 1) % 3] * (2 * u - 1);
      p[(axis + 2) % 3] = e[(axis + 2) % 3] * (2 * v - 1);
      return xs_vec3_make(p[0], p[1], p[2]);
    }
    case XS_SHAPE_TORUS: {
      double out = s->major_radius + s->minor_radius * cos(2 * pi * v);
      return on_circle(out, u, s->minor_radius * sin(2 * pi * v));
    }
    case XS_SHAPE_PLANE:
      break;
  }
  return xs_vec3_make(10 * u - 5, 10 * v - 5, 0);
}

/* Where the search may go: round patches wrap, and discs and caps run on through their middle. */
static inline double shape_search_u(const xs_shape *s, double u) {
  int round = s->type != XS_SHAPE_BOX && s->type != XS_SHAPE_PLANE;
  return round ? u : fmin(fmax(u, 0), 1);
}
static inline double shape_search_v(const xs_shape *s, int patch, double v) {
  if (s->type == XS_SHAPE_SPHERE || s->type == XS_SHAPE_TORUS) return v;
  int through = patch > 0 && (s->type == XS_SHAPE_CAPSULE || s->type == XS_SHAPE_CYLINDER);
  return fmin(fmax(v, through ? -1 : 0), 1);
}

/* Least distance from x to a patch: a grid, then ever finer steps from its best point. */
static inline double patch_distance(const xs_shape *s, int patch, xs_vec3 x) {
  enum { GRID = 14 };
  double best = INFINITY, at[2] = {0, 0};
  for (int i = 0; i <= GRID; i++)
    for (int j = 0; j <= GRID; j++) {
      double u = (double)i / GRID, v = (double)j / GRID;
      double d = xs_vec3_norm2(xs_vec3_sub(x, shape_surface(s, patch, u, v)));
      if (d < best) best = d, at[0] = u, at[1] = v;
    }
  for (double step = 0.7 / GRID; step > 1e-7;) {
    double from[2] = {at[0], at[1]}, before = best;
    for (int k = 0; k < 9; k++) {
      double u = shape_search_u(s, from[0] + step * (k % 3 - 1));
      double v = shape_search_v(s, patch, from[1] + step * (k / 3 - 1));
      double d = xs_vec3_norm2(xs_vec3_sub(x, shape_surface(s, patch, u, v)));
      if (d < best) best = d, at[0] = u, at[1] = v;
    }
    if (best == before) step *= 0.5;
  }
  return sqrt(best);
}

static inline double surface_distance(const xs_shape *s, xs_vec3 x) {
  double best = INFINITY;
  for (int p = 0; p < shape_patches(s); p++) best = fmin(best, patch_distance(s, p, x));
  return best;
}

/* Inside, by the definition of the solid. */
static inline int shape_inside(const xs_shape *s, xs_vec3 x) {
  double rho = hypot(x.x, x.y), beyond = fmax(fabs(x.z) - s->half_length, 0);
  switch (s->type) {
    case XS_SHAPE_SPHERE:
      return hypot(rho, x.z) < s->radius;
    case XS_SHAPE_CAPSULE:
      return hypot(rho, beyond) < s->radius;
    case XS_SHAPE_CYLINDER:
      return rho < s->radius && beyond == 0;
    case XS_SHAPE_BOX:
      return fabs(x.x) < s->half_extents.x && fabs(x.y) < s->half_extents.y &&
             fabs(x.z) < s->half_extents.z;
    case XS_SHAPE_TORUS:
      return hypot(rho - s->major_radius, x.z) < s->minor_radius;
    case XS_SHAPE_PLANE:
      break;
  }
  return x.z < 0;
}

/* Largest difference between psi and the distance by search, at n random points. */
static inline double shape_worst_distance(const xs_shape *s, int n) {
  double worst = 0;
  for (int k = 0; k < n; k++) {
    xs_vec3 x = xs_vec3_scale(1.6, random_vec());
    double d = surface_distance(s, x);
    double error = fabs(xs_shape_distance(s, x) - (shape_inside(s, x) ? -d : d));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

#endif
