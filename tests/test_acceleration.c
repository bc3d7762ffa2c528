/* Joint forces and accelerations of a state against closed forms, and projected starts. */
#include <math.h>

#include "scene_helpers.h"
#include "solver/acceleration.h"
#include "solver/system_create.h"

typedef struct bench {
  loaded scene;
  xs_world *world;
  xs_state *state;
  xs_system system;
  xs_mechanism mechanism;
  xs_acceleration *acceleration;
  double force[64], a[6 * 8];
  xs_reaction reaction[4];
} bench;

static bench s;

static void load(const char *members) {
  memset(&s, 0, sizeof s);
  xs_report *report = &s.scene.report;
  s.world = load_parts(&s.scene, members);
  cr_assert_eq(xs_state_create(s.world, &s.scene.arena, &s.state, report), XS_OK);
  cr_assert_eq(xs_system_create(s.world, s.state, &s.scene.arena, &s.system, report), XS_OK);
  cr_assert_eq(xs_mechanism_create(&s.system, &s.scene.arena, &s.mechanism, report), XS_OK);
  cr_assert_leq(s.mechanism.n_rows, 64);
  cr_assert_eq(xs_acceleration_create(&s.mechanism, &s.scene.arena, &s.acceleration, report),
               XS_OK);
}

static void solve(double t) {
  xs_system_freeze(&s.system, t, s.state);
  cr_assert_eq(xs_acceleration_solve(s.acceleration, &s.system, s.state, t, NULL, s.force, s.a),
               -1);
  xs_acceleration_reactions(s.acceleration, s.state->x, s.force, s.reaction);
}

#define GLOBAL "\"solver\": {\"solve\": \"global\"},"
#define ROD(more)                                                                    \
  "\"bodies\": [{\"name\": \"rod\", \"mass\": 2, \"inertia\": [0.2, 0.3, 0.4]," more \
  "  \"position\": [0.5, 0, 0]}], \"gravity\": [0, 0, -10],"
#define HINGE(more)                                                                    \
  "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body1\": \"ground\"," more \
  "  \"body2\": \"rod\", \"at\": {\"position\": [0, 0, 0], \"axis\": [0, 1, 0]}}]"

/* Centre of mass 0.5 m from a hinge about y, turning at w: I q'' = m g d with I = 0.3 + 2/4; the
 * centre's acceleration is q'' d down and w^2 d inwards. */
Test(acceleration, swinging_rod) {
  for (int i = 0; i < 2; i++) {
    const double w = i ? 3 : 0;
    load(GLOBAL ROD("\"angular_velocity\": [0, 0, 0],") HINGE(""));
    s.state->omega[1].y = w;
    s.state->v[1].z = -0.5 * w;
    solve(0);
    const double turn = 2 * 10 * 0.5 / 0.8;
    cr_expect_float_eq(s.a[6 + 4], turn, 1e-9);
    cr_expect_float_eq(s.a[6 + 2], -0.5 * turn, 1e-9);
    cr_expect_float_eq(s.a[6 + 0], -0.5 * w * w, 1e-8);
    cr_expect_float_eq(s.reaction[0].force.x, -2 * 0.5 * w * w, 1e-8);
    cr_expect_float_eq(s.reaction[0].force.z, 2 * (10 - 0.5 * turn), 1e-8);
    xs_arena_free(&s.scene.arena);
  }
}

/* Known forces: -k q - d w as torque about the hinge; both appear in its reaction. */
Test(acceleration, spring_and_dashpot) {
  load(GLOBAL ROD("\"angular_velocity\": [0, 0, 0],")
           HINGE("\"damping\": 3, \"target\": {\"value\": -0.25, \"stiffness\": 8},"));
  s.state->omega[1].y = 2;
  s.state->v[1].z = -1;
  solve(0);
  const double moment = -8 * 0.25 - 3 * 2;
  cr_expect_float_eq(s.a[6 + 4], (10 + moment) / 0.8, 1e-8);
  cr_expect_float_eq(s.reaction[0].torque.y, moment, 1e-8);
}

/* Frame 1 turned by t^2: as a ramp of a ramp; w = 2t, w' = 2. The torque is I w' - m g d cos q. */
Test(acceleration, kinematic_drive) {
  load(GLOBAL ROD("\"angular_velocity\": [0, 0, 0],")
           HINGE("\"target\": {\"value\": {\"product\": ["
                 "{\"ramp\": {\"from\": 0, \"to\": 9, \"start\": 0, \"end\": 9}},"
                 "{\"ramp\": {\"from\": 0, \"to\": 9, \"start\": 0, \"end\": 9}}]}},"));
  solve(0); /* a kink of the ramps: from the right */
  cr_expect_float_eq(s.a[6 + 4], 2, 1e-5, "%g", s.a[6 + 4]);
  cr_expect_float_eq(s.reaction[0].torque.y, 0.8 * 2 - 10, 1e-5);
}

/* Two bodies 10 mm and 0.1 rad off, one too fast: closed, the heavy one moved least, and told. */
Test(acceleration, start_is_projected) {
  load(GLOBAL
       "\"bodies\": [{\"name\": \"light\", \"mass\": 1, \"inertia\": [0.1, 0.1, 0.1],"
       "  \"position\": [0.01, 0, 0]},"
       "{\"name\": \"heavy\", \"mass\": 99, \"inertia\": [1e6, 1e6, 1e6],"
       "  \"position\": [0, 0, 0], \"linear_velocity\": [0, 1, 0]}],"
       "\"joints\": [{\"name\": \"j\", \"type\": \"spherical\", \"body1\": \"light\","
       "  \"body2\": \"heavy\", \"frame1\": {}, \"frame2\": {}}]");
  cr_assert_eq(xs_acceleration_project(s.acceleration, &s.system, s.state, 0, &s.scene.report),
               XS_OK);
  cr_expect_float_eq(s.state->x[1].p.x, 1e-4, 1e-15);
  cr_expect_float_eq(s.state->x[2].p.x, 1e-4, 1e-15);
  cr_expect_float_eq(s.state->v[1].y, 0.99, 1e-14);
  cr_expect_float_eq(s.state->v[2].y, 0.99, 1e-14);
  /* the loader warns of the gap itself, too */
  int told = 0;
  for (int i = 0; i < s.scene.report.n_kept; i++)
    told += strstr(s.scene.report.kept[i].text, "by 0.0099 m") != NULL ||
            strstr(s.scene.report.kept[i].text, "by 0.99 m/s") != NULL;
  cr_expect_eq(told, 2);
}

/* Anchors on spheres that cannot meet. */
Test(acceleration, start_that_cannot_be_closed) {
  load(GLOBAL
       "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}],"
       "\"joints\": [{\"name\": \"one\", \"type\": \"spherical\", \"body1\": \"ground\","
       "  \"body2\": \"a\", \"frame1\": {}, \"frame2\": {}},"
       "{\"name\": \"two\", \"type\": \"spherical\", \"body1\": \"ground\","
       "  \"body2\": \"a\", \"frame1\": {\"position\": [5, 0, 0]},"
       "  \"frame2\": {\"position\": [1, 0, 0]}}]");
  cr_assert_eq(xs_acceleration_project(s.acceleration, &s.system, s.state, 0, &s.scene.report),
               XS_DIVERGED);
  int told = 0;
  for (int i = 0; i < s.scene.report.n_kept; i++)
    told += strstr(s.scene.report.kept[i].text, "cannot be closed") != NULL;
  cr_expect_eq(told, 1);
}
