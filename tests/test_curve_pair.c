/* Nearest points of two curves: against search, on bounds, parallel lines. */
#include <criterion/criterion.h>

#include "narrow_sample.h"

/* 1e4 pairs a class: tests/long/test_collide_search.c. */
Test(curve_pair, seeds_find_what_search_finds) {
  for (int n1 = 2; n1 <= 4; n1++)
    for (int n2 = n1; n2 <= 4; n2++)
      for (int b = 0; b < N_BENDS; b++) {
        tally t = tally_seeds(n1, n2, bends[b], 100);
        cr_expect(t.missed == 0, "%d and %d nodes, bend %g: %d of %d missed by up to %g", n1, n2,
                  bends[b], t.missed, t.pairs, t.deepest);
      }
}

/* What outward says: f falls beyond the bound, and nowhere inside. */
Test(curve_pair, minima_are_stationary_or_at_a_bound) {
  for (int k = 0; k < 2000; k++) {
    xs_curve a = random_element(2 + k % 3, 1.5), b = random_element(4, 1.5);
    xs_curve_pair pair = {{&a, &b}, {0.2, 0.1}, {0.7, 0.4}};
    xs_curve_minimum m = xs_curve_pair_from(&pair, (double[2]){0.45, 0.25});
    xs_vec3 r = xs_vec3_sub(xs_curve_point(&a, m.xi[0]), xs_curve_point(&b, m.xi[1]));
    double g[2] = {xs_vec3_dot(xs_curve_slope(&a, m.xi[0]), r),
                   -xs_vec3_dot(xs_curve_slope(&b, m.xi[1]), r)};
    cr_assert_float_eq(xs_vec3_norm(r), m.distance, 1e-15);
    for (int i = 0; i < 2; i++) {
      cr_assert(pair.lo[i] <= m.xi[i] && m.xi[i] <= pair.hi[i]);
      if (m.outward[i] < 0) cr_assert(m.xi[i] == pair.lo[i] && g[i] > 0);
      if (m.outward[i] > 0) cr_assert(m.xi[i] == pair.hi[i] && g[i] < 0);
      if (m.outward[i] == 0) cr_assert_leq(fabs(g[i]), 1e-7, "%g", g[i]);
    }
  }
}

Test(curve_pair, parallel_lines_meet_in_the_middle_of_their_overlap) {
  xs_curve a = xs_curve_line((xs_vec3){0, 0, 0}, (xs_vec3){4, 0, 0});
  xs_curve b = xs_curve_line((xs_vec3){6, 1, 0}, (xs_vec3){2, 1, 0});
  xs_curve_pair pair = {{&a, &b}, {0, 0}, {1, 1}};
  xs_curve_minimum m = xs_curve_pair_from(&pair, (double[2]){0.5, 0.5});
  cr_assert_float_eq(m.xi[0], 0.75, 1e-15);
  cr_assert_float_eq(m.xi[1], 0.75, 1e-15);
  cr_assert_float_eq(m.distance, 1, 1e-15);

  /* One beyond the other: end to end. */
  b = xs_curve_line((xs_vec3){7, 4, 0}, (xs_vec3){9, 4, 0});
  m = xs_curve_pair_from(&pair, (double[2]){0.5, 0.5});
  cr_assert_float_eq(m.xi[0], 1, 0);
  cr_assert_float_eq(m.xi[1], 0, 0);
  cr_assert_float_eq(m.distance, 5, 1e-15);
}

/* A box of control points holds the curve, and the speed bounds it. */
Test(curve_pair, bounds_of_curves_hold) {
  for (int k = 0; k < 300; k++) {
    xs_curve c = random_element(2 + k % 3, 3);
    xs_vec3 lo, hi;
    xs_curve_box(&c, &lo, &hi);
    double speed = xs_curve_speed(&c);
    for (int i = 0; i <= 100; i++) {
      xs_vec3 p = xs_curve_point(&c, 0.01 * i);
      cr_assert(lo.x <= p.x + 1e-14 && lo.y <= p.y + 1e-14 && lo.z <= p.z + 1e-14);
      cr_assert(hi.x >= p.x - 1e-14 && hi.y >= p.y - 1e-14 && hi.z >= p.z - 1e-14);
      cr_assert_leq(xs_vec3_norm(xs_curve_slope(&c, 0.01 * i)), speed * (1 + 1e-14));
    }
  }
}

/* The polynomial takes the nodes' positions where rods say their nodes are. */
Test(curve_pair, elements_pass_through_their_nodes) {
  for (int n = 2; n <= 4; n++) {
    xs_pose x[4];
    for (int i = 0; i < n; i++) x[i] = pose_of(random_vec(), xs_quat_identity());
    xs_curve c = xs_curve_element(x, n);
    for (int i = 0; i < n; i++) {
      xs_vec3 p = xs_curve_point(&c, (double)i / (n - 1));
      cr_assert_leq(xs_vec3_norm(xs_vec3_sub(p, x[i].p)), 1e-14);
    }
  }
}
