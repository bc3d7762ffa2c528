/* Going on with a result, and the scene stored in one.
 *
 * A resumed file goes back to its newest checkpoint: datasets are cut to the records it
 * counts. What the first run was stays in /provenance; the one that goes on adds
 * /provenance/resumed_K with its own texts (K = 1, 2, ...), whose overrides are those in
 * force. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/result_examine.h"
#include "io/result_hdf.h"
#include "io/result_partial.h"
#include "io/result_private.h"

/* The group of the last run that went on with the file; "provenance" if there was none.
 * Returns how many there were. */
static int last_run(hid_t file, char *group, size_t size) {
  char next[64];
  snprintf(group, size, "provenance");
  for (int k = 0;; k++) {
    snprintf(next, sizeof next, "provenance/resumed_%d", k + 1);
    if (xs_result_hdf_exists(file, next) <= 0) return k;
    snprintf(group, size, "%s", next);
  }
}

/* ---- the stored scene ---- */

/* A text of a group, into *text; XS_IO if it is missing or has changed. */
static xs_status take_run_text(hid_t file, const char *file_name, const char *group,
                               const char *name, xs_arena *arena, const char **text, size_t *length,
                               xs_report *report) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", group, name);
  *text = xs_result_hdf_read_bytes(file, path, arena, length);
  if (*text) return XS_OK;
  return xs_report_error(report, XS_IO, &(xs_place){.file = file_name},
                         "damaged: /%s is missing or not what was written", path);
}

xs_status xs_result_read_source(const char *path, xs_arena *arena, xs_scene_source *source,
                                xs_report *report) {
  const char *final, *partial;
  hid_t file;
  char group[64];
  xs_status status = xs_result_partial_names(path, arena, &final, &partial, report);
  if (status != XS_OK) return status;
  const char *found = access(path, F_OK) != 0 && access(partial, F_OK) == 0 ? partial : path;
  status = xs_result_hdf_open(found, &file, report);
  if (status != XS_OK) return status;

  last_run(file, group, sizeof group);
  const struct {
    const char *group, *name, **text;
    size_t *length;
  } texts[] = {{"provenance", "scene", &source->text, &source->length},
               {"provenance", "scene_file", &source->file, NULL},
               {group, "overrides", &source->overrides, NULL},
               {group, "resolved", &source->resolved, NULL}};
  for (size_t i = 0; status == XS_OK && i < sizeof texts / sizeof *texts; i++)
    status = take_run_text(file, found, texts[i].group, texts[i].name, arena, texts[i].text,
                           texts[i].length, report);
  H5Fclose(file);
  return status;
}

xs_status xs_result_read_program(const char *path, xs_arena *arena, xs_run_info *info,
                                 xs_report *report) {
  hid_t file;
  char group[64];
  xs_status status = xs_result_hdf_open(path, &file, report);
  if (status != XS_OK) return status;
  last_run(file, group, sizeof group);
  *info = (xs_run_info){0};
  const struct {
    const char *name, **text;
  } texts[] = {{"version", &info->version},
               {"git_commit", &info->git_commit},
               {"compiler", &info->compiler},
               {"libraries", &info->libraries}};
  for (size_t i = 0; status == XS_OK && i < sizeof texts / sizeof *texts; i++)
    status = take_run_text(file, path, group, texts[i].name, arena, texts[i].text, NULL, report);
  H5Fclose(file);
  return status;
}

/* ---- opening ---- */

/* Claims PATH.partial, filled with a copy of PATH if it holds nothing. Afterwards kept tells
 * whether the partial was there before, and so has to stay as it is if going on fails. */
static xs_status claim(xs_result *result, xs_report *report) {
  if (access(result->partial, F_OK) != 0 && access(result->path, F_OK) != 0)
    return xs_report_error(report, XS_IO, &(xs_place){.file = result->path},
                           "not found, nor %s: nothing to go on with", result->partial);
  xs_status status =
      xs_result_partial_claim(result->path, result->partial, XS_CLAIM_RESUME, &result->fd, report);
  if (status != XS_OK) {
    result->fd = -1;
    return status;
  }
  result->kept = !xs_result_partial_blank(result->fd);
  if (result->kept) return XS_OK;
  if (access(result->path, F_OK) == 0)
    return xs_result_partial_copy(result->path, result->fd, report);
  return xs_report_error(report, XS_IO, &(xs_place){.file = result->path},
                         "not found, and its .partial held nothing: start the run again");
}

