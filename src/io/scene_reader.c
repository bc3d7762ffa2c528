/* What the files of the reader share: messages with places and paths, copies of values. */
#include "io/scene_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/scene_read.h"

enum { ROOM = 64 };

/* ---- Messages ---- */

static void append_step(char *buffer, size_t size, const char *key, int index) {
  const size_t used = strlen(buffer);
  if (key != NULL)
    (void)snprintf(buffer + used, size - used, "%s%s", used > 0 ? "." : "", key);
  else
    (void)snprintf(buffer + used, size - used, "[%d]", index);
}

static void append_path(char *buffer, size_t size, const xs_reader_path *at) {
  if (at == NULL || at->up == NULL) return;
  append_path(buffer, size, at->up);
  append_step(buffer, size, at->key, at->index);
}

static void report_at(xs_reader *r, xs_place place, const xs_reader_path *at, const char *format,
                      va_list arguments) {
  /* Longer than a message may be: the report then marks the cut. */
  char text[XS_REPORT_TEXT + 1], where[XS_REPORT_PATH] = "";
  append_path(where, sizeof where, at);
  place.path = where[0] != '\0' ? where : NULL;
  (void)vsnprintf(text, sizeof text, format, arguments);
  (void)xs_report_error(r->report, XS_SCENE, &place, "%s", text);
}

xs_json *xs_scene_reader_fault(xs_reader *r, const xs_json *value, const xs_reader_path *at,
                               const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report_at(r, (xs_place){value->source, value->line, value->column, NULL}, at, format, arguments);
  va_end(arguments);
  return NULL;
}

xs_json *xs_scene_reader_key_fault(xs_reader *r, const xs_json *value, const xs_reader_path *at,
                                   const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report_at(r, (xs_place){value->source, value->key_line, value->key_column, NULL}, at, format,
            arguments);
  va_end(arguments);
  return NULL;
}

xs_json *xs_scene_reader_type_fault(xs_reader *r, const xs_type *type, const xs_json *value,
                                    const xs_reader_path *at) {
  char found[XS_READER_FOUND];
  return xs_scene_reader_fault(r, value, at, "expected %s, found %s", type->phrase,
                               xs_json_describe(value, found, sizeof found));
}

/* ---- Copies ---- */

xs_json *xs_scene_reader_copy(xs_reader *r, const xs_json *value) {
  /* Values are small and many: the arena is asked for some at once. */
  if (r->n_room == 0) {
    r->room = XS_ARENA_NEW(r->arena, xs_json, ROOM);
    if (r->room == NULL) {
      r->out_of_memory = 1;
      return NULL;
    }
    r->n_room = ROOM;
  }
  xs_json *made = r->room++;
  r->n_room--;
  *made = *value;
  made->first = made->next = NULL;
  made->count = 0;
  if (r->owner != NULL) {
    made->line = made->key_line = r->owner->line;
    made->column = made->key_column = r->owner->column;
    made->source = r->owner->source;
  }
  return made;
}

xs_json *xs_scene_reader_null(xs_reader *r, const xs_json *value) {
  xs_json *made = xs_scene_reader_copy(r, value);
  if (made != NULL) made->type = XS_JSON_NULL;
  return made;
}

xs_json **xs_scene_reader_append(xs_json *parent, xs_json **end, xs_json *child) {
  *end = child;
  parent->count++;
  return &child->next;
}

/* ---- Paths ---- */

/* Whether value is at or below from, which is at `at`; writes its path then. */
static int find_path(const xs_json *from, const xs_json *value, const xs_reader_path *at,
                     char *buffer, size_t size) {
  if (from == value) {
    append_path(buffer, size, at);
    return 1;
  }
  int index = 0;
  for (const xs_json *child = from->first; child != NULL; child = child->next, index++) {
    const xs_reader_path here = {at, child->key, index};
    if (find_path(child, value, &here, buffer, size)) return 1;
  }
  return 0;
}

const char *xs_scene_path(const xs_json *root, const xs_json *value, char *buffer, size_t size) {
  const xs_reader_path at = {NULL, NULL, 0};
  buffer[0] = '\0';
  (void)find_path(root, value, &at, buffer, size);
  return buffer;
}
