/* Dashpots and velocity drives (damping.h). Gradients are taken once, at x^{n+1}. */
#include "solver/damping.h"

#include <math.h>
#include <string.h>

#include "math/spd.h"
#include "solver/dashpot.h"

enum { GROUP_ROWS_MAX = 6 }; /* hard rows and free coordinates of a joint */

/* The blocks of one joint: hard rows (if any), free coordinates (if damped). */
typedef struct group {
  int joint, first_block, n_blocks, first_row, n_rows;
} group;

struct xs_damping {
  const xs_world *world;
  int n_groups, n_blocks, n_rows;
  group *group;
  xs_row_block *block;
  int *group_of;       /* n_joints: its group, or -1 */
  xs_dashpot *dashpot; /* n_rows; damping 0 marks a hard row, which keeps its rate */
  xs_global *rows;     /* gradients; matrix of the global solve */
  double *mu;          /* n_rows, N s or N m s */
  double *softness;    /* n_rows: 1/(h d), 0 for hard rows */
  double *aim;         /* n_rows: rate aimed at */
  double *rhs;         /* n_rows */
};

/* ---- create ---- */

/* Rows without compliance; a joint that is soft anywhere keeps none. */
static int is_hard(const xs_joint *joint) {
  return joint->compliance == 0 && joint->rotational_compliance == 0 &&
         !(joint->type == XS_JOINT_DISTANCE && isnan(joint->length));
}

static void add_block(xs_damping *self, const xs_row_block *block, const xs_joint *joint,
                      int hard) {
  xs_row_block *added = &self->block[self->n_blocks++];
  group *g = &self->group[self->n_groups];
  *added = *block;
  added->first_row = self->n_rows;
  added->alpha = NULL;
  g->n_blocks++;
  g->n_rows += block->n_rows;
  for (int r = 0; r < block->n_rows; r++)
    self->dashpot[self->n_rows++] = hard ? (xs_dashpot){0, 0, NULL} : xs_dashpot_of(joint, r);
}

static void add_group(xs_damping *self, const xs_joint_geometry *geometry, int j) {
  const xs_joint *joint = &self->world->joints[j];
  const int damped = xs_dashpot_wanted(joint);
  xs_row_block block;
  self->group_of[j] = -1;
  if (!damped && !(self->world->solver.solve == XS_SOLVE_GLOBAL && is_hard(joint))) return;
  self->group[self->n_groups] =
      (group){.joint = j, .first_block = self->n_blocks, .first_row = self->n_rows};
  if (is_hard(joint)) {
    const xs_row_kind *kind = xs_joint_kind(joint->type);
    block = (xs_row_block){.kind = kind,
                           .data = geometry,
                           .entity = j,
                           .n_rows = kind->n_rows,
                           .n_nodes = 2,
                           .node = {geometry->node1, geometry->node2}};
    add_block(self, &block, joint, 1);
  }
  if (damped && xs_joint_coordinate_block(joint, geometry, j, &block))
    add_block(self, &block, joint, 0);
  self->group_of[j] = self->n_groups++;
}

xs_status xs_damping_create(const xs_world *world, const xs_joint_geometry *joint, xs_arena *arena,
                            xs_damping **result, xs_report *report) {
  int any = 0;
  *result = NULL;
  for (int j = 0; j < world->n_joints; j++) any |= xs_dashpot_wanted(&world->joints[j]);
  if (!any) return XS_OK;

  const size_t n = (size_t)world->n_joints, n_rows = GROUP_ROWS_MAX * n;
  xs_damping *self = XS_ARENA_NEW(arena, xs_damping, 1);
  if (!self) goto no_memory;
  self->world = world;
  self->group = XS_ARENA_NEW(arena, group, n);
  self->block = XS_ARENA_NEW(arena, xs_row_block, 2 * n);
  self->group_of = XS_ARENA_NEW(arena, int, n);
  self->dashpot = XS_ARENA_NEW(arena, xs_dashpot, n_rows);
  self->mu = XS_ARENA_NEW(arena, double, n_rows);
  self->softness = XS_ARENA_NEW(arena, double, n_rows);
  self->aim = XS_ARENA_NEW(arena, double, n_rows);
  self->rhs = XS_ARENA_NEW(arena, double, n_rows);
  if (!self->group || !self->block || !self->group_of || !self->dashpot || !self->mu ||
      !self->softness || !self->aim || !self->rhs)
    goto no_memory;
  for (int j = 0; j < world->n_joints; j++) add_group(self, &joint[j], j);
  *result = self;
  return xs_global_create(world, self->n_blocks, self->block, self->n_rows, world->n_joints, arena,
                          &self->rows, report);

no_memory:
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
}

