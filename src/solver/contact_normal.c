/* Block principal pivoting, sweeps and Newton's steps (contact_normal.h). */
#include "solver/contact_normal.h"

#include <math.h>
#include <string.h>

#include "math/conjugate.h"
#include "math/lanes.h"

#define SWEEPS_MAX 100
/* A sweep that changes no l by more than this part of the largest ends the search; */
#define TOLERANCE 1e-12
/* by no more than this, if Newton's step does not halve it: where more bears than is needed, rows
 * contradict each other by round-off, and the step only shifts load from one to the other. */
#define ROUND_OFF 1e-11
/* and what ends above this counts as not solved. */
#define SOLVED 1e-8
/* A Newton step follows every sweep, but waits so long after one that had to be done by conjugate
 * gradients, which costs as much as many sweeps. */
#define SWEEPS_AFTER_CONJUGATE 5
/* Added to the diagonal of Newton's matrix, relative: contacts side by side say nearly the same. */
#define REGULARISED 1e-9
/* Doubles of the envelope a row: more, and Newton's step is done by conjugate gradients. */
#define ENVELOPE_A_ROW 120
/* With more contacts than this, all groups together, it is room for piles (contact_pile.h), which
 * have no use for it but for small groups beside them. */
#define ENVELOPE_CONTACTS 2048
#define CONJUGATE_STEPS   60
/* Smallest pivot that counts, of what it was before elimination. */
#define PIVOT 1e-13
/* An overlap counts in pivoting from this part of the deepest one that there is without forces. */
#define OVERLAPS 1e-12
/* So many blocks are pivoted at most, and so many in a row that leave no fewer contacts to be
 * changed than the best one. */
#define PIVOTS   40
#define PATIENCE 5
/* A step is halved so often in search of a lower energy. */
#define HALVINGS 4
/* So many steps, each with fewer contacts, at most between two sweeps. */
#define ROUNDS 20

int xs_contact_normal_create(int capacity, xs_arena *arena, xs_contact_normal_work *w) {
  const size_t n = (size_t)capacity;
  w->envelope_capacity =
      3 * (size_t)(capacity < ENVELOPE_CONTACTS ? capacity : ENVELOPE_CONTACTS) * ENVELOPE_A_ROW;
  w->envelope = XS_ARENA_NEW(arena, double, w->envelope_capacity);
  w->unknown = XS_ARENA_NEW(arena, int, n);
  w->contact = XS_ARENA_NEW(arena, int, n);
  w->begin = XS_ARENA_NEW(arena, int, n);
  w->at = XS_ARENA_NEW(arena, size_t, n + 1);
  w->pivot = XS_ARENA_NEW(arena, double, n);
  w->rest = XS_ARENA_NEW(arena, double, n);
  w->step = XS_ARENA_NEW(arena, double, n);
  w->direction = XS_ARENA_NEW(arena, double, n);
  w->product = XS_ARENA_NEW(arena, double, n);
  w->gap = XS_ARENA_NEW(arena, double, n);
  w->saved = XS_ARENA_NEW(arena, double, n);
  w->start = XS_ARENA_NEW(arena, double, n);
  return w->envelope && w->unknown && w->contact && w->begin && w->at && w->pivot && w->rest &&
         w->step && w->direction && w->product && w->gap && w->saved && w->start;
}

/* ---- Sweeps ---- */

/* Row i of N l - b. */
static double gap_of(const xs_contact_normal *p, const double *l, int i) {
  double sum = -p->b[i];
  for (int k = p->first[i]; k < p->first[i + 1]; k++) sum += p->N[k] * l[p->column[k]];
  return sum;
}

/* Returns the largest change, over the largest l. */
static double sweep(const xs_contact_normal *p, double *l) {
  double change = 0, largest = 0;
  for (int i = 0; i < p->n; i++) {
    const double to = l[i] - gap_of(p, l, i) / p->N[p->first[i]], before = l[i];
    l[i] = to > 0 ? to : 0;
    const double by = fabs(l[i] - before);
    if (by > change || isnan(by)) change = by;
    if (l[i] > largest) largest = l[i];
  }
  return change > 0 && largest > 0 ? change / largest : change;
}

/* ---- The matrix of those that bear ---- */

static void list_unknown(xs_contact_normal_work *w, int i, double rest) {
  w->unknown[i] = w->n_unknowns;
  w->rest[w->n_unknowns] = rest;
  w->contact[w->n_unknowns++] = i;
}

/* The envelope: how far back a row of L reaches. 0 if it does not fit. */
static int lay_out(const xs_contact_normal *p, xs_contact_normal_work *w) {
  size_t total = 0;
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    int begin = f;
    for (int k = p->first[i]; k < p->first[i + 1]; k++) {
      const int g = w->unknown[p->column[k]];
      if (g >= 0 && g < begin) begin = g;
    }
    w->begin[f] = begin;
    w->at[f] = total;
    total += (size_t)(f - begin);
    if (total > w->envelope_capacity) return 0;
  }
  w->at[w->n_unknowns] = total;
  return 1;
}

