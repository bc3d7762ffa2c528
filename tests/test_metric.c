/* Metrics of a run whose numbers are known: grammar, reductions, windows, checks, hints. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/metric.h"
#include "io/metric_reduce.h"
#include "result_sample.h"

enum { LAST = 100 }; /* steps of the run, of 1 ms */

static char folder[64], path[80];
static xs_report report;
static sample *s;
static xs_result *result;

static void start(void) {
  snprintf(folder, sizeof folder, "/tmp/xsim-metric-XXXXXX");
  cr_assert(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/out.h5", folder);
  s = sample_create(3, 2, 1e-3 * LAST);
  cr_assert(xs_result_create(path, 0, &s->subject, &result, &report) == XS_OK);
  cr_assert(sample_record(s, result, 0, LAST, &report) == XS_OK);
}

static void stop(void) {
  if (result) xs_result_abandon(result);
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert(system(command) == 0);
  sample_free(s);
}

TestSuite(metric, .init = start, .fini = stop, .timeout = 60);

static double value_in(const char *metric, double from, double to) {
  double value = NAN;
  xs_status status = xs_metric_value(result, metric, from, to, &value, &report);
  cr_assert(status == XS_OK, "%s: %s", metric, report.n_kept ? report.kept[0].text : "");
  return value;
}

static double value_of(const char *metric) { return value_in(metric, -INFINITY, INFINITY); }

static void expect(const char *metric, double expected) {
  double value = value_of(metric);
  cr_assert(value == expected, "%s = %.17g, expected %.17g", metric, value, expected);
}

static void expect_near(const char *metric, double expected) {
  double value = value_of(metric);
  cr_assert(fabs(value - expected) <= 1e-14 * fabs(expected), "%s = %.17g, expected %.17g", metric,
            value, expected);
}

/* The metric is refused, with both words in the message, by value and by form alike. */
static void refuse(const char *metric, const char *word1, const char *word2) {
  double value;
  report = (xs_report){0};
  cr_assert(xs_metric_value(result, metric, -INFINITY, INFINITY, &value, &report) == XS_SCENE,
            "%s was taken", metric);
  const char *text = report.kept[0].text;
  cr_assert(strstr(text, word1) && strstr(text, word2), "%s: %s", metric, text);
  cr_assert(strstr(text, metric), "%s is not named in: %s", metric, text);
}

static void refuse_form(const char *metric, const char *word1, const char *word2) {
  const xs_place place = {"scene.json", 7, 3, "checks[0].metric"};
  refuse(metric, word1, word2);
  report = (xs_report){0};
  cr_assert(xs_metric_validate(&s->world, metric, 0, &place, &report) == XS_SCENE);
  cr_assert(report.kept[0].line == 7);
}

/* ---- reductions ---- */

Test(metric, reductions_of_a_falling_energy) {
  expect("energy.total.final", 100 - 0.1);
  expect("energy.total.max", 100);
  expect("energy.total.min", 100 - 0.1);
  expect_near("energy.total.mean", 100 - 0.05);
  expect_near("energy.total.median", 100 - 0.05);
  expect_near("energy.total.relative_drift", (100 - (100 - 0.1)) / 100);
  expect("momentum.linear.norm.final", sqrt(14));
}

Test(metric, root_mean_square_of_the_steps) {
  /* sum of k^2 for k = 0 .. n is n (n + 1) (2 n + 1) / 6 */
  double n = LAST;
  expect_near("step.rms", sqrt(n * (n + 1) * (2 * n + 1) / 6 / (n + 1)));
}

Test(metric, the_row_at_the_start_is_left_out_where_it_has_no_meaning) {
  cr_assert(value_in("residual.primal.max", 0, 0.007) == 0.5); /* 1 at t = 0 */
  expect("joints.force.hinge1.x.min", 1);                      /* 0 at t = 0 */
  expect("joints.coordinate.hinge1.x.min", 0);                 /* is meant at t = 0 */
  expect("residual.constraint.max", 1e-9);
}

Test(metric, at_a_time) {
  expect("step.at:0.05", 50);
  expect("step.at:0.1", LAST);
  expect_near("step.at:0.0125", 12.5);
  refuse("step.at:0.2", "outside the records", "0.1 s");
}

Test(metric, windows_take_their_borders_in) {
  cr_assert(value_in("step.min", 0.003, 0.007) == 3);
  cr_assert(value_in("step.max", 0.003, 0.007) == 7);
  cr_assert(value_in("step.median", 0.003, 0.006) == 4.5);
  cr_assert(value_in("energy.total.relative_drift", 0.05, 0.06) == (100 - (100 - 0.06)) / 100);
  double value;
  cr_assert(xs_metric_value(result, "step.max", 5, 6, &value, &report) == XS_SCENE);
}

Test(metric, drift_from_zero_is_refused) {
  refuse("energy.elastic.relative_drift", "is 0", "max and min");
}

/* ---- names ---- */

Test(metric, entries_by_name_index_and_either_order) {
  expect("bodies.position.link2.x.final", 1);
  expect("bodies.position.1.0.final", 1);
  expect("bodies.link2.position.x.final", 1);
  expect("bodies.2.position.z.final", -12.5);
  expect("bodies.orientation.link1.w.max", 1);
  expect("bodies.orientation.link1.0.max", 1);
  expect("bodies.linear_velocity.link1.norm.max", sqrt(1000. * 1000. + 125. * 125.));
  expect("residual.joint.hinge2.max", 2e-9);
  expect("joints.hinge2.force.norm.final", sqrt(LAST * LAST + 1.0));
}

Test(metric, a_body_may_be_called_like_a_field) {
  s->world.bodies[0].name = "position";
  expect("bodies.position.position.y.final", LAST);
  expect("bodies.position.linear_velocity.y.final", 1000);
}

Test(metric, unknown_names_are_refused_with_the_nearest) {
  refuse_form("energy.totl.max", "energy.totl", "did you mean \"energy.total\"");
  refuse_form("energy.total.maximum", "unknown reduction", "final, min, max");
  refuse_form("energy.total.mediam", "unknown reduction", "did you mean \"median\"");
  refuse_form("bodies.position.lnk2.x.final", "unknown body", "did you mean \"link2\"");
  refuse_form("bodies.lnk2.position.x.final", "unknown body", "did you mean \"link2\"");
  refuse_form("bodies.position.3.x.final", "unknown body", "link1, link2, link3");
  refuse_form("joints.force.final", "joint is missing", "hinge1");
  refuse_form("bodies.position.link1.q.final", "\"q\" is unknown", "x, y, z, 0 to 2, norm");
  refuse_form("bodies.orientation.link1.final", "component missing", "w, x, y, z, 0 to 3");
  refuse_form("energy.total.x.max", "too much", "no components");
  refuse_form("energy..max", "empty part", "DATASET");
  refuse_form("final", "unknown reduction", "");
  refuse_form("step.at:soon", "no number", "at:0.5");
  refuse_form("", "reduction", "");
}

Test(metric, fields_that_are_switched_off_cannot_be_named) {
  s->world.output.joints = 0;
  refuse_form("joints.force.hinge1.x.max", "no dataset", "joints.force");
}

/* ---- files ---- */

Test(metric, the_same_from_finished_and_partial_files) {
  static const char *const metrics[] = {"energy.total.median", "bodies.link3.position.y.rms",
                                        "joints.force.hinge2.norm.mean", "residual.joint.0.max"};
  char partial[96];
  double open_value[4], value;
  for (int i = 0; i < 4; i++) open_value[i] = value_of(metrics[i]);
  snprintf(partial, sizeof partial, "%s.partial", path);
  cr_assert(xs_metric_file_value(partial, metrics[0], -INFINITY, INFINITY, &value, &report) ==
            XS_OK);
  cr_assert(value == open_value[0]);
  cr_assert(xs_result_finish(result, "complete", 0, &report) == XS_OK);
  result = NULL;
  for (int i = 0; i < 4; i++) {
    cr_assert(xs_metric_file_value(path, metrics[i], -INFINITY, INFINITY, &value, &report) ==
              XS_OK);
    cr_assert(value == open_value[i]);
  }
  cr_assert(xs_metric_file_value(path, "bodies.position.lnk.x.max", 0, 1, &value, &report) ==
            XS_SCENE);
  cr_assert(strstr(report.kept[0].text, "link1"));
  cr_assert(xs_metric_file_value("/none", "time.max", 0, 1, &value, &report) == XS_IO);
}

/* ---- checks ---- */

static int held(xs_check check) {
  double value;
  int yes = -1;
  cr_assert(xs_metric_check(result, &check, &value, &yes, &report) == XS_OK);
  return yes;
}

static xs_check check_of(const char *metric) {
  return (xs_check){.metric = metric,
                    .from = -INFINITY,
                    .to = INFINITY,
                    .below = NAN,
                    .above = NAN,
                    .equals = NAN,
                    .within = NAN};
}

Test(metric, checks_hold_or_do_not) {
  xs_check c = check_of("step.final");
  c.below = 100;
  cr_assert(!held(c));
  c.below = 100.5, c.above = 99.5;
  cr_assert(held(c));
  c.above = 100;
  cr_assert(!held(c));
  c.above = NAN, c.equals = 101, c.within = 1;
  cr_assert(held(c));
  c.within = 0.5;
  cr_assert(!held(c));
}

Test(metric, a_value_that_is_no_number_never_holds) {
  s->observation.kinetic = NAN;
  s->state.step = LAST + 1;
  cr_assert(xs_result_record(result, 0, &report) == XS_OK);
  static const char *const metrics[] = {"energy.kinetic.final",         "energy.kinetic.min",
                                        "energy.kinetic.max",           "energy.kinetic.mean",
                                        "energy.kinetic.median",        "energy.kinetic.rms",
                                        "energy.kinetic.relative_drift"};
  for (int i = 0; i < 7; i++) {
    xs_check c = check_of(metrics[i]);
    c.below = 1e300;
    cr_assert(isnan(value_of(metrics[i])), "%s", metrics[i]);
    cr_assert(!held(c), "%s", metrics[i]);
  }
}

Test(metric, a_reference_series_is_compared_between_records_too) {
  const double time[] = {0, 0.0105, 0.1}, value[] = {0, 10, 100.25};
  xs_check c = check_of("step");
  c.n_reference = 3, c.reference_time = time, c.reference_value = value, c.within = 0.51;
  cr_assert(held(c)); /* 0, 0.5, 0.25 */
  c.within = 0.49;
  cr_assert(!held(c));
  c.from = 0.05;
  cr_assert(held(c));
  c.from = 0.2;
  double deviation;
  int yes;
  cr_assert(xs_metric_check(result, &c, &deviation, &yes, &report) == XS_SCENE);
  cr_assert(xs_metric_validate(&s->world, "step", 1, NULL, &report) == XS_OK);
  cr_assert(xs_metric_validate(&s->world, "step.max", 1, NULL, &report) == XS_SCENE);
}

/* ---- numerics, without a file ---- */

static double reduce(const double *x, int64_t n, xs_metric_reduction reduction) {
  double *time = calloc((size_t)n, sizeof *time), *copy = calloc((size_t)n, sizeof *copy), value;
  cr_assert(time && copy);
  for (int64_t i = 0; i < n; i++) time[i] = (double)i, copy[i] = x[i];
  xs_metric_series series = {n, 0, time, copy};
  cr_assert(xs_metric_reduce(&series, reduction, 0, -INFINITY, INFINITY, "m", &value, &report) ==
            XS_OK);
  free(time);
  free(copy);
  return value;
}

Test(metric, the_median_of_many_random_numbers_has_as_many_on_either_side) {
  enum { N = 1001 };
  static double x[N];
  for (int round = 0; round < 50; round++) {
    int n = N - round, below = 0, above = 0;
    for (int i = 0; i < n; i++) x[i] = round % 3 == 0 ? rand() % 5 : rand() / 1e9;
    double m = reduce(x, n, XS_METRIC_MEDIAN);
    for (int i = 0; i < n; i++) below += x[i]<m, above += x[i]> m;
    cr_assert(2 * below <= n && 2 * above <= n, "%d below, %d above of %d", below, above, n);
  }
}

Test(metric, sums_keep_their_digits) {
  const double x[] = {1, 1e100, 1, -1e100};
  cr_assert(reduce(x, 4, XS_METRIC_MEAN) == 0.5);
  const double large[] = {3e200, 4e200}, small[] = {3e-200, 4e-200};
  cr_assert(fabs(reduce(large, 2, XS_METRIC_RMS) / (sqrt(12.5) * 1e200) - 1) < 1e-15);
  cr_assert(fabs(reduce(small, 2, XS_METRIC_RMS) / (sqrt(12.5) * 1e-200) - 1) < 1e-15);
}
