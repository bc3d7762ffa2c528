/* Every option of the command line, and what its value does (options_table.h). Values
 * that only the scene can judge, such as the path in --set, are left to the loader. */
#include "app/options_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

enum {
  WITH_RUN = XS_GOES_WITH(XS_COMMAND_RUN),
  WITH_CHECK = XS_GOES_WITH(XS_COMMAND_CHECK),
  WITH_RESUME = XS_GOES_WITH(XS_COMMAND_RESUME),
  WITH_RERUN = XS_GOES_WITH(XS_COMMAND_RERUN),
  WITH_ALL = ~0u >> 1
};

static xs_option_apply apply_input, apply_until, apply_output, apply_set, apply_progress,
    apply_quiet, apply_verbose, apply_force, apply_max_wall, apply_error_format, apply_topic;

const xs_option xs_options_table[XS_N_OPTIONS] = {
    {"check", 0, XS_COMMAND_CHECK, XS_VALUE_NONE, NULL, WITH_CHECK, 0, NULL,
     "read and check the scene only: print what would run "
     "(counts, memory, initial gaps of the joints), write nothing"},
    {"resume", 0, XS_COMMAND_RESUME, XS_VALUE_REQUIRED, "OUT.h5", WITH_RESUME, 0, apply_input,
     "go on from the last checkpoint in a result, or in the "
     ".partial of a killed run, which then ends as OUT.h5"},
    {"until", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "T", WITH_RESUME, 0, apply_until,
     "with --resume: end at the simulated time T (s) instead of "
     "the scene's duration; not before the checkpoint"},
    {"rerun", 0, XS_COMMAND_RERUN, XS_VALUE_REQUIRED, "OUT.h5", WITH_RERUN, 0, apply_input,
     "run again the scene stored in a result; needs --output"},
    {"output", 'o', XS_COMMAND_RUN, XS_VALUE_REQUIRED, "FILE", WITH_RUN | WITH_CHECK | WITH_RERUN,
     0, apply_output,
     "result file; without it: the name of the scene's file with .h5 instead of "
     ".json, in the current folder. While the run goes on: FILE.partial"},
    {"set", 's', XS_COMMAND_RUN, XS_VALUE_REQUIRED, "PATH=VALUE",
     WITH_RUN | WITH_CHECK | WITH_RERUN, 1, apply_set,
     "override one value of the scene, repeatable. PATH has dots, "
     "array items by name or index: time.step=5e-4, "
     "bodies.link1.mass=2. VALUE is JSON, or a bare word"},
    {"progress", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "WHEN", WITH_RUN | WITH_RESUME | WITH_RERUN,
     0, apply_progress,
     "progress on stderr: auto (on a terminal only), always, "
     "never"},
    {"quiet", 'q', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_ALL, 0, apply_quiet,
     "errors only: no summary, no warnings, no progress"},
    {"verbose", 'v', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_ALL, 0, apply_verbose,
     "say on stderr what is built and why"},
    {"force", 'f', XS_COMMAND_RUN, XS_VALUE_NONE, NULL, WITH_RUN | WITH_RERUN, 0, apply_force,
     "overwrite the unowned .partial of an earlier killed run"},
    {"max-wall", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "SECONDS",
     WITH_RUN | WITH_RESUME | WITH_RERUN, 0, apply_max_wall,
     "stop cleanly, with a checkpoint, before this much wall time "
     "has passed since the program began"},
    {"error-format", 0, XS_COMMAND_RUN, XS_VALUE_REQUIRED, "FORMAT", WITH_ALL, 0,
     apply_error_format, "text, or json: one object a line, for tools"},
    {"schema", 0, XS_COMMAND_SCHEMA, XS_VALUE_NONE, NULL, WITH_ALL, 0, NULL,
     "print the JSON Schema of scenes"},
    {"help", 'h', XS_COMMAND_HELP, XS_VALUE_OPTIONAL, "TOPIC", WITH_ALL, 0, apply_topic,
     "this text; about scenes with TOPIC scene, about one key with "
     "its path (solver, bodies.mass). Wins over other commands"},
    {"version", 0, XS_COMMAND_VERSION, XS_VALUE_NONE, NULL, WITH_ALL, 0, NULL,
     "version, git commit, compiler and flags, libraries in use. "
     "Wins over other commands but --help"},
};

const char *const xs_options_command_names[XS_COMMAND_HELP + 1] = {
    [XS_COMMAND_RUN] = "running a scene", [XS_COMMAND_CHECK] = "--check",
    [XS_COMMAND_RESUME] = "--resume",     [XS_COMMAND_RERUN] = "--rerun",
    [XS_COMMAND_SCHEMA] = "--schema",     [XS_COMMAND_VERSION] = "--version",
    [XS_COMMAND_HELP] = "--help",
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
  if (length == 0 || value[length - 1] == '/')
    XS_USAGE_ERROR(report, "--output %s: names no file; give the result's file, such as out.h5",
                   value);
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
