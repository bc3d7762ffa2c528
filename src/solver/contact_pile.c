/* Piles: sweeps with conjugate directions (contact_pile.h). */
#include "solver/contact_pile.h"

#include <math.h>
#include <string.h>

#include "solver/contact_cone.h"

/* From so many contacts on; below, Newton's step is worth its cost. */
#define PILE_MIN 128
/* Contacts that the mean row reaches back, above which a pile is wide. */
#define NARROW 12
/* Sweeps, each forth and back. */
#define SWEEPS_MAX 30
/* The last ones go on without the conjugate direction, which may leave the cones. */
#define SWEEPS_LAST 2
/* A sweep that changes no l by more than this part of the largest normal one ends the search; */
#define TOLERANCE 1e-12
/* and what ends above this counts as not solved. */
#define SOLVED 1e-8

int xs_contact_pile_create(xs_contact_pile *pile, int n_nodes, xs_arena *arena) {
  const size_t n = (size_t)n_nodes + 1;
  pile->n_nodes = n_nodes;
  pile->number = XS_ARENA_NEW(arena, int, n);
  pile->node = XS_ARENA_NEW(arena, int, n);
  pile->first_contact = XS_ARENA_NEW(arena, int, n);
  pile->w = XS_ARENA_NEW(arena, double, 6 * n);
  pile->w_p = XS_ARENA_NEW(arena, double, 6 * n);
  pile->w_before = XS_ARENA_NEW(arena, double, 6 * n);
  return pile->number && pile->node && pile->first_contact && pile->w && pile->w_p &&
         pile->w_before;
}

int xs_contact_pile_fit(xs_contact_pile *pile, int capacity, xs_arena *arena) {
  const size_t n = (size_t)capacity;
  pile->contact = XS_ARENA_NEW(arena, xs_contact_pile_contact, n);
  pile->before = XS_ARENA_NEW(arena, double, 3 * n);
  pile->p = XS_ARENA_NEW(arena, double, 3 * n);
  return pile->contact && pile->before && pile->p;
}

/* ---- The problem ---- */

void xs_contact_pile_begin(xs_contact_pile *pile, double softness) {
  for (int body = 1; body < pile->n_bodies; body++) pile->number[pile->node[body]] = 0;
  pile->n = 0;
  pile->n_bodies = 1;
  pile->softness = softness;
  pile->reach = 0;
  memset(pile->w, 0, 6 * sizeof *pile->w);
}

/* A node's number, which contact i may be the first to ask for. */
static int body_of(xs_contact_pile *pile, int node, int i) {
  int *number = &pile->number[node];
  if (*number == 0) {
    *number = pile->n_bodies++;
    pile->node[*number] = node;
    pile->first_contact[*number] = i;
    memset(pile->w + 6 * *number, 0, 6 * sizeof *pile->w);
  }
  return *number;
}

void xs_contact_pile_add(xs_contact_pile *pile, int n_nodes, const int *node, const double *G,
                         const xs_inertia *inertia, const double r[3], double l0,
                         double static_friction, double friction) {
  const int i = pile->n++;
  int begin = i;
  xs_contact_pile_contact *contact = &pile->contact[i];
  *contact = (xs_contact_pile_contact){.C = {r[0] - pile->softness * l0, r[1], r[2]},
                                       .A = {pile->softness},
                                       .static_friction = static_friction,
                                       .friction = friction};
  for (int s = 0; s < n_nodes; s++) {
    const xs_inertia *of = &inertia[node[s]];
    if (!(of->inv_mass > 0)) continue;
    const int body = body_of(pile, node[s], i);
    contact->body[s] = body;
    if (pile->first_contact[body] < begin) begin = pile->first_contact[body];
    const double root = sqrt(of->inv_mass);
    const double scale[6] = {
        root, root, root, sqrt(of->inv_moment.x), sqrt(of->inv_moment.y), sqrt(of->inv_moment.z)};
    for (int col = 0; col < 6; col++) {
      double *g = contact->G + 18 * s + 3 * col;
      for (int k = 0; k < 3; k++) g[k] = scale[col] * G[18 * s + 3 * col + k];
      contact->A[0] += g[0] * g[0];
      contact->A[1] += g[0] * g[1];
      contact->A[2] += g[0] * g[2];
      contact->A[3] += g[1] * g[1];
      contact->A[4] += g[1] * g[2];
      contact->A[5] += g[2] * g[2];
    }
  }
  pile->reach += i - begin;
}

int xs_contact_pile_is_wide(const xs_contact_pile *pile) {
  return pile->n >= PILE_MIN && pile->reach > NARROW * (double)pile->n;
}

