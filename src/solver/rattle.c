/* Rattle: a symmetric, symplectic step of second order for rigid bodies and joints (Andersen
 * 1983; Hairer, Lubich & Wanner, Geometric Numerical Integration, VII.1.4), on R^3 x SO(3), with
 * the paper's rows, gradients and matrix A = G M^-1 G^T. From t_n to t_{n+1} = t_n + h:
 *
 *   v'  = v_n + M^-1 ((h/2) f_n + G_n^T lambda),  lambda started with mu_n
 *   p_{n+1} = p_n + h v',  R_{n+1} = R_n Exp(xi),  w' -> w''          flight (rattle_spin.h)
 *   C(x_{n+1}, t_{n+1}) = 0: lambda -= A_n^-1 C/h, and flown again, until |C| is below
 *       solver.tolerance or solver.iterations are done; A_n's factor is kept from the step before
 *   v_{n+1} = (v', w'') + M^-1 ((h/2) f_{n+1} + G_{n+1}^T mu),  G v + C_t = 0
 *
 * One factorisation a step. lambda and mu are impulses; springs, dashpots, drives and limits have
 * rows of their own sort (rattle_rows.h). No gyroscopic term: the flight has it. The start is
 * projected onto the joints (acceleration.h), where the forces recorded come from, too: those at
 * the instant of the state, of second order as it is.
 *
 * Residuals recorded: primal h |M (v' - v_n) - (h/2) f_n - G_n^T lambda|, which is M (x - x~) -
 * G^T lambda in the units of the Euler step; constraint |r|, weighted as in the stopping test. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/acceleration.h"
#include "solver/diverged.h"
#include "solver/external.h"
#include "solver/rattle_rows.h"
#include "solver/rattle_spin.h"
#include "solver/residual_peak.h"
#include "solver/system_create.h"

/* Fixed iterations must not make |r| larger than it began, above this. */
#define EXPANDS_FROM 1e-9
/* |C| that round-off may leave, of the distance from the origin. */
#define ROUND_OFF 4e-15
/* Limits that join or leave may cost so many iterations besides those asked for. */
enum { ITERATIONS_FOR_LIMITS = 10 };

typedef struct rattle {
  xs_system system;
  xs_mechanism mechanism;
  xs_rattle_rows rows;
  xs_acceleration *acceleration;
  xs_external external;
  /* By node: start of the step; velocities with half of f_n; in the middle; flight. */
  xs_vec3 *p_n, *v_f, *omega_f, *v_half, *omega_half, *xi;
  double tolerance; /* of this substep: solver.tolerance, but not below round-off */
  double *force;    /* n_rows, N: of the last record */
  int64_t ready;    /* the step whose start the rows are at; -1: none */
  int stepped, told_stiff;
  xs_residual_peak peak;
} rattle;

static double time_of(const rattle *self, const xs_state *state, int substep) {
  return ((double)state->step * self->system.world->time.substeps + substep) * self->system.h;
}

/* --- create ------------------------------------------------------------------------- */

static int allocate(rattle *self, size_t n, xs_arena *arena) {
  xs_vec3 **const vectors[] = {
      &self->p_n,        &self->v_f, &self->omega_f,        &self->v_half,
      &self->omega_half, &self->xi,  &self->external.force, &self->external.torque};
  int ok = 1;
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    ok &= (*vectors[i] = XS_ARENA_NEW(arena, xs_vec3, n)) != NULL;
  return ok;
}

/* mu_0 = (h/2) nu. */
static xs_status start_multipliers(rattle *self, const xs_state *state, xs_report *report) {
  xs_rattle_rows *rows = &self->rows;
  const int failed =
      xs_acceleration_solve(self->acceleration, &self->system, state, 0, NULL, self->force, NULL);
  if (failed >= 0)
    return xs_report_error(report, XS_DIVERGED, NULL,
                           "the equations of joint \"%s\" have no solution at the start; are "
                           "masses, inertias and stiffnesses sensible?",
                           self->system.world->joints[failed].name);
  for (int row = 0; row < self->mechanism.n_rows; row++) {
    rows->mu[row] = 0.5 * rows->h * self->force[row];
    rows->impulse[row] = 2 * rows->mu[row];
  }
  return XS_OK;
}

static xs_status unsolvable(rattle *self, xs_state *state, int entity, double t,
                            xs_report *report) {
  self->system.singular = entity;
  return xs_diverged_look(&self->system, state, t, report);
}

