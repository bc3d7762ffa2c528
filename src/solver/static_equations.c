/* Structure and numbers of the equations of an equilibrium (static_equations.h). */
#include "solver/static_equations.h"

#include <math.h>
#include <string.h>

#include "math/rcm.h"
#include "math/so3.h"

/* eps as a part of the compliance of what a row acts on; the larger one where inertia is counted
 * without pivoting, which loses 1/eps in digits. */
#define SOFTNESS          1e-13
#define SOFTNESS_COUNTING 1e-8

enum { COLUMNS = 6 * XS_ROW_NODES_MAX };

static int moves(const xs_system *s, int node) { return s->world->inertia[node].inv_mass > 0; }

static int is_hard(const xs_row_block *block, int r) {
  return block->bound == XS_BOUND_BOX || !block->alpha || block->alpha[r] == 0;
}

static int count_hard(const xs_row_block *block) {
  int n = 0;
  for (int r = 0; r < block->n_rows; r++) n += is_hard(block, r);
  return n;
}

/* --- structure ---------------------------------------------------------------------- */

/* The vertices of the graph: nodes that move, then blocks with hard rows. */
typedef struct graph {
  int n, n_nodes;      /* vertices; those that are nodes */
  int *vertex_of_node; /* -1: does not move */
  int *node, *block;   /* of a vertex; the other one is -1 */
  int *first, *neighbour;
} graph;

/* A pair that couples: counted on the first pass, placed on the second. */
static void couple(graph *g, int a, int b, int place) {
  if (a == b) return;
  if (place)
    g->neighbour[g->first[a + 1]++] = b;
  else
    g->first[a + 2]++;
}

/* Nodes of a block couple among themselves and with its multipliers. */
static void list_couplings(const xs_system *s, graph *g, int place) {
  int hard = g->n_nodes;
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    const int own = count_hard(block) > 0 ? hard++ : -1;
    for (int k = 0; k < block->n_nodes; k++) {
      const int u = g->vertex_of_node[block->node[k]];
      if (u < 0) continue;
      for (int l = 0; l < block->n_nodes; l++) {
        const int v = g->vertex_of_node[block->node[l]];
        if (v >= 0) couple(g, u, v, place);
      }
      if (own >= 0) couple(g, u, own, place), couple(g, own, u, place);
    }
  }
}

static int make_graph(const xs_system *s, graph *g, xs_arena *arena) {
  const int n_nodes = s->world->n_nodes;
  g->vertex_of_node = XS_ARENA_NEW(arena, int, n_nodes);
  g->node = XS_ARENA_NEW(arena, int, n_nodes + s->n_blocks);
  g->block = XS_ARENA_NEW(arena, int, n_nodes + s->n_blocks);
  g->first = XS_ARENA_NEW(arena, int, n_nodes + s->n_blocks + 3);
  if (!g->vertex_of_node || !g->node || !g->block || !g->first) return 0;
  for (int i = 0; i < n_nodes; i++) {
    g->vertex_of_node[i] = moves(s, i) ? g->n : -1;
    if (moves(s, i)) g->node[g->n] = i, g->block[g->n++] = -1;
  }
  g->n_nodes = g->n;
  for (int b = 0; b < s->n_blocks; b++)
    if (count_hard(&s->block[b]) > 0) g->node[g->n] = -1, g->block[g->n++] = b;

  list_couplings(s, g, 0);
  for (int v = 2; v <= g->n + 1; v++) g->first[v] += g->first[v - 1];
  g->neighbour = XS_ARENA_NEW(arena, int, g->first[g->n + 1] + 1);
  if (!g->neighbour) return 0;
  list_couplings(s, g, 1);
  return 1;
}

/* Places of all unknowns in the order of the vertices. */
static void place(xs_static_equations *e, const graph *g, const int *order) {
  const xs_system *s = e->system;
  for (int i = 0; i < s->world->n_nodes; i++) e->node_at[i] = e->penalised_at[i] = -1;
  for (int r = 0; r < s->n_rows; r++) e->row_at[r] = -1;
  for (int p = 0; p < g->n; p++) {
    const int node = g->node[order[p]], b = g->block[order[p]];
    if (node >= 0) {
      e->node_at[node] = e->n;
      e->penalised_at[node] = e->penalised.n;
      for (int c = 0; c < 6; c++) e->owner[e->n++] = node;
      e->penalised.n += 6;
      continue;
    }
    const xs_row_block *block = &s->block[b];
    for (int r = 0; r < block->n_rows; r++)
      if (is_hard(block, r)) {
        e->row_at[block->first_row + r] = e->n;
        e->owner[e->n++] = -1 - b;
      }
  }
}

