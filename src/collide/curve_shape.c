/* Minima of a shape's distance along a curve (what counts as one: curve_shape.h). */
#include "collide/curve_shape.h"

#include <assert.h>
#include <math.h>

enum { INTERVALS_MAX = 32 };

/* Interval to which golden section and bisection go down. */
#define XI_TOLERANCE 1e-7

/* An end within this is the end. */
#define XI_END 1e-6

/* A place has to be this much deeper than stations, of the radius. */
#define DEEPER 1e-6

typedef struct samples {
  int n;                         /* intervals */
  double psi[INTERVALS_MAX + 1]; /* at k / n */
  double reach;                  /* m: how much psi may change over an interval */
} samples;

typedef struct places {
  double *xi;
  xs_vec3 p[XS_CURVE_PLACES_MAX];
  int n;
} places;

static double psi_at(const xs_curve_ask *ask, double xi) {
  return xs_shape_distance(ask->shape, xs_curve_point(&ask->curve, xi));
}

static int closed(const xs_curve_ask *ask) { return ask->curve.degree == 0; }

static void sample(const xs_curve_ask *ask, samples *s) {
  int convex_line = ask->curve.degree == 1 && ask->shape->type != XS_SHAPE_TORUS;
  s->n = closed(ask) ? INTERVALS_MAX : convex_line ? 2 : 12;
  for (int k = 0; k <= s->n; k++) s->psi[k] = psi_at(ask, (double)k / s->n);
  s->reach = xs_curve_speed(&ask->curve) / s->n;
}

/* Adds a place unless psi is beyond the limit or another place is nearer than apart. */
static void add(const xs_curve_ask *ask, double xi, double psi, double apart, places *found) {
  if (!(psi < ask->limit)) return;
  xs_vec3 p = xs_curve_point(&ask->curve, xi);
  for (int k = 0; k < found->n; k++)
    if (xs_vec3_norm2(xs_vec3_sub(p, found->p[k])) < apart * apart) return;
  assert(found->n < XS_CURVE_PLACES_MAX);
  found->p[found->n] = p;
  found->xi[found->n++] = xi;
}

/* ---- Local minima ---- */

/* Golden section on [a, b]; a minimum at an end of it is found, too. */
static double refine(const xs_curve_ask *ask, double a, double b, double *psi) {
  const double golden = 0.6180339887498949;
  double x = b - golden * (b - a), y = a + golden * (b - a);
  double fx = psi_at(ask, x), fy = psi_at(ask, y);
  while (b - a > XI_TOLERANCE) {
    if (fx <= fy) {
      b = y, y = x, fy = fx;
      x = b - golden * (b - a), fx = psi_at(ask, x);
    } else {
      a = x, x = y, fx = fy;
      y = a + golden * (b - a), fy = psi_at(ask, y);
    }
  }
  *psi = fmin(fx, fy);
  return fx <= fy ? x : y;
}

/* Whether psi falls towards the end of the curve before. */
static int downhill_before(const xs_curve_ask *ask) {
  xs_vec3 n;
  xs_shape_distance_gradient(ask->shape, xs_curve_point(&ask->curve, 0), &n);
  return xs_vec3_dot(n, xs_curve_slope(ask->before, 1)) <= 0;
}

static int deeper_than_stations(const xs_curve_ask *ask, double xi, double psi) {
  double lower = 0, upper = 1, by = DEEPER * ask->radius;
  for (int k = 0; k < ask->n_stations; k++) {
    if (ask->station[k] <= xi) lower = ask->station[k];
    if (ask->station[k] > xi) upper = fmin(upper, ask->station[k]);
  }
  return psi < psi_at(ask, lower) - by && psi < psi_at(ask, upper) - by;
}

/* A minimum refined to xi: does it count? */
static int counts(const xs_curve_ask *ask, const samples *s, double *xi, double *psi) {
  if (xs_shape_ruled(ask->shape)) return deeper_than_stations(ask, *xi, *psi);
  if (closed(ask)) return 1;
  if (*xi < XI_END) {
    *xi = 0, *psi = s->psi[0];
    return ask->before == NULL || downhill_before(ask);
  }
  if (*xi > 1 - XI_END) {
    *xi = 1, *psi = s->psi[s->n];
    return !ask->goes_on;
  }
  return 1;
}

