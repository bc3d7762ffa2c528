/* The names that a scene gives: one list for each of its named lists and maps.
 *
 * Gathered from the document before it is read, because a reference may stand before what
 * it names, and found by bisection. What is wrong with the names themselves (form,
 * duplicates, reserved words) is for the reader to tell; a value that is no string has no
 * entry here. */
#ifndef XS_IO_SCENE_NAMES_H
#define XS_IO_SCENE_NAMES_H

#include "base/names.h"
#include "io/json.h"

enum { XS_NAMES_SCOPES_MAX = 8 };

typedef struct xs_name_list {
  const char *scope; /* key of the list: "bodies" */
  int n;
  const char **in_order; /* as the file has them, for hints */
  xs_name *sorted;       /* by text, then index */
} xs_name_list;

typedef struct xs_names {
  int n_lists;
  xs_name_list list[XS_NAMES_SCOPES_MAX];
} xs_names;

/* XS_INTERNAL when memory is exhausted. */
xs_status xs_scene_names_gather(const xs_json *document, xs_arena *arena, xs_names *names,
                                xs_report *report);

/* The list of a scope; the scope must be one of the table's. */
const xs_name_list *xs_scene_names_list(const xs_names *names, const char *scope);

/* Index of the first entry with this name, -1 if there is none. */
int xs_scene_names_find(const xs_name_list *list, const char *name);

#endif
