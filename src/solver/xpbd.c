/* Extended position-based dynamics with oriented particles, backward Euler
 * (Tobin & Rucker, algorithm 1; one substep of length h):
 *
 *   freeze     prescribed poses, moving frames and targets at t_{n+1}
 *   predict    p~ = p + h v + h^2 f/m,  R~ = R [+] h omega~             (46), (48)
 *   detect     contacts at x~ (contacts.c)
 *   solve      lambda = 0, x = x~; iterations, until "iterations" or "tolerance", of
 *                joints and rods: a sweep over the blocks (sweep.c), the global solve (global.c)
 *                contacts: by groups (contacts_solve.c); after the joints, as what is solved last
 *                holds, and feet that slip are seen where a joint's gap is not
 *                [detect again, if asked for]                            (55)-(58)
 *   velocity   v = (p - p^n)/h = v~ + dp/h,  omega = (R [-] R^n)/h       (44)
 *   damping    dashpots and velocity drives at velocity level (damping.c)
 *   contacts   restitution and friction at velocity level (contacts_solve.c)
 *
 * The parts see blocks of rows; that they are joints matters only in what is said of a
 * divergence. Loads are taken at t_{n+1}, in the directions that bodies have at t_n. */
#include <float.h>
#include <stdatomic.h>
#include <string.h>

#include "math/so3.h"
#include "solver/contacts.h"
#include "solver/damping.h"
#include "solver/diverged.h"
#include "solver/external.h"
#include "solver/global.h"
#include "solver/inertial.h"
#include "solver/residual.h"
#include "solver/residual_peak.h"
#include "solver/rod_damping.h"
#include "solver/rod_watch.h"
#include "solver/sweep.h"
#include "solver/system_create.h"

/* h |omega~| must stay below pi: more than half a turn cannot be told from less. */
#define HALF_TURN 3.14159265358979
/* What a thread takes at once in a loop over nodes: some ten microseconds' work. */
#define NODES_AT_ONCE 256

typedef struct xpbd {
  xs_system system;
  xs_external external;
  unsigned char *rod_warned; /* n_rods */
  double *rod_work;          /* 2 n_rows, where rods are damped; else NULL */
  xs_global *global;         /* NULL: sweeps */
  xs_damping *damping;       /* NULL: no dashpots */
  double *part_residual;     /* n_joints, work space */
  int stepped;               /* a substep was taken: lambda and x~ belong to the state */
  int told_of_plain;         /* the corrected update was given up in a substep */
  xs_residual_peak peak;
} xpbd;

/* --- create ------------------------------------------------------------------------- */

static xs_status create(const xs_world *world, xs_state *state, xs_arena *arena, void **result,
                        xs_report *report) {
  const size_t n = (size_t)world->n_nodes;
  xpbd *self = XS_ARENA_NEW(arena, xpbd, 1);
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  self->external.force = XS_ARENA_NEW(arena, xs_vec3, n);
  self->external.torque = XS_ARENA_NEW(arena, xs_vec3, n);
  self->part_residual =
      XS_ARENA_NEW(arena, double, (size_t)world->n_joints + (size_t)world->n_rods);
  self->rod_warned = XS_ARENA_NEW(arena, unsigned char, world->n_rods);
  if (!self->external.force || !self->external.torque || !self->part_residual || !self->rod_warned)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  xs_status status = xs_system_create(world, state, arena, &self->system, report);
  if (status) return status;

  const xs_system *s = &self->system;
  if (s->n_blocks > s->n_swept)
    status = xs_global_create(world, s->n_blocks - s->n_swept, s->block + s->n_swept, s->n_rows,
                              world->n_joints, arena, &self->global, report);
  if (self->global && xs_rod_damping_wanted(world)) {
    self->rod_work = XS_ARENA_NEW(arena, double, 2 * (size_t)s->n_rows);
    if (!self->rod_work) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  }
  if (status == XS_OK)
    status = xs_damping_create(world, self->system.joint, arena, &self->damping, report);
  if (status == XS_OK)
    status = xs_contacts_create(world, state, arena, &self->system.contacts, report);
  if (self->system.contacts) { /* anything may touch: all moves in one part */
    memcpy(s->swept.node, s->moving, (size_t)s->n_moving * sizeof *s->moving);
    self->system.swept.n = s->n_moving;
    self->system.by_islands.n = 0;
  }
  if (status == XS_OK && self->system.contacts && self->global && !world->contact.contacts_first)
    status = xs_contacts_join(self->system.contacts, self->global, s->n_rows, report);
  *result = self;
  return status;
}

