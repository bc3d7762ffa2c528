/* A small run made by hand, for tests of the result file: a world with any number of bodies
 * and joints, a state, and an observation whose numbers follow from the step by closed
 * forms (sample_advance), so that every number in a file is known. */
#ifndef XS_TESTS_RESULT_SAMPLE_H
#define XS_TESTS_RESULT_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/result.h"

typedef struct sample {
  xs_arena arena;
  xs_world world;
  xs_state state;
  xs_observation observation;
  xs_run_info run;
  xs_scene_source source;
  xs_persist persist[3];
  double multipliers[5];
  xs_result_subject subject;
} sample;

static const char sample_scene[] = "{ \"name\": \"sample\", // caf\xc3\xa9\n  \"format\": 1 }\n";

static inline void *sample_alloc(sample *s, int n, size_t size) {
  void *memory = xs_arena_alloc(&s->arena, (size_t)n, size);
  if (!memory) abort();
  return memory;
}

static inline const char *sample_name(sample *s, const char *stem, int i) {
  char text[32];
  snprintf(text, sizeof text, "%s%d", stem, i + 1);
  return xs_arena_copy_text(&s->arena, text);
}

static inline void sample_world(sample *s, int n_bodies, int n_joints, double duration) {
  xs_world *w = &s->world;
  w->name = "sample";
  w->time = (xs_time){.step = 1e-3, .duration = duration, .substeps = 1};
  w->output = (xs_output){.every = 1, .checkpoint = 1, .bodies = 1, .joints = 1};
  w->n_nodes = n_bodies + 1;
  w->n_bodies = n_bodies;
  w->n_joints = n_joints;
  w->bodies = sample_alloc(s, n_bodies, sizeof *w->bodies);
  w->joints = sample_alloc(s, n_joints, sizeof *w->joints);
  for (int i = 0; i < n_bodies; i++) {
    w->bodies[i].name = sample_name(s, "link", i);
    w->bodies[i].node = i + 1;
  }
  for (int i = 0; i < n_joints; i++) {
    w->joints[i].name = sample_name(s, "hinge", i);
    w->joints[i].type = (xs_joint_type)(i % XS_N_JOINT_TYPES);
  }
}

static inline void sample_state(sample *s) {
  xs_state *state = &s->state;
  int n = s->world.n_nodes;
  state->n_nodes = n;
  state->n_joints = s->world.n_joints;
  state->x = sample_alloc(s, n, sizeof *state->x);
  state->v = sample_alloc(s, n, sizeof *state->v);
  state->omega = sample_alloc(s, n, sizeof *state->omega);
  state->turn = sample_alloc(s, state->n_joints, sizeof *state->turn);
  s->persist[0] = (xs_persist){"position",
                               "m",
                               "positions of the nodes",
                               &state->x[0].p.x,
                               n,
                               3,
                               (int)(sizeof(xs_pose) / sizeof(double))};
  s->persist[1] = (xs_persist){
      "turn", "1", "turns of the joints", (double *)state->turn, state->n_joints, 3, 3};
  s->persist[2] = (xs_persist){"lambda", "1", "multipliers", s->multipliers, 5, 1, 1};
}

static inline void sample_observation(sample *s) {
  xs_observation *o = &s->observation;
  int n = o->n_bodies = s->world.n_bodies, j = o->n_joints = s->world.n_joints;
  o->position = sample_alloc(s, n, sizeof(xs_vec3));
  o->orientation = sample_alloc(s, n, sizeof(xs_quat));
  o->linear_velocity = sample_alloc(s, n, sizeof(xs_vec3));
  o->angular_velocity = sample_alloc(s, n, sizeof(xs_vec3));
  o->joint_force = sample_alloc(s, j, sizeof(xs_vec3));
  o->joint_torque = sample_alloc(s, j, sizeof(xs_vec3));
  o->joint_coordinate = sample_alloc(s, j, sizeof(xs_vec3));
  o->residual.joint = sample_alloc(s, j, sizeof(double));
}

/* Fills state and observation for the step k. Body i: position (i, k, -k / 8), velocity
 * (0, 1000, -125); joint i: force (k, 0, -i), coordinate (k / 16 + i, 0, 0); residual.primal
 * = 2^-(k mod 8), energy.total = 100 - k / 1000. */
static inline void sample_advance(sample *s, int64_t k) {
  xs_observation *o = &s->observation;
  double t = (double)k;
  s->state.step = k;
  for (int i = 0; i < s->world.n_nodes; i++)
    s->state.x[i].p = xs_vec3_make(i + t / 3, t, 1.0 / (1 + t));
  for (int i = 0; i < s->world.n_joints; i++) s->state.turn[i] = (xs_turn){cos(t), sin(t), i};
  for (int i = 0; i < 5; i++) s->multipliers[i] = sin(t + i);
  for (int i = 0; i < o->n_bodies; i++) {
    o->position[i] = xs_vec3_make(i, t, -t / 8);
    o->orientation[i] = (xs_quat){cos(t / 100), 0, 0, sin(t / 100)};
    o->linear_velocity[i] = xs_vec3_make(0, 1000, -125);
    o->angular_velocity[i] = xs_vec3_make(0, 0, 20 + i);
  }
  for (int i = 0; i < o->n_joints; i++) {
    o->joint_force[i] = xs_vec3_make(t, 0, -i);
    o->joint_torque[i] = xs_vec3_make(0, t * i, 0);
    o->joint_coordinate[i] = xs_vec3_make(t / 16 + i, 0, 0);
    o->residual.joint[i] = 1e-9 * (i + 1);
  }
  o->residual.primal = ldexp(1, -(int)(k % 8));
  o->residual.constraint = 1e-9;
  o->residual.primal_relative = 0.5;
  o->kinetic = 60;
  o->gravity = 40 - t / 1000;
  o->total = 100 - t / 1000;
  o->linear_momentum = xs_vec3_make(1, 2, 3);
  o->angular_momentum = xs_vec3_make(4, 5, t);
}

static inline sample *sample_create(int n_bodies, int n_joints, double duration) {
  sample *s = calloc(1, sizeof *s);
  if (!s) abort();
  sample_world(s, n_bodies, n_joints, duration);
  sample_state(s);
  sample_observation(s);
  s->run = (xs_run_info){"xsim sample.json", "0.1.0", "0123abc", "gcc -O3", "HDF5 1.10"};
  s->source = (xs_scene_source){"sample.json", sample_scene, strlen(sample_scene), "", "{}"};
  s->subject = (xs_result_subject){&s->world,       &s->source, &s->run,   &s->state,
                                   &s->observation, 3,          s->persist};
  sample_advance(s, 0);
  return s;
}

static inline void sample_free(sample *s) {
  xs_arena_free(&s->arena);
  free(s);
}

/* Records the steps first .. last. */
static inline xs_status sample_record(sample *s, xs_result *result, int64_t first, int64_t last,
                                      xs_report *report) {
  for (int64_t k = first; k <= last; k++) {
    sample_advance(s, k);
    xs_status status = xs_result_record(result, 1e-6, report);
    if (status != XS_OK) return status;
  }
  return XS_OK;
}

#endif
