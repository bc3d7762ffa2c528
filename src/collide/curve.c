/* Curves from nodes, and bounds of them (curve.h). */
#include "collide/curve.h"

#include <math.h>

/* Lagrange polynomials (rod_shape.h) multiplied out, applied to p_j - p_0:
 *   n = 3: phi_1 = 4 xi - 4 xi^2, phi_2 = -xi + 2 xi^2; n = 4: below. */
xs_curve xs_curve_element(const xs_pose *x, int n) {
  xs_curve curve = {.degree = n - 1, .c = {x[0].p}};
  xs_vec3 d[3]; /* p_j - p_0 */
  for (int j = 1; j < n; j++) d[j - 1] = xs_vec3_sub(x[j].p, x[0].p);
  if (n == 2) {
    curve.c[1] = d[0];
  } else if (n == 3) {
    curve.c[1] = xs_vec3_sub(xs_vec3_scale(4, d[0]), d[1]);
    curve.c[2] = xs_vec3_sub(xs_vec3_scale(2, d[1]), xs_vec3_scale(4, d[0]));
  } else {
    /* phi_1 = 9 xi - 22.5 xi^2 + 13.5 xi^3, phi_2 = -4.5 xi + 18 xi^2 - 13.5 xi^3,
     * phi_3 = xi - 4.5 xi^2 + 4.5 xi^3 */
    static const double phi[3][3] = {{9, -22.5, 13.5}, {-4.5, 18, -13.5}, {1, -4.5, 4.5}};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++)
        curve.c[k + 1] = xs_vec3_add_scaled(curve.c[k + 1], phi[j][k], d[j]);
  }
  return curve;
}

static void add_point(xs_vec3 p, xs_vec3 *lo, xs_vec3 *hi) {
  *lo = xs_vec3_make(fmin(lo->x, p.x), fmin(lo->y, p.y), fmin(lo->z, p.z));
  *hi = xs_vec3_make(fmax(hi->x, p.x), fmax(hi->y, p.y), fmax(hi->z, p.z));
}

/* As a cubic in Bernstein's form: b1 = c0 + c1/3, b2 = c0 + 2 c1/3 + c2/3, b3 = p(1). */
void xs_curve_box(const xs_curve *curve, xs_vec3 *lo, xs_vec3 *hi) {
  const xs_vec3 *c = curve->c;
  *lo = *hi = c[0];
  add_point(xs_curve_point(curve, 1), lo, hi);
  if (curve->degree == 1) return;
  xs_vec3 b = xs_vec3_add_scaled(c[0], 1.0 / 3, c[1]);
  add_point(b, lo, hi);
  b = xs_vec3_add_scaled(b, 1.0 / 3, xs_vec3_add(c[1], c[2]));
  add_point(b, lo, hi);
}

/* Control points of the slope: c1, c1 + c2, c1 + 2 c2 + 3 c3. */
double xs_curve_speed(const xs_curve *curve) {
  const xs_vec3 *c = curve->c;
  if (curve->degree == 0) return 2 * XS_PI * xs_vec3_norm(c[1]);
  double start = xs_vec3_norm(c[1]), middle = xs_vec3_norm(xs_vec3_add(c[1], c[2]));
  return fmax(start, fmax(middle, xs_vec3_norm(xs_curve_slope(curve, 1))));
}
