/* Equations (55) to (58) of Tobin & Rucker for one block after another:
 *   (G M^-1 G^T + alpha~) dlambda = -C - alpha~ lambda
 *   lambda += dlambda,  x <- x [+] M^-1 G^T dlambda
 * Multipliers of inequality rows are clamped; what is applied is what is left of dlambda.
 * Rods are solved in blocks of
 * three rows (one strain at one Gauss point). The kernels are written for any n and inlined with n
 * constant. */
#include "solver/sweep.h"

#include <assert.h>
#include <string.h>

#include "base/unroll.h"
#include "math/so3.h"
#include "math/spd.h"
#include "solver/contacts.h"

/* (58) for one node: x <- x [+] M^-1 G^T dlambda. G: n x 6 by columns. */
XS_INLINE void move(xs_system *system, xs_pose *x, int node, int n, const double *G,
                    const double *dlambda) {
  const xs_inertia *inertia = &system->world->inertia[node];
  if (inertia->inv_mass == 0) return;
  double g[6];
  XS_UNROLL
  for (int c = 0; c < 6; c++) {
    g[c] = 0;
    XS_UNROLL
    for (int r = 0; r < n; r++) g[c] += G[c * n + r] * dlambda[r];
  }
  xs_vec3 dp = xs_vec3_scale(inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
  x->p = xs_vec3_add(x->p, dp);
  system->dp[node] = xs_vec3_add(system->dp[node], dp);
  xs_vec3 theta = xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]});
  x->q = xs_quat_mul(x->q, xs_so3_exp(theta)); /* its length is mended once, in predict */
  x->R = xs_so3_matrix(x->q);
}

/* A += G M^-1 G^T, lower triangle by columns, for one node. */
XS_INLINE void add_inverse_mass(const xs_inertia *inertia, int n, const double *G, double *A) {
  if (inertia->inv_mass == 0) return;
  const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                       inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
  XS_UNROLL
  for (int c = 0; c < 6; c++) {
    XS_UNROLL
    for (int j = 0; j < n; j++) {
      double wg = w[c] * G[c * n + j];
      XS_UNROLL
      for (int i = j; i < n; i++) A[i + j * n] += G[c * n + i] * wg;
    }
  }
}

/* World vector along which a scalar row acts on node 1: its translation gradient, or that of
 * rotation turned into the world. */
static xs_vec3 direction(const xs_row_block *block, const xs_pose *x, const double G[6]) {
  xs_vec3 n = {G[0], G[1], G[2]};
  if (n.x != 0 || n.y != 0 || n.z != 0) return n;
  return xs_mat3_mul_vec(&x[block->node[0]].R, (xs_vec3){G[3], G[4], G[5]});
}

/* Rows first .. first + n - 1 of a block, together. */
XS_INLINE void solve_rows(xs_system *system, xs_pose *x, const xs_row_block *block, int first,
                          int n) {
  double C[XS_ROWS_MAX], G[6 * 6 * XS_ROW_NODES_MAX], A[6 * 6] = {0}, size2 = 0;
  double *lambda = system->lambda + block->first_row + first;
  block->kind->evaluate(block, x, first, n, C, G);
  if (n == 1 && xs_system_inactive(block, C[0], lambda[0])) return;

  for (int k = 0; k < block->n_nodes; k++)
    add_inverse_mass(&system->world->inertia[block->node[k]], n, G + k * 6 * n, A);
  XS_UNROLL
  for (int r = 0; r < n; r++) {
    size2 += C[r] * C[r];
    double alpha_tilde = xs_system_alpha_tilde(system, block, first + r);
    A[r + r * n] += alpha_tilde;
    C[r] = -C[r] - alpha_tilde * lambda[r]; /* right-hand side, then dlambda */
  }
  if (!(size2 <= system->torn2[block->entity])) system->suspect = 1;
  if (n == 1 && A[0] == 0 && size2 == 0) return; /* a norm at zero: no direction, no error */
  if (!xs_spd_solve(n, A, C)) {
    system->suspect = 1;
    if (system->singular < 0) system->singular = block->entity;
    return;
  }

  XS_UNROLL
  for (int r = 0; r < n; r++) {
    double to = xs_system_clamped(block, lambda[r] + C[r]);
    C[r] = to - lambda[r];
    lambda[r] = to;
  }
  if (n == 1 && block->kind->impulse)
    system->impulse[block - system->block] =
        xs_vec3_add_scaled(system->impulse[block - system->block], C[0], direction(block, x, G));
  for (int k = 0; k < block->n_nodes; k++)
    move(system, &x[block->node[k]], block->node[k], n, G + k * 6 * n, C);
}

