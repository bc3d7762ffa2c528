/* The command line: parsing, and the help made from the same table.
 *
 * One table (options_table.c) holds every option with its letter, its value, its help and the
 * commands it goes with; parser, --help and the refusal of what does not fit together all
 * come from it. `--opt value`, `--opt=value`, `-o value` and `-ovalue` are understood,
 * letters may be joined (-qf), `--` ends the options. Long names are not abbreviated: an
 * abbreviation in a script would break with a later version's options. */
#ifndef XS_APP_OPTIONS_H
#define XS_APP_OPTIONS_H

#include "base/arena.h"
#include "base/report.h"

typedef enum xs_command {
  XS_COMMAND_RUN,
  XS_COMMAND_CHECK,
  XS_COMMAND_RESUME,
  XS_COMMAND_RERUN,
  XS_COMMAND_SWEEP,
  XS_COMMAND_SCHEMA,
  XS_COMMAND_VERSION,
  XS_COMMAND_HELP
} xs_command;

typedef enum xs_progress_when {
  XS_PROGRESS_AUTO, /* if stderr is a terminal */
  XS_PROGRESS_ALWAYS,
  XS_PROGRESS_NEVER
} xs_progress_when;

typedef struct xs_options {
  xs_command command;
  const char *scene;  /* XS_COMMAND_RUN, XS_COMMAND_CHECK: the scene's file */
  const char *input;  /* XS_COMMAND_RESUME, XS_COMMAND_RERUN: the result's file */
  const char *sweep;  /* XS_COMMAND_SWEEP: the sweep's file */
  const char *output; /* XS_COMMAND_RUN, _CHECK, _RERUN: where the result goes; _SWEEP: folder */
  const char *topic;  /* XS_COMMAND_HELP: what about, NULL = the program */
  double until;       /* s of simulated time; NaN = as the scene says */
  double max_wall;    /* s of wall time; infinity = no limit */
  int n_set;
  const char **set; /* n_set overrides PATH=VALUE in order */
  int force, quiet, verbose;
  int check, list, collect; /* XS_COMMAND_SWEEP: instead of running it */
  int task;                 /* XS_COMMAND_SWEEP: the one case to run; -1 = all */
  int threads;              /* of a run, >= 1 */
  int jobs;                 /* XS_COMMAND_SWEEP: cases at a time */
  xs_progress_when progress;
  xs_report_format error_format;

  /* What a sweep gives to its cases; no options of the command line. */
  int n_metrics;
  const char *const *metrics; /* to be evaluated on the result */
  double *metric_values;      /* where a run puts them, NaN = none; NULL = nowhere */
  int *metrics_evaluated;     /* set to 1 when it did */
  volatile double *fraction;  /* where a run tells how much of it is done; NULL = nowhere */
  void (*computed)(void *);   /* called when only the disk is left to wait for; NULL = nobody */
  void *computed_context;
} xs_options;

/* Reads the command line; texts point into argv or the arena. XS_USAGE with all mistakes
 * found. error_format holds what the line asks for even then, as messages depend on it. */
xs_status xs_options_parse(int argc, char *const *argv, xs_arena *arena, xs_options *options,
                           xs_report *report);

/* What plain `xsim --help` prints: usage, options, exit statuses. */
void xs_options_write_help(FILE *stream);

/* The long name of option i without dashes, NULL past the last: for tests that hold the
 * manual page to the table. */
const char *xs_options_name(int i);

#endif
