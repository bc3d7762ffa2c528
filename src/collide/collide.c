/* From poses to the sorted list of contacts (collide.h). */
#include "collide/collide.h"

#include <assert.h>

#include "collide/element_pair.h"
#include "collide/exclude.h"
#include "collide/match.h"
#include "collide/narrow.h"

enum { CONTACTS_START = 256, GROWTH = 4 };

struct xs_collide {
  const xs_world *world;
  xs_arena *arena;
  xs_exclude exclude;
  int n_objects;
  xs_object *object;
  xs_broad_box *box;
  xs_broad broad;

  /* Two lists by turns: the last one stays while the next is made. */
  int capacity, needed; /* contacts */
  xs_contact_list list[2];
  int current;
  /* capacity: scratch of matching, and of thinning */
  char *taken;
  xs_thin_rank *rank;
  xs_thin_entry *entry;
  unsigned char *kept;
};

/* ---- Memory ---- */

static int reserve_contacts(xs_collide *self, int capacity) {
  for (int k = 0; k < 2; k++) {
    xs_contact *contact = XS_ARENA_NEW(self->arena, xs_contact, capacity);
    if (!contact) return 0;
    for (int i = 0; i < self->list[k].n; i++) contact[i] = self->list[k].contact[i];
    self->list[k].contact = contact;
  }
  self->taken = XS_ARENA_NEW(self->arena, char, capacity);
  self->rank = XS_ARENA_NEW(self->arena, xs_thin_rank, capacity);
  self->entry = XS_ARENA_NEW(self->arena, xs_thin_entry, capacity);
  self->kept = XS_ARENA_NEW(self->arena, unsigned char, capacity);
  self->capacity = capacity;
  return self->taken && self->rank && self->entry && self->kept;
}

double xs_collide_contact_bytes(void) {
  return 2 * (double)sizeof(xs_contact) + (double)sizeof(char) + (double)sizeof(xs_thin_rank) +
         (double)sizeof(xs_thin_entry) + (double)sizeof(unsigned char);
}

/* Refuses rods whose elements are too long for how thin they are. */
static xs_status check_rods(const xs_world *world, xs_report *report) {
  xs_status status = XS_OK;
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    const double longest = XS_OBJECT_PARTS_MAX * XS_OBJECT_PART * 2 * rod->contact_radius;
    if (!(rod->contact_radius > 0) || rod->element_length <= longest) continue;
    status =
        xs_report_error(report, XS_SCENE, NULL,
                        "rod \"%s\": its elements are %.3g m long, the longest that contact takes "
                        "with contact_radius %.3g m are %.3g m; give it more elements or a larger "
                        "contact_radius",
                        rod->name, rod->element_length, rod->contact_radius, longest);
  }
  return status;
}

xs_status xs_collide_create(const xs_world *world, xs_arena *arena, xs_collide **collide,
                            xs_report *report) {
  xs_collide *self = XS_ARENA_NEW(arena, xs_collide, 1);
  int n = xs_object_count(world);
  xs_status status = check_rods(world, report);
  if (status) return status;
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  self->world = world;
  self->arena = arena;
  self->n_objects = n;
  self->object = XS_ARENA_NEW(arena, xs_object, n);
  self->box = XS_ARENA_NEW(arena, xs_broad_box, n);
  if (!self->object || !self->box || !xs_object_list(world, arena, self->object) ||
      !xs_exclude_create(world, arena, &self->exclude) ||
      !xs_broad_create(&self->broad, arena, n) || !reserve_contacts(self, CONTACTS_START))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  *collide = self;
  return XS_OK;
}

static int tight(int needed, int capacity) { return needed > capacity / 2; }

int xs_collide_tight(const xs_collide *self) {
  return tight(self->needed, self->capacity) ||
         tight(self->broad.entries_needed, self->broad.entries_max) ||
         tight(self->broad.pairs_needed, self->broad.pairs_max);
}

static int enlarged(int needed, int capacity) {
  return tight(needed, capacity) ? GROWTH * needed : capacity;
}

xs_status xs_collide_grow(xs_collide *self, xs_report *report) {
  xs_broad *broad = &self->broad;
  int contacts = enlarged(self->needed, self->capacity);
  int entries = enlarged(broad->entries_needed, broad->entries_max);
  int pairs = enlarged(broad->pairs_needed, broad->pairs_max);
  if (!xs_broad_reserve(broad, self->arena, entries, pairs) ||
      (contacts > self->capacity && !reserve_contacts(self, contacts)))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  return XS_OK;
}

int xs_collide_capacity(const xs_collide *self) { return self->capacity; }

const xs_contact_list *xs_collide_contacts(const xs_collide *self) {
  return &self->list[self->current];
}

/* ---- Pairs ---- */

/* Whether a box comes within its pair's reach of a plane: boxes are grown by margins. */
static int reaches_plane(const xs_object *plane, const xs_broad_box *box) {
  xs_vec3 n = xs_mat3_column(&plane->R, 2);
  xs_vec3 lowest = {n.x > 0 ? box->lo.x : box->hi.x, n.y > 0 ? box->lo.y : box->hi.y,
                    n.z > 0 ? box->lo.z : box->hi.z};
  double moved = xs_vec3_norm(plane->moved) + plane->spread;
  return xs_vec3_dot(n, xs_vec3_sub(lowest, plane->p)) < 2 * moved;
}

static int is_plane(const xs_object *object) {
  return object->shape && object->shape->type == XS_SHAPE_PLANE;
}

