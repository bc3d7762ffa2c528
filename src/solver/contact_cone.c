/* Projected Gauss-Seidel with Newton steps (contact_cone.h). */
#include "solver/contact_cone.h"

#include <math.h>
#include <string.h>

#include "math/conjugate.h"
#include "math/lanes.h"

#define SWEEPS_MAX 100
/* A sweep that changes no l by more than this part of the largest normal one ends the search; */
#define TOLERANCE 1e-12
/* by no more than this, if Newton's step does not halve it: where more bears than is needed, rows
 * contradict each other by round-off, and the step only shifts load from one to the other. */
#define ROUND_OFF 1e-11
/* and what ends above this counts as not solved. */
#define SOLVED 1e-8
/* A Newton step follows every sweep, but waits so long after one that was no good, or that had to
 * be done by conjugate gradients, which costs as much as many sweeps. */
#define SWEEPS_AFTER_FAILURE 5
/* Newton's steps since the best sweep (the one that changed least) are taken back where a sweep
 * changes more than this times what that one did, or so many of them have not been better: steps
 * go round in circles, and bounds of friction are searched for first. Where there is no solution
 * (Painleve's paradox, or nearly) the best is what is left. */
#define GROWTH 100
#define STALE  5
/* Added to the diagonal of Newton's matrix, relative: four corners of a box have twelve
 * rows on six degrees of freedom. A hundredth of this lets steps diverge. */
#define REGULARISED 1e-9
/* Doubles of the envelope a row: more, and Newton's step is done by conjugate gradients. */
#define ENVELOPE_A_ROW 120
/* With more contacts than this, all groups together, it is room for piles (contact_pile.h), which
 * have no use for it but for small groups beside them. */
#define ENVELOPE_CONTACTS 2048
#define CONJUGATE_STEPS   60
/* Shorter sums are done one by one. */
#define LANES_FROM 12
/* What slips by less than this part of what friction moves it by does not slip. */
#define SLIPS 1e-9
/* Smallest pivot that counts, of what it was before elimination. */
#define PIVOT 1e-13
/* A gap is closed that is less than this part of the deepest overlap there is without forces. */
#define TOUCHES 1e-6
/* The first guess, and one with friction shared by what each contact bears. */
#define GUESSES 2
/* From bounds this near to those before, relative, Newton's steps are tried for the rest. */
#define NEAR 1e-3
/* Within bounds the search ends where a sweep changes this part of what the bounds moved by. */
#define INEXACT 0.01
/* With given bounds a step is halved down to this in search of a lower energy. */
#define PART_LEAST 1e-3
/* The search within bounds, and that for bounds, go on while what a sweep changes, or what the
 * bounds move by, still becomes less than this part of the least so far. */
#define LOWERS 0.9
/* And there are so many sweeps at most, of all bounds together: what they have not found is hardly
 * ever found by more, and where there is nothing to be found, as in many a sliding stack, they are
 * most of a step's time. */
#define BOUNDED_SWEEPS 500
/* Bounds are searched for where Newton's steps go round in circles further from a solution than
 * this: nearer it takes hundreds of sweeps for digits that matter little. (It counts as not
 * solved.) */
#define CIRCLES 1e-6
/* A tangent this close to its cone counts as lying on it. */
#define INSIDE (1 - 1e-9)

