/* Objects from a world, and from substep to substep (object.h). */
#include "collide/object.h"

#include <math.h>

#include "constraint/rod.h"
#include "math/so3.h"

/* ---- Once ---- */

int xs_object_count(const xs_world *world) {
  int n = 0;
  for (int b = 0; b < world->n_bodies; b++) n += world->bodies[b].n_shapes;
  for (int r = 0; r < world->n_rods; r++) n += world->rods[r].n_elements;
  return n;
}

static double given_or(double value, double otherwise) { return isnan(value) ? otherwise : value; }

static void set_surface(const xs_world *world, int material, xs_object *object) {
  object->friction = world->contact.friction;
  object->restitution = world->contact.restitution;
  if (material < 0) return;
  const xs_material *m = &world->materials[material];
  object->friction = given_or(m->friction, object->friction);
  object->restitution = given_or(m->restitution, object->restitution);
}

/* From the scene's body frame to the node's: x -> Q^T (x - center of mass). */
static void set_shape(const xs_world *world, int b, int s, xs_object *object) {
  const xs_body *body = &world->bodies[b];
  const xs_shape *shape = &body->shapes[s];
  *object = (xs_object){.shape = shape,
                        .owner = b,
                        .part = s,
                        .exclude_owner = b,
                        .exclude_group = b,
                        .node = body->node,
                        .n_nodes = 1,
                        .moves = world->inertia[body->node].inv_mass > 0,
                        .radius = xs_shape_core_radius(shape),
                        .margin = 0.02 * xs_shape_smallest_half_extent(shape)};
  set_surface(world, shape->material, object);
  xs_mat3 Q = xs_so3_matrix(body->q_principal);
  object->r_local = xs_mat3_tmul_vec(&Q, xs_vec3_sub(shape->position, body->center_of_mass));
  object->R_local = xs_mat3_tmul(Q, xs_so3_matrix(shape->orientation));
}

static int parts_of(const xs_rod *rod) {
  double part = XS_OBJECT_PART * 2 * rod->contact_radius;
  return part > 0 ? (int)fmax(1, ceil(rod->element_length / part - 1e-9)) : 1;
}

static void set_element(const xs_world *world, int r, int e, int group, xs_object *object) {
  const xs_rod *rod = &world->rods[r];
  int n = xs_rod_element_nodes(rod->discretization);
  *object = (xs_object){.rod = rod,
                        .owner = r,
                        .part = e,
                        .exclude_owner = world->n_bodies + r,
                        .exclude_group = group,
                        .node = rod->first_node + e * (n - 1),
                        .n_nodes = n,
                        .moves = 1,
                        .radius = rod->contact_radius,
                        .margin = 0.4 * rod->contact_radius,
                        .n_parts = parts_of(rod)};
  set_surface(world, rod->material, object);
}

int xs_object_list(const xs_world *world, xs_arena *arena, xs_object *object) {
  for (int b = 0; b < world->n_bodies; b++)
    for (int s = 0; s < world->bodies[b].n_shapes; s++) set_shape(world, b, s, object++);
  int group = world->n_bodies;
  for (int r = 0; r < world->n_rods; r++) {
    int n_parts = parts_of(&world->rods[r]);
    xs_object_part *part = XS_ARENA_NEW(arena, xs_object_part, n_parts * world->rods[r].n_elements);
    if (!part) return 0;
    for (int e = 0; e < world->rods[r].n_elements; e++, part += n_parts) {
      set_element(world, r, e, group++, object);
      object++->parts = part;
    }
  }
  return 1;
}

/* ---- Each substep ---- */

static xs_broad_box united(xs_broad_box a, xs_broad_box b) {
  return (xs_broad_box){{fmin(a.lo.x, b.lo.x), fmin(a.lo.y, b.lo.y), fmin(a.lo.z, b.lo.z)},
                        {fmax(a.hi.x, b.hi.x), fmax(a.hi.y, b.hi.y), fmax(a.hi.z, b.hi.z)}};
}

static void grow(xs_broad_box *box, double by) {
  xs_vec3 d = {by, by, by};
  box->lo = xs_vec3_sub(box->lo, d);
  box->hi = xs_vec3_add(box->hi, d);
}

