/* Islands: found once (global_private.h). */
#include <string.h>

#include "math/forest.h"
#include "math/rcm.h"
#include "solver/global_private.h"

/* From this half-bandwidth on LAPACK's blocked factor is faster than our own (bench/band.c,
 * bench/results/band.csv: ours takes 0.4 to 0.6 of its time at 5 to 35, 0.7 at 64, 1.5 at 80, where
 * dpbtrf has turned to blocks, 2.6 at 200). */
#define WIDE_FROM 72

static int list_incidences(const xs_global *g, xs_arena *arena, incidence *inc) {
  int n = g->world->n_nodes, total = 0;
  inc->first = XS_ARENA_NEW(arena, int, n + 2);
  if (!inc->first) return 0;
  for (int b = 0; b < g->n_blocks; b++)
    for (int k = 0; k < g->block[b].n_nodes; k++)
      if (g->world->inertia[g->block[b].node[k]].inv_mass > 0) {
        inc->first[g->block[b].node[k] + 2]++;
        total++;
      }
  inc->block = XS_ARENA_NEW(arena, int, total);
  inc->k = XS_ARENA_NEW(arena, int, total);
  if (!inc->block || !inc->k) return 0;
  for (int i = 0; i < n; i++) inc->first[i + 2] += inc->first[i + 1];
  for (int b = 0; b < g->n_blocks; b++)
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      int node = g->block[b].node[k];
      if (!(g->world->inertia[node].inv_mass > 0)) continue;
      int at = inc->first[node + 1]++;
      inc->block[at] = b;
      inc->k[at] = k;
    }
  return 1;
}

/* Blocks that share a moving node are neighbours; fills order and, by place, component. */
static int order_blocks(xs_global *g, const incidence *inc, int *component, xs_arena *arena) {
  int n = g->n_blocks, total = 0;
  int *first = XS_ARENA_NEW(arena, int, n + 1);
  if (!first) return -1;
  for (int b = 0; b < n; b++) {
    first[b] = total;
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      int node = g->block[b].node[k];
      total += inc->first[node + 1] - inc->first[node];
    }
  }
  first[n] = total;
  int *neighbour = XS_ARENA_NEW(arena, int, total);
  if (!neighbour) return -1;
  for (int b = 0, e = 0; b < n; b++)
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      int node = g->block[b].node[k];
      for (int i = inc->first[node]; i < inc->first[node + 1]; i++) neighbour[e++] = inc->block[i];
    }
  return xs_rcm_order(n, first, neighbour, g->order, component, arena);
}

/* Places of blocks and rows in their islands; islands' sizes. */
static void place_blocks(xs_global *g, const int *component, int *island_of) {
  int rows = 0;
  for (int p = 0; p < g->n_blocks; p++) {
    island *is = &g->island[component[p]];
    if (is->n_places++ == 0) {
      is->first_place = p;
      rows = 0;
    }
    g->place_row[g->order[p]] = rows;
    rows += g->block[g->order[p]].n_rows;
    is->band.n = rows;
    island_of[g->order[p]] = component[p];
    if (g->block[g->order[p]].bound == XS_BOUND_BOX) is->inequalities = 1;
  }
  for (int i = 1; i < g->n_islands; i++)
    g->island[i].first_rhs = g->island[i - 1].first_rhs + g->island[i - 1].band.n;
}

/* Products of all islands in the order of the columns they go to, and the half-bandwidths that
 * they need. */
