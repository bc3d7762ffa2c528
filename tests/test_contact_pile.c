/* Contact problems of piles (contact_pile.c): a block of spheres on a lattice, that stand on each
 * other and touch beside, at rest and pushed at random. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "solver/contact_cone.h"
#include "solver/contact_cone_private.h"

enum {
  SIDE = 6,
  SPHERES = SIDE * SIDE * SIDE,
  CONTACTS = 3 * SPHERES,
  BLOCKS = 16 * CONTACTS,
};
#define G_STEP2 9.81e-6 /* g h^2 with h = 1e-3 */
#define INERTIA 0.4     /* of a sphere of unit mass and radius */

/* Unit spheres at the points of a lattice; contact i lies between spheres of[i], direction axis[i]
 * from the first, -1 being the ground, to the second. The direction is the normal; t1, t2: the next
 * axes. */
typedef struct lattice {
  int n, of[CONTACTS][2], axis[CONTACTS];
  int first[CONTACTS + 1], column[BLOCKS];
  double A[9 * BLOCKS], b[3 * CONTACTS], mu[CONTACTS], mu_s[CONTACTS];
} lattice;

static lattice q;
static xs_arena arena;
static xs_contact_cone_work work;
static void teardown(void) { xs_arena_free(&arena); }
TestSuite(contact_pile, .fini = teardown);

static int sphere(int x, int y, int z) { return x + SIDE * (y + SIDE * z); }

static void add_contact(int below, int above, int axis) {
  q.of[q.n][0] = below;
  q.of[q.n][1] = above;
  q.axis[q.n++] = axis;
}

/* Row r of contact i on its sphere of this side: force and torque, 1 m from the centre. */
static void wrench(int i, int r, int side, double w[6]) {
  const int along = (q.axis[i] + r) % 3, normal = q.axis[i];
  const double sign = side ? 1 : -1;
  double d[3] = {0}, arm[3] = {0};
  d[along] = sign;
  arm[normal] = -sign;
  for (int k = 0; k < 3; k++) {
    w[k] = d[k];
    w[3 + k] = arm[(k + 1) % 3] * d[(k + 2) % 3] - arm[(k + 2) % 3] * d[(k + 1) % 3];
  }
}

/* A block of the matrix; 0 if the two contacts share no sphere. */
static int add_block(int i, int j, int at) {
  double *A = q.A + 9 * at;
  int any = 0;
  memset(A, 0, 9 * sizeof *A);
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      if (q.of[i][a] < 0 || q.of[i][a] != q.of[j][b]) continue;
      any = 1;
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          double u[6], v[6];
          wrench(i, r, a, u);
          wrench(j, s, b, v);
          for (int k = 0; k < 6; k++) A[3 * r + s] += u[k] * v[k] / (k < 3 ? 1 : INERTIA);
        }
    }
  if (any) q.column[at] = j;
  return any;
}

static void make_lattice(double mu) {
  q.n = 0;
  for (int z = 0; z < SIDE; z++)
    for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++) {
        add_contact(z > 0 ? sphere(x, y, z - 1) : -1, sphere(x, y, z), 2);
        if (x > 0) add_contact(sphere(x - 1, y, z), sphere(x, y, z), 0);
        if (y > 0) add_contact(sphere(x, y - 1, z), sphere(x, y, z), 1);
      }
  int at = 0;
  for (int i = 0; i < q.n; i++) {
    q.first[i] = at;
    q.mu[i] = q.mu_s[i] = mu;
    for (int step = 0; step < q.n; step++) {
      const int j = (i + step) % q.n;
      cr_assert(at < BLOCKS);
      at += add_block(i, j, at);
    }
  }
  q.first[q.n] = at;
  memset(q.b, 0, sizeof q.b);
  cr_assert(xs_contact_cone_create(q.n, &arena, &work));
}

static xs_contact_cone cone(void) {
  return (xs_contact_cone){q.n, q.first, q.column, q.A, q.b, q.mu, q.mu_s};
}

/* 1/2 l^T A l - b^T l */
static double energy(const double *l) {
  const xs_contact_cone c = cone();
  double sum = 0;
  for (int i = 0; i < q.n; i++) {
    double r[3];
    xs_contact_cone_residual(&c, l, i, r);
    for (int k = 0; k < 3; k++) sum += 0.5 * l[3 * i + k] * (r[k] - q.b[3 * i + k]);
  }
  return sum;
}

static void expect_in_cones(const double *l) {
  for (int i = 0; i < q.n; i++) {
    cr_expect_geq(l[3 * i], 0);
    cr_expect_leq(hypot(l[3 * i + 1], l[3 * i + 2]), q.mu[i] * l[3 * i] * (1 + 1e-12));
  }
}

/* All fall as one into the ground: each column carries itself, and nothing presses beside. */
Test(contact_pile, columns_carry_what_lies_on_them) {
  static double l[3 * CONTACTS];
  make_lattice(0.3);
  const xs_contact_cone c = cone();
  cr_assert(xs_contact_pile_is(&c));
  for (int i = 0; i < q.n; i++)
    if (q.of[i][0] < 0) q.b[3 * i] = G_STEP2;
  int solved = 0, calls = 0;
  for (; !solved && calls < 20; calls++) solved = xs_contact_cone_solve(&c, l, &work);
  cr_expect(solved, "%d calls", calls);
  for (int i = 0; i < q.n; i++) {
    const int level = q.of[i][1] / (SIDE * SIDE);
    const double load = q.axis[i] == 2 ? (SIDE - level) * G_STEP2 : 0;
    cr_expect_float_eq(l[3 * i], load, 1e-8 * SIDE * G_STEP2);
  }
}

/* A search that ends early takes nearly all the energy that one to the end takes, and l is in the
 * cones. (Where a normal force falls, so does the friction that it bounds: it is no descent.) */
Test(contact_pile, ended_early_it_takes_energy_too) {
  static double l[3 * CONTACTS];
  make_lattice(0.3);
  for (int i = 0; i < 3 * q.n; i++) q.b[i] = G_STEP2 * sin(1.7 * i + 0.3 * i * i);
  const xs_contact_cone c = cone();
  cr_expect_not(xs_contact_cone_solve(&c, l, &work));
  const double early = energy(l);
  expect_in_cones(l);
  for (int call = 0; call < 10; call++) (void)xs_contact_cone_solve(&c, l, &work);
  const double late = energy(l);
  expect_in_cones(l);
  cr_expect_lt(late, 0);
  cr_expect_float_eq(early / late, 1, 5e-3, "%.9e early, %.9e late", early, late);
}

/* The same on frictionless spheres, where the solution is one. */
Test(contact_pile, frictionless_spheres_leave_no_overlap) {
  static double l[3 * CONTACTS];
  make_lattice(0);
  for (int i = 0; i < q.n; i++) q.b[3 * i] = G_STEP2 * sin(1.7 * i + 0.3 * i * i);
  const xs_contact_cone c = cone();
  int solved = 0;
  for (int call = 0; !solved && call < 20; call++) solved = xs_contact_cone_solve(&c, l, &work);
  cr_expect(solved);
  for (int i = 0; i < q.n; i++) {
    double r[3];
    xs_contact_cone_residual(&c, l, i, r);
    cr_expect_geq(r[0], -1e-8 * G_STEP2);
    cr_expect_lt(fabs(l[3 * i] * r[0]), 1e-8 * G_STEP2 * G_STEP2);
  }
}
