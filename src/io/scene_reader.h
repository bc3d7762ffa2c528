/* The inside of the reader: what its files share.
 *
 * A function that reads a value of one kind gives a checked copy, or NULL after it has
 * reported what is wrong (or without memory, which sets out_of_memory).
 *   scene_read.c         the walk: arrays, maps, choices, the scene
 *   scene_read_simple.c  numbers, words, names, references
 *   scene_read_object.c  objects: keys, forms, defaults
 *   scene_reader.c       messages, copies, paths */
#ifndef XS_IO_SCENE_READER_H
#define XS_IO_SCENE_READER_H

#include "io/scene_names.h"
#include "io/scene_table.h"

/* Bytes of hints and of descriptions of values in messages; most different defaults. */
enum { XS_READER_HINT = 512, XS_READER_FOUND = 128, XS_READER_DEFAULTS_MAX = 128 };

/* Characters of a name, so that a path of --set and of metrics can hold it. */
enum { XS_READER_NAME_MAX = 127 };

/* A default that was parsed before, by its text in the table. */
typedef struct xs_reader_default {
  const char *text;
  const xs_json *value;
} xs_reader_default;

typedef struct xs_reader {
  const xs_names *names;
  xs_arena *arena;
  xs_report *report;
  int out_of_memory;
  const xs_json *owner; /* while a default is read: the object that lacks the key */
  int n_defaults;
  xs_reader_default defaults[XS_READER_DEFAULTS_MAX];
  xs_json *room; /* values to hand out, n_room of them */
  int n_room;
} xs_reader;

/* Where the walk is: a key, or an index if key is NULL; the root has neither. */
typedef struct xs_reader_path {
  const struct xs_reader_path *up;
  const char *key;
  int index;
} xs_reader_path;

/* ---- Values ---- */

xs_json *xs_scene_reader_value(xs_reader *r, const xs_type *type, xs_range range,
                               const xs_json *value, const xs_reader_path *at);
xs_json *xs_scene_reader_object(xs_reader *r, const xs_object *object, const xs_json *value,
                                const xs_reader_path *at);
xs_json *xs_scene_reader_number(xs_reader *r, const xs_type *type, xs_range range,
                                const xs_json *value, const xs_reader_path *at);
xs_json *xs_scene_reader_word(xs_reader *r, const xs_type *type, const xs_json *value,
                              const xs_reader_path *at);
xs_json *xs_scene_reader_name(xs_reader *r, const xs_type *type, const xs_json *value,
                              const xs_reader_path *at);
xs_json *xs_scene_reader_reference(xs_reader *r, const xs_type *type, const xs_json *value,
                                   const xs_reader_path *at);

/* [A-Za-z_][A-Za-z0-9_-]*, in ASCII whatever the locale. */
int xs_scene_reader_is_name(const char *text);

/* Whether a 0-terminated list (or NULL) holds word. */
int xs_scene_reader_has_word(const char *const *words, const char *word);

/* ---- Copies ---- */

/* A copy of a value without its children; a default gets the place of its owner. */
xs_json *xs_scene_reader_copy(xs_reader *r, const xs_json *value);

/* What stands for a faulty value that the tree has to keep a place for. */
xs_json *xs_scene_reader_null(xs_reader *r, const xs_json *value);

/* Adds a child at *end; returns the new end. */
xs_json **xs_scene_reader_append(xs_json *parent, xs_json **end, xs_json *child);

/* ---- Messages: each returns NULL, so that callers can return it ---- */

/* What is wrong with a value. */
xs_json *xs_scene_reader_fault(xs_reader *r, const xs_json *value, const xs_reader_path *at,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same, pointing at the key instead of the value. */
xs_json *xs_scene_reader_key_fault(xs_reader *r, const xs_json *value, const xs_reader_path *at,
                                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "expected three numbers, found ..." */
xs_json *xs_scene_reader_type_fault(xs_reader *r, const xs_type *type, const xs_json *value,
                                    const xs_reader_path *at);

#endif