int xs_contact_cone_create(int capacity, xs_arena *arena, xs_contact_cone_work *w) {
  const size_t n = 3 * (size_t)capacity;
  w->capacity = capacity;
  w->envelope_capacity =
      3 * (size_t)(capacity < ENVELOPE_CONTACTS ? capacity : ENVELOPE_CONTACTS) * ENVELOPE_A_ROW;
  w->first_unknown = XS_ARENA_NEW(arena, int, (size_t)capacity + 1);
  w->contact = XS_ARENA_NEW(arena, int, n);
  w->slides = XS_ARENA_NEW(arena, unsigned char, capacity);
  w->p = XS_ARENA_NEW(arena, double, 3 * n);
  w->q = XS_ARENA_NEW(arena, double, 3 * n);
  w->sigma = XS_ARENA_NEW(arena, double, n);
  w->saved = XS_ARENA_NEW(arena, double, n);
  w->mu = XS_ARENA_NEW(arena, double, capacity);
  w->rest = XS_ARENA_NEW(arena, double, n);
  w->step = XS_ARENA_NEW(arena, double, n);
  w->direction = XS_ARENA_NEW(arena, double, n);
  w->product = XS_ARENA_NEW(arena, double, n);
  w->diagonal = XS_ARENA_NEW(arena, double, n);
  w->begin = XS_ARENA_NEW(arena, int, n);
  w->at = XS_ARENA_NEW(arena, size_t, n + 1);
  w->lower = XS_ARENA_NEW(arena, double, w->envelope_capacity);
  w->upper = XS_ARENA_NEW(arena, double, w->envelope_capacity);
  w->bound = XS_ARENA_NEW(arena, double, capacity);
  w->start = XS_ARENA_NEW(arena, double, 3 * n);
  w->normal_b = XS_ARENA_NEW(arena, double, capacity);
  w->normal_l = XS_ARENA_NEW(arena, double, capacity);
  return xs_contact_normal_create(capacity, arena, &w->normal); /* last pieces tell of all */
}

/* ---- One contact ---- */

void xs_contact_cone_friction(const double a[3], const double s[2], double stick, double slide,
                              double x[2]) {
  x[0] = x[1] = 0;
  if (!(stick > 0)) return;
  double det = a[0] * a[2] - a[1] * a[1];
  x[0] = (a[1] * s[1] - a[2] * s[0]) / det;
  x[1] = (a[1] * s[0] - a[0] * s[1]) / det;
  double size = sqrt(x[0] * x[0] + x[1] * x[1]);
  if (size <= stick) return;

  /* |x(sigma)| = slide: Newton on 1/|x| - 1/slide, which is nearly linear and concave, so that
   * it rises to the root from sigma = 0 without overshooting. */
  double sigma = 0;
  for (int k = 0; k < 30 && slide > 0; k++) {
    const double excess = size / slide - 1;
    if (excess <= 1e-14) break;
    const double a11 = a[0] + sigma, a22 = a[2] + sigma;
    const double y0 = (a22 * x[0] - a[1] * x[1]) / det, y1 = (a11 * x[1] - a[1] * x[0]) / det;
    sigma += excess * size * size / (x[0] * y0 + x[1] * y1);
    const double b11 = a[0] + sigma, b22 = a[2] + sigma;
    det = b11 * b22 - a[1] * a[1];
    x[0] = (a[1] * s[1] - b22 * s[0]) / det;
    x[1] = (a[1] * s[0] - b11 * s[1]) / det;
    size = sqrt(x[0] * x[0] + x[1] * x[1]);
  }
  const double to_cone = size > 0 ? slide / size : 0;
  x[0] *= to_cone, x[1] *= to_cone;
}

/* Row block i of A l - b. */
static void residual_of(const xs_contact_cone *c, const double *l, int i, double r[3]) {
  r[0] = -c->b[3 * i], r[1] = -c->b[3 * i + 1], r[2] = -c->b[3 * i + 2];
  for (int k = c->first[i]; k < c->first[i + 1]; k++) {
    const double *A = c->A + 9 * (size_t)k, *lj = l + 3 * c->column[k];
    if (!(lj[0] > 0)) continue; /* nor has it friction */
    r[0] += A[0] * lj[0] + A[1] * lj[1] + A[2] * lj[2];
    r[1] += A[3] * lj[0] + A[4] * lj[1] + A[5] * lj[2];
    r[2] += A[6] * lj[0] + A[7] * lj[1] + A[8] * lj[2];
  }
}

/* Normal, then tangents; bound: what friction may be at most, NULL: what the normal says. Returns
 * the largest change. */
