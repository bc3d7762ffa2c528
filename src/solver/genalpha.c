/* Generalized-alpha: an implicit step of second order for bodies, joints and rods (Arnold & Bruels
 * 2007, index 3), on R^3 x SO(3), with the paper's rows, gradients and matrix. Displacement q =
 * (p - p_n; R [-] R_n), true acceleration u and velocity v hang together by genalpha_scheme.h.
 * Solved for x and the multipliers lambda = k2 F, with all of it found anew from x:
 *
 *   r_P = k2 (M u + [0; w x I w] - f) - G^T lambda = 0          node by node
 *   r_C = (P C + T c + (S/k2) lambda)/e = 0,  e = P + T gain/k2  row by row
 *   A dlambda = -r_C + G M^-1 r_P,  A = G M^-1 G^T + S/(k2 e)
 *   x <- x [+] M^-1 (G^T dlambda - r_P)
 *
 * c = G v + C_t - r are the rates of rows (mechanism.h), so that springs, dashpots and hard rows
 * are one sort of row and need one factorisation:
 *
 *                    P  T            S
 *   hard, limit      1  0            0
 *   spring, rod      1  retardation  1/stiffness
 *   dashpot          0  1            1/damping
 *   driven rate      0  1            0
 *
 * Begun from the motion that the forces alone would give, with lambda = 0; torques on nodes of
 * rods, which have little inertia, come in with r_P. Joint forces lambda/k2 are those at t_{n+1},
 * of second order.
 *
 * Limits: a substep in which one begins to carry is an impact. It is taken anew by backward Euler
 * (the same equations with other coefficients), which leaves the bodies together and never adds
 * energy; velocities are then fitted to the rows. After it, and where a limit has let go, the
 * accelerations start anew without history (acceleration.h), as they do at t = 0. First order at
 * each of these. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/acceleration.h"
#include "solver/diverged.h"
#include "solver/external.h"
#include "solver/genalpha_scheme.h"
#include "solver/residual.h"
#include "solver/residual_peak.h"
#include "solver/rod_watch.h"
#include "solver/system_create.h"

/* Largest rotation of a body in a substep, rad. */
#define HALF_TURN 3.14159265358979324
/* An iteration must not move the nodes farther than the first one did, above this part of what
 * they move in the substep (round-off of rods: their forces cancel at the nodes). */
#define EXPANDS_FROM 1e-6
/* Impacts are solved to this |r_C| over the scene's size, in at most so many more iterations. */
#define IMPACT_CLOSED 1e-10
enum { IMPACT_ITERATIONS = 10 };

typedef struct genalpha {
  xs_system system; /* its lambda and softness are by the mechanism's rows */
  xs_mechanism mechanism;
  xs_global *global;
  xs_acceleration *acceleration;
  xs_external external;
  xs_genalpha_scheme smooth, impact, scheme; /* scheme: of the last substep */
  int has_rates;                             /* any row has T != 0 */
  double *P, *T, *S;                         /* n_rows */
  /* By node, p world and omega in the node's frame: carried accelerations; start of the substep. */
  xs_vec3 *a_p, *a_w, *u_p, *u_w;
  xs_vec3 *p_n, *v_n, *omega_n;
  xs_vec3 *x0_p, *x0_w, *v0_p, *v0_w;
  xs_vec3 *q_p;              /* p - p_n, apart from p: its round-off does not grow with |p| */
  xs_vec3 *now_p, *now_w;    /* u of the iterate */
  double *d;                 /* 6 n_nodes: M^-1 r_P */
  double *residual, *rate;   /* n_rows */
  double *force, *solution;  /* n_rows; 6 n_nodes: of the acceleration solve */
  unsigned char *carried;    /* n_rows: limits that carried at x_n */
  unsigned char *carries;    /* n_rows: and at x_{n+1} */
  unsigned char *rod_warned; /* n_rods */
  double *part_residual;     /* n_joints + n_rods */
  int stepped;
  xs_residual_peak peak;
} genalpha;

static double time_of(const genalpha *self, const xs_state *state, int substep) {
  return ((double)state->step * self->system.world->time.substeps + substep) * self->system.h;
}

