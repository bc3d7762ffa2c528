/* Accelerations, joint forces, consistent starts (acceleration.h). */
#include "solver/acceleration.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/external.h"
#include "solver/residual.h"
#include "solver/system_create.h"

/* Time over which rates are differenced, s. Truncation (s w)^2/6 for motion at w rad/s, round-off
 * 1e-16/(s w): both are below 1e-7 from 1e-4 to 80 rad/s. */
#define DIFFERENCE 1e-5
/* |C| of a start that fulfils the joints, of the scene's size (rad: of 1). */
#define CLOSED 1e-12
/* What round-off may leave of it where the scene is far from the origin. */
#define NEARLY_CLOSED 1e-9
/* Newton steps to close the joints; 3 to 6 from errors that are small against the bodies. */
enum { CLOSING_MAX = 50 };
/* Displacements of a start (m, rad, and per s) below which nothing is said. */
#define UNNOTICED 1e-9

struct xs_acceleration {
  const xs_mechanism *mechanism;
  xs_global *global;
  xs_external external;
  xs_state scratch;   /* poses and velocities besides the state's */
  double *change;     /* n_rows: dc/dt at constant v */
  double *rate;       /* n_rows: c */
  double *diagonal;   /* n_rows: 0 where a row takes part */
  double *pull;       /* n_rows: forces of springs and dashpots */
  double *rhs;        /* n_rows */
  double *f;          /* 6 n_nodes: generalised forces, then with those of joints */
  double *a;          /* 6 n_nodes: M^-1 f */
  unsigned char *out; /* n_rows: limits found to pull */
};

xs_status xs_acceleration_create(const xs_mechanism *mechanism, xs_arena *arena,
                                 xs_acceleration **result, xs_report *report) {
  const size_t n = (size_t)mechanism->world->n_nodes, n_rows = (size_t)mechanism->n_rows;
  xs_acceleration *self = XS_ARENA_NEW(arena, xs_acceleration, 1);
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  self->mechanism = mechanism;
  self->external.force = XS_ARENA_NEW(arena, xs_vec3, n);
  self->external.torque = XS_ARENA_NEW(arena, xs_vec3, n);
  self->scratch.n_nodes = mechanism->world->n_nodes;
  self->scratch.x = XS_ARENA_NEW(arena, xs_pose, n);
  self->scratch.v = XS_ARENA_NEW(arena, xs_vec3, n);
  self->scratch.omega = XS_ARENA_NEW(arena, xs_vec3, n);
  self->change = XS_ARENA_NEW(arena, double, n_rows);
  self->rate = XS_ARENA_NEW(arena, double, n_rows);
  self->diagonal = XS_ARENA_NEW(arena, double, n_rows);
  self->pull = XS_ARENA_NEW(arena, double, n_rows);
  self->rhs = XS_ARENA_NEW(arena, double, n_rows);
  self->out = XS_ARENA_NEW(arena, unsigned char, n_rows);
  self->f = XS_ARENA_NEW(arena, double, 6 * n);
  self->a = XS_ARENA_NEW(arena, double, 6 * n);
  *result = self;
  if (!self->external.force || !self->external.torque || !self->scratch.x || !self->scratch.v ||
      !self->scratch.omega || !self->change || !self->rate || !self->diagonal || !self->pull ||
      !self->rhs || !self->out || !self->f || !self->a)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  return xs_mechanism_global(mechanism, arena, &self->global, report);
}

/* ---- Forces at a state ---- */

/* scratch <- the state moved by s along its velocities; prescribed bodies and frames to t + s. */
static void move_to(xs_acceleration *self, xs_system *system, const xs_state *state, double t,
                    double s) {
  xs_state *scratch = &self->scratch;
  const size_t n = (size_t)state->n_nodes;
  memcpy(scratch->x, state->x, n * sizeof *state->x);
  memcpy(scratch->v, state->v, n * sizeof *state->v);
  memcpy(scratch->omega, state->omega, n * sizeof *state->omega);
  for (int k = 0; s != 0 && k < system->n_moving; k++) {
    xs_pose *x = &scratch->x[system->moving[k]];
    x->p = xs_vec3_add_scaled(x->p, s, state->v[system->moving[k]]);
    x->q = xs_so3_plus(x->q, xs_vec3_scale(s, state->omega[system->moving[k]]));
    x->R = xs_so3_matrix(x->q);
  }
  xs_system_freeze(system, t + s, scratch);
  xs_global_evaluate(self->global, scratch->x);
}

