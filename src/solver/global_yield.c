/* How islands yield to forces on their nodes: what contacts need of them (global.h). */
#include <math.h>
#include <string.h>

#include "solver/global_private.h"

int xs_global_n_islands(const xs_global *g) { return g->n_islands; }

int xs_global_island_of(const xs_global *g, int node) {
  const int i = g->island_of_node[node];
  return i >= 0 && !g->island[i].failed ? i : -1;
}

int xs_global_island_rows(const xs_global *g, int i) { return g->island[i].band.n; }

int xs_global_island_nodes(const xs_global *g, int i, const int **node) {
  *node = g->by_island + g->island[i].first_node;
  return g->island[i].n_nodes;
}

/* The part of one node that both have: H += Gb M^-1 Ga^T. */
static void couple_node(const xs_inertia *inertia, int nb, const double *Gb, int na,
                        const double *Ga, int rows, double *H) {
  const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                       inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
  for (int r = 0; r < nb; r++)
    for (int c = 0; c < 6; c++) {
      const double wg = w[c] * Gb[c * nb + r];
      for (int a = 0; a < na; a++) H[r * rows + a] += wg * Ga[c * na + a];
    }
}

void xs_global_couple(const xs_global *g, int i, const xs_row_block *block, const double *Gb,
                      double *H) {
  const island *is = &g->island[i];
  const int rows = is->band.n, nb = block->n_rows;
  memset(H, 0, (size_t)(nb * rows) * sizeof *H);
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p], na = g->block[b].n_rows;
    if (g->left_out[b]) continue;
    for (int ka = 0; ka < g->block[b].n_nodes; ka++) {
      const int node = g->block[b].node[ka];
      if (g->world->inertia[node].inv_mass == 0) continue;
      for (int kb = 0; kb < block->n_nodes; kb++)
        if (block->node[kb] == node)
          couple_node(&g->world->inertia[node], nb, Gb + kb * 6 * nb, na,
                      g->G + g->at[b] + ka * 6 * na, rows, H + g->place_row[b]);
    }
  }
}

void xs_global_divide(const xs_global *g, int i, double *b) {
  const island *is = &g->island[i];
  is->factoring->solve(is, b);
}

void xs_global_yield(const xs_global *g, int i, const double *y, double *momentum, double *lambda) {
  const island *is = &g->island[i];
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p];
    const xs_row_block *block = &g->block[b];
    const int n = block->n_rows;
    const double *yb = y + g->place_row[b], *G = g->G + g->at[b];
    if (g->left_out[b]) continue;
    for (int r = 0; r < n; r++) lambda[block->first_row + r] -= yb[r];
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < n; r++)
          momentum[6 * block->node[k] + c] -= G[(k * 6 + c) * n + r] * yb[r];
  }
}

int xs_global_has_stops(const xs_global *g, int i) {
  const island *is = &g->island[i];
  for (int p = is->first_place; p < is->first_place + is->n_places; p++)
    if (g->block[g->order[p]].bound == XS_BOUND_BOX && !g->left_out[g->order[p]]) return 1;
  return 0;
}

/* Below this part of what the row carries, a pull is round-off. */
#define PULL_ROUND_OFF 1e-12

int xs_global_pulled(const xs_global *g, int i, const double *y, const double *lambda) {
  const island *is = &g->island[i];
  int worst = -1;
  double most = 0;
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p];
    const xs_row_block *block = &g->block[b];
    if (block->bound != XS_BOUND_BOX || g->left_out[b]) continue;
    const double has = lambda[block->first_row], to = has - y[g->place_row[b]];
    const double pull = fabs(to - xs_system_clamped(block, to));
    if (pull > most && pull > PULL_ROUND_OFF * fabs(has)) most = pull, worst = b;
  }
  return worst;
}

/* rhs of the island's rows = G M^-1 momentum */
static void image_of(const xs_global *g, const island *is, const double *momentum, double *rhs) {
  memset(rhs, 0, (size_t)is->band.n * sizeof *rhs);
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p], n = g->block[b].n_rows;
    if (g->left_out[b]) continue;
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      const xs_inertia *inertia = &g->world->inertia[g->block[b].node[k]];
      const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                           inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
      const double *m = momentum + 6 * g->block[b].node[k], *G = g->G + g->at[b] + 6 * k * n;
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < n; r++) rhs[g->place_row[b] + r] += G[c * n + r] * w[c] * m[c];
    }
  }
}

void xs_global_let_go(xs_global *g, int i, int b, double *momentum, double *lambda) {
  island *is = &g->island[i];
  const xs_row_block *block = &g->block[b];
  const double carried = lambda[block->first_row], *G = g->G + g->at[b];
  for (int k = 0; k < block->n_nodes; k++)
    for (int c = 0; c < 6; c++)
      if (g->world->inertia[block->node[k]].inv_mass > 0)
        momentum[6 * block->node[k] + c] -= G[6 * k + c] * carried;
  lambda[block->first_row] = 0;

  xs_global_leave_out(g, is, b);
  if (is->failed) return;

  image_of(g, is, momentum, g->b);
  is->factoring->solve(is, g->b);
  xs_global_yield(g, i, g->b, momentum, lambda);
}
