/* Levenberg-Marquardt for the nearest points of two curves (equations: curve_pair.h). */
#include "collide/curve_pair.h"

#include <assert.h>
#include <math.h>

enum { ITERATIONS_MAX = 50 };
#define STEP_TOLERANCE 1e-9
#define DAMPING_START  1e-3
#define DAMPING_LEAST  1e-12
#define DAMPING_MOST   1e12
#define SAME_PLACE     0.02

/* f, its half gradient and half Hessian at x. */
typedef struct model {
  double f, g[2], H[2][2], scale;
} model;

static xs_vec3 separation(const xs_curve_pair *pair, const double x[2]) {
  return xs_vec3_sub(xs_curve_point(pair->curve[0], x[0]), xs_curve_point(pair->curve[1], x[1]));
}

static model model_at(const xs_curve_pair *pair, const double x[2]) {
  xs_vec3 r = separation(pair, x);
  xs_vec3 u = xs_curve_slope(pair->curve[0], x[0]), v = xs_curve_slope(pair->curve[1], x[1]);
  double uu = xs_vec3_norm2(u), vv = xs_vec3_norm2(v), uv = xs_vec3_dot(u, v);
  double bend1 = xs_vec3_dot(xs_curve_bend(pair->curve[0], x[0]), r);
  double bend2 = xs_vec3_dot(xs_curve_bend(pair->curve[1], x[1]), r);
  return (model){.f = xs_vec3_norm2(r),
                 .g = {xs_vec3_dot(u, r), -xs_vec3_dot(v, r)},
                 .H = {{uu + bend1, -uv}, {-uv, vv - bend2}},
                 .scale = fmax(uu, vv)};
}

static void outward_at(const xs_curve_pair *pair, const double x[2], const model *m,
                       int outward[2]) {
  for (int i = 0; i < 2; i++) {
    outward[i] = 0;
    if (x[i] <= pair->lo[i] && m->g[i] > 0) outward[i] = -1;
    if (x[i] >= pair->hi[i] && m->g[i] < 0) outward[i] = 1;
  }
}

/* One variable, the other one moved by `other`. 0: H is not positive. */
static int solve_one(const model *m, double damping, int i, double other, double *step) {
  double h = m->H[i][i] + damping;
  if (!(h > 0)) return 0;
  *step = -(m->g[i] + m->H[i][1 - i] * other) / h;
  return 1;
}

static int solve_both(const model *m, double damping, double step[2]) {
  double a = m->H[0][0] + damping, b = m->H[0][1], c = m->H[1][1] + damping;
  double determinant = a * c - b * b;
  if (!(a > 0 && determinant > 0)) return 0;
  step[0] = (b * m->g[1] - c * m->g[0]) / determinant;
  step[1] = (b * m->g[0] - a * m->g[1]) / determinant;
  return 1;
}

static double clamped(const xs_curve_pair *pair, int i, double x) {
  return fmin(fmax(x, pair->lo[i]), pair->hi[i]);
}

/* The step from x with the variables outward fixed, cut at the bounds. 0: not possible. */
static int solve(const xs_curve_pair *pair, const double x[2], const model *m, double damping,
                 const int outward[2], double to[2]) {
  double step[2] = {0, 0};
  if (outward[0] || outward[1]) {
    int free = outward[0] ? 1 : 0;
    if (!solve_one(m, damping, free, 0, &step[free])) return 0;
  } else if (!solve_both(m, damping, step)) {
    return 0;
  }
  for (int i = 0; i < 2; i++) {
    to[i] = clamped(pair, i, x[i] + step[i]);
    double cut = to[i] - x[i];
    int other = 1 - i;
    if (cut != step[i] && !outward[other] && !outward[i]) {
      if (!solve_one(m, damping, other, cut, &step[other])) return 0;
      to[other] = clamped(pair, other, x[other] + step[other]);
      return 1;
    }
  }
  return 1;
}

static xs_curve_minimum from_start(const xs_curve_pair *pair, const double start[2]) {
  double x[2] = {start[0], start[1]}, lambda = DAMPING_START;
  int outward[2];
  model m = model_at(pair, x);
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    outward_at(pair, x, &m, outward);
    if (outward[0] && outward[1]) break;

    /* The next point at which f is not larger. */
    double to[2];
    model next;
    int taken = 0, small = 0;
    while (!taken && !small && lambda < DAMPING_MOST) {
      if (solve(pair, x, &m, lambda * m.scale, outward, to)) {
        small = fabs(to[0] - x[0]) < STEP_TOLERANCE && fabs(to[1] - x[1]) < STEP_TOLERANCE;
        next = model_at(pair, to);
        taken = next.f <= m.f;
      }
      lambda = taken ? fmax(lambda / 10, DAMPING_LEAST) : lambda * 10;
    }
    if (taken) x[0] = to[0], x[1] = to[1], m = next;
    if (small || !taken) break;
  }
  xs_curve_minimum minimum = {.xi = {x[0], x[1]}, .distance = sqrt(m.f)};
  outward_at(pair, x, &m, minimum.outward);
  return minimum;
}

/* ---- Two lines ---- */

