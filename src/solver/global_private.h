/* What the files of the global solve share (global.h): islands and their work space.
 *
 *   global_islands.c  found once: islands, the order of their blocks, products, ways to factor
 *   global_matrix.c   evaluated, assembled, factored and solved
 *   global.c          every iteration
 *   global_yield.c    how islands answer to forces on their nodes, for contacts
 * For these files only. */
#ifndef XS_SOLVER_GLOBAL_PRIVATE_H
#define XS_SOLVER_GLOBAL_PRIVATE_H

#include "math/band_native.h"
#include "solver/global.h"

/* A product to be added to the matrix: G_a,ka M^-1 G_b,kb^T for a node that blocks a and b share,
 * a after b in its island; or, a = b, of a block with itself for all its nodes. */
typedef struct product {
  int a, ka, b, kb;
} product;

/* Incidences of moving nodes with blocks, by node: block[first[i]].. of node i, in which it is
 * the k-th node. */
typedef struct incidence {
  int *first; /* n_nodes + 1 */
  int *block, *k;
} incidence;

typedef struct island island;

/* A way to solve an island's system, math/band.h or band_native.h. */
typedef struct factoring {
  int (*factor)(island *is); /* -1, or a row that has no pivot */
  void (*solve)(const island *is, double *b);
  void (*backward)(const island *is, double *b); /* the second half of solve alone */
  int cholesky;                                  /* the factor is L L^T, else L D L^T */
} factoring;

struct island {
  int first_place, n_places; /* its blocks: order[first_place] ... */
  int first_product, n_products;
  int loops;               /* hard rows form a loop: they may be dependent */
  int rod;                 /* has rods */
  int inequalities;        /* has rows with bounds */
  int failed;              /* the last factorisation */
  int suspect;             /* something is far off or not finite, noted in this iteration */
  int first_rhs;           /* its rows' place in b */
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
  size_t *at;             /* n_blocks + 1: where a block's gradient begins in G */
  double *G;              /* gradients of all blocks */
  double *ahead;          /* NULL, or the same elsewhere: xs_global_evaluate_ahead */
  double *C;              /* n_rows */
  double *b;              /* n_rows: right-hand side, island by island */
  double *diagonal, *rhs; /* n_rows, by first_row */
  double *residual;       /* n_rows: r_C of the Euler step */
  double *displaced;      /* 6 n_nodes: and its M^-1 r_P */
  int n_nodes, *node;     /* nodes that its blocks can move */
  int *by_island;         /* the same, island by island */
  int *island_of_node;    /* n_nodes of the world: or -1 */
  incidence incidence;
  const double *in_force;  /* diagonal of the last factor */
  unsigned char *left_out; /* n_blocks: inequality rows that take no part */
  unsigned char *changed;  /* n_blocks: and those that changed sides in this iteration */
  unsigned char *chosen;   /* n_rows: work space of xs_global_row_sums */
};

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

static inline void each_island(const xs_global *g, xs_pool_task *task, pass *context) {
  xs_pool_run(g->world->pool, g->n_islands, 1, task, context);
}

static inline int can_move(const xs_global *g, int node) {
  return g->world->inertia[node].inv_mass > 0;
}

/* The island's p-th block in its order. */
static inline int block_at(const xs_global *g, const island *is, int p) {
  return g->order[is->first_place + p];
}

/* C, and the gradients into G, of an island's blocks at the poses x. */
void xs_global_evaluate_island(const xs_global *g, const island *is, const xs_pose *x, double *G);
/* Factors with the rows dropped that are known to depend on others, and solves; failed says where
 * there is no factor. */
void xs_global_solve_island(xs_global *g, island *is, const double *diagonal, double *rhs);
/* Reads its rank; what is not finite shows later. */
void xs_global_drop_dependent_island(xs_global *g, island *is, const double *diagonal);
/* A block of the first island that has no factor, or -1. */
int xs_global_first_failed(const xs_global *g);
/* sum += G^T y, and rhs += G d, of its blocks. */
void xs_global_add_transposed_island(const xs_global *g, const island *is, const double *y,
                                     double *sum);
void xs_global_add_displaced_island(const xs_global *g, const island *is, const double *d,
                                    double *rhs);

/* Leaves an inequality row out of its island and factors the island anew (failed says how). */
void xs_global_leave_out(xs_global *g, island *is, int b);

#endif
