/* Islands' matrices: rows evaluated, A = G M^-1 G^T assembled, factored and solved; products with G
 * (global.h, global_private.h). */
#include <math.h>
#include <string.h>

#include "math/product.h"
#include "solver/global_private.h"

/* Pivots below this part of their row's diagonal count as dependent. On the manifold they
 * are round-off (1e-16); rows that are independent but nearly aligned stay above. Any value
 * from 1e-12 to 1e-6 gives the same motion; smaller ones let force spikes through. */
#define DEPENDENT 1e-9

void xs_global_evaluate_island(const xs_global *g, const island *is, const xs_pose *x, double *G) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    block->kind->evaluate(block, x, 0, block->n_rows, g->C + block->first_row, G + g->at[b]);
  }
}

static void evaluate_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++)
    xs_global_evaluate_island(p->g, &p->g->island[i], p->at, p->out);
}

static void evaluate(xs_global *g, const xs_pose *x, double *G) {
  each_island(g, evaluate_pass, &(pass){.g = g, .at = x, .out = G});
}

void xs_global_evaluate(xs_global *g, const xs_pose *x) { evaluate(g, x, g->G); }

xs_status xs_global_add_ahead(xs_global *g, xs_arena *arena, xs_report *report) {
  g->ahead = XS_ARENA_NEW(arena, double, g->at[g->n_blocks]);
  if (g->ahead) return XS_OK;
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for gradients");
}

void xs_global_evaluate_ahead(xs_global *g, const xs_pose *x) { evaluate(g, x, g->ahead); }

void xs_global_step_ahead(xs_global *g) {
  double *G = g->G;
  g->G = g->ahead;
  g->ahead = G;
}

const double *xs_global_gradient(const xs_global *g, int b) { return g->G + g->at[b]; }
const double *xs_global_gradient_before(const xs_global *g, int b) { return g->ahead + g->at[b]; }
double *xs_global_rows(xs_global *g, int b) { return g->G + g->at[b]; }
const double *xs_global_value(const xs_global *g, int b) { return g->C + g->block[b].first_row; }

/* W = G M^-1 of a block, laid out as G. */
static void weigh(const xs_global *g, int b, double *W) {
  const xs_row_block *block = &g->block[b];
  const double *G = g->G + g->at[b];
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_inertia *inertia = &g->world->inertia[block->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    for (int c = 0; c < 6; c++, W += block->n_rows, G += block->n_rows)
      xs_lanes_scale(block->n_rows, w[c], G, W);
  }
}

/* Columns first .. end - 1, down to where the matrix and its factor have entries. */
static void clear_columns(const xs_band *band, int first, int end) {
  const int ld = band->kd + 1;
  if (!band->reach) {
    memset(band->AB + ld * first, 0, (size_t)(ld * (end - first)) * sizeof(double));
    return;
  }
  for (int j = first; j < end; j++) {
    const xs_band_reach *reach = &band->reach[j];
    double *column = band->AB + ld * j - j; /* by row */
    memset(column + j, 0, (size_t)(reach->near - j) * sizeof(double));
    memset(column + reach->far, 0, (size_t)(reach->end - reach->far) * sizeof(double));
  }
}

static void assemble(xs_global *g, const island *is, const double *diagonal) {
  const xs_band *band = &is->band;
  const int ld = band->kd + 1;
  double W[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
  for (int p = is->first_product; p < is->first_product + is->n_products; p++) {
    const product *q = &g->product[p];
    const int na = g->block[q->a].n_rows, nb = g->block[q->b].n_rows;
    const int row = g->place_row[q->a], column = g->place_row[q->b], itself = q->a == q->b;
    /* A block's own product is the first into its columns: cleared now, they are in the cache. */
    if (itself) clear_columns(band, column, column + nb);
    if (g->left_out[q->a] || g->left_out[q->b]) continue;
    const int n_nodes = itself ? g->block[q->a].n_nodes : 1;
    if (itself) weigh(g, q->b, W); /* for its products with others, too, which follow */
    const int turns = g->block[q->a].kind->turns_in_sixes && g->block[q->b].kind->turns_in_sixes;
    xs_product_add(band->AB + row + band->kd * column, band->kd, itself,
                   turns ? XS_PRODUCT_LOWER_LEFT : XS_PRODUCT_FULL, 6 * n_nodes, na,
                   g->G + g->at[q->a] + q->ka * 6 * na, nb, W + q->kb * 6 * nb);
  }
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const xs_row_block *block = &g->block[g->order[p]];
    double *target = band->AB + ld * g->place_row[g->order[p]];
    for (int r = 0; r < block->n_rows; r++) target[ld * r] += diagonal[block->first_row + r];
  }
}

