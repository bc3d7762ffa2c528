/* The list of planned names: a line for each object of the table (by its name) and each
 * type of words (by its phrase). What is done moves from here into scene_table.c. */
#include "io/scene_planned.h"

#include <stddef.h>
#include <string.h>

#include "io/scene_table.h"

static const struct {
  const char *where, *words;
} planned[] = {
    /* Keys. */
    {"scene", "particles cloth solids springs attachments"},
};

int xs_scene_planned_has(const char *where, const char *word) {
  for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++)
    if (strcmp(planned[i].where, where) == 0)
      return xs_scene_table_lists(planned[i].words, ' ', word);
  return 0;
}
