/* Checks of the result's path (target.h), with stat. */
#include "app/target.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const char suffix[] = ".partial";

static int is_partial(const char *path) {
  const size_t length = strlen(path), tail = sizeof suffix - 1;
  return length > tail && strcmp(path + length - tail, suffix) == 0;
}

xs_status xs_target_check(const xs_options *options, xs_report *report) {
  const char *origin = options->input != NULL ? options->input : options->scene;
  struct stat output, source;
  if (stat(options->output, &output) != 0) {
    if (errno == ENOENT) return XS_OK;
    return xs_report_error(report, XS_IO, NULL, "%s: cannot be written: %s", options->output,
                           strerror(errno));
  }

  /* The same file under whatever name, links included. */
  if (stat(origin, &source) == 0 && source.st_dev == output.st_dev &&
      source.st_ino == output.st_ino)
    return xs_report_error(report, XS_USAGE, NULL,
                           "the output %s is the file the scene is read from; give another name "
                           "with --output",
                           options->output);
  if (!S_ISREG(output.st_mode))
    return xs_report_error(report, XS_IO, NULL,
                           "%s: is %s; a result needs the name of a file, as it is written beside "
                           "it as .partial and renamed",
                           options->output,
                           S_ISDIR(output.st_mode) ? "a folder" : "no regular file");
  return XS_OK;
}

xs_status xs_target_check_resume(const xs_setup *setup, xs_result_standing *standing,
                                 int *nothing_to_do, xs_report *report) {
  *nothing_to_do = 0;
  xs_status status = xs_result_survey_standing(setup->stored_in, standing, report);
  if (status != XS_OK) return status;

  const int64_t last_step = xs_world_steps(setup->world);
  if (last_step < standing->checkpoint_step)
    return xs_report_error(
        report, XS_USAGE, NULL,
        "the run would end at t = %.9g s, before the checkpoint of %s at t = %.9g s; give a later "
        "--until, or --rerun with --set time.duration",
        setup->world->time.duration, setup->stored_in,
        (double)standing->checkpoint_step * setup->world->time.step);

  /* A complete file that still has the name of a .partial was cut off before its renaming. */
  *nothing_to_do = last_step == standing->checkpoint_step &&
                   strcmp(standing->status, "complete") == 0 && !is_partial(setup->stored_in);
  return XS_OK;
}

const char *xs_target_final_path(const char *path, xs_arena *arena) {
  char *final = xs_arena_copy_text(arena, path);
  if (final != NULL && is_partial(path)) final[strlen(path) - (sizeof suffix - 1)] = '\0';
  return final;
}
