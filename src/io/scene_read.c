/* A recursive walk over a document and the table of parameters at once.
 *
 * A faulty value becomes NULL, which passes upwards to the nearest list item or member of
 * the scene itself; there it becomes null in the tree, so that the rest can still be
 * checked. The other files of the reader are listed in scene_reader.h. */
#include "io/scene_read.h"

#include <assert.h>
#include <string.h>

#include "io/scene_reader.h"
#include "math/trig.h"

/* ---- Arrays, maps, choices, angles ---- */

static int has_equal_before(const xs_json *array, const xs_json *item) {
  for (const xs_json *other = array->first; other != item; other = other->next)
    if (other->type == XS_JSON_STRING && item->type == XS_JSON_STRING &&
        strcmp(other->string, item->string) == 0)
      return 1;
  return 0;
}

static int has_right_length(const xs_type *type, int count) {
  return count >= type->min_items && (type->max_items == 0 || count <= type->max_items);
}

static xs_json *read_array(xs_reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const xs_reader_path *at) {
  if (value->type != XS_JSON_ARRAY) return xs_scene_reader_type_fault(r, type, value, at);
  if (!has_right_length(type, value->count))
    return xs_scene_reader_fault(r, value, at, "expected %s, found %d item%s", type->phrase,
                                 value->count, value->count == 1 ? "" : "s");

  /* The scene's own lists keep a place for faulty items, others are faulty as a whole. */
  const int keeps = at->up->up == NULL && type->item->kind == XS_TYPE_OBJECT;
  int good = 1, index = 0;
  xs_json *made = xs_scene_reader_copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_json *item = value->first; item != NULL; item = item->next, index++) {
    const xs_reader_path here = {at, NULL, index};
    xs_json *read = NULL;
    if (type->unique && has_equal_before(value, item))
      (void)xs_scene_reader_fault(r, item, &here, "\"%s\" stands here twice", item->string);
    else
      read = xs_scene_reader_value(r, type->item, range, item, &here);
    good = good && read != NULL;
    if (read == NULL && keeps) read = xs_scene_reader_null(r, item);
    if (read != NULL) end = xs_scene_reader_append(made, end, read);
  }
  return good || keeps ? made : NULL;
}

static xs_json *read_map(xs_reader *r, const xs_type *type, xs_range range, const xs_json *value,
                         const xs_reader_path *at) {
  if (value->type != XS_JSON_OBJECT) return xs_scene_reader_type_fault(r, type, value, at);
  xs_json *made = xs_scene_reader_copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  if (value->count < type->min_items)
    return xs_scene_reader_fault(r, value, at, "expected %s, found an empty one", type->phrase);
  for (const xs_json *member = value->first; member != NULL; member = member->next) {
    const xs_reader_path here = {at, member->key, 0};
    xs_json *read = NULL;
    if (type->free_keys || xs_scene_reader_is_name(member->key))
      read = xs_scene_reader_value(r, type->item, range, member, &here);
    else
      (void)xs_scene_reader_key_fault(
          r, member, &here,
          "\"%s\" is no name: a letter or _, then letters, digits, _ and - are allowed, %d at most",
          member->key, XS_READER_NAME_MAX);
    if (read == NULL) read = xs_scene_reader_null(r, member);
    if (read == NULL) return NULL;
    end = xs_scene_reader_append(made, end, read);
  }
  return made;
}

/* A value of any form with all below it. */
static xs_json *read_any(xs_reader *r, const xs_json *value) {
  xs_json *made = xs_scene_reader_copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_json *child = value->first; child != NULL; child = child->next) {
    xs_json *read = read_any(r, child);
    if (read == NULL) return NULL;
    end = xs_scene_reader_append(made, end, read);
  }
  return made;
}

/* Whether the JSON value looks as if this type was meant; tells options of a choice apart. */
static int fits(const xs_type *type, const xs_json *value) {
  switch (type->kind) {
    case XS_TYPE_NUMBER:
    case XS_TYPE_INTEGER:
      return value->type == XS_JSON_NUMBER;
    case XS_TYPE_STRING:
    case XS_TYPE_NAME:
    case XS_TYPE_REFERENCE:
    case XS_TYPE_WORD:
      return value->type == XS_JSON_STRING;
    case XS_TYPE_ANGLE:
      return value->type == XS_JSON_NUMBER ||
             (value->type == XS_JSON_OBJECT && xs_json_member(value, "deg") != NULL);
    case XS_TYPE_NULL:
      return value->type == XS_JSON_NULL;
    case XS_TYPE_ANY:
      return 1;
    case XS_TYPE_ARRAY:
      return value->type == XS_JSON_ARRAY &&
             (value->first == NULL || fits(type->item, value->first));
    case XS_TYPE_CHOICE:
      for (const xs_type *const *option = type->options; *option != NULL; option++)
        if (fits(*option, value)) return 1;
      return 0;
    default:
      return value->type == XS_JSON_OBJECT;
  }
}

