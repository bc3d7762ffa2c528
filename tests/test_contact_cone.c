/* The contact problem against answers known in closed form: friction opposite to the slip,
 * boxes that are pushed, piled up, and loaded with a thousand times their mass. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "joint_sample.h"
#include "solver/contact_cone.h"

enum { CONTACTS = 64 };
#define G_STEP2 9.81e-6 /* g h^2 with h = 1e-3 */

/* Contacts of boxes of half extents 0.5 m in a pile: corners of box k on box k - 1, or on the
 * ground (-1); t1 = x, t2 = y, n = z. */
typedef struct pile {
  int n, below[CONTACTS], above[CONTACTS], first[CONTACTS + 1], column[CONTACTS * CONTACTS];
  double arm[CONTACTS][2]; /* x, y of the corner */
  double A[9 * CONTACTS * CONTACTS], b[3 * CONTACTS], mu[CONTACTS], mu_s[CONTACTS];
} pile;

static pile p;
static double normal[sizeof p.A / sizeof *p.A / 9];
static xs_arena arena;
static xs_contact_cone_work work;
static void teardown(void) { xs_arena_free(&arena); }
TestSuite(contact_cone, .fini = teardown);

/* Row r of contact i, as a wrench (force, torque) on the box above (sign 1) or below (-1). */
static void wrench(const pile *q, int i, int r, double sign, double w[6]) {
  const double d[3] = {r == 1, r == 2, r == 0};
  const double a[3] = {q->arm[i][0], q->arm[i][1], -0.5 * sign};
  for (int k = 0; k < 3; k++) {
    w[k] = sign * d[k];
    w[3 + k] = sign * (a[(k + 1) % 3] * d[(k + 2) % 3] - a[(k + 2) % 3] * d[(k + 1) % 3]);
  }
}

static double product(const pile *q, int i, int r, int j, int s, const double *mass) {
  double sum = 0;
  const int body_i[2] = {q->above[i], q->below[i]}, body_j[2] = {q->above[j], q->below[j]};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) {
      if (body_i[a] < 0 || body_i[a] != body_j[b]) continue;
      double u[6], v[6];
      wrench(q, i, r, a ? -1 : 1, u);
      wrench(q, j, s, b ? -1 : 1, v);
      for (int k = 0; k < 6; k++)
        sum += u[k] * v[k] / (mass[body_i[a]] * (k < 3 ? 1 : 1.0 / 6)); /* I = m/6 */
    }
  return sum;
}

/* n boxes; skewed: the corners are not those of a square. */
static void make_pile(int n, const double *mass, double mu, double skew) {
  p.n = 4 * n;
  cr_assert(p.n <= CONTACTS);
  for (int i = 0; i < p.n; i++) {
    p.above[i] = i / 4;
    p.below[i] = i / 4 - 1;
    p.arm[i][0] = i & 1 ? 0.5 : -0.5 + skew;
    p.arm[i][1] = i & 2 ? 0.5 : -0.5 - skew;
    p.mu[i] = p.mu_s[i] = mu;
  }
  int at = 0;
  for (int i = 0; i < p.n; i++) {
    p.first[i] = at;
    for (int step = 0; step < p.n; step++) {
      const int j = (i + step) % p.n;
      if (abs(p.above[i] - p.above[j]) > 1) continue;
      p.column[at] = j;
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) p.A[9 * at + 3 * r + s] = product(&p, i, r, j, s, mass);
      at++;
    }
  }
  p.first[p.n] = at;
  memset(p.b, 0, sizeof p.b);
  for (int i = 0; i < 4; i++) p.b[3 * i] = G_STEP2; /* the lowest box has fallen into the ground */
}

static int solve(double *l) {
  cr_assert(xs_contact_cone_create(CONTACTS, &arena, &work));
  const xs_contact_cone cone = {p.n, p.first, p.column, p.A, normal, p.b, p.mu, p.mu_s};
  return xs_contact_cone_solve(&cone, l, &work);
}

/* A l - b of a row. */
static double left(const double *l, int row) {
  double sum = -p.b[row];
  for (int k = p.first[row / 3]; k < p.first[row / 3 + 1]; k++)
    for (int s = 0; s < 3; s++) sum += p.A[9 * k + 3 * (row % 3) + s] * l[3 * p.column[k] + s];
  return sum;
}