/* Neighbours of sample k on either side; without one, an end, the sample itself. */
static void around(const xs_curve_ask *ask, const samples *s, int k, int *left, int *right) {
  *left = k > 0 ? k - 1 : closed(ask) ? s->n - 1 : 0;
  *right = k < s->n ? k + 1 : s->n;
}

static void add_minima(const xs_curve_ask *ask, const samples *s, places *found) {
  int last = closed(ask) ? s->n - 1 : s->n;
  for (int k = 0; k <= last; k++) {
    int left, right;
    around(ask, s, k, &left, &right);
    double here = s->psi[k];
    if (left != k && !(here <= s->psi[left])) continue;
    if (right != k && !(here < s->psi[right])) continue;
    if (here - s->reach >= ask->limit) continue;

    double a = (double)(closed(ask) ? k - 1 : left) / s->n, b = (double)right / s->n, psi;
    double xi = refine(ask, a, b, &psi);
    if (xi < 0) xi += 1; /* a circle */
    if (counts(ask, s, &xi, &psi)) add(ask, xi, psi, 0, found);
  }
}

/* ---- Stations and edges ---- */

static void add_stations(const xs_curve_ask *ask, places *found) {
  for (int k = 0; k < ask->n_stations; k++) {
    if (ask->station[k] == 1 && ask->goes_on) continue;
    add(ask, ask->station[k], psi_at(ask, ask->station[k]), 0, found);
  }
}

/* Samples that no other place is near. */
static void add_between(const xs_curve_ask *ask, const samples *s, places *found) {
  for (int k = 0; k < s->n + !ask->goes_on; k++)
    add(ask, (double)k / s->n, s->psi[k], ask->between, found);
}

static double break_at(const xs_curve_ask *ask, int which, double xi) {
  double breaks[XS_SHAPE_BREAKS_MAX];
  xs_shape_breaks(ask->shape, xs_curve_point(&ask->curve, xi), breaks);
  return breaks[which];
}

/* Bisection between a and b, where the function has opposite signs. */
static double crossing(const xs_curve_ask *ask, int which, double a, double b, int rising) {
  while (b - a > XI_TOLERANCE) {
    double middle = 0.5 * (a + b);
    if ((break_at(ask, which, middle) >= 0) == rising)
      b = middle;
    else
      a = middle;
  }
  return 0.5 * (a + b);
}

static void add_crossings(const xs_curve_ask *ask, const samples *s, places *found) {
  double last[XS_SHAPE_BREAKS_MAX], next[XS_SHAPE_BREAKS_MAX];
  int n = xs_shape_breaks(ask->shape, xs_curve_point(&ask->curve, 0), last);
  for (int k = 1; n > 0 && k <= s->n; k++) {
    xs_shape_breaks(ask->shape, xs_curve_point(&ask->curve, (double)k / s->n), next);
    int near = fmin(s->psi[k - 1], s->psi[k]) - s->reach < ask->limit;
    for (int i = 0; i < n; i++) {
      int rising = next[i] >= 0;
      if (near && (last[i] >= 0) != rising) {
        double xi = crossing(ask, i, (double)(k - 1) / s->n, (double)k / s->n, rising);
        add(ask, xi, psi_at(ask, xi), ask->apart, found);
      }
      last[i] = next[i];
    }
  }
}

int xs_curve_shape_places(const xs_curve_ask *ask, double xi[XS_CURVE_PLACES_MAX]) {
  samples s;
  places found = {.xi = xi, .n = 0};
  sample(ask, &s);

  /* Nothing comes near: the usual case. */
  double nearest = s.psi[0];
  for (int k = 1; k <= s.n; k++) nearest = fmin(nearest, s.psi[k]);
  if (!(nearest - s.reach < ask->limit)) return 0;

  int ruled = xs_shape_ruled(ask->shape);
  if (ruled) add_stations(ask, &found);
  add_minima(ask, &s, &found);
  if (ruled) add_crossings(ask, &s, &found);
  if (!ruled && ask->between > 0) add_between(ask, &s, &found);
  return found.n;
}
