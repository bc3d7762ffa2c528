/* Detection against search, at length: 1e5 points a shape, 1e4 pairs a class. */
#include <criterion/criterion.h>

#include "../collide_sample.h"

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

static void judge_elements(double radius, double bend_most) {
  static small_world w;
  for (int n1 = 2; n1 <= 4; n1++)
    for (int n2 = n1; n2 <= 4; n2++)
      for (int b = 0; b < N_BENDS && bends[b] <= bend_most; b++) {
        char what[64];
        snprintf(what, sizeof what, "%d and %d nodes, r %.2f", n1, n2, radius);
        judge(what, bends[b], radius, tally_elements(&w, n1, n2, bends[b], radius, PAIRS));
      }
}

/* Elements 10 diameters long, in 7 parts. */
Test(collide_search, elements_in_parts) { judge_elements(0.05, 3); }

/* Elements of one part, from seeds. */
Test(collide_search, elements_from_seeds) { judge_elements(0.34, 3); }

Test(collide_search, convex_bodies) {
  static small_world w;
  for (int i = 0; i < N_SHAPES; i++)
    for (int j = i; j < N_SHAPES; j++) {
      const xs_shape *a = &shape_samples[i].shape, *b = &shape_samples[j].shape;
      if (a->type == XS_SHAPE_PLANE || b->type == XS_SHAPE_PLANE) continue;
      if (a->type == XS_SHAPE_TORUS || b->type == XS_SHAPE_TORUS) continue;
      if (a->type == XS_SHAPE_BOX && b->type == XS_SHAPE_BOX) continue;
      char what[64];
      snprintf(what, sizeof what, "%s and %s", shape_samples[i].name, shape_samples[j].name);
      judge(what, 0, fmin(xs_shape_smallest_half_extent(a), xs_shape_smallest_half_extent(b)),
            tally_bodies(&w, *a, *b, PAIRS));
    }
}
