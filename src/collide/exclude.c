/* Excluded pairs from the scene's list and from joints (exclude.h). */
#include "collide/exclude.h"

#include <math.h>
#include <stdlib.h>

#include "constraint/rod.h"

/* Groups first .. first + n - 1; n = 0: the ground. */
typedef struct groups {
  int first, n;
} groups;

static groups of_rod_node(const xs_rod *rod, int first_group, int node) {
  double s = rod->arc_length[node - rod->first_node] - rod->arc_length[0];
  double l = rod->element_length, reach = XS_EXCLUDE_ARC * 2 * rod->contact_radius;

  /* Elements [e l, (e + 1) l] with a point nearer than the reach. */
  int first = (int)fmax(0, floor((s - reach) / l)), last = rod->n_elements - 1;
  if (s + reach < last * l) last = (int)ceil((s + reach) / l) - 1;
  return (groups){first_group + first, last - first + 1};
}

static groups of_node(const xs_world *world, int node) {
  for (int b = 0; b < world->n_bodies; b++)
    if (world->bodies[b].node == node) return (groups){b, 1};
  int first = world->n_bodies;
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    if (rod->first_node <= node && node < rod->first_node + rod->n_nodes)
      return of_rod_node(rod, first, node);
    first += rod->n_elements;
  }
  return (groups){0, 0};
}

static xs_exclude_pair ordered(int a, int b) {
  return a <= b ? (xs_exclude_pair){a, b} : (xs_exclude_pair){b, a};
}

static int compare(const void *left, const void *right) {
  const xs_exclude_pair *l = left, *r = right;
  if (l->a != r->a) return l->a < r->a ? -1 : 1;
  return (l->b > r->b) - (l->b < r->b);
}

int xs_exclude_create(const xs_world *world, xs_arena *arena, xs_exclude *exclude) {
  const xs_contact_options *contact = &world->contact;
  *exclude = (xs_exclude){0};
  exclude->owners = XS_ARENA_NEW(arena, xs_exclude_pair, contact->n_exclude);
  if (!exclude->owners) return 0;
  for (int k = 0; k < contact->n_exclude; k++)
    exclude->owners[exclude->n_owners++] = ordered(contact->exclude[k][0], contact->exclude[k][1]);
  qsort(exclude->owners, (size_t)exclude->n_owners, sizeof(xs_exclude_pair), compare);

  /* Joints: count, then fill. */
  int n = 0;
  for (int j = 0; !contact->joined && j < world->n_joints; j++)
    n += of_node(world, world->joints[j].node1).n * of_node(world, world->joints[j].node2).n;
  exclude->groups = XS_ARENA_NEW(arena, xs_exclude_pair, n);
  if (!exclude->groups) return 0;
  for (int j = 0; n > 0 && j < world->n_joints; j++) {
    groups one = of_node(world, world->joints[j].node1);
    groups two = of_node(world, world->joints[j].node2);
    for (int i = 0; i < one.n; i++)
      for (int k = 0; k < two.n; k++)
        exclude->groups[exclude->n_groups++] = ordered(one.first + i, two.first + k);
  }
  qsort(exclude->groups, (size_t)exclude->n_groups, sizeof(xs_exclude_pair), compare);
  return 1;
}

static int contains(const xs_exclude_pair *list, int n, int a, int b) {
  xs_exclude_pair key = ordered(a, b);
  return n > 0 && bsearch(&key, list, (size_t)n, sizeof key, compare) != NULL;
}

int xs_exclude_owners(const xs_exclude *exclude, int owner1, int owner2) {
  return contains(exclude->owners, exclude->n_owners, owner1, owner2);
}

int xs_exclude_groups(const xs_exclude *exclude, int group1, int group2) {
  return contains(exclude->groups, exclude->n_groups, group1, group2);
}
