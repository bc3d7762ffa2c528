/* Functions of time: values and rates by recursion over the tree of timefn.h.
 *
 * Ramps and tables are constant outside their times, so their rate is 0 there; at a kink
 * the rate is that of the piece that follows. A cubic table is the natural spline in
 * Hermite form: between knots the cubic with the knots' values and slopes. The sine's
 * 2 pi f t is reduced in turns before pi enters, so that it stays accurate after many
 * periods. */
#include "model/timefn.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "math/trig.h"

/* x without its whole part, exact, with the sign of x. */
static double fraction(double x) {
  if (!(fabs(x) < 0x1p+53)) return x - x; /* even integers; NaN and infinities give NaN */
  return x - (double)(int64_t)x;
}

/* 2 pi f t + phase without whole turns: f t is formed exactly, as turns + rest. */
static double sine_angle(const xs_timefn *f, double t) {
  double rest, turns = xs_trig_two_product(f->u.sine.frequency, t, &rest);
  double part = fraction(fraction(turns) + fraction(rest));
  return 2 * XS_PI * part + f->u.sine.phase;
}

static double ramp_value(const xs_timefn *f, double t) {
  double from = f->u.ramp.from, to = f->u.ramp.to;
  if (t < f->u.ramp.start) return from;
  if (t >= f->u.ramp.end) return to;
  double s = (t - f->u.ramp.start) / (f->u.ramp.end - f->u.ramp.start);
  if (f->u.ramp.smooth) s = s * s * (3 - 2 * s);
  return from + (to - from) * s;
}

static double ramp_rate(const xs_timefn *f, double t) {
  if (t < f->u.ramp.start || t >= f->u.ramp.end) return 0;
  double length = f->u.ramp.end - f->u.ramp.start, s = (t - f->u.ramp.start) / length;
  double slope = f->u.ramp.smooth ? 6 * s * (1 - s) : 1;
  return (f->u.ramp.to - f->u.ramp.from) / length * slope;
}

/* Index i with time[i] <= t < time[i + 1], for t within the table (bisection). */
static int table_interval(const xs_timefn *f, double t) {
  int low = 0, high = f->u.table.n - 1;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (f->u.table.time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* One interval of a table, as v0 + h s (c1 + s (c2 + s c3)), s in [0, 1]. */
typedef struct piece {
  double v0, h, s, c1, c2, c3;
} piece;

static piece table_piece(const xs_timefn *f, double t) {
  int i = table_interval(f, t);
  const double *time = f->u.table.time, *value = f->u.table.value, *slope = f->u.table.slope;
  piece p = {.v0 = value[i], .h = time[i + 1] - time[i]};
  p.s = (t - time[i]) / p.h;
  p.c1 = (value[i + 1] - value[i]) / p.h;

  /* Hermite: the slopes at both ends instead of the mean one. */
  if (slope != NULL) {
    double mean = p.c1;
    p.c1 = slope[i];
    p.c2 = 3 * mean - 2 * slope[i] - slope[i + 1];
    p.c3 = slope[i] + slope[i + 1] - 2 * mean;
  }
  return p;
}

static double table_value(const xs_timefn *f, double t) {
  int last = f->u.table.n - 1;
  if (t <= f->u.table.time[0]) return f->u.table.value[0];
  if (t >= f->u.table.time[last]) return f->u.table.value[last];
  piece p = table_piece(f, t);
  return p.v0 + p.h * p.s * (p.c1 + p.s * (p.c2 + p.s * p.c3));
}

static double table_rate(const xs_timefn *f, double t) {
  if (t < f->u.table.time[0] || t >= f->u.table.time[f->u.table.n - 1]) return 0;
  piece p = table_piece(f, t);
  return p.c1 + p.s * (2 * p.c2 + p.s * 3 * p.c3);
}

static double terms_value(const xs_timefn *f, double t) {
  int is_sum = f->kind == XS_TIMEFN_SUM;
  double total = is_sum ? 0 : 1;
  for (int i = 0; i < f->u.terms.n; i++) {
    double term = xs_timefn_value(f->u.terms.term[i], t);
    total = is_sum ? total + term : total * term;
  }
  return total;
}

/* Sum of the terms' rates, for a product each times the other factors (product rule). */
static double terms_rate(const xs_timefn *f, double t) {
  double total = 0;
  for (int i = 0; i < f->u.terms.n; i++) {
    double rate = xs_timefn_rate(f->u.terms.term[i], t);
    for (int j = 0; f->kind == XS_TIMEFN_PRODUCT && j < f->u.terms.n; j++)
      if (j != i) rate *= xs_timefn_value(f->u.terms.term[j], t);
    total += rate;
  }
  return total;
}

double xs_timefn_value(const xs_timefn *f, double t) {
  double s, c;
  if (f == NULL) return 0;
  switch (f->kind) {
    case XS_TIMEFN_CONSTANT:
      return f->u.constant;
    case XS_TIMEFN_RAMP:
      return ramp_value(f, t);
    case XS_TIMEFN_SINE:
      xs_trig_sincos(sine_angle(f, t), &s, &c);
      return f->u.sine.offset + f->u.sine.amplitude * s;
    case XS_TIMEFN_TABLE:
      return table_value(f, t);
    case XS_TIMEFN_SUM:
    case XS_TIMEFN_PRODUCT:
      return terms_value(f, t);
  }
  return NAN; /* not a kind */
}

double xs_timefn_rate(const xs_timefn *f, double t) {
  double s, c;
  if (f == NULL) return 0;
  switch (f->kind) {
    case XS_TIMEFN_CONSTANT:
      return 0;
    case XS_TIMEFN_RAMP:
      return ramp_rate(f, t);
    case XS_TIMEFN_SINE:
      xs_trig_sincos(sine_angle(f, t), &s, &c);
      return 2 * XS_PI * f->u.sine.frequency * f->u.sine.amplitude * c;
    case XS_TIMEFN_TABLE:
      return table_rate(f, t);
    case XS_TIMEFN_SUM:
    case XS_TIMEFN_PRODUCT:
      return terms_rate(f, t);
  }
  return NAN; /* not a kind */
}

/* The second derivative is continuous inside and 0 at both ends (natural). With the mean
 * slopes d_i of the intervals h_i and w_i = h_i / (h_{i-1} + h_i), every row reads
 *   w_i m_{i-1} + 2 m_i + (1 - w_i) m_{i+1} = 3 (w_i d_{i-1} + (1 - w_i) d_i),
 * the ends with w_0 = 0 and w_{n-1} = 1. Thomas' algorithm; the rows are diagonally
 * dominant. */
void xs_timefn_spline_slopes(int n, const double *time, const double *value, double *slope,
                             double *work) {
  double h_before = 0, d_before = 0, upper = 0, m = 0;

  /* Eliminate downwards: m_i = slope[i] - work[i] m_{i+1} */
  for (int i = 0; i < n; i++) {
    int last = i == n - 1;
    double h = last ? 0 : time[i + 1] - time[i];
    double d = last ? 0 : (value[i + 1] - value[i]) / h;
    double w = i == 0 ? 0 : last ? 1 : h / (h_before + h);
    double pivot = 2 - w * upper;
    m = (3 * (w * d_before + (1 - w) * d) - w * m) / pivot;
    upper = (1 - w) / pivot;
    slope[i] = m, work[i] = upper;
    h_before = h, d_before = d;
  }

  /* Substitute upwards. */
  for (int i = n - 2; i >= 0; i--) slope[i] -= work[i] * slope[i + 1];
}
