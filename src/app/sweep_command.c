/* What --sweep was asked to do (sweep_command.h). */
#include "app/sweep_command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/command_line.h"
#include "app/setup.h"
#include "app/sweep_cases.h"
#include "app/sweep_summary.h"
#include "base/printable.h"

/* ---- --list ---- */

/* Path of the running program, as a worker somewhere else would have to call it. */
static const char *own_path(char path[PATH_MAX]) {
  const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (n <= 0) return "xsim";
  path[n] = '\0';
  return path;
}

/* A command a case, with what was given besides: each does alone what the sweep would do. */
static xs_status list(const xs_sweep_run *run, xs_arena *arena, xs_report *report) {
  const xs_options *o = run->options;
  char program[PATH_MAX], task[16], wall[40], threads[24];
  const char **word = XS_ARENA_NEW(arena, const char *, 16 + 2 * o->n_set);
  if (word == NULL) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the list");
  for (int i = 0; i < run->sweep->n_cases; i++) {
    xs_arena line = {0};
    int n = 0;
    word[n++] = own_path(program);
    word[n++] = "--sweep";
    word[n++] = run->sweep->file;
    word[n++] = "--output";
    word[n++] = o->output;
    word[n++] = "--task";
    word[n++] = task;
    snprintf(task, sizeof task, "%d", i);
    for (int s = 0; s < o->n_set; s++) {
      word[n++] = "--set";
      word[n++] = o->set[s];
    }
    if (o->quiet) word[n++] = "--quiet";
    if (o->force) word[n++] = "--force";
    if (o->error_format == XS_REPORT_AS_JSON) word[n++] = "--error-format=json";
    if (o->max_wall < 1e300) {
      snprintf(wall, sizeof wall, "--max-wall=%.17g", o->max_wall);
      word[n++] = wall;
    }
    if (o->threads > 1) {
      snprintf(threads, sizeof threads, "--threads=%d", o->threads);
      word[n++] = threads;
    }
    const char *text = xs_command_line_join(n, word, &line);
    if (text != NULL) puts(text);
    xs_arena_free(&line);
    if (text == NULL)
      return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the list");
  }
  return XS_OK;
}

/* ---- --check ---- */

/* Builds all that a case would be run with, and prints a line. Its errors are printed at once, as a
 * report holds those of one scene. */
static xs_status check_case(const xs_sweep_run *run, int index, xs_report *messages) {
  xs_arena arena = {0};
  xs_sweep_case described;
  xs_setup setup;
  char world[XS_SETUP_TEXT], values[256], shown[XS_PRINTABLE_PATH];
  xs_options options = *run->options;
  *messages = (xs_report){0};
  xs_status status = xs_sweep_case_describe(run, index, &arena, &described, messages);
  options.command = XS_COMMAND_CHECK;
  options.scene = run->sweep->scene;
  options.n_set = described.n_set;
  options.set = described.set;
  options.n_metrics = run->sweep->n_metrics;
  options.metrics = run->sweep->metric;
  if (status == XS_OK) status = xs_setup_create(&options, &arena, &setup, messages);
  xs_sweep_cases_text(run->sweep, index, values, sizeof values);
  if (status == XS_OK && !options.quiet)
    printf("case %d (%s): %lld steps, %s\n", index, xs_printable_text(values, shown, sizeof shown),
           xs_world_steps(setup.world), xs_setup_world_text(setup.world, world, sizeof world));
  if (status != XS_OK)
    (void)xs_report_error(messages, status, NULL, "%s: so case %d (%s) is wrong", run->sweep->file,
                          index, values);
  (void)fflush(stdout);
  xs_report_print(messages, stderr, options.error_format, options.quiet);
  xs_arena_free(&arena);
  return status;
}

