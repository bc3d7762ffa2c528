/* Sweeps over row blocks against the equations they solve: clamping, one sweep of a joint,
 * the corrected update's rebuilt poses. */
#include <math.h>

#include "solver/sweep.h"
#include "system_helpers.h"

#define BODIES                                                                \
  "\"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": [0.2, 0.3, 0.4]," \
  "  \"orientation\": {\"axis\": [1, 2, 3], \"angle\": 0.6}},"                \
  " {\"name\": \"b\", \"mass\": 3, \"inertia\": [0.5, 0.6, 0.7], \"position\": [1, 0.5, 0]}],"

static const char *const jointed = BODIES
    "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"body1\": \"a\", \"body2\": \"b\","
    " \"compliance\": 1e-3, \"rotational_compliance\": 2e-3,"
    " \"frame1\": {\"position\": [0.5, 0, 0.1]}, \"frame2\": {\"position\": [-0.4, -0.6, 0]}}]";

/* A weight of 4 kg, 0.5 m up a slider whose limits are 0.1 and 2 m. */
#define SLIDER                                                                     \
  "\"bodies\": [{\"name\": \"a\", \"mass\": 4, \"inertia\": [1, 1, 1],"            \
  "  \"position\": [0, 0, 0.5]}],"                                                 \
  "\"joints\": [{\"name\": \"j\", \"type\": \"prismatic\", \"body1\": \"ground\"," \
  " \"body2\": \"a\", \"frame1\": {}, \"frame2\": {}, \"limits\": [0.1, 2]}]"

static setting s;

static xs_row_block bounded(double min, double max) {
  return (xs_row_block){.bound = XS_BOUND_BOX, .lambda_min = min, .lambda_max = max};
}

Test(sweep, multipliers_stay_between_their_bounds) {
  xs_row_block push = bounded(0, INFINITY), box = bounded(-2, 3), free_row = {.n_rows = 1};
  cr_expect_eq(xs_system_clamped(&push, -1), 0);
  cr_expect_eq(xs_system_clamped(&push, 5), 5);
  cr_expect_eq(xs_system_clamped(&box, -7), -2);
  cr_expect_eq(xs_system_clamped(&box, 7), 3);
  cr_expect_eq(xs_system_clamped(&box, 1), 1);
  cr_expect_eq(xs_system_clamped(&free_row, -7), -7);
}

Test(sweep, inequalities_that_carry_nothing_take_no_part) {
  xs_row_block push = bounded(0, INFINITY), free_row = {.n_rows = 1};
  cr_expect(xs_system_inactive(&push, 0.1, 0));
  cr_expect_not(xs_system_inactive(&push, -0.1, 0));
  cr_expect_not(xs_system_inactive(&push, 0.1, 0.2));
  cr_expect_not(xs_system_inactive(&free_row, 0.1, 0));
}

/* (G M^-1 G^T + alpha/h^2) lambda = -C with C and G from before, and x moved by M^-1 G^T lambda. */
Test(sweep, block_solves_the_equations_of_a_joint) {
  static double C[SETTING_ROWS], J[SETTING_ROWS][6 * SETTING_NODES], g[6 * SETTING_NODES];
  const double h = 0.1;
  setting_load(&s, jointed, h);
  setting_rows(&s, C, J);
  const xs_vec3 before = s.state->x[2].p;
  xs_sweep(&s.system, s.state->x, 0);

  setting_impulse(&s, J, g);
  for (int r = 0; r < 6; r++) {
    double left = C[r] + (r < 3 ? 1e-3 : 2e-3) / (h * h) * s.lambda[r];
    for (int i = 1; i <= 2; i++) {
      const xs_inertia *m = &s.world->inertia[i];
      const double w[6] = {m->inv_mass,     m->inv_mass,     m->inv_mass,
                           m->inv_moment.x, m->inv_moment.y, m->inv_moment.z};
      for (int c = 0; c < 6; c++) left += J[r][6 * i + c] * w[c] * g[6 * i + c];
    }
    cr_expect_leq(fabs(left), 1e-14, "row %d: %g", r, left);
  }
  const xs_vec3 moved = xs_vec3_sub(s.state->x[2].p, before);
  const xs_vec3 asked = xs_vec3_scale(1.0 / 3, (xs_vec3){g[12], g[13], g[14]});
  cr_expect_leq(vec3_distance(moved, asked), 1e-15);
  cr_expect_leq(vec3_distance(s.dp[2], asked), 1e-16);
  setting_free(&s);
}