static void solve_block(xs_system *system, xs_pose *x, const xs_row_block *block) {
  switch (block->n_rows) {
    case 1:
      solve_rows(system, x, block, 0, 1);
      break;
    case 2:
      solve_rows(system, x, block, 0, 2);
      break;
    case 3:
      solve_rows(system, x, block, 0, 3);
      break;
    case 4:
      solve_rows(system, x, block, 0, 4);
      break;
    case 5:
      solve_rows(system, x, block, 0, 5);
      break;
    case 6:
      solve_rows(system, x, block, 0, 6);
      break;
    default:
      assert(block->n_rows <= 6);
  }
}

/* ---- A joint with limits ---- */

enum { GROUP_ROWS_MAX = 6 + XS_JOINT_LIMITS_MAX };

/* Rows of several blocks of a joint, stacked; columns of both nodes. */
typedef struct stack {
  int n;
  double C[GROUP_ROWS_MAX], alpha_tilde[GROUP_ROWS_MAX], G[2][6][GROUP_ROWS_MAX];
  double *lambda[GROUP_ROWS_MAX];
  const xs_row_block *limit[GROUP_ROWS_MAX]; /* NULL: a two-sided row */
} stack;

static void push(xs_system *system, const xs_row_block *block, const double *C, const double *G,
                 stack *s) {
  for (int r = 0; r < block->n_rows; r++, s->n++) {
    s->C[s->n] = C[r];
    s->alpha_tilde[s->n] = xs_system_alpha_tilde(system, block, r);
    s->lambda[s->n] = system->lambda + block->first_row + r;
    s->limit[s->n] = block->bound == XS_BOUND_BOX ? block : NULL;
    for (int k = 0; k < 2; k++)
      for (int c = 0; c < 6; c++) s->G[k][c][s->n] = G[(k * 6 + c) * block->n_rows + r];
  }
}

/* dlambda of the rows in `used`; the others change by what dlambda holds for them. */
static int solve_stack(const xs_system *system, const xs_row_block *block, const stack *s,
                       const int *used, double *dlambda) {
  double A[GROUP_ROWS_MAX][GROUP_ROWS_MAX] = {{0}};
  for (int k = 0; k < 2; k++) {
    const xs_inertia *inertia = &system->world->inertia[block->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    for (int c = 0; c < 6; c++)
      for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) A[i][j] += w[c] * s->G[k][c][i] * s->G[k][c][j];
  }
  double dense[GROUP_ROWS_MAX * GROUP_ROWS_MAX], b[GROUP_ROWS_MAX];
  int row[GROUP_ROWS_MAX], m = 0;
  for (int i = 0; i < s->n; i++)
    if (used[i]) row[m++] = i;
  for (int p = 0; p < m; p++) {
    const int i = row[p];
    b[p] = -s->C[i] - s->alpha_tilde[i] * *s->lambda[i];
    for (int j = 0; j < s->n; j++)
      if (!used[j]) b[p] -= A[i][j] * dlambda[j];
    for (int q = 0; q <= p; q++) dense[p + m * q] = A[i][row[q]] + (p == q ? s->alpha_tilde[i] : 0);
  }
  if (!xs_spd_solve(m, dense, b)) return 0;
  for (int p = 0; p < m; p++) dlambda[row[p]] = b[p];
  return 1;
}

/* What C of row i will be, to first order, after all rows changed by dlambda. */
static double predicted(const xs_system *system, const xs_row_block *block, const stack *s, int i,
                        const double *dlambda) {
  double C = s->C[i];
  for (int k = 0; k < 2; k++) {
    const xs_inertia *inertia = &system->world->inertia[block->node[k]];
    const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                         inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
    for (int c = 0; c < 6; c++) {
      double g = 0;
      for (int j = 0; j < s->n; j++) g += s->G[k][c][j] * dlambda[j];
      C += s->G[k][c][i] * w[c] * g;
    }
  }
  return C;
}

/* Looks for a limit that has to change sides: one that takes part and would pull, or one
 * that does not and would be violated. A limit changes once; that ends the search. */
