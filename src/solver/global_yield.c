/* How islands yield to forces on their nodes: what contacts need of them (global.h). */
#include <math.h>
#include <string.h>

#include "math/lanes.h"
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

/* The part of one node that both have: H += Gb M^-1 Ga^T, row r in lane `lane + r`. */
static void couple_node(const xs_inertia *inertia, const xs_row_block *block, const double *Gb,
                        int n_rows, int na, const double *Ga, double *H, int rows, int lane) {
  const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                       inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
  for (int r = 0; r < n_rows; r++) {
    const int panel = (lane + r) / XS_BAND_LANES, place = (lane + r) % XS_BAND_LANES;
    double *column = H + (long)XS_BAND_LANES * rows * panel + place;
    for (int c = 0; c < 6; c++) {
      const double wg = w[c] * Gb[c * block->n_rows + r];
      if (wg == 0) continue;
      for (int a = 0; a < na; a++) column[XS_BAND_LANES * a] += wg * Ga[c * na + a];
    }
  }
}

int xs_global_couple(const xs_global *g, int i, const xs_row_block *block, const double *Gb,
                     int n_rows, int lane, double *H) {
  const incidence *inc = &g->incidence;
  const int rows = g->island[i].band.n;
  int first = rows;
  for (int kb = 0; kb < block->n_nodes; kb++) {
    const int node = block->node[kb];
    if (g->island_of_node[node] != i) continue;
    for (int p = inc->first[node]; p < inc->first[node + 1]; p++) {
      const int b = inc->block[p], na = g->block[b].n_rows, row = g->place_row[b];
      if (g->left_out[b]) continue;
      couple_node(&g->world->inertia[node], block, Gb + kb * 6 * block->n_rows, n_rows, na,
                  g->G + g->at[b] + inc->k[p] * 6 * na, H + (long)XS_BAND_LANES * row, rows, lane);
      if (row < first) first = row;
    }
  }
  return first;
}

void xs_global_forward(const xs_global *g, int i, int first, double *panel) {
  const island *is = &g->island[i];
  xs_band_lanes_forward(&is->band, is->factoring->cholesky, first, panel);
}

void xs_global_inner(const xs_global *g, int i, int first, const double *Y, const double *Z,
                     double *target) {
  const island *is = &g->island[i];
  xs_band_lanes_inner(&is->band, is->factoring->cholesky, first, Y, Z, target);
}

void xs_global_combine(const xs_global *g, int i, int first, const double *Z, const double *l,
                       double *sum) {
  xs_band_lanes_combine(&g->island[i].band, first, Z, l, sum);
}

void xs_global_backward(const xs_global *g, int i, double *b) {
  const island *is = &g->island[i];
  is->factoring->backward(is, b);
}

void xs_global_yield(const xs_global *g, int i, const double *y, double *momentum) {
  const island *is = &g->island[i];
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p], n = g->block[b].n_rows;
    const double *yb = y + g->place_row[b], *G = g->G + g->at[b];
    if (g->left_out[b]) continue;
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      double *m = momentum + 6 * g->block[b].node[k];
      for (int c = 0; c < 6; c++, G += n) m[c] -= xs_lanes_dot(n, G, yb);
    }
  }
}

void xs_global_take(const xs_global *g, int i, const double *y, double *lambda) {
  const island *is = &g->island[i];
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const int b = g->order[p];
    if (g->left_out[b]) continue;
    for (int r = 0; r < g->block[b].n_rows; r++)
      lambda[g->block[b].first_row + r] -= y[g->place_row[b] + r];
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
  xs_global_yield(g, i, g->b, momentum);
  xs_global_take(g, i, g->b, lambda);
}
