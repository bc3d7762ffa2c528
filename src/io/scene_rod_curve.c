/* A smooth centreline through points: a cubic spline over the chord lengths t, by arc length.
 *
 * The spline has continuous second derivatives everywhere, and third ones at the second and
 * the last but one point (not-a-knot), so that it follows a smooth curve to fourth order up
 * to its ends; through 3 points it is a parabola, through 2 a line.
 *
 *   arc length  s(t), s' = |p'|: Gauss quadrature on panels that are halved until it stays;
 *               t(s) by Newton's method within a panel, to round-off
 *   frames      d3 = T = p'/|p'|; parallel transport R' = hat(omega) R, omega = p' x p''/|p'|^2,
 *               from d1 = the pose's x made orthogonal to T, by the Magnus expansion of sixth
 *               order (Blanes et al. 2009, (257)) in steps that turn by less than 0.05 rad
 *   curvature   u = (-k.d2, k.d1, 0), k = dT/ds = (p'' - (p''.T) T)/|p'|^2                 */
#include <math.h>

#include "io/scene_rod.h"

enum { PANELS_MAX = 1024, NEWTON_MAX = 60 };

struct xs_rod_curve {
  int n_segments;
  double *t;              /* knots, n_segments + 1 */
  xs_vec3 *p, *m, *a, *b; /* p + tau m + tau^2 a + tau^3 b, tau = t - knot; p, m one more */
  int n_panels;
  double *panel_t, *panel_s; /* n_panels + 1 */
  int *panel_segment;
  xs_quat q_start;
  /* Where the walk is. */
  int segment;
  double at, turned;
  xs_quat q;
};

/* ---- Spline ---- */

/* (3 d_i - 2 m_i - m_i+1)/h and (m_i + m_i+1 - 2 d_i)/h^2 with the chords' slopes d. */
static void fill_cubics(xs_rod_curve *c, const xs_vec3 *d) {
  for (int i = 0; i < c->n_segments; i++) {
    const double h = c->t[i + 1] - c->t[i];
    const xs_vec3 sum = xs_vec3_add(c->m[i], c->m[i + 1]);
    const xs_vec3 a = xs_vec3_sub(xs_vec3_scale(3, d[i]), xs_vec3_add(sum, c->m[i]));
    c->a[i] = xs_vec3_scale(1 / h, a);
    c->b[i] = xs_vec3_scale(1 / (h * h), xs_vec3_add_scaled(sum, -2, d[i]));
  }
}

/* First row of the not-a-knot condition, h1 m_0 + (h0 + h1) m_1 = r; h0 the outer interval. */
static xs_vec3 end_row(double h0, double h1, xs_vec3 d0, xs_vec3 d1) {
  const double sum = h0 + h1;
  return xs_vec3_scale(1 / sum,
                       xs_vec3_add_scaled(xs_vec3_scale((h0 + 2 * sum) * h1, d0), h0 * h0, d1));
}

/* Slopes m of four points or more: a tridiagonal system, eliminated downwards. */
static void solve_slopes(int n, const double *t, const xs_vec3 *d, double *ratio, xs_vec3 *m) {
  const double first = t[1] - t[0], second = t[2] - t[1];
  ratio[0] = (first + second) / second;
  m[0] = xs_vec3_scale(1 / second, end_row(first, second, d[0], d[1]));
  for (int i = 1; i < n; i++) {
    /* h_i m_i-1 + 2 (h_i-1 + h_i) m_i + h_i-1 m_i+1 = 3 (h_i d_i-1 + h_i-1 d_i) */
    const double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i];
    const double pivot = 2 * (h0 + h1) - h1 * ratio[i - 1];
    xs_vec3 r = xs_vec3_add_scaled(xs_vec3_scale(3 * h1, d[i - 1]), 3 * h0, d[i]);
    ratio[i] = h0 / pivot;
    m[i] = xs_vec3_scale(1 / pivot, xs_vec3_add_scaled(r, -h1, m[i - 1]));
  }
  const double last = t[n] - t[n - 1], before = t[n - 1] - t[n - 2], sum = last + before;
  const xs_vec3 r = xs_vec3_add_scaled(end_row(last, before, d[n - 1], d[n - 2]), -sum, m[n - 1]);
  m[n] = xs_vec3_scale(1 / (before - sum * ratio[n - 1]), r);
  for (int i = n - 1; i >= 0; i--) m[i] = xs_vec3_add_scaled(m[i], -ratio[i], m[i + 1]);
}

