/* Extended position-based dynamics with oriented particles, backward Euler
 * (Tobin & Rucker, algorithm 1; one substep of length h):
 *
 *   predict    p~ = p + h v + h^2 f/m,  R~ = R [+] h omega~             (46), (48)
 *   solve      lambda = 0, x = x~; "iterations" times over the blocks in order:
 *              (G M^-1 G^T + alpha~) dlambda = -C - alpha~ lambda        (55)
 *              x <- x [+] M^-1 G^T dlambda, lambda += dlambda            (57), (58)
 *   velocity   v = (p - p^n)/h = v~ + dp/h, omega = (R [-] R^n)/h         (44)
 *
 * dp, the sum of a node's corrections in the substep, is kept apart from p: differences of
 * positions would feed their round-off, eps |p|/h, into the velocity, and with it into
 * the momentum, in every step.
 *
 * solve "block" takes all rows of a block at once, "individual" one row after another,
 * each evaluated at the state that the one before left (56). The solver sees blocks of
 * rows; that they are joints matters only in what it says of a divergence. Loads are
 * taken at t_{n+1}, in the directions that bodies have at t_n.
 *
 * Left out here: the global solve, the corrected update, velocity-level damping. */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/unroll.h"
#include "constraint/joint.h"
#include "math/so3.h"
#include "math/spd.h"
#include "solver/external.h"
#include "solver/inertial.h"
#include "solver/residual.h"

/* A joint counts as torn when its gap is above this many times the scene's size, and as
 * many times its own gap at the start. Below it, a bad start may still be recovered. */
#define TORN 10.0
/* h |omega~| must stay below pi: more than half a turn cannot be told from less. */
#define HALF_TURN 3.14159265358979

typedef struct xpbd {
  const xs_world *world;
  double h;              /* substep, s */
  int n_moving, *moving; /* nodes with mass */
  int n_blocks;
  xs_row_block *block;
  xs_joint_geometry *joint;
  double *torn2; /* n_joints: squared gap at which a joint is torn, m^2 */
  int n_rows;
  double *lambda;         /* n_rows */
  xs_quat *q_n, *q_tilde; /* n_nodes: orientation at the start of the substep, predicted */
  xs_vec3 *dp;            /* n_nodes: p - p~, m */
  xs_external external;
  double *momentum; /* 6 n_nodes, work of residual.c */
  int stepped;      /* a substep was taken: lambda and x~ belong to the state */
  int suspect;      /* a block was found far off or not finite in this substep */
  int singular;     /* first joint whose system could not be solved in it, or -1 */
} xpbd;

/* --- create ------------------------------------------------------------------------- */

static void find_moving(xpbd *self) {
  for (int i = 0; i < self->world->n_nodes; i++)
    if (self->world->inertia[i].inv_mass > 0) self->moving[self->n_moving++] = i;
}

static void make_blocks(xpbd *self, xs_state *state) {
  const xs_world *world = self->world;
  double size = TORN * world->size;
  for (int j = 0; j < world->n_joints; j++) {
    self->joint[j] = xs_joint_geometry_of(&world->joints[j]);
    self->block[j] = xs_joint_block(&world->joints[j], &self->joint[j], j, self->n_rows);
    self->n_rows += self->block[j].n_rows;
    state->turn[j] = xs_joint_turn_start(&self->joint[j], state->x);
    double gap = TORN * xs_joint_gap(&self->joint[j], state->x);
    self->torn2[j] = fmax(size * size, gap * gap);
  }
  self->n_blocks = world->n_joints;
}

