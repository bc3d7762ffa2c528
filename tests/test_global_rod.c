/* The banded matrix of a rod with its end joints, from a scene, against the dense product
 * G M^-1 G^T + diagonal: its width, and what it solves. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/rod.h"
#include "io/scene.h"
#include "math/so3.h"
#include "solver/global.h"

enum { ROWS = 256, COLUMNS = 256, BLOCKS = 32 };

static xs_arena arena;
static xs_report report;

typedef struct setting {
  xs_world *world;
  xs_state *state;
  xs_joint_geometry joint[2];
  xs_rod_element element[BLOCKS];
  double alpha[6 * XS_ROD_GAUSS_MAX];
  xs_row_block block[BLOCKS];
  int n_blocks, n_rows;
  xs_global *global;
} setting;

/* The paper's cantilever, both ends clamped, bent at random. */
static void load(const char *discretization, const char *quadrature, int elements,
                 const char *solver, setting *s) {
  char kind[64], points[64], count[64], band[64];
  snprintf(kind, sizeof kind, "rods.beam.discretization=%s", discretization);
  snprintf(points, sizeof points, "rods.beam.quadrature=%s", quadrature);
  snprintf(count, sizeof count, "rods.beam.elements=%d", elements);
  snprintf(band, sizeof band, "solver.band_solver=%s", solver);
  const char *const set[] = {kind, points, count, band, "rods.beam.ends.end=clamped"};
  xs_scene_source source;
  memset(s, 0, sizeof *s);
  cr_assert_eq(
      xs_scene_load("scenes/paper/cantilever.json", 5, set, &arena, &s->world, &source, &report),
      XS_OK, "%s", report.kept[0].text);
  cr_assert_eq(xs_state_create(s->world, &arena, &s->state, &report), XS_OK);
  cr_assert_eq(s->world->n_joints, 2);
  for (int i = 1; i < s->world->n_nodes; i++) {
    xs_pose *x = &s->state->x[i];
    x->p = xs_vec3_add_scaled(x->p, 0.01, (xs_vec3){sin(i), sin(2 * i), sin(3 * i)});
    x->q = xs_so3_plus(x->q, (xs_vec3){0.3 * sin(4 * i), 0.3 * sin(5 * i), 0.3 * sin(6 * i)});
    x->R = xs_so3_matrix(x->q);
  }

  /* Joints first, as the method has them, so that the order is not the rod's. */
  for (int j = 0; j < 2; j++) {
    xs_joint_geometry_init(&s->world->joints[j], &s->state->turn[j], &s->joint[j]);
    s->n_blocks += xs_joint_blocks(&s->world->joints[j], &s->joint[j], XS_CONSTRAINTS_VECTOR, j,
                                   &s->n_rows, &s->block[s->n_blocks]);
  }
  xs_rod_compliance(&s->world->rods[0], s->alpha);
  xs_rod_blocks(&s->world->rods[0], s->alpha, s->element, 2, &s->n_rows, &s->block[s->n_blocks]);
  s->n_blocks += elements;
  cr_assert(s->n_rows <= ROWS && s->n_blocks <= BLOCKS && 6 * s->world->n_nodes <= COLUMNS);
  cr_assert_eq(
      xs_global_create(s->world, s->n_blocks, s->block, s->n_rows, 2, &arena, &s->global, &report),
      XS_OK);
}

/* A = G M^-1 G^T of all rows, dense, the plain way. */
static void dense(const setting *s, double A[ROWS][ROWS]) {
  static double J[ROWS][COLUMNS], W[COLUMNS];
  memset(J, 0, sizeof J);
  memset(W, 0, sizeof W);
  for (int i = 1; i < s->world->n_nodes; i++) {
    const xs_inertia *m = &s->world->inertia[i];
    const double w[6] = {m->inv_mass,     m->inv_mass,     m->inv_mass,
                         m->inv_moment.x, m->inv_moment.y, m->inv_moment.z};
    memcpy(W + 6 * i, w, sizeof w);
  }
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, s->state->x, 0, block->n_rows, C, G);
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          J[block->first_row + r][6 * block->node[k] + c] = G[(k * 6 + c) * block->n_rows + r];
  }
  for (int i = 0; i < s->n_rows; i++)
    for (int j = 0; j < s->n_rows; j++) {
      A[i][j] = 0;
      for (int c = 0; c < COLUMNS; c++) A[i][j] += J[i][c] * W[c] * J[j][c];
    }
}

