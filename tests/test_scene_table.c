/* The table of parameters keeps its own rules: names, forms, variants and defaults fit. */
#include "io/scene_table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "io/scene_planned.h"

static const xs_object *list[XS_TABLE_OBJECTS_MAX];

/* Every word of a list must satisfy check(object, word). */
static void each_word(const xs_object *object, const char *words, const char *separator,
                      int (*check)(const xs_object *, const char *)) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", words);
  for (char *word = strtok(copy, separator); word != NULL; word = strtok(NULL, separator))
    cr_expect(check(object, word), "%s: %s", object->name, word);
}

static int is_key(const xs_object *object, const char *word) {
  return xs_scene_table_key(object, word, NULL) != NULL;
}

static int is_variant(const xs_object *object, const char *word) {
  const xs_key *key = xs_scene_table_key(object, "type", NULL);
  if (key == NULL || key->type->kind != XS_TYPE_WORD) return 0;
  for (const char *const *w = key->type->words; *w != NULL; w++)
    if (strcmp(*w, word) == 0) return 1;
  return 0;
}

/* Once, or once for each of some types. */
static void expect_own_line(const xs_object *object, const xs_key *key) {
  for (const xs_key *other = object->keys; other != key; other++) {
    if (strcmp(other->name, key->name) != 0) continue;
    cr_assert(other->when != NULL && key->when != NULL, "%s.%s stands twice", object->name,
              key->name);
    char types[256];
    snprintf(types, sizeof types, "%s", other->when);
    for (char *type = strtok(types, "|"); type != NULL; type = strtok(NULL, "|")) {
      cr_expect_not(xs_scene_table_lists(key->when, '|', type), "%s.%s of %s stands twice",
                    object->name, key->name, type);
      cr_expect_eq(xs_scene_table_key(object, key->name, type), other);
    }
  }
}

Test(scene_table, keys_are_unique_few_and_explained) {
  const int n = xs_scene_table_objects(&xs_scene_object, list);
  for (int i = 0; i < n; i++) {
    int keys = 0;
    for (const xs_key *key = list[i]->keys; key->name != NULL; key++, keys++) {
      expect_own_line(list[i], key);
      const size_t length = strlen(key->meaning);
      cr_expect(length > 2 && key->meaning[length - 1] == '.', "%s.%s", list[i]->name, key->name);
      cr_expect_not(xs_scene_planned_has(list[i]->name, key->name), "%s.%s is done and planned",
                    list[i]->name, key->name);
      if (key->when != NULL) each_word(list[i], key->when, "|", is_variant);
    }
    cr_expect_leq(keys, XS_TABLE_KEYS_MAX, "%s", list[i]->name);
    cr_expect_eq(keys > 0, 1);
  }
}

Test(scene_table, objects_have_names_of_their_own) {
  const int n = xs_scene_table_objects(&xs_scene_object, list);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) cr_expect_str_neq(list[i]->name, list[j]->name);
}

Test(scene_table, forms_are_made_of_keys_that_may_be_left_out) {
  const int n = xs_scene_table_objects(&xs_scene_object, list);
  for (int i = 0; i < n; i++) {
    if (list[i]->forms == NULL) continue;
    for (const char *const *form = list[i]->forms; *form != NULL; form++)
      each_word(list[i], *form, "+", is_key);
    for (const xs_key *key = list[i]->keys; key->name != NULL; key++)
      if (xs_scene_table_governs(list[i], key->name))
        cr_expect_null(key->fallback, "%s.%s", list[i]->name, key->name);
  }
}

Test(scene_table, a_name_with_several_lines_is_found_by_type) {
  const xs_object *joint =
      xs_scene_table_object_of(xs_scene_table_key(&xs_scene_object, "joints", NULL)->type);
  char text[128];
  const xs_key *first = xs_scene_table_key(joint, "limits", NULL);
  const xs_key *ball = xs_scene_table_key(joint, "limits", "spherical");
  cr_expect_str_eq(first->when, "revolute");
  cr_expect_str_eq(ball->when, "spherical");
  cr_expect_eq(xs_scene_table_key(joint, "limits", "planar"), first);
  cr_expect_not(xs_scene_table_applies(first, "planar"));
  cr_expect(xs_scene_table_varies(joint, ball));
  cr_expect_not(xs_scene_table_varies(joint, xs_scene_table_key(joint, "length", NULL)));
  cr_expect_str_eq(xs_scene_table_types_of(joint, "target", text, sizeof text),
                   "revolute|prismatic|spherical");
  cr_expect_null(xs_scene_table_key(joint, "spring", "revolute"));
}

Test(scene_table, ranges_know_their_ends) {
  const xs_range closed = {0, 9, 0, 0}, open = {0, 9, 1, 1};
  char text[64];
  cr_expect(xs_scene_table_in_range(closed, 0) && xs_scene_table_in_range(closed, 9));
  cr_expect(!xs_scene_table_in_range(open, 0) && !xs_scene_table_in_range(open, 9));
  cr_expect_not(xs_scene_table_in_range(closed, -1));
  cr_expect_str_eq(xs_scene_table_range_text(closed, text, sizeof text), "in [0, 9]");
  cr_expect_str_eq(xs_scene_table_range_text(open, text, sizeof text), "in (0, 9)");
}
