/* Signed distances of shapes, their gradients and extents (equations: shape.h). */
#include "collide/shape.h"

#include <math.h>

#include "base/unroll.h"

/* A distance and, where asked for, its gradient. */
typedef struct field {
  double psi;
  xs_vec3 n;
} field;

/* |x| - r, with the direction `otherwise` at x = 0. */
XS_INLINE field from_point(xs_vec3 x, double r, xs_vec3 otherwise) {
  double length = xs_vec3_norm(x);
  return (field){length - r, length > 0 ? xs_vec3_scale(1 / length, x) : otherwise};
}

/* (x, y) / rho, (1, 0) on the axis. */
XS_INLINE xs_vec3 radial(xs_vec3 x, double rho) {
  return rho > 0 ? xs_vec3_make(x.x / rho, x.y / rho, 0) : xs_vec3_make(1, 0, 0);
}

XS_INLINE field capsule(const xs_shape *shape, xs_vec3 x) {
  double h = shape->half_length;
  x.z -= fmin(fmax(x.z, -h), h);
  return from_point(x, shape->radius, xs_vec3_make(1, 0, 0));
}

/* Outside: distance from the nearest point. Inside: from the nearest face. */
XS_INLINE field box(const xs_shape *shape, xs_vec3 x) {
  xs_vec3 e = shape->half_extents;
  xs_vec3 q = {fabs(x.x) - e.x, fabs(x.y) - e.y, fabs(x.z) - e.z}, n = {0, 0, 0};
  double largest = fmax(q.x, fmax(q.y, q.z)), psi = largest;
  if (largest > 0) {
    n = xs_vec3_make(fmax(q.x, 0), fmax(q.y, 0), fmax(q.z, 0));
    psi = xs_vec3_norm(n);
    n = xs_vec3_scale(1 / psi, n);
  } else if (q.x == largest) {
    n.x = 1;
  } else if (q.y == largest) {
    n.y = 1;
  } else {
    n.z = 1;
  }
  return (field){psi, {copysign(n.x, x.x), copysign(n.y, x.y), copysign(n.z, x.z)}};
}

XS_INLINE field cylinder(const xs_shape *shape, xs_vec3 x) {
  double rho = sqrt(x.x * x.x + x.y * x.y);
  double side = rho - shape->radius, end = fabs(x.z) - shape->half_length;
  xs_vec3 out = radial(x, rho), up = {0, 0, copysign(1, x.z)};
  if (side > 0 && end > 0) {
    double psi = sqrt(side * side + end * end);
    return (field){psi, xs_vec3_add_scaled(xs_vec3_scale(side / psi, out), end / psi, up)};
  }
  return side >= end ? (field){side, out} : (field){end, up};
}

XS_INLINE field torus(const xs_shape *shape, xs_vec3 x) {
  double rho = sqrt(x.x * x.x + x.y * x.y);
  xs_vec3 out = radial(x, rho);
  xs_vec3 core = xs_vec3_scale(shape->major_radius, out);
  return from_point(xs_vec3_sub(x, core), shape->minor_radius, out);
}

XS_INLINE field of(const xs_shape *shape, xs_vec3 x) {
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
      return from_point(x, shape->radius, xs_vec3_make(1, 0, 0));
    case XS_SHAPE_CAPSULE:
      return capsule(shape, x);
    case XS_SHAPE_CYLINDER:
      return cylinder(shape, x);
    case XS_SHAPE_BOX:
      return box(shape, x);
    case XS_SHAPE_TORUS:
      return torus(shape, x);
    case XS_SHAPE_PLANE:
      break;
  }
  return (field){x.z, {0, 0, 1}};
}

double xs_shape_distance(const xs_shape *shape, xs_vec3 x) { return of(shape, x).psi; }

double xs_shape_distance_gradient(const xs_shape *shape, xs_vec3 x, xs_vec3 *gradient) {
  field f = of(shape, x);
  *gradient = f.n;
  return f.psi;
}

double xs_shape_core_radius(const xs_shape *shape) {
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
    case XS_SHAPE_CAPSULE:
      return shape->radius;
    case XS_SHAPE_TORUS:
      return shape->minor_radius;
    case XS_SHAPE_CYLINDER:
    case XS_SHAPE_BOX:
    case XS_SHAPE_PLANE:
      break;
  }
  return 0;
}

int xs_shape_ruled(const xs_shape *shape) {
  return shape->type != XS_SHAPE_SPHERE && shape->type != XS_SHAPE_TORUS;
}

int xs_shape_breaks(const xs_shape *shape, xs_vec3 x, double breaks[XS_SHAPE_BREAKS_MAX]) {
  if (shape->type == XS_SHAPE_BOX) {
    breaks[0] = fabs(x.x) - shape->half_extents.x;
    breaks[1] = fabs(x.y) - shape->half_extents.y;
    breaks[2] = fabs(x.z) - shape->half_extents.z;
    return 3;
  }
  if (shape->type == XS_SHAPE_CYLINDER) {
    breaks[0] = sqrt(x.x * x.x + x.y * x.y) - shape->radius;
    breaks[1] = fabs(x.z) - shape->half_length;
    return 2;
  }
  if (shape->type == XS_SHAPE_CAPSULE) {
    breaks[0] = fabs(x.z) - shape->half_length;
    return 1;
  }
  return 0;
}

/* Half the edge along world axis i. */
static double half_extent(const xs_shape *shape, const xs_mat3 *R, int i) {
  const double z = fabs(R->m[i][2]), across = sqrt(fmax(0, 1 - z * z));
  const xs_vec3 e = shape->half_extents;
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
      return shape->radius;
    case XS_SHAPE_CAPSULE:
      return z * shape->half_length + shape->radius;
    case XS_SHAPE_CYLINDER:
      return z * shape->half_length + across * shape->radius;
    case XS_SHAPE_BOX:
      return fabs(R->m[i][0]) * e.x + fabs(R->m[i][1]) * e.y + z * e.z;
    case XS_SHAPE_TORUS:
      return across * shape->major_radius + shape->minor_radius;
    case XS_SHAPE_PLANE:
      break;
  }
  return 0;
}

xs_vec3 xs_shape_half_extents(const xs_shape *shape, const xs_mat3 *R) {
  return xs_vec3_make(half_extent(shape, R, 0), half_extent(shape, R, 1), half_extent(shape, R, 2));
}

double xs_shape_smallest_half_extent(const xs_shape *shape) {
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
    case XS_SHAPE_CAPSULE:
      return shape->radius;
    case XS_SHAPE_CYLINDER:
      return fmin(shape->radius, shape->half_length);
    case XS_SHAPE_BOX:
      return fmin(shape->half_extents.x, fmin(shape->half_extents.y, shape->half_extents.z));
    case XS_SHAPE_TORUS:
      return shape->minor_radius;
    case XS_SHAPE_PLANE:
      break;
  }
  return INFINITY;
}

double xs_shape_bounding_radius(const xs_shape *shape) {
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
      return shape->radius;
    case XS_SHAPE_CAPSULE:
      return shape->half_length + shape->radius;
    case XS_SHAPE_CYLINDER:
      return sqrt(shape->radius * shape->radius + shape->half_length * shape->half_length);
    case XS_SHAPE_BOX:
      return xs_vec3_norm(shape->half_extents);
    case XS_SHAPE_TORUS:
      return shape->major_radius + shape->minor_radius;
    case XS_SHAPE_PLANE:
      break;
  }
  return 0;
}