static int list_products(xs_global *g, const incidence *inc, const int *island_of,
                         xs_arena *arena) {
  size_t total = (size_t)g->n_blocks;
  for (int i = 0; i < g->world->n_nodes; i++) {
    size_t n = (size_t)(inc->first[i + 1] - inc->first[i]);
    total += n * (n - (n > 0)) / 2;
  }
  g->product = XS_ARENA_NEW(arena, product, total);
  if (!g->product || total > 1u << 30) return 0;

  int n = 0;
  for (int p = 0; p < g->n_blocks; p++) {
    const int b = g->order[p], first = n;
    island *is = &g->island[island_of[b]];
    if (p == is->first_place) is->first_product = n;
    g->product[n++] = (product){b, 0, b, 0};
    for (int k = 0; k < g->block[b].n_nodes; k++) {
      const int node = g->block[b].node[k];
      for (int i = inc->first[node]; i < inc->first[node + 1]; i++)
        if (g->place_row[inc->block[i]] > g->place_row[b])
          g->product[n++] = (product){inc->block[i], inc->k[i], b, k};
    }
    for (int q = first; q < n; q++) {
      const int a = g->product[q].a;
      const int reach = g->place_row[a] + g->block[a].n_rows - 1 - g->place_row[b];
      if (reach > is->band.kd) is->band.kd = reach;
    }
    is->n_products += n - first;
  }
  return 1;
}

/* Joins what hard rows connect; a block that connects what was connected closes a loop. All
 * that cannot move counts as the ground. */
static int find_loops(xs_global *g, const int *island_of, xs_arena *arena) {
  int *parent = XS_ARENA_NEW(arena, int, g->world->n_nodes);
  if (!parent) return 0;
  for (int i = 0; i < g->world->n_nodes; i++)
    parent[i] = g->world->inertia[i].inv_mass > 0 ? i : XS_GROUND;
  for (int b = 0; b < g->n_blocks; b++) {
    const xs_row_block *block = &g->block[b];
    int hard = 0;
    for (int r = 0; r < block->n_rows; r++) hard |= !block->alpha || block->alpha[r] == 0;
    for (int k = 1; hard && block->bound == XS_BOUND_NONE && k < block->n_nodes; k++) {
      const int one = parent[block->node[0]], other = parent[block->node[k]];
      if (!xs_forest_join(parent, one, other)) g->island[island_of[b]].loops = 1;
    }
  }
  return 1;
}

/* Nodes that the blocks can move, in their order. */
static int list_nodes(xs_global *g, const incidence *inc, xs_arena *arena) {
  g->node = XS_ARENA_NEW(arena, int, g->world->n_nodes);
  if (!g->node) return 0;
  for (int i = 0; i < g->world->n_nodes; i++)
    if (inc->first[i + 1] > inc->first[i]) g->node[g->n_nodes++] = i;
  return 1;
}

static int list_island_nodes(xs_global *g, const incidence *inc, const int *island_of,
                             xs_arena *arena) {
  g->by_island = XS_ARENA_NEW(arena, int, g->n_nodes);
  g->island_of_node = XS_ARENA_NEW(arena, int, g->world->n_nodes);
  if (!g->by_island || !g->island_of_node) return 0;
  for (int i = 0; i < g->world->n_nodes; i++) {
    const int at = inc->first[i];
    g->island_of_node[i] = inc->first[i + 1] > at ? island_of[inc->block[at]] : -1;
  }
  for (int k = 0; k < g->n_nodes; k++) g->island[g->island_of_node[g->node[k]]].n_nodes++;
  for (int i = 1; i < g->n_islands; i++)
    g->island[i].first_node = g->island[i - 1].first_node + g->island[i - 1].n_nodes;
  for (int i = 0; i < g->n_islands; i++) g->island[i].n_nodes = 0;
  for (int k = 0; k < g->n_nodes; k++) {
    island *is = &g->island[g->island_of_node[g->node[k]]];
    g->by_island[is->first_node + is->n_nodes++] = g->node[k];
  }
  return 1;
}

/* ---- ways to factor ---- */

static int factor_own(island *is) { return xs_band_factor(&is->band); }
static int factor_lapack(island *is) { return xs_band_factor_lapack(&is->band); }
static int factor_parts(island *is) {
  return xs_band_factor_parts(&is->band, is->n_places, is->part);
}
static int factor_native(island *is) { return xs_band_native_factor(&is->native, &is->band); }

