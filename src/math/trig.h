/* Sine, cosine and arc tangent with the same bits on every x86-64.
 *
 * The C library's differ from version to version and choose code by processor; these use
 * only + - * / in a fixed order. Errors stay below 1 ulp over the whole double range
 * (tests/test_trig.c). An argument is reduced to a sum hi + lo of two doubles within
 * [-pi/4, pi/4]: by Cody and Waite's subtraction of n pi/2 in pieces up to
 * XS_TRIG_MODERATE, by Payne and Hanek's integer arithmetic beyond (trig_reduce.c).
 * Rotations use these only where the polynomials of so3.h do not reach. */
#ifndef XS_MATH_TRIG_H
#define XS_MATH_TRIG_H

#include <math.h>

#include "math/coefficients.h"
#include "math/poly.h"

#define XS_PI 0x1.921fb54442d18p+1

/* Largest |x| reduced inline: n = x / (pi/2) must stay below 2^20, so that its products
 * with the 33-bit pieces of pi/2 are exact. */
#define XS_TRIG_MODERATE 1.6e6

/* x = n pi/2 + hi + lo for finite |x| > XS_TRIG_MODERATE; returns n modulo 4. hi and lo
 * are NaN if x is not finite. */
int xs_trig_reduce(double x, double *hi, double *lo);

/* sum + error = a + b exactly (Knuth). */
static inline double xs_trig_two_sum(double a, double b, double *error) {
  double sum = a + b, shift = sum - a;
  *error = (a - (sum - shift)) + (b - shift);
  return sum;
}

/* Upper 26 bits of a (Veltkamp); a minus it has 26 bits too. |a| < 2^996. */
static inline double xs_trig_upper_half(double a) {
  double t = 134217729.0 * a; /* 2^27 + 1 */
  return t - (t - a);
}

/* product + error = a b exactly (Dekker), unless it overflows or underflows. */
static inline double xs_trig_two_product(double a, double b, double *error) {
  double product = a * b;
  double ah = xs_trig_upper_half(a), al = a - ah;
  double bh = xs_trig_upper_half(b), bl = b - bh;
  *error = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
  return product;
}

/* Same contract as xs_trig_reduce, for |x| <= XS_TRIG_MODERATE. pi/2 is split into three
 * pieces of 33 bits and a rest, an absolute error of 2^-116 n; doubles up to the limit
 * come no closer than 2^-57 to a multiple of pi/2. */
static inline int xs_trig_reduce_moderate(double x, double *hi, double *lo) {
  const double round = 0x1.8p+52; /* adding and subtracting it rounds to an integer */
  double n = (x * 0x1.45f306dc9c883p-1 + round) - round;
  double e1, e2;

  /* n times each of the first three pieces is exact; so is the first difference. */
  double r = x - n * 0x1.921fb544p+0;
  r = xs_trig_two_sum(r, -(n * 0x1.0b4611a6p-34), &e1);
  r = xs_trig_two_sum(r, -(n * 0x1.3198a2ep-69), &e2);

  double rest = (e1 + e2) - n * 0x1.b839a252049c1p-104;
  *hi = r + rest;
  *lo = (r - *hi) + rest;
  return (int)n & 3;
}

/* sin(hi + lo) on [-pi/4, pi/4]. The order of subtractions keeps the sign of a zero. */
static inline double xs_trig_sin_kernel(double hi, double lo) {
  const double *c = XS_COEF_SIN;
  double x = hi * hi, cube = x * hi, x2 = x * x;
  double tail = (c[1] + c[2] * x) + x2 * (c[3] + x * c[4] + x2 * c[5]);
  return hi - ((x * (0.5 * lo - cube * tail) - lo) - cube * c[0]);
}

/* cos(hi + lo) on [-pi/4, pi/4]; 1 - hi^2/2 is carried with its rounding error. */
static inline double xs_trig_cos_kernel(double hi, double lo) {
  double x = hi * hi, half = 0.5 * x, w = 1.0 - half;
  double tail = x * x * xs_poly_5(XS_COEF_COS, x);
  return w + (((1.0 - w) - half) + (tail - hi * lo));
}

