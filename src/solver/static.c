/* Static mode: equilibria instead of motion.
 *
 * The start, t = 0, is brought to its equilibrium before it is recorded; each step then leads from
 * the equilibrium at t_n to that at t_{n+1}, with loads, motions and targets of that time. A step
 * is one Newton solve; where it does not converge it is taken in smaller parts: loads are
 * interpolated between both times, motions taken at the times between, parts halved on
 * failure and doubled on success. Where even small parts fail - the path ends, as where a rod snaps
 * over - the next equilibrium is looked for by descending in energy.
 *
 * A start that is none of an equilibrium, in which the loads would push the world away
 * (negative eigenvalues, a pendulum pointing up), is descended from as well. Velocities,
 * dampers and masses' inertia play no part; kinetic energy is 0. What nothing holds is an
 * error: its equilibrium would be any. */
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/residual.h"
#include "solver/rod_watch.h"
#include "solver/static_stability.h"
#include "solver/system_create.h"

#define LEAST_PART (1.0 / 1024) /* of a step, before descending */
#define TURN_MAX   1.0          /* rad that a motion may turn in a part */
#define PARTS_MAX  20000        /* parts of a step */

typedef struct statics {
  xs_system system;
  xs_static_equations equations;
  xs_static_newton newton;
  xs_static_loads loads; /* of the latest equilibrium */
  int has_loads;         /* there has been one: before, nothing is known of stability */
  unsigned char *rod_warned;
  /* The latest equilibrium, to go back to. */
  xs_pose *x;
  double *lambda;
  xs_turn *turn;
  xs_quat *frame; /* n_joints: frame 1 as its motion had it */
} statics;

/* --- create ------------------------------------------------------------------------- */

static xs_status create(const xs_world *world, xs_state *state, xs_arena *arena, void **result,
                        xs_report *report) {
  statics *self = XS_ARENA_NEW(arena, statics, 1);
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  xs_status status = xs_system_create(world, state, arena, &self->system, report);
  if (status == XS_OK)
    status = xs_static_equations_create(&self->system, arena, &self->equations, report);
  if (status == XS_OK)
    status = xs_static_newton_create(&self->equations, arena, &self->newton, report);
  if (status != XS_OK) return status;
  self->system.h = 1; /* multipliers are forces */
  self->rod_warned = XS_ARENA_NEW(arena, unsigned char, world->n_rods);
  self->x = XS_ARENA_NEW(arena, xs_pose, world->n_nodes);
  self->lambda = XS_ARENA_NEW(arena, double, self->system.n_rows);
  self->turn = XS_ARENA_NEW(arena, xs_turn, world->n_joints);
  self->frame = XS_ARENA_NEW(arena, xs_quat, world->n_joints);
  if (!self->rod_warned || !self->x || !self->lambda || !self->turn || !self->frame)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  *result = self;
  return XS_OK;
}

/* --- going back --------------------------------------------------------------------- */

static void keep(statics *self, const xs_state *state) {
  const xs_world *world = self->system.world;
  memcpy(self->x, state->x, (size_t)world->n_nodes * sizeof *self->x);
  memcpy(self->lambda, self->system.lambda, (size_t)self->system.n_rows * sizeof *self->lambda);
  memcpy(self->turn, state->turn, (size_t)world->n_joints * sizeof *self->turn);
  for (int j = 0; j < world->n_joints; j++) self->frame[j] = self->system.joint[j].q1;
}

static void put_back(statics *self, xs_state *state) {
  const xs_world *world = self->system.world;
  memcpy(state->x, self->x, (size_t)world->n_nodes * sizeof *self->x);
  memcpy(self->system.lambda, self->lambda, (size_t)self->system.n_rows * sizeof *self->lambda);
  memcpy(state->turn, self->turn, (size_t)world->n_joints * sizeof *self->turn);
}

static void come_to_rest(statics *self, xs_state *state) {
  const size_t n = (size_t)self->system.world->n_nodes;
  memset(state->v, 0, n * sizeof *state->v);
  memset(state->omega, 0, n * sizeof *state->omega);
}

/* --- what is said of failures ------------------------------------------------------- */