static void widen(int *kd, int a, int b) {
  const int reach = a > b ? a - b : b - a;
  if (reach > *kd) *kd = reach;
}

static void find_bandwidth(xs_static_equations *e) {
  const xs_system *s = e->system;
  e->matrix.kd = e->penalised.kd = 5;
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    for (int k = 0; k < block->n_nodes; k++) {
      const int at = e->node_at[block->node[k]], pen = e->penalised_at[block->node[k]];
      if (at < 0) continue;
      for (int l = 0; l < block->n_nodes; l++) {
        const int other = e->node_at[block->node[l]];
        if (other < 0) continue;
        widen(&e->matrix.kd, at, other + 5);
        widen(&e->penalised.kd, pen, e->penalised_at[block->node[l]] + 5);
      }
      for (int r = 0; r < block->n_rows; r++) {
        const int row = e->row_at[block->first_row + r];
        if (row < 0) continue;
        widen(&e->matrix.kd, at, row);
        widen(&e->matrix.kd, at + 5, row);
      }
    }
  }
}

static void fill_mass(xs_static_equations *e) {
  for (int i = 0; i < e->system->world->n_nodes; i++) {
    if (e->node_at[i] < 0) continue;
    const xs_inertia *inertia = &e->system->world->inertia[i];
    const double m[6] = {inertia->mass,     inertia->mass,     inertia->mass,
                         inertia->moment.x, inertia->moment.y, inertia->moment.z};
    memcpy(e->mass + e->node_at[i], m, sizeof m);
  }
}

xs_status xs_static_equations_create(xs_system *system, xs_arena *arena, xs_static_equations *e,
                                     xs_report *report) {
  const size_t n_nodes = (size_t)system->world->n_nodes,
               most = 6 * n_nodes + (size_t)system->n_rows;
  graph g = {0};
  e->system = system;
  e->node_at = XS_ARENA_NEW(arena, int, n_nodes);
  e->penalised_at = XS_ARENA_NEW(arena, int, n_nodes);
  e->row_at = XS_ARENA_NEW(arena, int, system->n_rows);
  e->owner = XS_ARENA_NEW(arena, int, most);
  e->active = XS_ARENA_NEW(arena, unsigned char, system->n_blocks);
  e->mass = XS_ARENA_NEW(arena, double, most);
  e->softness = XS_ARENA_NEW(arena, double, system->n_rows);
  e->force = XS_ARENA_NEW(arena, double, 6 * n_nodes);
  e->balance = XS_ARENA_NEW(arena, double, most);
  e->from.force = XS_ARENA_NEW(arena, xs_vec3, n_nodes);
  e->from.torque = XS_ARENA_NEW(arena, xs_vec3, n_nodes);
  e->to.force = XS_ARENA_NEW(arena, xs_vec3, n_nodes);
  e->to.torque = XS_ARENA_NEW(arena, xs_vec3, n_nodes);
  if (!e->node_at || !e->penalised_at || !e->row_at || !e->owner || !e->active || !e->mass ||
      !e->softness || !e->force || !e->balance || !e->from.force || !e->from.torque ||
      !e->to.force || !e->to.torque || !make_graph(system, &g, arena))
    goto no_memory;

  int *order = XS_ARENA_NEW(arena, int, g.n), *component = XS_ARENA_NEW(arena, int, g.n);
  if (!order || !component || xs_rcm_order(g.n, g.first, g.neighbour, order, component, arena) < 0)
    goto no_memory;
  place(e, &g, order);
  find_bandwidth(e);
  fill_mass(e);
  e->matrix.n = e->n;
  e->matrix.AB = XS_ARENA_NEW(arena, double, (size_t)(3 * e->matrix.kd + 1) * (size_t)e->matrix.n);
  e->matrix.pivot = XS_ARENA_NEW(arena, int, e->n);
  e->penalised.AB =
      XS_ARENA_NEW(arena, double, (size_t)(e->penalised.kd + 1) * (size_t)e->penalised.n);
  if (!e->matrix.AB || !e->matrix.pivot || !e->penalised.AB) goto no_memory;
  return XS_OK;

no_memory:
  return xs_report_error(report, XS_INTERNAL, NULL,
                         "out of memory for the equations of the equilibrium");
}