/* change = dc/dt. Where rows move in time the differences are taken forward and leave t itself
 * out: prescribed motions have kinks, and their rates at t are those from the right. */
static void difference_rates(xs_acceleration *self, xs_system *system, const xs_state *state,
                             double t) {
  static const struct {
    double at, weight;
  } central[] = {{-1, -0.5}, {1, 0.5}}, forward[] = {{1, -2.5}, {2, 4}, {3, -1.5}};
  const xs_mechanism *m = self->mechanism;
  const int n = m->moves_in_time ? 3 : 2;
  memset(self->change, 0, (size_t)m->n_rows * sizeof *self->change);
  for (int i = 0; i < n; i++) {
    const double at = m->moves_in_time ? forward[i].at : central[i].at;
    const double weight = m->moves_in_time ? forward[i].weight : central[i].weight;
    move_to(self, system, state, t, at * DIFFERENCE);
    xs_mechanism_rates(m, self->global, &self->scratch, t + at * DIFFERENCE, self->rate);
    for (int r = 0; r < m->n_rows; r++) self->change[r] += weight / DIFFERENCE * self->rate[r];
  }
}

/* Forces of springs and dashpots, by C and c at hand. */
static void find_pulls(xs_acceleration *self) {
  const xs_mechanism *m = self->mechanism;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(self->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      self->pull[row] = m->sort[row] == XS_ROW_SPRING
                            ? -m->stiffness[row] * (C[r] + m->retardation[row] * self->rate[row])
                        : m->sort[row] == XS_ROW_DASHPOT
                            ? -m->dashpot[row].damping * self->rate[row]
                            : 0;
    }
  }
}

/* f = gravity, loads and pulls less the gyroscopic torques; a = M^-1 f. */
static void gather_forces(xs_acceleration *self, const xs_state *state, double t) {
  const xs_world *world = self->mechanism->world;
  memset(self->f, 0, 6 * (size_t)world->n_nodes * sizeof *self->f);
  xs_global_add_transposed(self->global, self->pull, self->f);
  if (world->n_loads > 0) xs_external_loads(world, state->x, t, &self->external);
  for (int i = 0; i < world->n_nodes; i++) {
    const xs_inertia *inertia = &world->inertia[i];
    double *f = self->f + 6 * i;
    const xs_vec3 w = state->omega[i];
    const xs_vec3 force =
        xs_vec3_add_scaled(self->external.force[i], inertia->mass, world->gravity);
    const xs_vec3 torque =
        xs_vec3_sub(self->external.torque[i], xs_vec3_cross(w, xs_vec3_mul(inertia->moment, w)));
    f[0] += force.x, f[1] += force.y, f[2] += force.z;
    f[3] += torque.x, f[4] += torque.y, f[5] += torque.z;
  }
}

static void divide_by_mass(const xs_world *world, const double *f, double *a) {
  for (int i = 0; i < world->n_nodes; i++) {
    const xs_inertia *m = &world->inertia[i];
    const double w[6] = {m->inv_mass,     m->inv_mass,     m->inv_mass,
                         m->inv_moment.x, m->inv_moment.y, m->inv_moment.z};
    for (int c = 0; c < 6; c++) a[6 * i + c] = w[c] * f[6 * i + c];
  }
}

/* Whether a row takes part in a solve for accelerations or rates. */
static int takes_part(const xs_acceleration *self, int row, const unsigned char *carries,
                      double C) {
  switch ((xs_row_sort)self->mechanism->sort[row]) {
    case XS_ROW_HARD:
    case XS_ROW_RATE:
      return 1;
    case XS_ROW_LIMIT:
      return !self->out[row] && (carries ? carries[row] : C <= CLOSED);
    case XS_ROW_SPRING:
    case XS_ROW_DASHPOT:
    case XS_ROW_NONE:
      break;
  }
  return 0;
}