Test(contact_cone, friction_opposes_the_slip_that_is_left) {
  const double a[3] = {3, 0.8, 0.5};
  for (int k = 0; k < 24; k++) {
    const double s[2] = {cos(k * 0.3), sin(k * 0.3)}, slide = 0.1 + 0.01 * k;
    double x[2];
    xs_contact_cone_friction(a, s, slide, slide, x);
    const double slip[2] = {a[0] * x[0] + a[1] * x[1] + s[0], a[1] * x[0] + a[2] * x[1] + s[1]};
    cr_expect_float_eq(hypot(x[0], x[1]), slide, 1e-15);
    cr_expect_float_eq(slip[0] * x[1] - slip[1] * x[0], 0, 1e-13);
    cr_expect_lt(slip[0] * x[0] + slip[1] * x[1], 0);
  }
}

Test(contact_cone, friction_within_its_bound_sticks) {
  const double a[3] = {3, 0.8, 0.5}, s[2] = {0.3, -0.2};
  double x[2];
  xs_contact_cone_friction(a, s, 10, 1, x);
  cr_expect_float_eq(a[0] * x[0] + a[1] * x[1] + s[0], 0, 1e-15);
  cr_expect_float_eq(a[1] * x[0] + a[2] * x[1] + s[1], 0, 1e-15);
  /* Past the static bound it falls to the other one. */
  const double size = hypot(x[0], x[1]);
  xs_contact_cone_friction(a, s, 0.999 * size, 0.5 * size, x);
  cr_expect_float_eq(hypot(x[0], x[1]), 0.5 * size, 1e-15);
  xs_contact_cone_friction(a, s, 0, 0, x);
  cr_expect_eq(x[0], 0);
}

Test(contact_cone, ten_boxes_carry_what_lies_on_them) {
  double mass[10], l[3 * CONTACTS] = {0};
  for (int k = 0; k < 10; k++) mass[k] = 1;
  make_pile(10, mass, 0.5, 0);
  cr_expect(solve(l));
  for (int k = 0; k < 10; k++) {
    double sum = 0;
    for (int i = 4 * k; i < 4 * k + 4; i++) sum += l[3 * i];
    cr_expect_float_eq(sum / ((10 - k) * G_STEP2), 1, 1e-8, "level %d: %.3e", k,
                       sum / ((10 - k) * G_STEP2) - 1);
  }
}

Test(contact_cone, a_thousand_on_one) {
  const double mass[2] = {1, 1000};
  double l[3 * CONTACTS] = {0};
  make_pile(2, mass, 0.5, 0.1);
  cr_expect(solve(l));
  double sum[2] = {0, 0};
  for (int i = 0; i < 8; i++) sum[i / 4] += l[3 * i];
  cr_expect_float_eq(sum[0] / (1001 * G_STEP2), 1, 1e-9);
  cr_expect_float_eq(sum[1] / (1000 * G_STEP2), 1, 1e-9);
  for (int i = 0; i < 8; i++) cr_expect_lt(fabs(left(l, 3 * i)), 1e-14);
}

/* 1 kg with mu 0.5 pushed along a diagonal: holds up to 4.905 N, then (F - 4.905) m/s^2. */
Test(contact_cone, a_box_slides_just_above_the_limit) {
  const double mass[1] = {1}, force[] = {4.85, 4.90, 4.92, 6};
  for (int k = 0; k < 4; k++) {
    double l[3 * CONTACTS] = {0};
    make_pile(1, mass, 0.5, 0);
    for (int i = 0; i < 4; i++) {
      p.b[3 * i + 1] = -force[k] * 0.6e-6;
      p.b[3 * i + 2] = -force[k] * 0.8e-6;
    }
    cr_expect(solve(l), "%g N", force[k]);
    const double along = 0.6 * left(l, 1) + 0.8 * left(l, 2);
    const double across = -0.8 * left(l, 1) + 0.6 * left(l, 2);
    cr_expect_float_eq(along / 1e-6, fmax(0, force[k] - 4.905), 1e-6, "%g N: %.9g", force[k],
                       along / 1e-6);
    cr_expect_float_eq(across / 1e-6, 0, 1e-6, "%g N: %.3e", force[k], across / 1e-6);
  }
}

