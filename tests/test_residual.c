/* Residuals and reactions of a substep whose multipliers are set by hand. */
#include <math.h>

#include "solver/residual.h"
#include "system_helpers.h"

/* A body away from the ground's frame and turned; both joint frames meet. */
#define BODY                                                                  \
  "\"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": [0.2, 0.3, 0.4]," \
  "  \"orientation\": {\"axis\": [1, 2, 3], \"angle\": 0.6}, \"position\": [1, 2, 3]}],"
#define JOINT                                                                  \
  "\"joints\": [{\"name\": \"j\", \"type\": \"fixed\", \"body1\": \"ground\"," \
  " \"body2\": \"a\", \"at\": {\"position\": [0.5, 2.2, 2.9]}"

static setting s;
static double joint_residual[SETTING_JOINTS];
static xs_reaction reaction[SETTING_JOINTS];
static xs_residual found;

static void evaluate(void) {
  found = (xs_residual){.joint = joint_residual};
  memset(reaction, 0, sizeof reaction);
  xs_residual_evaluate(&s.system, NULL, s.state->x, &found, reaction);
}

/* The joint's frames meet unturned, so the rows are force and couple at the joint: -lambda on
 * body 2 along the world's axes (position) and along the joint frame's, which are the world's. */
Test(residual, reactions_are_force_and_couple_at_the_joint) {
  const double h = 0.1, lambda[] = {0.3, -0.2, 0.5, 0.1, 0.4, -0.6};
  setting_load(&s, BODY JOINT "}]", h);
  memcpy(s.lambda, lambda, sizeof lambda);
  evaluate();
  const xs_vec3 force = {-30, 20, -50}, torque = {-10, -40, 60};
  cr_expect_leq(vec3_distance(reaction[0].force, force), 1e-12);
  cr_expect_leq(vec3_distance(reaction[0].torque, torque), 1e-12, "%g %g %g", reaction[0].torque.x,
                reaction[0].torque.y, reaction[0].torque.z);
  setting_free(&s);
}

/* With x = x~ the primal residual is |G^T lambda|. The body has moved by dp: M dp is added. */
Test(residual, primal_is_the_inertial_part_less_the_impulses) {
  static double C[SETTING_ROWS], J[SETTING_ROWS][6 * SETTING_NODES], g[6 * SETTING_NODES];
  setting_load(&s, BODY JOINT "}]", 0.1);
  for (int r = 0; r < 6; r++) s.lambda[r] = 0.1 * (r + 1);
  setting_rows(&s, C, J);
  setting_impulse(&s, J, g);
  double norm2 = 0;
  for (int c = 6; c < 12; c++) norm2 += g[c] * g[c];
  evaluate();
  cr_expect_float_eq(found.primal, sqrt(norm2), 1e-14);
  cr_expect_eq(found.primal_applied, found.primal, "vector rows: the same");

  s.dp[1] = (xs_vec3){0.1, -0.2, 0.3};
  const double inertial = 2 * sqrt(0.14), more[] = {0.2, -0.4, 0.6};
  for (int c = 0; c < 3; c++) norm2 += more[c] * more[c] - 2 * more[c] * g[6 + c];
  evaluate();
  cr_expect_float_eq(found.primal, sqrt(norm2), 1e-14);
  cr_expect_float_eq(found.primal_relative, sqrt(norm2) / inertial, 1e-14);
  setting_free(&s);
}

/* The moment of what turned: I Log(R~^T R), in the node's axes. */
Test(residual, rotations_count_with_their_inertia) {
  setting_load(&s, BODY "\"joints\": []", 0.1);
  s.state->x[1].q = xs_so3_plus(s.q_tilde[1], (xs_vec3){0.1, -0.2, 0.3});
  evaluate();
  cr_expect_float_eq(found.primal, sqrt(0.02 * 0.02 + 0.06 * 0.06 + 0.12 * 0.12), 1e-15);
  cr_expect_float_eq(found.primal_relative, 1, 1e-14);
  setting_free(&s);
}

Test(residual, constraint_counts_compliance) {
  setting_load(&s, BODY JOINT ", \"compliance\": 1e-3, \"rotational_compliance\": 2e-3}]", 0.1);
  s.state->x[1].p.x -= 0.5; /* C = pbar_1 - pbar_2 = (0.5, 0, 0) */
  s.lambda[0] = -3;
  s.lambda[4] = 2;
  evaluate();
  cr_expect_float_eq(found.constraint, hypot(0.5 - 0.1 * 3, 0.2 * 2), 1e-14);
  cr_expect_float_eq(joint_residual[0], found.constraint, 1e-16);
  setting_free(&s);
}

/* A limit 0.4 m away counts if it carries something, 0.1 m beyond in any case. */
Test(residual, inequalities_count_where_they_take_part) {
  setting_load(&s,
               "\"bodies\": [{\"name\": \"a\", \"mass\": 4, \"inertia\": [1, 1, 1],"
               "  \"position\": [0, 0, 0.5]}],"
               "\"joints\": [{\"name\": \"j\", \"type\": \"prismatic\", \"body1\": \"ground\","
               " \"body2\": \"a\", \"frame1\": {}, \"frame2\": {}, \"limits\": [0.1, 2]}]",
               0.1);
  evaluate();
  cr_expect_eq(found.constraint, 0);
  s.lambda[s.block[1].first_row] = 1;
  evaluate();
  cr_expect_float_eq(found.constraint, 0.4, 1e-15);
  s.lambda[s.block[1].first_row] = 0;
  s.state->x[1].p.z = 0;
  evaluate();
  cr_expect_float_eq(found.constraint, 0.1, 1e-15);
  setting_free(&s);
}

/* A scalar row has acted along world x, 0.3 at the arm r; its gap points along z by now. What
 * was applied explains M dp exactly, G^T lambda at the poses found does not. */
Test(residual, scalar_rows_are_taken_as_applied) {
  setting_load(&s,
               "\"bodies\": [{\"name\": \"a\", \"mass\": 2, \"inertia\": [1, 1, 1],"
               "  \"position\": [0, 0, -0.5]}],"
               "\"solver\": {\"solve\": \"individual\", \"constraints\": \"scalar\"},"
               "\"joints\": [{\"name\": \"j\", \"type\": \"spherical\", \"body1\": \"ground\","
               " \"body2\": \"a\", \"frame1\": {}, \"frame2\": {}}]",
               0.1);
  cr_assert_eq(s.system.n_blocks, 1);
  s.lambda[0] = 0.3;
  s.impulse[0] = (xs_vec3){0.3, 0, 0};       /* on node 1; its opposite on the body */
  s.dp[1] = (xs_vec3){-0.3 / 2 - 0.7, 0, 0}; /* and 0.7 m that nothing explains: 1.4 kg m */
  evaluate();
  cr_expect_float_eq(found.primal_applied, 1.4, 1e-15);
  cr_expect_float_eq(found.primal, hypot(1.7, 0.3), 1e-15);
  cr_expect_leq(vec3_distance(reaction[0].force, (xs_vec3){-30, 0, 0}), 1e-12);
  setting_free(&s);
}
