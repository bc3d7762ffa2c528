/* Loading a scene: text, overrides, checks, world; and what a result keeps of it.
 *
 * Overrides act on the parsed document before it is checked. The document is read against
 * the table even after a faulty override, and built even after faults in the form, so that
 * everything that is wrong is said at once. */
#include "io/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_write.h"
#include "io/scene_build.h"
#include "io/scene_read.h"

static xs_status no_memory(xs_report *report) {
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory while loading the scene");
}

/* Stored overrides and those of n_set, a line each. */
static const char *join_overrides(const char *stored, int n_set, const char *const *set,
                                  xs_arena *arena) {
  size_t size = strlen(stored) + 2;
  for (int i = 0; i < n_set; i++) size += strlen(set[i]) + 1;
  char *all = xs_arena_alloc(arena, size, 1);
  if (all == NULL) return NULL;
  size_t used = (size_t)snprintf(all, size, "%s", stored);
  if (used > 0 && all[used - 1] != '\n') all[used++] = '\n';
  for (int i = 0; i < n_set; i++) used += (size_t)snprintf(all + used, size - used, "%s\n", set[i]);
  return all;
}

/* Applies the overrides, a line each, in order; all of them even if one fails. */
static xs_status apply(xs_json *document, const char *overrides, xs_arena *arena,
                       xs_report *report) {
  xs_status first = XS_OK;
  for (const char *line = overrides; *line != '\0';) {
    const size_t n = strcspn(line, "\n");
    char *assignment = xs_arena_alloc(arena, n + 1, 1);
    if (assignment == NULL) return no_memory(report);
    memcpy(assignment, line, n);
    const xs_status status = n > 0 ? xs_json_set(document, assignment, arena, report) : XS_OK;
    if (first == XS_OK) first = status;
    line += n + (line[n] == '\n');
  }
  return first;
}

/* The text of the parameters; NULL without memory. */
static const char *print(const xs_json *tree, xs_arena *arena) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return NULL;
  xs_json_write(stream, tree, 0);
  fputc('\n', stream);
  const int failed = ferror(stream);
  const char *copy =
      fclose(stream) == 0 && !failed && text ? xs_arena_copy_text(arena, text) : NULL;
  free(text);
  return copy;
}

/* Loads text that lives in the arena, as name does. */
static xs_status load(const char *text, size_t length, const char *name, const char *overrides,
                      int n_set, const char *const *set, xs_arena *arena, xs_world **world,
                      xs_scene_source *source, xs_report *report) {
  *world = NULL;
  *source = (xs_scene_source){.file = name, .text = text, .length = length};
  for (int i = 0; i < n_set; i++)
    if (strchr(set[i], '\n') != NULL)
      return xs_report_error(report, XS_USAGE, NULL, "--set %s: line breaks are not allowed",
                             set[i]);
  source->overrides = join_overrides(overrides != NULL ? overrides : "", n_set, set, arena);
  if (source->overrides == NULL) return no_memory(report);

  /* Text to document. */
  xs_json *document = NULL, *tree = NULL;
  xs_status status = xs_json_parse(text, length, name, arena, &document, report);
  if (status != XS_OK) return status;
  const xs_status set_status = apply(document, source->overrides, arena, report);
  if (set_status == XS_INTERNAL) return set_status;

  /* Document to parameters. */
  xs_names names;
  status = xs_scene_names_gather(document, arena, &names, report);
  if (status != XS_OK) return status;
  const xs_status read_status = xs_scene_read(document, &names, arena, &tree, report);
  if (tree == NULL) return set_status != XS_OK ? set_status : read_status;

  /* Parameters to world. */
  xs_world *built = NULL;
  const int faulty = set_status != XS_OK || read_status != XS_OK;
  const xs_status build_status = xs_scene_build_world(tree, faulty, &names, arena, &built, report);
  if (build_status == XS_INTERNAL) return build_status;
  if (set_status != XS_OK) return set_status;
  if (read_status != XS_OK) return read_status;
  if (build_status != XS_OK) return build_status;
  source->resolved = print(tree, arena);
  if (source->resolved == NULL) return no_memory(report);
  *world = built;
  return XS_OK;
}

xs_status xs_scene_load_text(const char *text, size_t length, const char *name,
                             const char *overrides, int n_set, const char *const *set,
                             xs_arena *arena, xs_world **world, xs_scene_source *source,
                             xs_report *report) {
  *world = NULL;
  const char *own_name = xs_arena_copy_text(arena, name);
  char *own_text = xs_arena_alloc(arena, length + 1, 1);
  if (own_name == NULL || own_text == NULL) return no_memory(report);
  memcpy(own_text, text, length);
  return load(own_text, length, own_name, overrides, n_set, set, arena, world, source, report);
}

xs_status xs_scene_check_stored(const xs_scene_source *stored, const char *result, xs_arena *arena,
                                xs_report *report) {
  xs_json *document = NULL;
  const xs_place place = {.file = result};
  const xs_status read =
      xs_json_parse(stored->text, stored->length, stored->file, arena, &document, report);
  if (read == XS_INTERNAL) return read;
  const xs_status set = read == XS_OK ? apply(document, stored->overrides, arena, report) : XS_OK;
  if (set == XS_INTERNAL || (read == XS_OK && set == XS_OK)) return set;

  /* What is wrong with them is said, but by a program that could read them once. */
  char why[XS_REPORT_TEXT];
  snprintf(why, sizeof why, "%s", report->kept[0].text);
  *report = (xs_report){0};
  return xs_report_error(
      report, XS_IO, &place,
      "damaged: the stored %s; run the scene again, or go on with a copy that is "
      "not damaged: %s",
      read != XS_OK ? "scene is no JSON any more"
                    : "overrides do not fit the stored scene any more",
      why);
}

xs_status xs_scene_load(const char *file, int n_set, const char *const *set, xs_arena *arena,
                        xs_world **world, xs_scene_source *source, xs_report *report) {
  char *text = NULL;
  size_t length = 0;
  *world = NULL;
  const xs_status status = xs_json_read_file(file, arena, &text, &length, report);
  if (status != XS_OK) return status;
  const char *name = xs_arena_copy_text(arena, file);
  if (name == NULL) return no_memory(report);
  return load(text, length, name, "", n_set, set, arena, world, source, report);
}