/* ---- apply ---- */

/* Rate G v of row r of a block. */
static double rate_of(const xs_row_block *block, const double *G, const xs_state *state, int r) {
  const int n = block->n_rows;
  double rate = 0;
  for (int k = 0; k < block->n_nodes; k++) {
    const double *Gk = G + k * 6 * n + r;
    const xs_vec3 v = state->v[block->node[k]], w = state->omega[block->node[k]];
    rate += Gk[0] * v.x + Gk[n] * v.y + Gk[2 * n] * v.z + Gk[3 * n] * w.x + Gk[4 * n] * w.y +
            Gk[5 * n] * w.z;
  }
  return rate;
}

/* Softness and aim of every row; coordinates without dashpot become 0 = 0. */
static void prepare(xs_damping *self, const xs_state *state, double h, double t) {
  memset(self->mu, 0, (size_t)self->n_rows * sizeof(double));
  for (int b = 0; b < self->n_blocks; b++) {
    const xs_row_block *block = &self->block[b];
    const int coordinates = block->kind != xs_joint_kind(self->world->joints[block->entity].type);
    double *G = xs_global_rows(self->rows, b);
    for (int r = 0; r < block->n_rows; r++) {
      const int row = block->first_row + r;
      const xs_dashpot *d = &self->dashpot[row];
      self->softness[row] = coordinates ? 1 : 0;
      self->aim[row] = 0;
      if (d->damping > 0) {
        self->softness[row] = 1 / (h * d->damping);
        self->aim[row] = d->weight * xs_timefn_value(d->rate, t);
      } else if (coordinates) {
        for (int c = 0; c < 6 * block->n_nodes; c++) G[c * block->n_rows + r] = 0;
      } else {
        self->aim[row] = rate_of(block, G, state, r);
      }
    }
  }
}

/* r - G v - mu/(h d) of row r of a block. */
static double right_hand_side_of(const xs_damping *self, const xs_state *state, int b, int r) {
  const xs_row_block *block = &self->block[b];
  const double *G = xs_global_gradient(self->rows, b);
  const int row = block->first_row + r;
  return self->aim[row] - self->softness[row] * self->mu[row] - rate_of(block, G, state, r);
}