/* --- create ------------------------------------------------------------------------- */

static int allocate(genalpha *self, const xs_world *world, xs_arena *arena) {
  const size_t n = (size_t)world->n_nodes, n_rows = (size_t)self->mechanism.n_rows;
  xs_vec3 **const by_node[] = {&self->a_p,
                               &self->a_w,
                               &self->u_p,
                               &self->u_w,
                               &self->p_n,
                               &self->v_n,
                               &self->omega_n,
                               &self->x0_p,
                               &self->x0_w,
                               &self->v0_p,
                               &self->v0_w,
                               &self->q_p,
                               &self->now_p,
                               &self->now_w,
                               &self->external.force,
                               &self->external.torque};
  double **const by_row[] = {&self->P,
                             &self->T,
                             &self->S,
                             &self->residual,
                             &self->rate,
                             &self->force,
                             &self->system.lambda,
                             &self->system.softness};
  int ok = 1;
  for (size_t i = 0; i < sizeof by_node / sizeof *by_node; i++)
    ok &= (*by_node[i] = XS_ARENA_NEW(arena, xs_vec3, n)) != NULL;
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++)
    ok &= (*by_row[i] = XS_ARENA_NEW(arena, double, n_rows)) != NULL;
  self->d = XS_ARENA_NEW(arena, double, 6 * n);
  self->solution = XS_ARENA_NEW(arena, double, 6 * n);
  self->carried = XS_ARENA_NEW(arena, unsigned char, n_rows);
  self->carries = XS_ARENA_NEW(arena, unsigned char, n_rows);
  self->rod_warned = XS_ARENA_NEW(arena, unsigned char, world->n_rods);
  self->part_residual =
      XS_ARENA_NEW(arena, double, (size_t)world->n_joints + (size_t)world->n_rods);
  return ok && self->d && self->solution && self->carried && self->carries && self->rod_warned &&
         self->part_residual;
}

/* P, T, S of every row; rows without part keep 0. */
static void weigh_rows(genalpha *self) {
  const xs_mechanism *m = &self->mechanism;
  for (int row = 0; row < m->n_rows; row++) {
    const int sort = m->sort[row];
    if (sort == XS_ROW_HARD || sort == XS_ROW_LIMIT || sort == XS_ROW_SPRING) self->P[row] = 1;
    if (sort == XS_ROW_SPRING) {
      self->T[row] = m->retardation[row];
      self->S[row] = 1 / m->stiffness[row];
    }
    if (sort == XS_ROW_DASHPOT || sort == XS_ROW_RATE) self->T[row] = 1;
    if (sort == XS_ROW_DASHPOT) self->S[row] = 1 / m->dashpot[row].damping;
    self->has_rates |= self->T[row] > 0;
  }
}

static double divisor(const genalpha *self, int row) {
  return self->P[row] + self->T[row] * self->scheme.gain / self->scheme.k2;
}

static void use_scheme(genalpha *self, const xs_genalpha_scheme *scheme) {
  self->scheme = *scheme;
  for (int row = 0; row < self->mechanism.n_rows; row++)
    self->system.softness[row] = self->mechanism.sort[row] == XS_ROW_NONE
                                     ? XS_MECHANISM_OUT
                                     : self->S[row] / (scheme->k2 * divisor(self, row));
}

/* u = a = the accelerations of the state. carries: NULL at the start of the run. Returns an entity
 * whose equations have no solution, or -1. */
static int start_anew(genalpha *self, const xs_state *state, double t,
                      const unsigned char *carries) {
  xs_system *s = &self->system;
  const int failed =
      xs_acceleration_solve(self->acceleration, s, state, t, carries, self->force, self->solution);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const double *a = self->solution + 6 * i;
    self->u_p[i] = self->a_p[i] = (xs_vec3){a[0], a[1], a[2]};
    self->u_w[i] = self->a_w[i] = (xs_vec3){a[3], a[4], a[5]};
  }
  return failed;
}

