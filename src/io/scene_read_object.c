/* Objects: which keys may and must stand in them, and the defaults of those left out.
 *
 * Members are walked in file order, so that the messages that are kept are the first ones of
 * the file; the copy has them in the table's order. A default is the text of the table,
 * read as if it stood in the scene, so that defaults inside defaults come by themselves. */
#include "io/scene_reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/scene_planned.h"

/* The value of "type" where it decides which keys belong to an object; NULL if it is
 * missing or wrong. */
static const char *variant_of(const xs_object *object, const xs_json *value) {
  const xs_key *key = xs_scene_table_key(object, "type", NULL);
  const xs_json *type = xs_json_member(value, "type");
  if (key == NULL || type == NULL || type->type != XS_JSON_STRING) return NULL;
  return xs_scene_reader_has_word(key->type->words, type->string) ? type->string : NULL;
}

/* Reports a member that the table does not know, or not for this variant. */
static void refuse_member(xs_reader *r, const xs_object *object, const char *variant,
                          const xs_json *member, const xs_reader_path *here) {
  const xs_key *key = xs_scene_table_key(object, member->key, variant);
  if (key != NULL) {
    char types[XS_READER_HINT];
    (void)xs_scene_reader_key_fault(r, member, here, "belongs to the type %s, not to %s",
                                    xs_scene_table_types_of(object, key->name, types, sizeof types),
                                    variant);
    return;
  }
  if (xs_scene_planned_has(object->name, member->key)) {
    (void)xs_scene_reader_key_fault(r, member, here, "this version does not support \"%s\" yet",
                                    member->key);
    return;
  }
  const char *candidates[XS_TABLE_KEYS_MAX];
  int n = 0;
  for (key = object->keys; key->name != NULL; key++)
    if (xs_scene_table_applies(key, variant) &&
        xs_scene_table_key(object, key->name, variant) == key)
      candidates[n++] = key->name;
  char hint[XS_READER_HINT];
  (void)xs_scene_reader_key_fault(r, member, here, "unknown key \"%s\"; %s", member->key,
                                  xs_suggest_hint(member->key, n, candidates, hint, sizeof hint));
}

/* Whether the keys given are just those of the form, "axis+angle". */
static int matches_form(const xs_object *object, const char *form, const xs_json *value) {
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    const int given = xs_json_member(value, key->name) != NULL;
    if (xs_scene_table_governs(object, key->name) &&
        given != xs_scene_table_lists(form, '+', key->name))
      return 0;
  }
  return 1;
}

static void append_word(char *list, size_t size, const char *word) {
  const size_t used = strlen(list);
  (void)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "", word);
}

/* Reports an object whose keys match none of its forms. */
static int check_forms(xs_reader *r, const xs_object *object, const xs_json *value,
                       const xs_reader_path *at) {
  if (object->forms == NULL) return 1;
  char list[XS_READER_HINT] = "";
  for (const char *const *form = object->forms; *form != NULL; form++) {
    if (matches_form(object, *form, value)) return 1;
    append_word(list, sizeof list, (*form)[0] != '\0' ? *form : "none of these");
  }
  char found[XS_READER_HINT] = "";
  for (const xs_json *member = value->first; member != NULL; member = member->next)
    if (xs_scene_table_governs(object, member->key)) append_word(found, sizeof found, member->key);
  (void)xs_scene_reader_fault(r, value, at, "give one of these sets of keys: %s; found %s", list,
                              found[0] != '\0' ? found : "none of these");
  return 0;
}

/* The parsed text of a default; parsed once and kept. */
static const xs_json *default_value(xs_reader *r, const char *text) {
  for (int i = 0; i < r->n_defaults; i++)
    if (r->defaults[i].text == text) return r->defaults[i].value;
  xs_json *value = NULL;
  if (xs_json_parse(text, strlen(text), "default", r->arena, &value, r->report) != XS_OK) {
    r->out_of_memory = 1;
    return NULL;
  }
  assert(r->n_defaults < XS_READER_DEFAULTS_MAX);
  r->defaults[r->n_defaults++] = (xs_reader_default){text, value};
  return value;
}

