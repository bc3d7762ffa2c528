/* Newton steps, cut and accepted (static_newton.h). */
#include "solver/static_newton.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/system_create.h"

#define TURN_MAX     1.0  /* rad a node may turn in a step */
#define MOVE_MAX     0.5  /* of the scene's size a node may move in one */
#define ELEMENT_TURN 2.98 /* rad: 0.95 pi, where xs_rod_watch stops */
#define LEAST_FACTOR 1e-3 /* of a step; a smaller one does not help */
/* Corrections that no longer shrink below this are round-off, if what is out of balance is, too. */
#define STALLED         1e-6
#define STALLED_BALANCE 1e-11
#define SHIFT_MAX       1e30 /* 1/s^2: what is singular with it is so for another reason */
#define SWITCHES_MAX    10   /* of an inequality row; then it stays in */

xs_status xs_static_newton_create(xs_static_equations *e, xs_arena *arena, xs_static_newton *newton,
                                  xs_report *report) {
  const xs_system *s = e->system;
  *newton = (xs_static_newton){.equations = e, .singular = -1};
  newton->step = XS_ARENA_NEW(arena, double, e->n);
  newton->next = XS_ARENA_NEW(arena, double, e->n);
  newton->mean = XS_ARENA_NEW(arena, double, e->n);
  newton->lambda = XS_ARENA_NEW(arena, double, s->n_rows);
  newton->x = XS_ARENA_NEW(arena, xs_pose, s->world->n_nodes);
  newton->turn = XS_ARENA_NEW(arena, xs_turn, s->world->n_joints);
  newton->switches = XS_ARENA_NEW(arena, int, s->n_blocks);
  if (!newton->step || !newton->next || !newton->mean || !newton->lambda || !newton->x ||
      !newton->turn || !newton->switches)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for Newton's method");
  return XS_OK;
}

/* --- measures ----------------------------------------------------------------------- */

/* Largest displacement: how far as part of the scene, how much a turn. */
static void measure(const xs_static_equations *e, const double *step, double *moved,
                    double *turned) {
  const xs_world *world = e->system->world;
  double p2 = 0, theta2 = 0;
  for (int i = 0; i < world->n_nodes; i++) {
    if (e->node_at[i] < 0) continue;
    const double *d = step + e->node_at[i];
    const double a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double b = d[3] * d[3] + d[4] * d[4] + d[5] * d[5];
    if (!(a <= p2)) p2 = a;
    if (!(b <= theta2)) theta2 = b;
  }
  *moved = sqrt(p2) / world->size;
  *turned = sqrt(theta2);
}

static double size_of(const xs_static_equations *e, const double *step) {
  double moved, turned;
  measure(e, step, &moved, &turned);
  return moved > turned || isnan(moved) ? moved : turned;
}

static double out_of_balance(const xs_static_equations *e) {
  double sum = 0;
  for (int i = 0; i < e->n; i++)
    if (e->owner[i] >= 0) sum += e->balance[i] * e->balance[i];
  return sqrt(sum);
}

static int within_elements(const xs_world *world, const xs_pose *x) {
  for (int r = 0; r < world->n_rods; r++) {
    int element;
    if (!(xs_rod_largest_rotation(&world->rods[r], x, &element) < ELEMENT_TURN)) return 0;
  }
  return 1;
}

/* --- inequality rows ---------------------------------------------------------------- */

/* Violated ones come in, pulling ones go. Returns whether any did. */
static int switch_rows(xs_static_newton *newton, const xs_pose *x) {
  xs_static_equations *e = newton->equations;
  xs_system *s = e->system;
  int changed = 0;
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    if (block->bound != XS_BOUND_BOX || newton->switches[b] > SWITCHES_MAX) continue;
    double C, G[12];
    double *lambda = &s->lambda[block->first_row];
    block->kind->evaluate(block, x, 0, 1, &C, G);
    const double unit = 1e-12 * s->world->size;
    const int active = e->active[b] ? *lambda >= 0 || C < -unit : C < -unit;
    if (active == e->active[b]) continue;
    e->active[b] = (unsigned char)active;
    if (!active) *lambda = 0;
    newton->switches[b]++;
    changed = 1;
  }
  return changed;
}

/* --- steps -------------------------------------------------------------------------- */

static void keep(xs_static_newton *newton, const xs_state *state) {
  const xs_system *s = newton->equations->system;
  memcpy(newton->x, state->x, (size_t)s->world->n_nodes * sizeof *newton->x);
  memcpy(newton->lambda, s->lambda, (size_t)s->n_rows * sizeof *newton->lambda);
}

static void put_back(xs_static_newton *newton, xs_state *state) {
  const xs_system *s = newton->equations->system;
  memcpy(state->x, newton->x, (size_t)s->world->n_nodes * sizeof *newton->x);
  memcpy(s->lambda, newton->lambda, (size_t)s->n_rows * sizeof *newton->lambda);
}

/* The factor that keeps a step within what a node may move. */
static double cut(const xs_static_equations *e, const double *step) {
  double moved, turned;
  measure(e, step, &moved, &turned);
  return fmin(1, fmin(MOVE_MAX / moved, TURN_MAX / turned));
}