/* --- predict ------------------------------------------------------------------------ */

/* Whether the solve takes a node's torque: the right-hand side of the islands' corrected update
 * has a place for it, and every node of a rod is in it. A rod's node has so little inertia that
 * h^2 tau/I can be many turns, which the rest of the rod does not let it make. */
static int takes_couple(const xs_system *s, int node) {
  return s->world->solver.update == XS_UPDATE_CORRECTED && s->by_islands.n > 0 &&
         node > s->world->n_bodies;
}

/* x~ of one node; by how much it turns, h |omega~|. */
static double predict_node(const xpbd *self, const xs_system *s, xs_state *state, int i) {
  const xs_world *world = s->world;
  const double h = s->h;
  const xs_inertia *inertia = &world->inertia[i];
  xs_pose *x = &state->x[i];
  s->q_n[i] = x->q;
  s->dp[i] = (xs_vec3){0, 0, 0};

  /* (46): v~ = v + h (g + f/m), p~ = p + h v~ */
  xs_vec3 a = xs_vec3_add_scaled(world->gravity, inertia->inv_mass, self->external.force[i]);
  state->v[i] = xs_vec3_add_scaled(state->v[i], h, a);
  x->p = xs_vec3_add_scaled(x->p, h, state->v[i]);

  /* (48): R~ = R [+] h omega~, the torque in it or left to the solve */
  xs_vec3 torque = self->external.torque[i];
  if (takes_couple(s, i)) {
    s->couple[i] = xs_vec3_scale(h * h, torque);
    torque = (xs_vec3){0, 0, 0};
  }
  xs_vec3 omega = xs_inertial_omega(world->solver.gyroscopic, inertia, h, state->omega[i], torque);
  xs_vec3 turn = xs_vec3_scale(h, omega);
  x->q = xs_so3_plus(x->q, turn);
  x->R = xs_so3_matrix(x->q);
  s->q_tilde[i] = x->q;
  return xs_vec3_norm(turn);
}

/* A loop over nodes that can move; threads note the first that is not right. */
typedef struct pass {
  xpbd *self;
  xs_state *state;
  atomic_int first_bad; /* place in s->moving; n_moving: none */
} pass;

static void note_bad(pass *p, int k) {
  int first = atomic_load(&p->first_bad);
  while (k < first && !atomic_compare_exchange_weak(&p->first_bad, &first, k)) {
  }
}

static int each_node(xpbd *self, xs_state *state, xs_pool_task *task) {
  const xs_system *s = &self->system;
  pass p = {.self = self, .state = state};
  atomic_init(&p.first_bad, s->n_moving);
  xs_pool_run(s->world->pool, s->n_moving, NODES_AT_ONCE, task, &p);
  return atomic_load(&p.first_bad);
}

static void predict_pass(void *pass_, int begin, int end) {
  pass *p = pass_;
  const xs_system *s = &p->self->system;
  for (int k = begin; k < end; k++)
    if (!(predict_node(p->self, s, p->state, s->moving[k]) < HALF_TURN)) note_bad(p, k);
}

static xs_status predict(xpbd *self, xs_state *state, double t, xs_report *report) {
  xs_system *s = &self->system;
  if (s->world->n_loads > 0) xs_external_loads(s->world, state->x, t, &self->external);
  const int bad = each_node(self, state, predict_pass);
  if (bad == s->n_moving) return XS_OK;
  const int i = s->moving[bad];
  const xs_vec3 omega =
      xs_inertial_omega(s->world->solver.gyroscopic, &s->world->inertia[i], s->h, state->omega[i],
                        takes_couple(s, i) ? (xs_vec3){0, 0, 0} : self->external.torque[i]);
  return xs_diverged_too_fast(s, state, i, s->h * xs_vec3_norm(omega), t, report);
}

/* --- solve -------------------------------------------------------------------------- */

static xs_residual residual_of(xpbd *self, const xs_state *state) {
  xs_residual residual = {.joint = self->part_residual,
                          .rod = self->part_residual + self->system.world->n_joints};
  xs_residual_evaluate(&self->system, NULL, state->x, &residual, NULL);
  return residual;
}

/* Both relative residuals are below solver.tolerance. */
static int converged(xpbd *self, const xs_state *state) {
  const xs_residual residual = residual_of(self, state);
  const double tolerance = self->system.world->solver.tolerance;
  return residual.primal_relative < tolerance &&
         residual.constraint < tolerance * self->system.world->size;
}

