/* Iterations of the global solve, island by island (global.h, global_private.h). */
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/global_private.h"

/* Parts of the forces on a node that its elements' forces may be rounded by, times some. */
#define ROUND_OFF 1e-13

/* alpha~ of every row; 1 for a row that is left out, which then only solves 0 = 0. */
static void fill_diagonal(xs_global *g, const island *is, const xs_system *system) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    for (int r = 0; r < block->n_rows; r++)
      g->diagonal[block->first_row + r] =
          g->left_out[b] ? 1 : system->softness[block->first_row + r];
  }
}

/* Inequality rows that take no part at the values at hand. */
static void find_left_out(xs_global *g, const island *is, const xs_system *system) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    g->changed[b] = 0;
    g->left_out[b] = (unsigned char)xs_system_inactive(block, g->C[block->first_row],
                                                       system->lambda[block->first_row]);
  }
}

void xs_global_read_rank(xs_global *g, const xs_system *system, const xs_pose *x) {
  for (int i = 0; i < g->n_islands; i++) {
    island *is = &g->island[i];
    if (!is->loops) continue;
    xs_global_evaluate_island(g, is, x, g->G);
    find_left_out(g, is, system);
    fill_diagonal(g, is, system);
    xs_global_drop_dependent_island(g, is, g->diagonal);
  }
}

/* lambda += dlambda, inequality rows clamped; dlambda becomes what was applied. Notes what
 * is far off or not finite. */
static void advance_lambda(xs_global *g, island *is, xs_system *system, double *dlambda) {
  for (int p = 0; p < is->n_places; p++) {
    const xs_row_block *block = &g->block[block_at(g, is, p)];
    double *lambda = system->lambda + block->first_row, *d = dlambda + block->first_row;
    const double *C = g->C + block->first_row;
    double size2 = 0;
    for (int r = 0; r < block->n_rows; r++) {
      size2 += C[r] * C[r];
      double to = xs_system_clamped(block, lambda[r] + d[r]);
      d[r] = to - lambda[r];
      lambda[r] = to;
    }
    if (!(size2 <= system->torn2[block->entity])) is->suspect = 1;
  }
}

/* sum += |G|^T |lambda|. */
static void add_sizes(const xs_global *g, const island *is, const double *lambda, double *sum) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b], *y = lambda + block->first_row;
    for (int k = 0; k < block->n_nodes; k++, G += 6 * block->n_rows) {
      if (!can_move(g, block->node[k])) continue;
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          sum[6 * block->node[k] + c] += fabs(G[c * block->n_rows + r] * y[r]);
    }
  }
}

static void sizes_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) add_sizes(p->g, &p->g->island[i], p->in, p->out);
}

/* Squared M-norm of the round-off in M^-1 G^T lambda: forces of neighbouring elements, which
 * cancel each other to what moves the node between them, are rounded before they do. */
static double round_off(xs_global *g, const xs_system *system) {
  double *sum = system->momentum, size2 = 0;
  memset(sum, 0, 6 * (size_t)system->world->n_nodes * sizeof *sum);
  each_island(g, sizes_pass, &(pass){.g = g, .in = system->lambda, .out = sum});
  for (int k = 0; k < g->n_nodes; k++) {
    const xs_inertia *inertia = &system->world->inertia[g->node[k]];
    const double *m = sum + 6 * g->node[k];
    size2 += inertia->inv_mass * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) +
             inertia->inv_moment.x * m[3] * m[3] + inertia->inv_moment.y * m[4] * m[4] +
             inertia->inv_moment.z * m[5] * m[5];
  }
  return ROUND_OFF * ROUND_OFF * size2;
}

/* Whether the corrected update may go on (system.h). */
static int contracts(xs_global *g, xs_system *system, const xs_pose *x) {
  const double floor2 = round_off(g, system);
  memset(system->momentum, 0, 6 * (size_t)system->world->n_nodes * sizeof(double));
  xs_global_add_transposed(g, system->lambda, system->momentum);
  xs_system_primal_displacement(system, x);
  xs_system_rate_displacement(system, &system->by_islands, 1, floor2);
  memcpy(g->displaced, system->momentum, 6 * (size_t)system->world->n_nodes * sizeof(double));
  return !system->by_islands.plain;
}

/* -r_C + G d, with rows that take no part 0, into g->rhs. */
static void fill_rhs(xs_global *g, const island *is, const double *residual, const double *d) {
  for (int p = 0; p < is->n_places; p++) {
    const xs_row_block *block = &g->block[block_at(g, is, p)];
    for (int i = block->first_row; i < block->first_row + block->n_rows; i++)
      g->rhs[i] = -residual[i];
  }
  if (d) xs_global_add_displaced_island(g, is, d, g->rhs);
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    if (g->left_out[b]) g->rhs[g->block[b].first_row] = 0;
  }
}

/* The change of an inequality row, to first order, by the dlambda of all rows; momentum
 * holds G^T dlambda. (What the corrected update moves besides vanishes as it converges.) */
static double change_of(const xs_global *g, const xs_system *system, int b) {
  const xs_row_block *block = &g->block[b];
  const double *G = g->G + g->at[b];
  double change = 0;
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_inertia *inertia = &system->world->inertia[block->node[k]];
    if (inertia->inv_mass == 0) continue;
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    const double *m = system->momentum + 6 * block->node[k];
    for (int c = 0; c < 6; c++) change += G[(k * 6 + c) * block->n_rows] * w[c] * m[c];
  }
  return change;
}

