/* A recursive walk over a document and the table of parameters at once.
 *
 * One function reads a value of one kind and gives a checked copy, or NULL after it has
 * reported what is wrong. NULL passes upwards to the nearest list item or member of the
 * scene itself, which becomes null in the tree. Members are walked in file order, so that
 * the messages that are kept are the first ones of the file. */
#include "io/scene_read.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/scene_planned.h"
#include "io/scene_table.h"
#include "math/trig.h"

enum { DEFAULTS_MAX = 64, HINT = 512, DESCRIPTION = 128 };

/* A default that was parsed before, by its text in the table. */
typedef struct parsed_default {
  const char *text;
  const xs_json *value;
} parsed_default;

typedef struct reader {
  const xs_names *names;
  xs_arena *arena;
  xs_report *report;
  int out_of_memory;
  const xs_json *owner; /* while a default is read: the object that lacks the key */
  int n_defaults;
  parsed_default defaults[DEFAULTS_MAX];
} reader;

/* Where the walk is: a key, or an index if key is NULL; the root has neither. */
typedef struct path {
  const struct path *up;
  const char *key;
  int index;
} path;

static xs_json *read_value(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const path *at);

/* ---- Messages ---- */

static void append_step(char *buffer, size_t size, const char *key, int index) {
  const size_t used = strlen(buffer);
  if (key != NULL)
    (void)snprintf(buffer + used, size - used, "%s%s", used > 0 ? "." : "", key);
  else
    (void)snprintf(buffer + used, size - used, "[%d]", index);
}

static void append_path(char *buffer, size_t size, const path *at) {
  if (at == NULL || at->up == NULL) return;
  append_path(buffer, size, at->up);
  append_step(buffer, size, at->key, at->index);
}

static void report_at(reader *r, xs_place place, const path *at, const char *format,
                      va_list arguments) {
  char text[XS_REPORT_TEXT], where[XS_REPORT_PATH] = "";
  append_path(where, sizeof where, at);
  place.path = where[0] != '\0' ? where : NULL;
  (void)vsnprintf(text, sizeof text, format, arguments);
  (void)xs_report_error(r->report, XS_SCENE, &place, "%s", text);
}

/* Reports what is wrong with a value; NULL, so that callers can return it. */
__attribute__((format(printf, 4, 5))) static xs_json *fault(reader *r, const xs_json *value,
                                                            const path *at, const char *format,
                                                            ...) {
  va_list arguments;
  va_start(arguments, format);
  report_at(r, (xs_place){value->source, value->line, value->column, NULL}, at, format, arguments);
  va_end(arguments);
  return NULL;
}

/* The same, pointing at the key instead of the value. */
__attribute__((format(printf, 4, 5))) static xs_json *key_fault(reader *r, const xs_json *value,
                                                                const path *at, const char *format,
                                                                ...) {
  va_list arguments;
  va_start(arguments, format);
  report_at(r, (xs_place){value->source, value->key_line, value->key_column, NULL}, at, format,
            arguments);
  va_end(arguments);
  return NULL;
}

static xs_json *type_fault(reader *r, const xs_type *type, const xs_json *value, const path *at) {
  char found[DESCRIPTION];
  return fault(r, value, at, "expected %s, found %s", type->phrase,
               xs_json_describe(value, found, sizeof found));
}

/* ---- Copies ---- */

