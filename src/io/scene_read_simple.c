/* Values without parts: numbers in their ranges, words of a list, names, references to
 * names. What is refused is told with what is allowed, and with the nearest word. */
#include "io/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/scene_planned.h"

xs_json *xs_scene_reader_number(xs_reader *r, const xs_type *type, xs_range range,
                                const xs_json *value, const xs_reader_path *at) {
  const int whole = type->kind == XS_TYPE_INTEGER;
  if (value->type != XS_JSON_NUMBER || !isfinite(value->number) ||
      (whole && value->number != floor(value->number)))
    return xs_scene_reader_type_fault(r, type, value, at);
  char allowed[64];
  if (!xs_scene_table_in_range(range, value->number))
    return xs_scene_reader_fault(r, value, at, "must be %s, found %.12g",
                                 xs_scene_table_range_text(range, allowed, sizeof allowed),
                                 value->number);
  return xs_scene_reader_copy(r, value);
}

static int count_words(const char *const *words) {
  int n = 0;
  while (words != NULL && words[n] != NULL) n++;
  return n;
}

int xs_scene_reader_has_word(const char *const *words, const char *word) {
  for (; words != NULL && *words != NULL; words++)
    if (strcmp(*words, word) == 0) return 1;
  return 0;
}

xs_json *xs_scene_reader_word(xs_reader *r, const xs_type *type, const xs_json *value,
                              const xs_reader_path *at) {
  char hint[XS_READER_HINT];
  const int n = count_words(type->words);
  if (value->type != XS_JSON_STRING) {
    char found[XS_READER_FOUND];
    return xs_scene_reader_fault(r, value, at, "expected a %s, found %s; %s", type->phrase,
                                 xs_json_describe(value, found, sizeof found),
                                 xs_suggest_hint("", n, type->words, hint, sizeof hint));
  }
  if (xs_scene_reader_has_word(type->words, value->string)) return xs_scene_reader_copy(r, value);
  if (xs_scene_planned_has(type->phrase, value->string))
    return xs_scene_reader_fault(
        r, value, at, "this version does not support the %s \"%s\" yet; %s", type->phrase,
        value->string, xs_suggest_hint("", n, type->words, hint, sizeof hint));
  return xs_scene_reader_fault(r, value, at, "unknown %s \"%s\"; %s", type->phrase, value->string,
                               xs_suggest_hint(value->string, n, type->words, hint, sizeof hint));
}

int xs_scene_reader_is_name(const char *text) {
  static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  static const char later[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-";
  const size_t length = strlen(text);
  return strspn(text, first) > 0 && strspn(text, later) == length && length <= XS_READER_NAME_MAX;
}

xs_json *xs_scene_reader_name(xs_reader *r, const xs_type *type, const xs_json *value,
                              const xs_reader_path *at) {
  if (value->type != XS_JSON_STRING) {
    char found[XS_READER_FOUND];
    return xs_scene_reader_fault(r, value, at, "expected the name of a %s, found %s", type->phrase,
                                 xs_json_describe(value, found, sizeof found));
  }
  if (!xs_scene_reader_is_name(value->string))
    return xs_scene_reader_fault(
        r, value, at,
        "\"%s\" is no name: a letter or _, then letters, digits, _ and - are allowed, %d at most",
        value->string, XS_READER_NAME_MAX);
  if (xs_scene_reader_has_word(type->words, value->string))
    return xs_scene_reader_fault(r, value, at, "the name \"%s\" is reserved", value->string);

  /* The item that holds the name is the last index on the way here. */
  const int first = xs_scene_names_find(xs_scene_names_list(r->names, type->scope), value->string);
  if (first != at->up->index)
    return xs_scene_reader_fault(r, value, at, "duplicate %s name \"%s\": %s[%d] has it already",
                                 type->phrase, value->string, type->scope, first);
  return xs_scene_reader_copy(r, value);
}

xs_json *xs_scene_reader_reference(xs_reader *r, const xs_type *type, const xs_json *value,
                                   const xs_reader_path *at) {
  if (value->type != XS_JSON_STRING) {
    char found[XS_READER_FOUND];
    return xs_scene_reader_fault(r, value, at, "expected the name of a %s, found %s", type->phrase,
                                 xs_json_describe(value, found, sizeof found));
  }
  if (xs_scene_reader_has_word(type->words, value->string)) return xs_scene_reader_copy(r, value);
  const xs_name_list *list = xs_scene_names_list(r->names, type->scope);
  if (xs_scene_names_find(list, value->string) >= 0) return xs_scene_reader_copy(r, value);

  /* Reserved words are suggested only if no name is near. */
  char hint[XS_READER_HINT];
  const int n = count_words(type->words);
  if (n > 0 &&
      (list->n == 0 || (xs_suggest_nearest(value->string, list->n, list->in_order) == NULL &&
                        xs_suggest_nearest(value->string, n, type->words) != NULL)))
    xs_suggest_hint(value->string, n, type->words, hint, sizeof hint);
  else
    xs_suggest_hint(value->string, list->n, list->in_order, hint, sizeof hint);
  return xs_scene_reader_fault(r, value, at, "unknown %s \"%s\"; %s", type->phrase, value->string,
                               hint);
}
