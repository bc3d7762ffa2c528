/* Contacts without friction (solver/contact_normal.h): what comes out meets the conditions, whoever
 * bears more than is needed. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "joint_sample.h"
#include "solver/contact_normal.h"

enum { MOST = 120 };

static int first[MOST + 1], column[MOST * MOST];
static double N[MOST * MOST], b[MOST], l[MOST];
static xs_arena arena;
static xs_contact_normal_work work;
static void setup(void) { cr_assert(xs_contact_normal_create(MOST, &arena, &work)); }
static void teardown(void) { xs_arena_free(&arena); }
TestSuite(contact_normal, .init = setup, .fini = teardown);

/* N = J J^T for n normal rows on a body of `freedoms`, rows as given. */
static xs_contact_normal problem_of(int n, int freedoms, double J[MOST][MOST]) {
  int at = 0;
  for (int i = 0; i < n; i++) {
    first[i] = at;
    for (int step = 0; step < n; step++) {
      const int j = (i + step) % n;
      double sum = 0;
      for (int k = 0; k < freedoms; k++) sum += J[i][k] * J[j][k];
      if (sum == 0 && step > 0) continue;
      N[at] = sum;
      column[at++] = j;
    }
  }
  first[n] = at;
  memset(l, 0, sizeof l);
  return (xs_contact_normal){n, first, column, N, b};
}

/* How far the conditions are from being met: the worst of a pull and an overlap, in units of the
 * largest l and the largest b, and of the work that is done over a gap. */
static double off(const xs_contact_normal *p) {
  double worst = 0, largest_l = 0, largest_b = 0;
  for (int i = 0; i < p->n; i++)
    largest_l = fmax(largest_l, l[i]), largest_b = fmax(largest_b, fabs(b[i]));
  for (int i = 0; i < p->n; i++) {
    double gap = -b[i];
    for (int k = first[i]; k < first[i + 1]; k++) gap += N[k] * l[column[k]];
    cr_assert(l[i] >= 0);
    worst = fmax(worst, -gap / largest_b);
    if (largest_l > 0) worst = fmax(worst, fabs(gap) * l[i] / largest_l / largest_b);
  }
  return worst;
}

static double J[MOST][MOST];

Test(contact_normal, random_problems_of_full_rank) {
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + trial % 60;
    for (int i = 0; i < n; i++) {
      b[i] = uniform();
      for (int k = 0; k < n; k++) J[i][k] = (k == i) + 0.7 * uniform();
    }
    const xs_contact_normal p = problem_of(n, n, J);
    cr_assert(xs_contact_normal_solve(&p, l, &work), "trial %d", trial);
    cr_assert_leq(off(&p), 1e-9, "trial %d: %g", trial, off(&p));
  }
}

/* Some start from what bore before: the same comes out. */
Test(contact_normal, the_start_does_not_matter) {
  double cold[MOST];
  for (int trial = 0; trial < 100; trial++) {
    const int n = 2 + trial % 40;
    for (int i = 0; i < n; i++) {
      b[i] = uniform();
      for (int k = 0; k < n; k++) J[i][k] = (k == i) + 0.5 * uniform();
    }
    const xs_contact_normal p = problem_of(n, n, J);
    cr_assert(xs_contact_normal_solve(&p, l, &work));
    memcpy(cold, l, sizeof cold);
    for (int i = 0; i < n; i++) l[i] = fmax(0, uniform());
    cr_assert(xs_contact_normal_solve(&p, l, &work));
    for (int i = 0; i < n; i++)
      cr_assert_float_eq(l[i], cold[i], 1e-7 * (1 + cold[i]), "trial %d", trial);
  }
}

/* Many contacts side by side on few freedoms, as of strands that lie along each other: who bears is
 * not unique, what moves is. */
Test(contact_normal, more_contacts_than_freedoms) {
  for (int trial = 0; trial < 100; trial++) {
    const int n = 20 + trial, freedoms = 6 + trial % 10;
    for (int i = 0; i < n; i++) {
      double at = (double)i / n;
      b[i] = 1e-3 * (0.3 + uniform());
      for (int k = 0; k < freedoms; k++) J[i][k] = cos(at * 3 * k + 0.1 * trial) + 1e-6 * uniform();
      J[i][0] = 1;
    }
    const xs_contact_normal p = problem_of(n, freedoms, J);
    xs_contact_normal_solve(&p, l, &work);
    cr_assert_leq(off(&p), 1e-6, "trial %d: %g", trial, off(&p));
  }
}

/* Without room for the envelope, as where all of thousands of contacts meet one body, steps are
 * those of conjugate gradients, to the same solution. */
Test(contact_normal, no_room_for_the_envelope) {
  double with[MOST];
  for (int trial = 0; trial < 50; trial++) {
    const int n = 20 + trial;
    for (int i = 0; i < n; i++) {
      b[i] = 0.3 + uniform();
      for (int k = 0; k < n; k++) J[i][k] = (k == i) + 0.1 * uniform();
    }
    const xs_contact_normal p = problem_of(n, n, J);
    const size_t room = work.envelope_capacity;
    cr_assert(xs_contact_normal_solve(&p, l, &work));
    memcpy(with, l, sizeof with);
    memset(l, 0, sizeof l);
    work.envelope_capacity = 1;
    cr_assert(xs_contact_normal_solve(&p, l, &work), "trial %d", trial);
    work.envelope_capacity = room;
    cr_assert_leq(off(&p), 1e-9, "trial %d: %g", trial, off(&p));
    for (int i = 0; i < n; i++)
      cr_assert_float_eq(l[i], with[i], 1e-9 * (1 + with[i]), "trial %d", trial);
  }
}

Test(contact_normal, nothing_overlaps) {
  for (int i = 0; i < 5; i++) {
    b[i] = -0.1 * i;
    for (int k = 0; k < 5; k++) J[i][k] = k == i;
  }
  const xs_contact_normal p = problem_of(5, 5, J);
  cr_assert(xs_contact_normal_solve(&p, l, &work));
  for (int i = 0; i < 5; i++) cr_assert_eq(l[i], 0);
}