/* The rows at the start of a step: matrix and values at x_n. */
static xs_status begin_rows(rattle *self, xs_state *state, xs_report *report) {
  const double t = time_of(self, state, 0);
  xs_system_freeze(&self->system, t, state);
  const int failed = xs_rattle_rows_begin(&self->rows, state->x, t);
  self->ready = state->step;
  return failed < 0 ? XS_OK : unsolvable(self, state, failed, t, report);
}

static xs_status create(const xs_world *world, xs_state *state, xs_arena *arena, void **result,
                        xs_report *report) {
  rattle *self = XS_ARENA_NEW(arena, rattle, 1);
  if (!self || !allocate(self, (size_t)world->n_nodes, arena))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  self->ready = -1;
  xs_system *s = &self->system;
  xs_status status = xs_system_create(world, state, arena, s, report);
  if (status == XS_OK) status = xs_mechanism_create(s, arena, &self->mechanism, report);
  if (status == XS_OK)
    status = xs_rattle_rows_create(&self->mechanism, s->h, arena, &self->rows, report);
  if (status == XS_OK)
    status = xs_acceleration_create(&self->mechanism, arena, &self->acceleration, report);
  if (status) return status;
  self->force = XS_ARENA_NEW(arena, double, self->mechanism.n_rows);
  if (!self->force) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");

  status = xs_acceleration_project(self->acceleration, s, state, 0, report);
  xs_system_track_turns(s, state);
  if (status == XS_OK) status = start_multipliers(self, state, report);
  *result = self;
  return status ? status : begin_rows(self, state, report);
}

/* --- flight ------------------------------------------------------------------------- */

/* v, omega += (h/2) f/m at the state's poses and time t. */
static void half_kick(rattle *self, const xs_state *state, double t, xs_vec3 *v, xs_vec3 *omega) {
  const xs_system *s = &self->system;
  const xs_world *world = s->world;
  const double half = 0.5 * s->h;
  if (world->n_loads > 0) xs_external_loads(world, state->x, t, &self->external);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &world->inertia[i];
    const xs_vec3 a =
        xs_vec3_add_scaled(world->gravity, inertia->inv_mass, self->external.force[i]);
    v[i] = xs_vec3_add_scaled(v[i], half, a);
    omega[i] = xs_vec3_add_scaled(omega[i], half,
                                  xs_vec3_mul(inertia->inv_moment, self->external.torque[i]));
  }
}

static void begin(rattle *self, const xs_state *state, double t) {
  xs_system *s = &self->system;
  double far2 = 0;
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    self->p_n[i] = state->x[i].p;
    far2 = fmax(far2, xs_vec3_norm2(state->x[i].p));
    s->q_n[i] = state->x[i].q;
    self->v_f[i] = state->v[i];
    self->omega_f[i] = state->omega[i];
  }
  half_kick(self, state, t, self->v_f, self->omega_f);
  self->tolerance =
      fmax(s->world->solver.tolerance, ROUND_OFF * sqrt(far2) / fmin(s->world->size, 1));
}

/* From lambda to x_{n+1}. Returns a node that turns too far, or -1. */
static int fly(rattle *self, xs_state *state) {
  xs_system *s = &self->system;
  memset(s->momentum, 0, 6 * (size_t)s->world->n_nodes * sizeof *s->momentum);
  xs_global_add_transposed(self->rows.global, self->rows.lambda, s->momentum);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &s->world->inertia[i];
    const double *g = s->momentum + 6 * i;
    const xs_vec3 v =
        xs_vec3_add_scaled(self->v_f[i], inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
    const xs_vec3 omega = xs_vec3_add(
        self->omega_f[i], xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]}));
    xs_pose *x = &state->x[i];
    self->v_half[i] = v;
    self->omega_half[i] = omega;
    x->p = xs_vec3_add_scaled(self->p_n[i], s->h, v);
    if (!xs_rattle_spin(inertia, xs_vec3_scale(s->h, omega), &self->xi[i])) return i;
    x->q = xs_so3_plus(s->q_n[i], self->xi[i]);
    x->R = xs_so3_matrix(x->q);
  }
  return -1;
}

/* --- position solve ----------------------------------------------------------------- */

