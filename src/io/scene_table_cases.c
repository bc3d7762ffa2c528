/* Defaults that depend on another key of the same object: a line for each case.
 *
 * The first line that fits stands in place of the key's own default; without a text the key
 * has no default then, and stands only where it was given. */
#include "io/scene_table.h"

#include <stddef.h>
#include <string.h>

static const struct {
  const char *object, *key; /* whose default */
  const char *other, *word; /* where this key has this word */
  const char *unless;       /* and this one is not given; NULL: no matter */
  const char *text;         /* JSON text of the default, or NULL */
} cases[] = {
    {"solver", "iterations", "mode", "static", NULL, "50"},
    {"solver", "tolerance", "mode", "static", NULL, "1e-12"},
    {"solver", "solve", "integrator", "rattle", NULL, "\"global\""},
    {"solver", "iterations", "integrator", "rattle", NULL, "20"},
    {"solver", "tolerance", "integrator", "rattle", "iterations", "1e-13"},
    {"solver", "update", "integrator", "rattle", NULL, NULL},
    {"solver", "gyroscopic", "integrator", "rattle", NULL, NULL},
    {"solver", "solve", "integrator", "genalpha", NULL, "\"global\""},
    {"solver", "iterations", "integrator", "genalpha", NULL, "2"},
    {"solver", "spectral_radius", "integrator", "genalpha", NULL, "0.8"},
    {"solver", "update", "integrator", "genalpha", NULL, NULL},
    {"solver", "gyroscopic", "integrator", "genalpha", NULL, NULL},
};

const char *xs_scene_table_fallback(const xs_object *object, const xs_key *key,
                                    const xs_json *value) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(cases[i].object, object->name) != 0 || strcmp(cases[i].key, key->name) != 0)
      continue;
    const xs_json *other = xs_json_member(value, cases[i].other);
    if (other == NULL || other->type != XS_JSON_STRING || strcmp(other->string, cases[i].word) != 0)
      continue;
    if (cases[i].unless != NULL && xs_json_member(value, cases[i].unless) != NULL) continue;
    return cases[i].text;
  }
  return key->fallback;
}
