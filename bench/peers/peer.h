/* What the drivers of all simulators share: the scene, the measured loop, the records.
 *
 *   DRIVER SCENE MODE STEP RECORDS EVERY OUT
 *
 * takes RECORDS times EVERY steps of STEP seconds, by the mode of that name (each driver's
 * own), and writes to OUT RECORDS + 1 rows of doubles: time, wall and processor time that the
 * steps since the row before took (s), and 13 numbers a body: position of the centre of mass,
 * quaternion w x y z (body to world), velocity of the centre of mass, angular velocity, all in
 * the world. Clocks run around the steps only, not while a row is made. Setting up, reading and
 * writing is in none of the times. A run that breaks down ends its file early, or with NaN.
 *
 * SCENE is text that scenes.py writes, a thing a line; poses are those of t = 0:
 *
 *   gravity X Y Z
 *   body M  I1 I2 I3  PX PY PZ  QW QX QY QZ  VX VY VZ   centre of mass, principal axes; no spin
 *   revolute BODY1 BODY2  PX PY PZ  AX AY AZ            point and axis in the world; -1: ground
 *   spherical BODY1 BODY2  PX PY PZ
 *   box BODY  HX HY HZ                                  half extents; it touches others
 *   floor MU_FLOOR MU_BOX                               z = 0; friction between floor and box,
 *                                                       and between boxes */
#ifndef PEER_H
#define PEER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PEER_MAX = 256, PEER_BODY = 13, PEER_HEAD = 3 };

typedef struct peer_body {
  double m, I[3], p[3], q[4], v[3];
  int is_box;
  double half[3];
} peer_body;

typedef struct peer_joint {
  int is_revolute, body[2];
  double p[3], axis[3];
} peer_joint;

typedef struct peer_scene {
  double gravity[3];
  int n_bodies, n_joints, has_floor;
  double mu_floor, mu_box;
  peer_body body[PEER_MAX];
  peer_joint joint[PEER_MAX];
} peer_scene;

typedef struct peer_run {
  const char *scene, *mode;
  double h;
  long records, every;
  FILE *out;
} peer_run;

static inline void peer_fail(const char *what, const char *which) {
  fprintf(stderr, "peer: %s: %s\n", which, what);
  exit(2);
}

static inline peer_run peer_arguments(int argc, char **argv) {
  if (argc != 7) peer_fail("usage: DRIVER SCENE MODE STEP RECORDS EVERY OUT", argv[0]);
  peer_run run = {argv[1], argv[2], atof(argv[3]), atol(argv[4]), atol(argv[5]), NULL};
  if (!(run.h > 0) || run.records < 1 || run.every < 1)
    peer_fail("step, records and steps a record must be above 0", argv[0]);
  run.out = fopen(argv[6], "wb");
  if (!run.out) peer_fail("cannot be written", argv[6]);
  return run;
}

static inline void peer_numbers(FILE *file, double *to, int n, const char *path) {
  for (int i = 0; i < n; i++)
    if (fscanf(file, "%lf", &to[i]) != 1) peer_fail("a number is missing", path);
}

static inline void peer_read(const char *path, peer_scene *s) {
  FILE *file = fopen(path, "r");
  char word[32];
  if (!file) peer_fail("cannot be read", path);
  memset(s, 0, sizeof *s);
  while (fscanf(file, "%31s", word) == 1) {
    double x[17];
    if (strcmp(word, "gravity") == 0) {
      peer_numbers(file, s->gravity, 3, path);
    } else if (strcmp(word, "body") == 0 && s->n_bodies < PEER_MAX) {
      peer_body *b = &s->body[s->n_bodies++];
      peer_numbers(file, x, 14, path);
      b->m = x[0];
      memcpy(b->I, x + 1, sizeof b->I);
      memcpy(b->p, x + 4, sizeof b->p);
      memcpy(b->q, x + 7, sizeof b->q);
      memcpy(b->v, x + 11, sizeof b->v);
    } else if ((strcmp(word, "revolute") == 0 || strcmp(word, "spherical") == 0) &&
               s->n_joints < PEER_MAX) {
      peer_joint *j = &s->joint[s->n_joints++];
      j->is_revolute = word[0] == 'r';
      peer_numbers(file, x, j->is_revolute ? 8 : 5, path);
      j->body[0] = (int)x[0];
      j->body[1] = (int)x[1];
      memcpy(j->p, x + 2, sizeof j->p);
      if (j->is_revolute) memcpy(j->axis, x + 5, sizeof j->axis);
    } else if (strcmp(word, "box") == 0) {
      peer_numbers(file, x, 4, path);
      s->body[(int)x[0]].is_box = 1;
      memcpy(s->body[(int)x[0]].half, x + 1, 3 * sizeof(double));
    } else if (strcmp(word, "floor") == 0) {
      s->has_floor = 1;
      peer_numbers(file, x, 2, path);
      s->mu_floor = x[0];
      s->mu_box = x[1];
    } else {
      peer_fail("unknown, or too many", word);
    }
  }
  fclose(file);
}

/* a rotated by q (w x y z), or by its inverse. */
static inline void peer_turn(const double q[4], const double a[3], int inverse, double to[3]) {
  const double w = q[0], s = inverse ? -1 : 1, x = s * q[1], y = s * q[2], z = s * q[3];
  const double tx = 2 * (y * a[2] - z * a[1]), ty = 2 * (z * a[0] - x * a[2]),
               tz = 2 * (x * a[1] - y * a[0]);
  to[0] = a[0] + w * tx + y * tz - z * ty;
  to[1] = a[1] + w * ty + z * tx - x * tz;
  to[2] = a[2] + w * tz + x * ty - y * tx;
}

/* A point or direction (point = 0) of the world in the frame of a body at t = 0; -1: ground. */
static inline void peer_local(const peer_scene *s, int body, const double a[3], int point,
                              double to[3]) {
  if (body < 0) {
    memcpy(to, a, 3 * sizeof(double));
    return;
  }
  const peer_body *b = &s->body[body];
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = a[i] - (point ? b->p[i] : 0);
  peer_turn(b->q, d, 1, to);
}

static inline double peer_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The measured loop. advance takes n steps of run->h and returns 0 if it broke down; record
 * fills 13 numbers a body. */
static inline void peer_loop(peer_run *run, int n_bodies, int (*advance)(void *sim, long n),
                             void (*record)(void *sim, double *row), void *sim) {
  const size_t n = PEER_HEAD + (size_t)n_bodies * PEER_BODY;
  double *row = (double *)calloc(n, sizeof(double));
  int alive = 1;
  if (!row) peer_fail("out of memory", "peer_loop");
  record(sim, row + PEER_HEAD);
  for (long k = 0;; k++) {
    row[0] = (double)(k * run->every) * run->h;
    for (size_t i = PEER_HEAD; i < n; i++) alive = alive && isfinite(row[i]);
    if (!alive) break;
    if (fwrite(row, sizeof(double), n, run->out) != n) peer_fail("cannot be written", "OUT");
    if (k == run->records) break;

    const double wall = peer_clock(CLOCK_MONOTONIC), cpu = peer_clock(CLOCK_THREAD_CPUTIME_ID);
    alive = advance(sim, run->every);
    row[2] = peer_clock(CLOCK_THREAD_CPUTIME_ID) - cpu;
    row[1] = peer_clock(CLOCK_MONOTONIC) - wall;
    if (!alive) break;
    record(sim, row + PEER_HEAD);
  }
  if (fclose(run->out) != 0) peer_fail("cannot be written", "OUT");
  free(row);
}

#endif