static void solve_own(const island *is, double *b) { xs_band_solve(&is->band, b); }
static void solve_lapack(const island *is, double *b) { xs_band_solve_lapack(&is->band, b); }
static void solve_native(const island *is, double *b) {
  xs_band_native_solve(&is->native, &is->band, b);
}

static void backward_own(const island *is, double *b) { xs_band_backward(&is->band, b); }
static void backward_lapack(const island *is, double *b) { xs_band_backward_lapack(&is->band, b); }
static void backward_native(const island *is, double *b) {
  xs_band_native_backward(&is->native, &is->band, b);
}

static const factoring own = {factor_own, solve_own, backward_own, 0};
static const factoring lapack = {factor_lapack, solve_lapack, backward_lapack, 1};
static const factoring lapack_parts = {factor_parts, solve_lapack, backward_lapack, 1};
static const factoring native = {factor_native, solve_native, backward_native, 0};

/* From this many rows a block on, LAPACK by blocks beats LAPACK's band (bench/results). */
#define PARTS_FROM 12

/* Says of each row's column where the factor has entries, if they leave a gap: of legs on a body
 * each is coupled with its own joint, which is far from some of them. */
static int list_reach(island *is, const int *low, const int *high, xs_arena *arena) {
  xs_band_reach *reach = XS_ARENA_NEW(arena, xs_band_reach, is->band.n);
  if (!reach) return 0;
  for (int p = 0; p < is->n_places; p++)
    for (int row = is->part[p]; row < is->part[p + 1]; row++) {
      reach[row] = (xs_band_reach){is->part[p + 1], low[p], high[p]};
      if (low[p] >= high[p]) reach[row].far = reach[row].end = is->part[p + 1];
    }
  is->band.reach = reach;
  return 1;
}

/* Chooses by what the island is: only our own factor can drop rows; short bands of mechanisms are
 * fastest by it, too. LAPACK takes rods whose blocks form a path of large enough blocks part by
 * part. place: work space, n_blocks. */
static int choose_factoring(const xs_global *g, island *is, int *place, xs_arena *arena) {
  is->factoring = &own;
  if (is->loops || (!is->rod && is->band.kd < WIDE_FROM)) return 1;

  int largest = 0, path = 1;
  int *low = XS_ARENA_NEW(arena, int, is->n_places); /* rows that a block couples with */
  int *high = XS_ARENA_NEW(arena, int, is->n_places);
  is->part = XS_ARENA_NEW(arena, int, is->n_places + 1);
  if (!low || !high || !is->part) return 0;
  for (int p = 0; p < is->n_places; p++) {
    const int b = g->order[is->first_place + p];
    place[b] = p;
    is->part[p] = g->place_row[b];
    low[p] = is->band.n;
    if (g->block[b].n_rows > largest) largest = g->block[b].n_rows;
  }
  is->part[is->n_places] = is->band.n;
  for (int q = is->first_product; q < is->first_product + is->n_products; q++) {
    const int a = g->product[q].a, p = place[g->product[q].b], row = g->place_row[a];
    if (place[a] == p) continue;
    path &= place[a] - p == 1;
    if (row < low[p]) low[p] = row;
    if (row + g->block[a].n_rows > high[p]) high[p] = row + g->block[a].n_rows;
  }
  if (xs_band_fill(is->n_places, is->part, low, high) && !list_reach(is, low, high, arena))
    return 0;

  if (g->world->solver.band_solver == XS_BAND_SOLVER_NATIVE) {
    is->factoring = &native;
    return xs_band_native_create(is->n_places, is->part, low, high, arena, &is->native);
  }
  path = path && largest >= PARTS_FROM && largest <= is->band.kd;
  is->factoring = path ? &lapack_parts : &lapack;
  return 1;
}

