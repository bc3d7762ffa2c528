/* Scenes: from JSON to a world.
 *
 * scene_table.c holds the one table of parameters, from which come defaults, ranges, the
 * JSON Schema, the help text and the stored "resolved" parameters; scene_read.c checks a
 * document against it; scene_build.c makes the world and checks sense. All errors are
 * collected before giving up. */
#ifndef XS_IO_SCENE_H
#define XS_IO_SCENE_H

#include <stdio.h>

#include "io/json.h"
#include "model/world.h"

/* A scene as it was given, for the provenance of a result. */
typedef struct xs_scene_source {
  const char *file; /* name as given */
  const char *text; /* the exact bytes */
  size_t length;
  const char *overrides; /* one "PATH=VALUE" a line, may be "" */
  const char *resolved;  /* JSON: every parameter with defaults filled in, numbers %.17g */
} xs_scene_source;

/* Reads FILE, applies n_set overrides in order, checks, builds. On success *world and
 * *source are in the arena. XS_SCENE with all errors found otherwise; warnings may be
 * added either way. */
xs_status xs_scene_load(const char *file, int n_set, const char *const *set, xs_arena *arena,
                        xs_world **world, xs_scene_source *source, xs_report *report);

/* The same from text in memory (a scene stored in a result). overrides: as stored. */
xs_status xs_scene_load_text(const char *text, size_t length, const char *name,
                             const char *overrides, int n_set, const char *const *set,
                             xs_arena *arena, xs_world **world, xs_scene_source *source,
                             xs_report *report);

/* Whether the scene that a result holds is still one that its overrides fit: a run has read both
 * before. If not, the report holds one error, XS_IO, about the result. */
xs_status xs_scene_check_stored(const xs_scene_source *stored, const char *result, xs_arena *arena,
                                xs_report *report);

/* Writes schemas/scene.schema.json (JSON Schema 2020-12). */
void xs_scene_write_schema(FILE *stream);

/* Writes what `xsim --help scene` prints: every key with type, unit, default, range and
 * meaning; with a path ("solver", "bodies.mass") that part only. Returns 0 if the path
 * is unknown. */
int xs_scene_write_help(FILE *stream, const char *path);

#endif
