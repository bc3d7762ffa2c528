/* Small worlds for the tests of detection: bodies and rods without a scene, at given poses. */
#ifndef TESTS_COLLIDE_SAMPLE_H
#define TESTS_COLLIDE_SAMPLE_H

#include "collide/collide.h"
#include "narrow_sample.h"

enum { WORLD_BODIES_MAX = 12000, WORLD_RODS_MAX = 4, WORLD_NODES_MAX = 14000 };

typedef struct small_world {
  xs_world world;
  xs_arena arena;
  xs_report report;
  xs_body body[WORLD_BODIES_MAX];
  xs_shape shape[WORLD_BODIES_MAX];
  xs_inertia inertia[WORLD_NODES_MAX];
  xs_rod rod[WORLD_RODS_MAX];
  double arc_length[WORLD_NODES_MAX];
  xs_joint joint[4];
  xs_pose x[WORLD_NODES_MAX], x_n[WORLD_NODES_MAX];
  xs_collide *collide;
} small_world;

static inline void world_start(small_world *w) {
  xs_arena_free(&w->arena);
  memset(w, 0, sizeof *w);
  w->world = (xs_world){.n_nodes = 1,
                        .inertia = w->inertia,
                        .bodies = w->body,
                        .rods = w->rod,
                        .joints = w->joint,
                        .contact = {.enabled = 1, .friction = 0.5, .self_contact = 1}};
  w->x[0] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
}

/* A body of one shape in its node's frame; mass 0: it does not move. Returns its node. */
static inline int world_body(small_world *w, xs_shape shape, xs_vec3 p, xs_quat q, double mass) {
  int b = w->world.n_bodies++, node = w->world.n_nodes++;
  shape.orientation = xs_quat_identity();
  shape.material = -1;
  w->shape[b] = shape;
  w->body[b] = (xs_body){
      .node = node, .q_principal = xs_quat_identity(), .n_shapes = 1, .shapes = &w->shape[b]};
  w->inertia[node].inv_mass = mass > 0 ? 1 / mass : 0;
  w->x[node] = pose_of(p, q);
  return node;
}

/* A rod of n elements; poses are the caller's. After all bodies. Returns its first node. */
static inline int world_rod(small_world *w, xs_rod_discretization discretization, int n,
                            double length, double radius) {
  int first = w->world.n_nodes, per = xs_rod_element_nodes(discretization) - 1;
  xs_rod *rod = &w->rod[w->world.n_rods++];
  *rod = (xs_rod){.discretization = discretization,
                  .n_elements = n,
                  .first_node = first,
                  .n_nodes = n * per + 1,
                  .element_length = length / n,
                  .arc_length = &w->arc_length[first],
                  .contact_radius = radius,
                  .material = -1};
  for (int i = 0; i < rod->n_nodes; i++) {
    w->arc_length[first + i] = length * i / (n * per);
    w->inertia[first + i].inv_mass = 1;
    w->x[first + i] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  }
  w->world.n_nodes += rod->n_nodes;
  return first;
}

/* Detection at x, from x as well; grows as often as needed. Returns how often, -1: failed. */
static inline int world_detect_from(small_world *w, const xs_pose *x_n) {
  int grown = 0;
  if (!w->collide && xs_collide_create(&w->world, &w->arena, &w->collide, &w->report) != XS_OK)
    return -1;
  while (xs_collide_detect(w->collide, w->x, x_n) == XS_COLLIDE_FULL) {
    if (++grown > 20 || xs_collide_grow(w->collide, &w->report) != XS_OK) return -1;
  }
  return grown;
}
static inline int world_detect(small_world *w) { return world_detect_from(w, w->x); }

static inline double world_deepest(const small_world *w) {
  const xs_contact_list *list = xs_collide_contacts(w->collide);
  double deepest = INFINITY;
  for (int k = 0; k < list->n; k++) deepest = fmin(deepest, list->contact[k].gap);
  return deepest;
}

