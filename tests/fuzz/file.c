/* Files in memory (file.h). */
#include "file.h"

#include <assert.h>
#include <string.h>

#include "io/json.h"

static struct {
  const char *name;
  const void *bytes;
  size_t size;
} files[FUZZ_FILES_MAX];
static int n_files;

void fuzz_file_offer(const char *name, const void *bytes, size_t size) {
  assert(n_files < FUZZ_FILES_MAX);
  files[n_files].name = name;
  files[n_files].bytes = bytes;
  files[n_files++].size = size;
}

void fuzz_file_forget(void) { n_files = 0; }

/* The names that the linker's --wrap makes are not ours to choose. */
xs_status __wrap_xs_json_read_file(const char *path, xs_arena *arena, char **text, size_t *length,
                                   xs_report *report);
xs_status __wrap_xs_json_read_file(const char *path, xs_arena *arena, char **text, size_t *length,
                                   xs_report *report) {
  const xs_place place = {.file = path};
  *text = NULL;
  *length = 0;
  for (int i = 0; i < n_files; i++) {
    if (strcmp(path, files[i].name) != 0) continue;
    char *copy = xs_arena_alloc(arena, files[i].size + 1, 1);
    if (copy == NULL) return xs_report_error(report, XS_INTERNAL, &place, "out of memory");
    if (files[i].size > 0) memcpy(copy, files[i].bytes, files[i].size);
    *text = copy;
    *length = files[i].size;
    return XS_OK;
  }
  return xs_report_error(report, XS_SCENE, &place, "cannot be opened: no such file in memory");
}
