/* The life of a result file: claiming, recording, checkpoints, going on, failing. Numbers and
 * shapes as other programs see them are in test_result_file.py. Criterion runs each test in a
 * process of its own, so limits and user ids may be changed freely. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/result_survey.h"
#include "result_sample.h"

enum { NAME = 300 };

static char folder[NAME - 40];
static xs_report report;

static void enter(void) {
  snprintf(folder, sizeof folder, "/tmp/xsim-result-XXXXXX");
  cr_assert(mkdtemp(folder) != NULL);
}

static void leave(void) {
  char command[NAME];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert(system(command) == 0);
}

TestSuite(result, .init = enter, .fini = leave, .timeout = 60);

static const char *in_folder(const char *name) {
  static char text[4][NAME];
  static int next;
  char *path = text[next++ % 4];
  snprintf(path, NAME, "%s/%s", folder, name);
  return path;
}

static int exists(const char *name) { return access(in_folder(name), F_OK) == 0; }

static void put(const char *name, const char *bytes, size_t n) {
  FILE *f = fopen(in_folder(name), "wb");
  cr_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

/* 1 if the report's last message holds all of the words. */
static int says(const char *word1, const char *word2) {
  const char *text = report.n_kept > 0 ? report.kept[report.n_kept - 1].text : "";
  int all = strstr(text, word1) && strstr(text, word2);
  if (!all) fprintf(stderr, "message: %s\n", text);
  return all;
}

#define OK(call) cr_assert(eq_status((call)), "%s", report.n_kept ? report.kept[0].text : #call)
static int eq_status(xs_status status) { return status == XS_OK; }

static xs_result *start(sample *s, const char *name) {
  xs_result *result = NULL;
  OK(xs_result_create(in_folder(name), 0, &s->subject, &result, &report));
  return result;
}

/* A result with the steps 0 .. last, checkpoints at 0 and at `checkpoint`, left in the air. */
static xs_result *written(sample *s, const char *name, int64_t checkpoint, int64_t last) {
  xs_result *result = start(s, name);
  OK(sample_record(s, result, 0, 0, &report));
  OK(xs_result_checkpoint(result, &report));
  OK(sample_record(s, result, 1, checkpoint, &report));
  OK(xs_result_checkpoint(result, &report));
  OK(sample_record(s, result, checkpoint + 1, last, &report));
  return result;
}

static void write_complete(sample *s, const char *name, int64_t checkpoint, int64_t last) {
  OK(xs_result_finish(written(s, name, checkpoint, last), "complete", 0, &report));
}

