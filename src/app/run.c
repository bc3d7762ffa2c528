/* The run (run.h): preparing, the loop, and the ways it can end. */
#include "app/run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/setup.h"
#include "app/summary.h"
#include "app/target.h"
#include "base/printable.h"
#include "io/metric.h"
#include "io/result_survey.h"

typedef struct run {
  const xs_options *options;
  xs_report *report;
  xs_setup setup;
  xs_result *result;
  const char *path; /* under which the result ends */
  xs_progress progress;
  xs_summary summary, checkpointed_summary; /* now, and as of the latest checkpoint */
  xs_check_outcome *checks;                 /* n_checks */
  int checks_evaluated;

  int64_t first_step, last_step; /* of this run */
  int64_t checkpoint_steps;      /* between checkpoints */
  int64_t checkpointed;          /* step of the latest checkpoint, -1 = none by this run */
  int64_t recorded;              /* step of the latest record, or the first step */
  int within_step;               /* stopped between two substeps: the state is none to keep */

  /* Wall times, s. */
  double started;       /* of the program */
  double first;         /* when the first step began */
  double now;           /* latest reading of the clock */
  double recorded_at;   /* of the latest record */
  double longest_step;  /* with its record and checkpoint */
  double checkpointing; /* longest checkpoint outside the loop */
} run;

/* ---- Records and checkpoints ------------------------------------------------------- */

/* Observes the state and records it, if it is fit to be (else XS_DIVERGED), with the mean wall time
 * a step since the record before (0 for the first). */
static xs_status record(run *r) {
  xs_setup *s = &r->setup;
  const int64_t steps = s->state->step - r->recorded;
  const double step_wall = steps > 0 ? (r->now - r->recorded_at) / (double)steps : 0;
  xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
  xs_status status = xs_observe_check(s->world, s->state, s->observation, XS_DIVERGED, r->report);
  if (status != XS_OK) return status;

  const xs_residual *residual = &s->observation->residual;
  xs_summary_record(&r->summary, s->observation, xs_state_time(s->world, s->state));
  xs_progress_record(&r->progress, residual->constraint, residual->primal_relative);
  r->recorded = s->state->step;
  r->recorded_at = r->now;
  return xs_result_record(r->result, step_wall, r->report);
}

static xs_status checkpoint(run *r) {
  if (r->checkpointed == r->setup.state->step) return XS_OK;
  r->checkpointed = r->setup.state->step;
  r->checkpointed_summary = r->summary;
  return xs_result_checkpoint(r->result, r->report);
}

/* Steps between checkpoints: output.checkpoint in steps, at least one. */
static int64_t checkpoint_interval(const xs_world *world) {
  const double steps = world->output.checkpoint / world->time.step;
  if (!(steps < 1e15)) return INT64_MAX;
  return steps < 1 ? 1 : (int64_t)llround(steps);
}

/* ---- The loop ---------------------------------------------------------------------- */

/* Time for a last step and a checkpoint has to be left when the limit comes. */
static int time_is_up(const run *r) {
  const double reserve = 2 * (r->longest_step + r->checkpointing);
  return r->now - r->started + reserve >= r->options->max_wall;
}

/* xs_stop.asked: within a step nothing is left to wait for. */
static int has_to_stop(void *run_) {
  const run *r = run_;
  if (xs_interrupt_signal() != 0) return 1;
  return isfinite(r->options->max_wall) &&
         xs_clock_tick() - r->started + 2 * r->checkpointing >= r->options->max_wall;
}

static xs_status take_step(run *r) {
  const xs_setup *s = &r->setup;
  const xs_stop stop = {.asked = has_to_stop, .context = r};
  xs_status status = s->method->step(s->method_self, s->state, &stop, r->report);
  r->within_step = status == XS_STOPPED;
  if (status != XS_OK) return status;

  const double now = xs_clock_now();
  if (now - r->now > r->longest_step) r->longest_step = now - r->now;
  r->now = now;

  /* The record first: a resumed run keeps the records up to its checkpoint. */
  const int64_t step = s->state->step;
  if (step % s->world->output.every == 0) status = record(r);
  if (status == XS_OK && step % r->checkpoint_steps == 0) status = checkpoint(r);
  if (status == XS_OK) xs_progress_update(&r->progress, step, now);
  return status;
}