xs_status xs_global_create(const xs_world *world, int n_blocks, const xs_row_block *block,
                           int n_rows, int first_rod, xs_arena *arena, xs_global **result,
                           xs_report *report) {
  xs_global *g = XS_ARENA_NEW(arena, xs_global, 1);
  int *component = XS_ARENA_NEW(arena, int, n_blocks);
  int *island_of = XS_ARENA_NEW(arena, int, n_blocks);
  if (!g || !component || !island_of) goto no_memory;
  g->world = world;
  g->n_blocks = n_blocks;
  g->block = block;
  g->n_rows = n_rows;
  g->order = XS_ARENA_NEW(arena, int, n_blocks);
  g->place_row = XS_ARENA_NEW(arena, int, n_blocks);
  g->at = XS_ARENA_NEW(arena, size_t, n_blocks + 1);
  g->C = XS_ARENA_NEW(arena, double, n_rows);
  g->b = XS_ARENA_NEW(arena, double, n_rows);
  g->diagonal = XS_ARENA_NEW(arena, double, n_rows);
  g->rhs = XS_ARENA_NEW(arena, double, n_rows);
  g->residual = XS_ARENA_NEW(arena, double, n_rows);
  g->displaced = XS_ARENA_NEW(arena, double, 6 * (size_t)world->n_nodes);
  g->left_out = XS_ARENA_NEW(arena, unsigned char, n_blocks);
  g->changed = XS_ARENA_NEW(arena, unsigned char, n_blocks);
  g->chosen = XS_ARENA_NEW(arena, unsigned char, n_rows);
  if (!g->order || !g->place_row || !g->at || !g->C || !g->b || !g->diagonal || !g->rhs ||
      !g->residual || !g->displaced || !g->left_out || !g->changed || !g->chosen)
    goto no_memory;
  for (int b = 0; b < n_blocks; b++)
    g->at[b + 1] = g->at[b] + 6 * (size_t)block[b].n_nodes * (size_t)block[b].n_rows;
  g->G = XS_ARENA_NEW(arena, double, g->at[n_blocks]);
  if (!g->G || !list_incidences(g, arena, &g->incidence)) goto no_memory;

  g->n_islands = order_blocks(g, &g->incidence, component, arena);
  if (g->n_islands < 0) goto no_memory;
  g->island = XS_ARENA_NEW(arena, island, g->n_islands);
  if (!g->island) goto no_memory;
  place_blocks(g, component, island_of);
  if (!list_products(g, &g->incidence, island_of, arena)) goto no_memory;
  if (!find_loops(g, island_of, arena) || !list_nodes(g, &g->incidence, arena) ||
      !list_island_nodes(g, &g->incidence, island_of, arena))
    goto no_memory;
  for (int b = 0; b < n_blocks; b++)
    if (block[b].entity >= first_rod) g->island[island_of[b]].rod = 1;

  int *place = XS_ARENA_NEW(arena, int, n_blocks);
  if (!place) goto no_memory;
  for (int i = 0; i < g->n_islands; i++) {
    xs_band *band = &g->island[i].band;
    if (!choose_factoring(g, &g->island[i], place, arena)) goto no_memory;
    band->AB = XS_ARENA_NEW(arena, double, (size_t)(band->kd + 1) * (size_t)band->n);
    band->scale = XS_ARENA_NEW(arena, double, band->n);
    if (g->island[i].loops) band->dropped = XS_ARENA_NEW(arena, unsigned char, band->n);
    if (!band->AB || !band->scale || (g->island[i].loops && !band->dropped)) goto no_memory;
  }
  *result = g;
  return XS_OK;

no_memory:
  return xs_report_error(report, XS_INTERNAL, NULL,
                         "out of memory for the matrix of the global solve");
}

int xs_global_half_bandwidth(const xs_global *g) {
  int widest = 0;
  for (int i = 0; i < g->n_islands; i++)
    if (g->island[i].band.kd > widest) widest = g->island[i].band.kd;
  return widest;
}