/* A copy of a value without its children; a default gets the place of its owner. */
static xs_json *copy(reader *r, const xs_json *value) {
  xs_json *made = XS_ARENA_NEW(r->arena, xs_json, 1);
  if (made == NULL) {
    r->out_of_memory = 1;
    return NULL;
  }
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

/* What stands for a faulty value that the tree has to keep a place for. */
static xs_json *faulty(reader *r, const xs_json *value) {
  xs_json *made = copy(r, value);
  if (made != NULL) made->type = XS_JSON_NULL;
  return made;
}

static xs_json **append(xs_json *parent, xs_json **end, xs_json *child) {
  *end = child;
  parent->count++;
  return &child->next;
}

/* ---- Simple values ---- */

static xs_json *read_number(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                            const path *at) {
  const int whole = type->kind == XS_TYPE_INTEGER;
  if (value->type != XS_JSON_NUMBER || !isfinite(value->number) ||
      (whole && value->number != floor(value->number)))
    return type_fault(r, type, value, at);
  char allowed[64];
  if (!xs_table_in_range(range, value->number))
    return fault(r, value, at, "must be %s, found %.12g",
                 xs_table_range_text(range, allowed, sizeof allowed), value->number);
  return copy(r, value);
}

static int count_words(const char *const *words) {
  int n = 0;
  while (words != NULL && words[n] != NULL) n++;
  return n;
}

static int has_word(const char *const *words, const char *word) {
  for (; words != NULL && *words != NULL; words++)
    if (strcmp(*words, word) == 0) return 1;
  return 0;
}

static xs_json *read_word(reader *r, const xs_type *type, const xs_json *value, const path *at) {
  char hint[HINT];
  const int n = count_words(type->words);
  if (value->type != XS_JSON_STRING) {
    char found[DESCRIPTION];
    return fault(r, value, at, "expected a %s, found %s; %s", type->phrase,
                 xs_json_describe(value, found, sizeof found),
                 xs_suggest_hint("", n, type->words, hint, sizeof hint));
  }
  if (has_word(type->words, value->string)) return copy(r, value);
  if (xs_planned_has(type->phrase, value->string))
    return fault(r, value, at, "this version does not support the %s \"%s\" yet; %s", type->phrase,
                 value->string, xs_suggest_hint("", n, type->words, hint, sizeof hint));
  return fault(r, value, at, "unknown %s \"%s\"; %s", type->phrase, value->string,
               xs_suggest_hint(value->string, n, type->words, hint, sizeof hint));
}

/* [A-Za-z_][A-Za-z0-9_-]*, in ASCII whatever the locale. */
static int is_name(const char *text) {
  static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  static const char later[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-";
  return strspn(text, first) > 0 && strspn(text, later) == strlen(text);
}

static xs_json *read_name(reader *r, const xs_type *type, const xs_json *value, const path *at) {
  if (value->type != XS_JSON_STRING) {
    char found[DESCRIPTION];
    return fault(r, value, at, "expected the name of a %s, found %s", type->phrase,
                 xs_json_describe(value, found, sizeof found));
  }
  if (!is_name(value->string))
    return fault(r, value, at,
                 "\"%s\" is no name: a letter or _, then letters, digits, _ and - are allowed",
                 value->string);
  if (has_word(type->words, value->string))
    return fault(r, value, at, "the name \"%s\" is reserved", value->string);

  /* The item that holds the name is the last index on the way here. */
  const int first = xs_names_find(xs_names_list(r->names, type->scope), value->string);
  if (first != at->up->index)
    return fault(r, value, at, "duplicate %s name \"%s\": %s[%d] has it already", type->phrase,
                 value->string, type->scope, first);
  return copy(r, value);
}

static xs_json *read_reference(reader *r, const xs_type *type, const xs_json *value,
                               const path *at) {
  if (value->type != XS_JSON_STRING) {
    char found[DESCRIPTION];
    return fault(r, value, at, "expected the name of a %s, found %s", type->phrase,
                 xs_json_describe(value, found, sizeof found));
  }
  if (has_word(type->words, value->string)) return copy(r, value);
  const xs_name_list *list = xs_names_list(r->names, type->scope);
  if (xs_names_find(list, value->string) >= 0) return copy(r, value);

  /* Reserved words are suggested only if no name is near. */
  char hint[HINT];
  const int n = count_words(type->words);
  if (n > 0 &&
      (list->n == 0 || (xs_suggest_nearest(value->string, list->n, list->in_order) == NULL &&
                        xs_suggest_nearest(value->string, n, type->words) != NULL)))
    xs_suggest_hint(value->string, n, type->words, hint, sizeof hint);
  else
    xs_suggest_hint(value->string, list->n, list->in_order, hint, sizeof hint);
  return fault(r, value, at, "unknown %s \"%s\"; %s", type->phrase, value->string, hint);
}

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

static xs_json *read_array(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const path *at) {
  if (value->type != XS_JSON_ARRAY) return type_fault(r, type, value, at);
  if (!has_right_length(type, value->count))
    return fault(r, value, at, "expected %s, found %d item%s", type->phrase, value->count,
                 value->count == 1 ? "" : "s");

  /* The scene's own lists keep a place for faulty items, others are faulty as a whole. */
  const int keeps = at->up->up == NULL && type->item->kind == XS_TYPE_OBJECT;
  int good = 1, index = 0;
  xs_json *made = copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_json *item = value->first; item != NULL; item = item->next, index++) {
    const path here = {at, NULL, index};
    xs_json *read = NULL;
    if (type->unique && has_equal_before(value, item))
      (void)fault(r, item, &here, "\"%s\" stands here twice", item->string);
    else
      read = read_value(r, type->item, range, item, &here);
    good = good && read != NULL;
    if (read == NULL && keeps) read = faulty(r, item);
    if (read != NULL) end = append(made, end, read);
  }
  return good || keeps ? made : NULL;
}

static xs_json *read_map(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                         const path *at) {
  if (value->type != XS_JSON_OBJECT) return type_fault(r, type, value, at);
  xs_json *made = copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_json *member = value->first; member != NULL; member = member->next) {
    const path here = {at, member->key, 0};
    xs_json *read = NULL;
    if (is_name(member->key))
      read = read_value(r, type->item, range, member, &here);
    else
      (void)key_fault(r, member, &here,
                      "\"%s\" is no name: a letter or _, then letters, digits, _ and - are allowed",
                      member->key);
    if (read == NULL) read = faulty(r, member);
    if (read == NULL) return NULL;
    end = append(made, end, read);
  }
  return made;
}

