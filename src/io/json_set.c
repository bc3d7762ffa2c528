/* Overrides "PATH=VALUE" of values in a tree.
 *
 *   PATH    = segment { '.' segment }    rods.beam.elements, joints.0.type
 *   segment = NAME { '[' INDEX ']' }     joints[0].type is the same as joints.0.type
 *   VALUE   = JSON | bare word           [A-Za-z_][A-Za-z0-9_./-]*, a string
 *
 * In an object a segment is a member's key; in an array it is an index, or the "name" of
 * an item that is an object. true, false and null are JSON, not words. The path is
 * followed from the root; the value at its end is replaced or added.
 *
 * Whether a new key means anything is left to the reader of the scene. A value that was
 * replaced has no place in a file: it is known by its source "--set PATH=VALUE". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/utf8.h"
#include "io/json.h"

enum { SEGMENT_BYTES = 128, NAMES_MAX = 256, HINT_BYTES = 512 };

/* One override on its way through the tree. */
typedef struct override {
  const char *source; /* "--set PATH=VALUE" */
  xs_arena *arena;
  xs_report *report;
  const char *path; /* the whole path */
  const char *rest; /* what of it is still to be followed */
  char segment[SEGMENT_BYTES];
  int is_bracketed; /* the segment came as [INDEX] */
} override;

static xs_status fail(const override *o, xs_status status, const char *text, const char *detail) {
  xs_place place = {.file = o->source};
  return xs_report_error(o->report, status, &place, "%s%s", text, detail);
}

static xs_status out_of_memory(const override *o) {
  return fail(o, XS_INTERNAL, "out of memory", "");
}

/* ---- the path ---------------------------------------------------------------------- */

static int is_index(const char *text) {
  size_t n = strspn(text, "0123456789");
  return n > 0 && n <= 9 && text[n] == '\0';
}

/* Takes the next segment off the rest: up to '.', '[', or the end. */
static xs_status next_segment(override *o) {
  o->is_bracketed = *o->rest == '[';
  const char *start = o->rest + o->is_bracketed;
  size_t n = strcspn(start, o->is_bracketed ? "]" : ".[]");
  if (n >= sizeof o->segment) return fail(o, XS_USAGE, "a part of the path is too long", "");
  memcpy(o->segment, start, n);
  o->segment[n] = '\0';
  const char *end = start + n;

  /* The form of the segment itself. */
  if (o->is_bracketed && *end++ != ']')
    return fail(o, XS_USAGE, "']' is missing in the path; an index is given as name[0]", "");
  if (o->is_bracketed && !is_index(o->segment))
    return fail(o, XS_USAGE, "brackets hold an index such as [0], not ", o->segment);
  if (n == 0) return fail(o, XS_USAGE, "a part of the path is empty; PATH looks like a.b.c", "");
  if (o->segment[strcspn(o->segment, " \t\r\n\"")] != '\0')
    return fail(o, XS_USAGE, "the path holds a blank or a quote: ", o->segment);

  /* What may follow it: nothing, a further index, or a point and more. */
  if (*end == '.' && end[1] == '\0') return fail(o, XS_USAGE, "the path ends with '.'", "");
  if (*end != '\0' && *end != '.' && *end != '[')
    return fail(o, XS_USAGE, "unexpected text in the path: ", end);
  if (*end == '.') end++;
  o->rest = end;
  return XS_OK;
}

/* Checks the form of the whole path and counts its segments, before anything changes. */
static xs_status check_path(override *o, int *n_segments) {
  *n_segments = 0;
  do {
    xs_status status = next_segment(o);
    if (status) return status;
    ++*n_segments;
  } while (*o->rest);
  o->rest = o->path;
  return XS_OK;
}

/* ---- one step ---------------------------------------------------------------------- */

/* "rods.beam": the path as far as it was followed, without the segment last taken. */
static const char *followed(const override *o, char *buffer, size_t size) {
  size_t n = (size_t)(o->rest - o->path);
  size_t n_segment = strlen(o->segment) + (o->is_bracketed ? 2 : 0);
  if (n > 0 && o->path[n - 1] == '.') n--;
  n -= n_segment;
  if (n > 0 && o->path[n - 1] == '.') n--;
  snprintf(buffer, size, "%.*s", n ? (int)n : 9, n ? o->path : "the scene");
  return buffer;
}

