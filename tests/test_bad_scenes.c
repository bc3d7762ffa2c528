/* Every scene in tests/bad, and every sweep in tests/bad_sweeps, is refused with exactly the
 * messages of its sidecar.
 *
 * NAME.expected holds what is printed for NAME.json, a line a message, without the file's
 * name in front ("3:7: joints[0].type: ..."). A first line "# semantic" is for
 * test_schema.py and is passed over here. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/sweep.h"
#include "io/scene.h"

/* Reads a file of a folder; returns what it gave in *made, NULL if nothing. */
typedef xs_status loader(const char *file, xs_arena *arena, void **made, xs_report *report);

static xs_status load_scene(const char *file, xs_arena *arena, void **made, xs_report *report) {
  xs_scene_source source;
  xs_world *world = NULL;
  const xs_status status = xs_scene_load(file, 0, NULL, arena, &world, &source, report);
  *made = world;
  return status;
}

static xs_status load_sweep(const char *file, xs_arena *arena, void **made, xs_report *report) {
  xs_sweep sweep;
  *made = NULL;
  return xs_sweep_read(file, arena, &sweep, report);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s is missing", path);
  char *text = calloc(1, 1 << 16);
  const size_t n = fread(text, 1, (1 << 16) - 1, file);
  cr_assert(n < (1 << 16) - 1, "%s is too long for this test", path);
  fclose(file);
  return text;
}

/* What is printed, without the scene's name at the start of lines. */
static char *printed(const xs_report *report, const char *scene) {
  char *text = NULL, *out = NULL;
  size_t length = 0, out_length = 0;
  FILE *stream = open_memstream(&text, &length), *stripped = open_memstream(&out, &out_length);
  xs_report_print(report, stream, XS_REPORT_AS_TEXT, 0);
  fclose(stream);
  const size_t n = strlen(scene);
  for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
    const int named = strncmp(line, scene, n) == 0 && line[n] == ':';
    fprintf(stripped, "%s\n", named ? line + n + 1 : line);
  }
  fclose(stripped);
  free(text);
  return out;
}

static void check_file(const char *folder, const char *name, loader *load) {
  char scene[512], sidecar[512];
  snprintf(scene, sizeof scene, "%s/%s", folder, name);
  snprintf(sidecar, sizeof sidecar, "%s/%.*s.expected", folder, (int)(strlen(name) - 5), name);
  char *text = read_text(sidecar);
  const char *expected = text;
  if (strncmp(expected, "# semantic\n", 11) == 0) expected += 11;

  xs_arena arena = {0};
  xs_report report = {0};
  void *made = NULL;
  const xs_status status = load(scene, &arena, &made, &report);
  cr_expect_eq(status, XS_SCENE, "%s: status %d", name, (int)status);
  cr_expect_null(made, "%s gave a world", name);
  char *found = printed(&report, scene);
  cr_expect_str_eq(found, expected, "%s\nfound:\n%sexpected:\n%s", name, found, expected);
  free(found);
  free(text);
  xs_arena_free(&arena);
}

/* Returns how many files there were. */
static int check_folder(const char *folder, loader *load) {
  DIR *directory = opendir(folder);
  cr_assert_not_null(directory, "run from the root of the repository");
  int n = 0;
  for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    const size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    check_file(folder, entry->d_name, load);
    n++;
  }
  closedir(directory);
  return n;
}

Test(bad_scenes, are_refused_with_their_messages) {
  cr_expect_geq(check_folder("tests/bad", load_scene), 240);
}

Test(bad_scenes, and_so_are_bad_sweeps) {
  cr_expect_geq(check_folder("tests/bad_sweeps", load_sweep), 30);
}
