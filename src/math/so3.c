/* The parts of so3.h beyond the reach of its polynomials.
 *
 * Kept out of line so that the short common paths in the header inline: the half-angle
 * functions beyond a half turn, and the logarithm of more than 0.78 rad or of quaternions
 * whose squares vanish. Same equations, by the kernels of trig.h. */
#include "math/so3.h"

double xs_so3_half_angle_beyond(double t2, double *cosine) {
  double t = sqrt(t2), sine;
  xs_trig_sincos(0.5 * t, &sine, cosine);
  return sine / t;
}

/* Component of the largest absolute value, with the sign of w. */
static double signed_scale(xs_quat q) {
  double largest = fabs(q.w);
  if (fabs(q.x) > largest) largest = fabs(q.x);
  if (fabs(q.y) > largest) largest = fabs(q.y);
  if (fabs(q.z) > largest) largest = fabs(q.z);
  return q.w < 0 ? -largest : largest;
}

xs_vec3 xs_so3_log_beyond(xs_quat q) {
  /* Scaled to a largest component 1, as squares of tiny ones vanish, and w >= 0. */
  double scale = signed_scale(q);
  q = (xs_quat){q.w / scale, q.x / scale, q.y / scale, q.z / scale};
  double n2 = xs_vec3_norm2(xs_quat_vec(q));
  if (n2 < XS_SO3_LOG_TAN2 * (q.w * q.w)) return xs_so3_log_small(q, n2);

  /* t = 2 atan(|v| / w) along v / |v| */
  double n = sqrt(n2);
  return xs_vec3_scale(2 * xs_trig_atan2(n, q.w) / n, xs_quat_vec(q));
}
