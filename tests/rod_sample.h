/* Rods for the tests: random ones, and ones whose nodes lie on a known curve. */
#ifndef TESTS_ROD_SAMPLE_H
#define TESTS_ROD_SAMPLE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "constraint/rod.h"
#include "math/so3.h"

enum { ROD_NODES_MAX = 800, ROD_ELEMENTS_MAX = 257, ROD_POINTS_MAX = 4 * ROD_ELEMENTS_MAX };
enum { BLOCK_COLUMNS = 6 * XS_ROD_ELEMENT_NODES_MAX, BLOCK_SIZE = XS_ROWS_MAX * BLOCK_COLUMNS };

static const double pi = 3.14159265358979323846;

/* Every discretization with reduced and full integration. */
typedef struct rod_case {
  const char *name;
  xs_rod_discretization discretization;
  int n_gauss;
} rod_case;

static const rod_case rod_cases[] = {
    {"chain", XS_ROD_CHAIN, 1},
    {"linear", XS_ROD_LINEAR, 1},
    {"linear full", XS_ROD_LINEAR, 2},
    {"quadratic", XS_ROD_QUADRATIC, 2},
    {"quadratic full", XS_ROD_QUADRATIC, 3},
    {"cubic", XS_ROD_CUBIC, 3},
    {"cubic full", XS_ROD_CUBIC, 4},
};
enum { N_ROD_CASES = sizeof rod_cases / sizeof *rod_cases };

static uint64_t seed = 1;
static inline double uniform(void) { /* in (-1, 1), the same everywhere */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}
static inline xs_vec3 random_vec(void) {
  double x = uniform(), y = uniform();
  return (xs_vec3){x, y, uniform()};
}
static inline xs_vec3 random_unit(void) {
  xs_vec3 a = random_vec();
  return xs_vec3_scale(1 / xs_vec3_norm(a), a);
}
static inline xs_pose pose_of(xs_vec3 p, xs_quat q) { return (xs_pose){p, q, xs_so3_matrix(q)}; }

/* A rod, what it points to, its blocks and the poses of all nodes. Must not move. */
typedef struct sample {
  xs_rod rod;
  xs_vec3 rest_bend[ROD_POINTS_MAX];
  double arc_length[ROD_NODES_MAX], alpha[XS_ROWS_MAX];
  xs_pose x[ROD_NODES_MAX];
  xs_rod_element element[ROD_ELEMENTS_MAX];
  xs_row_block block[ROD_ELEMENTS_MAX];
  int n_rows;
} sample;

/* A rod of n_elements from node first_node on, of that length in all; straight at rest. */
static inline void sample_rod(sample *s, const rod_case *c, int n_elements, double length,
                              int first_node) {
  int per_element = xs_rod_element_nodes(c->discretization) - 1;
  memset(s, 0, sizeof *s);
  s->rod = (xs_rod){.name = "rod",
                    .discretization = c->discretization,
                    .n_elements = n_elements,
                    .n_gauss = c->n_gauss,
                    .first_node = first_node,
                    .n_nodes = n_elements * per_element + 1,
                    .element_length = length / n_elements,
                    .K_shear = {3, 5, 7},
                    .K_bend = {11, 13, 17},
                    .rest_bend = s->rest_bend,
                    .arc_length = s->arc_length};
  for (int i = 0; i < s->rod.n_nodes; i++)
    s->arc_length[i] = s->rod.element_length * i / per_element;
  for (int i = 0; i < ROD_NODES_MAX; i++) s->x[i] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
}

static inline void sample_blocks(sample *s) {
  s->n_rows = 0;
  xs_rod_compliance(&s->rod, s->alpha);
  xs_rod_blocks(&s->rod, s->alpha, s->element, 0, &s->n_rows, s->block);
}

/* One element, curved at rest, whose nodes turn by `angle` from one to the next about an axis
 * that changes a little (wander: by so much of its length) and are stretched and sheared. */
static inline void sample_element(sample *s, const rod_case *c, double angle, double wander) {
  sample_rod(s, c, 1, 0.8 + 0.3 * uniform(), 3);
  for (int g = 0; g < c->n_gauss; g++) s->rest_bend[g] = random_vec();
  xs_vec3 axis = random_unit(), p = random_vec();
  xs_quat q = xs_so3_exp(xs_vec3_scale(3, random_vec()));
  for (int i = 0; i < s->rod.n_nodes; i++) {
    s->x[3 + i] = pose_of(p, q);
    /* Either sign is the same rotation. */
    if (uniform() > 0) s->x[3 + i].q = (xs_quat){-q.w, -q.x, -q.y, -q.z};
    xs_vec3 turn = xs_vec3_add_scaled(axis, wander, random_vec());
    q = xs_so3_plus(q, xs_vec3_scale(angle / xs_vec3_norm(turn), turn));
    xs_mat3 R = xs_so3_matrix(q);
    double step = s->rod.element_length / (s->rod.n_nodes - 1);
    xs_vec3 d = {0.2 * uniform(), 0.2 * uniform(), 1 + 0.2 * uniform()};
    p = xs_vec3_add_scaled(p, step, xs_mat3_mul_vec(&R, d));
  }
  sample_blocks(s);
}

/* Turns and shifts the whole rod: x -> Q x + d. */
static inline void sample_move(sample *s, xs_quat q, xs_vec3 d) {
  xs_mat3 Q = xs_so3_matrix(q);
  for (int i = 0; i < ROD_NODES_MAX; i++) {
    xs_vec3 p = xs_vec3_add(xs_mat3_mul_vec(&Q, s->x[i].p), d);
    s->x[i] = pose_of(p, xs_so3_normalize(xs_quat_mul(q, s->x[i].q)));
  }
}

/* Frenet frame of the helix of radius r and pitch 2 pi c about z at arc length s: d1 the
 * normal, d3 the tangent. c = 0: an arc. r = 0: a straight rod, twisted by 1/c. */
static inline xs_pose helix(double r, double c, double s) {
  double q = sqrt(r * r + c * c), t = s / q;
  xs_vec3 N = {-cos(t), -sin(t), 0}, T = {-r * sin(t) / q, r * cos(t) / q, c / q};
  xs_vec3 B = xs_vec3_cross(T, N);
  xs_mat3 R = {{{N.x, B.x, T.x}, {N.y, B.y, T.y}, {N.z, B.z, T.z}}};
  return pose_of((xs_vec3){r * cos(t), r * sin(t), c * t}, xs_so3_from_matrix(&R));
}

/* u of the helix: curvature about d2, torsion about d3. */
static inline xs_vec3 helix_bend(double r, double c) {
  double q2 = r * r + c * c;
  return (xs_vec3){0, r / q2, c / q2};
}

/* Sets all nodes on the helix. */
static inline void sample_helix(sample *s, double r, double c) {
  for (int i = 0; i < s->rod.n_nodes; i++)
    s->x[s->rod.first_node + i] = helix(r, c, s->arc_length[i]);
}

#endif