/* Whether the JSON value looks as if this type was meant; tells options of a choice apart. */
static int fits(const xs_type *type, const xs_json *value) {
  switch (type->kind) {
    case XS_TYPE_NUMBER:
      return value->type == XS_JSON_NUMBER;
    case XS_TYPE_ARRAY:
      return value->type == XS_JSON_ARRAY &&
             (value->first == NULL || fits(type->item, value->first));
    default:
      return value->type == XS_JSON_OBJECT;
  }
}

static xs_json *read_choice(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                            const path *at) {
  for (const xs_type *const *option = type->options; *option != NULL; option++)
    if (fits(*option, value)) return read_value(r, *option, range, value, at);
  return type_fault(r, type, value, at);
}

static xs_json *read_object(reader *r, const xs_object *object, const xs_json *value,
                            const path *at);

static xs_json *read_angle(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const path *at) {
  if (value->type != XS_JSON_OBJECT) {
    const xs_type radians = {.kind = XS_TYPE_NUMBER, .phrase = type->phrase};
    return read_number(r, &radians, range, value, at);
  }
  xs_json *made = read_object(r, &xs_degrees_object, value, at);
  if (made == NULL) return NULL;
  made->type = XS_JSON_NUMBER;
  made->number = made->first->number * (XS_PI / 180);
  made->first = NULL;
  made->count = 0;
  return made;
}

/* ---- Objects ---- */

/* The value of "type" where it decides which keys belong to an object; NULL if it is
 * missing or wrong. */
static const char *variant_of(const xs_object *object, const xs_json *value) {
  const xs_key *key = xs_table_key(object, "type");
  const xs_json *type = xs_json_member(value, "type");
  if (key == NULL || type == NULL || type->type != XS_JSON_STRING) return NULL;
  return has_word(key->type->words, type->string) ? type->string : NULL;
}

/* Reports a member that the table does not know, or not for this variant. */
static void refuse_member(reader *r, const xs_object *object, const char *variant,
                          const xs_json *member, const path *here) {
  const xs_key *key = xs_table_key(object, member->key);
  if (key != NULL) {
    (void)key_fault(r, member, here, "belongs to the type %s, not to %s", key->when, variant);
    return;
  }
  if (xs_planned_has(object->name, member->key)) {
    (void)key_fault(r, member, here, "this version does not support \"%s\" yet", member->key);
    return;
  }
  const char *candidates[XS_TABLE_KEYS_MAX];
  int n = 0;
  for (key = object->keys; key->name != NULL; key++)
    if (xs_table_applies(key, variant)) candidates[n++] = key->name;
  char hint[HINT];
  (void)key_fault(r, member, here, "unknown key \"%s\"; %s", member->key,
                  xs_suggest_hint(member->key, n, candidates, hint, sizeof hint));
}