/* diagonal and rhs: of rows that take part 0 and -value, else out. */
static void choose_rows(xs_acceleration *self, const unsigned char *carries, const double *value) {
  const xs_mechanism *m = self->mechanism;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(self->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      const int in = takes_part(self, row, carries, C[r]);
      self->diagonal[row] = in ? 0 : XS_MECHANISM_OUT;
      self->rhs[row] = in ? -value[row] : 0;
    }
  }
}

/* Solves for the rows chosen; a limit that would pull is let go, and all solved again. */
static int solve_chosen(xs_acceleration *self, const unsigned char *carries, const double *value) {
  const xs_mechanism *m = self->mechanism;
  for (;;) {
    int let_go = 0;
    choose_rows(self, carries, value);
    const int failed = xs_global_factor(self->global, self->diagonal);
    if (failed >= 0) return m->block[failed].entity;
    xs_mechanism_back(m, self->global, self->diagonal, self->rhs);
    for (int row = 0; m->count[XS_ROW_LIMIT] > 0 && row < m->n_rows; row++)
      if (m->sort[row] == XS_ROW_LIMIT && self->diagonal[row] == 0 && self->rhs[row] < 0)
        self->out[row] = 1, let_go = 1;
    if (!let_go) return -1;
  }
}

int xs_acceleration_solve(xs_acceleration *self, xs_system *system, const xs_state *state, double t,
                          const unsigned char *carries, double *force, double *a) {
  const xs_mechanism *m = self->mechanism;
  memset(self->out, 0, (size_t)m->n_rows);
  difference_rates(self, system, state, t);
  move_to(self, system, state, t, 0);
  xs_mechanism_rates(m, self->global, &self->scratch, t, self->rate);
  find_pulls(self);
  gather_forces(self, &self->scratch, t);
  divide_by_mass(m->world, self->f, self->a);
  xs_global_add_displaced(self->global, self->a, self->change);

  const int failed = solve_chosen(self, carries, self->change);
  for (int row = 0; row < m->n_rows; row++)
    force[row] = failed < 0 ? self->rhs[row] + self->pull[row] : NAN;
  if (!a) return failed;
  if (failed < 0) xs_global_add_transposed(self->global, self->rhs, self->f);
  divide_by_mass(m->world, self->f, a);
  return failed;
}

void xs_acceleration_reactions(const xs_acceleration *self, const xs_pose *x, const double *force,
                               xs_reaction *reaction) {
  xs_mechanism_reactions(self->mechanism, self->global, x, force, reaction);
}

/* ---- Consistent starts ---- */

/* Largest |C| of what has to be closed, its value in *value and its block in the return. */
static int widest(const xs_acceleration *self, double *value) {
  const xs_mechanism *m = self->mechanism;
  int widest = 0;
  *value = 0;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(self->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int sort = m->sort[m->block[b].first_row + r];
      if (!(sort == XS_ROW_HARD || (sort == XS_ROW_LIMIT && C[r] < 0)) || fabs(C[r]) <= *value)
        continue;
      *value = fabs(C[r]);
      widest = b;
    }
  }
  return widest;
}

/* One step towards C = 0. Returns 0 if the equations have no solution. */
static int close_joints(xs_acceleration *self, xs_system *system, xs_state *state) {
  const xs_mechanism *m = self->mechanism;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(self->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r, sort = m->sort[row];
      const int in = sort == XS_ROW_HARD || (sort == XS_ROW_LIMIT && C[r] < 0);
      self->diagonal[row] = in ? 0 : XS_MECHANISM_OUT;
      self->rhs[row] = in ? -C[r] : 0;
    }
  }
  if (xs_global_factor(self->global, self->diagonal) >= 0) return 0;
  xs_mechanism_back(m, self->global, self->diagonal, self->rhs);
  memset(system->momentum, 0, 6 * (size_t)m->world->n_nodes * sizeof(double));
  xs_global_add_transposed(self->global, self->rhs, system->momentum);
  xs_system_displace(system, state->x, system->n_moving, system->moving, 0);
  for (int k = 0; k < system->n_moving; k++) {
    xs_pose *x = &state->x[system->moving[k]];
    x->q = xs_so3_renormalize(x->q);
    x->R = xs_so3_matrix(x->q);
  }
  return 1;
}

