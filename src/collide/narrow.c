/* Which method finds the contacts of which pair (table: narrow.h). */
#include "collide/narrow.h"

#include <assert.h>
#include <math.h>

#include "collide/box_pair.h"
#include "collide/curve_pair.h"
#include "collide/curve_shape.h"
#include "collide/element_pair.h"

/* Places along a curve count as one within this part of the curve's own thickness. */
#define APART 0.1

/* ---- A point or a curve against a shape ---- */

/* A pair seen from one side: side `thin` has the core, the other one the shape's psi. */
typedef struct view {
  const xs_narrow *pair;
  int thin;
  const xs_object *object, *solid;
} view;

static view view_of(const xs_narrow *pair, int thin) {
  return (view){pair, thin, pair->object[thin], pair->object[1 - thin]};
}

/* The contact of a point x of the core, in the solid's frame. */
static void take_point(const view *v, xs_vec3 x, double xi) {
  const xs_object *solid = v->solid;
  xs_vec3 n;
  double psi = xs_shape_distance_gradient(solid->shape, x, &n);
  xs_vec3 nearest = xs_vec3_add_scaled(x, -(psi + solid->radius), n);
  xs_vec3 outward = xs_mat3_mul_vec(&solid->R, n);

  xs_narrow_hit hit = {.n = v->thin == 0 ? outward : xs_vec3_neg(outward)};
  hit.c[v->thin] = xs_vec3_add(solid->p, xs_mat3_mul_vec(&solid->R, x));
  hit.c[1 - v->thin] = xs_vec3_add(solid->p, xs_mat3_mul_vec(&solid->R, nearest));
  hit.xi[v->thin] = xi;
  v->pair->take(v->pair->context, &hit);
}

static void point_against_shape(const view *v, xs_vec3 p, double radius) {
  xs_vec3 x = xs_mat3_tmul_vec(&v->solid->R, xs_vec3_sub(p, v->solid->p));
  if (xs_shape_distance(v->solid->shape, x) < radius + v->pair->margin) take_point(v, x, 0);
}

/* Stations 0, 1/n .. 1 of a curve; a circle has the first n only. */
static void set_stations(xs_curve_ask *ask, int n) {
  ask->n_stations = ask->curve.degree == 0 ? n : n + 1;
  for (int k = 0; k < ask->n_stations; k++) ask->station[k] = (double)k / n;
}

static void take_places(const view *v, const xs_curve_ask *ask) {
  double xi[XS_CURVE_PLACES_MAX];
  int n = xs_curve_shape_places(ask, xi);
  for (int k = 0; k < n; k++) take_point(v, xs_curve_point(&ask->curve, xi[k]), xi[k]);
}

/* A curve of the world, with a tube of that radius, n station intervals (0: none). */
static void curve_against_shape(const view *v, const xs_curve *curve, double radius,
                                double thickness, int n_stations) {
  xs_curve_ask ask = {.shape = v->solid->shape,
                      .curve = xs_curve_into(curve, v->solid->p, &v->solid->R),
                      .limit = radius + v->pair->margin,
                      .radius = thickness,
                      .apart = APART * thickness};
  if (n_stations > 0) set_stations(&ask, n_stations);
  take_places(v, &ask);
}

/* ---- Curves of shapes ---- */

static xs_curve circle(const xs_object *object, double radius, double z) {
  xs_curve local = {.degree = 0, .c = {{0, 0, z}, {radius, 0, 0}, {0, radius, 0}}};
  return xs_curve_from(&local, object->p, &object->R);
}

static void capsule_against(const view *v) {
  double h = v->object->shape->half_length;
  xs_curve local = xs_curve_line((xs_vec3){0, 0, -h}, (xs_vec3){0, 0, h});
  xs_curve axis = xs_curve_from(&local, v->object->p, &v->object->R);
  curve_against_shape(v, &axis, v->object->radius, v->object->radius, 1);
}

static void torus_against(const view *v) {
  xs_curve ring = circle(v->object, v->object->shape->major_radius, 0);
  curve_against_shape(v, &ring, v->object->radius, v->object->radius, 4);
}

/* Rims, and nothing else, of a cylinder. */
static void rims_against(const view *v) {
  const xs_shape *shape = v->object->shape;
  for (int end = -1; end <= 1; end += 2) {
    xs_curve rim = circle(v->object, shape->radius, end * shape->half_length);
    curve_against_shape(v, &rim, 0, xs_shape_smallest_half_extent(shape), 4);
  }
}

static xs_vec3 corner(const xs_object *object, int k) {
  xs_vec3 e = object->shape->half_extents;
  xs_vec3 x = {k & 1 ? e.x : -e.x, k & 2 ? e.y : -e.y, k & 4 ? e.z : -e.z};
  return xs_vec3_add(object->p, xs_mat3_mul_vec(&object->R, x));
}

static void corners_against(const view *v) {
  for (int k = 0; k < 8; k++) point_against_shape(v, corner(v->object, k), 0);
}

/* Edges of a box; those along x bring the corners as stations. */
static void edges_against(const view *v) {
  double thickness = xs_shape_smallest_half_extent(v->object->shape);
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < 8; k++) {
      if (k & 1 << axis) continue;
      xs_curve edge = xs_curve_line(corner(v->object, k), corner(v->object, k | 1 << axis));
      curve_against_shape(v, &edge, 0, thickness, axis == 0 ? 1 : 0);
    }
}