static int change_side(const xs_system *system, const xs_row_block *block, const stack *s,
                       int *used, int *changed, double *dlambda) {
  for (int i = 0; i < s->n; i++) {
    if (!s->limit[i] || changed[i]) continue;
    const double to = *s->lambda[i] + dlambda[i];
    const int pulls = used[i] && to != xs_system_clamped(s->limit[i], to);
    if (!pulls && (used[i] || !(predicted(system, block, s, i, dlambda) < 0))) continue;
    changed[i] = 1;
    used[i] = !used[i];
    dlambda[i] = used[i] ? 0 : xs_system_clamped(s->limit[i], to) - *s->lambda[i];
    return 1;
  }
  return 0;
}

/* All rows of a joint together with the limits that are active, or become so by what the
 * joint's rows do (gravity on a lever at its stop moves the bodies, not their angle). */
static void solve_limited(xs_system *system, xs_pose *x, const xs_row_block *block, stack *s) {
  double dlambda[GROUP_ROWS_MAX] = {0};
  int used[GROUP_ROWS_MAX], changed[GROUP_ROWS_MAX] = {0};
  for (int i = 0; i < s->n; i++)
    used[i] = !s->limit[i] || !xs_system_inactive(s->limit[i], s->C[i], *s->lambda[i]);
  do {
    if (!solve_stack(system, block, s, used, dlambda)) {
      system->suspect = 1;
      if (system->singular < 0) system->singular = block->entity;
      return;
    }
  } while (change_side(system, block, s, used, changed, dlambda));

  for (int i = 0; i < s->n; i++) *s->lambda[i] += dlambda[i];
  for (int k = 0; k < 2; k++) {
    double G[6 * GROUP_ROWS_MAX];
    for (int c = 0; c < 6; c++)
      for (int i = 0; i < s->n; i++) G[c * s->n + i] = s->G[k][c][i];
    move(system, &x[block->node[k]], block->node[k], s->n, G, dlambda);
  }
}

/* The joint's block b and its limits behind it. Returns the number of blocks taken. */
static int solve_joint(xs_system *system, xs_pose *x, int b) {
  const xs_row_block *block = &system->block[b], *end = system->block + system->n_swept;
  const xs_row_block *limit = block + 1;
  if (limit == end || limit->entity != block->entity) {
    solve_block(system, x, block);
    return 1;
  }

  double C[XS_ROWS_MAX], G[6 * 6 * XS_ROW_NODES_MAX], size2 = 0;
  stack s = {.n = 0};
  block->kind->evaluate(block, x, 0, block->n_rows, C, G);
  for (int r = 0; r < block->n_rows; r++) size2 += C[r] * C[r];
  if (!(size2 <= system->torn2[block->entity])) system->suspect = 1;
  push(system, block, C, G, &s);
  for (; limit < end && limit->entity == block->entity; limit++) {
    limit->kind->evaluate(limit, x, 0, 1, C, G);
    push(system, limit, C, G, &s);
  }
  solve_limited(system, x, block, &s);
  return (int)(limit - block);
}

void xs_sweep(xs_system *system, xs_pose *x, int individual) {
  const int vector = system->world->solver.constraints == XS_CONSTRAINTS_VECTOR;
  for (int b = 0; b < system->n_swept; b++) {
    const xs_row_block *block = &system->block[b];
    if (block->entity >= system->world->n_joints) { /* a rod: one strain at one Gauss point */
      for (int r = 0; r < block->n_rows; r += 3) solve_rows(system, x, block, r, 3);
    } else if (individual) {
      for (int r = 0; r < block->n_rows; r++) solve_rows(system, x, block, r, 1);
    } else if (vector && block->bound == XS_BOUND_NONE) {
      b += solve_joint(system, x, b) - 1;
    } else {
      solve_block(system, x, block);
    }
  }
}

/* G^T lambda of all blocks into system->momentum, at the poses x. */
static void gather(xs_system *system, const xs_pose *x) {
  memset(system->momentum, 0, 6 * (size_t)system->world->n_nodes * sizeof(double));
  for (int b = 0; b < system->n_blocks; b++) {
    const xs_row_block *block = &system->block[b];
    const double *lambda = system->lambda + block->first_row;
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          system->momentum[6 * block->node[k] + c] +=
              G[(k * 6 + c) * block->n_rows + r] * lambda[r];
  }
  if (system->contacts) xs_contacts_gather(system->contacts, x, 1, system->momentum);
}

void xs_sweep_rebuild(xs_system *system, xs_pose *x) {
  if (system->plain) return;
  gather(system, x);
  xs_system_primal_displacement(system, x);
  xs_system_rate_displacement(system, 0);
  if (system->plain) return;
  gather(system, x);
  xs_system_displace(system, x, system->n_moving, system->moving, 1);
}