/* Whether the keys given are just those of the form, "axis+angle". */
static int matches_form(const xs_object *object, const char *form, const xs_json *value) {
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    const int given = xs_json_member(value, key->name) != NULL;
    if (xs_table_governs(object, key->name) && given != xs_table_lists(form, '+', key->name))
      return 0;
  }
  return 1;
}

static void append_word(char *list, size_t size, const char *word) {
  const size_t used = strlen(list);
  (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

/* Reports an object whose keys match none of its forms. */
static int check_forms(reader *r, const xs_object *object, const xs_json *value, const path *at) {
  if (object->forms == NULL) return 1;
  char list[HINT] = "";
  for (const char *const *form = object->forms; *form != NULL; form++) {
    if (matches_form(object, *form, value)) return 1;
    append_word(list, sizeof list, (*form)[0] != '\0' ? *form : "none of these");
  }
  char found[HINT] = "";
  for (const xs_json *member = value->first; member != NULL; member = member->next)
    if (xs_table_governs(object, member->key)) append_word(found, sizeof found, member->key);
  (void)fault(r, value, at, "give one of these sets of keys: %s; found %s", list,
              found[0] != '\0' ? found : "none of these");
  return 0;
}

/* The parsed text of a default; parsed once and kept. */
static const xs_json *default_value(reader *r, const char *text) {
  for (int i = 0; i < r->n_defaults; i++)
    if (r->defaults[i].text == text) return r->defaults[i].value;
  xs_json *value = NULL;
  if (xs_json_parse(text, strlen(text), "default", r->arena, &value, r->report) != XS_OK) {
    r->out_of_memory = 1;
    return NULL;
  }
  assert(r->n_defaults < DEFAULTS_MAX);
  r->defaults[r->n_defaults++] = (parsed_default){text, value};
  return value;
}

/* Reads the default of a key that value lacks, as if it stood there. */
static xs_json *read_default(reader *r, const xs_key *key, const xs_json *value, const path *here) {
  const xs_json *fallback = default_value(r, key->fallback);
  if (fallback == NULL) return NULL;
  const xs_json *owner = r->owner;
  if (owner == NULL) r->owner = value;
  xs_json *read = read_value(r, key->type, key->range, fallback, here);
  r->owner = owner;
  return read;
}

/* Fills read[] with the members that are there, in file order; 0 if one was faulty. */
static int read_members(reader *r, const xs_object *object, const char *variant,
                        const xs_json *value, const path *at, xs_json **read) {
  int good = 1;
  for (const xs_json *member = value->first; member != NULL; member = member->next) {
    const path here = {at, member->key, 0};
    const xs_key *key = xs_table_key(object, member->key);
    if (key == NULL || !xs_table_applies(key, variant)) {
      refuse_member(r, object, variant, member, &here);
      good = 0;
      continue;
    }
    xs_json **slot = &read[key - object->keys];
    *slot = read_value(r, key->type, key->range, member, &here);
    if (*slot == NULL) good = 0;
    /* The scene itself goes on without a faulty member. */
    if (*slot == NULL && at->up == NULL) *slot = faulty(r, member);
  }
  return good;
}

/* With a key of a later version other keys may be needed than this one thinks. */
static int has_planned(const xs_object *object, const xs_json *value) {
  for (const xs_json *member = value->first; member != NULL; member = member->next)
    if (xs_planned_has(object->name, member->key)) return 1;
  return 0;
}

/* Reports required keys that are missing; 0 if one is. */
static int check_required(reader *r, const xs_object *object, const char *variant,
                          const xs_json *value, const path *at) {
  int good = 1;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    if (key->fallback != xs_required || xs_json_member(value, key->name) != NULL) continue;
    if (key->when != NULL && (variant == NULL || !xs_table_applies(key, variant))) continue;
    (void)fault(r, value, at, "the key \"%s\" is missing", key->name);
    good = 0;
  }
  return good;
}

static xs_json *read_object(reader *r, const xs_object *object, const xs_json *value,
                            const path *at) {
  const char *variant = variant_of(object, value);
  xs_json *read[XS_TABLE_KEYS_MAX] = {NULL};
  int good = 1;
  if (!has_planned(object, value)) {
    good = check_required(r, object, variant, value, at);
    good = check_forms(r, object, value, at) && good;
  }
  good = read_members(r, object, variant, value, at, read) && good;

  /* In the table's order, given or by default. */
  xs_json *made = copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    xs_json *member = read[key - object->keys];
    const path here = {at, key->name, 0};
    if (member == NULL && key->fallback != NULL && key->fallback != xs_required &&
        xs_json_member(value, key->name) == NULL && xs_table_applies(key, variant))
      member = read_default(r, key, value, &here);
    if (member == NULL) continue;
    member->key = key->name;
    end = append(made, end, member);
  }
  return good || at->up == NULL ? made : NULL;
}

