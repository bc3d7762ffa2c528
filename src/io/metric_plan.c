/* Checks before a run (metric_plan.h): where a complete run will have records.
 *
 * A record every output.every steps h from t = 0 on, N = floor(steps / every) + 1 of them; a
 * field without a meaning at t = 0 begins with the second. Stands for what metric_reduce.c
 * does with the records once they are there. */
#include "io/metric_plan.h"

#include <math.h>
#include <stdio.h>

#include "io/metric_path.h"
#include "io/metric_reduce.h"

/* Where the records of a complete run will stand that a metric takes: at first, first +
 * interval, ..., last; n of them. Times are met to within slack, as in metric_reduce.c. */
typedef struct record_grid {
  int64_t n;
  double first, last, interval, slack;
} record_grid;

static record_grid plan_records(const xs_world *world, const xs_result_field *field) {
  const int64_t skipped = field->skip_start && world->solver.mode != XS_MODE_STATIC ? 1 : 0;
  const int64_t last = xs_world_steps(world) / world->output.every;
  record_grid grid = {.n = last + 1 - skipped, .interval = world->output.every * world->time.step};
  grid.first = (double)skipped * grid.interval;
  grid.last = (double)last * grid.interval;
  grid.slack = XS_METRIC_TIME_SLACK * grid.interval;
  return grid;
}

/* Records in a window; its sides may be infinite. */
static int64_t records_within(const record_grid *grid, double from, double to) {
  const double low = fmax(0, ceil((from - grid->slack - grid->first) / grid->interval));
  const double high =
      fmin((double)grid->n - 1, floor((to + grid->slack - grid->first) / grid->interval));
  return high >= low ? (int64_t)(high - low) + 1 : 0;
}

static xs_status no_records(const record_grid *grid, const char *metric, const char *where,
                            const xs_place *place, xs_report *report) {
  if (grid->n < 1)
    return xs_report_error(report, XS_SCENE, place,
                           "metric \"%s\": the run will have no record with a value of it", metric);
  return xs_report_error(report, XS_SCENE, place,
                         "metric \"%s\": the run will have no record %s; there will be %lld, from "
                         "%.9g s to %.9g s, every %.9g s",
                         metric, where, (long long)grid->n, grid->first, grid->last,
                         grid->interval);
}

static int covers(const record_grid *grid, double t) {
  return grid->n > 0 && t >= grid->first - grid->slack && t <= grid->last + grid->slack;
}

/* The times of a reference that lie in the window: at least one, and records around each. */
static xs_status validate_reference(const record_grid *grid, const xs_check *check,
                                    const xs_place *place, xs_report *report) {
  int compared = 0;
  for (int i = 0; i < check->n_reference; i++) {
    const double t = check->reference_time[i];
    if (t < check->from || t > check->to) continue;
    compared++;
    if (covers(grid, t)) continue;
    char where[64];
    snprintf(where, sizeof where, "around %.9g s, a time of the reference", t);
    return no_records(grid, check->metric, where, place, report);
  }
  if (compared > 0) return XS_OK;
  return xs_report_error(report, XS_SCENE, place,
                         "metric \"%s\": no time of the reference from %.9g s to %.9g s",
                         check->metric, check->from, check->to);
}

static xs_status validate_at(const record_grid *grid, const xs_check *check, double at,
                             const xs_place *place, xs_report *report) {
  if (isfinite(check->from) || isfinite(check->to))
    return xs_report_error(report, XS_SCENE, place,
                           "metric \"%s\": at:T names its one instant, and \"%s\" would do "
                           "nothing: leave it out",
                           check->metric, isfinite(check->from) ? "from" : "to");
  if (covers(grid, at)) return XS_OK;
  char where[64];
  snprintf(where, sizeof where, "around %.9g s", at);
  return no_records(grid, check->metric, where, place, report);
}

xs_status xs_metric_plan_check(const xs_world *world, const xs_metric_catalog *catalog,
                               const xs_check *check, const xs_place *place, xs_report *report) {
  xs_metric_path path;
  const xs_status status =
      xs_metric_path_resolve(catalog, check->metric, check->n_reference > 0, place, &path, report);
  if (status != XS_OK) return status;

  const record_grid grid = plan_records(world, path.field);
  if (check->n_reference > 0) return validate_reference(&grid, check, place, report);
  if (path.reduction == XS_METRIC_AT) return validate_at(&grid, check, path.at, place, report);
  if (records_within(&grid, check->from, check->to) > 0) return XS_OK;
  char where[96];
  snprintf(where, sizeof where, "from %.9g s to %.9g s", check->from, check->to);
  return no_records(&grid, check->metric, where, place, report);
}
