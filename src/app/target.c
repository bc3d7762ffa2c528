/* Checks of the result's path (target.h), with stat. */
#include "app/target.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/result_partial.h"

static const char suffix[] = ".partial";

static int is_partial(const char *path) {
  const size_t length = strlen(path), tail = sizeof suffix - 1;
  return length > tail && strcmp(path + length - tail, suffix) == 0;
}

/* The same file under whatever names, links included; not where one is missing. */
static int same_file(const char *path1, const char *path2) {
  struct stat file1, file2;
  return stat(path1, &file1) == 0 && stat(path2, &file2) == 0 && file1.st_dev == file2.st_dev &&
         file1.st_ino == file2.st_ino;
}

/* The file that a run is made from: a result may still have the name of a .partial. */
static xs_status find_origin(const xs_options *options, xs_arena *arena, const char **origin,
                             xs_report *report) {
  const char *final, *partial;
  *origin = options->scene;
  if (options->input == NULL) return XS_OK;
  *origin = options->input;
  if (access(*origin, F_OK) == 0) return XS_OK;
  xs_status status = xs_result_partial_names(options->input, arena, &final, &partial, report);
  if (status == XS_OK) *origin = partial;
  return status;
}

xs_status xs_target_check(const xs_options *options, xs_arena *arena, xs_report *report) {
  const char *origin, *final, *partial;
  if (strcmp(options->output, "-") == 0)
    return xs_report_error(report, XS_USAGE, NULL,
                           "--output -: a result cannot go to standard output, as it is written "
                           "piece by piece at many places; give the name of a file");
  xs_status status = find_origin(options, arena, &origin, report);
  if (status == XS_OK)
    status = xs_result_partial_names(options->output, arena, &final, &partial, report);
  if (status != XS_OK) return status;

  /* The run writes the .partial and at its end replaces the output. */
  if (same_file(origin, final))
    return xs_report_error(report, XS_USAGE, NULL,
                           "the output %s is the file the scene is read from; give another name "
                           "with --output",
                           options->output);
  if (same_file(origin, partial))
    return xs_report_error(report, XS_USAGE, NULL,
                           "the run would write %s, which is the file the scene is read from; "
                           "give another name with --output",
                           partial);

  struct stat output;
  if (stat(final, &output) != 0) {
    if (errno == ENOENT) return XS_OK;
    return xs_report_error(report, XS_IO, NULL, "%s: cannot be written: %s", options->output,
                           strerror(errno));
  }
  if (S_ISREG(output.st_mode)) return XS_OK;
  return xs_report_error(report, XS_IO, NULL,
                         "%s: is %s; a result needs the name of a file, as it is written beside "
                         "it as .partial and renamed",
                         options->output, S_ISDIR(output.st_mode) ? "a folder" : "no regular file");
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
