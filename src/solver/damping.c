/* Dashpots and velocity drives (damping.h). Gradients are taken once, at x^{n+1}. */
#include "solver/damping.h"

#include <math.h>
#include <string.h>

#include "math/spd.h"

typedef struct dashpot {
  double damping; /* N s/m, N m s; 0: the row is left out */
  double weight;  /* of the drive's rate in the rate aimed at */
  const xs_timefn *rate;
} dashpot;

struct xs_damping {
  const xs_world *world;
  int n_blocks, n_rows;
  xs_row_block *block;
  int *block_of;    /* n_joints: its block, or -1 */
  dashpot *dashpot; /* n_rows */
  xs_global *rows;  /* gradients; matrix of the global solve */
  double *mu;       /* n_rows, N s or N m s */
  double *softness; /* n_rows: 1/(h d), s/(kg..) */
  double *aim;      /* n_rows: rate aimed at */
  double *rhs;      /* n_rows */
};

/* --- create ------------------------------------------------------------------------- */

static int wants_damping(const xs_joint *joint) {
  if (joint->damping > 0) return 1;
  for (int i = 0; joint->target && i < joint->target->n; i++)
    if (joint->target->damping[i] > 0) return 1;
  return 0;
}

/* The joint's dashpot (rate 0) and the drive's as one: d (qdot - r) + d0 qdot. */
static dashpot combine(const xs_joint *joint, int i) {
  dashpot d = {joint->damping, 0, NULL};
  if (!joint->target || !(joint->target->damping[i] > 0)) return d;
  const double drive = joint->target->damping[i];
  d.rate = joint->target->rate[i];
  d.weight = isinf(drive) ? 1 : drive / (drive + joint->damping);
  d.damping = drive + joint->damping;
  return d;
}

xs_status xs_damping_create(const xs_world *world, const xs_joint_geometry *joint, xs_arena *arena,
                            xs_damping **result, xs_report *report) {
  int n = 0;
  *result = NULL;
  for (int j = 0; j < world->n_joints; j++) n += wants_damping(&world->joints[j]);
  if (n == 0) return XS_OK;

  xs_damping *self = XS_ARENA_NEW(arena, xs_damping, 1);
  if (!self) goto no_memory;
  self->world = world;
  self->block = XS_ARENA_NEW(arena, xs_row_block, n);
  self->block_of = XS_ARENA_NEW(arena, int, world->n_joints);
  self->dashpot = XS_ARENA_NEW(arena, dashpot, 3 * (size_t)n);
  self->mu = XS_ARENA_NEW(arena, double, 3 * (size_t)n);
  self->softness = XS_ARENA_NEW(arena, double, 3 * (size_t)n);
  self->aim = XS_ARENA_NEW(arena, double, 3 * (size_t)n);
  self->rhs = XS_ARENA_NEW(arena, double, 3 * (size_t)n);
  if (!self->block || !self->block_of || !self->dashpot || !self->mu || !self->softness ||
      !self->aim || !self->rhs)
    goto no_memory;

  for (int j = 0; j < world->n_joints; j++) {
    xs_row_block *block = &self->block[self->n_blocks];
    self->block_of[j] = -1;
    if (!wants_damping(&world->joints[j]) ||
        !xs_joint_coordinate_block(&world->joints[j], &joint[j], j, block))
      continue;
    block->first_row = self->n_rows;
    for (int r = 0; r < block->n_rows; r++)
      self->dashpot[self->n_rows++] = combine(&world->joints[j], r);
    self->block_of[j] = self->n_blocks++;
  }
  *result = self;
  return xs_global_create(world, self->n_blocks, self->block, self->n_rows, arena, &self->rows,
                          report);

no_memory:
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
}

/* --- apply -------------------------------------------------------------------------- */

/* 1/(h d) and the rates aimed at; rows without dashpot become 0 = 0. */
static void prepare(xs_damping *self, double h, double t) {
  for (int b = 0; b < self->n_blocks; b++) {
    const xs_row_block *block = &self->block[b];
    double *G = xs_global_rows(self->rows, b);
    for (int r = 0; r < block->n_rows; r++) {
      const dashpot *d = &self->dashpot[block->first_row + r];
      self->aim[block->first_row + r] = d->weight * xs_timefn_value(d->rate, t);
      self->softness[block->first_row + r] = d->damping > 0 ? 1 / (h * d->damping) : 1;
      for (int c = 0; d->damping == 0 && c < 6 * block->n_nodes; c++) G[c * block->n_rows + r] = 0;
    }
  }
  memset(self->mu, 0, (size_t)self->n_rows * sizeof(double));
}