static xs_status mechanism(statics *self, int node, double t, xs_report *report) {
  const xs_world *world = self->system.world;
  return xs_report_error(
      report, XS_DIVERGED, NULL,
      "at t = %.9g s: nothing holds %s \"%s\" in some direction (it can move or turn freely, also "
      "about its own axis), or the load is critical to the last digit: its equilibrium is not "
      "determined; add a joint, a target with stiffness or a clamp, change a critical load, or "
      "give solver.mode dynamic",
      t, xs_world_node_kind(world, node), xs_world_node_name(world, node));
}

/* The entity with the largest part of what is out of balance, or of C. */
static xs_status not_converged(statics *self, const xs_state *state, double t, xs_report *report) {
  xs_static_equations *e = &self->equations;
  const xs_world *world = self->system.world;
  double sum = 0, worst = -1, gap = 0;
  int worst_node = 0;
  xs_static_equations_balance(e, state->x, &self->loads);
  for (int i = 0; i < world->n_nodes; i++) {
    double part = 0;
    for (int c = 0; e->node_at[i] >= 0 && c < 6; c++)
      part += e->balance[e->node_at[i] + c] * e->balance[e->node_at[i] + c];
    sum += part;
    if (part > worst) worst = part, worst_node = i;
  }
  for (int i = 0; i < e->n; i++)
    if (e->owner[i] < 0) gap += e->balance[i] * e->balance[i];
  return xs_report_error(
      report, XS_DIVERGED, NULL,
      "at t = %.9g s (step %lld): no equilibrium found in %d iterations, even of "
      "small parts of the step: %.3g N out of balance, most of it on %s \"%s\", "
      "constraints off by %.3g; give a smaller time.step, loads that grow with "
      "time, or more solver.iterations",
      t, (long long)state->step, world->solver.iterations, sqrt(sum),
      xs_world_node_kind(world, worst_node), xs_world_node_name(world, worst_node), sqrt(gap));
}

/* --- a step ------------------------------------------------------------------------- */

/* Whether motions have turned a frame or a body too far since the latest equilibrium: more than
 * half a turn cannot be told from less. */
static int turned_too_far(const statics *self, const xs_state *state) {
  const xs_world *world = self->system.world;
  double most = 0;
  for (int j = 0; j < world->n_joints; j++)
    most = fmax(most, xs_vec3_norm(xs_so3_minus(self->system.joint[j].q1, self->frame[j])));
  for (int b = 0; b < world->n_bodies; b++) {
    const int i = world->bodies[b].node;
    if (world->bodies[b].motion)
      most = fmax(most, xs_vec3_norm(xs_so3_minus(state->x[i].q, self->x[i].q)));
  }
  return most > TURN_MAX;
}

static xs_static_outcome attempt(statics *self, xs_state *state, double share, int descending) {
  xs_static_loads *loads = &self->loads;
  loads->share = share;
  const double from = fmax(loads->t_from, 0);
  xs_system_freeze(&self->system, from + share * (loads->t_to - from), state);
  if (turned_too_far(self, state)) return XS_STATIC_FAILED;
  return xs_static_newton_solve(&self->newton, state, loads, descending);
}

/* From the equilibrium before to that at the loads' t_to. */
static xs_status advance(statics *self, xs_state *state, xs_report *report) {
  double done = 0, part = 1;
  if (self->loads.t_from >= 0) xs_system_freeze(&self->system, self->loads.t_from, state);
  keep(self, state);
  for (int k = 0; done < 1; k++) {
    const double share = done + part > 1 - 1e-9 ? 1 : done + part;
    xs_static_outcome outcome = attempt(self, state, share, 0);
    if (outcome != XS_STATIC_CONVERGED && part <= LEAST_PART) {
      put_back(self, state);
      outcome = attempt(self, state, share, 1);
      if (outcome != XS_STATIC_CONVERGED || k > PARTS_MAX)
        return not_converged(self, state, self->loads.t_to, report);
    }
    if (outcome == XS_STATIC_CONVERGED) {
      done = share;
      part *= 2;
      keep(self, state);
    } else {
      put_back(self, state);
      part *= 0.5;
    }
  }
  come_to_rest(self, state);
  return xs_rod_watch(self->system.world, state, self->loads.t_to, self->rod_warned, report);
}