static const char *name_of(const xs_json *item) {
  const xs_json *name = xs_json_member(item, "name");
  return name && name->type == XS_JSON_STRING ? name->string : NULL;
}

static int is_named(const xs_json *item, const char *wanted) {
  const char *name = name_of(item);
  return name && strcmp(name, wanted) == 0;
}

static xs_status fail_item(const override *o, const xs_json *array) {
  char where[XS_REPORT_PATH], hint[HINT_BYTES];
  xs_place place = {.file = o->source};
  followed(o, where, sizeof where);
  if (is_index(o->segment) && array->count == 0)
    return xs_report_error(o->report, XS_SCENE, &place, "%s has no items", where);
  if (is_index(o->segment))
    return xs_report_error(o->report, XS_SCENE, &place, "%s has no item %s; allowed: 0 to %d",
                           where, o->segment, array->count - 1);

  /* By name: the names that there are. */
  const char *names[NAMES_MAX];
  int n = 0;
  for (const xs_json *item = array->first; item && n < NAMES_MAX; item = item->next)
    if (name_of(item)) names[n++] = name_of(item);
  return xs_report_error(o->report, XS_SCENE, &place, "%s has no item named \"%s\"; %s", where,
                         o->segment, xs_suggest_hint(o->segment, n, names, hint, sizeof hint));
}

/* The item that the segment means, NULL if there is none. */
static xs_json *find_item(const override *o, const xs_json *array) {
  xs_json *item = array->first;
  if (is_index(o->segment)) {
    for (long i = strtol(o->segment, NULL, 10); item && i > 0; i--) item = item->next;
    return item;
  }
  while (item && !is_named(item, o->segment)) item = item->next;
  return item;
}

/* The member that the segment means, added as an empty object if there is none; NULL when
 * memory is exhausted. */
static xs_json *find_or_add_member(const override *o, xs_json *object) {
  xs_json *last = NULL;
  for (xs_json *member = object->first; member; last = member, member = member->next)
    if (strcmp(member->key, o->segment) == 0) return member;

  xs_json *added = XS_ARENA_NEW(o->arena, xs_json, 1);
  if (!added) return NULL;
  added->key = xs_arena_copy_text(o->arena, o->segment);
  if (!added->key) return NULL;
  added->type = XS_JSON_OBJECT;
  added->source = o->source;

  *(last ? &last->next : &object->first) = added;
  object->count++;
  return added;
}

/* From a value to the one inside it that the next segment means. */
static xs_status follow(override *o, xs_json **value) {
  xs_status status = next_segment(o);
  if (status) return status;
  xs_json *inner = NULL;

  if ((*value)->type == XS_JSON_ARRAY) {
    inner = find_item(o, *value);
    if (!inner) return fail_item(o, *value);
  } else if ((*value)->type == XS_JSON_OBJECT && !o->is_bracketed) {
    inner = find_or_add_member(o, *value);
    if (!inner) return out_of_memory(o);
  } else {
    char where[XS_REPORT_PATH], what[XS_REPORT_PATH];
    xs_place place = {.file = o->source};
    return xs_report_error(o->report, XS_SCENE, &place, "%s is %s: it has no %s \"%s\"",
                           followed(o, where, sizeof where),
                           xs_json_describe(*value, what, sizeof what),
                           o->is_bracketed ? "item" : "member", o->segment);
  }
  *value = inner;
  return XS_OK;
}

/* ---- the value --------------------------------------------------------------------- */

static int is_bare_word(const char *text) {
  static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char *const further =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789./-";
  static const char *const reserved[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++)
    if (strcmp(text, reserved[i]) == 0) return 0;
  return *text && strchr(letters, *text) && text[strspn(text, further)] == '\0';
}

/* A new string of the tree. */
static xs_status make_word(const override *o, const char *word, xs_json **value) {
  xs_json *made = XS_ARENA_NEW(o->arena, xs_json, 1);
  char *copy = xs_arena_copy_text(o->arena, word);
  if (!made || !copy) return out_of_memory(o);
  made->type = XS_JSON_STRING;
  made->string = copy;
  made->source = o->source;
  *value = made;
  return XS_OK;
}

