/* Global solve: one linear system an island (55): articulated bodies, and rods.
 *
 * An island is a set of blocks connected through nodes that can move. Its matrix
 * A = G M^-1 G^T + alpha~ couples blocks that share such a node. Blocks are ordered by
 * reverse Cuthill-McKee, so that chains and trees have a narrow band; the factor is
 * math/band.h's, for rods by LAPACK. An element of a rod is a block, so along a rod the
 * half-bandwidth is 12 m - 1 for m Gauss points an element, the joints at its ends included.
 *
 * Hard rows (of zero compliance) of a tree are independent. Islands with loops of hard rows
 * may have redundant ones (a planar four-bar: 20 rows, rank 17): which are dropped is read
 * once a substep at x^n, on the manifold, where dependent rows are dependent to round-off,
 * and kept for its iterations. */
#ifndef XS_SOLVER_GLOBAL_H
#define XS_SOLVER_GLOBAL_H

#include "math/band_lanes.h"
#include "solver/system.h"

typedef struct xs_global xs_global;

/* Work space for the blocks given. Vectors by row are addressed by the blocks' first_row
 * and have n_rows entries. first_rod: entities from here on are rods. */
xs_status xs_global_create(const xs_world *world, int n_blocks, const xs_row_block *block,
                           int n_rows, int first_rod, xs_arena *arena, xs_global **global,
                           xs_report *report);

/* The widest half-bandwidth among the islands' matrices, in rows. */
int xs_global_half_bandwidth(const xs_global *global);

/* The solve of one iteration, whatever the step in time, with C and G at hand:
 *   A dlambda = -r_C + G d,  A = G M^-1 G^T + system->softness,  lambda += dlambda,
 * with the residuals of rows (n_rows) and d = M^-1 r_P (6 n_nodes, or NULL: 0). Inequality rows
 * change sides where they would pull or be violated. Returns dlambda; what is far off or has no
 * solution is noted in the system. */
const double *xs_global_correct(xs_global *global, xs_system *system, const double *residual,
                                const double *d);

/* One iteration of the Euler step: evaluates all blocks at x, solves every island, moves x and
 * lambda. With corrected, the primal residual stays in the right-hand side:
 *   A dlambda = -C - alpha~ lambda + G ((x [-] x~) - M^-1 G^T lambda),
 *   x = x~ [+] M^-1 G^T (lambda + dlambda).
 * Torques that the prediction has left out (system->couple) are added to G^T lambda. */
void xs_global_iterate(xs_global *global, xs_system *system, xs_pose *x, int corrected);

/* Reads which rows of islands with loops are dropped, at the poses x = x^n. */
void xs_global_read_rank(xs_global *global, const xs_system *system, const xs_pose *x);

/* The same with the gradients at hand and a diagonal to be added. */
void xs_global_drop_dependent(xs_global *global, const double *diagonal);

/* The bare linear solve for the blocks at the poses x (velocity level): on entry rhs is the
 * right-hand side (n_rows), diagonal is added to A's; on return rhs is the solution.
 * gradient(block b) is left in the work space: see xs_global_gradient. Returns -1 or the
 * block whose island could not be solved. */
int xs_global_solve(xs_global *global, const double *diagonal, double *rhs);

/* The two halves of xs_global_solve, for a factor that serves several right-hand sides.
 * xs_global_factor reads the rank of islands with loops anew from this matrix; it returns -1
 * or the block whose island has no factor. */
int xs_global_factor(xs_global *global, const double *diagonal);
void xs_global_back(xs_global *global, double *rhs);

/* Evaluates all blocks at x into the work space: C and G. */
void xs_global_evaluate(xs_global *global, const xs_pose *x);

/* The same beside the gradients at hand, which stay as they are until xs_global_step_ahead
 * exchanges the two; then xs_global_gradient_before gives the earlier ones. To be allocated
 * once by xs_global_add_ahead. */
