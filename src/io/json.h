/* JSON text with positions.
 *
 * cJSON parses; this reader closes what cJSON leaves open for a scene file: positions of
 * every key and value, the strict grammar (cJSON accepts 01, 1., turns 1e999 into
 * infinity), duplicate keys, look-ups with regard to case, invalid UTF-8, limits on
 * nesting and size. // and block comments are allowed. The tree handed out is our own,
 * read-only but for xs_json_set. */
#ifndef XS_IO_JSON_H
#define XS_IO_JSON_H

#include <stddef.h>

#include "base/arena.h"
#include "base/report.h"

typedef enum xs_json_type {
  XS_JSON_NULL,
  XS_JSON_BOOL,
  XS_JSON_NUMBER,
  XS_JSON_STRING,
  XS_JSON_ARRAY,
  XS_JSON_OBJECT
} xs_json_type;

typedef struct xs_json xs_json;

struct xs_json {
  xs_json_type type;
  const char *key;  /* in an object; else NULL */
  int line, column; /* of the value, from 1, in characters; 0 in values given by --set */
  int key_line, key_column;
  const char *source;    /* file name, or "--set PATH=VALUE" */
  double number;         /* XS_JSON_NUMBER; XS_JSON_BOOL: 0 or 1 */
  const char *string;    /* XS_JSON_STRING */
  int count;             /* items of an array or object */
  xs_json *first, *next; /* children in file order; sibling */
};

enum { XS_JSON_DEPTH_MAX = 64, XS_JSON_BYTES_MAX = 256 * 1024 * 1024 };

/* Parses length bytes; source names them in messages. Syntax errors, duplicate keys and
 * numbers out of range are reported with line and column: XS_SCENE. */
xs_status xs_json_parse(const char *text, size_t length, const char *source, xs_arena *arena,
                        xs_json **root, xs_report *report);

/* Reads a whole file; *text is also 0-terminated. A missing or unreadable file and a
 * directory are XS_SCENE with the reason of the system. */
xs_status xs_json_read_file(const char *path, xs_arena *arena, char **text, size_t *length,
                            xs_report *report);

/* Applies one override "PATH=VALUE": PATH dotted, array items by their "name" or index;
 * VALUE JSON, or a bare word for a string. The last key may be new, what is before it must
 * exist (a missing object on the way is made, a missing array item is an error). The
 * value's source becomes "--set PATH=VALUE". Errors: XS_USAGE for the form, XS_SCENE for
 * a path that leads nowhere. */
xs_status xs_json_set(xs_json *root, const char *assignment, xs_arena *arena, xs_report *report);

/* Member by exact name, NULL if absent or object is NULL or no object. */
const xs_json *xs_json_member(const xs_json *object, const char *key);

/* "an object", "the number 3.5", "the string \"abc\"", ... for messages. Writes at most
 * size bytes to buffer and returns it. */
const char *xs_json_describe(const xs_json *value, char *buffer, size_t size);

/* Version of the cJSON in use, "1.7.15". */
const char *xs_json_cjson_version(void);

#endif
