/* Second solve with the rods' band (rod_damping.h). */
#include "solver/rod_damping.h"

#include <string.h>

int xs_rod_damping_wanted(const xs_world *world) {
  for (int r = 0; r < world->n_rods; r++)
    if (world->rods[r].damping_time > 0) return 1;
  return 0;
}

/* Rows that take no part become 0 = 0. */
static void leave_out(xs_global *global, int b, const xs_row_block *block, double *diagonal) {
  memset(xs_global_rows(global, b), 0,
         6 * (size_t)block->n_nodes * (size_t)block->n_rows * sizeof(double));
  for (int r = 0; r < block->n_rows; r++) diagonal[block->first_row + r] = 1;
}

/* -G v of a block. */
static void strain_rates(const xs_row_block *block, const double *G, const xs_state *state,
                         double *rhs) {
  const int n = block->n_rows;
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_vec3 v = state->v[block->node[k]], w = state->omega[block->node[k]];
    const double rate[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < n; r++) rhs[r] -= G[(k * 6 + c) * n + r] * rate[c];
  }
}

static void prepare(xs_global *global, const xs_system *system, const xs_state *state, int b,
                    double *diagonal, double *mu) {
  const xs_world *world = system->world;
  const xs_row_block *block = &system->block[system->n_swept + b];
  const int rod = block->entity - world->n_joints;
  for (int r = 0; r < block->n_rows; r++)
    diagonal[block->first_row + r] = mu[block->first_row + r] = 0;

  if (rod < 0) { /* a joint: an open limit is no row */
    if (block->bound == XS_BOUND_BOX && system->lambda[block->first_row] == 0)
      leave_out(global, b, block, diagonal);
    return;
  }
  const double tau = world->rods[rod].damping_time;
  if (!(tau > 0)) { /* yields to others as it did at positions */
    for (int r = 0; r < block->n_rows; r++)
      diagonal[block->first_row + r] = block->alpha[r] / (system->h * system->h);
    return;
  }
  for (int r = 0; r < block->n_rows; r++)
    diagonal[block->first_row + r] = block->alpha[r] / (system->h * tau);
  strain_rates(block, xs_global_gradient(global, b), state, mu + block->first_row);
}

/* What a thread takes at once: some ten microseconds' work. */
#define BLOCKS_AT_ONCE 64

typedef struct pass {
  xs_global *global;
  const xs_system *system;
  const xs_state *state;
  double *diagonal, *mu;
} pass;

static void prepare_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int b = begin; b < end; b++) prepare(p->global, p->system, p->state, b, p->diagonal, p->mu);
}

int xs_rod_damping_apply(xs_global *global, const xs_system *system, xs_state *state,
                         double *diagonal, double *mu) {
  const int n_blocks = system->n_blocks - system->n_swept;
  xs_global_evaluate(global, state->x);
  pass p = {global, system, state, diagonal, mu};
  xs_pool_run(system->world->pool, n_blocks, BLOCKS_AT_ONCE, prepare_pass, &p);
  const int failed = xs_global_solve(global, diagonal, mu);
  xs_global_kick(global, mu, state);
  return failed < 0 ? -1 : system->block[system->n_swept + failed].entity;
}