static xs_status create(const xs_world *world, xs_state *state, xs_arena *arena, void **result,
                        xs_report *report) {
  int n = world->n_nodes, n_joints = world->n_joints;
  const size_t most_rows = XS_ROWS_MAX * (size_t)n_joints;
  xpbd *self = XS_ARENA_NEW(arena, xpbd, 1);
  if (!self) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  self->world = world;
  self->h = world->time.step / world->time.substeps;
  self->moving = XS_ARENA_NEW(arena, int, n);
  self->block = XS_ARENA_NEW(arena, xs_row_block, n_joints);
  self->joint = XS_ARENA_NEW(arena, xs_joint_geometry, n_joints);
  self->torn2 = XS_ARENA_NEW(arena, double, n_joints);
  self->lambda = XS_ARENA_NEW(arena, double, most_rows);
  self->q_n = XS_ARENA_NEW(arena, xs_quat, n);
  self->q_tilde = XS_ARENA_NEW(arena, xs_quat, n);
  self->dp = XS_ARENA_NEW(arena, xs_vec3, n);
  self->external.force = XS_ARENA_NEW(arena, xs_vec3, n);
  self->external.torque = XS_ARENA_NEW(arena, xs_vec3, n);
  self->momentum = XS_ARENA_NEW(arena, double, 6 * (size_t)n);
  if (!self->moving || !self->block || !self->joint || !self->torn2 || !self->lambda ||
      !self->q_n || !self->q_tilde || !self->dp || !self->external.force ||
      !self->external.torque || !self->momentum)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  find_moving(self);
  make_blocks(self, state);
  *result = self;
  return XS_OK;
}

/* --- predict ------------------------------------------------------------------------ */

static xs_status predict(xpbd *self, xs_state *state, double t, xs_report *report) {
  const xs_world *world = self->world;
  double h = self->h;
  if (world->n_loads > 0) xs_external_loads(world, state->x, t, &self->external);

  for (int k = 0; k < self->n_moving; k++) {
    int i = self->moving[k];
    const xs_inertia *inertia = &world->inertia[i];
    xs_pose *x = &state->x[i];
    self->q_n[i] = x->q;
    self->dp[i] = (xs_vec3){0, 0, 0};

    /* (46): v~ = v + h (g + f/m), p~ = p + h v~ */
    xs_vec3 a = xs_vec3_add_scaled(world->gravity, inertia->inv_mass, self->external.force[i]);
    state->v[i] = xs_vec3_add_scaled(state->v[i], h, a);
    x->p = xs_vec3_add_scaled(x->p, h, state->v[i]);

    /* (48): R~ = R [+] h omega~ */
    xs_vec3 omega = xs_inertial_omega(world->solver.gyroscopic, inertia, h, state->omega[i],
                                      self->external.torque[i]);
    xs_vec3 turn = xs_vec3_scale(h, omega);
    if (!(xs_vec3_norm2(turn) < HALF_TURN * HALF_TURN))
      return xs_report_error(report, XS_DIVERGED, NULL,
                             "at t = %.9g s (step %lld): body \"%s\" turns by %.3g rad in one "
                             "substep of %.3g s, half a turn is the limit; take a smaller "
                             "time.step or more time.substeps",
                             t, (long long)state->step + 1, xs_world_node_name(world, i),
                             xs_vec3_norm(turn), h);
    x->q = xs_so3_plus(x->q, turn);
    x->R = xs_so3_matrix(x->q);
    self->q_tilde[i] = x->q;
  }
  return XS_OK;
}

/* --- solve -------------------------------------------------------------------------- */

/* (58) for node k of a block: x <- x [+] M^-1 G^T dlambda. */
XS_INLINE void move(xpbd *self, xs_pose *x, int node, int n, const double *G,
                    const double *dlambda) {
  const xs_inertia *inertia = &self->world->inertia[node];
  if (inertia->inv_mass == 0) return;
  double g[6];
  XS_UNROLL
  for (int c = 0; c < 6; c++) {
    g[c] = 0;
    XS_UNROLL
    for (int r = 0; r < n; r++) g[c] += G[c * n + r] * dlambda[r];
  }
  xs_vec3 dp = xs_vec3_scale(inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
  x->p = xs_vec3_add(x->p, dp);
  self->dp[node] = xs_vec3_add(self->dp[node], dp);
  xs_vec3 theta = xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]});
  x->q = xs_quat_mul(x->q, xs_so3_exp(theta)); /* its length is mended once, in predict */
  x->R = xs_so3_matrix(x->q);
}