/* --- balance ------------------------------------------------------------------------ */

/* f, from both times' loads; gravity is there from the start but where it comes from nothing. */
static void add_forces(xs_static_equations *e, const xs_pose *x, const xs_static_loads *loads) {
  const xs_world *world = e->system->world;
  const double old = loads->t_from < 0 ? 0 : 1 - loads->share;
  const double weight = loads->t_from < 0 ? loads->share : 1;
  if (world->n_loads > 0) {
    xs_external_loads(world, x, fmax(loads->t_from, 0), &e->from);
    xs_external_loads(world, x, loads->t_to, &e->to);
  }
  for (int i = 0; i < world->n_nodes; i++) {
    double *f = e->force + 6 * i;
    memset(f, 0, 6 * sizeof *f);
    if (e->node_at[i] < 0) continue;
    const xs_vec3 g = xs_vec3_scale(weight * world->inertia[i].mass, world->gravity);
    xs_vec3 force =
        xs_vec3_add_scaled(xs_vec3_scale(old, e->from.force[i]), loads->share, e->to.force[i]);
    xs_vec3 torque =
        xs_vec3_add_scaled(xs_vec3_scale(old, e->from.torque[i]), loads->share, e->to.torque[i]);
    force = xs_vec3_add(force, g);
    f[0] = force.x, f[1] = force.y, f[2] = force.z;
    f[3] = torque.x, f[4] = torque.y, f[5] = torque.z;
  }
}

static int left_out(const xs_static_equations *e, int b) {
  return e->system->block[b].bound == XS_BOUND_BOX && !e->active[b];
}

void xs_static_equations_balance(xs_static_equations *e, const xs_pose *x,
                                 const xs_static_loads *loads) {
  xs_system *s = e->system;
  memset(e->balance, 0, (size_t)e->n * sizeof *e->balance);
  add_forces(e, x, loads);
  double scale2 = 0;
  for (int i = 0; i < s->world->n_nodes; i++)
    if (e->node_at[i] >= 0)
      for (int c = 0; c < 6; c++) {
        e->balance[e->node_at[i] + c] = e->force[6 * i + c];
        scale2 += e->force[6 * i + c] * e->force[6 * i + c];
      }

  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * COLUMNS], *lambda = s->lambda + block->first_row;
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);
    for (int r = 0; r < block->n_rows; r++) {
      const int row = e->row_at[block->first_row + r];
      if (row < 0)
        lambda[r] = -C[r] / block->alpha[r];
      else
        e->balance[row] = left_out(e, b) ? -lambda[r] : C[r];
    }
    for (int k = 0; k < block->n_nodes; k++) {
      const int at = e->node_at[block->node[k]];
      if (at < 0) continue;
      for (int c = 0; c < 6; c++) {
        const double *column = G + (6 * k + c) * block->n_rows;
        double g = 0;
        for (int r = 0; r < block->n_rows; r++) g += column[r] * lambda[r];
        e->balance[at + c] += g;
        scale2 += g * g;
      }
    }
  }
  e->scale = sqrt(scale2);
}

/* --- tangent ------------------------------------------------------------------------ */

/* K of a block: G_c^T alpha^-1 G_c - d(G^T lambda)/dx, 6 n x 6 n by columns; G on return. */
static void block_stiffness(const xs_row_block *block, xs_pose *x, const double *lambda, double *K,
                            double *G) {
  const int n = 6 * block->n_nodes, m = block->n_rows;
  double C[XS_ROWS_MAX], W[XS_ROWS_MAX];
  block->kind->evaluate(block, x, 0, m, C, G);
  xs_rows_stiffness(block, x, lambda, K);
  for (int r = 0; r < m; r++) W[r] = is_hard(block, r) ? 0 : 1 / block->alpha[r];
  for (int j = 0; j < n; j++) {
    double WG[XS_ROWS_MAX];
    for (int r = 0; r < m; r++) WG[r] = W[r] * G[r + m * j];
    for (int i = 0; i < n; i++) {
      double sum = -K[i + n * j];
      for (int r = 0; r < m; r++) sum += G[r + m * i] * WG[r];
      K[i + n * j] = sum;
    }
  }
}

/* What takes the entries of K one after the other: a place (node, component) by another. */
typedef void entry(void *into, int node_i, int i, int node_j, int j, double value);