/* Takes the step, halved until it is monotone (or, with the shift of a descent, until no element is
 * turned too far). 0 if no step is. */
static int take_step(xs_static_newton *newton, xs_state *state, const xs_static_loads *loads,
                     double size, int any) {
  xs_static_equations *e = newton->equations;
  keep(newton, state);
  double factor = cut(e, newton->step);
  while (factor >= LEAST_FACTOR) {
    xs_static_equations_move(e, newton->step, factor, state->x);
    if (within_elements(e->system->world, state->x)) {
      if (any) return 1;
      xs_static_equations_balance(e, state->x, loads);
      memcpy(newton->next, e->balance, (size_t)e->n * sizeof *newton->next);
      xs_band_lu_solve(&e->matrix, newton->next);
      if (size_of(e, newton->next) <= (1 - 0.25 * factor) * size) return 1;
    }
    put_back(newton, state);
    factor *= 0.5;
  }
  return 0;
}

/* Where the search for a shift begins, 1/s^2: forces over the largest mass, a thousandth. */
static double first_shift(const xs_static_equations *e) {
  double mass = 0;
  for (int i = 0; i < e->n; i++) mass = fmax(mass, e->mass[i]);
  const double shift = 1e-3 * e->scale / (mass * e->system->world->size);
  return shift > 0 ? shift : 1e-6;
}

/* The least shift, by factors of 4, that leaves no negative eigenvalue; at least `floor`. */
static void find_shift(xs_static_newton *newton, xs_state *state, const xs_static_loads *loads,
                       double floor) {
  xs_static_equations *e = newton->equations;
  newton->shift = floor;
  if (floor == 0 && xs_static_equations_negative(e, state->x, loads, 0) == 0) return;
  newton->shift = fmax(floor, first_shift(e));
  for (int k = 0; k < 60 && xs_static_equations_negative(e, state->x, loads, newton->shift) > 0;
       k++)
    newton->shift *= 4;
  newton->shift *= 2;
}

void xs_static_newton_first_multipliers(xs_static_newton *newton, xs_state *state,
                                        const xs_static_loads *loads) {
  xs_static_equations *e = newton->equations;
  xs_system *s = e->system;
  xs_static_equations_balance(e, state->x, loads);
  if (xs_static_equations_factor_mass(e, state->x) >= 0) return;
  memcpy(newton->step, e->balance, (size_t)e->n * sizeof *newton->step);
  for (int i = 0; i < e->n; i++)
    if (e->owner[i] < 0) newton->step[i] = 0; /* forces alone: the gaps are no accelerations */
  xs_band_lu_solve(&e->matrix, newton->step);
  for (int r = 0; r < s->n_rows; r++)
    if (e->row_at[r] >= 0) s->lambda[r] += newton->step[e->row_at[r]];
}

xs_static_outcome xs_static_newton_solve(xs_static_newton *newton, xs_state *state,
                                         const xs_static_loads *loads, int descending) {
  xs_static_equations *e = newton->equations;
  xs_system *s = e->system;
  const xs_solver *solver = &s->world->solver;
  double before = INFINITY, floor = 0;
  memset(newton->switches, 0, (size_t)s->n_blocks * sizeof *newton->switches);
  for (int b = 0; b < s->n_blocks; b++)
    e->active[b] = s->block[b].bound == XS_BOUND_BOX && s->lambda[s->block[b].first_row] > 0;

  for (int k = 0; k < solver->iterations; k++) {
    newton->iterations = k + 1;
    switch_rows(newton, state->x);
    xs_static_equations_balance(e, state->x, loads);
    newton->shift = 0;
    if (descending) find_shift(newton, state, loads, floor);
    newton->singular = xs_static_equations_factor(e, state->x, loads, newton->shift, 0);
    if (newton->singular >= 0 && descending && newton->shift < SHIFT_MAX) {
      floor = newton->shift > 0 ? 10 * newton->shift : first_shift(e);
      continue;
    }
    if (newton->singular >= 0) return XS_STATIC_SINGULAR;
    memcpy(newton->step, e->balance, (size_t)e->n * sizeof *newton->step);
    xs_band_lu_solve(&e->matrix, newton->step);
    const double size = size_of(e, newton->step);
    if (k < XS_STATIC_NEWTON_HISTORY) newton->correction[k] = size;
    if (!isfinite(size)) return XS_STATIC_FAILED;

    const int stalled =
        size <= STALLED && size >= 0.25 * before && out_of_balance(e) <= STALLED_BALANCE * e->scale;
    if (newton->shift == 0 && (size <= solver->tolerance || stalled)) {
      xs_static_equations_move(e, newton->step, 1, state->x);
      xs_system_track_turns(s, state);
      xs_static_equations_balance(e, state->x, loads);
      if (!switch_rows(newton, state->x)) return XS_STATIC_CONVERGED;
      continue;
    }
    if (!take_step(newton, state, loads, size, newton->shift > 0)) {
      if (!descending) return XS_STATIC_FAILED;
      floor = newton->shift > 0 ? 10 * newton->shift : first_shift(e);
      continue;
    }
    if (newton->shift > 0) floor *= 0.1;
    if (floor < 1e-12) floor = 0;
    xs_system_track_turns(s, state);
    before = size;
  }
  return XS_STATIC_FAILED;
}
