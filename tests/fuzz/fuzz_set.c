/* Fuzz target: overrides "PATH=VALUE" (io/json.h), one a line, applied one after the other.
 *
 * What has to hold: an override that is refused says why and leaves the tree one that can be
 * written and read; a scene with overrides is loaded, or refused with a message. */
#include "base.h"
#include "io/scene.h"
#include "tree.h"

static const char scene[] =
    "{\"format\": 1, \"name\": \"base\", \"time\": {\"step\": 0.01, \"duration\": 1},"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]},"
    "  {\"name\": \"b\", \"position\": [1, 0, 0], \"mass\": 1,"
    "   \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}],"
    " \"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body1\": \"a\", \"body2\": \"b\","
    "  \"at\": {\"position\": [0.5, 0, 0], \"axis\": [0, 1, 0]}}],"
    " \"loads\": [{\"body\": \"a\", \"force\": [0, {\"sine\": {\"amplitude\": 1, \"frequency\": "
    "2}},"
    "  0]}], \"output\": {\"every\": 10}, \"checks\": []}";

enum { LINES_MAX = 8 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  base_check(scene, sizeof scene - 1);
  return 0;
}

/* To the tree alone. */
static void apply(int n, const char *const *set) {
  static xs_report report;
  xs_arena arena = {0};
  xs_json *root = NULL;
  report = (xs_report){0};
  FUZZ_CHECK(xs_json_parse(scene, sizeof scene - 1, "base", &arena, &root, &report) == XS_OK);
  for (int i = 0; i < n; i++) {
    report = (xs_report){0};
    const xs_status status = xs_json_set(root, set[i], &arena, &report);
    FUZZ_CHECK(status == XS_OK || status == XS_USAGE || status == XS_SCENE);
    fuzz_check_report(&report, status);
  }
  fuzz_tree_check(root);
  xs_arena_free(&arena);
}

/* To the scene. */
static void load(int n, const char *const *set) {
  static xs_report report;
  xs_arena arena = {0};
  xs_world *world = NULL;
  xs_scene_source source;
  report = (xs_report){0};
  const xs_status status = xs_scene_load_text(scene, sizeof scene - 1, "base", "", n, set, &arena,
                                              &world, &source, &report);
  FUZZ_CHECK(status != XS_INTERNAL && (status == XS_OK) == (world != NULL));
  fuzz_check_report(&report, status);
  xs_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[2048];
  const char *set[LINES_MAX];
  if (size >= sizeof text || memchr(data, '\0', size) != NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\0';

  int n = 0;
  for (char *line = text; line != NULL && n < LINES_MAX;) {
    char *end = strchr(line, '\n');
    if (end != NULL) *end = '\0';
    set[n++] = line;
    line = end != NULL ? end + 1 : NULL;
  }
  apply(n, set);
  load(n, set);
  return 0;
}