/* What a commit relies on: that HDF5 reuses no room, and that /provenance has its links in its
 * header. Programs that rewrite a file give it another layout. */
static xs_status check_made(hid_t file, const char *path, xs_report *report) {
  H5G_info_t group;
  const int made = xs_result_store_made(file);
  if (made < 0 || H5Gget_info_by_name(file, "provenance", &group, H5P_DEFAULT) < 0)
    return xs_result_hdf_fail(report, path, "cannot be looked at");
  if (made && group.storage_type == H5G_STORAGE_TYPE_COMPACT) return XS_OK;
  return xs_report_error(
      report, XS_IO, &(xs_place){.file = path},
      "was rewritten by another program or is of an older xsim: a kill might spoil "
      "it when it goes on; run its scene again with --rerun");
}

/* Opens the claimed file; one that is no result, or damaged, is found out before HDF5 may write. */
static xs_status open_claimed(xs_result *result, xs_report *report) {
  hid_t reading;
  xs_status status = xs_result_hdf_open(xs_result_name(result), &reading, report);
  if (status != XS_OK) return status;
  status = xs_result_examine(reading, xs_result_name(result), report);
  if (status == XS_OK) status = check_made(reading, xs_result_name(result), report);
  H5Fclose(reading);
  if (status != XS_OK) return status;
  status = xs_result_store_create(result->fd, xs_result_name(result), &result->store, report);
  if (status != XS_OK) return status;
  if (result->kept) xs_result_store_keep(result->store, result->partial);
  result->file = xs_result_store_open_file(result->store);
  return result->file >= 0 ? XS_OK : xs_result_fail(result, "cannot open for writing", report);
}

/* ---- fitting ---- */

static int same_names(hid_t file, const char *path, int n, const xs_world *world, int joints) {
  xs_arena arena = {0};
  int stored = 0;
  const char **names = xs_result_hdf_read_names(file, path, &arena, &stored);
  int same = names && stored == n;
  for (int i = 0; same && i < n; i++)
    same = strcmp(names[i], joints ? world->joints[i].name : world->bodies[i].name) == 0;
  xs_arena_free(&arena);
  return same;
}

static int same_scene(const xs_result *result) {
  const xs_scene_source *source = result->subject.source;
  xs_arena arena = {0};
  size_t length = 0;
  const char *text = xs_result_hdf_read_bytes(result->file, "provenance/scene", &arena, &length);
  int same = text && length == source->length && memcmp(text, source->text, length) == 0;
  xs_arena_free(&arena);
  return same;
}

/* What is written at the start only, and is not looked at any more, must still be there. */
static xs_status check_constants(const xs_result *result, xs_report *report) {
  static const char *const of_rod[] = {"arc_length", "gauss_arc_length"};
  const xs_world *world = result->subject.world;
  char path[256] = "";
  int there = 1;
  if (world->output.joints && world->n_joints > 0)
    there = xs_result_hdf_exists(result->file, strcpy(path, "joints/type")) > 0;
  if (there && world->output.rods && world->n_rods > 0)
    there = xs_result_hdf_exists(result->file, strcpy(path, "rods/name")) > 0;
  for (int r = 0; there && world->output.rods && r < world->n_rods; r++)
    for (int i = 0; there && i < 2; i++) {
      (void)snprintf(path, sizeof path, "rods/%s/%s", world->rods[r].name, of_rod[i]);
      there = xs_result_hdf_exists(result->file, path) > 0;
    }
  if (there) return XS_OK;
  return xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(result)},
                         "damaged: dataset /%s is missing", path);
}

