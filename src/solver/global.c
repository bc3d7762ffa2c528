/* Islands' equations: evaluated, assembled, factored and solved every iteration (global.h,
 * global_private.h). */
#include <math.h>
#include <string.h>

#include "math/product.h"
#include "math/so3.h"
#include "solver/global_private.h"

/* Pivots below this part of their row's diagonal count as dependent. On the manifold they
 * are round-off (1e-16); rows that are independent but nearly aligned stay above. Any value
 * from 1e-12 to 1e-6 gives the same motion; smaller ones let force spikes through. */
#define DEPENDENT 1e-9
/* Parts of the forces on a node that its elements' forces may be rounded by, times some. */
#define ROUND_OFF 1e-13
static void evaluate(const xs_global *g, const xs_pose *x, double *G) {
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    block->kind->evaluate(block, x, 0, block->n_rows, g->C + block->first_row, G + g->at[b]);
  }
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
  copy_rows(g, is, rhs, g->b, 1);
  is->factoring->solve(is, g->b);
  copy_rows(g, is, rhs, g->b, 0);
}

int xs_global_solve(xs_global *g, const double *diagonal, double *rhs) {
  int failed = -1;
  g->in_force = diagonal;
  for (int i = 0; i < g->n_islands; i++) {
    island *is = &g->island[i];
    assemble(g, is, diagonal);
    is->failed = is->factoring->factor(is) >= 0;
    if (!is->failed) {
      back(g, is, rhs);
      continue;
    }
    if (failed < 0) failed = g->order[is->first_place];
    copy_rows(g, is, rhs, memset(g->b, 0, (size_t)is->band.n * sizeof(double)), 0);
  }
  return failed;
}

/* Reads the rank anew; 0 if the island has no factor. */
static int factor_island(xs_global *g, island *is, const double *diagonal) {
  assemble(g, is, diagonal);
  is->failed =
      (is->loops ? xs_band_read_rank(&is->band, DEPENDENT) : is->factoring->factor(is)) >= 0;
  return !is->failed;
}

int xs_global_factor(xs_global *g, const double *diagonal) {
  int failed = -1;
  g->in_force = diagonal;
  for (int i = 0; i < g->n_islands; i++)
    if (!factor_island(g, &g->island[i], diagonal) && failed < 0)
      failed = g->order[g->island[i].first_place];
  return failed;
}

void xs_global_leave_out(xs_global *g, island *is, int b) {
  g->left_out[b] = 1;
  memcpy(g->diagonal, g->in_force, (size_t)g->n_rows * sizeof *g->diagonal);
  g->in_force = g->diagonal;
  g->diagonal[g->block[b].first_row] = 1;
  (void)factor_island(g, is, g->diagonal);
}

void xs_global_back(xs_global *g, double *rhs) {
  for (int i = 0; i < g->n_islands; i++) back(g, &g->island[i], rhs);
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

/* alpha~ of every row; 1 for a row that is left out, which then only solves 0 = 0. */
static void fill_diagonal(xs_global *g, const xs_system *system) {
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    for (int r = 0; r < block->n_rows; r++)
      g->diagonal[block->first_row + r] =
          g->left_out[b] ? 1 : system->softness[block->first_row + r];
  }
}

/* Inequality rows that take no part at the values at hand. */
static void find_left_out(xs_global *g, const xs_system *system) {
  memset(g->changed, 0, (size_t)g->n_blocks);
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    g->left_out[b] = (unsigned char)xs_system_inactive(block, g->C[block->first_row],
                                                       system->lambda[block->first_row]);
  }
}

void xs_global_drop_dependent(xs_global *g, const double *diagonal) {
  for (int i = 0; i < g->n_islands; i++) {
    if (!g->island[i].loops) continue;
    assemble(g, &g->island[i], diagonal);
    xs_band_read_rank(&g->island[i].band, DEPENDENT); /* what is not finite shows later */
  }
}

void xs_global_read_rank(xs_global *g, const xs_system *system, const xs_pose *x) {
  int any = 0;
  for (int i = 0; i < g->n_islands; i++) any |= g->island[i].loops;
  if (!any) return;
  xs_global_evaluate(g, x);
  find_left_out(g, system);
  fill_diagonal(g, system);
  xs_global_drop_dependent(g, g->diagonal);
}

void xs_global_add_transposed(const xs_global *g, const double *y, double *sum) {
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b], *yb = y + block->first_row;
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++, G += block->n_rows)
        sum[6 * block->node[k] + c] += xs_lanes_dot(block->n_rows, G, yb);
  }
}

void xs_global_add_displaced(const xs_global *g, const double *d, double *rhs) {
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b];
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          rhs[block->first_row + r] +=
              G[(k * 6 + c) * block->n_rows + r] * d[6 * block->node[k] + c];
  }
}

/* lambda += dlambda, inequality rows clamped; dlambda becomes what was applied. Notes what
 * is far off or not finite. */
static void advance_lambda(xs_global *g, xs_system *system, double *dlambda) {
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    double *lambda = system->lambda + block->first_row, *d = dlambda + block->first_row;
    const double *C = g->C + block->first_row;
    double size2 = 0;
    for (int r = 0; r < block->n_rows; r++) {
      size2 += C[r] * C[r];
      double to = xs_system_clamped(block, lambda[r] + d[r]);
      d[r] = to - lambda[r];
      lambda[r] = to;
    }
    if (!(size2 <= system->torn2[block->entity])) system->suspect = 1;
  }
}

