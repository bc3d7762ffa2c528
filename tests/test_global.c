/* The global solve's matrix, order and islands against the dense product G M^-1 G^T. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "io/scene.h"
#include "solver/global.h"

enum { ROWS = 64 };

static xs_arena arena;
static xs_report report;

/* Blocks of a scene's joints at its start. */
typedef struct setting {
  xs_world *world;
  xs_state *state;
  xs_joint_geometry joint[16];
  xs_row_block block[16 * XS_JOINT_BLOCKS_MAX];
  int n_blocks, n_rows;
  xs_global *global;
} setting;

static void load(const char *file, setting *s) {
  xs_scene_source source;
  memset(s, 0, sizeof *s);
  cr_assert_eq(xs_scene_load(file, 0, NULL, &arena, &s->world, &source, &report), XS_OK, "%s: %s",
               file, report.kept[0].text);
  cr_assert_eq(xs_state_create(s->world, &arena, &s->state, &report), XS_OK);
  for (int j = 0; j < s->world->n_joints; j++) {
    xs_joint_geometry_init(&s->world->joints[j], &s->state->turn[j], &s->joint[j]);
    s->state->turn[j] = xs_joint_turn_start(&s->joint[j], s->state->x);
    s->n_blocks += xs_joint_blocks(&s->world->joints[j], &s->joint[j], XS_CONSTRAINTS_VECTOR, j,
                                   &s->n_rows, &s->block[s->n_blocks]);
  }
  cr_assert_leq(s->n_rows, ROWS);
  cr_assert_eq(xs_global_create(s->world, s->n_blocks, s->block, s->n_rows, s->world->n_joints,
                                &arena, &s->global, &report),
               XS_OK);
}

/* A = G M^-1 G^T of all rows, dense, the plain way. */
static void dense(const setting *s, double A[ROWS][ROWS]) {
  static double J[ROWS][6 * 32];
  memset(J, 0, sizeof J);
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 12];
    block->kind->evaluate(block, s->state->x, 0, block->n_rows, C, G);
    for (int k = 0; k < 2; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          J[block->first_row + r][6 * block->node[k] + c] = G[(k * 6 + c) * block->n_rows + r];
  }
  for (int i = 0; i < s->n_rows; i++)
    for (int j = 0; j < s->n_rows; j++) {
      A[i][j] = 0;
      for (int n = 0; n < s->world->n_nodes; n++) {
        const xs_inertia *m = &s->world->inertia[n];
        const double w[6] = {m->inv_mass,     m->inv_mass,     m->inv_mass,
                             m->inv_moment.x, m->inv_moment.y, m->inv_moment.z};
        for (int c = 0; c < 6; c++) A[i][j] += J[i][6 * n + c] * w[c] * J[j][6 * n + c];
      }
    }
}

Test(global, solves_the_dense_system) {
  const char *scenes[] = {"scenes/demo/free_chain.json", "scenes/paper/triple_pendulum.json"};
  for (int i = 0; i < 2; i++) {
    static setting s;
    static double A[ROWS][ROWS];
    load(scenes[i], &s);
    dense(&s, A);
    double diagonal[ROWS], b[ROWS], x[ROWS];
    for (int r = 0; r < s.n_rows; r++) {
      diagonal[r] = r % 3 ? 0 : 0.5;
      b[r] = x[r] = sin(1 + r);
    }
    xs_global_evaluate(s.global, s.state->x);
    cr_assert_eq(xs_global_solve(s.global, diagonal, x), -1);
    for (int r = 0; r < s.n_rows; r++) {
      double sum = diagonal[r] * x[r] - b[r];
      for (int j = 0; j < s.n_rows; j++) sum += A[r][j] * x[j];
      cr_expect_leq(fabs(sum), 1e-10, "%s row %d: %g", scenes[i], r, sum);
    }
    xs_arena_free(&arena);
  }
}