static xs_json *read_value(reader *r, const xs_type *type, xs_range range, const xs_json *value,
                           const path *at) {
  switch (type->kind) {
    case XS_TYPE_NUMBER:
    case XS_TYPE_INTEGER:
      return read_number(r, type, range, value, at);
    case XS_TYPE_BOOL:
      return value->type == XS_JSON_BOOL ? copy(r, value) : type_fault(r, type, value, at);
    case XS_TYPE_STRING:
      if (value->type != XS_JSON_STRING || strlen(value->string) < (size_t)type->min_items)
        return type_fault(r, type, value, at);
      return copy(r, value);
    case XS_TYPE_NAME:
      return read_name(r, type, value, at);
    case XS_TYPE_REFERENCE:
      return read_reference(r, type, value, at);
    case XS_TYPE_WORD:
      return read_word(r, type, value, at);
    case XS_TYPE_ARRAY:
      return read_array(r, type, range, value, at);
    case XS_TYPE_MAP:
      return read_map(r, type, range, value, at);
    case XS_TYPE_ANGLE:
      return read_angle(r, type, range, value, at);
    case XS_TYPE_CHOICE:
      return read_choice(r, type, range, value, at);
    case XS_TYPE_OBJECT:
      if (value->type != XS_JSON_OBJECT) return type_fault(r, type, value, at);
      return read_object(r, type->object, value, at);
  }
  assert(!"a kind of type without a reader");
  return NULL;
}

xs_status xs_scene_read(const xs_json *document, const xs_names *names, xs_arena *arena,
                        xs_json **tree, xs_report *report) {
  reader r = {.names = names, .arena = arena, .report = report};
  const path root = {NULL, NULL, 0};
  const int errors = report->n_errors;
  *tree = NULL;
  if (document->type != XS_JSON_OBJECT) {
    char found[DESCRIPTION];
    (void)fault(&r, document, &root, "a scene is an object, found %s",
                xs_json_describe(document, found, sizeof found));
    return XS_SCENE;
  }
  *tree = read_object(&r, &xs_scene_object, document, &root);
  if (r.out_of_memory) {
    *tree = NULL;
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory while reading the scene");
  }
  return report->n_errors > errors ? XS_SCENE : XS_OK;
}

/* ---- Paths ---- */

static int find_path(const xs_json *from, const xs_json *value, char *buffer, size_t size) {
  if (from == value) return 1;
  int index = 0;
  const size_t used = strlen(buffer);
  for (const xs_json *child = from->first; child != NULL; child = child->next, index++) {
    append_step(buffer, size, child->key, index);
    if (find_path(child, value, buffer, size)) return 1;
    buffer[used] = '\0';
  }
  return 0;
}

const char *xs_scene_path(const xs_json *root, const xs_json *value, char *buffer, size_t size) {
  buffer[0] = '\0';
  (void)find_path(root, value, buffer, size);
  return buffer;
}
