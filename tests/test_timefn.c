/* Functions of time: values, rates against central differences, kinks, the spline. */
#include <criterion/criterion.h>
#include <math.h>

#include "math/trig.h"
#include "model/timefn.h"

static xs_timefn constant(double c) {
  return (xs_timefn){.kind = XS_TIMEFN_CONSTANT, .u.constant = c};
}

static xs_timefn ramp(double from, double to, double start, double end, int smooth) {
  return (xs_timefn){.kind = XS_TIMEFN_RAMP, .u.ramp = {from, to, start, end, smooth}};
}

static xs_timefn sine(double offset, double amplitude, double frequency, double phase) {
  return (xs_timefn){.kind = XS_TIMEFN_SINE, .u.sine = {offset, amplitude, frequency, phase}};
}

static xs_timefn table(int n, const double *time, const double *value, const double *slope) {
  return (xs_timefn){.kind = XS_TIMEFN_TABLE, .u.table = {n, time, value, slope}};
}

static xs_timefn terms(xs_timefn_kind kind, int n, const xs_timefn *const *term) {
  return (xs_timefn){.kind = kind, .u.terms = {n, term}};
}

/* The rate agrees with central differences of the value. */
static void expect_rate(const xs_timefn *f, double t, double tolerance) {
  double step = 1e-5;
  double numeric = (xs_timefn_value(f, t + step) - xs_timefn_value(f, t - step)) / (2 * step);
  double rate = xs_timefn_rate(f, t);
  cr_expect(fabs(rate - numeric) <= tolerance, "at %g: %.12g, differences %.12g", t, rate, numeric);
}

Test(timefn, nothing_is_zero_and_a_number_is_itself) {
  xs_timefn f = constant(-2.5);
  cr_expect(xs_timefn_value(NULL, 3) == 0 && xs_timefn_rate(NULL, 3) == 0);
  cr_expect(xs_timefn_value(&f, 3) == -2.5 && xs_timefn_rate(&f, 3) == 0);
}

Test(timefn, ramp_goes_from_one_value_to_the_other) {
  for (int smooth = 0; smooth < 2; smooth++) {
    xs_timefn f = ramp(-1, 3, 2, 4, smooth);
    cr_expect(xs_timefn_value(&f, 1) == -1 && xs_timefn_value(&f, 2) == -1);
    cr_expect(xs_timefn_value(&f, 3) == 1);
    cr_expect(xs_timefn_value(&f, 4) == 3 && xs_timefn_value(&f, 9) == 3);
    for (double t = 1.55; t < 4.5; t += 0.1) expect_rate(&f, t, 1e-9);
  }
  xs_timefn smooth = ramp(0, 1, 0, 1, 1);
  cr_expect(fabs(xs_timefn_value(&smooth, 0.25) - 0.15625) <= 1e-16);
}

Test(timefn, rate_at_a_kink_is_that_of_what_follows) {
  const double time[] = {0, 1, 3}, value[] = {0, 2, 0};
  xs_timefn f = ramp(0, 6, 2, 5, 0), g = table(3, time, value, NULL);
  cr_expect(xs_timefn_rate(&f, 2) == 2 && xs_timefn_rate(&f, 5) == 0);
  cr_expect(xs_timefn_rate(&g, 0) == 2 && xs_timefn_rate(&g, 1) == -1);
  cr_expect(xs_timefn_rate(&g, 3) == 0);
}

Test(timefn, sine_has_its_closed_form) {
  xs_timefn f = sine(1, 2, 0.5, 0.3);
  for (double t = -3; t < 3; t += 0.17) {
    cr_expect(fabs(xs_timefn_value(&f, t) - (1 + 2 * sin(XS_PI * t + 0.3))) <= 3e-15);
    expect_rate(&f, t, 1e-8);
  }
}

/* f t = 10^11 + 1/4 periods: a quarter of a period, to round-off. */
Test(timefn, sine_stays_accurate_after_many_periods) {
  xs_timefn f = sine(0, 1, 1000, 0), g = sine(0, 1, 0x1p-2, 0), h = sine(0, 1, 0.1, 0);
  double t = 100000000.00025; /* carries a rounding error of its own, kept exactly below */
  double turns = (t - 1e8) * 1000;
  cr_expect(fabs(xs_timefn_value(&f, t) - sin(2 * XS_PI * turns)) <= 1e-15);
  cr_expect(xs_timefn_value(&g, 0x1p+60 + 0x1p+10) == 0);
  /* 0.1 as a double exceeds 1/10 by 5.551115123125783e-18. */
  cr_expect(fabs(xs_timefn_value(&h, 1e15) - sin(2 * XS_PI * 5.551115123125783e-3)) <= 1e-15);
  cr_expect(isnan(xs_timefn_value(&f, NAN)) && isnan(xs_timefn_value(&f, INFINITY)));
}