static xs_status create(const xs_world *world, xs_state *state, xs_arena *arena, void **result,
                        xs_report *report) {
  genalpha *self = XS_ARENA_NEW(arena, genalpha, 1);
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  xs_system *s = &self->system;
  xs_status status = xs_system_create(world, state, arena, s, report);
  if (status == XS_OK) status = xs_mechanism_create(s, arena, &self->mechanism, report);
  if (status == XS_OK) status = xs_mechanism_global(&self->mechanism, arena, &self->global, report);
  if (status == XS_OK)
    status = xs_acceleration_create(&self->mechanism, arena, &self->acceleration, report);
  if (status) return status;
  if (!allocate(self, world, arena))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  weigh_rows(self);
  self->smooth = xs_genalpha_scheme_of(world->solver.spectral_radius, s->h);
  self->impact = xs_genalpha_scheme_euler(s->h);
  use_scheme(self, &self->smooth);
  *result = self;

  status = xs_acceleration_project(self->acceleration, s, state, 0, report);
  if (status) return status;
  xs_system_track_turns(s, state);
  s->singular = start_anew(self, state, 0, NULL);
  for (int row = 0; row < self->mechanism.n_rows; row++)
    s->lambda[row] = s->singular < 0 ? self->scheme.k2 * self->force[row] : 0;
  return s->singular < 0 ? XS_OK : xs_diverged_look(s, state, 0, report);
}

/* --- equations ---------------------------------------------------------------------- */

/* u and v of the pose x, into now and the state. */
static void find_motion(genalpha *self, xs_state *state) {
  const xs_system *s = &self->system;
  const double per_k2 = 1 / self->scheme.k2, gain = self->scheme.gain;
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_vec3 q_w = xs_so3_minus(state->x[i].q, s->q_n[i]);
    self->now_p[i] = xs_vec3_scale(per_k2, xs_vec3_sub(self->q_p[i], self->x0_p[i]));
    self->now_w[i] = xs_vec3_scale(per_k2, xs_vec3_sub(q_w, self->x0_w[i]));
    state->v[i] = xs_vec3_add_scaled(self->v0_p[i], gain, self->now_p[i]);
    state->omega[i] = xs_vec3_add_scaled(self->v0_w[i], gain, self->now_w[i]);
  }
}

/* r_C with C and G at hand. */
static void find_row_residuals(genalpha *self, const xs_state *state, double t) {
  const xs_mechanism *m = &self->mechanism;
  const double *lambda = self->system.lambda;
  if (self->has_rates) xs_mechanism_rates(m, self->global, state, t, self->rate);
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(self->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      if (m->sort[row] == XS_ROW_NONE) continue; /* stays 0 */
      self->residual[row] =
          (self->P[row] * C[r] + self->T[row] * self->rate[row]) / divisor(self, row) +
          self->system.softness[row] * lambda[row];
    }
  }
}

typedef struct primal {
  double all2, inertial2; /* |r_P|^2, |k2 (L - f)|^2 */
} primal;

/* d = M^-1 r_P with G at hand. */
static primal find_primal(genalpha *self, const xs_state *state, double t) {
  const xs_system *s = &self->system;
  const xs_world *world = s->world;
  const double k2 = self->scheme.k2;
  primal size = {0, 0};
  if (world->n_loads > 0) xs_external_loads(world, state->x, t, &self->external);
  memset(s->momentum, 0, 6 * (size_t)world->n_nodes * sizeof *s->momentum);
  xs_global_add_transposed(self->global, s->lambda, s->momentum);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &world->inertia[i];
    const xs_vec3 w = state->omega[i];
    const double *g = s->momentum + 6 * i;
    double *d = self->d + 6 * i;
    const xs_vec3 u = xs_vec3_sub(self->now_p[i], world->gravity);
    const xs_vec3 force = xs_vec3_sub(xs_vec3_scale(inertia->mass, u), self->external.force[i]);
    const xs_vec3 torque =
        xs_vec3_sub(xs_vec3_add(xs_vec3_mul(inertia->moment, self->now_w[i]),
                                xs_vec3_cross(w, xs_vec3_mul(inertia->moment, w))),
                    self->external.torque[i]);
    const xs_vec3 r_p = xs_vec3_sub(xs_vec3_scale(k2, force), (xs_vec3){g[0], g[1], g[2]});
    const xs_vec3 r_w = xs_vec3_sub(xs_vec3_scale(k2, torque), (xs_vec3){g[3], g[4], g[5]});
    size.all2 += xs_vec3_norm2(r_p) + xs_vec3_norm2(r_w);
    size.inertial2 += k2 * k2 * (xs_vec3_norm2(force) + xs_vec3_norm2(torque));
    const xs_vec3 dp = xs_vec3_scale(inertia->inv_mass, r_p);
    const xs_vec3 dw = xs_vec3_mul(inertia->inv_moment, r_w);
    d[0] = dp.x, d[1] = dp.y, d[2] = dp.z;
    d[3] = dw.x, d[4] = dw.y, d[5] = dw.z;
  }
  return size;
}

