/* Manifold of two boxes (method: box_pair.h). */
#include "collide/box_pair.h"

#include <math.h>

enum { POLYGON_MAX = 16 };

/* Edges have to be better than faces, and kept points apart, by these of the half-extent. */
#define EDGE_BETTER 1e-3
#define APART       1e-2

typedef struct box {
  xs_vec3 p, axis[3];
  double e[3];
} box;

/* Separation along n, a unit vector from box 1 to box 0. */
typedef struct axis {
  double separation;
  xs_vec3 n;
  int edge, i, j; /* face i of box j; or edge i of box 0 and j of box 1 */
} axis;

static box of(const xs_object *object) {
  xs_vec3 e = object->shape->half_extents;
  box b = {.p = object->p, .e = {e.x, e.y, e.z}};
  for (int i = 0; i < 3; i++) b.axis[i] = xs_mat3_column(&object->R, i);
  return b;
}

static double half_width(const box *b, xs_vec3 n) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += b->e[i] * fabs(xs_vec3_dot(b->axis[i], n));
  return sum;
}

static double smallest(const box *b) { return fmin(b->e[0], fmin(b->e[1], b->e[2])); }

/* Along +-n, whichever points from box 1 to box 0. */
static axis along(const box b[2], xs_vec3 n) {
  double d = xs_vec3_dot(n, xs_vec3_sub(b[0].p, b[1].p));
  if (d < 0) n = xs_vec3_neg(n);
  return (axis){.separation = fabs(d) - half_width(&b[0], n) - half_width(&b[1], n), .n = n};
}

/* The axis of largest separation; faces of box 0 before those of box 1 before edges, unless the
 * later ones are better by more than rounding, or than EDGE_BETTER. */
static axis best_axis(const box b[2]) {
  axis best = {.separation = -INFINITY};
  double scale = fmin(smallest(&b[0]), smallest(&b[1]));
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) {
      axis face = along(b, b[k].axis[i]);
      face.i = i, face.j = k;
      if (face.separation > best.separation + 1e-9 * scale) best = face;
    }
  double faces = best.separation + EDGE_BETTER * scale;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      xs_vec3 cross = xs_vec3_cross(b[0].axis[i], b[1].axis[j]);
      double sine = xs_vec3_norm(cross);
      if (sine < 1e-6) continue;
      axis edge = along(b, xs_vec3_scale(1 / sine, cross));
      edge.edge = 1, edge.i = i, edge.j = j;
      if (edge.separation > faces && edge.separation > best.separation) best = edge;
    }
  return best;
}

/* ---- Edges ---- */

/* Middle of the edge along axis i that lies farthest along n. */
static xs_vec3 edge_middle(const box *b, int i, xs_vec3 n) {
  xs_vec3 p = b->p;
  for (int k = 0; k < 3; k++)
    if (k != i)
      p = xs_vec3_add_scaled(p, copysign(b->e[k], xs_vec3_dot(b->axis[k], n)), b->axis[k]);
  return p;
}

static void edge_contact(const xs_narrow *pair, const box b[2], const axis *best) {
  xs_vec3 u = b[0].axis[best->i], v = b[1].axis[best->j];
  xs_vec3 p = edge_middle(&b[0], best->i, xs_vec3_neg(best->n));
  xs_vec3 q = edge_middle(&b[1], best->j, best->n);
  xs_vec3 r = xs_vec3_sub(p, q);
  double uv = xs_vec3_dot(u, v), ur = xs_vec3_dot(u, r), vr = xs_vec3_dot(v, r);
  double determinant = 1 - uv * uv;
  xs_narrow_hit hit = {.n = best->n};
  hit.c[0] = xs_vec3_add_scaled(p, (uv * vr - ur) / determinant, u);
  hit.c[1] = xs_vec3_add_scaled(q, (vr - uv * ur) / determinant, v);
  pair->take(pair->context, &hit);
}

/* ---- Faces ---- */

typedef struct polygon {
  int n;
  xs_vec3 p[POLYGON_MAX];
} polygon;

