/* Contact problems of piles (contact_pile.c): a block of spheres on a lattice, that stand on each
 * other and touch beside, at rest and pushed at random. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "solver/contact_pile.h"

enum { SIDE = 6, SPHERES = SIDE * SIDE * SIDE, CONTACTS = 3 * SPHERES };
#define G_STEP2 9.81e-6 /* g h^2 with h = 1e-3 */
#define INERTIA 0.4     /* of a sphere of unit mass and radius */

/* Unit spheres at the points of a lattice. Contact i lies between spheres of[i], or the ground (the
 * last node); its normal is axis[i], from the first to the second, and t1, t2 are the next ones. */
static int n, of[CONTACTS][2], axis[CONTACTS];
static double G[CONTACTS][36], l[3 * CONTACTS], b[3 * CONTACTS];
static xs_inertia inertia[SPHERES + 1];
static xs_contact_pile pile;
static xs_arena arena;
static void teardown(void) { xs_arena_free(&arena); }
TestSuite(contact_pile, .fini = teardown);

static int sphere(int x, int y, int z) { return x + SIDE * (y + SIDE * z); }

/* Row r on the sphere of side s: force and torque, 1 m from the centre. */
static void add_row(int s, int r) {
  const double sign = s ? 1 : -1;
  double d[3] = {0}, arm[3] = {0};
  d[(axis[n] + r) % 3] = sign;
  arm[axis[n]] = -sign;
  for (int k = 0; k < 3; k++) {
    G[n][18 * s + 3 * k + r] = d[k];
    G[n][18 * s + 3 * (3 + k) + r] =
        arm[(k + 1) % 3] * d[(k + 2) % 3] - arm[(k + 2) % 3] * d[(k + 1) % 3];
  }
}

static void add_contact(int below, int above, int along) {
  of[n][0] = below;
  of[n][1] = above;
  axis[n] = along;
  for (int s = 0; s < 2; s++)
    for (int r = 0; r < 3; r++) add_row(s, r);
  n++;
}

static void make_lattice(void) {
  n = 0;
  memset(G, 0, sizeof G);
  memset(l, 0, sizeof l);
  memset(b, 0, sizeof b);
  for (int i = 0; i < SPHERES; i++)
    inertia[i] = (xs_inertia){.inv_mass = 1, .inv_moment = {1 / INERTIA, 1 / INERTIA, 1 / INERTIA}};
  for (int z = 0; z < SIDE; z++)
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        add_contact(z > 0 ? sphere(x, y, z - 1) : SPHERES, sphere(x, y, z), 2);
        if (x > 0) add_contact(sphere(x - 1, y, z), sphere(x, y, z), 0);
        if (y > 0) add_contact(sphere(x, y - 1, z), sphere(x, y, z), 1);
      }
  cr_assert(xs_contact_pile_create(&pile, SPHERES + 1, &arena));
  cr_assert(xs_contact_pile_fit(&pile, n, &arena));
}

/* A l - b of a contact's rows. */
static void left(int i, double r[3]) {
  double w[6 * (SPHERES + 1)] = {0};
  for (int j = 0; j < n; j++)
    for (int s = 0; s < 2; s++)
      for (int k = 0; k < 18; k++) w[6 * of[j][s] + k / 3] += G[j][18 * s + k] * l[3 * j + k % 3];
  for (int k = 0; k < 3; k++) r[k] = -b[3 * i + k];
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 18; k++) {
      const double inverse = of[i][s] == SPHERES ? 0 : k < 9 ? 1 : 1 / INERTIA;
      r[k % 3] += inverse * G[i][18 * s + k] * w[6 * of[i][s] + k / 3];
    }
}

/* One search on from l, with b as it is at l = 0. */
static int search(double mu) {
  static double r[CONTACTS][3];
  for (int i = 0; i < n; i++) left(i, r[i]);
  xs_contact_pile_begin(&pile, 0);
  for (int i = 0; i < n; i++)
    xs_contact_pile_add(&pile, 2, of[i], G[i], inertia, r[i], l[3 * i], mu, mu);
  cr_assert(xs_contact_pile_is_wide(&pile));
  return xs_contact_pile_solve(&pile, l);
}

/* 1/2 l^T A l - b^T l */
static double energy(void) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double r[3];
    left(i, r);
    for (int k = 0; k < 3; k++) sum += 0.5 * l[3 * i + k] * (r[k] - b[3 * i + k]);
  }
  return sum;
}

static void expect_in_cones(double mu) {
  for (int i = 0; i < n; i++) {
    cr_expect_geq(l[3 * i], 0);
    cr_expect_leq(hypot(l[3 * i + 1], l[3 * i + 2]), mu * l[3 * i] * (1 + 1e-12));
  }
}

/* All fall as one into the ground: each column carries itself, and nothing presses beside. */
Test(contact_pile, columns_carry_what_lies_on_them) {
  make_lattice();
  for (int i = 0; i < n; i++)
    if (of[i][0] == SPHERES) b[3 * i] = G_STEP2;
  int solved = 0, calls = 0;
  for (; !solved && calls < 20; calls++) solved = search(0.3);
  cr_expect(solved, "%d calls", calls);
  for (int i = 0; i < n; i++) {
    const int level = of[i][1] / (SIDE * SIDE);
    const double load = axis[i] == 2 ? (SIDE - level) * G_STEP2 : 0;
    cr_expect_float_eq(l[3 * i], load, 1e-8 * SIDE * G_STEP2);
  }
}

/* A search that ends early takes nearly all the energy that one to the end takes, and l is in the
 * cones. (Where a normal force falls, so does the friction that it bounds: it is no descent.) */
Test(contact_pile, ended_early_it_takes_energy_too) {
  make_lattice();
  for (int i = 0; i < 3 * n; i++) b[i] = G_STEP2 * sin(1.7 * i + 0.3 * i * i);
  cr_expect_not(search(0.3));
  const double early = energy();
  expect_in_cones(0.3);
  for (int call = 0; call < 10; call++) (void)search(0.3);
  const double late = energy();
  expect_in_cones(0.3);
  cr_expect_lt(late, 0);
  cr_expect_float_eq(early / late, 1, 5e-3, "%.9e early, %.9e late", early, late);
}

/* Without friction the solution is one: gaps or forces. */
Test(contact_pile, frictionless_spheres_leave_no_overlap) {
  make_lattice();
  for (int i = 0; i < n; i++) b[3 * i] = G_STEP2 * sin(1.7 * i + 0.3 * i * i);
  int solved = 0;
  for (int call = 0; !solved && call < 20; call++) solved = search(0);
  cr_expect(solved);
  for (int i = 0; i < n; i++) {
    double r[3];
    left(i, r);
    cr_expect_geq(r[0], -1e-8 * G_STEP2);
    cr_expect_lt(fabs(l[3 * i] * r[0]), 1e-8 * G_STEP2 * G_STEP2);
  }
}
