/* Lists of names, gathered from whatever lists and maps the table declares as named: an
 * array of objects with a key "name" of kind XS_TYPE_NAME, or a map. */
#include "io/scene_names.h"

#include <assert.h>
#include <string.h>

#include "io/scene_table.h"

static int is_named(const xs_type *type) {
  if (type->kind == XS_TYPE_MAP) return 1;
  if (type->kind != XS_TYPE_ARRAY || type->item->kind != XS_TYPE_OBJECT) return 0;
  const xs_key *key = xs_scene_table_key(type->item->object, "name", NULL);
  return key != NULL && key->type->kind == XS_TYPE_NAME;
}

/* The name of an entry: its key in a map, its "name" in a list; NULL if it has none. */
static const char *name_of(const xs_json *entry) {
  if (entry->key != NULL) return entry->key;
  const xs_json *name = xs_json_member(entry, "name");
  return name != NULL && name->type == XS_JSON_STRING ? name->string : NULL;
}

static xs_status gather_list(const xs_json *entries, xs_arena *arena, xs_name_list *list,
                             xs_report *report) {
  if (entries == NULL) return XS_OK;
  list->sorted = XS_ARENA_NEW(arena, xs_name, entries->count);
  list->in_order = XS_ARENA_NEW(arena, const char *, entries->count);
  if (list->sorted == NULL || list->in_order == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the names of %s",
                           list->scope);
  int index = 0;
  for (const xs_json *entry = entries->first; entry != NULL; entry = entry->next, index++) {
    const char *name = name_of(entry);
    if (name == NULL) continue;
    list->in_order[list->n] = name;
    list->sorted[list->n++] = (xs_name){name, index};
  }
  xs_names_sort(list->sorted, list->n);
  return XS_OK;
}

xs_status xs_scene_names_gather(const xs_json *document, xs_arena *arena, xs_names *names,
                                xs_report *report) {
  *names = (xs_names){0};
  for (const xs_key *key = xs_scene_object.keys; key->name != NULL; key++) {
    if (!is_named(key->type)) continue;
    assert(names->n_lists < XS_NAMES_SCOPES_MAX);
    xs_name_list *list = &names->list[names->n_lists++];
    list->scope = key->name;

    /* A value of the wrong form is the reader's to refuse. */
    const xs_json *entries = xs_json_member(document, key->name);
    const xs_json_type form = key->type->kind == XS_TYPE_MAP ? XS_JSON_OBJECT : XS_JSON_ARRAY;
    if (entries != NULL && entries->type != form) entries = NULL;
    const xs_status status = gather_list(entries, arena, list, report);
    if (status != XS_OK) return status;
  }
  return XS_OK;
}

const xs_name_list *xs_scene_names_list(const xs_names *names, const char *scope) {
  for (int i = 0; i < names->n_lists; i++)
    if (strcmp(names->list[i].scope, scope) == 0) return &names->list[i];
  assert(0 && "a scope that the table does not declare");
  return NULL;
}

int xs_scene_names_find(const xs_name_list *list, const char *name) {
  return xs_names_find(list->sorted, list->n, name);
}
