/* Random pairs for the narrow phase, and their nearest points by search.
 *
 * A miss is a pair whose deepest contact found lies more than 1e-6 above what the search finds,
 * or that has none though the search comes below the limit. */
#ifndef TESTS_NARROW_SAMPLE_H
#define TESTS_NARROW_SAMPLE_H

#include "collide/curve_pair.h"
#include "collide/curve_shape.h"
#include "collide/narrow.h"
#include "shape_sample.h"

/* Of elements 1 m long. */
static const double tube_radius = 0.05, tube_margin = 0.02;
static const double bends[] = {0.5, 1.5, 3}; /* rad an element */
enum { N_BENDS = sizeof bends / sizeof *bends };

/* What a number of pairs gave. */
typedef struct tally {
  int pairs, missed;
  double deepest; /* largest miss, m */
} tally;

static inline void tally_add(tally *t, double found, double truth, double limit) {
  if (!(truth < limit)) return;
  double miss = fmin(found, limit) - truth;
  t->pairs++;
  if (miss > 1e-6) t->missed++;
  t->deepest = fmax(t->deepest, miss);
}

/* An element of n nodes about 1 m long whose frames turn by `bend` from end to end. */
static inline xs_curve random_element(int n, double bend) {
  xs_pose x[4];
  xs_vec3 p = random_vec(), axis = random_unit();
  xs_quat q = xs_so3_exp(xs_vec3_scale(3, random_vec()));
  for (int i = 0; i < n; i++) {
    x[i] = pose_of(p, q);
    for (int k = 0; k < 8; k++) {
      xs_vec3 turn = xs_vec3_add_scaled(axis, 0.3, random_vec());
      q = xs_so3_plus(q, xs_vec3_scale(bend / (8 * (n - 1)) / xs_vec3_norm(turn), turn));
      xs_mat3 R = xs_so3_matrix(q);
      p = xs_vec3_add_scaled(p, (1 + 0.05 * uniform()) / (8 * (n - 1)), xs_mat3_column(&R, 2));
    }
  }
  return xs_curve_element(x, n);
}

static inline xs_curve shifted(xs_curve curve, xs_vec3 by) {
  curve.c[0] = xs_vec3_add(curve.c[0], by);
  return curve;
}

/* ---- Curve and shape ---- */

static inline double curve_psi(const xs_shape *s, const xs_curve *curve, double xi) {
  return xs_shape_distance(s, xs_curve_point(curve, xi));
}

/* Least psi along a curve: many samples, the best three intervals cut ever finer. */
static inline double search_curve_shape(const xs_shape *s, const xs_curve *curve, double *at) {
  enum { FINE = 400 };
  *at = 0;
  double best = INFINITY;
  for (int k = 0; k <= FINE; k++) {
    double psi = curve_psi(s, curve, (double)k / FINE);
    if (psi < best) best = psi, *at = (double)k / FINE;
  }
  for (int pass = 0; pass < 3; pass++) /* neighbours of the best sample */
    for (double step = 1.0 / FINE; step > 1e-9; step *= 0.5)
      for (int side = -1; side <= 1; side += 2) {
        double xi = *at + side * step;
        if (curve->degree > 0) xi = fmin(fmax(xi, 0), 1);
        double psi = curve_psi(s, curve, xi);
        if (psi < best) best = psi, *at = xi;
      }
  return best;
}

static inline double found_curve_shape(const xs_curve_ask *ask) {
  double xi[XS_CURVE_PLACES_MAX], best = INFINITY;
  int n = xs_curve_shape_places(ask, xi);
  for (int k = 0; k < n; k++) best = fmin(best, curve_psi(ask->shape, &ask->curve, xi[k]));
  return best;
}

/* Shifts the curve so that its least psi is about what is wanted. */
static inline xs_curve near_shape(const xs_shape *s, xs_curve curve, double wanted) {
  for (int k = 0; k < 4; k++) {
    double at;
    xs_vec3 n;
    double psi = search_curve_shape(s, &curve, &at);
    xs_shape_distance_gradient(s, xs_curve_point(&curve, at), &n);
    curve = shifted(curve, xs_vec3_scale(wanted - psi, n));
  }
  return curve;
}