static void right_hand_side(const xs_damping *self, const xs_state *state, int b, double *rhs) {
  for (int r = 0; r < self->block[b].n_rows; r++) rhs[r] = right_hand_side_of(self, state, b, r);
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

/* The part of G M^-1 G^T between blocks a and b of a joint, into A at their rows. */
static void add_product(const xs_damping *self, const group *g, int a, int b, double *A) {
  const xs_row_block *one = &self->block[a], *other = &self->block[b];
  const int na = one->n_rows, nb = other->n_rows;
  double *target =
      A + (one->first_row - g->first_row) + g->n_rows * (other->first_row - g->first_row);
  for (int k = 0; k < one->n_nodes; k++) {
    const xs_inertia *inertia = &self->world->inertia[one->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    const double *Ga = xs_global_gradient(self->rows, a) + k * 6 * na;
    const double *Gb = xs_global_gradient(self->rows, b) + k * 6 * nb;
    for (int c = 0; c < 6; c++)
      for (int j = 0; j < nb; j++)
        for (int i = 0; i < na; i++)
          target[i + g->n_rows * j] += w[c] * Ga[c * na + i] * Gb[c * nb + j];
  }
}

static void group_matrix(const xs_damping *self, const group *g, double *A) {
  memset(A, 0, (size_t)(g->n_rows * g->n_rows) * sizeof *A);
  for (int a = g->first_block; a < g->first_block + g->n_blocks; a++)
    for (int b = g->first_block; b <= a; b++) add_product(self, g, a, b, A);
  for (int r = 0; r < g->n_rows; r++) A[r + g->n_rows * r] += self->softness[g->first_row + r];
}

/* All rows of a joint at once. Returns 0 if its system is singular. */
static int solve_group(xs_damping *self, xs_state *state, const group *g) {
  double A[GROUP_ROWS_MAX * GROUP_ROWS_MAX], rhs[GROUP_ROWS_MAX] = {0};
  group_matrix(self, g, A);
  for (int b = g->first_block; b < g->first_block + g->n_blocks; b++)
    right_hand_side(self, state, b, rhs + (self->block[b].first_row - g->first_row));
  if (!xs_spd_solve(g->n_rows, A, rhs)) return 0;
  for (int b = g->first_block; b < g->first_block + g->n_blocks; b++)
    kick(self, state, b, rhs + (self->block[b].first_row - g->first_row));
  return 1;
}

/* One row after another. */
static int solve_rows(xs_damping *self, xs_state *state, const group *g) {
  double A[GROUP_ROWS_MAX * GROUP_ROWS_MAX];
  group_matrix(self, g, A);
  for (int b = g->first_block + g->n_blocks - 1; b >= g->first_block; b--) {
    const xs_row_block *block = &self->block[b];
    for (int r = 0; r < block->n_rows; r++) {
      const double pivot = A[(block->first_row - g->first_row + r) * (g->n_rows + 1)];
      if (!(pivot > 0)) return 0;
      double dmu[GROUP_ROWS_MAX] = {0};
      dmu[r] = right_hand_side_of(self, state, b, r) / pivot;
      kick(self, state, b, dmu);
    }
  }
  return 1;
}

static int solve_global(xs_damping *self, xs_state *state) {
  for (int b = 0; b < self->n_blocks; b++)
    right_hand_side(self, state, b, self->rhs + self->block[b].first_row);
  xs_global_drop_dependent(self->rows, self->softness);
  const int failed = xs_global_solve(self->rows, self->softness, self->rhs);
  for (int b = 0; b < self->n_blocks; b++)
    kick(self, state, b, self->rhs + self->block[b].first_row);
  return failed < 0 ? -1 : self->block[failed].entity;
}

int xs_damping_apply(xs_damping *self, xs_state *state, double h, double t) {
  const xs_solver *solver = &self->world->solver;
  xs_global_evaluate(self->rows, state->x);
  prepare(self, state, h, t);
  if (solver->solve == XS_SOLVE_GLOBAL) return solve_global(self, state); /* linear: once */
  int failed = -1;
  for (int k = 0; k < solver->iterations; k++)
    for (int i = 0; i < self->n_groups; i++) {
      const group *g = &self->group[i];
      const int ok = solver->solve == XS_SOLVE_INDIVIDUAL ? solve_rows(self, state, g)
                                                          : solve_group(self, state, g);
      if (!ok && failed < 0) failed = g->joint;
    }
  return failed;
}

void xs_damping_reaction(const xs_damping *self, double h, int joint, double force[6]) {
  memset(force, 0, 6 * sizeof *force);
  if (self->group_of[joint] < 0) return;
  const group *g = &self->group[self->group_of[joint]];
  for (int b = g->first_block; b < g->first_block + g->n_blocks; b++) {
    const xs_row_block *block = &self->block[b];
    const double *G = xs_global_gradient(self->rows, b) + 6 * block->n_rows;
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < block->n_rows; r++)
        force[c] += G[c * block->n_rows + r] * self->mu[block->first_row + r] / h;
  }
}