/* Squared M-norm of the round-off in M^-1 G^T lambda: forces of neighbouring elements, which
 * cancel each other to what moves the node between them, are rounded before they do. */
static double round_off(const xs_global *g, const xs_system *system) {
  double *sum = system->momentum, size2 = 0;
  memset(sum, 0, 6 * (size_t)system->world->n_nodes * sizeof *sum);
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    const double *G = g->G + g->at[b], *lambda = system->lambda + block->first_row;
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          sum[6 * block->node[k] + c] += fabs(G[(k * 6 + c) * block->n_rows + r] * lambda[r]);
  }
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
static int contracts(const xs_global *g, xs_system *system, const xs_pose *x) {
  const double floor2 = round_off(g, system);
  memset(system->momentum, 0, 6 * (size_t)system->world->n_nodes * sizeof(double));
  xs_global_add_transposed(g, system->lambda, system->momentum);
  xs_system_primal_displacement(system, x);
  xs_system_rate_displacement(system, &system->by_islands, 1, floor2);
  memcpy(g->displaced, system->momentum, 6 * (size_t)system->world->n_nodes * sizeof(double));
  return !system->by_islands.plain;
}

/* -r_C + G d, with rows that take no part 0, into g->rhs. */
static void fill_rhs(xs_global *g, const double *residual, const double *d) {
  for (int b = 0; b < g->n_blocks; b++)
    for (int i = g->block[b].first_row; i < g->block[b].first_row + g->block[b].n_rows; i++)
      g->rhs[i] = -residual[i];
  if (d) xs_global_add_displaced(g, d, g->rhs);
  for (int b = 0; b < g->n_blocks; b++)
    if (g->left_out[b]) g->rhs[g->block[b].first_row] = 0;
}

/* The change of an inequality row, to first order, by the dlambda of all rows; momentum
 * holds G^T dlambda. (What the corrected update moves besides vanishes as it converges.) */
static double change_of(const xs_global *g, const xs_system *system, int b) {
  const xs_row_block *block = &g->block[b];
  const double *G = g->G + g->at[b];
  double change = 0;
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_inertia *inertia = &system->world->inertia[block->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    const double *m = system->momentum + 6 * block->node[k];
    for (int c = 0; c < 6; c++) change += G[(k * 6 + c) * block->n_rows] * w[c] * m[c];
  }
  return change;
}

/* Inequality rows that would pull, or be violated, change sides, each once an iteration.
 * Returns whether any did. */
static int change_sides(xs_global *g, xs_system *system) {
  int any = 0;
  for (int b = 0; b < g->n_blocks && !any; b++) any = g->block[b].bound == XS_BOUND_BOX;
  if (!any) return 0;
  memset(system->momentum, 0, 6 * (size_t)system->world->n_nodes * sizeof(double));
  xs_global_add_transposed(g, g->rhs, system->momentum);
  any = 0;
  for (int b = 0; b < g->n_blocks; b++) {
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

static void add_couples(xs_system *system) {
  for (int i = 1 + system->world->n_bodies; i < system->world->n_nodes; i++) {
    double *m = system->momentum + 6 * i;
    m[3] += system->couple[i].x, m[4] += system->couple[i].y, m[5] += system->couple[i].z;
  }
}

/* Whether an inequality row takes part: the rank read at the start knew nothing of it. */
static int any_left_in(const xs_global *g) {
  for (int b = 0; b < g->n_blocks; b++)
    if (g->block[b].bound == XS_BOUND_BOX && !g->left_out[b]) return 1;
  return 0;
}

const double *xs_global_correct(xs_global *g, xs_system *system, const double *residual,
                                const double *d) {
  int failed = -1;
  find_left_out(g, system);
  for (int again = 0, first = 1; first || again; first = 0) {
    fill_diagonal(g, system);
    /* Rows that joined may depend on others: their rank is read with the new set. */
    if (again || any_left_in(g)) xs_global_drop_dependent(g, g->diagonal);
    fill_rhs(g, residual, d);
    failed = xs_global_solve(g, g->diagonal, g->rhs);
    again = failed < 0 && change_sides(g, system);
  }
  if (failed >= 0) {
    system->suspect = 1;
    if (system->singular < 0) system->singular = g->block[failed].entity;
  }
  advance_lambda(g, system, g->rhs);
  return g->rhs;
}

/* r_C = C + alpha~ lambda into g->residual. */
static void fill_residual(xs_global *g, const xs_system *system) {
  for (int b = 0; b < g->n_blocks; b++)
    for (int i = g->block[b].first_row; i < g->block[b].first_row + g->block[b].n_rows; i++)
      g->residual[i] = g->C[i] + system->softness[i] * system->lambda[i];
}

void xs_global_iterate(xs_global *g, xs_system *system, xs_pose *x, int corrected) {
  xs_global_evaluate(g, x);
  if (corrected) corrected = contracts(g, system, x);
  fill_residual(g, system);
  const double *dlambda =
      xs_global_correct(g, system, g->residual, corrected ? g->displaced : NULL);
  memset(system->momentum, 0, 6 * (size_t)system->world->n_nodes * sizeof(double));
  xs_global_add_transposed(g, corrected ? system->lambda : dlambda, system->momentum);
  if (corrected) add_couples(system);
  xs_system_displace(system, x, g->n_nodes, g->node, corrected);
}

void xs_global_kick(const xs_global *g, const double *y, xs_state *state) {
  for (int b = 0; b < g->n_blocks; b++) {
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