static xs_status start(void *self_, xs_state *state, xs_report *report) {
  statics *self = self_;
  xs_static_equations *e = &self->equations;
  self->loads = (xs_static_loads){.t_from = -1, .t_to = 0, .share = 1};
  self->has_loads = 1;
  xs_system_freeze(&self->system, 0, state);
  keep(self, state);

  /* Where the start would be left, descend; else go there as in any other step. */
  xs_static_newton_first_multipliers(&self->newton, state, &self->loads);
  xs_static_equations_balance(e, state->x, &self->loads);
  const int unstable = xs_static_equations_factor(e, state->x, &self->loads, 0, 0) >= 0 ||
                       xs_static_equations_negative(e, state->x, &self->loads, 0) > 0;
  xs_static_outcome outcome = xs_static_newton_solve(&self->newton, state, &self->loads, unstable);
  xs_status status = XS_OK;
  if (outcome != XS_STATIC_CONVERGED) {
    put_back(self, state);
    status = advance(self, state, report);
  }
  if (status != XS_OK) self->loads.share = 1;
  const int unheld = xs_static_stability_unheld(&self->newton, state->x, &self->loads);
  if (unheld >= 0) {
    if (status != XS_OK) *report = (xs_report){0};
    return mechanism(self, unheld, 0, report);
  }
  come_to_rest(self, state);
  if (status == XS_OK)
    status = xs_rod_watch(self->system.world, state, 0, self->rod_warned, report);
  return status;
}

static xs_status step(void *self_, xs_state *state, const xs_stop *stop, xs_report *report) {
  statics *self = self_;
  (void)stop;
  const double h = self->system.world->time.step;
  self->loads =
      (xs_static_loads){.t_from = (double)state->step * h, .t_to = (double)(state->step + 1) * h};
  self->has_loads = 1;
  xs_status status = advance(self, state, report);
  if (status == XS_OK) state->step++;
  return status;
}

/* --- what is recorded --------------------------------------------------------------- */

/* With M (x - x~) = -f, and h = 1, the residuals are those of a step (residual.h). */
static void residual(void *self_, const xs_state *state, xs_residual *out, xs_reaction *reaction) {
  statics *self = self_;
  xs_system *s = &self->system;
  xs_static_equations *e = &self->equations;
  xs_static_equations_balance(e, state->x, &self->loads);
  for (int i = 0; i < s->world->n_nodes; i++) {
    const double *f = e->force + 6 * i;
    s->dp[i] = xs_vec3_scale(-s->world->inertia[i].inv_mass, (xs_vec3){f[0], f[1], f[2]});
    s->couple[i] = (xs_vec3){f[3], f[4], f[5]};
    s->q_tilde[i] = state->x[i].q;
  }
  xs_residual_evaluate(s, NULL, state->x, out, reaction);
  if (!out) return;
  out->primal_relative = e->scale > 0 ? out->primal / e->scale : 0;
  out->primal_max = out->primal;
  out->constraint_max = out->constraint;
}

static int persist(void *self_, xs_persist list[XS_METHOD_PERSIST_MAX]) {
  statics *self = self_;
  if (self->system.n_rows == 0) return 0;
  list[0] = (xs_persist){"multipliers",
                         "N, N m",
                         "multipliers of all rows: generalised forces",
                         self->system.lambda,
                         self->system.n_rows,
                         1,
                         1};
  return 1;
}

static double elastic_energy(void *self_, const xs_state *state) {
  return xs_system_elastic_energy(&((const statics *)self_)->system, state->x);
}

static void stability(void *self_, const xs_state *state, double *lowest, double *negative) {
  statics *self = self_;
  *lowest = *negative = 0;
  if (!self->has_loads) return;
  memcpy(self->newton.x, state->x, (size_t)self->system.world->n_nodes * sizeof *state->x);
  const xs_static_stability result =
      xs_static_stability_of(&self->newton, self->newton.x, &self->loads);
  *lowest = result.lowest;
  *negative = result.negative;
}

const xs_method xs_static_method = {
    .name = "static",
    .create = create,
    .start = start,
    .step = step,
    .residual = residual,
    .persist = persist,
    .elastic_energy = elastic_energy,
    .stability = stability,
};