/* Between a vector by first_row and an island's. */
static void copy_rows(const xs_global *g, const island *is, double *by_row, double *by_place,
                      int to_place) {
  for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
    const xs_row_block *block = &g->block[g->order[p]];
    double *row = by_row + block->first_row, *place = by_place + g->place_row[g->order[p]];
    for (int r = 0; r < block->n_rows; r++) {
      if (to_place)
        place[r] = row[r];
      else
        row[r] = place[r];
    }
  }
}

static void back(xs_global *g, const island *is, double *rhs) {
  double *b = g->b + is->first_rhs;
  copy_rows(g, is, rhs, b, 1);
  is->factoring->solve(is, b);
  copy_rows(g, is, rhs, b, 0);
}

/* Factors with the rows dropped that are known to depend on others, and solves; 0 where there is no
 * factor. */
void xs_global_solve_island(xs_global *g, island *is, const double *diagonal, double *rhs) {
  assemble(g, is, diagonal);
  is->failed = is->factoring->factor(is) >= 0;
  if (!is->failed) {
    back(g, is, rhs);
    return;
  }
  double *b = g->b + is->first_rhs;
  copy_rows(g, is, rhs, memset(b, 0, (size_t)is->band.n * sizeof *b), 0);
}

/* Reads the rank anew; 0 if the island has no factor. */
static int factor_island(xs_global *g, island *is, const double *diagonal) {
  assemble(g, is, diagonal);
  is->failed =
      (is->loops ? xs_band_read_rank(&is->band, DEPENDENT) : is->factoring->factor(is)) >= 0;
  return !is->failed;
}

/* A block of the first island that has no factor, or -1. */
int xs_global_first_failed(const xs_global *g) {
  for (int i = 0; i < g->n_islands; i++)
    if (g->island[i].failed) return block_at(g, &g->island[i], 0);
  return -1;
}

static void solve_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) xs_global_solve_island(p->g, &p->g->island[i], p->in, p->out);
}

int xs_global_solve(xs_global *g, const double *diagonal, double *rhs) {
  g->in_force = diagonal;
  each_island(g, solve_pass, &(pass){.g = g, .in = diagonal, .out = rhs});
  return xs_global_first_failed(g);
}

static void factor_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) (void)factor_island(p->g, &p->g->island[i], p->in);
}

int xs_global_factor(xs_global *g, const double *diagonal) {
  g->in_force = diagonal;
  each_island(g, factor_pass, &(pass){.g = g, .in = diagonal});
  return xs_global_first_failed(g);
}

void xs_global_leave_out(xs_global *g, island *is, int b) {
  g->left_out[b] = 1;
  memcpy(g->diagonal, g->in_force, (size_t)g->n_rows * sizeof *g->diagonal);
  g->in_force = g->diagonal;
  g->diagonal[g->block[b].first_row] = 1;
  (void)factor_island(g, is, g->diagonal);
}

static void back_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) back(p->g, &p->g->island[i], p->out);
}

void xs_global_back(xs_global *g, double *rhs) {
  each_island(g, back_pass, &(pass){.g = g, .out = rhs});
}

/* Adds |A_ij| to the sums of both rows, each where the other is chosen. */
static void add_to_sums(const island *is, const unsigned char *chosen, double *sum) {
  const xs_band *band = &is->band;
  for (int j = 0; j < band->n; j++) {
    const double *column = band->AB + (band->kd + 1) * j;
    const int below = band->n - 1 - j < band->kd ? band->n - 1 - j : band->kd;
    for (int k = 0; k <= below; k++) {
      const double size = fabs(column[k]);
      if (chosen[j]) sum[j + k] += size;
      if (k > 0 && chosen[j + k]) sum[j] += size;
    }
  }
}