static primal evaluate(genalpha *self, xs_state *state, double t) {
  xs_global_evaluate(self->global, state->x);
  find_motion(self, state);
  find_row_residuals(self, state, t);
  return find_primal(self, state, t);
}

/* --- substep ------------------------------------------------------------------------ */

/* x0, v0, and the pose that forces alone would give. Returns a node that turns too far, or -1. */
static int predict(genalpha *self, xs_state *state, double t) {
  xs_system *s = &self->system;
  const xs_world *world = s->world;
  const xs_genalpha_scheme *c = &self->scheme;
  if (world->n_loads > 0) xs_external_loads(world, state->x, t, &self->external);
  memset(s->lambda, 0, (size_t)self->mechanism.n_rows * sizeof *s->lambda);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &world->inertia[i];
    const xs_vec3 v = self->v_n[i], w = self->omega_n[i];
    self->x0_p[i] = xs_vec3_add_scaled(
        xs_vec3_add_scaled(xs_vec3_scale(s->h, v), c->x_a, self->a_p[i]), c->x_u, self->u_p[i]);
    self->x0_w[i] = xs_vec3_add_scaled(
        xs_vec3_add_scaled(xs_vec3_scale(s->h, w), c->x_a, self->a_w[i]), c->x_u, self->u_w[i]);
    self->v0_p[i] =
        xs_vec3_add_scaled(xs_vec3_add_scaled(v, c->v_a, self->a_p[i]), c->v_u, self->u_p[i]);
    self->v0_w[i] =
        xs_vec3_add_scaled(xs_vec3_add_scaled(w, c->v_a, self->a_w[i]), c->v_u, self->u_w[i]);

    const xs_vec3 u =
        xs_vec3_add_scaled(world->gravity, inertia->inv_mass, self->external.force[i]);
    xs_vec3 turn = self->x0_w[i];
    if (i <= world->n_bodies) {
      const xs_vec3 torque =
          xs_vec3_sub(self->external.torque[i], xs_vec3_cross(w, xs_vec3_mul(inertia->moment, w)));
      turn = xs_vec3_add_scaled(turn, c->k2, xs_vec3_mul(inertia->inv_moment, torque));
    }
    xs_pose *x = &state->x[i];
    self->q_p[i] = xs_vec3_add_scaled(self->x0_p[i], c->k2, u);
    x->p = xs_vec3_add(self->p_n[i], self->q_p[i]);
    if (!(xs_vec3_norm2(turn) < HALF_TURN * HALF_TURN)) {
      state->omega[i] = xs_vec3_scale(1 / s->h, turn);
      return i;
    }
    x->q = xs_so3_plus(s->q_n[i], turn);
    x->R = xs_so3_matrix(x->q);
  }
  return -1;
}