/* The scene that goes on must be the one that was recorded. */
static xs_status check_scene(const xs_result *result, xs_report *report) {
  const xs_world *world = result->subject.world;
  const xs_place place = {.file = xs_result_name(result)};
  double step = NAN;
  if (!same_scene(result))
    return xs_report_error(report, XS_IO, &place,
                           "holds another scene than the one that is to go on");
  if (xs_result_hdf_get(result->file, "time_step", H5T_NATIVE_DOUBLE, &step) < 0)
    return xs_result_hdf_fail(report, xs_result_name(result), "damaged: no attribute time_step");
  if (step != world->time.step)
    return xs_report_error(report, XS_IO, &place,
                           "was recorded with time.step %.17g s, the scene now has %.17g s", step,
                           world->time.step);
  if (world->output.bodies && world->n_bodies > 0 &&
      !same_names(result->file, "bodies/name", world->n_bodies, world, 0))
    return xs_report_error(report, XS_IO, &place, "has other bodies than its scene");
  if (world->output.joints && world->n_joints > 0 &&
      !same_names(result->file, "joints/name", world->n_joints, world, 1))
    return xs_report_error(report, XS_IO, &place, "has other joints than its scene");
  return check_constants(result, report);
}

static void warn_of_other_program(const xs_result *result, const char *group, xs_report *report) {
  xs_arena arena = {0};
  char path[128];
  snprintf(path, sizeof path, "%s/git_commit", group);
  const char *commit = xs_result_hdf_read_bytes(result->file, path, &arena, NULL);
  const char *here = result->subject.run->git_commit;
  if (commit && strcmp(commit, here) != 0)
    xs_report_warning(report, &(xs_place){.file = result->partial},
                      "was begun by xsim of commit %s and goes on with commit %s: the numbers may "
                      "differ from those of one run",
                      commit, here);
  xs_arena_free(&arena);
}

/* ---- cutting ---- */

/* Reads what is needed of the records before the checkpoint; nothing is written yet. */
static xs_status prepare_cut(xs_result *result, int64_t records, xs_report *report) {
  const xs_place place = {.file = xs_result_name(result)};
  for (int i = 0; i < result->n_columns; i++) {
    xs_result_series *series = &result->columns[i].series;
    if (series->dims[0] < (hsize_t)records || !xs_result_series_has_chunks(series, records))
      return xs_report_error(report, XS_IO, &place,
                             "damaged: /%s has fewer records than the checkpoint counts",
                             series->path);
    if (!xs_result_series_is_filled(series))
      return xs_report_error(report, XS_IO, &place, "damaged: /%s claims more records than it has",
                             series->path);
    if (xs_result_series_refill(series, records) < 0)
      return xs_result_fail(result, "cannot read the records before the checkpoint", report);
  }
  if (xs_result_contacts_count(result, records) < 0)
    return xs_report_error(report, XS_IO, &place,
                           "damaged: /contacts/first and count do not tell where the contacts of "
                           "each record stand, or there are fewer of them");
  if (xs_result_contacts_refill(result) < 0)
    return xs_result_fail(result, "cannot read the contacts before the checkpoint", report);
  return XS_OK;
}

static xs_status cut_columns(xs_result *result, int first, int end, xs_report *report) {
  for (int i = first; i < end; i++)
    if (xs_result_series_cut(&result->columns[i].series, result->store, &result->packer,
                             result->records) < 0)
      return xs_result_fail(result, "cannot cut the records after the checkpoint", report);
  return xs_result_commit(result, report);
}

/* First /time alone, so that nothing is ever shorter than it. */
static xs_status cut(xs_result *result, int64_t records, xs_report *report) {
  result->records = records;
  xs_result_store_cut(result->store);
  xs_status status = cut_columns(result, 0, 1, report);
  if (status != XS_OK) return status;
  xs_result_store_cut(result->store);
  if (xs_result_contacts_cut(result) < 0)
    return xs_result_fail(result, "cannot cut the contacts after the checkpoint", report);
  return cut_columns(result, 1, result->n_columns, report);
}

xs_status xs_result_go_back(xs_result *result, xs_report *report) {
  int64_t records = 0;
  xs_status status = xs_result_make_readable(result, report);
  if (status == XS_OK) status = xs_result_checkpoint_load(result, &records, report);
  if (status == XS_OK) status = prepare_cut(result, records, report);
  if (status == XS_OK) status = cut(result, records, report);
  if (status == XS_OK) xs_state_loaded(result->subject.state);
  return status;
}