void xs_global_row_sums(xs_global *g, const unsigned char *chosen, double *diagonal, double *sum) {
  memset(g->diagonal, 0, (size_t)g->n_rows * sizeof *g->diagonal);
  for (int i = 0; i < g->n_islands; i++) {
    island *is = &g->island[i];
    assemble(g, is, g->diagonal);
    /* In the island's order: chosen as flags of the band, sums into b. */
    for (int p = is->first_place; p < is->first_place + is->n_places; p++) {
      const xs_row_block *block = &g->block[g->order[p]];
      for (int r = 0; r < block->n_rows; r++)
        g->chosen[g->place_row[g->order[p]] + r] = chosen[block->first_row + r];
    }
    memset(g->b, 0, (size_t)is->band.n * sizeof *g->b);
    add_to_sums(is, g->chosen, g->b);
    copy_rows(g, is, sum, g->b, 0);
    for (int j = 0; j < is->band.n; j++) g->b[j] = is->band.AB[(is->band.kd + 1) * j];
    copy_rows(g, is, diagonal, g->b, 0);
  }
}

/* What is not finite shows later. */
void xs_global_drop_dependent_island(xs_global *g, island *is, const double *diagonal) {
  if (!is->loops) return;
  assemble(g, is, diagonal);
  xs_band_read_rank(&is->band, DEPENDENT);
}

void xs_global_drop_dependent(xs_global *g, const double *diagonal) {
  for (int i = 0; i < g->n_islands; i++)
    xs_global_drop_dependent_island(g, &g->island[i], diagonal);
}

void xs_global_add_transposed_island(const xs_global *g, const island *is, const double *y,
                                     double *sum) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b], *yb = y + block->first_row;
    for (int k = 0; k < block->n_nodes; k++, G += 6 * block->n_rows) {
      if (!can_move(g, block->node[k])) continue;
      double *to = sum + 6 * block->node[k];
      for (int c = 0; c < 6; c++) to[c] += xs_lanes_dot(block->n_rows, G + c * block->n_rows, yb);
    }
  }
}

static void transposed_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++)
    xs_global_add_transposed_island(p->g, &p->g->island[i], p->in, p->out);
}

void xs_global_add_transposed(const xs_global *g, const double *y, double *sum) {
  each_island(g, transposed_pass, &(pass){.g = (xs_global *)g, .in = y, .out = sum});
}

void xs_global_add_displaced_island(const xs_global *g, const island *is, const double *d,
                                    double *rhs) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b];
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          rhs[block->first_row + r] +=
              G[(k * 6 + c) * block->n_rows + r] * d[6 * block->node[k] + c];
  }
}

void xs_global_add_displaced(const xs_global *g, const double *d, double *rhs) {
  for (int i = 0; i < g->n_islands; i++) xs_global_add_displaced_island(g, &g->island[i], d, rhs);
}

static void kick(const xs_global *g, const island *is, const double *y, xs_state *state) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    const double *yb = y + block->first_row;
    for (int k = 0; k < block->n_nodes; k++) {
      const int node = block->node[k], n = block->n_rows;
      const xs_inertia *inertia = &g->world->inertia[node];
      if (inertia->inv_mass == 0) continue;
      const double *Gk = g->G + g->at[b] + k * 6 * n;
      double sum[6];
      for (int c = 0; c < 6; c++) sum[c] = xs_lanes_dot(n, Gk + c * n, yb);
      state->v[node] =
          xs_vec3_add_scaled(state->v[node], inertia->inv_mass, (xs_vec3){sum[0], sum[1], sum[2]});
      state->omega[node] = xs_vec3_add(
          state->omega[node], xs_vec3_mul(inertia->inv_moment, (xs_vec3){sum[3], sum[4], sum[5]}));
    }
  }
}

static void kick_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) kick(p->g, &p->g->island[i], p->in, p->state);
}

void xs_global_kick(const xs_global *g, const double *y, xs_state *state) {
  each_island(g, kick_pass, &(pass){.g = (xs_global *)g, .in = y, .state = state});
}
