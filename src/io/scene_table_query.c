/* Questions to the table of scene parameters, apart from the table itself: look-up of keys,
 * which keys belong to a variant, texts of ranges. The table is small and read once for a
 * scene, so that every look-up is a walk. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/scene_table.h"

const xs_key *xs_scene_table_key(const xs_object *object, const char *name, const char *variant) {
  const xs_key *first = NULL;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    if (strcmp(key->name, name) != 0) continue;
    if (xs_scene_table_applies(key, variant)) return key;
    if (first == NULL) first = key;
  }
  return first;
}

int xs_scene_table_varies(const xs_object *object, const xs_key *key) {
  for (const xs_key *other = object->keys; other->name != NULL; other++)
    if (other != key && strcmp(other->name, key->name) == 0) return 1;
  return 0;
}

const char *xs_scene_table_types_of(const xs_object *object, const char *name, char *buffer,
                                    int size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (const xs_key *key = object->keys; key->name != NULL; key++)
    if (key->when != NULL && strcmp(key->name, name) == 0 && used < (size_t)size)
      used += (size_t)snprintf(buffer + used, (size_t)size - used, "%s%s", used > 0 ? "|" : "",
                               key->when);
  return buffer;
}

int xs_scene_table_lists(const char *list, char separator, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = list; *at != '\0';) {
    const char *end = strchr(at, separator);
    const size_t n = end != NULL ? (size_t)(end - at) : strlen(at);
    if (n == length && memcmp(at, word, n) == 0) return 1;
    at += n + (end != NULL);
  }
  return 0;
}

int xs_scene_table_governs(const xs_object *object, const char *name) {
  for (const char *const *form = object->forms; form != NULL && *form != NULL; form++)
    if (xs_scene_table_lists(*form, '+', name)) return 1;
  return 0;
}

int xs_scene_table_applies(const xs_key *key, const char *variant) {
  return key->when == NULL || variant == NULL || xs_scene_table_lists(key->when, '|', variant);
}

const xs_object *xs_scene_table_object_of(const xs_type *type) {
  if (type->kind == XS_TYPE_OBJECT) return type->object;
  if (type->kind == XS_TYPE_ANGLE) return &xs_scene_degrees_object;
  if (type->item != NULL) return xs_scene_table_object_of(type->item);
  const xs_object *last = NULL;
  if (type->kind == XS_TYPE_CHOICE)
    for (const xs_type *const *option = type->options; *option != NULL; option++) {
      const xs_object *object = xs_scene_table_object_of(*option);
      if (object != NULL) last = object;
    }
  return last;
}

static int collect(const xs_object *object, const xs_object **list, int n);

/* All objects below a type. */
static int collect_type(const xs_type *type, const xs_object **list, int n) {
  if (type->item != NULL) return collect_type(type->item, list, n);
  if (type->kind == XS_TYPE_CHOICE)
    for (const xs_type *const *option = type->options; *option != NULL; option++)
      n = collect_type(*option, list, n);
  const xs_object *below = type->kind != XS_TYPE_CHOICE ? xs_scene_table_object_of(type) : NULL;
  return below != NULL ? collect(below, list, n) : n;
}

static int collect(const xs_object *object, const xs_object **list, int n) {
  for (int i = 0; i < n; i++)
    if (list[i] == object) return n;
  assert(n < XS_TABLE_OBJECTS_MAX);
  list[n++] = object;
  for (const xs_key *key = object->keys; key->name != NULL; key++)
    n = collect_type(key->type, list, n);
  return n;
}

int xs_scene_table_objects(const xs_object *root, const xs_object *list[XS_TABLE_OBJECTS_MAX]) {
  return collect(root, list, 0);
}

const char *xs_scene_table_range_text(xs_range range, char *buffer, int size) {
  const int low = isfinite(range.lo), high = isfinite(range.hi);
  const size_t n = (size_t)size;
  if (low && high && range.lo == range.hi)
    (void)snprintf(buffer, n, "%.12g", range.lo);
  else if (low && high)
    (void)snprintf(buffer, n, "in %c%.12g, %.12g%c", range.open_lo ? '(' : '[', range.lo, range.hi,
                   range.open_hi ? ')' : ']');
  else if (low)
    (void)snprintf(buffer, n, "%s %.12g", range.open_lo ? ">" : ">=", range.lo);
  else if (high)
    (void)snprintf(buffer, n, "%s %.12g", range.open_hi ? "<" : "<=", range.hi);
  else
    buffer[0] = '\0';
  return buffer;
}

int xs_scene_table_in_range(xs_range range, double value) {
  const int above = range.open_lo ? value > range.lo : value >= range.lo;
  const int below = range.open_hi ? value < range.hi : value <= range.hi;
  return above && below;
}