/* ---- going on ---- */

static herr_t note_run(const xs_result *result, int k) {
  char name[64];
  snprintf(name, sizeof name, "provenance/resumed_%d", k);
  hid_t group = H5Gcreate2(result->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return -1;
  herr_t status = xs_result_create_run_texts(result, group);
  if (xs_result_hdf_put_text(result->file, "status", "running") < 0 ||
      xs_result_hdf_put_int(result->file, "exit_code", XS_RESULT_EXIT_RUNNING) < 0)
    status = -1;
  return H5Gclose(group) < 0 ? -1 : status;
}

/* HDF5 accepts attributes of a damaged header that it cannot read any more once it has written them
 * anew: whether those that note_run has changed will be readable. */
static xs_status look_ahead(xs_result *result, xs_report *report) {
  hid_t view = -1, group = -1;
  int readable = H5Fflush(result->file, H5F_SCOPE_LOCAL) >= 0;
  if (readable) view = xs_result_store_view(result->store);
  if (view >= 0) group = H5Gopen2(view, "provenance", H5P_DEFAULT);
  readable = group >= 0 && xs_result_examine_header(view) && xs_result_examine_header(group);
  if (group >= 0) H5Gclose(group);
  if (view >= 0) H5Fclose(view);
  if (readable) return XS_OK;
  return xs_result_fail(result, "damaged: its attributes could not be read after writing", report);
}

/* All that can show damage comes before the first commit, which is the cut's: until then a
 * failure leaves the file's content as it was. *committing = 1 from there on. */
static xs_status go_on(xs_result *result, int *committing, xs_report *report) {
  char group[64];
  int64_t records = 0;
  xs_status status = check_scene(result, report);
  if (status == XS_OK) status = xs_result_column_open_all(result, report);
  if (status == XS_OK) status = xs_result_contacts_open(result, report);
  if (status == XS_OK) status = xs_result_column_buffer(result, report);
  if (status == XS_OK) status = xs_result_checkpoint_open(result, report);
  if (status == XS_OK) status = xs_result_checkpoint_load(result, &records, report);
  if (status == XS_OK) status = prepare_cut(result, records, report);
  if (status != XS_OK) return status;
  xs_state_loaded(result->subject.state);

  int k = last_run(result->file, group, sizeof group);
  warn_of_other_program(result, group, report);
  if (note_run(result, k + 1) < 0) return xs_result_fail(result, "cannot note the run", report);
  status = look_ahead(result, report);
  if (status != XS_OK) return status;
  *committing = 1;
  return cut(result, records, report);
}

/* Takes back what a failure to go on has left: a copy of PATH, which still has all of it, or
 * what was written behind the content of a partial that was there before. */
static void give_up(xs_result *result, int committing, off_t length) {
  const int fd = result->kept && !committing ? dup(result->fd) : -1;
  if (result->fd >= 0 && !result->kept) (void)unlink(result->partial);
  xs_result_release(result);
  if (fd < 0) return;
  /* Nothing refers to what was not committed: should it stay, no harm is done. */
  const int cut_off = length > 0 && ftruncate(fd, length) == 0;
  (void)cut_off;
  close(fd);
}

xs_status xs_result_resume(const char *path, const xs_result_subject *subject, xs_result **result,
                           xs_report *report) {
  xs_result *made = NULL;
  struct stat before = {0};
  int committing = 0;
  xs_status status = xs_result_prepare(path, subject, &made, report);
  if (status == XS_OK) status = claim(made, report);
  if (status == XS_OK && fstat(made->fd, &before) != 0)
    status = xs_report_error(report, XS_IO, &(xs_place){.file = xs_result_name(made)},
                             "cannot be looked at: %s", strerror(errno));
  if (status == XS_OK) status = open_claimed(made, report);
  if (status == XS_OK) status = go_on(made, &committing, report);
  if (status == XS_OK) {
    xs_result_keep(made);
    *result = made;
  } else if (made) {
    give_up(made, committing, before.st_size);
  }
  return status;
}