static xs_status not_converged(const rattle *self, const xs_state *state, int worst, int n,
                               double t, xs_report *report) {
  const xs_mechanism *m = &self->mechanism;
  int b = 0;
  while (b + 1 < m->n_blocks && m->block[b + 1].first_row <= worst) b++;
  return xs_report_error(
      report, XS_DIVERGED, NULL,
      "at t = %.9g s (step %lld): the joints do not close in %d iterations, joint \"%s\" is off by "
      "%.3g: the substep of %.3g s is too large for its motion; take a smaller time.step, more "
      "time.substeps or more solver.iterations",
      t, (long long)state->step + 1, n, m->world->joints[m->block[b].entity].name,
      fabs(self->rows.residual[worst]), self->system.h);
}

static xs_status too_far(rattle *self, const xs_state *state, int node, double t,
                         xs_report *report) {
  return xs_diverged_too_fast(&self->system, state, node, xs_vec3_norm(self->xi[node]), t, report);
}

static xs_status solve_positions(rattle *self, xs_state *state, double t, xs_report *report) {
  xs_rattle_rows *rows = &self->rows;
  const xs_solver *solver = &self->system.world->solver;
  const int limits = self->mechanism.count[XS_ROW_LIMIT] > 0 ? ITERATIONS_FOR_LIMITS : 0;
  double first = 0;
  int changed = 0;
  xs_rattle_rows_warm_start(rows);
  for (int k = 0;; k++) {
    int joined, worst;
    const int node = fly(self, state);
    if (node >= 0) return too_far(self, state, node, t, report);
    const double off = xs_rattle_rows_evaluate(rows, state->x, t, &joined, &worst);
    if (k == 0) first = off;
    changed |= joined;
    const int done = solver->tolerance > 0 ? off <= self->tolerance : k >= solver->iterations;
    if (done && !changed) {
      if (solver->tolerance > 0 || off <= fmax(first, EXPANDS_FROM)) return XS_OK;
      return not_converged(self, state, worst, k, t, report);
    }
    if (k >= solver->iterations + limits || !(off <= DBL_MAX))
      return not_converged(self, state, worst, k, t, report);
    if (changed) {
      const int failed = xs_rattle_rows_factor(rows);
      if (failed >= 0) return unsolvable(self, state, failed, t, report);
    }
    changed = xs_rattle_rows_correct(rows);
  }
}

/* --- step --------------------------------------------------------------------------- */

static void warn_stiff(rattle *self, double t, xs_report *report) {
  const xs_mechanism *m = &self->mechanism;
  int b = 0;
  while (b + 1 < m->n_blocks && m->block[b + 1].first_row <= self->rows.stiffest) b++;
  self->told_stiff = 1;
  xs_report_warning(report, NULL,
                    "at t = %.9g s: the stiffness of joint \"%s\" swings faster than the substep "
                    "of %.3g s resolves: the energy of such swings is taken out",
                    t, m->world->joints[m->block[b].entity].name, self->system.h);
}

static xs_residual residual_now(const rattle *self, double *joint);

static xs_status substep(rattle *self, xs_state *state, double t_n, double t, xs_report *report) {
  xs_system *s = &self->system;
  s->singular = -1;
  begin(self, state, t_n);
  xs_system_freeze(s, t, state);
  xs_status status = solve_positions(self, state, t, report);
  if (status) return status;

  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    state->v[i] = self->v_half[i];
    state->omega[i] = xs_rattle_spin_after(&s->world->inertia[i], self->xi[i], self->omega_half[i]);
  }
  half_kick(self, state, t, state->v, state->omega);
  const int failed = xs_rattle_rows_finish(&self->rows, state, t);
  self->stepped = 1;
  if (failed >= 0) return unsolvable(self, state, failed, t, report);
  status = xs_diverged_look(s, state, t, report);
  if (status == XS_OK && self->rows.stiffest >= 0 && !self->told_stiff) warn_stiff(self, t, report);
  if (s->world->output.residual_peak) {
    const xs_residual now = residual_now(self, NULL);
    xs_residual_peak_note(&self->peak, &now);
  }
  xs_system_track_turns(s, state);
  return status;
}

static xs_status step(void *self_, xs_state *state, const xs_stop *stop, xs_report *report) {
  rattle *self = self_;
  const int substeps = self->system.world->time.substeps;
  if (self->ready != state->step) { /* a checkpoint was loaded */
    const xs_status status = begin_rows(self, state, report);
    if (status) return status;
  }
  self->ready = -1;
  for (int k = 0; k < substeps; k++) {
    if (k > 0 && stop && stop->asked(stop->context)) return XS_STOPPED;
    xs_status status =
        substep(self, state, time_of(self, state, k), time_of(self, state, k + 1), report);
    if (status) return status;
  }
  self->ready = ++state->step;
  return XS_OK;
}