/* n segments; d: slopes of the chords. */
static void find_slopes(int n, const double *t, const xs_vec3 *d, double *work, xs_vec3 *m) {
  if (n == 1) {
    m[0] = m[1] = d[0];
  } else if (n == 2) {
    const double h0 = t[1] - t[0], h1 = t[2] - t[1];
    m[1] = xs_vec3_scale(1 / (h0 + h1), xs_vec3_add_scaled(xs_vec3_scale(h1, d[0]), h0, d[1]));
    m[0] = xs_vec3_add_scaled(xs_vec3_scale(2, d[0]), -1, m[1]);
    m[2] = xs_vec3_add_scaled(xs_vec3_scale(2, d[1]), -1, m[1]);
  } else {
    solve_slopes(n, t, d, work, m);
  }
}

typedef struct derivatives {
  xs_vec3 p, p1, p2;
} derivatives;

static derivatives evaluate(const xs_rod_curve *c, int i, double t) {
  const double tau = t - c->t[i];
  const xs_vec3 m = c->m[i], a = c->a[i], b = c->b[i];
  const xs_vec3 inner = xs_vec3_add_scaled(m, tau, xs_vec3_add_scaled(a, tau, b));
  return (derivatives){
      .p = xs_vec3_add_scaled(c->p[i], tau, inner),
      .p1 = xs_vec3_add_scaled(xs_vec3_add_scaled(m, 2 * tau, a), 3 * tau * tau, b),
      .p2 = xs_vec3_add_scaled(xs_vec3_scale(2, a), 6 * tau, b),
  };
}

/* ---- Arc length ---- */

/* Integral of |p'| from t0 to t1 within segment i, by 8 Gauss points. */
static double arc(const xs_rod_curve *c, int i, double t0, double t1) {
  static const double x[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                              0.9602898564975363};
  static const double w[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                              0.1012285362903763};
  const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += w[k] * (xs_vec3_norm(evaluate(c, i, middle - half * x[k]).p1) +
                   xs_vec3_norm(evaluate(c, i, middle + half * x[k]).p1));
  return half * sum;
}

static double arc_of_panels(const xs_rod_curve *c, int i, int n) {
  const double h = (c->t[i + 1] - c->t[i]) / n;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += arc(c, i, c->t[i] + k * h, c->t[i] + (k + 1) * h);
  return sum;
}

/* Panels that a segment needs; 0 if no number is enough: the speed has a kink. */
static int count_panels(const xs_rod_curve *c, int i) {
  double coarse = arc_of_panels(c, i, 1);
  for (int n = 1; n < PANELS_MAX; n *= 2) {
    const double fine = arc_of_panels(c, i, 2 * n);
    if (fabs(fine - coarse) <= 1e-13 * fine) return n;
    coarse = fine;
  }
  return 0;
}

/* Whether p' keeps off zero (chords have slope 1) at the ends of segment i's n panels: a point of
 * return that falls on one leaves the speed smooth on either side, which count_panels passes. */
static int has_tangents(const xs_rod_curve *c, int i, int n) {
  const double h = (c->t[i + 1] - c->t[i]) / n;
  for (int k = 0; k <= n; k++)
    if (!(xs_vec3_norm(evaluate(c, i, c->t[i] + k * h).p1) > 1e-6)) return 0;
  return 1;
}

/* Fills the panels' table; 0 where the curve turns back on itself, or without memory. */
static int find_panels(xs_build *build, const xs_json *points, xs_rod_curve *c, int *count) {
  const xs_json *point = points->first;
  for (int i = 0; i < c->n_segments; i++, point = point->next) {
    count[i] = count_panels(c, i);
    c->n_panels += count[i];
    if (count[i] > 0 && has_tangents(c, i, count[i])) continue;
    xs_scene_build_error(build, point,
                         "the curve turns back on itself near here: it has no tangent; give "
                         "points along a smooth curve");
    return 0;
  }
  c->panel_t = XS_BUILD_NEW(build, double, c->n_panels + 1);
  c->panel_s = XS_BUILD_NEW(build, double, c->n_panels + 1);
  c->panel_segment = XS_BUILD_NEW(build, int, c->n_panels + 1);
  if (c->panel_t == NULL || c->panel_s == NULL || c->panel_segment == NULL) return 0;
  int k = 0;
  for (int i = 0; i < c->n_segments; i++)
    for (int j = 0; j < count[i]; j++, k++) {
      const double h = (c->t[i + 1] - c->t[i]) / count[i];
      const double end = j + 1 < count[i] ? c->t[i] + (j + 1) * h : c->t[i + 1];
      c->panel_segment[k] = i;
      c->panel_t[k + 1] = end;
      c->panel_s[k + 1] = c->panel_s[k] + arc(c, i, c->panel_t[k], end);
    }
  return 1;
}

