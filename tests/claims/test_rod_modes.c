/* Natural frequencies of the paper's cantilever (scenes/paper/cantilever.json, straight, without
 * weight) against the continuous rod's: bending, torsion and stretch.
 *
 * Small motions about the straight rod obey M x'' + G^T alpha^-1 G x = 0 with the lumped inertias
 * and the rows' gradients and compliances of xsim; the first node is held. Eigenvalues w^2 are
 * those of B B^T, B = alpha^-1/2 G M^-1/2. The references are
 *
 *   Timoshenko  y' = S(w) y, y = (deflection, turn, M, Q): w where the free end's M, Q vanish
 *   torsion     (2k - 1) pi/2 sqrt(G/rho)/L         stretch  (2k - 1) pi/2 sqrt(E/rho)/L   */
#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/rod.h"
#include "io/scene.h"

enum { ROWS = 400, COLUMNS = 400 };

static const double pi = 3.14159265358979323846;
static const double L = 1, r = 0.05, E = 5e6, nu = 0.5, rho = 1000;

/* ---- The continuous rod ---- */

typedef struct matrix4 {
  double a[4][4];
} matrix4;

static matrix4 multiply(const matrix4 *x, const matrix4 *y) {
  matrix4 z = {0};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) z.a[i][j] += x->a[i][k] * y->a[k][j];
  return z;
}

/* exp(S L): Taylor's series over L/64, squared six times. */
static matrix4 exponential(matrix4 S) {
  matrix4 sum = {0}, term = {0};
  for (int i = 0; i < 4; i++) {
    sum.a[i][i] = term.a[i][i] = 1;
    for (int j = 0; j < 4; j++) S.a[i][j] *= L / 64;
  }
  for (int n = 1; n < 40; n++) {
    term = multiply(&term, &S);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sum.a[i][j] += term.a[i][j] /= n;
  }
  for (int n = 0; n < 6; n++) sum = multiply(&sum, &sum);
  return sum;
}

/* det of (M, Q) at the free end by (M, Q) at the clamp. */
static double free_end(double w) {
  const double A = pi * r * r, J = A * r * r / 4, G = E / (2 * (1 + nu)), kappa = 0.9;
  const matrix4 S = {{{0, 1, 0, 1 / (kappa * G * A)},
                      {0, 0, 1 / (E * J), 0},
                      {0, -rho * J * w * w, 0, -1},
                      {-rho * A * w * w, 0, 0, 0}}};
  const matrix4 T = exponential(S);
  return T.a[2][2] * T.a[3][3] - T.a[2][3] * T.a[3][2];
}

/* The first n frequencies of bending, by a scan and bisection. */
static void timoshenko(int n, double *w) {
  double low = 0.1, step = 0.5;
  for (int found = 0; found < n; low += step) {
    double a = low, b = low + step;
    if (free_end(a) * free_end(b) > 0) continue;
    for (int k = 0; k < 60; k++) {
      const double c = 0.5 * (a + b);
      if (free_end(a) * free_end(c) > 0)
        a = c;
      else
        b = c;
    }
    w[found++] = 0.5 * (a + b);
  }
}

/* ---- The elements ---- */

/* w of all modes, ascending; their number is returned. */
static int frequencies(const char *discretization, int elements, double *w) {
  char kind[64], count[64];
  snprintf(kind, sizeof kind, "rods.beam.discretization=%s", discretization);
  snprintf(count, sizeof count, "rods.beam.elements=%d", elements);
  const char *const set[] = {kind, count};
  xs_arena arena = {0};
  xs_report report = {0};
  xs_scene_source source;
  xs_world *world;
  xs_state *state;
  cr_assert_eq(
      xs_scene_load("scenes/paper/cantilever.json", 2, set, &arena, &world, &source, &report),
      XS_OK, "%s", report.kept[0].text);
  cr_assert_eq(xs_state_create(world, &arena, &state, &report), XS_OK);

  /* Blocks of the rod's elements. */
  const xs_rod *rod = &world->rods[0];
  double alpha[6 * XS_ROD_GAUSS_MAX];
  static xs_rod_element element[ROWS];
  static xs_row_block block[ROWS];
  int n_rows = 0;
  xs_rod_compliance(rod, alpha);
  xs_rod_blocks(rod, alpha, element, 0, &n_rows, block);
  cr_assert(n_rows <= ROWS && 6 * rod->n_nodes <= COLUMNS);

  /* B of all nodes but the clamped one. */
  static double B[ROWS][COLUMNS], A[ROWS * ROWS];
  memset(B, 0, sizeof B);
  for (int b = 0; b < rod->n_elements; b++) {
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    const int n = block[b].n_rows;
    block[b].kind->evaluate(&block[b], state->x, 0, n, C, G);
    for (int k = 0; k < block[b].n_nodes; k++) {
      const int node = block[b].node[k];
      const xs_inertia *m = &world->inertia[node];
      const double inverse[6] = {m->inv_mass,     m->inv_mass,     m->inv_mass,
                                 m->inv_moment.x, m->inv_moment.y, m->inv_moment.z};
      if (node == rod->first_node) continue;
      for (int c = 0; c < 6; c++)
        for (int i = 0; i < n; i++)
          B[block[b].first_row + i][6 * (node - rod->first_node) + c] +=
              G[(k * 6 + c) * n + i] * sqrt(inverse[c] / block[b].alpha[i]);
    }
  }
  for (int i = 0; i < n_rows; i++)
    for (int j = 0; j < n_rows; j++) {
      double sum = 0;
      for (int c = 0; c < 6 * rod->n_nodes; c++) sum += B[i][c] * B[j][c];
      A[i * n_rows + j] = sum;
    }
  cr_assert_eq(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'L', n_rows, A, n_rows, w), 0);
  for (int i = 0; i < n_rows; i++) w[i] = sqrt(fmax(w[i], 0));
  xs_arena_free(&arena);
  return n_rows;
}

