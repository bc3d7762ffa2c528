/* Reads a document against the table of parameters.
 *
 * Gives back a tree of the same form in which every key of the table stands in the table's
 * order: as given, or with its default. Angles in degrees have become radians. All that is
 * wrong is reported with its place and path: unknown, planned, missing and superfluous
 * keys, types, ranges, words, names, references to names. Whether the whole makes sense is
 * for the builder to say. */
#ifndef XS_IO_SCENE_READ_H
#define XS_IO_SCENE_READ_H

#include "io/scene_names.h"
#include "io/scene_table.h"

/* On XS_SCENE *tree is still usable, so that what is right can be checked further: what is
 * wrong stands in it as null, which is no legal value. Null takes the place of a whole
 * member of the scene (time, solver) or a whole item of its lists (a body). *tree is NULL
 * if the document is no object, and on XS_INTERNAL. */
xs_status xs_scene_read(const xs_json *document, const xs_names *names, xs_arena *arena,
                        xs_json **tree, xs_report *report);

/* The same for another document than a scene, whose table begins at object. names: NULL if nothing
 * in that table is a name or refers to one. */
xs_status xs_scene_read_as(const xs_object *object, const xs_json *document, const xs_names *names,
                           xs_arena *arena, xs_json **tree, xs_report *report);

/* Dotted path of a value inside a tree, "joints[1].type"; "" for the root or a value that
 * is not in it. Returns buffer. */
const char *xs_scene_path(const xs_json *root, const xs_json *value, char *buffer, size_t size);

#endif
