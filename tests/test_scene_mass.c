/* Masses and inertias of bodies: closed forms against sums over sampled points, compounds,
 * spread masses, principal axes of full tensors. */
#include "scene_helpers.h"

/* ---- Shapes against samples ---- */

/* Inside a shape at the origin: torus 1.0, 0.3; others radius 0.5, half length 0.8. */
static int in_sphere(double x, double y, double z) { return x * x + y * y + z * z <= 0.25; }
static int in_cylinder(double x, double y, double z) {
  return x * x + y * y <= 0.25 && fabs(z) <= 0.8;
}
static int in_capsule(double x, double y, double z) {
  const double beyond = fmax(0, fabs(z) - 0.8);
  return x * x + y * y + beyond * beyond <= 0.25;
}
static int in_box(double x, double y, double z) {
  return fabs(x) <= 0.5 && fabs(y) <= 0.7 && fabs(z) <= 0.9;
}
static int in_torus(double x, double y, double z) {
  const double off = sqrt(x * x + y * y) - 1.0;
  return off * off + z * z <= 0.09;
}

typedef int inside_function(double x, double y, double z);

/* Mass and moments by points in a cube of half edge 1.4, density 1000. The grid of each
 * layer is shifted by other fractions of a cell (golden ratio and its like), so that the
 * errors at the outlines of the layers average out. */
static void sample(inside_function *inside, double *mass, xs_vec3 *moment) {
  enum { CELLS = 140 };
  const double edge = 2.8 / CELLS;
  double m = 0, xx = 0, yy = 0, zz = 0;
  for (int k = 0; k < CELLS; k++) {
    const double shift_x = fmod(0.6180339887498949 * k, 1),
                 shift_y = fmod(0.7548776662466927 * k, 1);
    const double z = -1.4 + (k + 0.5) * edge;
    for (int i = 0; i < CELLS; i++)
      for (int j = 0; j < CELLS; j++) {
        const double x = -1.4 + (i + shift_x) * edge, y = -1.4 + (j + shift_y) * edge;
        if (!inside(x, y, z)) continue;
        m += 1, xx += x * x, yy += y * y, zz += z * z;
      }
  }
  const double cell = 1000 * edge * edge * edge;
  *mass = cell * m;
  *moment = xs_vec3_make(cell * (yy + zz), cell * (xx + zz), cell * (xx + yy));
}

Test(scene_mass, closed_forms_are_those_of_sampled_solids) {
  static const struct {
    const char *shape;
    inside_function *inside;
  } cases[] = {
      {"\"type\": \"sphere\", \"radius\": 0.5", in_sphere},
      {"\"type\": \"cylinder\", \"radius\": 0.5, \"half_length\": 0.8", in_cylinder},
      {"\"type\": \"capsule\", \"radius\": 0.5, \"half_length\": 0.8", in_capsule},
      {"\"type\": \"box\", \"half_extents\": [0.5, 0.7, 0.9]", in_box},
      {"\"type\": \"torus\", \"major_radius\": 1.0, \"minor_radius\": 0.3", in_torus},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static loaded l;
    char members[1024];
    l = (loaded){0};
    snprintf(members, sizeof members,
             "\"materials\": {\"m\": {\"density\": 1000}}, \"bodies\": [{\"name\": \"a\", "
             "\"shapes\": [{%s, \"material\": \"m\"}]}]",
             cases[i].shape);
    const xs_inertia *found = &load_parts(&l, members)->inertia[1];
    double mass;
    xs_vec3 moment;
    sample(cases[i].inside, &mass, &moment);

    const double tolerance = 4e-3;
    cr_expect_float_eq(found->mass / mass, 1, tolerance, "%s %g", cases[i].shape,
                       found->mass / mass);
    cr_expect_float_eq(found->moment.x / moment.x, 1, tolerance, "%s %g", cases[i].shape,
                       found->moment.x / moment.x);
    cr_expect_float_eq(found->moment.y / moment.y, 1, tolerance, "%s %g", cases[i].shape,
                       found->moment.y / moment.y);
    cr_expect_float_eq(found->moment.z / moment.z, 1, tolerance, "%s %g", cases[i].shape,
                       found->moment.z / moment.z);
    xs_arena_free(&l.arena);
  }
}