/* t(s); *segment is the one that holds it. */
static double parameter_at(const xs_rod_curve *c, double s, int *segment) {
  int low = 0, high = c->n_panels;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (c->panel_s[middle] <= s)
      low = middle;
    else
      high = middle;
  }
  const int i = *segment = c->panel_segment[low];
  double lo = c->panel_t[low], hi = c->panel_t[low + 1];
  const double start = lo, s0 = c->panel_s[low], s1 = c->panel_s[low + 1];
  if (s >= s1) return hi;

  /* Newton's method, kept inside the shrinking bracket. */
  double t = lo + (hi - lo) * (s - s0) / (s1 - s0);
  for (int k = 0; k < NEWTON_MAX && t > lo && t < hi; k++) {
    const double excess = s0 + arc(c, i, start, t) - s;
    if (excess > 0)
      hi = t;
    else
      lo = t;
    double next = t - excess / xs_vec3_norm(evaluate(c, i, t).p1);
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (fabs(next - t) <= 1e-15 * c->t[c->n_segments]) return next;
    t = next;
  }
  return t;
}

/* ---- Frames ---- */

static xs_vec3 tangent(xs_vec3 p1) { return xs_vec3_scale(1 / xs_vec3_norm(p1), p1); }

static xs_vec3 turning(const xs_rod_curve *c, double t) {
  const derivatives d = evaluate(c, c->segment, t);
  return xs_vec3_scale(1 / xs_vec3_norm2(d.p1), xs_vec3_cross(d.p1, d.p2));
}

/* Turns the frame by the transport over h. */
static void step(xs_rod_curve *c, double h, const xs_vec3 omega[3]) {
  const xs_vec3 twice = xs_vec3_add_scaled(xs_vec3_add(omega[0], omega[2]), -2, omega[1]);
  const xs_vec3 a1 = xs_vec3_scale(h, omega[1]);
  const xs_vec3 a2 = xs_vec3_scale(sqrt(15) / 3 * h, xs_vec3_sub(omega[2], omega[0]));
  const xs_vec3 a3 = xs_vec3_scale(10.0 / 3 * h, twice);

  /* a1 + a3/12 + [-20 a1 - a3 + C1, a2 + C2]/240,
   * C1 = [a1, a2], C2 = -[a1, 2 a3 + C1]/60 */
  const xs_vec3 C1 = xs_vec3_cross(a1, a2);
  const xs_vec3 C2 = xs_vec3_scale(-1.0 / 60, xs_vec3_cross(a1, xs_vec3_add_scaled(C1, 2, a3)));
  const xs_vec3 left = xs_vec3_sub(C1, xs_vec3_add_scaled(a3, 20, a1));
  const xs_vec3 bracket = xs_vec3_cross(left, xs_vec3_add(a2, C2));
  const xs_vec3 Omega =
      xs_vec3_add_scaled(xs_vec3_add_scaled(a1, 1.0 / 12, a3), 1.0 / 240, bracket);
  c->q = xs_quat_mul(xs_so3_exp(Omega), c->q);
  c->turned +=
      h / 18 *
      (5 * xs_vec3_norm(omega[0]) + 8 * xs_vec3_norm(omega[1]) + 5 * xs_vec3_norm(omega[2]));
}

/* Turning velocities at the Gauss points of a step; returns the largest one's size. */
static double sample(const xs_rod_curve *c, double h, xs_vec3 omega[3]) {
  const double off = 0.1 * sqrt(15), x[3] = {0.5 - off, 0.5, 0.5 + off};
  double most = 0;
  for (int k = 0; k < 3; k++) {
    omega[k] = turning(c, c->at + x[k] * h);
    most = fmax(most, xs_vec3_norm(omega[k]));
  }
  return most;
}

/* One step towards t, within a segment, short enough for the expansion. */
static void step_towards(xs_rod_curve *c, double t) {
  const double largest = 0.05; /* rad: the sixth order leaves about 1e-13 of a turn */
  const double end = c->t[c->segment + 1], goal = fmin(t, end);
  const double longest = (end - c->t[c->segment]) / 16;
  double h = fmin(goal - c->at, longest);
  xs_vec3 omega[3];
  while (sample(c, h, omega) * h > largest) h *= 0.5;
  step(c, h, omega);

  /* Goals are met exactly, and behind a knot comes the next segment. */
  c->at = h < goal - c->at ? c->at + h : goal;
  if (c->at == end && c->segment + 1 < c->n_segments) c->segment++;
}

/* The least rotation that takes d3 to the tangent: what round-off has left. */
static void align(xs_rod_curve *c, xs_vec3 T) {
  const xs_mat3 R = xs_so3_matrix(c->q);
  c->q = xs_so3_normalize(xs_quat_mul(xs_so3_exp(xs_vec3_cross(xs_mat3_column(&R, 2), T)), c->q));
}

