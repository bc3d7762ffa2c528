/* Parts of elements against each other (method: element_pair.h). */
#include "collide/element_pair.h"

#include <math.h>

#include "collide/curve_pair.h"
#include "collide/exclude.h"

/* What all pairs of parts of two elements share. */
typedef struct search {
  const xs_narrow *pair;
  const xs_object *a, *b;
  double limit; /* m: centre lines nearer than this touch */
  int same_rod;
  double arc; /* m: least arc between points of one rod */
} search;

/* Arc from the rod's start, at rest. */
static double arc_at(const xs_object *object, double xi) {
  return object->rod->element_length * (object->part + xi);
}

int xs_element_pair_apart(const xs_object *a, const xs_object *b) {
  double longest = fmax(arc_at(b, 1) - arc_at(a, 0), arc_at(a, 1) - arc_at(b, 0));
  return longest > XS_EXCLUDE_ARC * 2 * a->radius;
}

/* Direction from the second centre line to the first; where they meet, across both. */
static xs_vec3 normal(const search *s, const double xi[2], xs_vec3 r, double distance) {
  if (distance > 1e-12 * s->limit) return xs_vec3_scale(1 / distance, r);
  xs_vec3 u = xs_curve_slope(&s->a->curve, xi[0]), v = xs_curve_slope(&s->b->curve, xi[1]);
  xs_vec3 cross = xs_vec3_cross(u, v);
  if (!(xs_vec3_norm2(cross) > 1e-12 * xs_vec3_norm2(u) * xs_vec3_norm2(v)))
    cross = fabs(u.x) < fabs(u.y) ? xs_vec3_make(0, -u.z, u.y) : xs_vec3_make(u.z, 0, -u.x);
  return xs_vec3_scale(1 / xs_vec3_norm(cross), cross);
}

/* Whether the rod goes on beyond the end of a part at which the distance falls outward. */
static int goes_on(const xs_object *object, double xi, int outward) {
  if (outward > 0) return xi < 1 || object->part + 1 < object->rod->n_elements;
  return outward < 0 && (xi > 0 || object->part > 0);
}

static void take(const search *s, const xs_curve_minimum *minimum) {
  const double *xi = minimum->xi;
  if (!(minimum->distance < s->limit)) return;
  if (s->same_rod && fabs(arc_at(s->b, xi[1]) - arc_at(s->a, xi[0])) < s->arc) return;

  xs_narrow_hit hit = {.xi = {xi[0], xi[1]}, .rank = XS_THIN_MINIMUM};
  for (int i = 0; i < 2; i++) {
    const int outward = minimum->outward[i];
    if (!goes_on(i ? s->b : s->a, xi[i], outward)) continue;
    if (outward > 0 || hit.rank == XS_THIN_MINIMUM)
      hit.rank = outward > 0 ? XS_THIN_UPPER : XS_THIN_LOWER;
  }
  hit.c[0] = xs_curve_point(&s->a->curve, xi[0]);
  hit.c[1] = xs_curve_point(&s->b->curve, xi[1]);
  hit.n = normal(s, xi, xs_vec3_sub(hit.c[0], hit.c[1]), minimum->distance);
  s->pair->take(s->pair->context, &hit);
}

/* Whether a piece lo <= xi <= hi of one element is too straight for two of its points to touch:
 * with the slope u at its middle, e = u/|u| and |p''| <= c, these are apart by at least e.(p(xi2) -
 * p(xi1)) >= (|u| - c (hi - lo)/2) (xi2 - xi1), and xi2 - xi1 at least the arc between points that
 * count, over the element's length. */
static int too_straight(const search *s, double lo, double hi) {
  const xs_curve *curve = &s->a->curve;
  const double bend =
      fmax(xs_vec3_norm(xs_curve_bend(curve, lo)), xs_vec3_norm(xs_curve_bend(curve, hi)));
  const double slope = xs_vec3_norm(xs_curve_slope(curve, 0.5 * (lo + hi)));
  return (slope - 0.5 * bend * (hi - lo)) * s->arc > s->limit * s->a->rod->element_length;
}

static void take_minima(const search *s, const xs_curve_pair *pair) {
  xs_curve_minimum minimum[XS_CURVE_PAIR_MAX];
  int n = xs_curve_pair_minima(pair, s->limit, minimum);
  for (int k = 0; k < n; k++) take(s, &minimum[k]);
}

/* Part i of element a against part j of element b. */
static void parts(const search *s, int i, int j) {
  const xs_object_part *p = &s->a->parts[i], *q = &s->b->parts[j];
  double reach = p->radius + q->radius + s->limit;
  if (!(xs_vec3_norm2(xs_vec3_sub(p->centre, q->centre)) < reach * reach)) return;

  double n1 = s->a->n_parts, n2 = s->b->n_parts;
  xs_curve_pair pair = {
      {&s->a->curve, &s->b->curve}, {i / n1, j / n2}, {(i + 1) / n1, (j + 1) / n2}};
  if (s->same_rod) {
    double shortest = arc_at(s->b, pair.lo[1]) - arc_at(s->a, pair.hi[0]);
    if (arc_at(s->b, pair.hi[1]) - arc_at(s->a, pair.lo[0]) < s->arc) return;
    if (s->a == s->b && too_straight(s, pair.lo[0], pair.hi[1])) return;
    if (shortest < s->arc) {
      /* Begin where the arc between the parts is longest: some of it does not count. */
      xs_curve_minimum minimum = xs_curve_pair_from(&pair, (double[2]){pair.lo[0], pair.hi[1]});
      take(s, &minimum);
      return;
    }
  }
  take_minima(s, &pair);
}

void xs_element_pair_contacts(const xs_narrow *pair) {
  search s = {.pair = pair, .a = pair->object[0], .b = pair->object[1]};
  s.limit = s.a->radius + s.b->radius + pair->margin;
  s.same_rod = s.a->rod == s.b->rod;
  s.arc = XS_EXCLUDE_ARC * 2 * s.a->radius;

  if (s.a->n_parts == 1 && s.b->n_parts == 1) {
    xs_curve_pair whole = {{&s.a->curve, &s.b->curve}, {0, 0}, {1, 1}};
    take_minima(&s, &whole);
    return;
  }
  for (int i = 0; i < s.a->n_parts; i++)
    for (int j = s.a == s.b ? i + 1 : 0; j < s.b->n_parts; j++) parts(&s, i, j);
}