/* A += G_k M^-1 G_k^T, lower triangle, for one node. */
XS_INLINE void add_inverse_mass(const xs_inertia *inertia, int n, const double *G, double *A) {
  if (inertia->inv_mass == 0) return;
  const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                       inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
  XS_UNROLL
  for (int c = 0; c < 6; c++) {
    XS_UNROLL
    for (int j = 0; j < n; j++) {
      double wg = w[c] * G[c * n + j];
      XS_UNROLL
      for (int i = j; i < n; i++) A[i + j * n] += G[c * n + i] * wg;
    }
  }
}

/* Rows first .. first + n - 1 of a block, together: (55). n is constant where inlined. */
XS_INLINE void solve_rows(xpbd *self, xs_pose *x, const xs_row_block *block, int first, int n) {
  double C[XS_ROWS_MAX], G[6 * 6 * XS_ROW_NODES_MAX], A[6 * 6] = {0};
  double *lambda = self->lambda + block->first_row + first;
  double alpha_scale = 1 / (self->h * self->h), size2 = 0;
  block->kind->evaluate(block, x, first, n, C, G);

  for (int k = 0; k < block->n_nodes; k++)
    add_inverse_mass(&self->world->inertia[block->node[k]], n, G + k * 6 * n, A);
  XS_UNROLL
  for (int r = 0; r < n; r++) {
    size2 += C[r] * C[r];
    double alpha_tilde = block->alpha ? block->alpha[first + r] * alpha_scale : 0;
    A[r + r * n] += alpha_tilde;
    C[r] = -C[r] - alpha_tilde * lambda[r]; /* right-hand side, then dlambda */
  }
  if (!(size2 <= self->torn2[block->entity])) self->suspect = 1;
  if (!xs_spd_solve(n, A, C)) {
    self->suspect = 1;
    if (self->singular < 0) self->singular = block->entity;
    return;
  }

  XS_UNROLL
  for (int r = 0; r < n; r++) {
    double to = lambda[r] + C[r];
    if (block->bound == XS_BOUND_BOX) to = fmin(fmax(to, block->lambda_min), block->lambda_max);
    C[r] = to - lambda[r];
    lambda[r] = to;
  }
  for (int k = 0; k < block->n_nodes; k++)
    move(self, &x[block->node[k]], block->node[k], n, G + k * 6 * n, C);
}

static void solve_block(xpbd *self, xs_pose *x, const xs_row_block *block) {
  switch (block->n_rows) {
    case 1:
      solve_rows(self, x, block, 0, 1);
      break;
    case 2:
      solve_rows(self, x, block, 0, 2);
      break;
    case 3:
      solve_rows(self, x, block, 0, 3);
      break;
    case 4:
      solve_rows(self, x, block, 0, 4);
      break;
    case 5:
      solve_rows(self, x, block, 0, 5);
      break;
    case 6:
      solve_rows(self, x, block, 0, 6);
      break;
    default:
      assert(block->n_rows <= 6);
  }
}

static void solve(xpbd *self, xs_pose *x) {
  memset(self->lambda, 0, (size_t)self->n_rows * sizeof(double));
  for (int k = 0; k < self->world->solver.iterations; k++)
    for (int b = 0; b < self->n_blocks; b++) {
      const xs_row_block *block = &self->block[b];
      /* A clamped multiplier is right for a row by itself only. */
      if (self->world->solver.solve == XS_SOLVE_BLOCK && block->bound == XS_BOUND_NONE)
        solve_block(self, x, block);
      else
        for (int r = 0; r < block->n_rows; r++) solve_rows(self, x, block, r, 1);
    }
}

/* --- velocity and checks ------------------------------------------------------------ */

/* (44). Returns the number of nodes whose velocity is not finite. */
static int update_velocity(xpbd *self, xs_state *state) {
  double per_h = 1 / self->h;
  int bad = 0;
  for (int k = 0; k < self->n_moving; k++) {
    int i = self->moving[k];
    xs_vec3 v = xs_vec3_add_scaled(state->v[i], per_h, self->dp[i]);
    xs_vec3 omega = xs_vec3_scale(per_h, xs_so3_minus(state->x[i].q, self->q_n[i]));
    bad += !(xs_vec3_norm2(v) + xs_vec3_norm2(omega) <= DBL_MAX);
    state->v[i] = v;
    state->omega[i] = omega;
  }
  for (int j = 0; j < self->world->n_joints; j++)
    if (self->world->joints[j].type == XS_JOINT_REVOLUTE)
      xs_joint_turn_track(&self->joint[j], state->x, &state->turn[j]);
  return bad;
}

