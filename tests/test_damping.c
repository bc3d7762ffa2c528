/* The velocity pass against implicit steps of a dashpot, written out. */
#include <math.h>

#include "solver/damping.h"
#include "system_helpers.h"

enum { SOLVES = 3 };
static const char *const solves[SOLVES] = {"individual", "block", "global"};

static setting s;
static xs_damping *damping;

/* A rod of 2 kg whose centre is 0.5 m from a hinge about y, turning at 3 rad/s about it. */
static void load_hinge(const char *solve, const char *more) {
  char text[1024];
  snprintf(text, sizeof text,
           "\"solver\": {\"solve\": \"%s\", \"iterations\": 300},"
           "\"bodies\": [{\"name\": \"rod\", \"mass\": 2, \"inertia\": [0.2, 0.3, 0.4],"
           "  \"position\": [0.5, 0, 0], \"angular_velocity\": [0, 3, 0],"
           "  \"linear_velocity\": [0, 0, -1.5]}],"
           "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body1\": \"ground\","
           "  \"body2\": \"rod\", \"at\": {\"position\": [0, 0, 0], \"axis\": [0, 1, 0]}, %s}]",
           solve, more);
  memset(&s, 0, sizeof s);
  setting_load(&s, text, 0.1);
  cr_assert_eq(xs_damping_create(s.world, s.joint, &s.scene.arena, &damping, &s.scene.report),
               XS_OK);
}

/* omega <- (omega + h d r/I)/(1 + h d/I), I = 0.3 + 2 * 0.5^2 about the hinge; the centre goes
 * with it; the moment is d (r - omega) about the hinge's axis, centre of mass as the point. */
static void expect_dashpot(const char *more, double d, double rate) {
  const double h = 0.1, inertia = 0.8;
  for (int i = 0; i < SOLVES; i++) {
    load_hinge(solves[i], more);
    cr_assert_eq(xs_damping_apply(damping, s.state, h, h), -1);
    const double omega = isinf(d) ? rate : (3 + h * d / inertia * rate) / (1 + h * d / inertia);
    cr_expect_leq(vec3_distance(s.state->omega[1], (xs_vec3){0, omega, 0}), 1e-12, "%s %s: %g",
                  solves[i], more, s.state->omega[1].y);
    cr_expect_leq(vec3_distance(s.state->v[1], (xs_vec3){0, 0, -0.5 * omega}), 1e-12);

    double g[6];
    xs_damping_reaction(damping, h, 0, g);
    cr_expect_float_eq(h * g[2], 2 * -0.5 * (omega - 3), 1e-12, "momentum");
    cr_expect_float_eq(h * g[4], 0.3 * (omega - 3), 1e-12, "angular momentum");
    setting_free(&s);
  }
}

Test(damping, joint_damping_is_an_implicit_dashpot) { expect_dashpot("\"damping\": 4", 4, 0); }

Test(damping, drive_pulls_towards_its_rate) {
  expect_dashpot("\"target\": {\"rate\": -2, \"damping\": 4}", 4, -2);
}

/* d (w - r) + d0 w: one dashpot of d + d0 towards r d/(d + d0). */
Test(damping, drive_and_damping_add_up) {
  expect_dashpot("\"damping\": 1, \"target\": {\"rate\": -2, \"damping\": 3}", 4, -1.5);
}

Test(damping, rate_alone_is_set) { expect_dashpot("\"target\": {\"rate\": 5}", INFINITY, 5); }

Test(damping, there_is_none_without_dashpots) {
  load_hinge("block", "\"target\": {\"value\": 1}");
  cr_expect_null(damping);
  setting_free(&s);
}
