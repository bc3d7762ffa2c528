/* The one table of scene parameters.
 *
 * A scene is a tree of objects with keys. This table says of every key what values it
 * takes, in which unit and range, what stands when it is left out, and what it means.
 * From it come the reader with its checks and defaults (scene_read.c), the JSON Schema
 * (scene_schema.c) and the help text (scene_help.c). A new key is one line here and its
 * use in the builder.
 *
 * Types are composed: a vector is an array of three numbers, an angle is a number or an
 * object {"deg": x}, a function of time is a number or one of several objects. What needs
 * more than one object to decide (masses, references between frames, functions whose
 * times must increase) is left to the builder. */
#ifndef XS_IO_SCENE_TABLE_H
#define XS_IO_SCENE_TABLE_H

#include <stdio.h>

#include "io/json.h"

typedef enum xs_type_kind {
  XS_TYPE_NUMBER,    /* finite */
  XS_TYPE_INTEGER,   /* a number without fraction */
  XS_TYPE_BOOL,      /* true or false */
  XS_TYPE_STRING,    /* at least min_items characters */
  XS_TYPE_NAME,      /* [A-Za-z_][A-Za-z0-9_-]*, unique in its list, none of words */
  XS_TYPE_REFERENCE, /* a name that the list `scope` holds, or one of words */
  XS_TYPE_WORD,      /* one of words */
  XS_TYPE_ARRAY,     /* min_items .. max_items values of type item */
  XS_TYPE_MAP,       /* names as keys, values of type item */
  XS_TYPE_OBJECT,    /* keys of the table */
  XS_TYPE_ANGLE,     /* rad, or {"deg": x} which is read as x pi / 180 */
  XS_TYPE_NULL,      /* null, as one of a choice */
  XS_TYPE_ANY,       /* whatever is JSON, taken over as it stands */
  XS_TYPE_CHOICE     /* the first of alternatives that fits the JSON value's form */
} xs_type_kind;

typedef struct xs_type xs_type;
typedef struct xs_key xs_key;
typedef struct xs_object xs_object;

struct xs_type {
  xs_type_kind kind;
  const char *phrase;            /* "three numbers [x, y, z]"; of words: "joint type" */
  const xs_type *item;           /* of an array or map */
  int min_items, max_items;      /* max_items 0: no limit */
  int unique;                    /* no item of the array twice */
  int free_keys;                 /* of a map: its keys are no names but any text */
  const xs_object *object;       /* of an object */
  const char *const *words;      /* 0-terminated */
  const char *scope;             /* top-level list of a name or reference */
  const xs_type *const *options; /* of a choice, 0-terminated */
};

/* Allowed numbers: lo .. hi, the ends themselves excluded if open. */
typedef struct xs_range {
  double lo, hi;
  int open_lo, open_hi;
} xs_range;

struct xs_key {
  const char *name;
  const xs_type *type;
  const char *unit;     /* "m"; "1" = a pure number; NULL = no quantity */
  const char *fallback; /* JSON text of the default; xs_scene_required; NULL = may be left out */
  xs_range range;       /* holds for every number inside the value */
  const char *when;     /* the key belongs to these values of the object's "type",
                           "capsule|cylinder", and no others; NULL = to all. A name may stand
                           in several lines that belong to different values of "type" */
  const char *meaning;  /* a sentence; says what stands for a key without a default */
};

struct xs_object {
  const char *name, *meaning;
  const xs_key *keys; /* ended by a key without name */
  /* Sets of keys of which exactly one must be given as a whole, "axis+angle";
   * "" = none of them; NULL = no such rule; 0-terminated. */
  const char *const *forms;
};

/* The fallback of a key that must be given. */
extern const char xs_scene_required[];

/* The scene itself, and {"deg": x}, which may stand for any angle. */
extern const xs_object xs_scene_object, xs_scene_degrees_object;

/* Most keys of an object. */
enum { XS_TABLE_KEYS_MAX = 32 };

/* The line of a name that belongs to variant, a value of "type"; the name's first line where
 * none does or variant is NULL; NULL for a name that the object does not have. */
const xs_key *xs_scene_table_key(const xs_object *object, const char *name, const char *variant);

/* Whether the name of the key stands in several lines. */
int xs_scene_table_varies(const xs_object *object, const xs_key *key);

/* "revolute|prismatic": the types to which the name belongs. Returns buffer. */
const char *xs_scene_table_types_of(const xs_object *object, const char *name, char *buffer,
                                    int size);

/* Whether the list of words separated by `separator` holds word. */
int xs_scene_table_lists(const char *list, char separator, const char *word);

/* Whether some form of the object names the key. */
int xs_scene_table_governs(const xs_object *object, const char *name);

/* Whether a key belongs to an object whose "type" is variant (NULL = unknown: yes). */
int xs_scene_table_applies(const xs_key *key, const char *variant);

/* The object below a type, through arrays, maps and choices (of several objects the last,
 * which is the richest); NULL if there is none. */
const xs_object *xs_scene_table_object_of(const xs_type *type);

/* Fills list with root (the scene's object, or another document's) and all below it, each once,
 * in the order in which they are met; returns how many, at most XS_TABLE_OBJECTS_MAX. */
enum { XS_TABLE_OBJECTS_MAX = 64 };
int xs_scene_table_objects(const xs_object *root, const xs_object *list[XS_TABLE_OBJECTS_MAX]);

/* JSON text of what stands for a key that value, an object of the table, lacks: the key's
 * fallback, or another one where a default depends on other keys (scene_table_cases.c). */
const char *xs_scene_table_fallback(const xs_object *object, const xs_key *key,
                                    const xs_json *value);

/* The schema of a document whose table begins at root, titled "xsim " and its name
 * (scene_schema.c); what --help says of it (scene_help.c). */
void xs_scene_schema_write(FILE *stream, const xs_object *root);
void xs_scene_help_write(FILE *stream, const xs_object *root);

/* "> 0", ">= 1", "in [0, 9]"; "" without limits. Returns buffer. */
const char *xs_scene_table_range_text(xs_range range, char *buffer, int size);
int xs_scene_table_in_range(xs_range range, double value);

#endif
