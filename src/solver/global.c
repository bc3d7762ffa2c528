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

/* ---- Loops over islands ----
 * Islands share no node that can move, no row and no work space, so that threads may take them; a
 * node that cannot move has no sum in them. */

/* What a loop's task needs. */
typedef struct pass {
  xs_global *g;
  xs_system *system;
  xs_pose *x;
  const xs_pose *at;
  const double *in, *d;
  double *out;
  xs_state *state;
  int corrected;
} pass;

static void each_island(const xs_global *g, xs_pool_task *task, pass *context) {
  xs_pool_run(g->world->pool, g->n_islands, 1, task, context);
}

static int can_move(const xs_global *g, int node) { return g->world->inertia[node].inv_mass > 0; }

/* The island's b-th block in its order. */
static int block_at(const xs_global *g, const island *is, int p) {
  return g->order[is->first_place + p];
}

static void evaluate_island(const xs_global *g, const island *is, const xs_pose *x, double *G) {
  for (int p = 0; p < is->n_places; p++) {
    const int b = block_at(g, is, p);
    const xs_row_block *block = &g->block[b];
    block->kind->evaluate(block, x, 0, block->n_rows, g->C + block->first_row, G + g->at[b]);
  }
}

static void evaluate_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) evaluate_island(p->g, &p->g->island[i], p->at, p->out);
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

static void assemble(xs_global *g, const island *is, const double *diagonal) {
  const xs_band *band = &is->band;
  const int ld = band->kd + 1;
  double W[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
  for (int p = is->first_product; p < is->first_product + is->n_products; p++) {
    const product *q = &g->product[p];
    const int na = g->block[q->a].n_rows, nb = g->block[q->b].n_rows;
    const int row = g->place_row[q->a], column = g->place_row[q->b], itself = q->a == q->b;
    /* A block's own product is the first into its columns: cleared now, they are in the cache. */
    if (itself) memset(band->AB + ld * column, 0, (size_t)(ld * nb) * sizeof(double));
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
static void solve_island(xs_global *g, island *is, const double *diagonal, double *rhs) {
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
static int first_failed(const xs_global *g) {
  for (int i = 0; i < g->n_islands; i++)
    if (g->island[i].failed) return block_at(g, &g->island[i], 0);
  return -1;
}

static void solve_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) solve_island(p->g, &p->g->island[i], p->in, p->out);
}

int xs_global_solve(xs_global *g, const double *diagonal, double *rhs) {
  g->in_force = diagonal;
  each_island(g, solve_pass, &(pass){.g = g, .in = diagonal, .out = rhs});
  return first_failed(g);
}

static void factor_pass(void *pass_, int begin, int end) {
  const pass *p = pass_;
  for (int i = begin; i < end; i++) (void)factor_island(p->g, &p->g->island[i], p->in);
}

int xs_global_factor(xs_global *g, const double *diagonal) {
  g->in_force = diagonal;
  each_island(g, factor_pass, &(pass){.g = g, .in = diagonal});
  return first_failed(g);
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

/* What is not finite shows later. */
static void drop_dependent(xs_global *g, island *is, const double *diagonal) {
  if (!is->loops) return;
  assemble(g, is, diagonal);
  xs_band_read_rank(&is->band, DEPENDENT);
}

void xs_global_drop_dependent(xs_global *g, const double *diagonal) {
  for (int i = 0; i < g->n_islands; i++) drop_dependent(g, &g->island[i], diagonal);
}

void xs_global_read_rank(xs_global *g, const xs_system *system, const xs_pose *x) {
  for (int i = 0; i < g->n_islands; i++) {
    island *is = &g->island[i];
    if (!is->loops) continue;
    evaluate_island(g, is, x, g->G);
    find_left_out(g, is, system);
    fill_diagonal(g, is, system);
    drop_dependent(g, is, g->diagonal);
  }
}

static void add_transposed(const xs_global *g, const island *is, const double *y, double *sum) {
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
  for (int i = begin; i < end; i++) add_transposed(p->g, &p->g->island[i], p->in, p->out);
}

void xs_global_add_transposed(const xs_global *g, const double *y, double *sum) {
  each_island(g, transposed_pass, &(pass){.g = (xs_global *)g, .in = y, .out = sum});
}

static void add_displaced(const xs_global *g, const island *is, const double *d, double *rhs) {
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
  for (int i = 0; i < g->n_islands; i++) add_displaced(g, &g->island[i], d, rhs);
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
  if (d) add_displaced(g, is, d, g->rhs);
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
  add_transposed(g, is, y, sum);
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
    if (again || any_left_in(g, is)) drop_dependent(g, is, g->diagonal);
    fill_rhs(g, is, residual, d);
    solve_island(g, is, g->diagonal, g->rhs);
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
  const int failed = first_failed(g);
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
  if (!p->d) evaluate_island(g, is, p->x, g->G);
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