static const struct {
  const char *discretization, *quadrature;
  int m; /* Gauss points an element */
} cases[] = {{"rigid_chain", "reduced", 1}, {"linear", "reduced", 1}, {"linear", "full", 2},
             {"quadratic", "reduced", 2},   {"quadratic", "full", 3}, {"cubic", "reduced", 3},
             {"cubic", "full", 4}};
enum { N_CASES = sizeof cases / sizeof *cases };

/* 2 m - 1 blocks of 6x6 beside the diagonal one. */
Test(global_rod, half_bandwidth) {
  for (int i = 0; i < N_CASES; i++) {
    static setting s;
    load(cases[i].discretization, cases[i].quadrature, 5, "lapacke", &s);
    const int wanted = 6 * (2 * cases[i].m - 1) + 5;
    cr_expect_eq(xs_global_half_bandwidth(s.global), wanted, "%s %s: %d, not %d",
                 cases[i].discretization, cases[i].quadrature, xs_global_half_bandwidth(s.global),
                 wanted);
    xs_arena_free(&arena);
  }
}

/* alpha~ of every row for steps of 5 ms, and some right-hand side. */
static void fill(const setting *s, double *diagonal, double *b) {
  const double h = 5e-3;
  for (int k = 0; k < s->n_blocks; k++)
    for (int r = 0; r < s->block[k].n_rows; r++)
      diagonal[s->block[k].first_row + r] = s->block[k].alpha ? s->block[k].alpha[r] / (h * h) : 0;
  for (int r = 0; r < s->n_rows; r++) b[r] = sin(1 + r);
}

/* Rows of (A + diagonal) x = b, each against the size of its terms. */
static void solves_the_dense_system(const char *solver) {
  for (int i = 0; i < N_CASES; i++) {
    static setting s;
    static double A[ROWS][ROWS], diagonal[ROWS], b[ROWS], x[ROWS];
    load(cases[i].discretization, cases[i].quadrature, 5, solver, &s);
    dense(&s, A);
    fill(&s, diagonal, b);
    memcpy(x, b, sizeof x);
    xs_global_evaluate(s.global, s.state->x);
    cr_assert_eq(xs_global_solve(s.global, diagonal, x), -1);
    for (int r = 0; r < s.n_rows; r++) {
      double sum = diagonal[r] * x[r] - b[r], size = fabs(diagonal[r] * x[r]) + fabs(b[r]);
      for (int j = 0; j < s.n_rows; j++) {
        sum += A[r][j] * x[j];
        size += fabs(A[r][j] * x[j]);
      }
      cr_expect_leq(fabs(sum), 1e-10 * size, "%s %s row %d: %g of %g", cases[i].discretization,
                    cases[i].quadrature, r, sum, size);
    }
    xs_arena_free(&arena);
  }
}
Test(global_rod, lapack_solves_the_dense_system) { solves_the_dense_system("lapacke"); }
Test(global_rod, native_solves_the_dense_system) { solves_the_dense_system("native"); }

/* The same solutions from both. */
Test(global_rod, native_solves_as_lapack_does) {
  for (int i = 0; i < N_CASES; i++) {
    static const char *const solvers[] = {"lapacke", "native"};
    static double diagonal[ROWS], x[2][ROWS];
    double size = 0;
    int n_rows = 0;
    for (int k = 0; k < 2; k++) {
      static setting s;
      load(cases[i].discretization, cases[i].quadrature, 5, solvers[k], &s);
      fill(&s, diagonal, x[k]);
      xs_global_evaluate(s.global, s.state->x);
      cr_assert_eq(xs_global_solve(s.global, diagonal, x[k]), -1);
      n_rows = s.n_rows;
      xs_arena_free(&arena);
    }
    for (int r = 0; r < n_rows; r++) size = fmax(size, fabs(x[0][r]));
    double worst = 0;
    for (int r = 0; r < n_rows; r++) worst = fmax(worst, fabs(x[1][r] - x[0][r]) / size);
    cr_expect_leq(worst, 1e-10, "%s %s: %g", cases[i].discretization, cases[i].quadrature, worst);
  }
}