static double relax(const xs_contact_cone *c, double *l, int i, const double *bound) {
  const double *A = c->A + 9 * (size_t)c->first[i];
  double r[3], *li = l + 3 * i;
  residual_of(c, l, i, r);
  double l_n = li[0] - r[0] / A[0];
  if (!(l_n > 0)) l_n = 0;
  const double change_n = l_n - li[0];
  const double a[3] = {A[4], A[5], A[8]};
  const double s[2] = {r[1] + A[3] * change_n - (A[4] * li[1] + A[5] * li[2]),
                       r[2] + A[6] * change_n - (A[7] * li[1] + A[8] * li[2])};
  double x[2];
  const double stick = bound ? bound[i] : c->static_friction[i] * l_n;
  xs_contact_cone_friction(a, s, l_n > 0 ? stick : 0, bound ? stick : c->friction[i] * l_n, x);
  const double change_t = fmax(fabs(x[0] - li[1]), fabs(x[1] - li[2]));
  li[0] = l_n, li[1] = x[0], li[2] = x[1];
  return fmax(fabs(change_n), change_t);
}

/* Returns the largest change; *relative: over the largest normal l. Which of two l is nearer to a
 * solution, the first tells: a leap to where all l are large makes the other small. */
static double sweep(const xs_contact_cone *c, double *l, const double *bound, double *relative) {
  double change = 0, largest = 0;
  for (int i = 0; i < c->n; i++) {
    const double by = relax(c, l, i, bound);
    if (by > change || isnan(by)) change = by;
    if (l[3 * i] > largest) largest = l[3 * i];
  }
  *relative = change > 0 && largest > 0 ? change / largest : change;
  return change;
}

/* ---- Newton's step ---- */

/* Newton's unknowns with every contact held to what it does now. What lies on its cone sticks
 * until a step that lets it stick has led beyond (where more bears than is needed, some lie there
 * by chance). One that is open has none; one
 * that sticks has its three rows; one that slides stays on its cone, l_t = mu l_n e, and has
 *   dl_n    along q = (1, mu e),  with the equation of its normal, p = (1, 0, 0),
 *   delta   along q = (0, tau),   tau across e, with the slip's part across e: p = q,
 * where turning the friction by delta/|l_t| changes what is across by sigma delta, sigma =
 * |slip|/|l_t|. Sliding makes the matrix P^T A Q unsymmetric. */
static void add_unknown(xs_contact_cone_work *w, int i, const double p[3], const double q[3],
                        double sigma, double rest) {
  const int f = w->n_unknowns++;
  w->contact[f] = i;
  memcpy(w->p + 3 * f, p, 3 * sizeof *p);
  memcpy(w->q + 3 * f, q, 3 * sizeof *q);
  w->sigma[f] = sigma;
  w->rest[f] = rest;
}

static void add_stuck(xs_contact_cone_work *w, int i, const double r[3], int rows) {
  for (int k = 0; k < rows; k++) {
    const double e[3] = {k == 0, k == 1, k == 2};
    add_unknown(w, i, e, e, 0, -r[k]);
  }
}

/* slides_too: 0 leaves the friction of what slides as it is, and the matrix symmetric. */
static void find_unknowns(const xs_contact_cone *c, const double *l, int slides_too,
                          const double *bound, xs_contact_cone_work *w) {
  w->n_unknowns = 0;
  for (int i = 0; i < c->n; i++) {
    const double *li = l + 3 * i;
    w->first_unknown[i] = w->n_unknowns;
    if (!(li[0] > 0)) continue;
    double r[3];
    residual_of(c, l, i, r);
    const double mu = c->friction[i], size = sqrt(li[1] * li[1] + li[2] * li[2]);
    const double e[2] = {size > 0 ? li[1] / size : 0, size > 0 ? li[2] / size : 0};
    const double along = r[1] * e[0] + r[2] * e[1];
    const double most = bound ? bound[i] : mu * li[0];
    const int on_cone = size >= INSIDE * most && size <= most / INSIDE;
    if (!(c->static_friction[i] > 0)) {
      add_stuck(w, i, r, 1);
    } else if (!w->slides[i] || !on_cone || !(along < 0)) {
      w->slides[i] = 0;
      add_stuck(w, i, r, 3);
    } else if (!slides_too) {
      add_stuck(w, i, r, 1);
    } else {
      const double n[3] = {1, 0, 0}, tau[3] = {0, -e[1], e[0]};
      const double along_cone = bound ? 0 : mu, q[3] = {1, along_cone * e[0], along_cone * e[1]};
      add_unknown(w, i, n, q, 0, -r[0]);
      add_unknown(w, i, tau, tau, -along / size, r[1] * e[1] - r[2] * e[0]);
    }
  }
  w->first_unknown[c->n] = w->n_unknowns;
}

