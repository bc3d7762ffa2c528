/* Greedy thinning of contacts between rods (thin.h). */
#include "collide/thin.h"

#include <math.h>
#include <stdlib.h>

static int before(const xs_thin_entry *a, const xs_thin_entry *b) {
  if (a->rank != b->rank) return a->rank < b->rank;
  if (a->gap != b->gap) return a->gap < b->gap;
  return a->index < b->index;
}

/* Shell's sort: qsort may take memory, which a step does not. */
static void sort(xs_thin_entry *entry, int n) {
  static const int gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
    for (int i = gaps[g]; i < n; i++) {
      const xs_thin_entry moving = entry[i];
      int at = i;
      for (; at >= gaps[g] && before(&moving, &entry[at - gaps[g]]); at -= gaps[g])
        entry[at] = entry[at - gaps[g]];
      entry[at] = moving;
    }
}

static double arc(const xs_contact_side *side) {
  return side->rod->element_length * (side->part + side->xi);
}

/* Whether two sides are of one rod and near each other. */
static int near(const xs_contact_side *a, const xs_contact_side *b) {
  return a->rod == b->rod && fabs(arc(a) - arc(b)) < XS_THIN_SPACING * 2 * a->rod->contact_radius;
}

/* Whether an element may have places near one of another element, or none of the list beyond. */
static int may_be_near(const xs_contact_side *a, const xs_contact_side *b) {
  return a->rod == b->rod && (abs(a->part - b->part) - 1) * a->rod->element_length <
                                 XS_THIN_SPACING * 2 * a->rod->contact_radius;
}

static int stands_near(const xs_contact *contact, int i, int j, const unsigned char *kept) {
  return kept[j] && near(&contact[i].side[0], &contact[j].side[0]) &&
         near(&contact[i].side[1], &contact[j].side[1]);
}

/* Whether a kept contact stands near contact i. */
static int is_covered(const xs_contact *contact, int n, int i, const unsigned char *kept) {
  const xs_contact_side *side = contact[i].side;
  for (int j = i - 1; j >= 0 && may_be_near(&contact[j].side[0], side); j--)
    if (stands_near(contact, i, j, kept)) return 1;
  for (int j = i + 1; j < n && may_be_near(&contact[j].side[0], side); j++)
    if (stands_near(contact, i, j, kept)) return 1;
  return 0;
}

int xs_thin(xs_contact *contact, int n, const xs_thin_rank *rank, xs_thin_entry *entry,
            unsigned char *kept) {
  int n_entries = 0;
  for (int i = 0; i < n; i++) {
    kept[i] = rank[i] == XS_THIN_MINIMUM;
    if (!kept[i]) entry[n_entries++] = (xs_thin_entry){contact[i].gap, rank[i], i};
  }
  sort(entry, n_entries);
  for (int k = 0; k < n_entries; k++) {
    const int i = entry[k].index;
    kept[i] = !is_covered(contact, n, i, kept);
  }

  int left = 0;
  for (int i = 0; i < n; i++) {
    if (!kept[i]) continue;
    if (left != i) contact[left] = contact[i];
    left++;
  }
  return left;
}