static xs_status check(const xs_sweep_run *run, xs_report *report) {
  xs_status worst = XS_OK;
  int n_wrong = 0;
  xs_report *messages = malloc(sizeof *messages);
  if (messages == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for messages");
  for (int i = 0; i < run->sweep->n_cases && n_wrong < XS_REPORT_SHOWN; i++) {
    const xs_status status = check_case(run, i, messages);
    n_wrong += status != XS_OK;
    if (status != XS_OK && (worst == XS_OK || status < worst)) worst = status;
  }
  free(messages);
  return worst;
}

/* ---- Running and collecting ---- */

static xs_status make_folder(const char *folder, xs_report *report) {
  struct stat found;
  const xs_place place = {.file = folder};
  if (mkdir(folder, 0777) == 0) return XS_OK;
  const int error = errno;
  if (error == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) return XS_OK;
  if (error == EEXIST)
    return xs_report_error(report, XS_IO, &place,
                           "is no folder; a sweep needs one for its results, give it with -o");
  return xs_report_error(report, XS_IO, &place, "the folder cannot be made: %s", strerror(error));
}

/* What the sweep tells at its end. */
static void print_tally(const xs_sweep_run *run, const xs_sweep_tally *tally) {
  static const char *const meaning[XS_CHECK + 1] = {[XS_OK] = "done",
                                                    [XS_INTERNAL] = "crashed (status 1)",
                                                    [XS_USAGE] = "wrong command line (2)",
                                                    [XS_SCENE] = "wrong scene (3)",
                                                    [XS_IO] = "could not read or write (4)",
                                                    [XS_DIVERGED] = "diverged (5)",
                                                    [XS_STOPPED] = "stopped (6)",
                                                    [XS_CHECK] = "a check failed (7)"};
  char path[XS_PRINTABLE_PATH];
  printf("cases     %d:", run->sweep->n_cases);
  const char *separator = " ";
  for (int s = XS_OK; s <= XS_CHECK; s++) {
    if (tally->by_status[s] == 0) continue;
    printf("%s%d %s", separator, tally->by_status[s], meaning[s]);
    separator = ", ";
  }
  if (tally->not_begun > 0) printf("%s%d not done", separator, tally->not_begun);
  if (tally->finished_before > 0) printf("; %d were finished before", tally->finished_before);
  printf("\nsummary   %s/summary.csv and .h5\n",
         xs_printable_text(run->options->output, path, sizeof path));
}

/* Says that the sweep is not done, and how to go on. */
static void report_unfinished(const xs_sweep_run *run, const xs_sweep_tally *tally,
                              xs_report *report) {
  const int n = tally->by_status[XS_STOPPED] + tally->not_begun;
  if (n > 0)
    (void)xs_report_error(report, XS_STOPPED, &(xs_place){.file = run->sweep->file},
                          "%d of %d cases are not done; the same command goes on with them, and "
                          "leaves finished ones alone",
                          n, run->sweep->n_cases);
}

static xs_status finish(const xs_sweep_run *run, const xs_sweep_tally *tally, xs_report *report) {
  if (!run->options->quiet) print_tally(run, tally);
  report_unfinished(run, tally, report);
  return xs_sweep_jobs_worst(tally);
}

static xs_status collect(const xs_sweep_run *run, xs_report *report) {
  xs_sweep_tally tally = {0};
  const xs_status status = xs_sweep_summary_write(run, &tally, report);
  return status == XS_OK ? finish(run, &tally, report) : status;
}

static xs_status run_all(const xs_sweep_run *run, xs_arena *arena, xs_report *report) {
  xs_sweep_tally tally = {0}, rows = {0};
  int is_worker = 0;
  xs_status status = xs_sweep_jobs_run(run, &tally, &is_worker, arena, report);
  if (is_worker) return status;
  if (status == XS_OK) status = xs_sweep_summary_write(run, &rows, report);
  return status == XS_OK ? finish(run, &tally, report) : status;
}

xs_status xs_sweep_command(const xs_options *options, const xs_run_info *info, double started,
                           xs_arena *arena, xs_report *report) {
  xs_sweep sweep;
  const xs_sweep_run run = {.sweep = &sweep, .options = options, .info = info, .started = started};
  xs_status status = xs_sweep_read(options->sweep, arena, &sweep, report);
  if (status != XS_OK) return status;
  if (options->list) return list(&run, arena, report);
  if (options->check) return check(&run, report);
  if (options->task >= sweep.n_cases)
    return xs_report_error(report, XS_USAGE, NULL, "--task %d: the sweep has the cases 0 to %d",
                           options->task, sweep.n_cases - 1);

  status = make_folder(options->output, report);
  if (status != XS_OK) return status;
  if (options->collect) return collect(&run, report);
  if (options->task >= 0) return xs_sweep_case_run(&run, options->task, NULL, arena, report);
  return run_all(&run, arena, report);
}