/* sin x and cos x, x in rad; NaN for NaN and infinities. */
static inline void xs_trig_sincos(double x, double *s, double *c) {
  double hi = x, lo = 0, size = fabs(x);
  int quadrant = 0;

  if (!(size <= XS_TRIG_MODERATE))
    quadrant = xs_trig_reduce(x, &hi, &lo);
  else if (size > XS_PI / 4)
    quadrant = xs_trig_reduce_moderate(x, &hi, &lo);

  /* A quarter turn exchanges the two, a half turn changes their signs. */
  double sine = xs_trig_sin_kernel(hi, lo), cosine = xs_trig_cos_kernel(hi, lo);
  double first = quadrant & 1 ? cosine : sine, second = quadrant & 1 ? -sine : cosine;
  *s = quadrant & 2 ? -first : first;
  *c = quadrant & 2 ? -second : second;
}

/* a + m b as an unevaluated sum; m a multiple of 1/8 up to 1. */
static inline double xs_trig_add_multiple(double a, double m, double b, double *error) {
  double upper = xs_trig_upper_half(b), lower = b - upper, e1, e2;
  double sum = xs_trig_two_sum(a, m * upper, &e1);
  sum = xs_trig_two_sum(sum, m * lower, &e2);
  *error = e1 + e2;
  return sum;
}

/* atan(a/b) = result + lo for 0 <= a <= b, b positive and finite. With m = a/b rounded to
 * eighths, atan(a/b) = atan(m) + atan((a - m b) / (b + m a)), the last argument within
 * 1/16 and carried in two doubles. */
static inline double xs_trig_atan_ratio(double a, double b, double *lo) {
  static const double atan_hi[9] = {0.0,
                                    0.12435499454676144,
                                    0.24497866312686414,
                                    0.35877067027057225,
                                    0.4636476090008061,
                                    0.5585993153435624,
                                    0.6435011087932844,
                                    0.7188299996216245,
                                    0.7853981633974483};
  static const double atan_lo[9] = {0.0,
                                    -3.1253241424539383e-18,
                                    1.0698755618734451e-17,
                                    -2.4623815582638635e-17,
                                    2.2698777452961687e-17,
                                    -5.4556305485916264e-18,
                                    1.5834785051444286e-17,
                                    -2.1478388444456983e-17,
                                    3.061616997868383e-17};
  double ratio = a / b;
  *lo = 0;
  if (ratio < 0x1p-60) return ratio; /* atan r = r (1 - r^2/3 ..) */

  /* Keep the exact products below away from overflow and underflow. */
  double scale = b > 0x1p+700 ? 0x1p-700 : b < 0x1p-700 ? 0x1p+700 : 1.0;
  a *= scale, b *= scale;

  /* t + t_lo = (a - m b) / (b + m a) */
  int k = (int)(8 * ratio + 0.5);
  double m = k / 8.0, n_lo, d_lo, p_lo;
  double n = xs_trig_add_multiple(a, -m, b, &n_lo), d = xs_trig_add_multiple(b, m, a, &d_lo);
  double t = n / d, p = xs_trig_two_product(t, d, &p_lo);
  double t_lo = (((n - p) - p_lo) + (n_lo - t * d_lo)) / d;

  double x = t * t, tail = t_lo + t * x * xs_poly_5(XS_COEF_ATAN, x);
  double sum = atan_hi[k] + t;
  *lo = ((atan_hi[k] - sum) + t) + (atan_lo[k] + tail);
  return sum;
}

/* Angle of the point (x, y) in [-pi, pi], rad; signed zeros, infinities and NaN as C's
 * atan2. */
static inline double xs_trig_atan2(double y, double x) {
  double ax = fabs(x), ay = fabs(y), hi = 0, lo = 0;
  double small = ay < ax ? ay : ax, large = ay < ax ? ax : ay;
  if (isnan(x) || isnan(y)) return x + y;

  /* Angle from the nearer axis, in [0, pi/4]. */
  if (isinf(large))
    hi = isinf(small) ? XS_PI / 4 : 0, lo = isinf(small) ? 0x1.1a62633145c07p-55 : 0;
  else if (large > 0)
    hi = xs_trig_atan_ratio(small, large, &lo);

  /* Angle from the positive x axis: pi/2 - angle, then pi - angle, in two doubles. */
  if (ay > ax) {
    double sum = XS_PI / 2 - hi;
    lo = ((XS_PI / 2 - sum) - hi) + (0x1.1a62633145c07p-54 - lo), hi = sum;
  }
  if (signbit(x)) {
    double sum = XS_PI - hi;
    lo = ((XS_PI - sum) - hi) + (0x1.1a62633145c07p-53 - lo), hi = sum;
  }
  return copysign(hi + lo, y);
}

#endif