/* ---- Two elements, by all of detection ---- */

/* Nodes so that the curve is the given one. */
static inline void set_element(small_world *w, int first, int n, const xs_curve *curve) {
  for (int i = 0; i < n; i++)
    w->x[first + i] = pose_of(xs_curve_point(curve, (double)i / (n - 1)), xs_quat_identity());
}

static inline tally tally_elements(small_world *w, int n1, int n2, double bend, double radius,
                                   int n) {
  static const xs_rod_discretization of[5] = {[2] = XS_ROD_LINEAR, XS_ROD_QUADRATIC, XS_ROD_CUBIC};
  tally t = {0};
  world_start(w);
  int first1 = world_rod(w, of[n1], 1, 1, radius), first2 = world_rod(w, of[n2], 1, 1, radius);
  double limit = 2.4 * radius;
  while (t.pairs < n) {
    xs_curve a, b;
    double at[2];
    near_elements(n1, n2, bend, limit - radius * fabs(uniform()), &a, &b);
    set_element(w, first1, n1, &a);
    set_element(w, first2, n2, &b);
    if (world_detect(w) < 0) return (tally){.missed = n};
    tally_add(&t, world_deepest(w) + 2 * radius, search_pair(&a, &b, at), limit);
  }
  return t;
}

/* ---- Two bodies ---- */

/* Distance of two convex solids that do not overlap: by turns the nearest point of each, started
 * from several points; a little too large where it converges slowly. */
static inline xs_vec3 nearest_in(const xs_shape *s, const xs_pose *at, xs_vec3 p) {
  xs_vec3 local = xs_mat3_tmul_vec(&at->R, xs_vec3_sub(p, at->p)), n;
  double psi = xs_shape_distance_gradient(s, local, &n);
  if (psi > 0) local = xs_vec3_add_scaled(local, -psi, n);
  return xs_vec3_add(at->p, xs_mat3_mul_vec(&at->R, local));
}

static inline double convex_distance(const xs_shape *a, const xs_pose *x, const xs_shape *b,
                                     const xs_pose *y) {
  xs_vec3 p = x->p, q = y->p;
  for (int k = 0; k < 4000; k++) {
    xs_vec3 before = p;
    q = nearest_in(b, y, p);
    p = nearest_in(a, x, q);
    if (xs_vec3_norm2(xs_vec3_sub(p, before)) < 1e-24) break;
  }
  return xs_vec3_norm(xs_vec3_sub(p, q));
}

/* Pairs of the two convex shapes with a gap between 0 and the margin. */
static inline tally tally_bodies(small_world *w, xs_shape a, xs_shape b, int n) {
  tally t = {0};
  world_start(w);
  world_body(w, a, (xs_vec3){0, 0, 0}, xs_quat_identity(), 1);
  world_body(w, b, (xs_vec3){0, 0, 0}, xs_quat_identity(), 1);
  double margin = 0.02 * fmin(xs_shape_smallest_half_extent(&a), xs_shape_smallest_half_extent(&b));
  while (t.pairs < n) {
    for (int k = 1; k <= 2; k++)
      w->x[k] = pose_of(random_vec(), xs_so3_exp(xs_vec3_scale(3, random_vec())));
    /* Apart, then together by what is left over. */
    xs_vec3 out = random_unit();
    w->x[2].p = xs_vec3_add_scaled(w->x[1].p, 4, out);
    double wanted = margin * (0.05 + 0.9 * fabs(uniform())), d = 0;
    for (int k = 0; k < 60; k++) {
      d = convex_distance(&a, &w->x[1], &b, &w->x[2]);
      if (d < margin) break;
      w->x[2].p = xs_vec3_add_scaled(w->x[2].p, wanted - d, out);
    }
    if (!(d > 0.01 * margin && d < margin)) continue;
    if (world_detect(w) < 0) return (tally){.missed = n};
    tally_add(&t, world_deepest(w), d, margin);
  }
  return t;
}

#endif