/* Steps until the end (XS_OK), a request to stop (XS_STOPPED) or a failure. */
static xs_status loop(run *r) {
  while (r->setup.state->step < r->last_step) {
    if (xs_interrupt_signal() != 0 || time_is_up(r)) return XS_STOPPED;
    xs_status status = take_step(r);
    if (status != XS_OK) return status;
  }
  return XS_OK;
}

/* ---- The ends ---------------------------------------------------------------------- */

/* Evaluates the scene's checks on the flushed result: XS_OK if all hold, XS_CHECK, or XS_IO.
 * One that cannot be evaluated has not held. */
static xs_status evaluate_checks(run *r) {
  const xs_world *world = r->setup.world;
  xs_status status = xs_result_flush(r->result, r->report), verdict = XS_OK;
  for (int i = 0; i < world->n_checks && status == XS_OK; i++) {
    const xs_check *check = &world->checks[i];
    xs_check_outcome *outcome = &r->checks[i];
    *outcome = (xs_check_outcome){.value = NAN};
    status = xs_metric_check(r->result, check, &outcome->value, &outcome->held, r->report);
    if (status == XS_SCENE) status = XS_OK; /* its message is in the report */
    if (outcome->held) continue;

    char condition[128], path[32];
    verdict = XS_CHECK;
    snprintf(path, sizeof path, "checks[%d]", i);
    const xs_place place = {.file = r->setup.source.file, .path = path};
    xs_report_error(r->report, XS_CHECK, &place, "%s is %.9g, asked for: %s", check->metric,
                    outcome->value, xs_summary_condition(check, condition, sizeof condition));
  }
  r->checks_evaluated = status == XS_OK;
  return status != XS_OK ? status : verdict;
}

/* Evaluates the metrics that a sweep asks for while the file is open, which is cheaper than opening
 * it again. One that has no value is warned of; XS_IO shows when the result is finished. */
static void evaluate_metrics(run *r) {
  const xs_options *options = r->options;
  if (options->metric_values == NULL) return;
  xs_report *own = calloc(1, sizeof *own);
  if (own == NULL) return;
  for (int m = 0; m < options->n_metrics; m++) {
    double *value = &options->metric_values[m];
    own->n_errors = own->n_kept = 0;
    if (xs_metric_value(r->result, options->metrics[m], -INFINITY, INFINITY, value, own) == XS_OK)
      continue;
    *value = NAN;
    xs_report_warning(r->report, &(xs_place){.file = r->path}, "no value for the summary: %s",
                      own->kept[0].text);
  }
  free(own);
  *options->metrics_evaluated = 1;
}

/* Says why the run stopped and how to go on. */
static void report_stop(run *r) {
  const xs_setup *s = &r->setup;
  const int signal_number = xs_interrupt_signal();
  char reason[64];
  if (signal_number == SIGINT || signal_number == SIGTERM)
    snprintf(reason, sizeof reason, "by %s", signal_number == SIGINT ? "SIGINT" : "SIGTERM");
  else
    snprintf(reason, sizeof reason, "by --max-wall %.9g", r->options->max_wall);
  xs_report_error(
      r->report, XS_STOPPED, NULL,
      "stopped %s at t = %.9g s (step %lld of %lld)%s; go on with: xsim --resume %s", reason,
      xs_state_time(s->world, s->state), (long long)s->state->step, (long long)r->last_step,
      r->within_step ? ", the latest checkpoint, as the step was not done" : "", r->path);
}

