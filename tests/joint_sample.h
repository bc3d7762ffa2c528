/* Joints with everything a scene may give them, in random states, for the tests of rows. */
#ifndef XS_TESTS_JOINT_SAMPLE_H
#define XS_TESTS_JOINT_SAMPLE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "constraint/joint.h"
#include "math/so3.h"

static uint64_t seed = 1;
static inline double uniform(void) { /* in (-1, 1), the same everywhere */
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}
static inline xs_vec3 random_vec(void) {
  double x = uniform(), y = uniform();
  return (xs_vec3){x, y, uniform()};
}
static inline xs_quat random_quat(void) {
  xs_quat q = {uniform(), uniform(), uniform(), uniform()};
  return xs_so3_normalize(q);
}
static inline xs_pose pose_of(xs_vec3 p, xs_quat q) { return (xs_pose){p, q, xs_so3_matrix(q)}; }

/* A joint, what it points to, and the poses of ground and two bodies. Must not move. */
typedef struct sample {
  xs_joint joint;
  xs_joint_geometry geometry;
  xs_motion motion;
  xs_target target;
  xs_timefn f[9]; /* translation, rotation, target */
  xs_turn turn;
  xs_pose x[3];
} sample;

static const xs_interval unlimited = {-INFINITY, INFINITY};

/* A joint of the type without motion, target, limits and compliance. */
static inline void sample_plain(sample *s, xs_joint_type type, int node1) {
  *s = (sample){.turn = {.c = 1}};
  s->joint = (xs_joint){.name = "joint",
                        .type = type,
                        .node1 = node1,
                        .node2 = 2,
                        .frame1 = {random_vec(), random_quat()},
                        .frame2 = {random_vec(), random_quat()},
                        .length = 0.7,
                        .limit = unlimited,
                        .swing = unlimited,
                        .twist = unlimited};
  s->x[0] = pose_of((xs_vec3){0, 0, 0}, xs_quat_identity());
  for (int i = 1; i < 3; i++) s->x[i] = pose_of(random_vec(), random_quat());
}

/* Gives the joint a motion whose translation and rotation vector are random sines. */
static inline void sample_move(sample *s) {
  for (int i = 0; i < 6; i++)
    s->f[i] = (xs_timefn){.kind = XS_TIMEFN_SINE,
                          .u.sine = {uniform(), uniform(), 1 + uniform(), uniform()}};
  s->motion = (xs_motion){.translation = {&s->f[0], &s->f[1], &s->f[2]},
                          .vector = {&s->f[3], &s->f[4], &s->f[5]},
                          .q_carrier = random_quat()};
  s->joint.motion = &s->motion;
}

/* Gives the joint a kinematic target of constant value, n coordinates. */
static inline void sample_aim(sample *s, int n, xs_vec3 value) {
  const double component[3] = {value.x, value.y, value.z};
  s->target = (xs_target){.n = n};
  for (int i = 0; i < n; i++) {
    s->f[6 + i] = (xs_timefn){.kind = XS_TIMEFN_CONSTANT, .u.constant = component[i]};
    s->target.value[i] = &s->f[6 + i];
    s->target.stiffness[i] = INFINITY;
  }
  s->joint.target = &s->target;
}

static inline void sample_init(sample *s) {
  xs_joint_geometry_init(&s->joint, &s->turn, &s->geometry);
}

/* Sets Rbar_2 = Rbar_1 R, with frame 1 as it is frozen. */
static inline void sample_turn(sample *s, xs_quat relative) {
  const xs_joint_geometry *g = &s->geometry;
  xs_quat qbar2 = xs_quat_mul(xs_quat_mul(s->x[g->node1].q, g->q1), relative);
  xs_quat q = xs_so3_normalize(xs_quat_mul(qbar2, xs_quat_conj(g->q2)));
  s->x[2] = pose_of(s->x[2].p, q);
}

/* Sets pbar_2 = pbar_1 + d, d in the world. */
static inline void sample_place(sample *s, xs_vec3 d) {
  const xs_joint_geometry *g = &s->geometry;
  xs_pose *x1 = &s->x[g->node1], *x2 = &s->x[2];
  xs_vec3 pbar1 = xs_vec3_add(x1->p, xs_mat3_mul_vec(&x1->R, g->r1));
  xs_vec3 pbar2 = xs_vec3_add(pbar1, d);
  x2->p = xs_vec3_sub(pbar2, xs_mat3_mul_vec(&x2->R, g->r2));
}

/* Sets pbar_2 = pbar_1 + Rbar_1 u. */
static inline void sample_slide(sample *s, xs_vec3 u) {
  xs_vec3 in_node1 = xs_mat3_mul_vec(&s->geometry.Q1, u);
  sample_place(s, xs_mat3_mul_vec(&s->x[s->geometry.node1].R, in_node1));
}

enum { SAMPLE_BLOCKS_MAX = 2 * XS_JOINT_BLOCKS_MAX + 1 };

/* All blocks that the joint gives: vector form, scalar form, coordinates. */
static inline int sample_blocks(const sample *s, xs_row_block block[SAMPLE_BLOCKS_MAX]) {
  int n_rows = 0, n;
  n = xs_joint_blocks(&s->joint, &s->geometry, XS_CONSTRAINTS_VECTOR, 0, &n_rows, block);
  n += xs_joint_blocks(&s->joint, &s->geometry, XS_CONSTRAINTS_SCALAR, 0, &n_rows, block + n);
  return n + xs_joint_coordinate_block(&s->joint, &s->geometry, 0, block + n);
}

/* The first of them that is of the kind; kind NULL if there is none. */
static inline xs_row_block sample_block(const sample *s, const xs_row_kind *kind) {
  xs_row_block block[SAMPLE_BLOCKS_MAX];
  int n = sample_blocks(s, block);
  for (int i = 0; i < n; i++)
    if (block[i].kind == kind) return block[i];
  return (xs_row_block){.kind = NULL};
}

#endif