/* Something looked wrong on the way: names the first joint that is torn, or body that is
 * not finite, if the substep really ended so. */
static xs_status look_closer(const xpbd *self, const xs_state *state, double t, xs_report *report) {
  const xs_world *world = self->world;
  long long step = (long long)state->step + 1;
  for (int j = 0; j < world->n_joints; j++) {
    double gap = xs_joint_gap(&self->joint[j], state->x);
    if (!(gap * gap <= self->torn2[j]))
      return xs_report_error(
          report, XS_DIVERGED, NULL,
          "at t = %.9g s (step %lld): joint \"%s\" is torn: gap %.3g m, the limit is %.3g m (%g x "
          "the scene's size or the gap at the start); take a smaller time.step, more "
          "time.substeps or more solver.iterations",
          t, step, world->joints[j].name, gap, sqrt(self->torn2[j]), TORN);
  }
  for (int k = 0; k < self->n_moving; k++) {
    int i = self->moving[k];
    if (!(xs_vec3_norm2(state->v[i]) + xs_vec3_norm2(state->omega[i]) <= DBL_MAX))
      return xs_report_error(report, XS_DIVERGED, NULL,
                             "at t = %.9g s (step %lld): body \"%s\" has left the range of finite "
                             "numbers; take a smaller time.step or weaker loads",
                             t, step, xs_world_node_name(world, i));
  }
  if (self->singular >= 0)
    return xs_report_error(
        report, XS_DIVERGED, NULL,
        "at t = %.9g s (step %lld): the equations of joint \"%s\" have no "
        "solution in finite numbers; are its bodies' masses and inertias sensible?",
        t, step, world->joints[self->singular].name);
  return XS_OK;
}

static xs_status step(void *self_, xs_state *state, xs_report *report) {
  xpbd *self = self_;
  int substeps = self->world->time.substeps;
  for (int s = 0; s < substeps; s++) {
    double t = ((double)state->step * substeps + s + 1) * self->h;
    self->suspect = 0;
    self->singular = -1;
    xs_status status = predict(self, state, t, report);
    if (status) return status;
    solve(self, state->x);
    int bad = update_velocity(self, state);
    self->stepped = 1;
    if (self->suspect || bad) status = look_closer(self, state, t, report);
    if (status) return status;
  }
  state->step++;
  return XS_OK;
}

/* --- what is recorded --------------------------------------------------------------- */

static void residual(void *self_, const xs_state *state, xs_residual *out, xs_reaction *reaction) {
  xpbd *self = self_;
  const xs_system system = {
      .world = self->world,
      .n_blocks = self->n_blocks,
      .block = self->block,
      .h = self->stepped ? self->h : 0,
      .lambda = self->lambda,
      .dp = self->dp,
      .q_tilde = self->q_tilde,
      .momentum = self->momentum,
  };
  xs_residual_evaluate(&system, state->x, out, reaction);
}

/* Backward Euler forgets everything but the state. */
static int persist(void *self, xs_persist list[XS_METHOD_PERSIST_MAX]) {
  (void)self;
  (void)list;
  return 0;
}

static double elastic_energy(void *self_, const xs_state *state) {
  const xpbd *self = self_;
  double energy = 0;
  for (int b = 0; b < self->n_blocks; b++) {
    const xs_row_block *block = &self->block[b];
    if (!block->alpha) continue;
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, state->x, 0, block->n_rows, C, G);
    for (int r = 0; r < block->n_rows; r++)
      if (block->alpha[r] > 0) energy += 0.5 * C[r] * C[r] / block->alpha[r];
  }
  return energy;
}

const xs_method xs_xpbd_method = {
    .name = "xpbd",
    .create = create,
    .step = step,
    .residual = residual,
    .persist = persist,
    .elastic_energy = elastic_energy,
};
