/* Places along curves on shapes: against search, stations, edges, ends. */
#include <criterion/criterion.h>

#include "narrow_sample.h"

/* 1e4 pairs a class: tests/long/test_collide_search.c. */
Test(curve_shape, elements_find_what_search_finds) {
  for (int i = 0; i < N_SHAPES; i++)
    for (int n = 2; n <= 4; n++)
      for (int b = 0; b < N_BENDS; b++) {
        tally t = tally_element_shape(&shape_samples[i].shape, n, bends[b], 100);
        cr_expect(t.missed == 0, "%s, %d nodes, bend %g: %d of %d missed by up to %g",
                  shape_samples[i].name, n, bends[b], t.missed, t.pairs, t.deepest);
      }
}

Test(curve_shape, circles_find_what_search_finds) {
  for (int i = 0; i < N_SHAPES; i++) {
    tally t = tally_circle_shape(&shape_samples[i].shape, 0.8, 0.3, 100);
    cr_expect(t.missed == 0, "%s: %d of %d missed by up to %g", shape_samples[i].name, t.missed,
              t.pairs, t.deepest);
  }
}