/* The face of a box whose outward normal is most opposed to n. */
static polygon opposed_face(const box *b, xs_vec3 n) {
  int face = 0;
  double largest = -1;
  for (int i = 0; i < 3; i++) {
    double cosine = fabs(xs_vec3_dot(b->axis[i], n));
    if (cosine > largest + 1e-12) largest = cosine, face = i;
  }
  int i = (face + 1) % 3, j = (face + 2) % 3;
  double side = xs_vec3_dot(b->axis[face], n) > 0 ? -1 : 1;
  xs_vec3 middle = xs_vec3_add_scaled(b->p, side * b->e[face], b->axis[face]);
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  polygon face_polygon = {.n = 4};
  for (int k = 0; k < 4; k++) {
    xs_vec3 p = xs_vec3_add_scaled(middle, corner[k][0] * b->e[i], b->axis[i]);
    face_polygon.p[k] = xs_vec3_add_scaled(p, corner[k][1] * b->e[j], b->axis[j]);
  }
  return face_polygon;
}

/* Sutherland and Hodgman: keeps n.x <= limit. */
static polygon clip(const polygon *in, xs_vec3 n, double limit) {
  polygon out = {.n = 0};
  for (int k = 0; k < in->n; k++) {
    xs_vec3 p = in->p[k], q = in->p[(k + 1) % in->n];
    double dp = xs_vec3_dot(n, p) - limit, dq = xs_vec3_dot(n, q) - limit;
    if (dp <= 0) out.p[out.n++] = p;
    if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0))
      out.p[out.n++] = xs_vec3_add_scaled(p, dp / (dp - dq), xs_vec3_sub(q, p));
  }
  return out;
}

/* Heights of the polygon's points over the face; the deeper of two that are close stays. */
static void take_polygon(const xs_narrow *pair, const polygon *points, xs_vec3 outward,
                         double height, int reference, double apart) {
  xs_vec3 kept[POLYGON_MAX];
  double gap[POLYGON_MAX];
  int n = 0;
  for (int k = 0; k < points->n; k++) {
    double here = xs_vec3_dot(outward, points->p[k]) - height;
    if (!(here < pair->margin)) continue;
    int near = 0;
    while (near < n && xs_vec3_norm(xs_vec3_sub(points->p[k], kept[near])) >= apart) near++;
    if (near < n && here >= gap[near]) continue;
    kept[near] = points->p[k];
    gap[near] = here;
    if (near == n) n++;
  }
  for (int k = 0; k < n; k++) {
    xs_narrow_hit hit = {.n = reference == 1 ? outward : xs_vec3_neg(outward)};
    hit.c[reference] = xs_vec3_add_scaled(kept[k], -gap[k], outward);
    hit.c[1 - reference] = kept[k];
    pair->take(pair->context, &hit);
  }
}

static void face_contacts(const xs_narrow *pair, const box b[2], const axis *best) {
  int reference = best->j;
  const box *face = &b[reference];
  xs_vec3 outward = reference == 1 ? best->n : xs_vec3_neg(best->n);
  polygon points = opposed_face(&b[1 - reference], outward);
  for (int k = 0; k < 3; k++) {
    if (k == best->i) continue;
    double at = xs_vec3_dot(face->axis[k], face->p);
    points = clip(&points, face->axis[k], at + face->e[k]);
    points = clip(&points, xs_vec3_neg(face->axis[k]), face->e[k] - at);
  }
  double height = xs_vec3_dot(outward, face->p) + face->e[best->i];
  double apart = APART * fmin(smallest(&b[0]), smallest(&b[1]));
  take_polygon(pair, &points, outward, height, reference, apart);
}

void xs_box_pair_contacts(const xs_narrow *pair) {
  const box b[2] = {of(pair->object[0]), of(pair->object[1])};
  axis best = best_axis(b);
  if (!(best.separation < pair->margin)) return;
  if (best.edge)
    edge_contact(pair, b, &best);
  else
    face_contacts(pair, b, &best);
}