/* Entry (f, g), g < f: envelope[at[f] + g - begin[f]]. */
static void fill(const xs_contact_normal *p, xs_contact_normal_work *w) {
  memset(w->envelope, 0, w->at[w->n_unknowns] * sizeof *w->envelope);
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    double *row = w->envelope + w->at[f];
    for (int k = p->first[i]; k < p->first[i + 1]; k++) {
      const int g = w->unknown[p->column[k]];
      if (g >= 0 && g < f) row[g - w->begin[f]] = p->N[k];
    }
    w->pivot[f] = p->N[p->first[i]] * (1 + REGULARISED);
  }
}

/* L D L^T with unit L within the envelope (Duff, Erisman & Reid, Direct Methods for Sparse
 * Matrices, 7.2). 0 at a pivot that is nearly nothing. */
static int factor(xs_contact_normal_work *w) {
  for (int f = 0; f < w->n_unknowns; f++) {
    double *row = w->envelope + w->at[f], before = w->pivot[f];
    const int begin = w->begin[f];
    /* First L D, then L, of which the row before it is at hand. */
    for (int g = begin; g < f; g++) {
      const int other = w->begin[g], from = other > begin ? other : begin;
      const double *row_g = w->envelope + w->at[g];
      if (from < g)
        row[g - begin] -= xs_lanes_dot(g - from, row + (from - begin), row_g + (from - other));
    }
    double sum = 0;
    for (int g = begin; g < f; g++) {
      const double scaled = row[g - begin] / w->pivot[g];
      sum += row[g - begin] * scaled;
      row[g - begin] = scaled;
    }
    w->pivot[f] = before - sum;
    if (!(w->pivot[f] > PIVOT * before)) return 0;
  }
  return 1;
}

/* rest -> step */
static void solve_factored(xs_contact_normal_work *w) {
  const int n = w->n_unknowns;
  for (int f = 0; f < n; f++)
    w->step[f] =
        w->rest[f] - xs_lanes_dot(f - w->begin[f], w->envelope + w->at[f], w->step + w->begin[f]);
  for (int f = 0; f < n; f++) w->step[f] /= w->pivot[f];
  for (int f = n - 1; f >= 0; f--) {
    const double *row = w->envelope + w->at[f];
    for (int k = w->begin[f]; k < f; k++) w->step[k] -= row[k - w->begin[f]] * w->step[f];
  }
}

/* product = N direction, among those that bear. */
static void multiply(const void *problem, const void *work, const double *direction,
                     double *product) {
  const xs_contact_normal *p = problem;
  const xs_contact_normal_work *w = work;
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    double sum = REGULARISED * w->pivot[f] * direction[f];
    for (int k = p->first[i]; k < p->first[i + 1]; k++) {
      const int g = w->unknown[p->column[k]];
      if (g >= 0) sum += p->N[k] * direction[g];
    }
    product[f] = sum;
  }
}

static void solve_conjugate(const xs_contact_normal *p, xs_contact_normal_work *w) {
  for (int f = 0; f < w->n_unknowns; f++) w->pivot[f] = p->N[p->first[w->contact[f]]];
  const xs_conjugate system = {w->n_unknowns, w->pivot, multiply, p, w};
  xs_conjugate_solve(&system, CONJUGATE_STEPS, w->rest, w->step, w->direction, w->product);
}

/* ---- Pivoting ---- */

/* Of those listed, l in w->step; gaps of the others into w->gap, and how many there are on the
 * wrong side, with w->gap < 0 for all that have to change; -1: no answer. */
static int judge(const xs_contact_normal *p, double *l, double deepest, xs_contact_normal_work *w) {
  if (!lay_out(p, w)) return -1;
  fill(p, w);
  if (!factor(w)) return -1;
  solve_factored(w);
  int wrong = 0;
  for (int i = 0; i < p->n; i++) l[i] = w->unknown[i] >= 0 ? w->step[w->unknown[i]] : 0;
  for (int i = 0; i < p->n; i++) {
    w->gap[i] = w->unknown[i] >= 0 ? l[i] : gap_of(p, l, i) + OVERLAPS * deepest;
    wrong += w->gap[i] < 0;
  }
  return wrong;
}