/* p_f^T A_k q_g */
static double entry(const xs_contact_cone *c, int k, const double *p, const double *q) {
  const double *A = c->A + 9 * (size_t)k;
  double sum = 0;
  for (int r = 0; r < 3; r++)
    sum += p[r] * (A[3 * r] * q[0] + A[3 * r + 1] * q[1] + A[3 * r + 2] * q[2]);
  return sum;
}

/* The envelope: how far back a row of L, and a column of U, reaches. 0 if it does not fit. */
static int lay_out_envelope(const xs_contact_cone *c, xs_contact_cone_work *w) {
  size_t total = 0;
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    int begin = f;
    for (int k = c->first[i]; k < c->first[i + 1]; k++) {
      const int j = c->column[k], first = w->first_unknown[j];
      if (first < w->first_unknown[j + 1] && first < begin) begin = first;
    }
    w->begin[f] = begin;
    w->at[f] = total;
    total += (size_t)(f - begin + 1);
    if (total > w->envelope_capacity) return 0;
  }
  w->at[w->n_unknowns] = total;
  return 1;
}

/* Entry (f, g) with g <= f: lower[at[f] + g - begin[f]]; (g, f): upper[at[f] + g - begin[f]]. */
static void fill_envelope(const xs_contact_cone *c, xs_contact_cone_work *w) {
  memset(w->lower, 0, w->at[w->n_unknowns] * sizeof *w->lower);
  memset(w->upper, 0, w->at[w->n_unknowns] * sizeof *w->upper);
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    double *row = w->lower + w->at[f] - w->begin[f], *diagonal = row + f;
    for (int k = c->first[i]; k < c->first[i + 1]; k++) {
      const int j = c->column[k];
      for (int g = w->first_unknown[j]; g < w->first_unknown[j + 1]; g++) {
        const double value = entry(c, k, w->p + 3 * f, w->q + 3 * g);
        if (g <= f)
          row[g] = value;
        else
          w->upper[w->at[g] + (size_t)(f - w->begin[g])] = value;
      }
    }
    *diagonal = *diagonal * (1 + REGULARISED) + w->sigma[f];
    w->upper[w->at[f] + (size_t)(f - w->begin[f])] = *diagonal;
  }
}