/* -df/dx of a load, of the share of it that acts. */
static void load_stiffness(const xs_load *load, const xs_pose *x, double t, double share,
                           entry *put, void *into) {
  xs_mat3 force, torque;
  if (share == 0) return;
  xs_external_stiffness(load, x, t, &force, &torque);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      put(into, load->node, i, load->node, 3 + j, -share * force.m[i][j]);
      put(into, load->node, 3 + i, load->node, 3 + j, -share * torque.m[i][j]);
    }
}

/* All of K, and the gradients of hard rows through put_row if it is wanted. */
typedef void hard_row(void *into, const xs_row_block *block, int b, int r, const double *G);

static void assemble(const xs_static_equations *e, xs_pose *x, const xs_static_loads *loads,
                     entry *put, hard_row *put_row, void *into) {
  const xs_system *s = e->system;
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    const int n = 6 * block->n_nodes;
    double K[COLUMNS * COLUMNS], G[XS_ROWS_MAX * COLUMNS];
    if (left_out(e, b)) {
      memset(G, 0, sizeof G);
    } else {
      block_stiffness(block, x, s->lambda + block->first_row, K, G);
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          put(into, block->node[i / 6], i % 6, block->node[j / 6], j % 6, K[i + n * j]);
    }
    if (!put_row) continue;
    for (int r = 0; r < block->n_rows; r++)
      if (e->row_at[block->first_row + r] >= 0) put_row(into, block, b, r, G);
  }
  for (int i = 0; i < s->world->n_loads; i++) {
    const xs_load *load = &s->world->loads[i];
    if (loads->t_from >= 0) load_stiffness(load, x, loads->t_from, 1 - loads->share, put, into);
    load_stiffness(load, x, loads->t_to, loads->share, put, into);
  }
}

typedef struct full {
  xs_static_equations *e;
  int symmetric;
} full;

static void put_full(void *into, int node_i, int i, int node_j, int j, double value) {
  const full *f = into;
  const int at = f->e->node_at[node_i], of = f->e->node_at[node_j];
  if (at < 0 || of < 0) return;
  if (!f->symmetric) {
    *xs_band_lu_at(&f->e->matrix, at + i, of + j) += value;
    return;
  }
  *xs_band_lu_at(&f->e->matrix, at + i, of + j) += 0.5 * value;
  *xs_band_lu_at(&f->e->matrix, of + j, at + i) += 0.5 * value;
}

/* Gradients of hard rows; their eps comes when all of K is there. */
static void put_full_row(void *into, const xs_row_block *block, int b, int r, const double *G) {
  const full *f = into;
  const int row = f->e->row_at[block->first_row + r];
  (void)b;
  for (int k = 0; k < block->n_nodes; k++) {
    const int at = f->e->node_at[block->node[k]];
    if (at < 0) continue;
    for (int c = 0; c < 6; c++) {
      const double g = G[(6 * k + c) * block->n_rows + r];
      *xs_band_lu_at(&f->e->matrix, row, at + c) = -g;
      *xs_band_lu_at(&f->e->matrix, at + c, row) = -g;
    }
  }
}

/* eps of hard rows: SOFTNESS times G D^-1 G^T, D the diagonal of K, or what loads and masses let
 * expect where that is 0. Left-out rows: 1. Adds shift M. */
static void finish(xs_static_equations *e, double shift) {
  const xs_system *s = e->system;
  const double size = s->world->size;
  for (int i = 0; i < e->n; i++) *xs_band_lu_at(&e->matrix, i, i) += shift * e->mass[i];
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    for (int r = 0; r < block->n_rows; r++) {
      const int row = e->row_at[block->first_row + r];
      if (row < 0) continue;
      double sum = 0;
      for (int k = 0; k < block->n_nodes; k++) {
        const int at = e->node_at[block->node[k]];
        for (int c = 0; at >= 0 && c < 6; c++) {
          const double g = *xs_band_lu_at(&e->matrix, row, at + c);
          const double unit = c < 3 ? 1 / size : size;
          const double d = fabs(*xs_band_lu_at(&e->matrix, at + c, at + c)) + e->scale * unit +
                           1e-6 * e->mass[at + c];
          sum += g * g / d;
        }
      }
      e->softness[block->first_row + r] = sum;
      *xs_band_lu_at(&e->matrix, row, row) = left_out(e, b) ? 1 : -SOFTNESS * sum;
    }
  }
}