/* Nearest point of line i to that of the other at x. */
static double nearest_on(const xs_curve_pair *pair, int i, const double x[2]) {
  xs_vec3 u = pair->curve[i]->c[1];
  xs_vec3 d = xs_vec3_sub(xs_curve_point(pair->curve[1 - i], x[1 - i]), pair->curve[i]->c[0]);
  double uu = xs_vec3_norm2(u);
  return clamped(pair, i, uu > 0 ? xs_vec3_dot(u, d) / uu : 0);
}

/* Parallel lines: middle of the piece of line 0 that has line 1 beside it. */
static double middle_of_overlap(const xs_curve_pair *pair) {
  double at[2];
  for (int end = 0; end < 2; end++) {
    double x[2] = {0, end ? pair->hi[1] : pair->lo[1]};
    at[end] = nearest_on(pair, 0, x);
  }
  return 0.5 * (at[0] + at[1]);
}

static xs_curve_minimum lines(const xs_curve_pair *pair) {
  const xs_vec3 u = pair->curve[0]->c[1], v = pair->curve[1]->c[1];
  const xs_vec3 r = xs_vec3_sub(pair->curve[0]->c[0], pair->curve[1]->c[0]);
  double uu = xs_vec3_norm2(u), vv = xs_vec3_norm2(v), uv = xs_vec3_dot(u, v);
  double determinant = uu * vv - uv * uv;
  double x[2] = {0, 0};

  /* Line 0 first; then line 1; then line 0 again, if line 1 ended at a bound. */
  if (determinant > 1e-14 * uu * vv)
    x[0] = clamped(pair, 0, (uv * xs_vec3_dot(v, r) - vv * xs_vec3_dot(u, r)) / determinant);
  else
    x[0] = middle_of_overlap(pair);
  x[1] = nearest_on(pair, 1, x);
  if (x[1] <= pair->lo[1] || x[1] >= pair->hi[1]) x[0] = nearest_on(pair, 0, x);

  model m = model_at(pair, x);
  xs_curve_minimum minimum = {.xi = {x[0], x[1]}, .distance = sqrt(m.f)};
  outward_at(pair, x, &m, minimum.outward);
  return minimum;
}

static int both_lines(const xs_curve_pair *pair) {
  return pair->curve[0]->degree == 1 && pair->curve[1]->degree == 1;
}

xs_curve_minimum xs_curve_pair_from(const xs_curve_pair *pair, const double start[2]) {
  return both_lines(pair) ? lines(pair) : from_start(pair, start);
}

/* ---- All minima ---- */

enum { SEEDS = XS_CURVE_PAIR_SEEDS };

/* Whether the grid has no smaller value among the 8 neighbours. */
static int grid_minimum(double f[SEEDS][SEEDS], int i, int j) {
  for (int k = i - 1; k <= i + 1; k++)
    for (int l = j - 1; l <= j + 1; l++) {
      if (k < 0 || k >= SEEDS || l < 0 || l >= SEEDS || (k == i && l == j)) continue;
      int earlier = k < i || (k == i && l < j);
      if (earlier ? f[k][l] < f[i][j] : f[k][l] <= f[i][j]) return 0;
    }
  return 1;
}

static int known(const xs_curve_pair *pair, const xs_curve_minimum *list, int n,
                 const xs_curve_minimum *found) {
  for (int k = 0; k < n; k++) {
    int same = 1;
    for (int i = 0; i < 2; i++)
      same &= fabs(list[k].xi[i] - found->xi[i]) < SAME_PLACE * (pair->hi[i] - pair->lo[i]);
    if (same) return 1;
  }
  return 0;
}

int xs_curve_pair_minima(const xs_curve_pair *pair, double limit,
                         xs_curve_minimum minimum[XS_CURVE_PAIR_MAX]) {
  if (both_lines(pair)) {
    minimum[0] = lines(pair);
    return minimum[0].distance < limit;
  }

  /* Squared distances on the grid. */
  double x[2][SEEDS], f[SEEDS][SEEDS], reach = 0;
  xs_vec3 p[2][SEEDS];
  for (int i = 0; i < 2; i++) {
    double step = (pair->hi[i] - pair->lo[i]) / (SEEDS - 1);
    for (int k = 0; k < SEEDS; k++) {
      x[i][k] = k == SEEDS - 1 ? pair->hi[i] : pair->lo[i] + k * step;
      p[i][k] = xs_curve_point(pair->curve[i], x[i][k]);
    }
    reach += step * xs_curve_speed(pair->curve[i]);
  }
  for (int i = 0; i < SEEDS; i++)
    for (int j = 0; j < SEEDS; j++) f[i][j] = xs_vec3_norm2(xs_vec3_sub(p[0][i], p[1][j]));

  int n = 0;
  for (int i = 0; i < SEEDS; i++)
    for (int j = 0; j < SEEDS; j++) {
      if (!(f[i][j] < (limit + reach) * (limit + reach)) || !grid_minimum(f, i, j)) continue;
      xs_curve_minimum found = xs_curve_pair_from(pair, (double[2]){x[0][i], x[1][j]});
      if (!(found.distance < limit) || known(pair, minimum, n, &found)) continue;
      assert(n < XS_CURVE_PAIR_MAX);
      minimum[n++] = found;
    }
  return n;
}
