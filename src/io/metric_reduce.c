/* A series in time reduced to one number; see metric_reduce.h.
 *
 * Sums are compensated (Neumaier 1974), so that a mean over a million records keeps its
 * digits; the median is found by selection (Hoare 1961), the mean of the two middle values
 * when their number is even. */
#include "io/metric_reduce.h"

#include <math.h>

/* Tolerance in s, from the mean record interval. */
static double slack_of(const xs_metric_series *s) {
  return s->n > 1 ? XS_METRIC_TIME_SLACK * (s->time[s->n - 1] - s->time[0]) / (double)(s->n - 1)
                  : 0;
}

/* ---- reductions of x[0 .. n-1], n > 0 ---- */

static double largest(const double *x, int64_t n, double sign) {
  double best = -INFINITY;
  for (int64_t i = 0; i < n; i++) {
    if (isnan(x[i])) return NAN;
    if (sign * x[i] > best) best = sign * x[i];
  }
  return sign * best;
}

/* Sum of (x / scale)^power, power 1 or 2. */
static double sum_of(const double *x, int64_t n, double scale, int power) {
  double sum = 0, rest = 0;
  for (int64_t i = 0; i < n; i++) {
    double term = x[i] / scale;
    if (power == 2) term *= term;
    double next = sum + term;
    rest += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  return isfinite(sum) ? sum + rest : sum;
}

/* Root of the mean square, scaled by the largest value: squares neither overflow nor vanish. */
static double root_mean_square(const double *x, int64_t n) {
  double low = largest(x, n, -1), high = largest(x, n, 1);
  double scale = fmax(fabs(low), fabs(high));
  if (isnan(low) || isinf(scale) || scale == 0) return isnan(low) ? NAN : scale;
  return scale * sqrt(sum_of(x, n, scale, 2) / (double)n);
}

/* Puts the k-th smallest at x[k], smaller ones before it, larger ones behind. */
static double select_kth(double *x, int64_t n, int64_t k) {
  int64_t low = 0, high = n - 1;
  while (low < high) {
    double pivot = x[low + (high - low) / 2];
    int64_t i = low, j = high;
    while (i <= j) {
      while (x[i] < pivot) i++;
      while (x[j] > pivot) j--;
      if (i > j) break;
      double swap = x[i];
      x[i++] = x[j];
      x[j--] = swap;
    }
    if (k <= j)
      high = j;
    else if (k >= i)
      low = i;
    else
      break;
  }
  return x[k];
}

static double median(double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (isnan(x[i])) return NAN;
  double upper = select_kth(x, n, n / 2);
  if (n % 2 == 1) return upper;
  double lower = largest(x, n / 2, 1);
  return lower + 0.5 * (upper - lower);
}

/* max |x - x0|, not a number if any is not. */
static double largest_change(const double *x, int64_t n, double x0) {
  double best = 0;
  for (int64_t i = 0; i < n; i++) {
    double change = fabs(x[i] - x0);
    if (isnan(change)) return NAN;
    if (change > best) best = change;
  }
  return best;
}

/* ---- interpolation ---- */

/* Value at time t; 0 if t is outside the records that count. */
static int interpolate(const xs_metric_series *s, double t, double *value) {
  double slack = slack_of(s);
  if (s->first >= s->n || !(t >= s->time[s->first] - slack) || !(t <= s->time[s->n - 1] + slack))
    return 0;
  int64_t low = s->first, high = s->n - 1; /* time[low] <= t < time[high + 1] */
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (s->time[middle] <= t)
      low = middle;
    else
      high = middle - 1;
  }
  int64_t next = low + 1 < s->n ? low + 1 : low;
  double a = t - s->time[low], b = s->time[next] - t;
  if (next == low || a <= slack)
    *value = s->value[low];
  else if (b <= slack)
    *value = s->value[next];
  else
    *value = s->value[low] + a / (a + b) * (s->value[next] - s->value[low]);
  return 1;
}

static xs_status outside(const xs_metric_series *s, double t, const char *metric,
                         xs_report *report) {
  if (s->first >= s->n)
    return xs_report_error(report, XS_SCENE, NULL, "metric \"%s\": there are no records", metric);
  return xs_report_error(report, XS_SCENE, NULL,
                         "metric \"%s\": time %.9g s is outside the records, %.9g s to %.9g s",
                         metric, t, s->time[s->first], s->time[s->n - 1]);
}

/* ---- the window ---- */

/* Records [*low, *high) that count and lie in the window. */
static void find_window(const xs_metric_series *s, double from, double to, int64_t *low,
                        int64_t *high) {
  double slack = slack_of(s);
  *low = s->first;
  *high = s->n;
  while (*low < s->n && s->time[*low] < from - slack) ++*low;
  while (*high > *low && s->time[*high - 1] > to + slack) --*high;
}

static xs_status drift(const xs_metric_series *s, const double *x, int64_t n, const char *metric,
                       double *value, xs_report *report) {
  double x0 = s->value[s->first];
  if (x0 == 0)
    return xs_report_error(report, XS_SCENE, NULL,
                           "metric \"%s\": relative_drift divides by the value at the start, which "
                           "is 0; use max and min",
                           metric);
  *value = largest_change(x, n, x0) / fabs(x0);
  return XS_OK;
}

xs_status xs_metric_reduce(xs_metric_series *series, xs_metric_reduction reduction, double at,
                           double from, double to, const char *metric, double *value,
                           xs_report *report) {
  int64_t low, high;
  find_window(series, from, to, &low, &high);
  if (low >= high)
    return xs_report_error(report, XS_SCENE, NULL,
                           "metric \"%s\": no record with a value from %g s to %g s", metric, from,
                           to);
  double *x = series->value + low;
  int64_t n = high - low;
  switch (reduction) {
    case XS_METRIC_FINAL:
      *value = x[n - 1];
      return XS_OK;
    case XS_METRIC_MIN:
      *value = largest(x, n, -1);
      return XS_OK;
    case XS_METRIC_MAX:
      *value = largest(x, n, 1);
      return XS_OK;
    case XS_METRIC_MEAN:
      *value = sum_of(x, n, 1, 1) / (double)n;
      return XS_OK;
    case XS_METRIC_MEDIAN:
      *value = median(x, n);
      return XS_OK;
    case XS_METRIC_RMS:
      *value = root_mean_square(x, n);
      return XS_OK;
    case XS_METRIC_RELATIVE_DRIFT:
      return drift(series, x, n, metric, value, report);
    case XS_METRIC_AT:
      return interpolate(series, at, value) ? XS_OK : outside(series, at, metric, report);
    default:
      break;
  }
  return xs_report_error(report, XS_INTERNAL, NULL, "metric \"%s\": no reduction", metric);
}

xs_status xs_metric_reduce_deviation(const xs_metric_series *series, int n, const double *time,
                                     const double *value, double from, double to,
                                     const char *metric, double *deviation, xs_report *report) {
  int compared = 0;
  *deviation = 0;
  for (int i = 0; i < n; i++) {
    double found;
    if (time[i] < from || time[i] > to) continue;
    if (!interpolate(series, time[i], &found)) return outside(series, time[i], metric, report);
    double difference = fabs(found - value[i]);
    if (isnan(difference) || difference > *deviation) *deviation = difference;
    if (isnan(difference)) return XS_OK;
    compared++;
  }
  if (compared > 0) return XS_OK;
  return xs_report_error(report, XS_SCENE, NULL,
                         "metric \"%s\": no time of the reference from %g s to %g s", metric, from,
                         to);
}
