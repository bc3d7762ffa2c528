/* Islands: found once, assembled and factored every iteration (global.h). */
#include "solver/global.h"

#include <math.h>
#include <string.h>

#include "math/band_native.h"
#include "math/forest.h"
#include "math/product.h"
#include "math/rcm.h"
#include "math/so3.h"

/* Pivots below this part of their row's diagonal count as dependent. On the manifold they
 * are round-off (1e-16); rows that are independent but nearly aligned stay above. Any value
 * from 1e-12 to 1e-6 gives the same motion; smaller ones let force spikes through. */
#define DEPENDENT 1e-9
/* Parts of the forces on a node that its elements' forces may be rounded by, times some. */
#define ROUND_OFF 1e-13
/* From this half-bandwidth on LAPACK's blocked factor is faster than our own (bench/band.c,
 * bench/results/band.csv: ours takes 0.4 to 0.6 of its time at 5 to 35, 0.7 at 64, 1.5 at 80, where
 * dpbtrf has turned to blocks, 2.6 at 200). */
#define WIDE_FROM 72

/* A product to be added to the matrix: G_a,ka M^-1 G_b,kb^T for a node that blocks a and b share,
 * a after b in its island; or, a = b, of a block with itself for all its nodes. */
typedef struct product {
  int a, ka, b, kb;
} product;

typedef struct island island;

/* A way to solve an island's system, math/band.h or band_native.h. */
typedef struct factoring {
  int (*factor)(island *is); /* -1, or a row that has no pivot */
  void (*solve)(const island *is, double *b);
} factoring;

struct island {
  int first_place, n_places; /* its blocks: order[first_place] ... */
  int first_product, n_products;
  int loops; /* hard rows form a loop: they may be dependent */
  int rod;   /* has rods */
  int failed;              /* the last factorisation */
  int first_node, n_nodes; /* that it can move: by_island[first_node] ... */
  const factoring *factoring;
  int *part; /* n_places + 1: where each block's rows begin */
  xs_band_native native;
  xs_band band;
};

struct xs_global {
  const xs_world *world;
  int n_blocks, n_rows;
  const xs_row_block *block;
  int *order;     /* n_blocks: blocks by island and place */
  int *place_row; /* n_blocks, by block: its first row in its island's system */
  int n_islands;
  island *island;
  product *product;
  size_t *at;              /* n_blocks + 1: where a block's gradient begins in G */
  double *G;               /* gradients of all blocks */
  double *ahead;           /* NULL, or the same elsewhere: xs_global_evaluate_ahead */
  double *C;               /* n_rows */
  double *b;               /* n_rows: right-hand side, island by island */
  double *diagonal, *rhs;  /* n_rows, by first_row */
  double *residual;        /* n_rows: r_C of the Euler step */
  double *displaced;       /* 6 n_nodes: and its M^-1 r_P */
  int n_nodes, *node;      /* nodes that its blocks can move */
  int *by_island;          /* the same, island by island */
  int *island_of_node;     /* n_nodes of the world: or -1 */
  unsigned char *left_out; /* n_blocks: inequality rows that take no part */
  unsigned char *changed;  /* n_blocks: and those that changed sides in this iteration */
  unsigned char *chosen;   /* n_rows: work space of xs_global_row_sums */
};

/* --- structure ---------------------------------------------------------------------- */

/* Incidences of moving nodes with blocks, by node: block incidence[first[i]].. of node i. */
typedef struct incidence {
  int *first; /* n_nodes + 1 */
  int *block, *k;
} incidence;

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
  }
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

static const factoring own = {factor_own, solve_own};
static const factoring lapack = {factor_lapack, solve_lapack};
static const factoring lapack_parts = {factor_parts, solve_lapack};
static const factoring native = {factor_native, solve_native};

/* From this many rows a block on, LAPACK by blocks beats LAPACK's band (bench/results). */
#define PARTS_FROM 12

/* Chooses by what the island is: only our own factor can drop rows; short bands of mechanisms are
 * fastest by it, too. LAPACK takes rods whose blocks form a path of large enough blocks part by
 * part. */
static int choose_factoring(const xs_global *g, island *is, xs_arena *arena) {
  is->factoring = &own;
  if (is->loops || (!is->rod && is->band.kd < WIDE_FROM)) return 1;

  int *place = XS_ARENA_NEW(arena, int, g->n_blocks), largest = 0, path = 1;
  int *end = XS_ARENA_NEW(arena, int, is->n_places); /* of the rows that a block couples with */
  is->part = XS_ARENA_NEW(arena, int, is->n_places + 1);
  if (!place || !end || !is->part) return 0;
  for (int p = 0; p < is->n_places; p++) {
    const int b = g->order[is->first_place + p];
    place[b] = p;
    is->part[p] = g->place_row[b];
    if (g->block[b].n_rows > largest) largest = g->block[b].n_rows;
  }
  is->part[is->n_places] = is->band.n;
  for (int q = is->first_product; q < is->first_product + is->n_products; q++) {
    const int a = g->product[q].a, p = place[g->product[q].b];
    const int last = g->place_row[a] + g->block[a].n_rows;
    path &= place[a] - p <= 1;
    if (last > end[p]) end[p] = last;
  }

  if (g->world->solver.band_solver == XS_BAND_SOLVER_NATIVE) {
    is->factoring = &native;
    return xs_band_native_create(is->n_places, is->part, end, arena, &is->native);
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
  incidence inc;
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
  if (!g->G || !list_incidences(g, arena, &inc)) goto no_memory;

  g->n_islands = order_blocks(g, &inc, component, arena);
  if (g->n_islands < 0) goto no_memory;
  g->island = XS_ARENA_NEW(arena, island, g->n_islands);
  if (!g->island) goto no_memory;
  place_blocks(g, component, island_of);
  if (!list_products(g, &inc, island_of, arena)) goto no_memory;
  if (!find_loops(g, island_of, arena) || !list_nodes(g, &inc, arena) ||
      !list_island_nodes(g, &inc, island_of, arena))
    goto no_memory;
  for (int b = 0; b < n_blocks; b++)
    if (block[b].entity >= first_rod) g->island[island_of[b]].rod = 1;

  for (int i = 0; i < g->n_islands; i++) {
    xs_band *band = &g->island[i].band;
    if (!choose_factoring(g, &g->island[i], arena)) goto no_memory;
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

/* --- numbers ------------------------------------------------------------------------ */

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
  copy_rows(g, is, rhs, g->b, 1);
  is->factoring->solve(is, g->b);
  copy_rows(g, is, rhs, g->b, 0);
}

int xs_global_solve(xs_global *g, const double *diagonal, double *rhs) {
  int failed = -1;
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

int xs_global_factor(xs_global *g, const double *diagonal) {
  int failed = -1;
  for (int i = 0; i < g->n_islands; i++) {
    island *is = &g->island[i];
    assemble(g, is, diagonal);
    const int bad = is->loops ? xs_band_read_rank(&is->band, DEPENDENT) : is->factoring->factor(is);
    if (bad >= 0 && failed < 0) failed = g->order[is->first_place];
  }
  return failed;
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
  xs_system_rate_displacement(system, floor2);
  memcpy(g->displaced, system->momentum, 6 * (size_t)system->world->n_nodes * sizeof(double));
  return !system->plain;
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

/* --- how islands yield -------------------------------------------------------------- */

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
    for (int r = 0; lambda && r < n; r++) lambda[block->first_row + r] -= yb[r];
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < n; r++)
          momentum[6 * block->node[k] + c] -= G[(k * 6 + c) * n + r] * yb[r];
  }
}