/* x <- x [+] M^-1 G^T dlambda - d. Returns the squared M-norm of what was moved. */
static double move(genalpha *self, xs_state *state, const double *dlambda) {
  const xs_system *s = &self->system;
  double moved2 = 0;
  memset(s->momentum, 0, 6 * (size_t)s->world->n_nodes * sizeof *s->momentum);
  xs_global_add_transposed(self->global, dlambda, s->momentum);
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    const xs_inertia *inertia = &s->world->inertia[i];
    const double *g = s->momentum + 6 * i, *d = self->d + 6 * i;
    const xs_vec3 dp = xs_vec3_sub(xs_vec3_scale(inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]}),
                                   (xs_vec3){d[0], d[1], d[2]});
    const xs_vec3 dw = xs_vec3_sub(xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]}),
                                   (xs_vec3){d[3], d[4], d[5]});
    xs_pose *x = &state->x[i];
    self->q_p[i] = xs_vec3_add(self->q_p[i], dp);
    x->p = xs_vec3_add(self->p_n[i], self->q_p[i]);
    x->q = xs_so3_plus(x->q, dw);
    x->R = xs_so3_matrix(x->q);
    moved2 += inertia->mass * xs_vec3_norm2(dp) + xs_vec3_dot(xs_vec3_mul(inertia->moment, dw), dw);
  }
  return moved2;
}

/* Residuals at the values at hand; parts may be NULL. */
static xs_residual sum_residuals(const genalpha *self, primal size, double *joint, double *rod) {
  const xs_mechanism *m = &self->mechanism;
  const xs_world *world = m->world;
  double constraint2 = 0;
  for (int j = 0; joint && j < world->n_joints; j++) joint[j] = 0;
  for (int r = 0; rod && r < world->n_rods; r++) rod[r] = 0;
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    const double *lambda = self->system.lambda + block->first_row;
    double of_block = 0;
    if (xs_system_inactive(block, xs_global_value(self->global, b)[0], lambda[0])) continue;
    for (int r = 0; r < block->n_rows; r++) {
      const double value = self->residual[block->first_row + r];
      of_block += value * value;
    }
    constraint2 += of_block;
    const int k = block->entity - world->n_joints;
    if (k < 0 && joint) joint[block->entity] += of_block;
    if (k >= 0 && rod) rod[k] += of_block;
  }
  for (int j = 0; joint && j < world->n_joints; j++) joint[j] = sqrt(joint[j]);
  for (int r = 0; rod && r < world->n_rods; r++) rod[r] = sqrt(rod[r]);
  xs_residual out = {.constraint = sqrt(constraint2), .primal = sqrt(size.all2)};
  out.primal_applied = out.primal;
  out.primal_relative = size.all2 > 0 ? sqrt(size.all2 / size.inertial2) : 0;
  return out;
}

static xs_status expands(const genalpha *self, const xs_state *state, double t, xs_report *report) {
  return xs_report_error(report, XS_DIVERGED, NULL,
                         "at t = %.9g s (step %lld): the iterations do not contract: forces that "
                         "turn with light bodies, or rotations, are too large for the substep of "
                         "%.3g s; take a smaller time.step or more time.substeps",
                         t, (long long)state->step + 1, self->system.h);
}

/* Iterations from x_n, v_n by the scheme; leaves the residuals at the end at hand if asked for a
 * tolerance. */
static xs_status attempt(genalpha *self, const xs_genalpha_scheme *scheme, xs_state *state,
                         double t, xs_report *report) {
  xs_system *s = &self->system;
  const xs_solver *solver = &s->world->solver;
  const int impact = scheme == &self->impact;
  const int most = solver->iterations + (impact ? IMPACT_ITERATIONS : 0);
  double first2 = 0, moved2 = 0;
  use_scheme(self, scheme);
  const int node = predict(self, state, t);
  if (node >= 0)
    return xs_diverged_too_fast(s, state, node, s->h * xs_vec3_norm(state->omega[node]), t, report);
  for (int k = 0;; k++) {
    const int look = solver->tolerance > 0 || impact;
    if (k == most && !look) break;
    const primal size = evaluate(self, state, t);
    if (k > 0 && look) {
      const xs_residual now = sum_residuals(self, size, NULL, NULL);
      const double off = now.constraint / s->world->size;
      if (solver->tolerance > 0 && off < solver->tolerance &&
          now.primal_relative < solver->tolerance)
        break;
      if (!(solver->tolerance > 0) && off < IMPACT_CLOSED && k >= solver->iterations) break;
      if (k == most && solver->tolerance > 0)
        return xs_diverged_not_converged(s, state, &now, t, report);
    }
    if (k == most) break;
    moved2 = move(self, state, xs_global_correct(self->global, s, self->residual, self->d));
    if (k == 0) first2 = moved2;
    if (!(moved2 <= DBL_MAX)) break;
  }
  if (moved2 <= DBL_MAX)
    find_motion(self, state);
  else
    state->v[s->moving[0]].x = NAN;
  double all2 = 0;
  for (int k = 0; k < s->n_moving; k++)
    all2 += s->world->inertia[s->moving[k]].mass * xs_vec3_norm2(self->q_p[s->moving[k]]);
  if (moved2 > fmax(first2, EXPANDS_FROM * EXPANDS_FROM * all2))
    return expands(self, state, t, report);
  return XS_OK;
}