/* Warns of the body that was moved most, and of the one whose velocity changed most. */
static void tell_moved(const xs_acceleration *self, const xs_system *system, const xs_state *state,
                       double closed_by, xs_report *report) {
  const xs_world *world = system->world;
  const xs_state *before = &self->scratch;
  double shift = 0, turn = 0, v = 0, w = 0;
  int moved = 0, sped = 0;
  for (int k = 0; k < system->n_moving; k++) {
    const int i = system->moving[k];
    const double dp = xs_vec3_norm(xs_vec3_sub(state->x[i].p, before->x[i].p));
    const double dr = xs_vec3_norm(xs_so3_minus(state->x[i].q, before->x[i].q));
    const double dv = xs_vec3_norm(xs_vec3_sub(state->v[i], before->v[i]));
    const double dw = xs_vec3_norm(xs_vec3_sub(state->omega[i], before->omega[i]));
    if (dp / world->size + dr > shift / world->size + turn) shift = dp, turn = dr, moved = i;
    if (dv / world->size + dw > v / world->size + w) v = dv, w = dw, sped = i;
  }
  if (shift > UNNOTICED * world->size || turn > UNNOTICED)
    xs_report_warning(report, NULL,
                      "the start did not close the joints (|C| up to %.3g): it was moved onto "
                      "them, body \"%s\" most, by %.3g m and %.3g rad",
                      closed_by, xs_world_node_name(world, moved), shift, turn);
  if (v > UNNOTICED * world->size || w > UNNOTICED)
    xs_report_warning(report, NULL,
                      "velocities at the start were such as the joints do not allow: they were "
                      "changed, body \"%s\"'s most, by %.3g m/s and %.3g rad/s",
                      xs_world_node_name(world, sped), v, w);
}

static xs_status cannot_close(const xs_acceleration *self, int block, double value,
                              xs_report *report) {
  const xs_mechanism *m = self->mechanism;
  const int entity = m->block[block].entity;
  return xs_report_error(report, XS_DIVERGED, NULL,
                         "the joints cannot be closed from where the bodies stand at the start: "
                         "joint \"%s\" stays off by %.3g; place the bodies where the joints fit",
                         entity < m->world->n_joints ? m->world->joints[entity].name : "", value);
}

/* v += M^-1 G^T A^-1 (-c) over hard rows, driven rates and limits that are being approached. */
static void fit_rates(xs_acceleration *self, xs_state *state, double t,
                      const unsigned char *carries) {
  const xs_mechanism *m = self->mechanism;
  memset(self->out, 0, (size_t)m->n_rows);
  xs_mechanism_rates(m, self->global, state, t, self->rate);
  for (int row = 0; row < m->n_rows; row++) /* leaving a limit is free */
    if (m->sort[row] == XS_ROW_LIMIT && self->rate[row] >= 0) self->out[row] = 1;
  if (solve_chosen(self, carries, self->rate) < 0) xs_global_kick(self->global, self->rhs, state);
}

void xs_acceleration_fit_rates(xs_acceleration *self, xs_system *system, xs_state *state, double t,
                               const unsigned char *carries) {
  xs_system_freeze(system, t, state);
  xs_global_evaluate(self->global, state->x);
  fit_rates(self, state, t, carries);
}

xs_status xs_acceleration_project(xs_acceleration *self, xs_system *system, xs_state *state,
                                  double t, xs_report *report) {
  const xs_mechanism *m = self->mechanism;
  const double unit = fmax(m->world->size, 1);
  double value = 0, last = INFINITY, first = 0;
  xs_system_freeze(system, t, state);
  move_to(self, system, state, t, 0); /* scratch keeps the start */
  xs_system_freeze(system, t, state);

  for (int k = 0;; k++) {
    const int block = widest(self, &value);
    if (k == 0) first = value;
    /* Round-off: below the limit, or no more to gain. */
    if (value <= CLOSED * unit || (value <= NEARLY_CLOSED * unit && !(value < last))) break;
    if (k == CLOSING_MAX || !isfinite(value) || !close_joints(self, system, state))
      return cannot_close(self, block, value, report);
    last = value;
    xs_global_evaluate(self->global, state->x);
  }

  fit_rates(self, state, t, NULL);
  tell_moved(self, system, state, first, report);
  return XS_OK;
}