/* A start from nothing: who bears, found by pivoting, into l; 0, without l, if it does not end. */
static int pivot(const xs_contact_normal *p, double *l, xs_contact_normal_work *w) {
  double deepest = 0;
  for (int i = 0; i < p->n; i++) {
    if (l[i] > 0) return 0;
    deepest = fmax(deepest, p->b[i]);
  }
  if (!(deepest > 0)) return 0;
  for (int i = 0; i < p->n; i++) w->unknown[i] = p->b[i] > 0 ? 0 : -1;

  int fewest = p->n + 1, patience = PATIENCE;
  for (int k = 0; k < PIVOTS; k++) {
    w->n_unknowns = 0;
    for (int i = 0; i < p->n; i++)
      if (w->unknown[i] >= 0) list_unknown(w, i, p->b[i]);
    const int wrong = judge(p, w->start, deepest, w);
    if (wrong == 0) {
      memcpy(l, w->start, (size_t)p->n * sizeof *l);
      return 1;
    }
    if (wrong < 0 || (wrong >= fewest && --patience == 0)) return 0;
    if (wrong < fewest) {
      fewest = wrong;
      patience = PATIENCE;
    }
    for (int i = 0; i < p->n; i++)
      if (w->gap[i] < 0) w->unknown[i] = w->unknown[i] >= 0 ? -1 : 0;
  }
  return 0;
}

/* ---- Newton's steps that lower the energy ---- */

/* 1/2 l N l - b l, which is least at the solution. */
static double energy_of(const xs_contact_normal *p, const double *l) {
  double sum = 0;
  for (int i = 0; i < p->n; i++)
    if (l[i] > 0) sum += 0.5 * l[i] * (gap_of(p, l, i) - p->b[i]);
  return sum;
}

/* Newton's step of what bears, in w->step, as far as it lowers the energy: with what it would make
 * pull set to 0, or half of it, and so on; last, up to the first that it would make pull. As sweeps
 * lower the energy, too, there is no going round in circles (More & Toraldo, SIAM J. Optim. 1,
 * 1991). Returns whether it was cut short, and what bears now has a step of its own. */
static int descend(const xs_contact_normal *p, double *l, xs_contact_normal_work *w) {
  double first = 1, energy = 0;
  for (int f = 0; f < w->n_unknowns; f++) {
    w->start[f] = l[w->contact[f]];
    if (w->start[f] + first * w->step[f] < 0) first = -w->start[f] / w->step[f];
  }
  if (first < 1) energy = energy_of(p, l);
  double part = 1;
  for (int k = 0; k < HALVINGS && part > first; k++) {
    for (int f = 0; f < w->n_unknowns; f++)
      l[w->contact[f]] = fmax(0, w->start[f] + part * w->step[f]);
    if (energy_of(p, l) < energy) return 1;
    part *= 0.5;
  }
  for (int f = 0; f < w->n_unknowns; f++)
    l[w->contact[f]] = fmax(0, w->start[f] + fmin(first, part) * w->step[f]);
  return first < 1;
}

/* Newton's steps until one is not cut short: the best there is with what then bears. (Sweeps in
 * between would bring back what is to go, and take many rounds where contacts are nearly alike.)
 * Returns whether there was one to make. */
static int descend_to_end(const xs_contact_normal *p, double *l, xs_contact_normal_work *w,
                          int *wait) {
  for (int round = 0; round < ROUNDS; round++) {
    w->n_unknowns = 0;
    for (int i = 0; i < p->n; i++) w->unknown[i] = -1;
    for (int i = 0; i < p->n; i++)
      if (l[i] > 0) list_unknown(w, i, -gap_of(p, l, i));
    if (w->n_unknowns == 0) return round > 0;
    if (!lay_out(p, w)) {
      solve_conjugate(p, w);
      *wait = SWEEPS_AFTER_CONJUGATE;
      descend(p, l, w);
      return 1;
    }
    fill(p, w);
    if (!factor(w)) return round > 0;
    solve_factored(w);
    if (!descend(p, l, w)) return 1;
  }
  return 1;
}

int xs_contact_normal_solve(const xs_contact_normal *p, double *l, xs_contact_normal_work *w) {
  const size_t bytes = (size_t)p->n * sizeof *l;
  double change = INFINITY, best = INFINITY; /* after this sweep, after that of w->saved */
  int wait = 0, leapt = 0;
  pivot(p, l, w);
  for (int k = 1; k <= SWEEPS_MAX; k++) {
    change = sweep(p, l);
    if (change <= TOLERANCE) return 1;
    wait--;
    if (leapt && best <= ROUND_OFF && !(change <= 0.5 * best)) {
      memcpy(l, w->saved, bytes);
      return 1;
    }
    if (change < best) {
      best = change;
      memcpy(w->saved, l, bytes);
      leapt = 0;
    }
    if (wait <= 0 && k < SWEEPS_MAX) leapt |= descend_to_end(p, l, w, &wait);
  }
  if (best < change) memcpy(l, w->saved, bytes);
  return best <= SOLVED;
}