/* G^T y at the nodes that the island can move, into sum. */
static void transpose(const xs_global *g, const island *is, const double *y, double *sum) {
  const int *node = g->by_island + is->first_node;
  for (int k = 0; k < is->n_nodes; k++) memset(sum + 6 * node[k], 0, 6 * sizeof *sum);
  xs_global_add_transposed_island(g, is, y, sum);
}

/* Inequality rows that would pull, or be violated, change sides, each once an iteration.
 * Returns whether any did. */
static int change_sides(xs_global *g, const island *is, xs_system *system) {
  if (!is->inequalities) return 0;
  int any = 0;
  transpose(g, is, g->rhs, system->momentum);
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    const int row = block->first_row;
    if (block->bound != XS_BOUND_BOX || g->changed[b]) continue;
    const double to = system->lambda[row] + g->rhs[row];
    const int pulls =
        !g->left_out[b] && system->lambda[row] == 0 && to != xs_system_clamped(block, to);
    if (!pulls && !(g->left_out[b] && g->C[row] + change_of(g, system, b) < 0)) continue;
    g->changed[b] = 1;
    g->left_out[b] = !g->left_out[b];
    any = 1;
  }
  return any;
}

/* Whether an inequality row takes part: the rank read at the start knew nothing of it. */
static int any_left_in(const xs_global *g, const island *is) {
  for (int p = 0; p < is->n_places && is->inequalities; p++) {
    const int b = block_at(g, is, p);
    if (g->block[b].bound == XS_BOUND_BOX && !g->left_out[b]) return 1;
  }
  return 0;
}

static void correct_island(xs_global *g, island *is, xs_system *system, const double *residual,
                           const double *d) {
  find_left_out(g, is, system);
  for (int again = 0, first = 1; first || again; first = 0) {
    fill_diagonal(g, is, system);
    /* Rows that joined may depend on others: their rank is read with the new set. */
    if (again || any_left_in(g, is)) xs_global_drop_dependent_island(g, is, g->diagonal);
    fill_rhs(g, is, residual, d);
    xs_global_solve_island(g, is, g->diagonal, g->rhs);
    again = !is->failed && change_sides(g, is, system);
  }
  advance_lambda(g, is, system, g->rhs);
}

/* What islands have noted goes to the system. */
static void tell(xs_global *g, xs_system *system) {
  for (int i = 0; i < g->n_islands; i++) {
    if (g->island[i].suspect || g->island[i].failed) system->suspect = 1;
    g->island[i].suspect = 0;
  }
  const int failed = xs_global_first_failed(g);
  if (failed >= 0 && system->singular < 0) system->singular = g->block[failed].entity;
}

static void correct_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) correct_island(p->g, &p->g->island[i], p->system, p->in, p->d);
}

const double *xs_global_correct(xs_global *g, xs_system *system, const double *residual,
                                const double *d) {
  g->in_force = g->diagonal;
  each_island(g, correct_pass, &(pass){.g = g, .system = system, .in = residual, .d = d});
  tell(g, system);
  return g->rhs;
}

/* r_C = C + alpha~ lambda into g->residual. */
static void fill_residual(xs_global *g, const island *is, const xs_system *system) {
  for (int p = 0; p < is->n_places; p++) {
    const xs_row_block *block = &g->block[block_at(g, is, p)];
    for (int i = block->first_row; i < block->first_row + block->n_rows; i++)
      g->residual[i] = g->C[i] + system->softness[i] * system->lambda[i];
  }
}

/* What the prediction has left out of rods' torques, to the nodes of the island. */
static void add_couples(const xs_global *g, const island *is, xs_system *system) {
  for (int k = 0; k < is->n_nodes; k++) {
    const int node = g->by_island[is->first_node + k];
    if (node <= g->world->n_bodies) continue;
    double *m = system->momentum + 6 * node;
    const xs_vec3 couple = system->couple[node];
    m[3] += couple.x, m[4] += couple.y, m[5] += couple.z;
  }
}

/* An iteration of one island while its rows and nodes are in the cache. */
static void iterate_island(const pass *p, island *is) {
  xs_global *g = p->g;
  xs_system *system = p->system;
  if (!p->d) xs_global_evaluate_island(g, is, p->x, g->G);
  fill_residual(g, is, system);
  correct_island(g, is, system, g->residual, p->corrected ? p->d : NULL);
  transpose(g, is, p->corrected ? system->lambda : g->rhs, system->momentum);
  if (p->corrected) add_couples(g, is, system);
  xs_system_displace(system, p->x, is->n_nodes, g->by_island + is->first_node, p->corrected);
}

static void iterate_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) iterate_island(p, &p->g->island[i]);
}

void xs_global_iterate(xs_global *g, xs_system *system, xs_pose *x, int corrected) {
  pass p = {.g = g, .system = system, .x = x};
  if (corrected) { /* evaluated for all before any moves: it goes on in all, or in none */
    xs_global_evaluate(g, x);
    p.corrected = contracts(g, system, x);
    p.d = g->displaced;
  }
  g->in_force = g->diagonal;
  each_island(g, iterate_pass, &p);
  tell(g, system);
}
