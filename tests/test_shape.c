/* Signed distances against distances by search, gradients against differences, extents. */
#include <criterion/criterion.h>

#include "shape_sample.h"

/* 1e5 points a shape: tests/long/test_collide_search.c. */
Test(shape, distances_are_those_to_the_surface) {
  for (int i = 0; i < N_SHAPES; i++) {
    double worst = shape_worst_distance(&shape_samples[i].shape, 500);
    cr_expect_leq(worst, 1e-7, "%s: off by %g", shape_samples[i].name, worst);
  }
}

/* Whether psi is smooth within eps of x: the gradient does not turn much, and the nearest part of
 * the surface stays the same. */
static int smooth_at(const xs_shape *s, xs_vec3 x, xs_vec3 n, double eps) {
  double b[XS_SHAPE_BREAKS_MAX], c[XS_SHAPE_BREAKS_MAX];
  int count = xs_shape_breaks(s, x, b);
  for (int k = 0; k < 8; k++) {
    xs_vec3 d = {k & 1 ? eps : -eps, k & 2 ? eps : -eps, k & 4 ? eps : -eps}, m;
    xs_shape_breaks(s, xs_vec3_add(x, d), c);
    for (int j = 0; j < count; j++)
      if ((b[j] >= 0) != (c[j] >= 0)) return 0;
    xs_shape_distance_gradient(s, xs_vec3_add(x, d), &m);
    if (xs_vec3_norm(xs_vec3_sub(m, n)) > 0.05) return 0;
  }
  return 1;
}

Test(shape, gradients_are_those_of_the_distance) {
  const double eps = 1e-4;
  for (int i = 0; i < N_SHAPES; i++) {
    const xs_shape *s = &shape_samples[i].shape;
    int tested = 0;
    double worst = 0;
    for (int k = 0; k < 20000; k++) {
      xs_vec3 x = xs_vec3_scale(1.6, random_vec()), n;
      double psi = xs_shape_distance_gradient(s, x, &n);
      cr_assert(psi == xs_shape_distance(s, x));
      cr_assert_float_eq(xs_vec3_norm(n), 1, 1e-14);
      if (!smooth_at(s, x, n, 3 * eps)) continue;
      tested++;
      double g[3] = {n.x, n.y, n.z};
      for (int c = 0; c < 3; c++) {
        xs_vec3 d = {c == 0 ? eps : 0, c == 1 ? eps : 0, c == 2 ? eps : 0};
        double near =
            xs_shape_distance(s, xs_vec3_add(x, d)) - xs_shape_distance(s, xs_vec3_sub(x, d));
        double far = xs_shape_distance(s, xs_vec3_add_scaled(x, 2, d)) -
                     xs_shape_distance(s, xs_vec3_add_scaled(x, -2, d));
        worst = fmax(worst, fabs((8 * near - far) / (12 * eps) - g[c]));
      }
    }
    cr_expect_geq(tested, 15000, "%s: %d", shape_samples[i].name, tested);
    cr_expect_leq(worst, 1e-6, "%s: off by %g", shape_samples[i].name, worst);
    cr_log_info("%s: gradients to %.1e at %d points\n", shape_samples[i].name, worst, tested);
  }
}

/* Where several surface points are nearest the gradient is one of unit length. */
Test(shape, gradients_are_unit_vectors_at_centres_and_axes) {
  static const xs_vec3 at[] = {{0, 0, 0}, {0, 0, 0.3}, {0.8, 0, 0}, {0.2, 0.2, 0.2}, {0, 0, -2}};
  for (int i = 0; i < N_SHAPES; i++)
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
      xs_vec3 n, m;
      double psi = xs_shape_distance_gradient(&shape_samples[i].shape, at[k], &n);
      cr_assert_float_eq(xs_vec3_norm(n), 1, 1e-15);
      /* One step out lies on the surface. */
      xs_vec3 on = xs_vec3_add_scaled(at[k], -psi, n);
      cr_assert_float_eq(xs_shape_distance_gradient(&shape_samples[i].shape, on, &m), 0, 1e-15,
                         "%s", shape_samples[i].name);
    }
}

/* The box holds the surface and touches it on all sides. */
Test(shape, boxes_are_the_smallest) {
  enum { GRID = 300 };
  for (int i = 0; i < N_SHAPES; i++) {
    const xs_shape *s = &shape_samples[i].shape;
    if (s->type == XS_SHAPE_PLANE) continue;
    xs_mat3 R = xs_so3_matrix(xs_so3_exp(xs_vec3_scale(3, random_vec())));
    double largest[3] = {0, 0, 0}, radius = 0;
    for (int p = 0; p < shape_patches(s); p++)
      for (int u = 0; u <= GRID; u++)
        for (int v = 0; v <= GRID; v++) {
          xs_vec3 x = shape_surface(s, p, (double)u / GRID, (double)v / GRID);
          xs_vec3 w = xs_mat3_mul_vec(&R, x);
          largest[0] = fmax(largest[0], w.x);
          largest[1] = fmax(largest[1], w.y);
          largest[2] = fmax(largest[2], w.z);
          radius = fmax(radius, xs_vec3_norm(x));
        }
    xs_vec3 e = xs_shape_half_extents(s, &R);
    cr_expect_float_eq(e.x, largest[0], 1e-3, "%s: %g %g", shape_samples[i].name, e.x, largest[0]);
    cr_expect_float_eq(e.y, largest[1], 1e-3, "%s: %g %g", shape_samples[i].name, e.y, largest[1]);
    cr_expect_float_eq(e.z, largest[2], 1e-3, "%s: %g %g", shape_samples[i].name, e.z, largest[2]);
    cr_expect_float_eq(xs_shape_bounding_radius(s), radius, 1e-12);
  }
}

/* The nearest part of the surface changes only where a break changes its sign. */
Test(shape, breaks_part_the_flat_parts) {
  for (int i = 0; i < N_SHAPES; i++) {
    const xs_shape *s = &shape_samples[i].shape;
    if (!xs_shape_ruled(s) || s->type == XS_SHAPE_PLANE) continue;
    for (int k = 0; k < 20000; k++) {
      xs_vec3 x = xs_vec3_scale(1.6, random_vec()), d = xs_vec3_scale(1e-3, random_vec()), n, m;
      double b[XS_SHAPE_BREAKS_MAX], c[XS_SHAPE_BREAKS_MAX];
      int count = xs_shape_breaks(s, x, b), same = 1;
      xs_shape_breaks(s, xs_vec3_add(x, d), c);
      for (int j = 0; j < count; j++) same &= (b[j] >= 0) == (c[j] >= 0);
      if (!same || xs_shape_distance_gradient(s, x, &n) <= 0.02) continue;
      xs_shape_distance_gradient(s, xs_vec3_add(x, d), &m);
      cr_assert_leq(xs_vec3_norm(xs_vec3_sub(m, n)), 0.2, "%s", shape_samples[i].name);
    }
  }
}