static inline void tally_curve(const xs_shape *s, xs_curve curve, double radius, int stations,
                               tally *t) {
  double limit = radius + 0.4 * radius, at;
  xs_curve_ask ask = {.shape = s, .limit = limit, .radius = radius, .apart = 0.1 * radius};
  ask.curve = near_shape(s, curve, limit - 0.8 * radius * fabs(uniform()));
  ask.n_stations = curve.degree == 0 ? stations : stations + 1;
  for (int k = 0; k < ask.n_stations; k++) ask.station[k] = (double)k / stations;
  tally_add(t, found_curve_shape(&ask), search_curve_shape(s, &ask.curve, &at), limit);
}

static inline tally tally_element_shape(const xs_shape *s, int n_nodes, double bend, int n) {
  tally t = {0};
  while (t.pairs < n) tally_curve(s, random_element(n_nodes, bend), tube_radius, n_nodes - 1, &t);
  return t;
}

/* A circle of that radius and tube against a shape. */
static inline tally tally_circle_shape(const xs_shape *s, double circle, double tube, int n) {
  tally t = {0};
  while (t.pairs < n) {
    xs_mat3 R = xs_so3_matrix(xs_so3_exp(xs_vec3_scale(3, random_vec())));
    xs_curve flat = {.degree = 0, .c = {{0, 0, 0}, {circle, 0, 0}, {0, circle, 0}}};
    tally_curve(s, xs_curve_from(&flat, random_vec(), &R), tube, 4, &t);
  }
  return t;
}

/* ---- Two elements ---- */

static inline double pair_distance(const xs_curve *a, const xs_curve *b, double x, double y) {
  return xs_vec3_norm(xs_vec3_sub(xs_curve_point(a, x), xs_curve_point(b, y)));
}

static inline double search_pair(const xs_curve *a, const xs_curve *b, double at[2]) {
  enum { FINE = 60 };
  at[0] = at[1] = 0;
  xs_vec3 p[FINE + 1], q[FINE + 1];
  double best = INFINITY;
  for (int k = 0; k <= FINE; k++) {
    p[k] = xs_curve_point(a, (double)k / FINE);
    q[k] = xs_curve_point(b, (double)k / FINE);
  }
  for (int i = 0; i <= FINE; i++)
    for (int j = 0; j <= FINE; j++) {
      double d = xs_vec3_norm2(xs_vec3_sub(p[i], q[j]));
      if (d < best) best = d, at[0] = (double)i / FINE, at[1] = (double)j / FINE;
    }
  best = sqrt(best);
  for (double step = 0.5 / FINE; step > 1e-8;) {
    double from[2] = {at[0], at[1]}, before = best;
    for (int k = 0; k < 9; k++) {
      double x = fmin(fmax(from[0] + step * (k % 3 - 1), 0), 1);
      double y = fmin(fmax(from[1] + step * (k / 3 - 1), 0), 1);
      double d = pair_distance(a, b, x, y);
      if (d < best) best = d, at[0] = x, at[1] = y;
    }
    if (best == before) step *= 0.5;
  }
  return best;
}

/* Two random elements whose least distance is about `wanted`. */
static inline void near_elements(int n1, int n2, double bend, double wanted, xs_curve *a,
                                 xs_curve *b) {
  *a = random_element(n1, bend);
  *b = random_element(n2, bend);
  for (int k = 0; k < 4; k++) {
    double at[2], d = search_pair(a, b, at);
    xs_vec3 r = xs_vec3_sub(xs_curve_point(b, at[1]), xs_curve_point(a, at[0]));
    if (d > 0) *b = shifted(*b, xs_vec3_scale((wanted - d) / d, r));
  }
}

/* All minima from seeds, without cutting into parts. */
static inline tally tally_seeds(int n1, int n2, double bend, int n) {
  tally t = {0};
  double limit = 2 * tube_radius + tube_margin;
  while (t.pairs < n) {
    xs_curve a, b;
    double at[2];
    near_elements(n1, n2, bend, limit - tube_radius * fabs(uniform()), &a, &b);
    xs_curve_pair pair = {{&a, &b}, {0, 0}, {1, 1}};
    xs_curve_minimum minimum[XS_CURVE_PAIR_MAX];
    double found = INFINITY;
    int count = xs_curve_pair_minima(&pair, limit, minimum);
    for (int k = 0; k < count; k++) found = fmin(found, minimum[k].distance);
    tally_add(&t, found, search_pair(&a, &b, at), limit);
  }
  return t;
}

#endif