/* ---- Bodies of several shapes ---- */

static const xs_world *load_body(loaded *l, const char *body) {
  char members[2048];
  snprintf(members, sizeof members,
           "\"materials\": {\"m\": {\"density\": 1000}, \"n\": {\"density\": 3000}, \"bare\": {}}, "
           "\"bodies\": [{\"name\": \"a\", %s}]",
           body);
  return load_parts(l, members);
}

Test(scene_mass, two_half_boxes_are_a_box) {
  /* Half boxes 2 x 1 x 1 beside each other, one of them given turned by 90 degrees. */
  static loaded l, k;
  const xs_world *w = load_body(
      &l,
      "\"shapes\": [{\"type\": \"box\", \"half_extents\": [1, 0.5, 0.5], \"position\": [2, 1.5, "
      "0], \"material\": \"m\"}, {\"type\": \"box\", \"half_extents\": [0.5, 1, 0.5], "
      "\"position\": "
      "[2, 2.5, 0], \"orientation\": {\"axis\": [0, 0, 1], \"angle\": {\"deg\": 90}}, "
      "\"material\": \"m\"}]");
  const xs_world *v = load_body(&k,
                                "\"shapes\": [{\"type\": \"box\", \"half_extents\": [1, 1, 0.5], "
                                "\"position\": [2, 2, 0], \"material\": \"m\"}]");
  cr_expect_float_eq(w->inertia[1].mass, v->inertia[1].mass, 1e-10);
  cr_expect_lt(vec3_distance(w->bodies[0].center_of_mass, xs_vec3_make(2, 2, 0)), 1e-14);
  cr_expect_lt(vec3_distance(w->bodies[0].p0, xs_vec3_make(2, 2, 0)), 1e-14);
  cr_expect_lt(vec3_distance(w->inertia[1].moment, v->inertia[1].moment), 1e-10);
  cr_expect_eq(w->bodies[0].q_principal.w, 1, "round-off turned the axes");
  xs_arena_free(&l.arena);
  xs_arena_free(&k.arena);
}

Test(scene_mass, densities_weigh_the_centre_of_mass) {
  static loaded l;
  const xs_world *w = load_body(
      &l,
      "\"shapes\": [{\"type\": \"sphere\", \"radius\": 0.5, \"material\": \"m\"}, {\"type\": "
      "\"sphere\", \"radius\": 0.5, \"position\": [4, 0, 0], \"material\": \"n\"}]");
  cr_expect_lt(vec3_distance(w->bodies[0].center_of_mass, xs_vec3_make(3, 0, 0)), 1e-14);
  /* Two balls on a line: 2/5 m r^2, and m 1 3/4 4^2 across it. */
  const double ball = 1000 * XS_PI / 6, own = 4 * ball * 0.4 * 0.25;
  cr_expect_float_eq(w->inertia[1].moment.x, own, 1e-9);
  cr_expect_float_eq(w->inertia[1].moment.y, own + ball * (9 + 3), 1e-9);
  cr_expect_float_eq(w->inertia[1].moment.z, own + ball * (9 + 3), 1e-9);
  xs_arena_free(&l.arena);
}

Test(scene_mass, a_turned_compound_has_turned_axes) {
  /* A box turned by 30 degrees about z: its principal axes are those of the box. */
  static loaded l;
  const xs_world *w =
      load_body(&l,
                "\"shapes\": [{\"type\": \"box\", \"half_extents\": [1, 2, 3], \"orientation\": "
                "{\"axis\": [0, 0, 1], \"angle\": {\"deg\": 30}}, \"material\": \"m\"}]");
  const double m = 48000;
  const xs_mat3 axes = xs_so3_matrix(w->bodies[0].q_principal);
  cr_expect_float_eq(w->inertia[1].mass, m, 1e-9);
  cr_expect_float_eq(w->inertia[1].moment.x, m * 13 / 3, 1e-8);
  cr_expect_float_eq(w->inertia[1].moment.y, m * 10 / 3, 1e-8);
  cr_expect_float_eq(fabs(axes.m[0][0]), cos(XS_PI / 6), 1e-13);
  xs_arena_free(&l.arena);
}