Test(timefn, linear_table_joins_its_points) {
  const double time[] = {-1, 0, 0.5, 4}, value[] = {3, 1, 2, -5};
  xs_timefn f = table(4, time, value, NULL);
  for (int i = 0; i < 4; i++) cr_expect(xs_timefn_value(&f, time[i]) == value[i]);
  cr_expect(xs_timefn_value(&f, -7) == 3 && xs_timefn_value(&f, 99) == -5);
  cr_expect(xs_timefn_value(&f, 0.25) == 1.5 && xs_timefn_value(&f, 2.25) == -1.5);
  cr_expect(isnan(xs_timefn_value(&f, NAN)));
}

/* Second derivative of a cubic table at t, by differences of its rate. */
static double curvature(const xs_timefn *f, double t, double step) {
  return (xs_timefn_rate(f, t + step) - xs_timefn_rate(f, t)) / step;
}

Test(timefn, cubic_table_is_the_natural_spline) {
  const double time[] = {0, 1, 1.5, 3, 3.2, 5}, value[] = {1, -2, 0.5, 4, 4, -1};
  double slope[6], work[6];
  xs_timefn_spline_slopes(6, time, value, slope, work);
  xs_timefn f = table(6, time, value, slope);

  for (int i = 0; i < 6; i++) cr_expect(fabs(xs_timefn_value(&f, time[i]) - value[i]) <= 1e-15);
  for (double t = 0.05; t < 5; t += 0.1) expect_rate(&f, t, 1e-7);

  /* Second derivatives are continuous inside and vanish at the ends. */
  for (int i = 1; i < 5; i++)
    cr_expect(fabs(curvature(&f, time[i], 1e-6) - curvature(&f, time[i], -1e-6)) <= 2e-3);
  cr_expect(fabs(curvature(&f, 0, 1e-6)) <= 1e-4);
  double end = (slope[5] - xs_timefn_rate(&f, 5 - 1e-6)) / 1e-6;
  cr_expect(fabs(end) <= 1e-4);
}

Test(timefn, spline_of_three_points_and_of_a_line_are_exact) {
  /* Natural spline through (0,0), (1,1), (2,0): slopes 3/2, 0, -3/2; at 1/2: 11/16. */
  const double time[] = {0, 1, 2}, hat[] = {0, 1, 0};
  double slope[4], work[4];
  xs_timefn_spline_slopes(3, time, hat, slope, work);
  xs_timefn f = table(3, time, hat, slope);
  cr_expect(fabs(slope[0] - 1.5) <= 1e-15 && fabs(slope[1]) <= 1e-15);
  cr_expect(fabs(slope[2] + 1.5) <= 1e-15);
  cr_expect(fabs(xs_timefn_value(&f, 0.5) - 0.6875) <= 1e-15);

  const double uneven[] = {0, 1, 5, 6}, line[] = {1, 3, 11, 13};
  xs_timefn_spline_slopes(4, uneven, line, slope, work);
  for (int i = 0; i < 4; i++) cr_expect(fabs(slope[i] - 2) <= 1e-15);
  xs_timefn_spline_slopes(2, uneven, line, slope, work);
  cr_expect(fabs(slope[0] - 2) <= 1e-15 && fabs(slope[1] - 2) <= 1e-15);
}

Test(timefn, sums_and_products_follow_the_rules) {
  xs_timefn a = sine(0.5, 1, 1, 0.2), b = ramp(0, 1, 0, 2, 1), c = constant(3);
  const xs_timefn *parts[] = {&a, &b, &c};
  xs_timefn sum = terms(XS_TIMEFN_SUM, 3, parts), product = terms(XS_TIMEFN_PRODUCT, 3, parts);
  const xs_timefn *nested_parts[] = {&sum, &product};
  xs_timefn nested = terms(XS_TIMEFN_PRODUCT, 2, nested_parts);
  for (double t = 0.05; t < 1.95; t += 0.13) {
    double va = xs_timefn_value(&a, t), vb = xs_timefn_value(&b, t);
    cr_expect(fabs(xs_timefn_value(&sum, t) - (va + vb + 3)) <= 1e-15);
    cr_expect(fabs(xs_timefn_value(&product, t) - va * vb * 3) <= 2e-15);
    expect_rate(&sum, t, 1e-8);
    expect_rate(&product, t, 1e-7);
    expect_rate(&nested, t, 1e-6);
  }

  /* A NULL factor is 0, and so is the product. */
  const xs_timefn *with_null[] = {&a, NULL};
  xs_timefn zero = terms(XS_TIMEFN_PRODUCT, 2, with_null);
  cr_expect(xs_timefn_value(&zero, 1) == 0 && xs_timefn_rate(&zero, 1) == 0);
}