/* All doubles of a dataset; *n of them. */
static double *numbers(const char *file_name, const char *path, hssize_t *n) {
  hid_t file = H5Fopen(in_folder(file_name), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(dataset);
  *n = H5Sget_simple_extent_npoints(space);
  cr_assert(file >= 0 && dataset >= 0 && *n >= 0);
  double *values = malloc((size_t)(*n + 1) * sizeof *values);
  cr_assert(values &&
            H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

static void expect_same(const char *file1, const char *file2, const char *path) {
  hssize_t n1, n2;
  double *a = numbers(file1, path, &n1), *b = numbers(file2, path, &n2);
  cr_assert(n1 == n2, "%s: %lld and %lld numbers", path, (long long)n1, (long long)n2);
  cr_assert(memcmp(a, b, (size_t)n1 * sizeof *a) == 0, "%s differs", path);
  free(a);
  free(b);
}

/* ---- claiming ---- */

Test(result, a_running_run_shows_only_its_partial_and_the_end_renames_it) {
  sample *s = sample_create(3, 2, 0.1);
  put("out.h5", "earlier", 7);
  xs_result *result = written(s, "out.h5", 50, 100);
  struct stat status;
  cr_assert(exists("out.h5.partial"));
  cr_assert(stat(in_folder("out.h5"), &status) == 0 && status.st_size == 7);
  OK(xs_result_finish(result, "complete", 0, &report));
  cr_assert(!exists("out.h5.partial"));
  cr_assert(stat(in_folder("out.h5"), &status) == 0 && status.st_size > 7);
  sample_free(s);
}

Test(result, two_runs_on_one_output_are_refused_even_with_force) {
  sample *s = sample_create(1, 0, 0.1);
  xs_result *first = start(s, "out.h5"), *second = NULL;
  cr_assert(xs_result_create(in_folder("out.h5"), 1, &s->subject, &second, &report) == XS_IO);
  cr_assert(says("another run", "-o"));
  cr_assert(xs_result_resume(in_folder("out.h5"), &s->subject, &second, &report) == XS_IO);
  cr_assert(says("another run", "-o"));
  OK(sample_record(s, first, 0, 100, &report));
  OK(xs_result_finish(first, "complete", 0, &report));
  sample_free(s);
}

Test(result, an_unowned_partial_needs_force) {
  sample *s = sample_create(1, 0, 0.1);
  xs_result *result = NULL;
  xs_result_abandon(written(s, "out.h5", 5, 10));
  cr_assert(exists("out.h5.partial"));
  cr_assert(xs_result_create(in_folder("out.h5"), 0, &s->subject, &result, &report) == XS_IO);
  cr_assert(says("--resume", "--force"));
  cr_assert(exists("out.h5.partial"));
  OK(xs_result_create(in_folder("out.h5"), 1, &s->subject, &result, &(xs_report){0}));
  OK(sample_record(s, result, 0, 3, &report));
  OK(xs_result_finish(result, "complete", 0, &report));
  hssize_t n;
  free(numbers("out.h5", "time", &n));
  cr_assert(n == 4);
  sample_free(s);
}

Test(result, an_empty_partial_stands_in_nobodys_way) {
  sample *s = sample_create(1, 0, 0.1);
  put("out.h5.partial", "", 0);
  write_complete(s, "out.h5", 5, 10);
  sample_free(s);
}

static void expect_refused(const char *path, const char *word1, const char *word2) {
  sample *s = sample_create(1, 0, 0.1);
  xs_result *result = NULL;
  xs_status status = xs_result_create(path, 1, &s->subject, &result, &report);
  cr_assert(status == XS_IO, "%s: status %d", path, status);
  cr_assert(says(word1, word2));
  sample_free(s);
}

Test(result, outputs_that_cannot_be_are_refused_before_the_run) {
  expect_refused(in_folder("none/out.h5"), "folder", "not exist");
  expect_refused("/proc/self/out.h5", "cannot", "");
  expect_refused(folder, "is a folder", "");
  expect_refused("/dev/full", "is a device", "regular file");
  expect_refused("", "no file part", "");
  cr_assert(mkdir(in_folder("out.h5.partial"), 0777) == 0);
  expect_refused(in_folder("out.h5"), "cannot", "directory");
}

Test(result, an_unwritable_folder_is_refused) {
  cr_assert(chmod(folder, 0755) == 0);
  if (geteuid() == 0)
    cr_assert(seteuid(65534) == 0);
  else
    cr_assert(chmod(folder, 0555) == 0);
  expect_refused(in_folder("out.h5"), "cannot be made", "Permission denied");
  if (getuid() == 0)
    cr_assert(seteuid(0) == 0);
  else
    cr_assert(chmod(folder, 0755) == 0);
}

Test(result, a_record_larger_than_the_buffer_is_refused_and_leaves_nothing) {
  sample *s = sample_create(1, 0, 0.1);
  xs_result *result = NULL;
  s->world.n_bodies = 700000;
  cr_assert(xs_result_create(in_folder("out.h5"), 0, &s->subject, &result, &report) == XS_SCENE);
  cr_assert(says("64 MiB", "output.fields"));
  cr_assert(!exists("out.h5.partial"));
  sample_free(s);
}

/* ---- the stored scene ---- */

static void expect_source(const char *name) {
  xs_arena arena = {0};
  xs_scene_source source;
  OK(xs_result_read_source(in_folder(name), &arena, &source, &report));
  cr_assert(source.length == strlen(sample_scene));
  cr_assert(memcmp(source.text, sample_scene, source.length) == 0);
  cr_assert_str_eq(source.file, "sample.json");
  cr_assert_str_eq(source.overrides, "time.step=1e-3\nname=\"a\"");
  cr_assert_str_eq(source.resolved, "{}");
  xs_arena_free(&arena);
}

Test(result, the_scene_comes_back_byte_by_byte_from_partial_and_finished_files) {
  sample *s = sample_create(1, 1, 0.1);
  s->source.overrides = "time.step=1e-3\nname=\"a\"";
  xs_result *result = written(s, "out.h5", 1, 2);
  OK(xs_result_flush(result, &report));
  expect_source("out.h5");
  expect_source("out.h5.partial");
  OK(xs_result_finish(result, "stopped", 6, &report));
  expect_source("out.h5");
  sample_free(s);
}

/* ---- going on ---- */

static const char *const compared[] = {"time",         "step",         "bodies/position",
                                       "joints/force", "energy/total", "residual/primal"};

/* A run cut off after `last` goes on from its checkpoint to the end: the same as one run. */
static void expect_resumed_equals_whole(int compression, int64_t checkpoint, int64_t last) {
  sample *s = sample_create(3, 2, 3.0), *t = sample_create(3, 2, 3.0);
  s->world.output.compression = t->world.output.compression = compression;
  write_complete(s, "whole.h5", checkpoint, 3000);
  xs_result_abandon(written(s, "cut.h5", checkpoint, last));

  xs_result *result = NULL;
  OK(xs_result_resume(in_folder("cut.h5"), &t->subject, &result, &report));
  cr_assert(t->state.step == checkpoint);
  sample_advance(s, checkpoint);
  for (int i = 0; i < s->world.n_nodes; i++)
    cr_assert(memcmp(&s->state.x[i].p, &t->state.x[i].p, sizeof(xs_vec3)) == 0);
  cr_assert(memcmp(s->state.turn, t->state.turn, 2 * sizeof(xs_turn)) == 0);
  cr_assert(memcmp(s->multipliers, t->multipliers, sizeof s->multipliers) == 0);

  OK(sample_record(t, result, checkpoint + 1, 2900, &report));
  OK(xs_result_checkpoint(result, &report));
  OK(sample_record(t, result, 2901, 3000, &report));
  OK(xs_result_finish(result, "complete", 0, &report));
  for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++)
    expect_same("whole.h5", "cut.h5", compared[i]);
  cr_assert(!exists("cut.h5.partial"));
  sample_free(s);
  sample_free(t);
}

Test(result, a_resumed_run_has_the_records_of_one_that_was_not_cut) {
  expect_resumed_equals_whole(0, 1000, 1500);
  cr_assert(unlink(in_folder("cut.h5")) == 0);
  expect_resumed_equals_whole(0, 1000, 1000);
}

Test(result, the_same_holds_compressed) {
  expect_resumed_equals_whole(6, 1000, 2500);
  cr_assert(unlink(in_folder("cut.h5")) == 0);
  expect_resumed_equals_whole(6, 910, 911);
}

static void expect_prolonged(int compression) {
  sample *s = sample_create(2, 1, 1.0);
  s->world.output.compression = compression;
  write_complete(s, "out.h5", 1000, 1000);
  s->world.time.duration = 2.0;
  xs_result *result = NULL;
  struct stat before, during;
  cr_assert(stat(in_folder("out.h5"), &before) == 0);
  OK(xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report));
  OK(sample_record(s, result, 1001, 2000, &report));
  OK(xs_result_flush(result, &report));
  cr_assert(stat(in_folder("out.h5"), &during) == 0);
  cr_assert(during.st_ino == before.st_ino && during.st_size == before.st_size);
  OK(xs_result_finish(result, "complete", 0, &report));
  hssize_t n;
  double *step = numbers("out.h5", "step", &n);
  cr_assert(n == 2001);
  for (hssize_t k = 0; k < n; k++) cr_assert(step[k] == (double)k);
  free(step);
  cr_assert(unlink(in_folder("out.h5")) == 0);
  sample_free(s);
}

/* A run that goes back to its checkpoint and on from there has the bits of one that did not. */
static void expect_same_after_going_back(int compression, int64_t checkpoint, int64_t gone) {
  sample *s = sample_create(3, 2, 30.0);
  s->world.output.compression = compression;
  xs_result *result = written(s, "whole.h5", checkpoint, 30000);
  OK(xs_result_finish(result, "complete", 0, &report));

  result = written(s, "out.h5", checkpoint, gone);
  OK(xs_result_go_back(result, &report));
  cr_assert(s->state.step == checkpoint);
  cr_assert(s->multipliers[2] == sin((double)checkpoint + 2));
  OK(sample_record(s, result, checkpoint + 1, 30000, &report));
  OK(xs_result_finish(result, "complete", 0, &report));
  static const char *const paths[] = {"time", "bodies/position", "joints/force", "energy/total"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    expect_same("whole.h5", "out.h5", paths[i]);
  sample_free(s);
}

Test(result, going_back_to_the_checkpoint_cuts_the_records_after_it) {
  expect_same_after_going_back(0, 7000, 7123);
}

Test(result, going_back_compressed_within_a_chunk) { expect_same_after_going_back(5, 7000, 7123); }

Test(result, going_back_compressed_over_chunks) { expect_same_after_going_back(5, 8192, 29000); }

Test(result, a_finished_run_goes_on_and_stays_until_the_end) {
  expect_prolonged(0);
  expect_prolonged(3);
}

Test(result, the_last_run_that_went_on_gives_the_overrides_and_may_be_named_by_its_partial) {
  sample *s = sample_create(1, 0, 1.0);
  xs_result_abandon(written(s, "out.h5", 10, 20));
  s->source.overrides = "time.duration=2";
  s->run.git_commit = "fedcba9";
  xs_result *result = NULL;
  OK(xs_result_resume(in_folder("out.h5.partial"), &s->subject, &result, &report));
  cr_assert(report.n_warnings == 1 && says("fedcba9", "0123abc"));
  xs_result_abandon(result);
  xs_arena arena = {0};
  xs_scene_source source;
  OK(xs_result_read_source(in_folder("out.h5"), &arena, &source, &report));
  cr_assert_str_eq(source.overrides, "time.duration=2");
  xs_arena_free(&arena);
  sample_free(s);
}

Test(result, going_on_takes_the_scene_of_the_partial_not_of_an_older_result) {
  sample *s = sample_create(1, 0, 1.0);
  write_complete(s, "out.h5", 5, 10);
  s->source.text = "{}";
  s->source.length = 2;
  xs_result_abandon(written(s, "out.h5", 5, 10));
  xs_arena arena = {0};
  xs_scene_source old, cut;
  OK(xs_result_read_source(in_folder("out.h5"), &arena, &old, &report));
  const char *file = NULL;
  OK(xs_result_survey_resumed(in_folder("out.h5"), &arena, &file, &report));
  OK(xs_result_read_source(file, &arena, &cut, &report));
  cr_assert_str_eq(old.text, sample_scene);
  cr_assert_str_eq(cut.text, "{}");
  s->source = old;
  xs_result *result = NULL;
  cr_assert(xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report) == XS_IO);
  cr_assert(says("another scene", ""));
  xs_arena_free(&arena);
  sample_free(s);
}

Test(result, a_checkpoint_that_was_not_completed_leaves_the_one_before) {
  sample *s = sample_create(2, 1, 1.0);
  xs_result_abandon(written(s, "out.h5", 700, 800)); /* t = 0 in slot 1, step 700 in slot 0 */
  hid_t file = H5Fopen(in_folder("out.h5.partial"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t sequence = H5Dopen2(file, "checkpoint/slot0/sequence", H5P_DEFAULT);
  int64_t none = 0;
  cr_assert(H5Dwrite(sequence, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &none) >= 0);
  H5Dclose(sequence);
  H5Fclose(file);
  xs_result *result = NULL;
  s->state.step = -1;
  OK(xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report));
  cr_assert(s->state.step == 0);
  xs_result_abandon(result);
  sample_free(s);
}

/* Changes one bit of a number of a checkpoint. */
static void damage(const char *file_name, const char *dataset_name) {
  unsigned char numbers[4096];
  hid_t file = H5Fopen(in_folder(file_name), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, dataset_name, H5P_DEFAULT), type = H5Dget_type(dataset);
  cr_assert(H5Dget_storage_size(dataset) <= sizeof numbers);
  cr_assert(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  numbers[1] ^= 4;
  cr_assert(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(file);
}

/* Whatever of the newest checkpoint is damaged, the other one is gone on from, and it is said. */
Test(result, a_damaged_checkpoint_leaves_the_one_before) {
  const char *const parts[] = {"lambda", "step", "records", "checksum", "sequence"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char name[64];
    snprintf(name, sizeof name, "checkpoint/slot0/%s", parts[i]);
    sample *s = sample_create(2, 1, 1.0);
    xs_result_abandon(written(s, "out.h5", 700, 800)); /* t = 0 in slot 1, step 700 in slot 0 */
    damage("out.h5.partial", name);
    xs_result *result = NULL;
    xs_result_standing standing;
    const int counters = strcmp(parts[i], "step") == 0 || strcmp(parts[i], "sequence") == 0;
    OK(xs_result_survey_standing(in_folder("out.h5.partial"), &standing, &report));
    cr_assert(standing.checkpoint_step == (counters ? 0 : 700), "%s", name);
    OK(xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report));
    cr_assert(s->state.step == 0, "%s", name);
    cr_assert(report.n_kept == 1 && says("newest checkpoint is damaged", "of step 0"), "%s", name);
    xs_result_abandon(result);
    cr_assert(unlink(in_folder("out.h5.partial")) == 0);
    report = (xs_report){0};
    sample_free(s);
  }
}

static void expect_no_resume(sample *s, const char *word1, const char *word2) {
  xs_result *result = NULL;
  xs_status status = xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report);
  cr_assert(status == XS_IO, "status %d", status);
  cr_assert(says(word1, word2));
}

Test(result, resuming_what_is_no_result_says_so) {
  sample *s = sample_create(2, 1, 1.0);
  expect_no_resume(s, "not found", "nothing to go on with");
  cr_assert(!exists("out.h5.partial"));
  put("out.h5", "no HDF5 at all", 14);
  expect_no_resume(s, "not a result", "HDF5");
  cr_assert(!exists("out.h5.partial"), "a copy was left behind");
  cr_assert(unlink(in_folder("out.h5")) == 0);

  hid_t file = H5Fcreate(in_folder("out.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  expect_no_resume(s, "not a result of xsim", "xsim_format");
  sample_free(s);
}

Test(result, a_result_of_which_both_checkpoints_are_damaged_is_refused) {
  sample *s = sample_create(2, 1, 1.0);
  write_complete(s, "out.h5", 5, 10);
  damage("out.h5", "checkpoint/slot0/lambda");
  damage("out.h5", "checkpoint/slot1/lambda");
  expect_no_resume(s, "damaged", "checksum differs");
  cr_assert(!exists("out.h5.partial"));
  sample_free(s);
}

static void set_format(int format) {
  hid_t file = H5Fopen(in_folder("out.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t attribute = H5Aopen(file, "xsim_format", H5P_DEFAULT);
  cr_assert(H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0);
  H5Aclose(attribute);
  H5Fclose(file);
}

Test(result, resuming_what_does_not_fit_says_why) {
  sample *s = sample_create(2, 1, 1.0);
  write_complete(s, "out.h5", 5, 10);
  set_format(2);
  expect_no_resume(s, "format 2", "formats 1 to 1");
  set_format(1);
  sample *more = sample_create(3, 1, 1.0);
  expect_no_resume(more, "other bodies", "");
  s->world.time.step = 2e-3;
  expect_no_resume(s, "time.step", "0.002");
  s->world.time.step = 1e-3;
  s->persist[2].items = 4;
  expect_no_resume(s, "checkpoint", "lambda");
  cr_assert(!exists("out.h5.partial"));
  sample_free(more);
  sample_free(s);
}

/* Bytes of the metadata spoilt in turn, less of them under a memory checker: an answer,
 * whichever, and no crash. */
Test(result, damaged_files_neither_crash_nor_hang) {
  sample *s = sample_create(2, 1, 1.0);
  write_complete(s, "good.h5", 5, 10);
  FILE *f = fopen(in_folder("good.h5"), "rb");
  static char good[1 << 20];
  size_t n = fread(good, 1, sizeof good, f);
  fclose(f);
  cr_assert(n > 10000 && n < sizeof good);
  const size_t rounds = getenv("XSIM_TEST_SLOWED") ? 16 : 60, half = rounds / 2;
  size_t refused = 0;
  for (size_t i = 0; i < rounds; i++) {
    size_t at = i < half ? i * 11 : (i * 2654435761u) % n;
    char kept = good[at];
    good[at] = (char)(kept ^ 0x55);
    put("out.h5", good, i == rounds - 1 ? n / 2 : n);
    good[at] = kept;
    xs_result *result = NULL;
    report = (xs_report){0};
    if (xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report) == XS_OK)
      xs_result_abandon(result);
    else
      refused++;
    (void)unlink(in_folder("out.h5.partial"));
  }
  cr_assert(refused > rounds / 12, "only %zu were refused", refused);
  sample_free(s);
}

/* HDF5 would look for every chunk of an extent that is cut, which takes years if there are 2^62 /
 * n. */
Test(result, a_dataset_that_claims_more_than_it_has_is_refused, .timeout = 60) {
  sample *s = sample_create(2, 1, 1.0);
  const hsize_t claimed[3] = {(hsize_t)1 << 60, 2, 3};
  write_complete(s, "out.h5", 5, 10);
  hid_t file = H5Fopen(in_folder("out.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "bodies/position", H5P_DEFAULT);
  cr_assert(H5Dset_extent(dataset, claimed) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
  xs_result *result = NULL;
  cr_assert(xs_result_resume(in_folder("out.h5"), &s->subject, &result, &report) == XS_IO);
  cr_assert(says("/bodies/position", "claims more records than it has"));
  cr_assert(!exists("out.h5.partial"));
  sample_free(s);
}

/* ---- failing ---- */

Test(result, a_write_that_fails_is_an_error_and_keeps_what_was_flushed) {
  sample *s = sample_create(3, 2, 1000);
  put("out.h5", "earlier", 7);
  xs_result *result = written(s, "out.h5", 500, 500);
  struct rlimit limit = {1 << 20, 1 << 20};
  signal(SIGXFSZ, SIG_IGN);
  cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  cr_assert(sample_record(s, result, 501, 20000, &report) == XS_IO);
  cr_assert(says("cannot write", "File too large"));
  cr_assert(xs_result_record(result, 0, &report) == XS_IO);
  cr_assert(xs_result_checkpoint(result, &report) == XS_IO);
  cr_assert(xs_result_finish(result, "stopped", 6, &report) == XS_IO);

  struct stat status;
  cr_assert(stat(in_folder("out.h5"), &status) == 0 && status.st_size == 7);
  hssize_t n;
  double *step = numbers("out.h5.partial", "step", &n);
  cr_assert(n >= 501);
  for (hssize_t k = 0; k < n; k++) cr_assert(step[k] == (double)k);
  free(step);
  sample_free(s);
}

Test(result, the_version_of_hdf5_is_known) {
  unsigned a, b, c;
  cr_assert(sscanf(xs_result_hdf5_version(), "%u.%u.%u", &a, &b, &c) == 3);
}