/* d1 from the pose's x, d3 along the first chord's tangent; 0 if they are parallel. */
static int find_start(xs_build *build, const xs_json *points, xs_rod_curve *c) {
  const xs_vec3 T = tangent(c->m[0]);
  xs_vec3 d1 = xs_vec3_add_scaled(xs_vec3_make(1, 0, 0), -T.x, T);
  const double length = xs_vec3_norm(d1);
  if (length < 1e-6) {
    xs_scene_build_error(build, points,
                         "the curve starts along the x of its pose, which d1 is made from: turn "
                         "the pose, and the points against it");
    return 0;
  }
  d1 = xs_vec3_scale(1 / length, d1);
  const xs_vec3 d2 = xs_vec3_cross(T, d1);
  const xs_mat3 R = {{{d1.x, d2.x, T.x}, {d1.y, d2.y, T.y}, {d1.z, d2.z, T.z}}};
  c->q_start = xs_so3_from_matrix(&R);
  xs_scene_rod_curve_rewind(c);
  return 1;
}

void xs_scene_rod_curve_rewind(xs_rod_curve *c) {
  c->segment = 0;
  c->at = c->turned = 0;
  c->q = c->q_start;
}

xs_rod_place xs_scene_rod_curve_at(xs_rod_curve *c, double s) {
  int segment;
  const double t = parameter_at(c, s, &segment);
  while (c->at < t) step_towards(c, t);
  const derivatives d = evaluate(c, segment, t);
  const xs_vec3 T = tangent(d.p1);
  align(c, T);

  const xs_mat3 R = xs_so3_matrix(c->q);
  const xs_vec3 across = xs_vec3_add_scaled(d.p2, -xs_vec3_dot(d.p2, T), T);
  const xs_vec3 k = xs_vec3_scale(1 / xs_vec3_norm2(d.p1), across), local = xs_mat3_tmul_vec(&R, k);
  return (xs_rod_place){.frame = {d.p, c->q}, .bend = {-local.y, local.x, 0}, .turned = c->turned};
}

/* ---- Create ---- */

/* Points, and knots at the chord lengths; 0 after an error. */
static int read_points(xs_build *build, const xs_json *points, xs_rod_curve *c) {
  int i = 0;
  double largest = 0;
  for (const xs_json *item = points->first; item != NULL; item = item->next, i++) {
    c->p[i] = xs_scene_build_vec3(item);
    largest = fmax(largest, xs_vec3_norm(c->p[i]));
    if (i > 0) c->t[i] = c->t[i - 1] + xs_vec3_norm(xs_vec3_sub(c->p[i], c->p[i - 1]));
  }
  if (!isfinite(c->t[c->n_segments]) || !isfinite(largest)) {
    xs_scene_build_error(build, points, "the points are too far apart: keep them below 1e150 m");
    return 0;
  }
  i = 0;
  for (const xs_json *item = points->first; item != NULL; item = item->next, i++)
    if (i > 0 && c->t[i] - c->t[i - 1] <= 1e-12 * largest) {
      xs_scene_build_error(build, item, "two points of the curve in one place");
      return 0;
    }
  return 1;
}

xs_rod_curve *xs_scene_rod_curve_create(xs_build *build, const xs_json *points, double *length) {
  const int n = points->count - 1;
  xs_rod_curve *c = XS_BUILD_NEW(build, xs_rod_curve, 1);
  double *work = XS_BUILD_NEW(build, double, n);
  xs_vec3 *d = XS_BUILD_NEW(build, xs_vec3, n);
  int *count = XS_BUILD_NEW(build, int, n);
  if (c == NULL || work == NULL || d == NULL || count == NULL) return NULL;
  c->n_segments = n;
  c->t = XS_BUILD_NEW(build, double, n + 1);
  c->p = XS_BUILD_NEW(build, xs_vec3, n + 1);
  c->m = XS_BUILD_NEW(build, xs_vec3, n + 1);
  c->a = XS_BUILD_NEW(build, xs_vec3, n);
  c->b = XS_BUILD_NEW(build, xs_vec3, n);
  if (c->t == NULL || c->p == NULL || c->m == NULL || c->a == NULL || c->b == NULL) return NULL;

  if (!read_points(build, points, c)) return NULL;
  for (int i = 0; i < n; i++)
    d[i] = xs_vec3_scale(1 / (c->t[i + 1] - c->t[i]), xs_vec3_sub(c->p[i + 1], c->p[i]));
  find_slopes(n, c->t, d, work, c->m);
  fill_cubics(c, d);
  if (!find_panels(build, points, c, count) || !find_start(build, points, c)) return NULL;
  *length = c->panel_s[c->n_panels];
  return c;
}