/* --- what is recorded --------------------------------------------------------------- */

/* h (M (v' - v_n) - (h/2) f) - h G_n^T lambda; returns its norm, that of its first part in
 * *inertial. */
static double primal(const rattle *self, double *inertial) {
  const xs_system *s = &self->system;
  const xs_mechanism *m = &self->mechanism;
  double *sum = s->momentum, of_all = 0, of_bodies = 0;
  memset(sum, 0, 6 * (size_t)s->world->n_nodes * sizeof *sum);
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    const double *G = xs_global_gradient_before(self->rows.global, b);
    for (int k = 0; k < block->n_nodes; k++)
      for (int c = 0; c < 6; c++)
        for (int r = 0; r < block->n_rows; r++)
          sum[6 * block->node[k] + c] +=
              G[(k * 6 + c) * block->n_rows + r] * self->rows.lambda[block->first_row + r];
  }
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &s->world->inertia[i];
    const xs_vec3 dv = xs_vec3_scale(inertia->mass, xs_vec3_sub(self->v_half[i], self->v_f[i]));
    const xs_vec3 dw =
        xs_vec3_mul(inertia->moment, xs_vec3_sub(self->omega_half[i], self->omega_f[i]));
    const double *g = sum + 6 * i;
    of_bodies += xs_vec3_norm2(dv) + xs_vec3_norm2(dw);
    of_all += xs_vec3_norm2(xs_vec3_sub(dv, (xs_vec3){g[0], g[1], g[2]})) +
              xs_vec3_norm2(xs_vec3_sub(dw, (xs_vec3){g[3], g[4], g[5]}));
  }
  *inertial = s->h * sqrt(of_bodies);
  return s->h * sqrt(of_all);
}

/* joint: n_joints, or NULL. */
static xs_residual residual_now(const rattle *self, double *joint) {
  const xs_mechanism *m = &self->mechanism;
  xs_residual out = {0};
  double inertial = 0, constraint2 = 0;
  if (self->stepped) out.primal = primal(self, &inertial);
  out.primal_relative = out.primal > 0 ? out.primal / inertial : 0;
  out.primal_applied = out.primal;
  for (int j = 0; joint && j < m->world->n_joints; j++) joint[j] = 0;
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    double of_block = 0;
    for (int r = 0; r < block->n_rows; r++) {
      const double value = self->rows.residual[block->first_row + r];
      of_block += value * value;
    }
    if (joint) joint[block->entity] += of_block;
    constraint2 += of_block;
  }
  out.constraint = sqrt(constraint2);
  for (int j = 0; joint && j < m->world->n_joints; j++) joint[j] = sqrt(joint[j]);
  return out;
}

static void residual(void *self_, const xs_state *state, xs_residual *out, xs_reaction *reaction) {
  rattle *self = self_;
  if (reaction) {
    (void)xs_acceleration_solve(self->acceleration, &self->system, state, time_of(self, state, 0),
                                self->stepped ? self->rows.carries : NULL, self->force, NULL);
    xs_acceleration_reactions(self->acceleration, state->x, self->force, reaction);
  }
  if (!out) return;
  const xs_residual now = residual_now(self, out->joint);
  out->primal = now.primal;
  out->primal_relative = now.primal_relative;
  out->primal_applied = now.primal_applied;
  out->constraint = now.constraint;
  xs_residual_peak_take(&self->peak, out);
}

static int persist(void *self_, xs_persist list[XS_METHOD_PERSIST_MAX]) {
  rattle *self = self_;
  const int n_rows = self->mechanism.n_rows;
  int n = 0;
  if (n_rows > 0) {
    list[n++] = (xs_persist){"velocity_multiplier",
                             "N s, N m s",
                             "multipliers mu of the last velocity solve",
                             self->rows.mu,
                             n_rows,
                             1,
                             1};
    list[n++] = (xs_persist){"row_impulse",
                             "N s, N m s",
                             "impulses lambda + mu of the last step's rows",
                             self->rows.impulse,
                             n_rows,
                             1,
                             1};
  }
  if (self->system.world->output.residual_peak) list[n++] = xs_residual_peak_persist(&self->peak);
  return n;
}

static double elastic_energy(void *self_, const xs_state *state) {
  return xs_system_elastic_energy(&((const rattle *)self_)->system, state->x);
}

const xs_method xs_rattle_method = {
    .name = "rattle",
    .create = create,
    .step = step,
    .residual = residual,
    .persist = persist,
    .elastic_energy = elastic_energy,
};
