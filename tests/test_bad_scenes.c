/* Every scene in tests/bad is refused with exactly the messages of its sidecar.
 *
 * NAME.expected holds what is printed for NAME.json, a line a message, without the file's
 * name in front ("3:7: joints[0].type: ..."). A first line "# semantic" is for
 * test_schema.py and is passed over here. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene.h"

static const char folder[] = "tests/bad";

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

static void check_scene(const char *name) {
  char scene[512], sidecar[512];
  snprintf(scene, sizeof scene, "%s/%s", folder, name);
  snprintf(sidecar, sizeof sidecar, "%s/%.*s.expected", folder, (int)(strlen(name) - 5), name);
  char *text = read_text(sidecar);
  const char *expected = text;
  if (strncmp(expected, "# semantic\n", 11) == 0) expected += 11;

  xs_arena arena = {0};
  xs_report report = {0};
  xs_scene_source source;
  xs_world *world = NULL;
  const xs_status status = xs_scene_load(scene, 0, NULL, &arena, &world, &source, &report);
  cr_expect_eq(status, XS_SCENE, "%s: status %d", name, (int)status);
  cr_expect_null(world, "%s gave a world", name);
  char *found = printed(&report, scene);
  cr_expect_str_eq(found, expected, "%s\nfound:\n%sexpected:\n%s", name, found, expected);
  free(found);
  free(text);
  xs_arena_free(&arena);
}

Test(bad_scenes, are_refused_with_their_messages) {
  DIR *directory = opendir(folder);
  cr_assert_not_null(directory, "run from the root of the repository");
  int n = 0;
  for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    const size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    check_scene(entry->d_name);
    n++;
  }
  closedir(directory);
  cr_assert_geq(n, 240, "only %d scenes found", n);
}
