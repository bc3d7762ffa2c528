/* Places in a file that its data have left (result_places.h). */
#include "io/result_places.h"

#include <stdlib.h>

void xs_result_places_leave(xs_result_places *places, xs_result_place place) {
  if (places->n == places->room) {
    const size_t room = places->room > 0 ? 2 * places->room : 64;
    xs_result_place *list = realloc(places->list, room * sizeof *list);
    if (!list) return;
    places->list = list;
    places->room = room;
  }
  places->list[places->n++] = place;
}

void xs_result_places_settle(xs_result_places *places) { places->n_free = places->n; }

uint64_t xs_result_places_take(xs_result_places *places, uint64_t size) {
  xs_result_place *best = NULL, *list = places->list;
  for (size_t i = 0; i < places->n_free; i++)
    if (list[i].size >= size && list[i].size - size <= size / 8 &&
        (!best || list[i].size < best->size))
      best = &list[i];
  if (!best) return 0;
  const uint64_t address = best->address;
  *best = list[--places->n_free];
  list[places->n_free] = list[--places->n];
  return address;
}

void xs_result_places_free(xs_result_places *places) {
  free(places->list);
  *places = (xs_result_places){0};
}
