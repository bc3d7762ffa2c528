/* Sine, cosine and arc tangent against 50-digit values, in ulps of the true value. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "data/trig_table.h"
#include "math/trig.h"

/* Spacing of doubles at v. */
static double ulp(double v) {
  v = fabs(v);
  return v < DBL_MIN ? 0x1p-1074 : nextafter(v, INFINITY) - v;
}

/* Error of got against value + rest, in ulps. */
static double error_in_ulps(double got, double value, double rest) {
  return fabs((got - value) - rest) / ulp(value);
}

static void expect_same_zero(double got, double want) {
  cr_expect(got == want && !signbit(got) == !signbit(want), "got %g, want %g", got, want);
}

Test(trig, sine_and_cosine_are_within_one_ulp) {
  double worst_sin = 0, worst_cos = 0;
  for (size_t i = 0; i < sizeof sincos_table / sizeof *sincos_table; i++) {
    const double *row = sincos_table[i];
    double s, c;
    xs_trig_sincos(row[0], &s, &c);
    double es = error_in_ulps(s, row[1], row[2]), ec = error_in_ulps(c, row[3], row[4]);
    cr_expect(es <= 1, "sin(%a): %g ulp", row[0], es);
    cr_expect(ec <= 1, "cos(%a): %g ulp", row[0], ec);
    worst_sin = fmax(worst_sin, es), worst_cos = fmax(worst_cos, ec);
  }
  cr_log_info("largest error: sin %.3f ulp, cos %.3f ulp", worst_sin, worst_cos);
}

Test(trig, sine_is_odd_and_cosine_is_even) {
  for (size_t i = 0; i < sizeof sincos_table / sizeof *sincos_table; i++) {
    double x = sincos_table[i][0], s1, c1, s2, c2;
    xs_trig_sincos(x, &s1, &c1);
    xs_trig_sincos(-x, &s2, &c2);
    cr_expect(s1 == -s2 && c1 == c2, "at %a", x);
  }
}

Test(trig, sine_of_zero_keeps_the_sign) {
  double s, c;
  xs_trig_sincos(0.0, &s, &c);
  expect_same_zero(s, 0.0);
  xs_trig_sincos(-0.0, &s, &c);
  expect_same_zero(s, -0.0);
  cr_expect(c == 1);
}

Test(trig, sine_of_nan_and_infinity_is_nan) {
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    double s, c;
    xs_trig_sincos(bad[i], &s, &c);
    cr_expect(isnan(s) && isnan(c));
  }
}

/* Both reductions are exact enough for either side of the limit. */
Test(trig, reductions_agree_at_the_limit_between_them) {
  double x = XS_TRIG_MODERATE;
  for (int i = 0; i < 1000; i++, x = nextafter(x, 0)) {
    double hi1, lo1, hi2, lo2;
    int n1 = xs_trig_reduce_moderate(x, &hi1, &lo1), n2 = xs_trig_reduce(x, &hi2, &lo2);
    cr_expect(n1 == n2 && hi1 == hi2, "at %a", x);
    cr_expect(fabs(lo1 - lo2) <= 1e-30, "at %a: %g", x, lo1 - lo2);
  }
}

/* Two doubles are carried to the end: nearly always the nearest double. */
Test(trig, atan2_is_nearly_correctly_rounded) {
  double worst = 0;
  for (size_t i = 0; i < sizeof atan2_table / sizeof *atan2_table; i++) {
    const double *row = atan2_table[i];
    double e = error_in_ulps(xs_trig_atan2(row[0], row[1]), row[2], row[3]);
    cr_expect(e <= 0.51, "atan2(%a, %a): %g ulp", row[0], row[1], e);
    worst = fmax(worst, e);
  }
  cr_log_info("largest error: atan2 %.3f ulp", worst);
}

/* C17 annex F.10.1.4 */
Test(trig, atan2_of_zeros_and_infinities_is_that_of_c) {
  const double v[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      double got = xs_trig_atan2(v[i], v[j]), want = atan2(v[i], v[j]);
      cr_expect(got == want && !signbit(got) == !signbit(want), "atan2(%g, %g) = %a, not %a", v[i],
                v[j], got, want);
    }
  cr_expect(isnan(xs_trig_atan2(NAN, 1)) && isnan(xs_trig_atan2(1, NAN)));
  cr_expect(isnan(xs_trig_atan2(NAN, INFINITY)) && isnan(xs_trig_atan2(NAN, 0)));
}