/* To the latest checkpoint: XS_STOPPED, or XS_IO. */
static xs_status go_back(run *r) {
  const xs_status status = xs_result_go_back(r->result, r->report);
  if (status != XS_OK) return status;
  r->checkpointed = r->setup.state->step;
  r->summary = r->checkpointed_summary;
  r->now = xs_clock_now();
  return XS_STOPPED;
}

/* Ends the file as the outcome of the loop asks for. Returns the exit status. */
static xs_status end(run *r, xs_status outcome) {
  const char *name = outcome == XS_STOPPED    ? "stopped"
                     : outcome == XS_DIVERGED ? "diverged"
                                              : "complete";
  xs_status status = outcome;

  /* A state between two substeps is none that a run could go on from. */
  if (outcome == XS_STOPPED && r->within_step) status = go_back(r);

  /* A diverged state is no place to go on from: the checkpoint before it stays. */
  if ((outcome == XS_OK || outcome == XS_STOPPED) && status == outcome) {
    status = checkpoint(r);
    if (status == XS_OK) status = outcome;
  }
  if (status == XS_OK) status = evaluate_checks(r);

  /* Whatever is none of the controlled ends leaves the .partial as it is. */
  if (status != XS_OK && status != XS_CHECK && status != XS_STOPPED && status != XS_DIVERGED) {
    xs_result_abandon(r->result);
    return status;
  }
  evaluate_metrics(r);
  /* Where this run had to stop, the next would have to as well. */
  if (r->options->computed != NULL && outcome != XS_STOPPED)
    r->options->computed(r->options->computed_context);
  xs_status finished = xs_result_finish(r->result, name, (int)status, r->report);
  if (finished != XS_OK) return finished;
  xs_summary_warn(&r->summary, r->setup.world, r->report);
  if (outcome == XS_STOPPED) report_stop(r);

  const xs_summary_end summary_end = {.status = name,
                                      .path = r->path,
                                      .first_step = r->first_step,
                                      .wall = r->now - r->first,
                                      .checks = r->checks_evaluated ? r->checks : NULL};
  if (!r->options->quiet) xs_summary_print(stdout, &r->summary, &r->setup, &summary_end);
  return status;
}

/* ---- The beginning ----------------------------------------------------------------- */

/* Warnings are worth reading while there is time to stop the run. */
static void print_warnings(run *r) {
  xs_report_print(r->report, stderr, r->options->error_format, r->options->quiet);
  *r->report = (xs_report){0};
}

/* Opens the result; a new one gets its record and checkpoint of t = 0 at once. */
static xs_status open_result(run *r, const xs_run_info *info) {
  xs_setup *s = &r->setup;
  const xs_result_subject subject = {.world = s->world,
                                     .source = &s->source,
                                     .run = info,
                                     .state = s->state,
                                     .observation = s->observation,
                                     .n_persist = s->n_persist,
                                     .persist = s->persist};
  const int resumes = r->options->command == XS_COMMAND_RESUME;
  const double energy_start = s->observation->total;
  xs_status status =
      resumes ? xs_result_resume(r->options->input, &subject, &r->result, r->report)
              : xs_result_create(r->path, r->options->force, &subject, &r->result, r->report);
  if (status != XS_OK) return status;

  if (resumes) xs_state_loaded(s->state);
  r->first_step = r->recorded = s->state->step;
  r->checkpointed = resumes ? s->state->step : -1;
  r->now = r->recorded_at = xs_clock_now();
  xs_summary_begin(&r->summary, energy_start, xs_state_time(s->world, s->state));
  r->checkpointed_summary = r->summary;
  if (resumes) return XS_OK;

  status = record(r);
  if (status == XS_OK) status = checkpoint(r);
  if (status != XS_OK) xs_result_abandon(r->result);
  return status;
}

/* What the method makes of the scene's start before it is recorded. A start that is not to be had
 * leaves no file. */
static xs_status start(run *r) {
  xs_setup *s = &r->setup;
  if (r->options->command == XS_COMMAND_RESUME || s->method->start == NULL) return XS_OK;
  xs_status status = s->method->start(s->method_self, s->state, r->report);
  if (status != XS_OK) return status;
  xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
  return xs_observe_check(s->world, s->state, s->observation, XS_DIVERGED, r->report);
}

