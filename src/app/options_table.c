/* Every option of the command line, and what its value does (options_table.h). Values
 * that only the scene can judge, such as the path in --set, are left to the loader. */
#include "app/options_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/suggest.h"

enum {
  WITH_RUN = XS_GOES_WITH(XS_COMMAND_RUN),
  WITH_CHECK = XS_GOES_WITH(XS_COMMAND_CHECK),
  WITH_RESUME = XS_GOES_WITH(XS_COMMAND_RESUME),
  WITH_RERUN = XS_GOES_WITH(XS_COMMAND_RERUN),
  WITH_SWEEP = XS_GOES_WITH(XS_COMMAND_SWEEP),
  WITH_ALL = ~0u >> 1
};

static xs_option_apply apply_input, apply_until, apply_output, apply_set, apply_progress,
    apply_quiet, apply_verbose, apply_force, apply_max_wall, apply_threads, apply_error_format,
    apply_topic, apply_check, apply_sweep, apply_jobs, apply_task, apply_list, apply_collect;

const xs_option xs_options_table[XS_N_OPTIONS] = {
    {"check", 0, XS_COMMAND_CHECK, XS_VALUE_NONE, NULL, WITH_CHECK | WITH_SWEEP, 0, apply_check,
     "read and check the scene only: print what would run "
     "(counts, memory, initial gaps of the joints), write nothing. With --sweep: all its cases"},
    {"resume", 0, XS_COMMAND_RESUME, XS_VALUE_REQUIRED, "OUT.h5", WITH_RESUME, 0, apply_input,
     "go on from the last checkpoint in a result, or in the "
     ".partial of a killed run, which then ends as OUT.h5"},
    {"until", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "T", WITH_RESUME, 0, apply_until,
     "with --resume: end at the simulated time T (s) instead of "
     "the scene's duration; not before the checkpoint"},
    {"rerun", 0, XS_COMMAND_RERUN, XS_VALUE_REQUIRED, "OUT.h5", WITH_RERUN, 0, apply_input,
     "run again the scene stored in a result; needs --output"},
    {"sweep", 0, XS_COMMAND_SWEEP, XS_VALUE_REQUIRED, "SWEEP.json", WITH_SWEEP, 0, apply_sweep,
     "run every case of a sweep (--help sweep) into the folder --output, as case-0007.h5 and so "
     "on, and write summary.csv and summary.h5; finished cases are left alone, stopped ones gone "
     "on with"},
    {"jobs", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "N", WITH_SWEEP, 0, apply_jobs,
     "with --sweep: run N cases at a time in as many worker processes (default 1); one that only "
     "waits for its file to reach the disk does not count"},
    {"task", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "K", WITH_SWEEP, 0, apply_task,
     "with --sweep: run case K alone, counted from 0, in this process"},
    {"list", 0, XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_SWEEP, 0, apply_list,
     "with --sweep: print a shell command for each case, run nothing"},
    {"collect", 0, XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_SWEEP, 0, apply_collect,
     "with --sweep: write the summary of the cases that have ended, run nothing"},
    {"output", 'o', XS_COMMAND_RUN, XS_VALUE_REQUIRED, "FILE",
     WITH_RUN | WITH_CHECK | WITH_RERUN | WITH_SWEEP, 0, apply_output,
     "result file; without it: the name of the scene's file with .h5 instead of "
     ".json, in the current folder. While the run goes on: FILE.partial. Of a sweep the folder of "
     "its "
     "results; without it: the sweep's name"},
    {"set", 's', XS_COMMAND_RUN, XS_VALUE_REQUIRED, "PATH=VALUE",
     WITH_RUN | WITH_CHECK | WITH_RERUN | WITH_SWEEP, 1, apply_set,
     "override one value of the scene, repeatable. PATH has dots, "
     "array items by name or index: time.step=5e-4, "
     "bodies.link1.mass=2. VALUE is JSON, or a bare word. In a sweep: after its values"},
    {"progress", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "WHEN",
     WITH_RUN | WITH_RESUME | WITH_RERUN | WITH_SWEEP, 0, apply_progress,
     "progress on stderr: auto (on a terminal only), always, "
     "never"},
    {"quiet", 'q', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_ALL, 0, apply_quiet,
     "errors only: no summary, no warnings, no progress"},
    {"verbose", 'v', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_ALL, 0, apply_verbose,
     "say on stderr what is built and why"},
    {"force", 'f', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_RUN | WITH_RERUN | WITH_SWEEP, 0,
     apply_force,
     "overwrite the unowned .partial of an earlier killed run; in a sweep run finished cases "
     "again"},
    {"max-wall", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "SECONDS",
     WITH_RUN | WITH_RESUME | WITH_RERUN | WITH_SWEEP, 0, apply_max_wall,
     "stop cleanly, with a checkpoint, before this much wall time "
     "has passed since the program began"},
    {"threads", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "N",
     WITH_RUN | WITH_RESUME | WITH_RERUN | WITH_SWEEP, 0, apply_threads,
     "threads over independent islands of a scene: rods and articulated bodies that no joint "
     "connects (default 1); results are the same, bit for bit. In a sweep: of each case"},
    {"error-format", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "FORMAT", WITH_ALL, 0,
     apply_error_format, "text, or json: one object a line, for tools"},
    {"schema", 0, XS_COMMAND_SCHEMA, XS_VALUE_OPTIONAL, "TOPIC", WITH_ALL, 0, apply_topic,
     "print the JSON Schema of scenes; with TOPIC sweep that of sweep files"},
    {"help", 'h', XS_COMMAND_HELP, XS_VALUE_OPTIONAL, "TOPIC", WITH_ALL, 0, apply_topic,
     "this text; about scenes with TOPIC scene, about sweeps with sweep, about one key of a scene "
     "with its path (solver, bodies.mass). Wins over other commands"},
    {"version", 0, XS_COMMAND_VERSION, XS_VALUE_NONE, NULL, WITH_ALL, 0, NULL,
     "version, git commit, compiler and flags, libraries in use. "
     "Wins over other commands but --help"},
};

