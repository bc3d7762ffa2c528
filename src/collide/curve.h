/* Curves: centre lines of rod elements, axes of capsules, edges, circles of tori and rims.
 *
 *   polynomial  p(xi) = c0 + c1 xi + c2 xi^2 + c3 xi^3,   0 <= xi <= 1
 *   circle      p(xi) = c0 + c1 cos(2 pi xi) + c2 sin(2 pi xi), closed
 * A curve and a shape, or two curves, are all that the narrow phase knows besides pairs of
 * boxes. */
#ifndef XS_COLLIDE_CURVE_H
#define XS_COLLIDE_CURVE_H

#include "constraint/rod.h"
#include "math/trig.h"

typedef struct xs_curve {
  int degree;   /* 1, 2, 3; 0: a circle */
  xs_vec3 c[4]; /* m */
} xs_curve;

static inline xs_vec3 xs_curve_point(const xs_curve *curve, double xi) {
  const xs_vec3 *c = curve->c;
  if (curve->degree == 0) {
    double s, t;
    xs_trig_sincos(2 * XS_PI * xi, &s, &t);
    return xs_vec3_add_scaled(xs_vec3_add_scaled(c[0], t, c[1]), s, c[2]);
  }
  xs_vec3 p = xs_vec3_add_scaled(c[1], xi, xs_vec3_add_scaled(c[2], xi, c[3]));
  return xs_vec3_add_scaled(c[0], xi, p);
}

/* dp/dxi and d^2p/dxi^2 of a polynomial. */
static inline xs_vec3 xs_curve_slope(const xs_curve *curve, double xi) {
  const xs_vec3 *c = curve->c;
  return xs_vec3_add_scaled(c[1], xi,
                            xs_vec3_add_scaled(xs_vec3_scale(2, c[2]), xi, xs_vec3_scale(3, c[3])));
}
static inline xs_vec3 xs_curve_bend(const xs_curve *curve, double xi) {
  return xs_vec3_add_scaled(xs_vec3_scale(2, curve->c[2]), 6 * xi, curve->c[3]);
}

static inline xs_curve xs_curve_line(xs_vec3 from, xs_vec3 to) {
  return (xs_curve){1, {from, xs_vec3_sub(to, from)}};
}

/* x -> R^T (x - p): into the frame (p, R). */
static inline xs_curve xs_curve_into(const xs_curve *curve, xs_vec3 p, const xs_mat3 *R) {
  xs_curve local = {.degree = curve->degree};
  local.c[0] = xs_mat3_tmul_vec(R, xs_vec3_sub(curve->c[0], p));
  for (int k = 1; k < 4; k++) local.c[k] = xs_mat3_tmul_vec(R, curve->c[k]);
  return local;
}

/* x -> p + R x: from the frame (p, R). */
static inline xs_curve xs_curve_from(const xs_curve *curve, xs_vec3 p, const xs_mat3 *R) {
  xs_curve world = {.degree = curve->degree};
  world.c[0] = xs_vec3_add(p, xs_mat3_mul_vec(R, curve->c[0]));
  for (int k = 1; k < 4; k++) world.c[k] = xs_mat3_mul_vec(R, curve->c[k]);
  return world;
}

/* Centre line of a rod's element at the poses x of its n = 2, 3, 4 nodes. Coefficients are
 * differences from the first node. */
xs_curve xs_curve_element(const xs_pose *x, int n);

/* The smallest box round the control points of the polynomial, which holds the curve. */
void xs_curve_box(const xs_curve *curve, xs_vec3 *lo, xs_vec3 *hi);

/* An upper bound of |dp/dxi|, m. */
double xs_curve_speed(const xs_curve *curve);

#endif