xs_status xs_global_add_ahead(xs_global *global, xs_arena *arena, xs_report *report);
void xs_global_evaluate_ahead(xs_global *global, const xs_pose *x);
void xs_global_step_ahead(xs_global *global);
const double *xs_global_gradient_before(const xs_global *global, int b);

/* Of A = G M^-1 G^T with the gradients at hand: its diagonal, and for each row the sum of
 * |A_ij| over the rows j with chosen[j]. Overwrites the factor. */
void xs_global_row_sums(xs_global *global, const unsigned char *chosen, double *diagonal,
                        double *sum);

/* sum[6 n_nodes] += G^T y;  rhs += G d for a displacement d[6 n_nodes]. */
void xs_global_add_transposed(const xs_global *global, const double *y, double *sum);
void xs_global_add_displaced(const xs_global *global, const double *d, double *rhs);
const double *xs_global_gradient(const xs_global *global, int b);
/* The same, to be changed: rows that are to take no part are zeroed. */
double *xs_global_rows(xs_global *global, int b);
const double *xs_global_value(const xs_global *global, int b);

/* v += M^-1 G^T y with the gradients at hand; y by first_row. */
void xs_global_kick(const xs_global *global, const double *y, xs_state *state);

/* ---- How islands yield ----
 *
 * After an iteration the factor of an island's S = G M^-1 G^T + alpha~ is at hand, and tells how
 * what touches the island moves it: an impulse m on its nodes is answered by multipliers -y,
 *   S y = G M^-1 m,   x <- x [+] M^-1 (m - G^T y),
 * after which C + alpha~ lambda is what it was. Vectors by place: the island's rows. */

int xs_global_n_islands(const xs_global *global);
/* The island of a node, -1 where it has none or its factor failed. */
int xs_global_island_of(const xs_global *global, int node);
int xs_global_island_rows(const xs_global *global, int island);
/* The nodes it can move; returns how many. */
int xs_global_island_nodes(const xs_global *global, int island, const int **node);

/* H = G M^-1 Gb^T for rows 0 .. n_rows - 1 of a block that touches the island, with gradient Gb:
 * row r is added to lane `lane + r` of the panels H (math/band_lanes.h; one after the other, each
 * as high as the island's rows). Returns the first row in which it has anything. */
int xs_global_couple(const xs_global *global, int island, const xs_row_block *block,
                     const double *Gb, int n_rows, int lane, double *H);
/* math/band_lanes.h by the island's factor L D L^T: a panel H becomes Z = L^-1 H; Y^T D^-1 Z of
 * two panels; sum += Z l; and b <- L^-T D^-1 b for a vector, with which y = L^-T D^-1 Z l. */
void xs_global_forward(const xs_global *global, int island, int first, double *panel);
void xs_global_inner(const xs_global *global, int island, int first, const double *Y,
                     const double *Z, double *target);
void xs_global_combine(const xs_global *global, int island, int first, const double *Z,
                       const double *l, double *sum);
void xs_global_backward(const xs_global *global, int island, double *b);
/* Whether any of its rows is an inequality that takes part at present. */
int xs_global_has_stops(const xs_global *global, int island);
/* An inequality row that an answer -y would make pull holds no longer: the block whose row would
 * pull most, or -1. lambda: what the rows carry, in the units of y. */
int xs_global_pulled(const xs_global *global, int island, const double *y, const double *lambda);
/* Leaves it out: what it carries is taken back, the other rows answer, and the factor is made
 * anew. momentum: 0 at the island's nodes on entry, on return the impulse by which they move. */
void xs_global_let_go(xs_global *global, int island, int block, double *momentum, double *lambda);

/* momentum -= G^T y; and, once that is done, lambda -= y. */
void xs_global_yield(const xs_global *global, int island, const double *y, double *momentum);
void xs_global_take(const xs_global *global, int island, const double *y, double *lambda);

#endif