/* sum of row[k] column[k] for from <= k < to, both given by their envelopes' beginnings. */
static double inner(const double *row, int row_begin, const double *column, int column_begin,
                    int to) {
  const int from = row_begin > column_begin ? row_begin : column_begin;
  const double *a = row + (from - row_begin), *b = column + (from - column_begin);
  const int n = to - from;
  if (n >= LANES_FROM) return xs_lanes_dot(n, a, b);
  double sum = 0;
  for (int k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* L U with unit L, no pivoting, within the envelope (Duff, Erisman & Reid, Direct Methods for
 * Sparse Matrices, 7.2); then rest -> step. 0 at a pivot that is nearly nothing. */
static int solve_envelope(xs_contact_cone_work *w) {
  const int n = w->n_unknowns;
  for (int f = 0; f < n; f++) {
    double *low = w->lower + w->at[f], *up = w->upper + w->at[f];
    const int begin = w->begin[f];
    for (int g = begin; g < f; g++) {
      const double *low_g = w->lower + w->at[g], *up_g = w->upper + w->at[g];
      up[g - begin] -= inner(low_g, w->begin[g], up, begin, g);
      low[g - begin] =
          (low[g - begin] - inner(low, begin, up_g, w->begin[g], g)) / up_g[g - w->begin[g]];
    }
    const double before = up[f - begin], pivot = before - inner(low, begin, up, begin, f);
    if (!(fabs(pivot) > PIVOT * fabs(before))) return 0;
    up[f - begin] = pivot;
  }
  for (int f = 0; f < n; f++) {
    const double *low = w->lower + w->at[f];
    double sum = w->rest[f];
    for (int k = w->begin[f]; k < f; k++) sum -= low[k - w->begin[f]] * w->step[k];
    w->step[f] = sum;
  }
  for (int f = n - 1; f >= 0; f--) {
    const double *up = w->upper + w->at[f];
    w->step[f] /= up[f - w->begin[f]];
    for (int k = w->begin[f]; k < f; k++) w->step[k] -= up[k - w->begin[f]] * w->step[f];
  }
  return 1;
}

static double diagonal_of(const xs_contact_cone *c, const xs_contact_cone_work *w, int f) {
  return entry(c, c->first[w->contact[f]], w->p + 3 * f, w->q + 3 * f);
}

/* product = P^T A Q direction */
static void multiply(const void *cone, const void *work, const double *direction, double *product) {
  const xs_contact_cone *c = cone;
  const xs_contact_cone_work *w = work;
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    double sum = REGULARISED * w->diagonal[f] * direction[f];
    for (int k = c->first[i]; k < c->first[i + 1]; k++) {
      const int j = c->column[k];
      for (int g = w->first_unknown[j]; g < w->first_unknown[j + 1]; g++)
        sum += entry(c, k, w->p + 3 * f, w->q + 3 * g) * direction[g];
    }
    product[f] = sum;
  }
}

/* By conjugate gradients, for a symmetric matrix. */
static void solve_conjugate(const xs_contact_cone *c, xs_contact_cone_work *w) {
  for (int f = 0; f < w->n_unknowns; f++) w->diagonal[f] = diagonal_of(c, w, f);
  const xs_conjugate system = {w->n_unknowns, w->diagonal, multiply, c, w};
  xs_conjugate_solve(&system, CONJUGATE_STEPS, w->rest, w->step, w->direction, w->product);
}

/* Brings a contact back into its cone; onto it, if it slid. Returns whether it was outside. */
static int project(double *l, double bound, int slid) {
  if (!(l[0] > 0)) l[0] = bound = 0;
  const double size = sqrt(l[1] * l[1] + l[2] * l[2]);
  const int outside = size > bound;
  if (outside || (slid && size > 0)) l[1] *= bound / size, l[2] *= bound / size;
  return outside;
}

/* Whether all that is known of a guess, in w->step, pushes: 0 or 1, 2 if it is within the cones. */
static int judge(const xs_contact_cone *c, const xs_contact_cone_work *w) {
  int verdict = 2;
  for (int f = 0; f < w->n_unknowns;) {
    const int i = w->contact[f], n = w->first_unknown[i + 1] - f;
    const double *l = w->step + f;
    if (!(l[0] > 0)) return 0;
    if (n == 3 && hypot(l[1], l[2]) > c->static_friction[i] * l[0]) verdict = 1;
    f += n;
  }
  return verdict;
}

/* Makes tangents yield, in the matrix that is to be solved, the more the less their contact bears.
 */
static void share_friction(const xs_contact_cone *c, xs_contact_cone_work *w) {
  double largest = 0;
  for (int i = 0; i < c->n; i++)
    if (w->first_unknown[i + 1] > w->first_unknown[i])
      largest = fmax(largest, w->step[w->first_unknown[i]]);
  for (int f = 0; f < w->n_unknowns; f++) {
    const int first = w->first_unknown[w->contact[f]];
    if (f > first) w->sigma[f] = REGULARISED * diagonal_of(c, w, f) * largest / w->step[first];
  }
}

/* A start from nothing: everything sticks that would overlap. Where more bears than is needed, the
 * regularised matrix spreads the load over all of it, and friction, if it has to, by what each
 * bears. (Sweeps from nothing load what comes first, whose friction may then be too far from the
 * middle to hold though all together would: a solution as well, in which a pinched capsule turns
 * and creeps.) Only taken if it is within all cones; else l remains 0. */
static void guess(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  double deepest = 0;
  for (int i = 0; i < c->n; i++) {
    if (l[3 * i] > 0) return;
    deepest = fmax(deepest, c->b[3 * i]);
  }
  if (!(deepest > 0)) return;
  w->n_unknowns = 0;
  for (int i = 0; i < c->n; i++) {
    const double *b = c->b + 3 * i, r[3] = {-b[0], -b[1], -b[2]};
    w->first_unknown[i] = w->n_unknowns;
    if (b[0] > -TOUCHES * deepest) add_stuck(w, i, r, c->static_friction[i] > 0 ? 3 : 1);
  }
  w->first_unknown[c->n] = w->n_unknowns;
  if (!lay_out_envelope(c, w)) return;
  for (int verdict = 1, pass = 0; verdict < 2; pass++) {
    if (pass > 0) share_friction(c, w);
    fill_envelope(c, w);
    if (!solve_envelope(w)) return;
    verdict = judge(c, w);
    if (verdict == 0 || (verdict == 1 && pass == GUESSES - 1)) return;
  }
  for (int f = 0; f < w->n_unknowns; f++) {
    const int i = w->contact[f];
    l[3 * i + f - w->first_unknown[i]] = w->step[f];
  }
}

/* One Newton step, brought back into the cones. Returns 0 if there was none to make. */
static int newton_step(const xs_contact_cone *c, double *l, xs_contact_cone_work *w, int *wait) {
  find_unknowns(c, l, 1, NULL, w);
  if (w->n_unknowns == 0) return 0;
  if (lay_out_envelope(c, w)) {
    fill_envelope(c, w);
    if (!solve_envelope(w)) return 0;
  } else {
    find_unknowns(c, l, 0, NULL, w);
    solve_conjugate(c, w);
    *wait = SWEEPS_AFTER_FAILURE;
  }
  for (int i = 0; i < c->n; i++) {
    const int first = w->first_unknown[i], n = w->first_unknown[i + 1] - first;
    double *li = l + 3 * i;
    for (int f = first; f < first + n; f++)
      for (int r = 0; r < 3; r++) li[r] += w->step[f] * w->q[3 * f + r];
    if (n == 0) continue;
    const double mu = n == 3 ? c->static_friction[i] : c->friction[i]; /* 3: stuck, 2: slid */
    if (project(li, mu * fmax(0, li[0]), n == 2) && n == 3) w->slides[i] = 1;
  }
  return 1;
}

/* ---- With bounds of friction that are given ---- */

/* 1/2 l A l - b l, which is least at the solution for given bounds. */
static double energy_of(const xs_contact_cone *c, const double *l) {
  double sum = 0;
  for (int i = 0; i < c->n; i++) {
    const double *li = l + 3 * i, *b = c->b + 3 * i;
    if (!(li[0] > 0)) continue;
    double r[3];
    residual_of(c, l, i, r);
    sum += 0.5 * (li[0] * (r[0] - b[0]) + li[1] * (r[1] - b[1]) + li[2] * (r[2] - b[2]));
  }
  return sum;
}

/* l = start and a part of the step, brought back to the bounds; marks what has left them. */
static void go(const xs_contact_cone *c, const double *start, double part, double *l,
               xs_contact_cone_work *w) {
  for (int i = 0; i < c->n; i++) {
    const int first = w->first_unknown[i], n = w->first_unknown[i + 1] - first;
    double *li = l + 3 * i;
    memcpy(li, start + 3 * i, 3 * sizeof *li);
    for (int f = first; f < first + n; f++)
      for (int r = 0; r < 3; r++) li[r] += part * w->step[f] * w->q[3 * f + r];
    if (n > 0 && project(li, w->bound[i], n == 2) && n == 3) w->slides[i] = 1;
  }
}

/* Newton's step as far as it lowers the energy; 0: not at all. */
static int bounded_step(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  find_unknowns(c, l, 1, w->bound, w);
  if (w->n_unknowns == 0 || !lay_out_envelope(c, w)) return 0;
  fill_envelope(c, w);
  if (!solve_envelope(w)) return 0;
  const double before = energy_of(c, l);
  memcpy(w->start, l, 3 * (size_t)c->n * sizeof *l);
  double part = 1;
  do {
    go(c, w->start, part, l, w);
    if (energy_of(c, l) < before) return 1;
    part *= 0.5;
  } while (part > PART_LEAST);
  memcpy(l, w->start, 3 * (size_t)c->n * sizeof *l);
  return 0;
}

/* Newton's steps for the whole problem from near its solution. 0, and l as it was, if they do not
 * lead there. */
static int finish(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  int wait = 0;
  memcpy(w->start, l, 3 * (size_t)c->n * sizeof *l);
  double before = INFINITY, relative_before = INFINITY, relative, change;
  change = sweep(c, l, NULL, &relative);
  for (;;) {
    const int halved = change <= 0.5 * before;
    if (relative <= TOLERANCE) return 1;
    if (relative_before <= ROUND_OFF && !halved) { /* the step from there may lead anywhere */
      memcpy(l, w->start, 3 * (size_t)c->n * sizeof *l);
      return 1;
    }
    if (!halved) break;
    if (relative <= ROUND_OFF) memcpy(w->start, l, 3 * (size_t)c->n * sizeof *l);
    if (!newton_step(c, l, w, &wait) || wait > 0) break;
    before = change;
    relative_before = relative;
    change = sweep(c, l, NULL, &relative);
  }
  memcpy(l, w->start, 3 * (size_t)c->n * sizeof *l);
  return 0;
}

/* Whether a value has not become less than LOWERS of the least one so many times in a row. */
typedef struct patience {
  double least;
  int idle;
} patience;

static int is_over(patience *p, double value) {
  if (value < LOWERS * p->least) {
    p->least = value;
    p->idle = 0;
    return 0;
  }
  return ++p->idle >= 2 * STALE;
}

/* Searches within the bounds, until a sweep changes no more than `enough`, it leads nowhere or
 * there are no sweeps left. */
static void search_bounded(const xs_contact_cone *c, double *l, double enough, int *sweeps,
                           xs_contact_cone_work *w) {
  patience left = {INFINITY, 0};
  while ((*sweeps)-- > 0) {
    double relative;
    (void)sweep(c, l, w->bound, &relative);
    if (relative <= enough || is_over(&left, relative)) return;
    bounded_step(c, l, w);
  }
}

/* Where Newton's steps go round in circles: friction within given bounds is a convex problem, in
 * which steps and sweeps lower an energy; its normal parts give the next bounds (Haslinger, Math.
 * Methods Appl. Sci. 5, 1983), until Newton's steps find the rest. */
static int solve_bounded(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  patience left = {INFINITY, 0};
  int sweeps = BOUNDED_SWEEPS;
  double moved = 1; /* how much the bounds have, over the largest l */
  for (int i = 0; i < c->n; i++) w->slides[i] = 0;
  find_unknowns(c, l, 1, NULL, w);
  if (!lay_out_envelope(c, w)) return 0; /* sweeps alone would take too long */
  do {
    for (int i = 0; i < c->n; i++) w->bound[i] = c->friction[i] * l[3 * i];
    search_bounded(c, l, fmax(0.1 * TOLERANCE, INEXACT * moved), &sweeps, w);
    double largest = 0;
    moved = 0;
    for (int i = 0; i < c->n; i++) {
      moved = fmax(moved, fabs(c->friction[i] * l[3 * i] - w->bound[i]));
      largest = fmax(largest, l[3 * i]);
    }
    moved = largest > 0 ? moved / largest : 0;
    if (moved <= NEAR && finish(c, l, w)) return 1;
  } while (sweeps > 0 && !is_over(&left, moved));
  return 0;
}

/* ---- The search ---- */

static int solve(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  const size_t bytes = 3 * (size_t)c->n * sizeof *l;
  double change = INFINITY, relative;               /* of this sweep */
  double best = INFINITY, best_relative = INFINITY; /* of that after which l was w->saved */
  int wait = 0, stale = 0, leapt = 0, circles = 0;
  for (int i = 0; i < c->n; i++) w->slides[i] = 0;
  guess(c, l, w);
  for (int k = 1; k <= SWEEPS_MAX; k++) {
    change = sweep(c, l, NULL, &relative);
    if (relative <= TOLERANCE) return 1;
    wait--;
    if (leapt && best_relative <= ROUND_OFF && !(change <= 0.5 * best)) {
      memcpy(l, w->saved, bytes);
      return 1;
    }
    if (change < best) {
      best = change;
      best_relative = relative;
      memcpy(w->saved, l, bytes);
      stale = leapt = 0;
    } else if (leapt && (++stale >= STALE || !(change <= GROWTH * best))) {
      memcpy(l, w->saved, bytes);
      if (circles == 1 && best_relative > CIRCLES && solve_bounded(c, l, w)) return 1;
      memcpy(l, w->saved, bytes);
      stale = leapt = 0;
      wait = SWEEPS_AFTER_FAILURE << circles++;
    }
    if (wait <= 0 && k < SWEEPS_MAX) leapt |= newton_step(c, l, w, &wait);
  }
  if (best < change) memcpy(l, w->saved, bytes);
  return best_relative <= SOLVED;
}

/* Coefficients of what slides though it was held by static friction become those of sliding;
 * returns whether there are any. (What only lies on its cone by chance does not slip.) */
static int let_go(const xs_contact_cone *c, const double *l, double *mu) {
  int any = 0;
  for (int i = 0; i < c->n; i++) {
    const double *li = l + 3 * i, size = sqrt(li[1] * li[1] + li[2] * li[2]);
    if (mu[i] == c->friction[i] || size < INSIDE * mu[i] * li[0] || !(size > 0)) continue;
    const double *A = c->A + 9 * (size_t)c->first[i];
    double r[3];
    residual_of(c, l, i, r);
    if (r[1] * li[1] + r[2] * li[2] >= -SLIPS * (A[4] + A[8]) * size * size) continue;
    mu[i] = c->friction[i];
    any = 1;
  }
  return any;
}

static int frictionless(const xs_contact_cone *c) {
  for (int i = 0; i < c->n; i++)
    if (c->static_friction[i] > 0) return 0;
  return 1;
}

/* The normal rows alone. */
static int solve_normal(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  for (int k = 0; k < c->first[c->n]; k++) c->normal[k] = c->A[9 * (size_t)k];
  for (int i = 0; i < c->n; i++) w->normal_b[i] = c->b[3 * i], w->normal_l[i] = l[3 * i];
  const xs_contact_normal problem = {c->n, c->first, c->column, c->normal, w->normal_b};
  const int solved = xs_contact_normal_solve(&problem, w->normal_l, &w->normal);
  for (int i = 0; i < c->n; i++) l[3 * i] = w->normal_l[i], l[3 * i + 1] = l[3 * i + 2] = 0;
  return solved;
}

int xs_contact_cone_solve(const xs_contact_cone *c, double *l, xs_contact_cone_work *w) {
  int any = 0, good;
  if (frictionless(c)) return solve_normal(c, l, w);
  for (int i = 0; i < c->n; i++) any |= c->static_friction[i] != c->friction[i];
  if (!any) return solve(c, l, w);
  xs_contact_cone held = *c;
  held.friction = held.static_friction = w->mu;
  memcpy(w->mu, c->static_friction, (size_t)c->n * sizeof *w->mu);
  do good = solve(&held, l, w);
  while (let_go(c, l, w->mu));
  return good;
}