/* -(G v - r) - mu/(h d) for one block. */
static void right_hand_side(const xs_damping *self, const xs_state *state, int b, double *rhs) {
  const xs_row_block *block = &self->block[b];
  const int n = block->n_rows;
  const double *G = xs_global_gradient(self->rows, b);
  for (int r = 0; r < n; r++) {
    const int row = block->first_row + r;
    rhs[r] = self->aim[row] - self->softness[row] * self->mu[row];
    for (int k = 0; k < block->n_nodes; k++) {
      const double *Gk = G + k * 6 * n + r;
      const xs_vec3 v = state->v[block->node[k]], w = state->omega[block->node[k]];
      rhs[r] -= Gk[0] * v.x + Gk[n] * v.y + Gk[2 * n] * v.z + Gk[3 * n] * w.x + Gk[4 * n] * w.y +
                Gk[5 * n] * w.z;
    }
  }
}

/* v += M^-1 G^T dmu, mu += dmu for one block. */
static void kick(xs_damping *self, xs_state *state, int b, const double *dmu) {
  const xs_row_block *block = &self->block[b];
  const int n = block->n_rows;
  for (int r = 0; r < n; r++) self->mu[block->first_row + r] += dmu[r];
  for (int k = 0; k < block->n_nodes; k++) {
    const int node = block->node[k];
    const xs_inertia *inertia = &self->world->inertia[node];
    if (inertia->inv_mass == 0) continue;
    const double *Gk = xs_global_gradient(self->rows, b) + k * 6 * n;
    double g[6] = {0};
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < n; r++) g[c] += Gk[c * n + r] * dmu[r];
    state->v[node] =
        xs_vec3_add_scaled(state->v[node], inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
    state->omega[node] = xs_vec3_add(state->omega[node],
                                     xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]}));
  }
}

/* G M^-1 G^T + softness of one block, lower triangle. */
static void block_matrix(const xs_damping *self, int b, double A[9]) {
  const xs_row_block *block = &self->block[b];
  const int n = block->n_rows;
  memset(A, 0, 9 * sizeof *A);
  for (int r = 0; r < n; r++) A[r + n * r] = self->softness[block->first_row + r];
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_inertia *inertia = &self->world->inertia[block->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    const double *Gk = xs_global_gradient(self->rows, b) + k * 6 * n;
    for (int c = 0; c < 6; c++)
      for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) A[i + n * j] += w[c] * Gk[c * n + i] * Gk[c * n + j];
  }
}

/* One sweep over the blocks; individual: row by row. */
static int sweep(xs_damping *self, xs_state *state, int individual) {
  int failed = -1;
  for (int b = 0; b < self->n_blocks; b++) {
    const int n = self->block[b].n_rows;
    double A[9], A_solved[9], rhs[3];
    block_matrix(self, b, A);
    for (int r = 0; r < (individual ? n : 1); r++) {
      right_hand_side(self, state, b, rhs);
      int ok = 1;
      if (individual) {
        double alone = rhs[r] / A[r + n * r];
        ok = A[r + n * r] > 0;
        memset(rhs, 0, sizeof rhs);
        rhs[r] = ok ? alone : 0;
      } else {
        memcpy(A_solved, A, sizeof A);
        ok = xs_spd_solve(n, A_solved, rhs);
      }
      if (ok)
        kick(self, state, b, rhs);
      else if (failed < 0)
        failed = self->block[b].entity;
    }
  }
  return failed;
}

static int solve_global(xs_damping *self, xs_state *state) {
  for (int b = 0; b < self->n_blocks; b++)
    right_hand_side(self, state, b, self->rhs + self->block[b].first_row);
  int failed = xs_global_solve(self->rows, self->softness, self->rhs);
  for (int b = 0; b < self->n_blocks; b++)
    kick(self, state, b, self->rhs + self->block[b].first_row);
  return failed < 0 ? -1 : self->block[failed].entity;
}

int xs_damping_apply(xs_damping *self, xs_state *state, double h, double t) {
  const xs_solver *solver = &self->world->solver;
  xs_global_evaluate(self->rows, state->x);
  prepare(self, h, t);
  if (solver->solve == XS_SOLVE_GLOBAL) return solve_global(self, state); /* linear: once */
  int failed = -1;
  for (int k = 0; k < solver->iterations; k++)
    failed = sweep(self, state, solver->solve == XS_SOLVE_INDIVIDUAL);
  return failed;
}

void xs_damping_reaction(const xs_damping *self, double h, int joint, double g[6]) {
  memset(g, 0, 6 * sizeof *g);
  const int b = self->block_of[joint];
  if (b < 0) return;
  const xs_row_block *block = &self->block[b];
  const double *G = xs_global_gradient(self->rows, b) + 6 * block->n_rows;
  for (int c = 0; c < 6; c++)
    for (int r = 0; r < block->n_rows; r++)
      g[c] += G[c * block->n_rows + r] * self->mu[block->first_row + r] / h;
}