/* One iteration. By islands the corrected right-hand side is one evaluation; where blocks are
 * swept, or something touches, x is rebuilt. */
static void iterate(xpbd *self, xs_state *state, int k) {
  xs_system *s = &self->system;
  const xs_solver *solver = &s->world->solver;
  const int corrected = solver->update == XS_UPDATE_CORRECTED,
            first = s->world->contact.contacts_first;
  if (corrected && k > 0 && (s->n_swept > 0 || s->contacts)) xs_sweep_rebuild(s, state->x);
  if (s->contacts && first) xs_contacts_solve(s->contacts, s, state->x);
  if (s->n_swept > 0) xs_sweep(s, state->x, solver->solve == XS_SOLVE_INDIVIDUAL);
  if (self->global) xs_global_iterate(self->global, s, state->x, corrected && s->by_islands.n > 0);
  if (s->contacts && !first) xs_contacts_solve(s->contacts, s, state->x);
}

/* Back to x~ with nothing solved. */
static void start_over(xs_system *s, xs_state *state) {
  memset(s->lambda, 0, (size_t)s->n_rows * sizeof *s->lambda);
  memset(s->impulse, 0, (size_t)s->n_blocks * sizeof *s->impulse);
  memset(s->momentum, 0, 6 * (size_t)s->world->n_nodes * sizeof *s->momentum);
  if (s->contacts) xs_contacts_clear(s->contacts);
  xs_system_displace(s, state->x, s->n_moving, s->moving, 1);
}

/* At most solver.iterations; *reached is 0 if a tolerance was asked for and not reached. A
 * corrected update that expands is taken back: the substep is solved anew, with the plain one in
 * its part. */
static xs_status solve(xpbd *self, xs_state *state, int *reached, xs_report *report) {
  xs_system *s = &self->system;
  const xs_solver *solver = &s->world->solver;
  memset(s->lambda, 0, (size_t)s->n_rows * sizeof *s->lambda);
  memset(s->impulse, 0, (size_t)s->n_blocks * sizeof *s->impulse);
  int n_plain = 0;
  *reached = 1;
  for (int k = 0; k < solver->iterations; k++) {
    if (s->contacts && k > 0 && s->world->contact.detect_every_iteration) {
      xs_status status = xs_contacts_detect_again(s->contacts, s, state->x, report);
      if (status) return status;
    }
    iterate(self, state, k);
    if (s->swept.plain + s->by_islands.plain > n_plain) {
      n_plain = s->swept.plain + s->by_islands.plain;
      s->swept.drift = s->by_islands.drift = -1;
      start_over(s, state);
      k = -1;
      continue;
    }
    if (solver->tolerance > 0 && converged(self, state)) return XS_OK;
  }
  *reached = !(solver->tolerance > 0);
  return XS_OK;
}

/* --- velocity and checks ------------------------------------------------------------ */

static void velocity_pass(void *pass_, int begin, int end) {
  pass *p = pass_;
  const xs_system *s = &p->self->system;
  xs_state *state = p->state;
  const double per_h = 1 / s->h;
  for (int k = begin; k < end; k++) {
    const int i = s->moving[k];
    xs_vec3 v = xs_vec3_add_scaled(state->v[i], per_h, s->dp[i]);
    xs_vec3 omega = xs_vec3_scale(per_h, xs_so3_minus(state->x[i].q, s->q_n[i]));
    if (!(xs_vec3_norm2(v) + xs_vec3_norm2(omega) <= DBL_MAX)) note_bad(p, k);
    state->v[i] = v;
    state->omega[i] = omega;
  }
}

/* (44). Returns whether any velocity is not finite. */
static int update_velocity(xpbd *self, xs_state *state) {
  return each_node(self, state, velocity_pass) < self->system.n_moving;
}

static void warn_of_plain(xpbd *self, double t, xs_report *report) {
  if (self->told_of_plain) return;
  self->told_of_plain = 1;
  xs_report_warning(report, NULL,
                    "at t = %.9g s: solver.update corrected does not contract (forces that turn "
                    "with light bodies are too large for the step); where that is so, substeps are "
                    "solved with the plain update: see residual/primal; a smaller time.step helps",
                    t);
}

static void note_peak(xpbd *self, const xs_state *state) {
  const xs_residual residual = residual_of(self, state);
  xs_residual_peak_note(&self->peak, &residual);
}