static xs_status run_loop(run *r, const xs_run_info *info) {
  if (xs_interrupt_install() != 0)
    return xs_report_error(r->report, XS_INTERNAL, NULL, "signals cannot be caught: %s",
                           strerror(errno));
  const double before = xs_clock_now();
  xs_status status = start(r);
  if (status == XS_OK) status = open_result(r, info);
  if (status != XS_OK) return status;

  if (r->options->verbose) xs_result_survey_describe(r->result, stderr);

  /* Opening wrote a checkpoint: how long that took tells how long the last one may take. */
  r->first = r->now = r->recorded_at = xs_clock_now();
  r->checkpointing = r->now - before;
  xs_progress_begin(&r->progress, stderr,
                    r->options->quiet ? XS_PROGRESS_NEVER : r->options->progress, r->first_step,
                    r->last_step, r->setup.world->time.step, r->now);
  r->progress.fraction = r->options->fraction;
  status = loop(r);
  xs_progress_end(&r->progress);
  return end(r, status);
}

/* A complete result that asks for no more steps: told, and left alone. Its checks held, or
 * did not, when it was completed. */
static xs_status say_nothing_to_do(const run *r, const xs_result_standing *standing) {
  const double step = r->setup.world->time.step, until = r->options->until;
  const double end = (double)standing->checkpoint_step * step;
  char path[XS_PRINTABLE_PATH], why[128] = "--until T goes on";
  if (!isnan(until) && until != end)
    snprintf(why, sizeof why, "--until %.9g rounds to the same number of steps of %.9g s", until,
             step);

  if (!r->options->quiet)
    printf("%s is complete at t = %.9g s (step %lld): nothing to do; %s\n",
           xs_printable_text(r->path, path, sizeof path), end, (long long)standing->checkpoint_step,
           why);
  if (standing->exit_code != XS_CHECK) return XS_OK;
  return xs_report_error(r->report, XS_CHECK, NULL, "%s: a check of its scene failed", r->path);
}

xs_status xs_run_command(const xs_options *options, const xs_run_info *info, double started,
                         xs_arena *arena, xs_report *report) {
  run r = {.options = options, .report = report, .started = started};
  xs_status status = xs_setup_create(options, arena, &r.setup, report);
  if (status != XS_OK) return status;

  /* Where it goes, before anything is written. */
  xs_result_standing standing = {0};
  int nothing_to_do = 0;
  if (options->command == XS_COMMAND_RESUME)
    status = xs_target_check_resume(&r.setup, &standing, &nothing_to_do, report);
  else
    status = xs_target_check(options, arena, report);
  if (status != XS_OK) return status;

  const xs_world *world = r.setup.world;
  r.last_step = xs_world_steps(world);
  r.checkpoint_steps = checkpoint_interval(world);
  r.path = xs_target_final_path(
      options->command == XS_COMMAND_RESUME ? options->input : options->output, arena);
  r.checks = XS_ARENA_NEW(arena, xs_check_outcome, world->n_checks);
  if (r.path == NULL || r.checks == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the run");
  if (nothing_to_do) return say_nothing_to_do(&r, &standing);

  if (options->threads > 1) {
    r.setup.world->pool = xs_pool_create(options->threads);
    if (r.setup.world->pool == NULL)
      return xs_report_error(report, XS_INTERNAL, NULL,
                             "--threads %d: they cannot be started (%s); ask for fewer",
                             options->threads, strerror(errno));
  }
  print_warnings(&r);
  if (options->verbose) xs_setup_describe(&r.setup, stderr);
  status = run_loop(&r, info);
  xs_pool_destroy(r.setup.world->pool);
  if (xs_interrupt_restore() != 0 && status == XS_OK)
    return xs_report_error(report, XS_INTERNAL, NULL, "signals cannot be put back: %s",
                           strerror(errno));
  return status;
}