/* Two cylinders that touch with their rounds: between the ends of both axes. */
static void axes(const xs_narrow *pair) {
  xs_curve line[2];
  for (int i = 0; i < 2; i++) {
    double h = pair->object[i]->shape->half_length;
    xs_curve local = xs_curve_line((xs_vec3){0, 0, -h}, (xs_vec3){0, 0, h});
    line[i] = xs_curve_from(&local, pair->object[i]->p, &pair->object[i]->R);
  }
  xs_curve_pair curves = {{&line[0], &line[1]}, {0, 0}, {1, 1}};
  xs_curve_minimum m = xs_curve_pair_from(&curves, (double[2]){0.5, 0.5});
  double r1 = pair->object[0]->shape->radius, r2 = pair->object[1]->shape->radius;
  if (!(m.distance > 0 && m.distance < r1 + r2 + pair->margin)) return;
  for (int i = 0; i < 2; i++)
    if (m.xi[i] <= 0 || m.xi[i] >= 1) return;

  xs_vec3 p = xs_curve_point(&line[0], m.xi[0]), q = xs_curve_point(&line[1], m.xi[1]);
  xs_narrow_hit hit = {.n = xs_vec3_scale(1 / m.distance, xs_vec3_sub(p, q))};
  hit.c[0] = xs_vec3_add_scaled(p, -r1, hit.n);
  hit.c[1] = xs_vec3_add_scaled(q, r2, hit.n);
  pair->take(pair->context, &hit);
}

/* ---- Elements of rods ---- */

static void element_against(const view *v) {
  const xs_object *element = v->object;
  xs_curve_ask ask = {.shape = v->solid->shape,
                      .curve = xs_curve_into(&element->curve, v->solid->p, &v->solid->R),
                      .goes_on = element->part + 1 < element->rod->n_elements,
                      .limit = element->radius + v->pair->margin,
                      .radius = element->radius,
                      .apart = APART * element->radius,
                      .between = 2 * XS_THIN_SPACING * element->radius};
  xs_curve before;
  if (element->part > 0) {
    /* Objects of a rod stand in the order of its elements. */
    before = xs_curve_into(&element[-1].curve, v->solid->p, &v->solid->R);
    ask.before = &before;
  }
  set_stations(&ask, element->n_nodes - 1);
  take_places(v, &ask);
}

/* ---- Pairs ---- */

/* The thinner core first: it is the one that is taken as a point or a curve. */
static int thickness(const xs_object *object) {
  if (object->rod) return 0;
  switch (object->shape->type) {
    case XS_SHAPE_SPHERE:
      return 1;
    case XS_SHAPE_CAPSULE:
      return 2;
    case XS_SHAPE_TORUS:
      return 3;
    case XS_SHAPE_CYLINDER:
      return 4;
    case XS_SHAPE_BOX:
      return 5;
    case XS_SHAPE_PLANE:
      break;
  }
  return 6;
}

/* What rims and edges of both solids find in one place counts once, unless it is deeper. */
enum { KEPT_MAX = 64 };
typedef struct once {
  const xs_narrow *pair;
  double apart; /* m */
  int n;
  xs_vec3 kept[KEPT_MAX];
  double gap[KEPT_MAX];
} once;

static void take_once(void *context, const xs_narrow_hit *hit) {
  once *o = context;
  double gap = xs_vec3_dot(hit->n, xs_vec3_sub(hit->c[0], hit->c[1]));
  for (int k = 0; k < o->n; k++) {
    int near = xs_vec3_norm(xs_vec3_sub(hit->c[0], o->kept[k])) < o->apart;
    if (near && gap >= o->gap[k] - 1e-6 * o->apart) return;
  }
  if (o->n < KEPT_MAX) {
    o->kept[o->n] = hit->c[0];
    o->gap[o->n++] = gap;
  }
  o->pair->take(o->pair->context, hit);
}

/* A cylinder against a solid without core. */
static void cylinder_against(const view *v) {
  once filter = {.pair = v->pair};
  double size = fmin(xs_shape_smallest_half_extent(v->object->shape),
                     xs_shape_smallest_half_extent(v->solid->shape));
  filter.apart = 0.1 * APART * size;
  xs_narrow pair = *v->pair;
  pair.take = take_once;
  pair.context = &filter;
  view rims = view_of(&pair, v->thin), back = view_of(&pair, 1 - v->thin);

  int both = v->solid->shape->type == XS_SHAPE_CYLINDER;
  if (both) axes(&pair);
  rims_against(&rims);
  if (both) rims_against(&back);
  if (v->solid->shape->type == XS_SHAPE_BOX) edges_against(&back);
}

void xs_narrow_pair(const xs_narrow *pair) {
  if (pair->object[0]->rod && pair->object[1]->rod) {
    xs_element_pair_contacts(pair);
    return;
  }
  int thin = thickness(pair->object[0]) <= thickness(pair->object[1]) ? 0 : 1;
  view v = view_of(pair, thin);
  if (v.object->rod) {
    element_against(&v);
    return;
  }
  switch (v.object->shape->type) {
    case XS_SHAPE_SPHERE:
      point_against_shape(&v, v.object->p, v.object->radius);
      break;
    case XS_SHAPE_CAPSULE:
      capsule_against(&v);
      break;
    case XS_SHAPE_TORUS:
      torus_against(&v);
      break;
    case XS_SHAPE_CYLINDER:
      cylinder_against(&v);
      break;
    case XS_SHAPE_BOX:
      if (v.solid->shape->type == XS_SHAPE_BOX)
        xs_box_pair_contacts(pair);
      else
        corners_against(&v);
      break;
    case XS_SHAPE_PLANE:
      assert(0 && "planes do not move, so two of them are no pair");
      break;
  }
}
