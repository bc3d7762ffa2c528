/* Newton's method on an equilibrium: its tangent is the derivative of what is out of balance, and
 * its corrections shrink quadratically. */
#include <criterion/criterion.h>

#include "scene_helpers.h"
#include "solver/static_newton.h"
#include "solver/system_create.h"

/* A clamped rod with a world couple, a follower force and a body on a joint at its end. */
static const char scene[] =
    "\"solver\": {\"mode\": \"static\"}, \"gravity\": [0, 0, -9.81],"
    "\"materials\": {\"m\": {\"density\": 1000}},"
    "\"rods\": [{\"name\": \"b\", \"discretization\": \"cubic\", \"elements\": 3,"
    "  \"shape\": {\"type\": \"straight\", \"length\": 1}, \"section\": {\"radius\": 0.02},"
    "  \"stiffness\": {\"shear\": [1e3, 1e3, 1e3], \"bend\": [1, 1, 1]}, \"material\": \"m\","
    "  \"ends\": {\"start\": \"clamped\"}}],"
    "\"bodies\": [{\"name\": \"a\", \"position\": [0, 0, 1.2], \"mass\": 0.1,"
    "  \"inertia\": [0.01, 0.01, 0.01]}],"
    "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"body1\": {\"rod\": \"b\", \"node\":"
    "  \"end\"}, \"body2\": \"a\", \"at\": {\"position\": [0, 0, 1]}}],"
    "\"loads\": [{\"body\": \"a\", \"torque\": [0.3, 0.5, 0.2]},"
    "  {\"body\": \"a\", \"force\": [1, 0.4, 0], \"frame\": \"body\"}]";

typedef struct problem {
  loaded loaded;
  xs_state *state;
  xs_system system;
  xs_static_equations equations;
  xs_static_newton newton;
} problem;

static const xs_static_loads loads = {.t_from = -1, .t_to = 0, .share = 1};

static void set_up(problem *p) {
  xs_world *world = load_parts(&p->loaded, scene);
  xs_arena *arena = &p->loaded.arena;
  xs_report *report = &p->loaded.report;
  cr_assert_eq(xs_state_create(world, arena, &p->state, report), XS_OK);
  cr_assert_eq(xs_system_create(world, p->state, arena, &p->system, report), XS_OK);
  p->system.h = 1;
  cr_assert_eq(xs_static_equations_create(&p->system, arena, &p->equations, report), XS_OK);
  cr_assert_eq(xs_static_newton_create(&p->equations, arena, &p->newton, report), XS_OK);
  xs_system_freeze(&p->system, 0, p->state);
}

Test(static_newton, corrections_shrink_quadratically) {
  static problem p;
  set_up(&p);
  cr_assert_eq(xs_static_newton_solve(&p.newton, p.state, &loads, 0), XS_STATIC_CONVERGED);
  const int n = p.newton.iterations;
  const double *size = p.newton.correction;
  for (int k = 0; k < n; k++) cr_log_info("correction %d: %.2e\n", k, size[k]);
  cr_assert_geq(n, 4);
  /* Of those that are small and not yet round-off. */
  int compared = 0;
  for (int k = 1; k < n; k++) {
    if (size[k - 1] > 0.02 || size[k] < 1e-13) continue;
    cr_assert_leq(size[k], 50 * size[k - 1] * size[k - 1], "correction %d: %g after %g", k, size[k],
                  size[k - 1]);
    compared++;
  }
  cr_assert_geq(compared, 2);
  cr_assert_leq(size[n - 1], 1e-12);
}

/* At a state that is no equilibrium: A times a small step against the change of the balance. */
Test(static_newton, the_tangent_is_the_derivative_of_the_balance) {
  static problem p;
  set_up(&p);
  xs_static_equations *e = &p.equations;
  double *step = calloc((size_t)e->n, sizeof *step), *change = calloc((size_t)e->n, sizeof *change);
  double *solved = calloc((size_t)e->n, sizeof *solved);
  for (int i = 0; i < e->n; i++) step[i] = 0.1 * sin(1.7 * i + 0.3);
  xs_static_equations_move(e, step, 1, p.state->x); /* somewhere */
  xs_static_equations_balance(e, p.state->x, &loads);
  cr_assert_eq(xs_static_equations_factor(e, p.state->x, &loads, 0, 0), -1);

  /* -A d = d(balance), so that A^-1 of the change gives the step back. */
  for (int i = 0; i < e->n; i++) step[i] = sin(0.9 * i + 1.1);
  const double eps = 1e-5;
  for (int side = 0; side < 2; side++) {
    xs_static_equations_move(e, step, side == 0 ? eps : -2 * eps, p.state->x);
    xs_static_equations_balance(e, p.state->x, &loads);
    for (int i = 0; i < e->n; i++) change[i] += (side == 0 ? 1 : -1) * e->balance[i] / (2 * eps);
  }
  double largest = 0;
  for (int i = 0; i < e->n; i++) solved[i] = -change[i];
  xs_band_lu_solve(&e->matrix, solved);
  for (int i = 0; i < e->n; i++) largest = fmax(largest, fabs(solved[i] - step[i]));
  cr_log_info("step given back to %.1e\n", largest);
  cr_assert_leq(largest, 1e-6);
  free(step), free(change), free(solved);
}
