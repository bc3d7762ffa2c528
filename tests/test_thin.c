/* Thinning of contacts between rods (collide/thin.h) against its rule, tried by brute force. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "collide/thin.h"
#include "joint_sample.h"

enum { MOST = 400 };

static xs_contact contact[MOST], thinned[MOST];
static xs_thin_rank rank[MOST];
static xs_thin_entry entry[MOST];
static unsigned char kept[MOST];

static double chance(void) { return 0.5 + 0.5 * uniform(); }

static double arc(const xs_contact_side *side) {
  return side->rod->element_length * (side->part + side->xi);
}

static int stand_near(const xs_contact *a, const xs_contact *b) {
  for (int s = 0; s < 2; s++) {
    const xs_rod *rod = a->side[s].rod;
    if (rod != b->side[s].rod) return 0;
    if (fabs(arc(&a->side[s]) - arc(&b->side[s])) >= XS_THIN_SPACING * 2 * rod->contact_radius)
      return 0;
  }
  return 1;
}

/* Which of n contacts stay, by the rule word for word: the next one is searched for anew each time.
 */
static int by_rule(int n, unsigned char *stays) {
  unsigned char done[MOST] = {0};
  int left = 0;
  for (int i = 0; i < n; i++) {
    stays[i] = done[i] = rank[i] == XS_THIN_MINIMUM;
    left += stays[i];
  }
  for (;;) {
    int next = -1;
    for (int i = 0; i < n; i++) {
      if (done[i]) continue;
      if (next < 0 || rank[i] < rank[next] ||
          (rank[i] == rank[next] && contact[i].gap < contact[next].gap))
        next = i;
    }
    if (next < 0) return left;
    done[next] = stays[next] = 1;
    for (int i = 0; i < n; i++)
      if (i != next && stays[i] && stand_near(&contact[i], &contact[next])) stays[next] = 0;
    left += stays[next];
  }
}

/* n contacts of two rods in the order of their parts. */
static void scatter(const xs_rod *rods, int n, int n_parts) {
  int part[MOST];
  for (int i = 0; i < n; i++) part[i] = (int)(chance() * 2 * n_parts);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (part[j] < part[i]) {
        int other = part[i];
        part[i] = part[j], part[j] = other;
      }
  for (int i = 0; i < n; i++) {
    const int owner = part[i] / n_parts;
    contact[i] = (xs_contact){.gap = 1e-3 * floor(8 * chance())};
    contact[i].side[0] = (xs_contact_side){
        .rod = &rods[owner], .owner = owner, .part = part[i] % n_parts, .xi = chance()};
    contact[i].side[1] = (xs_contact_side){
        .rod = &rods[1], .owner = 1, .part = (int)(chance() * n_parts), .xi = chance()};
    rank[i] = (xs_thin_rank)(3 * chance());
  }
}

Test(thin, random_lists_as_the_rule_says) {
  for (int trial = 0; trial < 200; trial++) {
    const double length = trial % 2 ? 0.02 : 0.3;
    const xs_rod rods[2] = {{.element_length = length, .contact_radius = 0.1},
                            {.element_length = 0.7 * length, .contact_radius = 0.15}};
    const int n = 1 + (int)(chance() * (MOST - 1));
    unsigned char stays[MOST];
    scatter(rods, n, 10);
    const int left = by_rule(n, stays);
    memcpy(thinned, contact, sizeof contact);
    cr_assert_eq(xs_thin(thinned, n, rank, entry, kept), left);
    for (int i = 0, at = 0; i < n; i++) {
      if (!stays[i]) continue;
      cr_assert_eq(memcmp(&thinned[at], &contact[i], sizeof contact[i]), 0, "%d", i);
      at++;
    }
  }
}

/* A stretch that slopes down evenly: what is left is not the lowest alone, but a row of contacts
 * that stand between one and two spacings apart. */
Test(thin, a_slope_keeps_contacts_along_it) {
  const xs_rod rod = {.element_length = 0.01, .contact_radius = 0.09};
  for (int i = 0; i < 100; i++) {
    contact[i] = (xs_contact){.gap = 1e-6 * i};
    for (int s = 0; s < 2; s++)
      contact[i].side[s] = (xs_contact_side){.rod = &rod, .owner = 0, .part = i + 200 * s};
    rank[i] = i == 0 ? XS_THIN_MINIMUM : XS_THIN_LOWER;
  }
  const int n = xs_thin(contact, 100, rank, entry, kept);
  cr_assert_eq(n, 20);
  for (int i = 1; i < n; i++)
    cr_assert_float_eq(arc(&contact[i].side[0]) - arc(&contact[i - 1].side[0]), 0.05, 1e-12);
}

Test(thin, minima_stay_however_close) {
  const xs_rod rod = {.element_length = 0.01, .contact_radius = 0.09};
  for (int i = 0; i < 10; i++) {
    contact[i] = (xs_contact){.gap = 0};
    for (int s = 0; s < 2; s++)
      contact[i].side[s] = (xs_contact_side){.rod = &rod, .part = 3 + 20 * s, .xi = 0.01 * i};
    rank[i] = XS_THIN_MINIMUM;
  }
  cr_assert_eq(xs_thin(contact, 10, rank, entry, kept), 10);
}