/* ---- Sweeps ---- */

/* r += G M^-1/2 w of a contact. */
static inline void add_motion(const xs_contact_pile *pile, const xs_contact_pile_contact *c,
                              double r[3]) {
  const double *w[2] = {pile->w + 6 * c->body[0], pile->w + 6 * c->body[1]};
  for (int s = 0; s < 2; s++)
    for (int col = 0; col < 6; col++)
      for (int k = 0; k < 3; k++) r[k] += c->G[18 * s + 3 * col + k] * w[s][col];
}

/* A contact by itself, the others as they are: its normal, then its tangents. Returns the largest
 * change. */
static inline double relax(xs_contact_pile *pile, const xs_contact_pile_contact *c, double *l) {
  double *w[2] = {pile->w + 6 * c->body[0], pile->w + 6 * c->body[1]};
  double r[3] = {c->C[0] + pile->softness * l[0], c->C[1], c->C[2]};
  add_motion(pile, c, r);

  const double *A = c->A;
  double l_n = l[0] - r[0] / A[0];
  if (!(l_n > 0)) l_n = 0;
  if (l_n == 0 && l[0] == 0 && l[1] == 0 && l[2] == 0) return 0;
  double d[3] = {l_n - l[0]}, x[2];
  const double a[3] = {A[3], A[4], A[5]};
  const double slip[2] = {r[1] + A[1] * d[0] - (A[3] * l[1] + A[4] * l[2]),
                          r[2] + A[2] * d[0] - (A[4] * l[1] + A[5] * l[2])};
  xs_contact_cone_friction(a, slip, c->static_friction * l_n, c->friction * l_n, x);
  d[1] = x[0] - l[1], d[2] = x[1] - l[2];
  l[0] = l_n, l[1] = x[0], l[2] = x[1];
  for (int s = 0; s < 2; s++)
    for (int col = 0; col < 6; col++) {
      const double *g = c->G + 18 * s + 3 * col;
      w[s][col] += g[0] * d[0] + g[1] * d[1] + g[2] * d[2];
    }
  return fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
}

/* Forth and back. Returns the largest change on the way back, over the largest normal l. */
static double sweep(xs_contact_pile *pile, double *l) {
  double change = 0, largest = 0;
  for (int i = 0; i < pile->n; i++) (void)relax(pile, &pile->contact[i], l + 3 * i);
  for (int i = pile->n - 1; i >= 0; i--) {
    const double by = relax(pile, &pile->contact[i], l + 3 * i);
    if (by > change || isnan(by)) change = by;
    if (l[3 * i] > largest) largest = l[3 * i];
  }
  return change > 0 && largest > 0 ? change / largest : change;
}

/* x, which was `before` before a sweep, goes on by beta p; p becomes the direction that was gone.
 */
static void go_on(size_t n, double *x, const double *before, double *p, double beta) {
  for (size_t f = 0; f < n; f++) {
    const double along = beta > 0 ? beta * p[f] : 0;
    p[f] = x[f] - before[f] + along;
    x[f] += along;
  }
}

int xs_contact_pile_solve(xs_contact_pile *pile, double *l) {
  const size_t n = 3 * (size_t)pile->n, n_w = 6 * (size_t)pile->n_bodies;
  double change = INFINITY, g2_before = 0;
  for (int k = 0; k < SWEEPS_MAX; k++) {
    memcpy(pile->before, l, n * sizeof *l);
    memcpy(pile->w_before, pile->w, n_w * sizeof *pile->w);
    change = sweep(pile, l);
    if (change <= TOLERANCE) return 1;

    double g2 = 0;
    for (size_t f = 0; f < n; f++) g2 += (l[f] - pile->before[f]) * (l[f] - pile->before[f]);
    const double beta = g2 < g2_before ? g2 / g2_before : 0;
    g2_before = g2;
    if (k >= SWEEPS_MAX - SWEEPS_LAST) continue;
    go_on(n, l, pile->before, pile->p, beta);
    go_on(n_w, pile->w, pile->w_before, pile->w_p, beta);
  }
  return change <= SOLVED;
}

double xs_contact_pile_work(const xs_contact_pile *pile, const double *l0, const double *l,
                            double part, const double *C_n) {
  double sum = 0;
  for (int i = 0; i < pile->n; i++) {
    double moved[3] = {0, 0, 0};
    add_motion(pile, &pile->contact[i], moved);
    for (int k = 0, f = 3 * i; k < 3; k++, f++)
      sum += (l0[f] + part * (l[f] - l0[f])) * (pile->contact[i].C[k] + part * moved[k] - C_n[f]);
  }
  return sum;
}
