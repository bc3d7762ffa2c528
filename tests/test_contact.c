/* Rows of contacts: gradients, balance, parts of a block, nodes that both sides share. */
#include <criterion/criterion.h>

#include "constraint/contact.h"
#include "rod_sample.h"

/* Rotation between neighbouring nodes, rad. */
static const double angles[] = {1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9};
enum { N_ANGLES = sizeof angles / sizeof *angles, COLUMNS = 6 * XS_ROW_NODES_MAX };
enum { SIZE = XS_CONTACT_ROWS * COLUMNS };

/* ---- Random contacts ---- */

/* Two rods of several elements in one array of poses, bodies at nodes 1 and 2. */
typedef struct scene {
  sample rod[2];
  xs_pose x[64], x_n[64];
} scene;

static void set_poses(scene *s, const rod_case *c1, const rod_case *c2, double angle) {
  const rod_case *cases[2] = {c1, c2};
  for (int i = 0; i < 64; i++)
    s->x[i] = pose_of(random_vec(), xs_so3_exp(xs_vec3_scale(3, random_vec())));
  for (int r = 0; r < 2; r++) {
    sample_rod(&s->rod[r], cases[r], 2, 1.5, 3 + 30 * r);
    xs_vec3 p = random_vec(), axis = random_unit();
    xs_quat q = xs_so3_exp(xs_vec3_scale(3, random_vec()));
    for (int i = 0; i < s->rod[r].rod.n_nodes; i++) {
      s->x[3 + 30 * r + i] = pose_of(p, q);
      q = xs_so3_plus(q, xs_vec3_scale(angle, axis));
      p = xs_vec3_add_scaled(p, 0.3, random_vec());
    }
  }
  for (int i = 0; i < 64; i++)
    s->x_n[i] = pose_of(xs_vec3_add_scaled(s->x[i].p, 0.1, random_vec()),
                        xs_so3_plus(s->x[i].q, xs_vec3_scale(0.1, random_vec())));
}

typedef enum what { BODY, ROD_1, ROD_2, ROD_1_NEXT, N_WHAT } what;

static xs_contact_side side(const scene *s, what w, int node, xs_vec3 d) {
  double radius = 0.1 + 0.05 * uniform(), xi = 0.5 + 0.5 * uniform();
  switch (w) {
    case BODY:
      return xs_contact_body_side(s->x, node, node - 1, 0, random_vec(), radius, d);
    case ROD_1:
      return xs_contact_rod_side(s->x, &s->rod[0].rod, 0, 0, xi, radius, d);
    case ROD_1_NEXT:
      return xs_contact_rod_side(s->x, &s->rod[0].rod, 0, 1, xi, radius, d);
    default:
      return xs_contact_rod_side(s->x, &s->rod[1].rod, 1, 1, xi, radius, d);
  }
}

static xs_contact contact_of(const scene *s, what first, what second) {
  xs_contact contact = {.n = random_unit()};
  contact.side[0] = side(s, first, 1, xs_vec3_neg(contact.n));
  contact.side[1] = side(s, second, 2, contact.n);
  xs_contact_complete(&contact, s->x, s->x_n);
  return contact;
}

static const what pairs[][2] = {{BODY, BODY},        {BODY, ROD_1},  {ROD_1, ROD_2},
                                {ROD_1, ROD_1_NEXT}, {ROD_1, ROD_1}, {ROD_2, BODY}};
enum { N_PAIRS = sizeof pairs / sizeof *pairs };

/* The k-th case of all discretizations, angles and pairs of sides, each in turn; both rods of
 * other discretizations. 0 when there are no more. */
enum { N_CASES = 5 * N_ROD_CASES * N_ANGLES * N_PAIRS };
static int next_contact(int k, scene *s, xs_contact *contact) {
  if (k >= N_CASES) return 0;
  int i = k % N_ROD_CASES, a = k / N_ROD_CASES % N_ANGLES, p = k / (N_ROD_CASES * N_ANGLES);
  set_poses(s, &rod_cases[i], &rod_cases[(i + p) % N_ROD_CASES], angles[a]);
  *contact = contact_of(s, pairs[p % N_PAIRS][0], pairs[p % N_PAIRS][1]);
  return 1;
}

static void evaluate(const xs_contact *contact, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  xs_row_block block = xs_contact_block(contact, NULL, 0, 0);
  block.kind->evaluate(&block, x, first, count, C, G);
}

static xs_pose moved(xs_pose x, int column, double by) {
  double d[6] = {0};
  d[column] = by;
  return pose_of(xs_vec3_add(x.p, (xs_vec3){d[0], d[1], d[2]}),
                 xs_so3_plus(x.q, (xs_vec3){d[3], d[4], d[5]}));
}

static void difference(scene *s, const xs_contact *contact, int node, int column, double eps,
                       double d[XS_CONTACT_ROWS]) {
  double plus[XS_CONTACT_ROWS], minus[XS_CONTACT_ROWS], G[SIZE];
  xs_pose at = s->x[node];
  s->x[node] = moved(at, column, eps);
  evaluate(contact, s->x, 0, 3, plus, G);
  s->x[node] = moved(at, column, -eps);
  evaluate(contact, s->x, 0, 3, minus, G);
  s->x[node] = at;
  for (int r = 0; r < 3; r++) d[r] = plus[r] - minus[r];
}

/* The normal row of a core with radius leaves out what is zero to first order: with n fixed, it
 * is exact. */