static xs_status substep(xpbd *self, xs_state *state, double t, xs_report *report) {
  xs_system *s = &self->system;
  const xs_world *world = s->world;
  s->suspect = s->swept.plain = s->by_islands.plain = 0;
  s->swept.drift = s->by_islands.drift = -1;
  s->singular = -1;
  if (self->global) xs_global_read_rank(self->global, s, state->x);
  if (s->contacts) xs_contacts_begin(s->contacts, state);
  xs_system_freeze(s, t, state);

  int reached;
  xs_status status = predict(self, state, t, report);
  if (status == XS_OK && s->contacts)
    status = xs_contacts_detect(s->contacts, state->x, s->h, report);
  if (status == XS_OK) status = solve(self, state, &reached, report);
  if (status) return status;
  int bad = update_velocity(self, state);
  self->stepped = 1;
  if (world->output.residual_peak) note_peak(self, state);
  if (self->damping) {
    const int failed = xs_damping_apply(self->damping, state, s->h, t);
    if (failed >= 0) s->suspect = 1, s->singular = failed;
  }
  if (self->rod_work) {
    const int failed =
        xs_rod_damping_apply(self->global, s, state, self->rod_work, self->rod_work + s->n_rows);
    if (failed >= 0) s->suspect = 1, s->singular = failed;
  }
  if (s->contacts) xs_contacts_velocity(s->contacts, s, state, t);
  if (s->suspect || bad) status = xs_diverged_look(s, state, t, report);
  if (s->swept.plain || s->by_islands.plain) warn_of_plain(self, t, report);
  if (status == XS_OK && !reached) {
    const xs_residual residual = residual_of(self, state);
    status = xs_diverged_not_converged(s, state, &residual, t, report);
  }
  if (status == XS_OK) status = xs_rod_watch(world, state, t, self->rod_warned, report);
  if (status == XS_OK) xs_system_track_turns(s, state);
  return status;
}

static xs_status step(void *self_, xs_state *state, const xs_stop *stop, xs_report *report) {
  xpbd *self = self_;
  const int substeps = self->system.world->time.substeps;
  for (int s = 0; s < substeps; s++) {
    if (s > 0 && stop && stop->asked(stop->context)) return XS_STOPPED;
    const double t = ((double)state->step * substeps + s + 1) * self->system.h;
    xs_status status = substep(self, state, t, report);
    if (status) return status;
  }
  state->step++;
  if (self->system.contacts)
    return xs_contacts_make_room(self->system.contacts,
                                 (double)state->step * self->system.world->time.step, report);
  return XS_OK;
}

/* --- what is recorded --------------------------------------------------------------- */

static void residual(void *self_, const xs_state *state, xs_residual *out, xs_reaction *reaction) {
  xpbd *self = self_;
  xs_system system = self->system;
  if (!self->stepped) system.h = 0;
  xs_residual_evaluate(&system, self->damping, state->x, out, reaction);
  if (!out) return;
  /* Peaks run from one record to the next; at t = 0 they are the residuals themselves. */
  xs_residual_peak_take(&self->peak, out);
}

/* Backward Euler forgets everything but the state; peaks go on over a checkpoint. */
static int persist(void *self_, xs_persist list[XS_METHOD_PERSIST_MAX]) {
  xpbd *self = self_;
  if (!self->system.world->output.residual_peak) return 0;
  list[0] = xs_residual_peak_persist(&self->peak);
  return 1;
}

static double elastic_energy(void *self_, const xs_state *state) {
  const xs_system *s = &((const xpbd *)self_)->system;
  double energy = xs_system_elastic_energy(s, state->x);
  if (s->contacts) energy += xs_contacts_energy(s->contacts, state->x);
  return energy;
}

static void touching(void *self_, xs_touching *out) {
  const xs_contacts *c = ((const xpbd *)self_)->system.contacts;
  *out = (xs_touching){.h = ((const xpbd *)self_)->system.h};
  if (!c) return;
  out->n = c->n;
  out->contact = c->contact;
  out->impulse = c->impulse;
  out->deepest = c->deepest;
  out->deepest_time = c->deepest_time;
  out->n_unconverged = c->n_unconverged;
  out->groups = c->n_solved;
}

const xs_method xs_xpbd_method = {
    .name = "xpbd",
    .create = create,
    .step = step,
    .residual = residual,
    .persist = persist,
    .elastic_energy = elastic_energy,
    .touching = touching,
};