static xs_json *read_choice(xs_reader *r, const xs_type *type, xs_range range, const xs_json *value,
                            const xs_reader_path *at) {
  for (const xs_type *const *option = type->options; *option != NULL; option++)
    if (fits(*option, value)) return xs_scene_reader_value(r, *option, range, value, at);
  return xs_scene_reader_type_fault(r, type, value, at);
}

static xs_json *read_angle(xs_reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const xs_reader_path *at) {
  if (value->type != XS_JSON_OBJECT) {
    const xs_type radians = {.kind = XS_TYPE_NUMBER, .phrase = type->phrase};
    return xs_scene_reader_number(r, &radians, range, value, at);
  }
  xs_json *made = xs_scene_reader_object(r, &xs_scene_degrees_object, value, at);
  if (made == NULL) return NULL;
  made->type = XS_JSON_NUMBER;
  made->number = made->first->number * (XS_PI / 180);
  made->first = NULL;
  made->count = 0;
  return made;
}

xs_json *xs_scene_reader_value(xs_reader *r, const xs_type *type, xs_range range,
                               const xs_json *value, const xs_reader_path *at) {
  switch (type->kind) {
    case XS_TYPE_NUMBER:
    case XS_TYPE_INTEGER:
      return xs_scene_reader_number(r, type, range, value, at);
    case XS_TYPE_BOOL:
      return value->type == XS_JSON_BOOL ? xs_scene_reader_copy(r, value)
                                         : xs_scene_reader_type_fault(r, type, value, at);
    case XS_TYPE_STRING:
      if (value->type != XS_JSON_STRING || strlen(value->string) < (size_t)type->min_items)
        return xs_scene_reader_type_fault(r, type, value, at);
      return xs_scene_reader_copy(r, value);
    case XS_TYPE_NAME:
      return xs_scene_reader_name(r, type, value, at);
    case XS_TYPE_REFERENCE:
      return xs_scene_reader_reference(r, type, value, at);
    case XS_TYPE_WORD:
      return xs_scene_reader_word(r, type, value, at);
    case XS_TYPE_ARRAY:
      return read_array(r, type, range, value, at);
    case XS_TYPE_MAP:
      return read_map(r, type, range, value, at);
    case XS_TYPE_ANGLE:
      return read_angle(r, type, range, value, at);
    case XS_TYPE_NULL:
      return value->type == XS_JSON_NULL ? xs_scene_reader_copy(r, value)
                                         : xs_scene_reader_type_fault(r, type, value, at);
    case XS_TYPE_ANY:
      return read_any(r, value);
    case XS_TYPE_CHOICE:
      return read_choice(r, type, range, value, at);
    case XS_TYPE_OBJECT:
      if (value->type != XS_JSON_OBJECT) return xs_scene_reader_type_fault(r, type, value, at);
      return xs_scene_reader_object(r, type->object, value, at);
  }
  assert(0 && "a kind of type without a reader");
  return NULL;
}

xs_status xs_scene_read(const xs_json *document, const xs_names *names, xs_arena *arena,
                        xs_json **tree, xs_report *report) {
  return xs_scene_read_as(&xs_scene_object, document, names, arena, tree, report);
}

xs_status xs_scene_read_as(const xs_object *object, const xs_json *document, const xs_names *names,
                           xs_arena *arena, xs_json **tree, xs_report *report) {
  xs_reader r = {.names = names, .arena = arena, .report = report};
  const xs_reader_path root = {NULL, NULL, 0};
  const int errors = report->n_errors;
  *tree = NULL;
  if (document->type != XS_JSON_OBJECT) {
    char found[XS_READER_FOUND];
    (void)xs_scene_reader_fault(&r, document, &root, "a %s is an object, found %s", object->name,
                                xs_json_describe(document, found, sizeof found));
    return XS_SCENE;
  }
  *tree = xs_scene_reader_object(&r, object, document, &root);
  if (r.out_of_memory) {
    *tree = NULL;
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory while reading the %s",
                           object->name);
  }
  return report->n_errors > errors ? XS_SCENE : XS_OK;
}