int xs_static_equations_factor(xs_static_equations *e, xs_pose *x, const xs_static_loads *loads,
                               double shift, int symmetric) {
  full f = {e, symmetric};
  xs_band_lu_clear(&e->matrix);
  assemble(e, x, loads, put_full, put_full_row, &f);
  finish(e, shift);
  return xs_band_lu_factor(&e->matrix);
}

int xs_static_equations_factor_mass(xs_static_equations *e, const xs_pose *x) {
  const xs_system *s = e->system;
  full f = {e, 0};
  xs_band_lu_clear(&e->matrix);
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * COLUMNS];
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);
    if (left_out(e, b)) memset(G, 0, sizeof G);
    for (int r = 0; r < block->n_rows; r++)
      if (e->row_at[block->first_row + r] >= 0) put_full_row(&f, block, b, r, G);
  }
  finish(e, 1);
  return xs_band_lu_factor(&e->matrix);
}

/* --- inertia ------------------------------------------------------------------------ */

static void put_penalised(void *into, int node_i, int i, int node_j, int j, double value) {
  xs_static_equations *e = into;
  int row = e->penalised_at[node_i], column = e->penalised_at[node_j];
  if (row < 0 || column < 0) return;
  row += i, column += j;
  /* The symmetric part, in the lower triangle. */
  const int low = row > column ? row : column, high = row > column ? column : row;
  e->penalised.AB[low - high + (e->penalised.kd + 1) * high] += row == column ? value : 0.5 * value;
}

static void put_penalty(void *into, const xs_row_block *block, int b, int r, const double *G) {
  xs_static_equations *e = into;
  if (left_out(e, b)) return;
  const double stiffness = 1 / (SOFTNESS_COUNTING * e->softness[block->first_row + r]);
  const int n = 6 * block->n_nodes;
  if (!(stiffness < INFINITY)) return;
  for (int j = 0; j < n; j++) {
    const double g = stiffness * G[r + block->n_rows * j];
    for (int i = 0; i < n && g != 0; i++)
      put_penalised(e, block->node[i / 6], i % 6, block->node[j / 6], j % 6,
                    g * G[r + block->n_rows * i]);
  }
}

int xs_static_equations_negative(xs_static_equations *e, xs_pose *x, const xs_static_loads *loads,
                                 double shift) {
  xs_band *band = &e->penalised;
  memset(band->AB, 0, (size_t)(band->kd + 1) * (size_t)band->n * sizeof *band->AB);
  assemble(e, x, loads, put_penalised, put_penalty, e);
  for (int i = 0; i < e->system->world->n_nodes; i++)
    for (int c = 0; e->node_at[i] >= 0 && c < 6; c++)
      band->AB[(band->kd + 1) * (e->penalised_at[i] + c)] += shift * e->mass[e->node_at[i] + c];
  return xs_band_negative(band);
}

/* --- steps -------------------------------------------------------------------------- */

void xs_static_equations_move(const xs_static_equations *e, const double *step, double factor,
                              xs_pose *x) {
  const xs_system *s = e->system;
  for (int i = 0; i < s->world->n_nodes; i++) {
    if (e->node_at[i] < 0) continue;
    const double *d = step + e->node_at[i];
    x[i].p = xs_vec3_add_scaled(x[i].p, factor, (xs_vec3){d[0], d[1], d[2]});
    x[i].q = xs_so3_plus(x[i].q, xs_vec3_scale(factor, (xs_vec3){d[3], d[4], d[5]}));
    x[i].R = xs_so3_matrix(x[i].q);
  }
  for (int r = 0; r < s->n_rows; r++)
    if (e->row_at[r] >= 0) s->lambda[r] += factor * step[e->row_at[r]];
}

typedef struct form {
  const xs_static_equations *e;
  const double *y;
  double sum, magnitude;
} form;

static void put_form(void *into, int node_i, int i, int node_j, int j, double value) {
  form *f = into;
  const int at = f->e->node_at[node_i], of = f->e->node_at[node_j];
  if (at < 0 || of < 0) return;
  const double term = f->y[at + i] * value * f->y[of + j];
  f->sum += term;
  f->magnitude += fabs(term);
}

double xs_static_equations_energy(const xs_static_equations *e, xs_pose *x,
                                  const xs_static_loads *loads, const double *y,
                                  double *magnitude) {
  form f = {.e = e, .y = y};
  assemble(e, x, loads, put_form, NULL, &f);
  *magnitude = f.magnitude;
  return f.sum;
}