/* What is open stays without force, and is not pulled. */
Test(contact_cone, an_open_corner_does_nothing) {
  const double mass[1] = {1};
  double l[3 * CONTACTS] = {0};
  make_pile(1, mass, 0.5, 0);
  p.b[3 * 3] = -1e-3;
  cr_expect(solve(l));
  cr_expect_eq(l[9], 0);
  cr_expect_eq(l[10], 0);
  cr_expect_gt(left(l, 9), 0);
}

/* Past the envelope's room the Newton step goes by conjugate gradients. */
Test(contact_cone, a_small_envelope_gives_the_same) {
  double mass[10], l[3 * CONTACTS] = {0};
  for (int k = 0; k < 10; k++) mass[k] = 1;
  make_pile(10, mass, 0.5, 0);
  cr_assert(xs_contact_cone_create(CONTACTS, &arena, &work));
  work.envelope_capacity = 10;
  const xs_contact_cone cone = {p.n, p.first, p.column, p.A, normal, p.b, p.mu, p.mu_s};
  xs_contact_cone_solve(&cone, l, &work);
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += l[3 * i];
  cr_expect_float_eq(sum / (10 * G_STEP2), 1, 1e-6, "%.3e", sum / (10 * G_STEP2) - 1);
}

/* n contacts along two strands that lie along each other: what one of them does to another one
 * falls off with their distance, and rows of neighbours are nearly alike. */
static void make_strands(int n, double mu) {
  enum { FREEDOMS = 3 * CONTACTS };
  static double J[3 * CONTACTS][FREEDOMS];
  memset(J, 0, sizeof J);
  p.n = n;
  for (int i = 0; i < n; i++) {
    const double angle = 0.8 * i + 0.1 * uniform();
    for (int k = 0; k < n; k++) {
      const double reach = exp(-0.15 * (i - k) * (i - k));
      for (int r = 0; r < 3; r++) {
        J[3 * i + r][3 * k + r] = reach * cos(angle) + (i == k) * 0.05;
        J[3 * i + r][3 * k + (r + 1) % 3] = reach * sin(angle);
      }
    }
    p.mu[i] = p.mu_s[i] = mu;
    for (int r = 0; r < 3; r++) p.b[3 * i + r] = (r == 0 ? 0.3 : 0) + uniform();
  }
  int at = 0;
  for (int i = 0; i < n; i++) {
    p.first[i] = at;
    for (int step = 0; step < n; step++, at++) {
      const int j = (i + step) % n;
      p.column[at] = j;
      for (int r = 0; r < 9; r++) {
        double sum = 0;
        for (int k = 0; k < 3 * n; k++) sum += J[3 * i + r / 3][k] * J[3 * j + r % 3][k];
        p.A[9 * at + r] = sum;
      }
    }
  }
  p.first[n] = at;
}

/* Newton's steps alone went round in circles in three of these. */
Test(contact_cone, strands_that_lie_along_each_other) {
  int solved = 0;
  for (int trial = 0; trial < 200; trial++) {
    double l[3 * CONTACTS] = {0};
    const int n = 5 + trial % 40;
    make_strands(n, 0.2 + 0.1 * (trial % 4));
    if (!solve(l)) continue;
    solved++;
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, l[3 * i]);
    for (int i = 0; i < n; i++) {
      const double *li = l + 3 * i, size = hypot(li[1], li[2]), gap = left(l, 3 * i);
      const double slip[2] = {left(l, 3 * i + 1), left(l, 3 * i + 2)}, to = 1e-7 * largest;
      cr_assert_geq(gap, -to);
      cr_assert_leq(fabs(gap) * li[0], to * largest, "complementary");
      cr_assert_leq(size, p.mu[i] * li[0] * (1 + 1e-9));
      if (size < p.mu[i] * li[0] * (1 - 1e-6)) cr_assert_leq(hypot(slip[0], slip[1]), to, "sticks");
      if (size > 0) cr_assert_leq(slip[0] * li[1] + slip[1] * li[2], to * size, "opposes");
      if (size > 0) cr_assert_leq(fabs(slip[0] * li[2] - slip[1] * li[1]), to * size, "along");
    }
  }
  cr_assert_eq(solved, 200, "%d of 200", solved);
}
