/* Detection against search, at length: 1e5 points a shape, 1e4 pairs a class. */
#include <criterion/criterion.h>

#include "../narrow_sample.h"

enum { POINTS = 100000, PAIRS = 10000 };

/* Misses in at most 0.1 % of the pairs, none deeper than 5 % of the radius. */
static void judge(const char *what, double bend, double radius, tally t) {
  cr_log_info("%-28s bend %.1f: %d of %d missed, by up to %.1e\n", what, bend, t.missed, t.pairs,
              t.deepest);
  cr_expect_leq(t.missed, PAIRS / 1000, "%s, bend %g: %d missed", what, bend, t.missed);
  cr_expect_leq(t.deepest, 0.05 * radius, "%s, bend %g: missed by %g", what, bend, t.deepest);
}

Test(collide_search, shape_distances) {
  for (int i = 0; i < N_SHAPES; i++) {
    double worst = shape_worst_distance(&shape_samples[i].shape, POINTS);
    cr_log_info("%-28s distances to %.1e at %d points\n", shape_samples[i].name, worst, POINTS);
    cr_expect_leq(worst, 1e-7, "%s: off by %g", shape_samples[i].name, worst);
  }
}

Test(collide_search, elements_and_shapes) {
  for (int i = 0; i < N_SHAPES; i++)
    for (int n = 2; n <= 4; n++)
      for (int b = 0; b < N_BENDS; b++) {
        char what[64];
        snprintf(what, sizeof what, "%d nodes, %s", n, shape_samples[i].name);
        judge(what, bends[b], tube_radius,
              tally_element_shape(&shape_samples[i].shape, n, bends[b], PAIRS));
      }
}

Test(collide_search, circles_and_shapes) {
  for (int i = 0; i < N_SHAPES; i++)
    judge(shape_samples[i].name, 0, 0.3,
          tally_circle_shape(&shape_samples[i].shape, 0.8, 0.3, PAIRS));
}

Test(collide_search, elements_from_seeds) {
  for (int n1 = 2; n1 <= 4; n1++)
    for (int n2 = n1; n2 <= 4; n2++)
      for (int b = 0; b < N_BENDS; b++) {
        char what[64];
        snprintf(what, sizeof what, "%d and %d nodes", n1, n2);
        judge(what, bends[b], tube_radius, tally_seeds(n1, n2, bends[b], PAIRS));
      }
}