static xs_status make_value(const override *o, const char *text, xs_json **value) {
  if (*text == '\0') return fail(o, XS_USAGE, "VALUE is missing after '='", "");
  if (is_bare_word(text)) return make_word(o, text, value);

  /* Its messages are collected apart: their columns count within VALUE. */
  xs_report *inner = calloc(1, sizeof *inner);
  if (!inner) return out_of_memory(o);
  xs_status status = xs_json_parse(text, strlen(text), o->source, o->arena, value, inner);
  xs_place place = {.file = o->source};
  for (int i = 0; i < inner->n_kept; i++) {
    const xs_message *m = &inner->kept[i];
    if (m->status == XS_INTERNAL)
      xs_report_error(o->report, XS_INTERNAL, &place, "%s", m->text);
    else
      xs_report_error(o->report, XS_USAGE, &place, "VALUE, character %d: %s", m->column, m->text);
  }
  free(inner);
  return status == XS_SCENE ? XS_USAGE : status;
}

/* Takes the places in VALUE off a new value, which mean nothing to who reads a message.
 * Returns how deep it is nested; the parser has limited that to XS_JSON_DEPTH_MAX. */
static int unplace(xs_json *value) {
  value->line = value->column = value->key_line = value->key_column = 0;
  int deepest = 0;
  for (xs_json *inner = value->first; inner; inner = inner->next) {
    int depth = unplace(inner);
    if (depth > deepest) deepest = depth;
  }
  int is_container = value->type == XS_JSON_ARRAY || value->type == XS_JSON_OBJECT;
  return deepest + is_container;
}

/* ---- all --------------------------------------------------------------------------- */

static int is_utf8(const char *text) {
  size_t left = strlen(text);
  for (int n; left > 0; text += n, left -= (size_t)n) {
    n = xs_utf8_decode(text, left, NULL);
    if (n == 0) return 0;
  }
  return 1;
}

/* Splits the assignment; the path and the source live in the arena. The text of the value is there
 * only after success. */
static xs_status start(override *o, const char *assignment, const char **value_text) {
  /* The source first: every further message needs it. */
  size_t n_source = strlen("--set ") + strlen(assignment) + 1;
  char *source = XS_ARENA_NEW(o->arena, char, n_source);
  if (!source) return xs_report_error(o->report, XS_INTERNAL, NULL, "out of memory");
  snprintf(source, n_source, "--set %s", assignment);
  o->source = source;

  /* A key that is none would make a tree that cannot be written as JSON. */
  if (!is_utf8(assignment)) return fail(o, XS_USAGE, "the text is not valid UTF-8", "");

  const char *equals = strchr(assignment, '=');
  if (!equals) return fail(o, XS_USAGE, "'=' is missing; the form is PATH=VALUE", "");
  if (equals == assignment) return fail(o, XS_USAGE, "PATH is missing before '='", "");

  char *path = xs_arena_copy_text(o->arena, assignment);
  if (!path) return out_of_memory(o);
  path[equals - assignment] = '\0';
  o->path = o->rest = path;
  *value_text = equals + 1;
  return XS_OK;
}

xs_status xs_json_set(xs_json *root, const char *assignment, xs_arena *arena, xs_report *report) {
  override o = {.arena = arena, .report = report};
  const char *value_text = NULL;
  xs_json *value = NULL;
  int n_segments = 0;

  /* Everything about the form comes before the tree is touched. */
  xs_status status = start(&o, assignment, &value_text);
  if (!value_text) return status;
  status = check_path(&o, &n_segments);
  if (!status) status = make_value(&o, value_text, &value);
  if (status || !value) return status;
  if (n_segments + unplace(value) > XS_JSON_DEPTH_MAX)
    return fail(&o, XS_USAGE, "PATH and VALUE together are nested too deep (at most 64 levels)",
                "");

  xs_json *target = root;
  while (*o.rest) {
    status = follow(&o, &target);
    if (status) return status;
  }

  /* The new value takes the old one's position: its key and its next sibling stay. */
  value->key = target->key;
  value->next = target->next;
  *target = *value;
  return XS_OK;
}