/* C + alpha/h^2 lambda = 0 is reached row after row as well, but not in one sweep. */
Test(sweep, individual_sweeps_converge) {
  static double C[SETTING_ROWS], J[SETTING_ROWS][6 * SETTING_NODES];
  setting_load(&s, jointed, 0.1);
  double worst = 0;
  for (int k = 0; k < 300; k++) {
    xs_sweep(&s.system, s.state->x, 1);
    setting_rows(&s, C, J);
    worst = 0;
    for (int r = 0; r < 6; r++) worst = fmax(worst, fabs(C[r] + (r < 3 ? 0.1 : 0.2) * s.lambda[r]));
    if (k == 0) cr_expect_gt(worst, 1e-3);
  }
  cr_expect_leq(worst, 1e-12);
  setting_free(&s);
}

/* The lower limit is 0.4 m away. Alone it would take lambda back by 0.4 m x 4 kg = 1.6; what
 * the multiplier holds is the most that can be taken, and what the body moves by. */
Test(sweep, limit_gives_back_no_more_than_it_holds) {
  const double held[] = {0.25, 2.5}, left[] = {0, 0.9};
  for (int individual = 0; individual < 2; individual++)
    for (int i = 0; i < 2; i++) {
      memset(&s, 0, sizeof s);
      setting_load(&s, SLIDER, 0.1);
      cr_assert_eq(s.system.n_blocks, 3);
      double *lambda = &s.lambda[s.block[1].first_row];
      *lambda = held[i];
      xs_sweep(&s.system, s.state->x, individual);
      cr_expect_float_eq(*lambda, left[i], 1e-15);
      cr_expect_float_eq(s.state->x[1].p.z, 0.5 - (held[i] - left[i]) / 4, 1e-15);
      cr_expect_eq(s.lambda[s.block[2].first_row], 0);
      setting_free(&s);
    }
}

/* x = x~ [+] M^-1 G(x)^T lambda with G at the poses found, whatever these were. */
Test(sweep, rebuild_starts_from_the_prediction) {
  static double C[SETTING_ROWS], J[SETTING_ROWS][6 * SETTING_NODES], g[6 * SETTING_NODES];
  setting_load(&s, jointed, 0.1);
  const xs_vec3 p_tilde[] = {s.state->x[1].p, s.state->x[2].p};
  xs_sweep(&s.system, s.state->x, 0);
  for (int r = 0; r < 6; r++) s.lambda[r] = 0.01 * (r - 2.5);
  setting_rows(&s, C, J);
  setting_impulse(&s, J, g);
  xs_sweep_rebuild(&s.system, s.state->x);

  for (int i = 1; i <= 2; i++) {
    const xs_inertia *m = &s.world->inertia[i];
    const xs_pose *x = &s.state->x[i];
    const double *gi = g + 6 * i;
    xs_vec3 dp = xs_vec3_scale(m->inv_mass, (xs_vec3){gi[0], gi[1], gi[2]});
    xs_vec3 theta = xs_vec3_mul(m->inv_moment, (xs_vec3){gi[3], gi[4], gi[5]});
    cr_expect_leq(vec3_distance(x->p, xs_vec3_add(p_tilde[i - 1], dp)), 1e-15);
    cr_expect_leq(vec3_distance(s.dp[i], dp), 1e-16);
    cr_expect_leq(quat_distance(x->q, xs_so3_plus(s.q_tilde[i], theta)), 1e-15);
  }
  setting_free(&s);
}