/* Reads the default of a key that value lacks, as if it stood there. */
static xs_json *read_default(xs_reader *r, const xs_key *key, const char *text,
                             const xs_json *value, const xs_reader_path *here) {
  const xs_json *fallback = default_value(r, text);
  if (fallback == NULL) return NULL;
  const xs_json *owner = r->owner;
  if (owner == NULL) r->owner = value;
  xs_json *read = xs_scene_reader_value(r, key->type, key->range, fallback, here);
  r->owner = owner;
  return read;
}

/* Fills read[] with the members that are there, in file order; 0 if one was faulty. */
static int read_members(xs_reader *r, const xs_object *object, const char *variant,
                        const xs_json *value, const xs_reader_path *at, xs_json **read) {
  int good = 1;
  for (const xs_json *member = value->first; member != NULL; member = member->next) {
    const xs_reader_path here = {at, member->key, 0};
    const xs_key *key = xs_scene_table_key(object, member->key, variant);
    if (key == NULL || !xs_scene_table_applies(key, variant)) {
      refuse_member(r, object, variant, member, &here);
      good = 0;
      continue;
    }
    /* Without a type nobody knows which form was meant; the type has been complained of. */
    if (variant == NULL && xs_scene_table_varies(object, key)) continue;
    xs_json **slot = &read[key - object->keys];
    *slot = xs_scene_reader_value(r, key->type, key->range, member, &here);
    if (*slot == NULL) good = 0;
    /* The scene itself goes on without a faulty member. */
    if (*slot == NULL && at->up == NULL) *slot = xs_scene_reader_null(r, member);
  }
  return good;
}

/* With a key of a later version other keys may be needed than this one thinks. */
static int has_planned(const xs_object *object, const xs_json *value) {
  for (const xs_json *member = value->first; member != NULL; member = member->next)
    if (xs_scene_planned_has(object->name, member->key)) return 1;
  return 0;
}

/* Reports required keys that are missing; 0 if one is. */
static int check_required(xs_reader *r, const xs_object *object, const char *variant,
                          const xs_json *value, const xs_reader_path *at) {
  int good = 1;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    if (key->fallback != xs_scene_required || xs_json_member(value, key->name) != NULL) continue;
    if (key->when != NULL && (variant == NULL || !xs_scene_table_applies(key, variant))) continue;
    (void)xs_scene_reader_fault(r, value, at, "the key \"%s\" is missing", key->name);
    good = 0;
  }
  return good;
}

xs_json *xs_scene_reader_object(xs_reader *r, const xs_object *object, const xs_json *value,
                                const xs_reader_path *at) {
  const char *variant = variant_of(object, value);
  xs_json *read[XS_TABLE_KEYS_MAX] = {NULL};
  int good = 1;
  if (!has_planned(object, value)) {
    good = check_required(r, object, variant, value, at);
    good = check_forms(r, object, value, at) && good;
  }
  good = read_members(r, object, variant, value, at, read) && good;

  /* In the table's order, given or by default. */
  xs_json *made = xs_scene_reader_copy(r, value);
  if (made == NULL) return NULL;
  xs_json **end = &made->first;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    xs_json *member = read[key - object->keys];
    const xs_reader_path here = {at, key->name, 0};
    const char *fallback = xs_scene_table_fallback(object, key, value);
    if (member == NULL && fallback != NULL && fallback != xs_scene_required &&
        xs_json_member(value, key->name) == NULL && xs_scene_table_applies(key, variant))
      member = read_default(r, key, fallback, value, &here);
    if (member == NULL) continue;
    member->key = key->name;
    end = xs_scene_reader_append(made, end, member);
  }
  return good || at->up == NULL ? made : NULL;
}