/* Which limits carry; whether one of them did not before, and whether the set has changed. */
static void compare_limits(genalpha *self, int *joined, int *changed) {
  const xs_mechanism *m = &self->mechanism;
  *joined = *changed = 0;
  if (m->count[XS_ROW_LIMIT] == 0) return;
  for (int row = 0; row < m->n_rows; row++) {
    if (m->sort[row] != XS_ROW_LIMIT) continue;
    self->carries[row] = self->system.lambda[row] > 0;
    *joined |= self->carries[row] && !self->carried[row];
    *changed |= self->carries[row] != self->carried[row];
  }
}

static void keep_start(genalpha *self, const xs_state *state) {
  xs_system *s = &self->system;
  for (int row = 0; self->mechanism.count[XS_ROW_LIMIT] > 0 && row < self->mechanism.n_rows; row++)
    self->carried[row] = self->mechanism.sort[row] == XS_ROW_LIMIT && s->lambda[row] > 0;
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    self->p_n[i] = state->x[i].p;
    s->q_n[i] = state->x[i].q;
    self->v_n[i] = state->v[i];
    self->omega_n[i] = state->omega[i];
  }
}

static xs_vec3 algorithmic(const xs_genalpha_scheme *c, xs_vec3 now, xs_vec3 u, xs_vec3 a) {
  return xs_vec3_add_scaled(xs_vec3_add_scaled(xs_vec3_scale(c->a_new, now), c->a_old, u), c->a_a,
                            a);
}

static void carry_on(genalpha *self) {
  const xs_system *s = &self->system;
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    self->a_p[i] = algorithmic(&self->scheme, self->now_p[i], self->u_p[i], self->a_p[i]);
    self->a_w[i] = algorithmic(&self->scheme, self->now_w[i], self->u_w[i], self->a_w[i]);
    self->u_p[i] = self->now_p[i];
    self->u_w[i] = self->now_w[i];
  }
}

static void note_peak(genalpha *self, xs_state *state, double t) {
  const xs_residual now = sum_residuals(self, evaluate(self, state, t), NULL, NULL);
  xs_residual_peak_note(&self->peak, &now);
}

static xs_status substep(genalpha *self, xs_state *state, double t, xs_report *report) {
  xs_system *s = &self->system;
  int joined, changed;
  s->suspect = 0;
  s->singular = -1;
  keep_start(self, state);
  xs_global_read_rank(self->global, s, state->x);
  xs_system_freeze(s, t, state);

  xs_status status = attempt(self, &self->smooth, state, t, report);
  if (status) return status;
  compare_limits(self, &joined, &changed);
  if (joined) {
    status = attempt(self, &self->impact, state, t, report);
    if (status) return status;
    int still;
    compare_limits(self, &still, &changed);
    changed = 1;
  }
  self->stepped = 1;
  if (s->world->output.residual_peak) note_peak(self, state, t);
  status = s->suspect || !(xs_vec3_norm2(state->v[s->moving[0]]) <= DBL_MAX)
               ? xs_diverged_look(s, state, t, report)
               : XS_OK;
  if (status == XS_OK) status = xs_rod_watch(s->world, state, t, self->rod_warned, report);
  if (status) return status;

  if (changed) {
    if (joined) xs_acceleration_fit_rates(self->acceleration, s, state, t, self->carries);
    s->singular = start_anew(self, state, t, self->carries);
    if (s->singular >= 0) status = xs_diverged_look(s, state, t, report);
  } else {
    carry_on(self);
  }
  xs_system_track_turns(s, state);
  return status;
}

