/* Running one case (sweep_case.h): what stands there, what is to be done, the row. */
#include "app/sweep_case.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run.h"
#include "app/sweep_cases.h"
#include "io/metric.h"
#include "io/result_survey.h"

xs_status xs_sweep_case_describe(const xs_sweep_run *run, int index, xs_arena *arena,
                                 xs_sweep_case *described, xs_report *report) {
  const xs_options *options = run->options;
  described->set =
      xs_sweep_cases_set(run->sweep, index, options->n_set, options->set, &described->n_set, arena);
  described->overrides = described->set != NULL
                             ? xs_sweep_row_overrides(described->n_set, described->set, arena)
                             : NULL;
  if (described->overrides == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for a case");
  xs_sweep_row_content(run->sweep, described->overrides, run->info, described->content);
  return XS_OK;
}

/* ---- What stands there ---- */

typedef enum { START, GO_ON, LEAVE } case_plan;

static int same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* Whether the file was made from this scene with these overrides by this program. */
static int is_of(const xs_sweep_run *run, const xs_sweep_case *described, const char *file,
                 xs_arena *arena, xs_report *unread) {
  xs_scene_source source;
  xs_run_info info;
  if (xs_result_read_source(file, arena, &source, unread) != XS_OK ||
      xs_result_read_program(file, arena, &info, unread) != XS_OK)
    return 0;
  return source.length == run->sweep->scene_length &&
         memcmp(source.text, run->sweep->scene_text, source.length) == 0 &&
         same(source.overrides, described->overrides) && same(info.version, run->info->version) &&
         same(info.git_commit, run->info->git_commit) && same(info.compiler, run->info->compiler) &&
         same(info.libraries, run->info->libraries);
}

/* What to do with the case; *status: of one that is left alone. What is not understood there is
 * for the run to refuse or to replace. */
static case_plan decide(const xs_sweep_run *run, const xs_sweep_case *described, const char *output,
                        xs_arena *arena, xs_status *status) {
  xs_result_standing standing = {0};
  const char *file = NULL;
  xs_report *unread = run->options->force ? NULL : calloc(1, sizeof *unread);
  case_plan found = START;
  if (unread != NULL && xs_result_survey_resumed(output, arena, &file, unread) == XS_OK &&
      is_of(run, described, file, arena, unread) &&
      xs_result_survey_standing(file, &standing, unread) == XS_OK) {
    const int is_final = strcmp(file + strlen(file) - (sizeof ".h5" - 1), ".h5") == 0;
    const int is_ended = same(standing.status, "complete") || same(standing.status, "diverged");
    found = is_final && is_ended ? LEAVE : GO_ON;
    *status = (xs_status)standing.exit_code;
  }
  free(unread);
  return found;
}

/* ---- Doing it ---- */

/* Standard output and error of a worker go to its log. */
static xs_status redirect(const char *log, case_plan plan, xs_report *report) {
  const int append = plan == GO_ON ? O_APPEND : O_TRUNC;
  const int fd = log != NULL ? open(log, O_WRONLY | O_CREAT | O_CLOEXEC | append, 0666) : -1;
  if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
    return xs_report_error(report, XS_IO, &(xs_place){.file = log}, "cannot be written: %s",
                           strerror(errno));
  (void)close(fd);
  return XS_OK;
}

/* The sweep may begin its next case, as this one needs no processor any more. */
static void tell_computed(void *news_) {
  xs_sweep_news *news = news_;
  news->is_computed = 1;
  (void)kill(news->sweep, SIGCHLD); /* else it notices a tenth of a second later */
}

static xs_status compute(const xs_sweep_run *run, const xs_sweep_case *described, case_plan plan,
                         const char *output, double *metrics, int *evaluated, xs_sweep_news *news,
                         xs_arena *arena, xs_report *report) {
  xs_options options = *run->options;
  options.n_metrics = run->sweep->n_metrics;
  options.metrics = run->sweep->metric;
  options.metric_values = metrics;
  options.metrics_evaluated = evaluated;
  if (news != NULL) {
    options.progress = XS_PROGRESS_NEVER;
    options.fraction = &news->fraction;
    options.computed = tell_computed;
    options.computed_context = news;
  }
  if (plan == GO_ON) {
    options.command = XS_COMMAND_RESUME;
    options.input = output;
    options.output = NULL;
    options.n_set = 0;
  } else {
    options.command = XS_COMMAND_RUN;
    options.scene = run->sweep->scene;
    options.output = output;
    options.n_set = described->n_set;
    options.set = described->set;
    options.force = 1; /* the .partial of other values is given up */
  }
  return xs_run_command(&options, run->info, run->started, arena, report);
}

/* The metrics of a result that stood there; what has no value (the run warned of it) stays NaN. */
static void evaluate(const xs_sweep *sweep, const char *result, double *metrics) {
  xs_report *unread = calloc(1, sizeof *unread);
  for (int m = 0; unread != NULL && m < sweep->n_metrics; m++)
    if (xs_metric_file_value(result, sweep->metric[m], -INFINITY, INFINITY, &metrics[m], unread) !=
        XS_OK)
      metrics[m] = NAN;
  free(unread);
}

static void tell(xs_sweep_news *news, int was_finished, const xs_report *report) {
  if (news == NULL) return;
  news->was_finished = was_finished;
  for (int i = 0; i < report->n_kept; i++) {
    if (report->kept[i].status == XS_OK) continue;
    snprintf(news->message, sizeof news->message, "%s", report->kept[i].text);
    return;
  }
}

xs_status xs_sweep_case_run(const xs_sweep_run *run, int index, xs_sweep_news *news,
                            xs_arena *arena, xs_report *report) {
  const char *folder = run->options->output;
  const char *output = xs_sweep_row_path(folder, index, ".h5", arena);
  double *metrics = XS_ARENA_NEW(arena, double, run->sweep->n_metrics);
  xs_sweep_case described;
  xs_status status = xs_sweep_case_describe(run, index, arena, &described, report);
  if (status == XS_OK && (output == NULL || metrics == NULL))
    status = xs_report_error(report, XS_INTERNAL, NULL, "out of memory for a case");
  if (status != XS_OK) return status;

  const case_plan plan = decide(run, &described, output, arena, &status);
  if (news != NULL && plan != LEAVE) {
    status = redirect(xs_sweep_row_path(folder, index, ".log", arena), plan, report);
    if (status != XS_OK) return status;
  }
  int evaluated = 0;
  if (plan != LEAVE)
    status = compute(run, &described, plan, output, metrics, &evaluated, news, arena, report);
  if (plan == LEAVE && news == NULL && !run->options->quiet)
    printf("case %d: %s is finished: nothing to do; --force runs it again\n", index, output);

  /* What a failed run has left at the result's place is not this case's. */
  const int has_result =
      status == XS_OK || status == XS_CHECK || status == XS_DIVERGED || status == XS_STOPPED;
  if (has_result && !evaluated) evaluate(run->sweep, output, metrics);
  const xs_status written = xs_sweep_row_write(run->sweep, folder, index, described.content, status,
                                               has_result ? metrics : NULL, report);
  if (written != XS_OK && (status == XS_OK || status == XS_CHECK)) status = written;
  tell(news, plan == LEAVE, report);
  return status;
}