static xs_broad_box shape_box(const xs_object *object, const xs_pose *x) {
  xs_mat3 R = xs_mat3_mul(x->R, object->R_local);
  xs_vec3 p = xs_vec3_add(x->p, xs_mat3_mul_vec(&x->R, object->r_local));
  xs_vec3 e = xs_shape_half_extents(object->shape, &R);
  return (xs_broad_box){xs_vec3_sub(p, e), xs_vec3_add(p, e)};
}

static void move_shape(xs_object *object, const xs_pose *x, const xs_pose *x_n, xs_broad_box *box) {
  object->p = xs_vec3_add(x->p, xs_mat3_mul_vec(&x->R, object->r_local));
  object->R = xs_mat3_mul(x->R, object->R_local);

  /* Displacement of the shape's centre, and by rotation about it: a chord of twice the sine of
   * half the angle, |(R - R_n) a| <= 2 |q_vec| |a| for the relative quaternion. */
  xs_vec3 p_n = xs_vec3_add(x_n->p, xs_mat3_mul_vec(&x_n->R, object->r_local));
  xs_quat turned = xs_quat_mul(xs_quat_conj(x_n->q), x->q);
  object->moved = xs_vec3_sub(object->p, p_n);
  object->spread = 2 * xs_vec3_norm(xs_quat_vec(turned)) * xs_shape_bounding_radius(object->shape);

  if (object->shape->type == XS_SHAPE_PLANE) {
    *box = (xs_broad_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return;
  }
  *box = united(shape_box(object, x), shape_box(object, x_n));
}

/* Spheres round the parts: the chord's half, and the sagitta of half a part, at most
 * |p''| (dxi)^2 / 8. */
static void place_parts(xs_object *object) {
  const xs_curve *curve = &object->curve;
  double step = 1.0 / object->n_parts;
  xs_vec3 start = curve->c[0];
  for (int k = 0; k < object->n_parts; k++) {
    double lo = k * step, hi = (k + 1) * step;
    xs_vec3 middle = xs_curve_point(curve, 0.5 * (lo + hi)), end = xs_curve_point(curve, hi);
    double half =
        fmax(xs_vec3_norm(xs_vec3_sub(start, middle)), xs_vec3_norm(xs_vec3_sub(end, middle)));
    double bend =
        fmax(xs_vec3_norm(xs_curve_bend(curve, lo)), xs_vec3_norm(xs_curve_bend(curve, hi)));
    object->parts[k] = (xs_object_part){middle, half + bend * step * step / 32};
    start = end;
  }
}

static void move_element(xs_object *object, const xs_pose *x, const xs_pose *x_n,
                         xs_broad_box *box) {
  int n = object->n_nodes;
  xs_curve curve_n = xs_curve_element(x_n, n);
  xs_broad_box box_n;
  object->curve = xs_curve_element(x, n);
  place_parts(object);
  xs_curve_box(&object->curve, &box->lo, &box->hi);
  xs_curve_box(&curve_n, &box_n.lo, &box_n.hi);
  *box = united(*box, box_n);

  xs_vec3 sum = {0, 0, 0};
  for (int j = 0; j < n; j++) sum = xs_vec3_add(sum, xs_vec3_sub(x[j].p, x_n[j].p));
  object->moved = xs_vec3_scale(1.0 / n, sum);
  object->spread = 0;
  for (int j = 0; j < n; j++) {
    xs_vec3 d = xs_vec3_sub(xs_vec3_sub(x[j].p, x_n[j].p), object->moved);
    object->spread = fmax(object->spread, xs_vec3_norm(d));
  }
  grow(box, object->radius);
}

void xs_object_move(xs_object *object, const xs_pose *x, const xs_pose *x_n, xs_broad_box *box) {
  if (object->shape)
    move_shape(object, x + object->node, x_n + object->node, box);
  else
    move_element(object, x + object->node, x_n + object->node, box);
  /* margin of a pair <= sum of both sides' (a plane's box has no end). */
  double moved = xs_vec3_norm(object->moved) + object->spread;
  if (isfinite(object->margin)) grow(box, fmax(object->margin, 2 * moved));
}

double xs_object_pair_margin(const xs_object *a, const xs_object *b) {
  double margin = fmin(a->margin, b->margin);
  if (a->rod && !b->rod) margin = a->margin;
  if (b->rod && !a->rod) margin = b->margin;
  double moved = xs_vec3_norm(xs_vec3_sub(a->moved, b->moved)) + a->spread + b->spread;
  return fmax(margin, 2 * moved);
}
