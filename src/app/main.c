/* xsim: from the command line to an exit status. The only place that ends the program;
 * the exit statuses are the numbers of xs_status. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/about.h"
#include "app/check_scene.h"
#include "app/clock.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/run.h"
#include "app/sweep.h"
#include "app/sweep_command.h"
#include "io/scene.h"
#include "solver/method.h"

static xs_status write_help(const xs_options *options, xs_report *report) {
  if (options->topic == NULL) {
    xs_options_write_help(stdout);
    return XS_OK;
  }
  if (strcmp(options->topic, "sweep") == 0) {
    xs_scene_help_write(stdout, &xs_sweep_object);
    return XS_OK;
  }
  const char *path = strcmp(options->topic, "scene") == 0 ? NULL : options->topic;
  if (xs_scene_write_help(stdout, path)) return XS_OK;
  return xs_report_error(
      report, XS_USAGE, NULL,
      "--help %s: no such topic; \"scene\" lists every key of a scene, "
      "\"sweep\" those of a sweep, a key's path such as solver.solve tells about it",
      options->topic);
}

static xs_status write_schema(const xs_options *options, xs_report *report) {
  const char *topic = options->topic != NULL ? options->topic : "scene";
  if (strcmp(topic, "sweep") != 0 && strcmp(topic, "scene") != 0)
    return xs_report_error(report, XS_USAGE, NULL,
                           "--schema %s: no such schema; there are \"scene\" and \"sweep\"", topic);
  xs_scene_schema_write(stdout, topic[1] == 'w' ? &xs_sweep_object : &xs_scene_object);
  return XS_OK;
}

static xs_status dispatch(const xs_options *options, const xs_run_info *info, double started,
                          xs_arena *arena, xs_report *report) {
  switch (options->command) {
    case XS_COMMAND_HELP:
      return write_help(options, report);
    case XS_COMMAND_VERSION:
      xs_about_write(info, stdout);
      return XS_OK;
    case XS_COMMAND_SCHEMA:
      return write_schema(options, report);
    case XS_COMMAND_CHECK:
      return xs_check_scene_command(options, arena, report);
    case XS_COMMAND_SWEEP:
      return xs_sweep_command(options, info, started, arena, report);
    case XS_COMMAND_RUN:
    case XS_COMMAND_RESUME:
    case XS_COMMAND_RERUN:
      break;
  }
  return xs_run_command(options, info, started, arena, report);
}

/* HDF5 ends the program by itself, with a status that means nothing, where it cannot allocate an
 * identifier. The result is then as its last commit left it. */
static int came_to_its_end;
static void end_for_a_library(void) {
  static const char message[] = "xsim: a library ended the program; is memory exhausted?\n";
  if (came_to_its_end) return;
  const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written; /* there is nobody left to tell */
  _exit(XS_INTERNAL);
}

int main(int argc, char **argv) {
  const double started = xs_clock_now();
  const pid_t program = getpid();
  static xs_report report;
  xs_arena arena = {0};
  xs_options options = {0};
  xs_run_info info;

  xs_status status = XS_OK;
  if (atexit(end_for_a_library) != 0)
    status = xs_report_error(&report, XS_INTERNAL, NULL, "out of memory");
  if (status == XS_OK && xs_interrupt_ignore_write_signals() != 0)
    status =
        xs_report_error(&report, XS_INTERNAL, NULL, "signals cannot be set: %s", strerror(errno));
  if (status == XS_OK) status = xs_options_parse(argc, argv, &arena, &options, &report);
  if (status == XS_OK && options.command != XS_COMMAND_HELP)
    status = xs_method_check_environment(&report);
  if (status == XS_OK) status = xs_about_fill(argc, argv, &arena, &info, &report);
  if (status == XS_OK) status = dispatch(&options, &info, started, &arena, &report);

  /* What was asked for on stdout and did not get there is a failure, too. */
  errno = 0;
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == XS_OK)
    status = xs_report_error(&report, XS_IO, NULL, "standard output cannot be written%s%s",
                             errno != 0 ? ": " : "", errno != 0 ? strerror(errno) : "");
  xs_report_print(&report, stderr, options.error_format, options.quiet);
  xs_arena_free(&arena);
  came_to_its_end = 1;
#ifndef XS_TIDY_EXIT
  /* A worker of a sweep: what libraries would put in order at their end goes with the process, and
   * would cost each case half a millisecond. */
  if (getpid() != program) _exit((int)status);
#else
  (void)program;
#endif
  return (int)status;
}