/* The mode nearest to w, relative to it. */
static double error_of(double w, const double *modes, int n) {
  double best = INFINITY;
  for (int i = 0; i < n; i++)
    if (fabs(modes[i] / w - 1) < fabs(best)) best = modes[i] / w - 1;
  return best;
}

/* ---- Tests ---- */

enum { N_REFERENCES = 5 };
static const char *const names[N_REFERENCES] = {"bending 1", "bending 2", "bending 3", "torsion 1",
                                                "stretch 1"};

static void find_references(double *w) {
  timoshenko(3, w);
  w[3] = 0.5 * pi * sqrt(E / (2 * (1 + nu)) / rho) / L;
  w[4] = 0.5 * pi * sqrt(E / rho) / L;
}

static void find_errors(const char *discretization, int elements, double *error) {
  static double w[ROWS];
  double reference[N_REFERENCES];
  find_references(reference);
  const int n = frequencies(discretization, elements, w);
  for (int i = 0; i < N_REFERENCES; i++) {
    error[i] = error_of(reference[i], w, n);
    printf("%s %d, %s: %.6f rad/s, elements %+.2e\n", discretization, elements, names[i],
           reference[i], error[i]);
  }
}

Test(rod_modes, continuous_rod) {
  double w[N_REFERENCES];
  find_references(w);
  cr_expect_float_eq(w[0], 6.176806, 5e-7, "first bending mode %.9g", w[0]);
}

Test(rod_modes, first_bending_mode_of_cubic_elements) {
  double error[N_REFERENCES];
  find_errors("cubic", 3, error);
  cr_expect_float_eq(error[0], 2.9e-5, 0.1e-5, "%g", error[0]);
  find_errors("cubic", 7, error);
  cr_expect_float_eq(error[0], 8.4e-7, 0.3e-7, "%g", error[0]);
}

/* The inertia that the paper adds to the ends of a chain is about one axis only (9.2). */
Test(rod_modes, ends_of_a_chain_are_heavier_about_d2) {
  static double w[ROWS];
  frequencies("rigid_chain", 20, w);
  cr_expect_float_eq(w[0], 6.17240, 1e-5, "%g", w[0]);
  cr_expect_float_eq(w[1], 6.17275, 1e-5, "%g", w[1]);
}

/* Every mode gets closer with the elements, at least with the square of their size. */
Test(rod_modes, all_modes_converge) {
  static const struct {
    const char *discretization;
    int coarse, fine;
    double within;
  } cases[] = {{"rigid_chain", 20, 40, 5e-3},
               {"linear", 20, 40, 5e-3},
               {"quadratic", 10, 20, 1e-3},
               {"cubic", 7, 14, 1e-3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double coarse[N_REFERENCES], fine[N_REFERENCES];
    find_errors(cases[i].discretization, cases[i].coarse, coarse);
    find_errors(cases[i].discretization, cases[i].fine, fine);
    for (int k = 0; k < N_REFERENCES; k++) {
      cr_expect_leq(fabs(fine[k]), cases[i].within, "%s %s: %g", cases[i].discretization, names[k],
                    fine[k]);
      cr_expect_geq(log2(fabs(coarse[k] / fine[k])), 1.9, "%s %s: from %g to %g",
                    cases[i].discretization, names[k], coarse[k], fine[k]);
    }
  }
}