/* Of two objects whose boxes meet. */
static int wanted(const void *context, int i, int j) {
  const xs_collide *self = context;
  const xs_object *a = &self->object[i], *b = &self->object[j];
  if (!a->moves && !b->moves) return 0;
  if (a->shape && b->shape && a->owner == b->owner) return 0;
  if (is_plane(a) && !reaches_plane(a, &self->box[j])) return 0;
  if (is_plane(b) && !reaches_plane(b, &self->box[i])) return 0;
  if (a->rod && a->rod == b->rod)
    if (!self->world->contact.self_contact || !xs_element_pair_apart(a, b)) return 0;
  return !xs_exclude_owners(&self->exclude, a->exclude_owner, b->exclude_owner) &&
         !xs_exclude_groups(&self->exclude, a->exclude_group, b->exclude_group);
}

/* ---- Contacts ---- */

/* The list that is being made. */
typedef struct making {
  xs_collide *self;
  const xs_pose *x, *x_n;
  const xs_object *a, *b;
  double margin;
  xs_contact *contact;
  int n; /* goes on counting when there is no room */
} making;

static xs_contact_side side_of(const making *m, const xs_object *object, xs_vec3 c, double xi,
                               xs_vec3 outward) {
  if (object->rod)
    return xs_contact_rod_side(m->x, object->rod, object->owner, object->part, xi, object->radius,
                               outward);
  return xs_contact_body_side(m->x, object->node, object->owner, object->part, c, object->radius,
                              outward);
}

static void take(void *context, const xs_narrow_hit *hit) {
  making *m = context;
  double gap = xs_vec3_dot(hit->n, xs_vec3_sub(hit->c[0], hit->c[1])) - m->a->radius - m->b->radius;
  if (!(gap < m->margin)) return;
  if (m->n++ >= m->self->capacity) return;
  xs_contact *contact = &m->contact[m->n - 1];
  m->self->rank[m->n - 1] = hit->rank;
  *contact = (xs_contact){.n = hit->n,
                          .friction = sqrt(m->a->friction * m->b->friction),
                          .restitution = fmax(m->a->restitution, m->b->restitution)};
  contact->side[0] = side_of(m, m->a, hit->c[0], hit->xi[0], xs_vec3_neg(hit->n));
  contact->side[1] = side_of(m, m->b, hit->c[1], hit->xi[1], hit->n);
  xs_contact_complete(contact, m->x, m->x_n);
}

static void detect_pair(making *m, int i, int j) {
  m->a = &m->self->object[i];
  m->b = &m->self->object[j];
  m->margin = xs_object_pair_margin(m->a, m->b);
  xs_narrow pair = {{m->a, m->b}, m->margin, take, m};
  xs_narrow_pair(&pair);
}

/* An element with itself; broad pairs are of two objects. */
static void detect_self(making *m, int i) {
  const xs_object *object = &m->self->object[i];
  if (object->rod && wanted(m->self, i, i)) detect_pair(m, i, i);
}

/* ---- Matching ---- */

/* Order of pairs in a list: side 1, then side 2; bodies before rods. */
static int compare_sides(const xs_contact_side *a, const xs_contact_side *b) {
  int rod_a = a->rod != NULL, rod_b = b->rod != NULL;
  if (rod_a != rod_b) return rod_a < rod_b ? -1 : 1;
  if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
  return (a->part > b->part) - (a->part < b->part);
}

static int compare_pairs(const xs_contact *a, const xs_contact *b) {
  int order = compare_sides(&a->side[0], &b->side[0]);
  return order ? order : compare_sides(&a->side[1], &b->side[1]);
}

static int end_of_pair(const xs_contact_list *list, int first) {
  int end = first + 1;
  while (end < list->n && compare_pairs(&list->contact[first], &list->contact[end]) == 0) end++;
  return end;
}

static double side_size(const xs_world *world, const xs_contact_side *side) {
  if (side->rod) return 2 * XS_OBJECT_PART * side->rod->contact_radius;
  return 2 * xs_shape_smallest_half_extent(&world->bodies[side->owner].shapes[side->part]);
}

static void match(xs_collide *self, const xs_contact_list *old, xs_contact_list *now) {
  for (int i = 0, j = 0; i < now->n && j < old->n;) {
    int order = compare_pairs(&now->contact[i], &old->contact[j]);
    int end_now = order <= 0 ? end_of_pair(now, i) : i;
    int end_old = order >= 0 ? end_of_pair(old, j) : j;
    if (order == 0) {
      const xs_contact_side *side = now->contact[i].side;
      double size = fmin(side_size(self->world, &side[0]), side_size(self->world, &side[1]));
      xs_match_pair(now->contact + i, end_now - i, old->contact + j, end_old - j, j, size,
                    self->taken);
    }
    i = end_now;
    j = end_old;
  }
}

xs_collide_status xs_collide_detect(xs_collide *self, const xs_pose *x, const xs_pose *x_n) {
  for (int i = 0; i < self->n_objects; i++) xs_object_move(&self->object[i], x, x_n, &self->box[i]);
  if (!xs_broad_find(&self->broad, self->box, wanted, self)) return XS_COLLIDE_FULL;

  /* Pairs in order, elements with themselves before they meet others. */
  xs_contact_list *now = &self->list[1 - self->current], *old = &self->list[self->current];
  making m = {.self = self, .x = x, .x_n = x_n, .contact = now->contact};
  int self_done = 0;
  for (int k = 0; k < self->broad.n_pairs; k++) {
    xs_broad_pair pair = self->broad.pair[k];
    for (; self_done <= pair.a; self_done++) detect_self(&m, self_done);
    detect_pair(&m, pair.a, pair.b);
  }
  for (; self_done < self->n_objects; self_done++) detect_self(&m, self_done);
  self->needed = m.n;
  if (m.n > self->capacity) return XS_COLLIDE_FULL;

  now->n = xs_thin(now->contact, m.n, self->rank, self->entry, self->kept);
  match(self, old, now);
  self->current = 1 - self->current;
  return XS_COLLIDE_DONE;
}