const char *const xs_options_command_names[XS_COMMAND_HELP + 1] = {
    [XS_COMMAND_RUN] = "running a scene", [XS_COMMAND_CHECK] = "--check",
    [XS_COMMAND_RESUME] = "--resume",     [XS_COMMAND_RERUN] = "--rerun",
    [XS_COMMAND_SWEEP] = "--sweep",       [XS_COMMAND_SCHEMA] = "--schema",
    [XS_COMMAND_VERSION] = "--version",   [XS_COMMAND_HELP] = "--help",
};

/* ---- Values of options ------------------------------------------------------------- */

/* A finite decimal number, in full. Returns 0 if text is none. */
static int read_number(const char *text, double *number) {
  if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) return 0;
  char *end;
  errno = 0;
  *number = strtod(text, &end);
  return *end == '\0' && errno == 0 && isfinite(*number);
}

static void apply_input(xs_options *options, const char *value, xs_report *report) {
  (void)report;
  options->input = value;
}

static void apply_topic(xs_options *options, const char *value, xs_report *report) {
  (void)report;
  options->topic = value;
}

static void apply_sweep(xs_options *options, const char *value, xs_report *report) {
  options->sweep = value;
  if (value[0] == '\0')
    XS_USAGE_ERROR(report, "--sweep needs the name of a sweep file, such as arm.sweep.json");
}

enum { CASES_MAX = 1000000 };

/* A whole number from lowest to most. */
static void apply_count(const char *name, int lowest, int most, const char *value, int *count,
                        xs_report *report) {
  double number;
  if (!read_number(value, &number) || number != floor(number) || number < lowest || number > most)
    XS_USAGE_ERROR(report, "--%s %s: not a count; give a whole number from %d to %d", name, value,
                   lowest, most);
  else
    *count = (int)number;
}

static void apply_jobs(xs_options *options, const char *value, xs_report *report) {
  apply_count("jobs", 1, CASES_MAX, value, &options->jobs, report);
}

static void apply_threads(xs_options *options, const char *value, xs_report *report) {
  apply_count("threads", 1, XS_POOL_THREADS_MAX, value, &options->threads, report);
}

static void apply_task(xs_options *options, const char *value, xs_report *report) {
  apply_count("task", 0, CASES_MAX, value, &options->task, report);
}

static void apply_check(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->check = 1;
}

static void apply_list(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->list = 1;
}

static void apply_collect(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->collect = 1;
}

static void apply_until(xs_options *options, const char *value, xs_report *report) {
  if (!read_number(value, &options->until) || options->until < 0)
    XS_USAGE_ERROR(report, "--until %s: not a time; give simulated seconds, 0 or more", value);
}

static void apply_max_wall(xs_options *options, const char *value, xs_report *report) {
  if (!read_number(value, &options->max_wall) || options->max_wall <= 0)
    XS_USAGE_ERROR(report, "--max-wall %s: not a time limit; give wall seconds above 0", value);
}

static void apply_output(xs_options *options, const char *value, xs_report *report) {
  static const char suffix[] = ".partial";
  const size_t length = strlen(value), tail = sizeof suffix - 1;
  options->output = value;
  if (length == 0)
    XS_USAGE_ERROR(report, "--output: names no file; give the result's file, such as out.h5");
  else if (length >= tail && strcmp(value + length - tail, suffix) == 0)
    XS_USAGE_ERROR(report,
                   "--output %s: names ending in %s are those of unfinished results; leave it out",
                   value, suffix);
}

static void apply_set(xs_options *options, const char *value, xs_report *report) {
  options->set[options->n_set++] = value;
  const char *equals = strchr(value, '=');
  if (equals == NULL || equals == value)
    XS_USAGE_ERROR(report, "--set %s: expected PATH=VALUE, such as time.step=5e-4", value);
}

/* The index of value among n words; reports one that is none of them and returns -1. */
static int read_word(const char *name, const char *value, const char *const *words, int n,
                     xs_report *report) {
  for (int i = 0; i < n; i++)
    if (strcmp(value, words[i]) == 0) return i;
  char hint[128];
  XS_USAGE_ERROR(report, "--%s %s: unknown value; %s", name, value,
                 xs_suggest_hint(value, n, words, hint, sizeof hint));
  return -1;
}

static void apply_progress(xs_options *options, const char *value, xs_report *report) {
  static const char *const words[] = {"auto", "always", "never"};
  int found = read_word("progress", value, words, 3, report);
  if (found >= 0) options->progress = (xs_progress_when)found;
}

static void apply_error_format(xs_options *options, const char *value, xs_report *report) {
  static const char *const words[] = {"text", "json"};
  int found = read_word("error-format", value, words, 2, report);
  if (found >= 0) options->error_format = (xs_report_format)found;
}

static void apply_quiet(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->quiet = 1;
}

static void apply_verbose(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->verbose = 1;
}

static void apply_force(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->force = 1;
}