Test(scene_mass, a_mass_alone_is_spread_over_the_shapes) {
  static loaded l;
  const xs_world *w =
      load_body(&l,
                "\"mass\": 6, \"shapes\": [{\"type\": \"box\", \"half_extents\": [1, 2, 3], "
                "\"position\": [0, 0, 1], \"material\": \"bare\"}]");
  cr_expect_eq(w->inertia[1].mass, 6);
  cr_expect_lt(vec3_distance(w->inertia[1].moment, xs_vec3_make(26, 20, 10)), 1e-14);
  cr_expect_lt(vec3_distance(w->bodies[0].p0, xs_vec3_make(0, 0, 1)), 1e-15);
  xs_arena_free(&l.arena);
}

Test(scene_mass, given_mass_and_inertia_leave_shapes_the_centre) {
  static loaded l;
  const xs_world *w =
      load_body(&l,
                "\"mass\": 6, \"inertia\": [1, 2, 2], \"shapes\": [{\"type\": \"sphere\", "
                "\"radius\": 1, \"position\": [0, 0, 1], \"material\": \"m\"}]");
  cr_expect_eq(w->inertia[1].mass, 6);
  cr_expect_eq(vec3_distance(w->inertia[1].moment, xs_vec3_make(1, 2, 2)), 0);
  cr_expect_lt(vec3_distance(w->bodies[0].center_of_mass, xs_vec3_make(0, 0, 1)), 1e-15);
  xs_arena_free(&l.arena);
}

/* ---- Principal axes ---- */

Test(scene_mass, principal_axes_give_the_tensor_back) {
  static loaded l;
  const xs_world *w =
      load_body(&l,
                "\"mass\": 1, \"inertia\": [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]], "
                "\"orientation\": {\"rotation_vector\": [0.3, -0.4, 1.2]}, "
                "\"angular_velocity\": [1, 2, 3]");
  const double I[3][3] = {{2, 0.1, 0.2}, {0.1, 3, 0.3}, {0.2, 0.3, 4}};
  const xs_body *body = &w->bodies[0];
  const xs_mat3 Q = xs_so3_matrix(body->q_principal);
  const xs_mat3 D = xs_mat3_diag(w->inertia[1].moment);
  const xs_mat3 back = xs_mat3_mul(Q, xs_mat3_mult(D, Q));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) cr_expect_float_eq(back.m[i][j], I[i][j], 1e-14);

  /* The node's pose and velocity are the body's, seen from the axes. */
  const xs_quat q = xs_so3_exp(xs_vec3_make(0.3, -0.4, 1.2));
  cr_expect_lt(quat_distance(xs_quat_mul(body->q0, xs_quat_conj(body->q_principal)), q), 1e-15);
  cr_expect_lt(vec3_distance(xs_mat3_mul_vec(&Q, body->omega0), xs_vec3_make(1, 2, 3)), 1e-14);
  xs_arena_free(&l.arena);
}

Test(scene_mass, a_flat_disc_is_allowed) {
  static loaded l;
  const xs_world *w = load_body(&l, "\"mass\": 1, \"inertia\": [1, 1, 2]");
  cr_expect_eq(w->inertia[1].moment.z, 2);
  xs_arena_free(&l.arena);
}

Test(scene_mass, fixed_bodies_have_no_inverse_mass) {
  static loaded l;
  const xs_world *w = load_body(
      &l,
      "\"fixed\": true, \"mass\": 5, \"position\": [1, 0, 0], \"shapes\": [{\"type\": \"plane\"}]");
  cr_expect_eq(w->bodies[0].fixed, 1);
  cr_expect_eq(w->inertia[1].inv_mass, 0);
  cr_expect_eq(vec3_distance(w->inertia[1].inv_moment, xs_vec3_make(0, 0, 0)), 0);
  cr_expect_eq(vec3_distance(w->bodies[0].p0, xs_vec3_make(1, 0, 0)), 0);
  cr_expect_eq(w->size, 1);
  xs_arena_free(&l.arena);
}