Test(contact, gradients_are_those_of_the_rows) {
  static scene s;
  xs_contact contact;
  double worst = 0;
  for (int k = 0; next_contact(k, &s, &contact); k++) {
    double C[3], G[SIZE], near[3], far[3];
    evaluate(&contact, s.x, 0, 3, C, G);
    for (int n = 0; n < contact.n_nodes; n++)
      for (int c = 0; c < 6; c++) {
        difference(&s, &contact, contact.node[n], c, 1e-3, near);
        difference(&s, &contact, contact.node[n], c, 2e-3, far);
        for (int r = 0; r < 3; r++) {
          double error = fabs((8 * near[r] - far[r]) / (12 * 1e-3) - G[(n * 6 + c) * 3 + r]);
          if (!(error <= worst)) worst = error;
          cr_assert_leq(error, 1e-10, "case %d: row %d off by %g", k, r, error);
        }
      }
  }
  cr_log_info("gradients to %.1e\n", worst);
}

/* Poses differ from those of detection: nothing may rest on being at the contact. */
Test(contact, gradients_hold_away_from_detection) {
  static scene s;
  xs_contact contact;
  for (int k = 0; next_contact(k, &s, &contact); k++) {
    double C[3], G[SIZE], near[3], far[3];
    for (int n = 0; n < 64; n++) s.x[n] = s.x_n[n];
    evaluate(&contact, s.x, 0, 3, C, G);
    cr_assert_leq(fabs(C[1]) + fabs(C[2]), 1e-14, "slip at x^n: %g %g", C[1], C[2]);
    for (int n = 0; n < contact.n_nodes; n++)
      for (int c = 0; c < 6; c++) {
        difference(&s, &contact, contact.node[n], c, 1e-3, near);
        difference(&s, &contact, contact.node[n], c, 2e-3, far);
        for (int r = 0; r < 3; r++)
          cr_assert_float_eq((8 * near[r] - far[r]) / (12 * 1e-3), G[(n * 6 + c) * 3 + r], 1e-10);
      }
  }
}

/* Forces cancel. The moments, too, about any point, once both sides touch: here they are set
 * together by shifting the second side's force by the distance of the two surface points. */
Test(contact, forces_balance) {
  static scene s;
  xs_contact contact;
  for (int k = 0; next_contact(k, &s, &contact); k++) {
    double C[3], G[SIZE];
    evaluate(&contact, s.x, 0, 3, C, G);
    for (int r = 0; r < 3; r++) {
      xs_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
      for (int n = 0; n < contact.n_nodes; n++) {
        const xs_pose *x = &s.x[contact.node[n]];
        const double *g = G + n * 18 + r;
        xs_vec3 f = {g[0], g[3], g[6]}, m = {g[9], g[12], g[15]};
        force = xs_vec3_add(force, f);
        moment = xs_vec3_add(moment, xs_vec3_cross(x->p, f));
        moment = xs_vec3_add(moment, xs_mat3_mul_vec(&x->R, m));
      }
      xs_vec3 d = r == 0 ? contact.n : r == 1 ? contact.t1 : contact.t2;
      xs_vec3 arm = xs_vec3_sub(xs_contact_surface_point(&contact.side[0], s.x),
                                xs_contact_surface_point(&contact.side[1], s.x));
      cr_assert_leq(xs_vec3_norm(force), 1e-13);
      cr_assert_leq(xs_vec3_norm(xs_vec3_sub(moment, xs_vec3_cross(arm, d))), 1e-12);
    }
  }
}

Test(contact, parts_have_the_bits_of_the_block) {
  static scene s;
  xs_contact contact;
  for (int k = 0; next_contact(k, &s, &contact); k++) {
    double C[3], G[SIZE], c[3], g[SIZE];
    evaluate(&contact, s.x, 0, 3, C, G);
    for (int first = 0; first < 3; first++)
      for (int count = 1; first + count <= 3; count++) {
        evaluate(&contact, s.x, first, count, c, g);
        cr_assert(memcmp(c, C + first, (size_t)count * sizeof *c) == 0);
        for (int column = 0; column < 6 * contact.n_nodes; column++)
          for (int r = 0; r < count; r++)
            cr_assert(g[column * count + r] == G[column * 3 + first + r]);
      }
  }
}

Test(contact, tangents_are_orthonormal_and_the_gap_is_that_of_the_surface) {
  static scene s;
  xs_contact contact;
  for (int k = 0; next_contact(k, &s, &contact); k++) {
    xs_vec3 cross = xs_vec3_cross(contact.t1, contact.t2);
    cr_assert_leq(xs_vec3_norm(xs_vec3_sub(cross, contact.n)), 1e-15);
    cr_assert_leq(fabs(xs_vec3_norm(contact.t1) - 1), 1e-15);
    cr_assert_leq(fabs(xs_vec3_dot(contact.t1, contact.t2)), 1e-15);
    xs_vec3 arm = xs_vec3_sub(xs_contact_surface_point(&contact.side[0], s.x),
                              xs_contact_surface_point(&contact.side[1], s.x));
    cr_assert_leq(fabs(xs_vec3_dot(contact.n, arm) - contact.gap), 1e-14);
    for (int p = 0; p < contact.n_nodes; p++)
      for (int q = 0; q < p; q++) cr_assert(contact.node[p] != contact.node[q]);
  }
}