static xs_status step(void *self_, xs_state *state, const xs_stop *stop, xs_report *report) {
  genalpha *self = self_;
  const int substeps = self->system.world->time.substeps;
  for (int k = 0; k < substeps && self->system.n_moving > 0; k++) {
    if (k > 0 && stop && stop->asked(stop->context)) return XS_STOPPED;
    const xs_status status = substep(self, state, time_of(self, state, k + 1), report);
    if (status) return status;
  }
  if (self->system.n_moving == 0)
    xs_system_freeze(&self->system, time_of(self, state, substeps), state);
  state->step++;
  return XS_OK;
}

/* --- what is recorded --------------------------------------------------------------- */

/* G^T lambda / k2 on body 2, with G at hand. */
static void find_reactions(const genalpha *self, const xs_state *state, xs_reaction *reaction) {
  for (int row = 0; row < self->mechanism.n_rows; row++)
    self->force[row] = self->system.lambda[row] / self->scheme.k2;
  xs_mechanism_reactions(&self->mechanism, self->global, state->x, self->force, reaction);
}

static void residual(void *self_, const xs_state *state, xs_residual *out, xs_reaction *reaction) {
  genalpha *self = self_;
  const double t = time_of(self, state, 0);
  primal size = {0, 0};
  xs_global_evaluate(self->global, state->x);
  if (self->stepped) {
    find_row_residuals(self, state, t);
    size = find_primal(self, state, t);
  } else {
    for (int b = 0; b < self->mechanism.n_blocks; b++) {
      const xs_row_block *block = &self->mechanism.block[b];
      const double *C = xs_global_value(self->global, b);
      for (int r = 0; r < block->n_rows; r++) {
        const int row = block->first_row + r;
        self->residual[row] = self->P[row] * C[r];
      }
    }
  }
  if (reaction) find_reactions(self, state, reaction);
  if (!out) return;
  const xs_residual now = sum_residuals(self, size, out->joint, out->rod);
  out->primal = out->primal_applied = now.primal;
  out->primal_relative = now.primal_relative;
  out->constraint = now.constraint;
  xs_residual_peak_take(&self->peak, out);
}

/* A vector by node as an array of the checkpoint. */
static xs_persist by_node(const char *name, const char *unit, const char *long_name, xs_vec3 *v,
                          int n) {
  return (xs_persist){name, unit, long_name, &v->x, n, 3, 3};
}

static int persist(void *self_, xs_persist list[XS_METHOD_PERSIST_MAX]) {
  genalpha *self = self_;
  const int n_nodes = self->system.world->n_nodes;
  int n = 0;
  list[n++] = by_node("acceleration", "m/s^2", "accelerations u of nodes", self->u_p, n_nodes);
  list[n++] = by_node("angular_acceleration", "rad/s^2", "angular accelerations u, node frames",
                      self->u_w, n_nodes);
  list[n++] = by_node("algorithmic_acceleration", "m/s^2",
                      "algorithmic accelerations a of generalized-alpha", self->a_p, n_nodes);
  list[n++] = by_node("algorithmic_angular_acceleration", "rad/s^2",
                      "algorithmic angular accelerations a, node frames", self->a_w, n_nodes);
  if (self->mechanism.n_rows > 0)
    list[n++] = (xs_persist){"multiplier",
                             "kg m, kg m^2",
                             "multipliers lambda of the last substep: which limits carry",
                             self->system.lambda,
                             self->mechanism.n_rows,
                             1,
                             1};
  if (self->system.world->output.residual_peak) list[n++] = xs_residual_peak_persist(&self->peak);
  return n;
}

static double elastic_energy(void *self_, const xs_state *state) {
  return xs_system_elastic_energy(&((const genalpha *)self_)->system, state->x);
}

const xs_method xs_genalpha_method = {
    .name = "genalpha",
    .create = create,
    .step = step,
    .residual = residual,
    .persist = persist,
    .elastic_energy = elastic_energy,
};
