/* What scenes say of rods, against what can be said without the code: masses and inertias by
 * hand, Cowper's factors and Saint-Venant's torsion from tables, frames and curvatures of
 * helices, arcs and curves in closed form, ends, loads and joints on nodes. */
#include <math.h>
#include <stdlib.h>

#include "constraint/joint.h"
#include "constraint/rod.h"
#include "scene_helpers.h"

static const double pi = 3.14159265358979323846;

static const char rubber[] =
    "\"materials\": {\"rubber\": {\"density\": 1000, \"youngs_modulus\": 5e6, "
    "\"poisson_ratio\": 0.5}}";

/* A scene of one rod with these members besides name and material, and more lists. */
static const xs_world *load_rod(loaded *l, const char *members, const char *more) {
  char *text = malloc(65536);
  const int n = snprintf(text, 65536,
                         "{\"time\": {\"step\": 1e-3, \"duration\": 1}, %s, \"rods\": [{\"name\": "
                         "\"beam\", \"material\": \"rubber\", %s}]%s}",
                         rubber, members, more);
  cr_assert(n > 0 && n < 65536);
  load_text(l, text, 0, NULL);
  if (l->status != XS_OK) xs_report_print(&l->report, stderr, XS_REPORT_AS_TEXT, 0);
  cr_assert_eq(l->status, XS_OK, "the scene was refused");
  free(text);
  return l->world;
}

#define ROUND "\"section\": {\"radius\": 0.05}"

static void expect_vec3(xs_vec3 found, xs_vec3 expected, double tolerance, const char *what) {
  cr_expect(vec3_distance(found, expected) <= tolerance,
            "%s: (%.15g, %.15g, %.15g), expected (%.15g, %.15g, %.15g)", what, found.x, found.y,
            found.z, expected.x, expected.y, expected.z);
}

/* ---- Inertia ---- */

static const char *const discretizations[] = {"rigid_chain", "linear", "quadratic", "cubic"};

static const xs_world *load_discretization(loaded *l, int d, int elements) {
  char members[512];
  snprintf(members, sizeof members,
           "\"discretization\": \"%s\", \"elements\": %d, \"shape\": {\"type\": \"straight\", "
           "\"length\": 2}, " ROUND,
           discretizations[d], elements);
  return load_rod(l, members, "");
}

Test(scene_rod, masses_sum_up) {
  const double A = pi * 0.05 * 0.05, I = pi * pow(0.05, 4) / 4;
  for (int d = 0; d < 4; d++) {
    loaded *l = calloc(1, sizeof *l);
    const xs_world *w = load_discretization(l, d, 7);
    double mass = 0;
    xs_vec3 moment = {0, 0, 0};
    for (int i = 1; i < w->n_nodes; i++) {
      mass += w->inertia[i].mass;
      moment = xs_vec3_add(moment, w->inertia[i].moment);
      cr_expect_float_eq(w->inertia[i].mass * w->inertia[i].inv_mass, 1, 1e-15);
    }
    /* The chain's end bodies have m l_end^2 besides, about d2. */
    const double end = 1.0 / 7, extra = d == 0 ? 2 * 1000 * A * end * end * end : 0;
    cr_expect_float_eq(mass, 1000 * A * 2, 1e-13 * mass);
    cr_expect_float_eq(moment.x, 1000 * I * 2, 1e-13 * moment.x);
    cr_expect_float_eq(moment.y, 1000 * I * 2 + extra, 1e-13 * moment.y);
    cr_expect_float_eq(moment.z, 1000 * 2 * I * 2, 1e-13 * moment.z);
    xs_arena_free(&l->arena);
    free(l);
  }
}

Test(scene_rod, elements_give_their_nodes_the_lumped_parts) {
  static const double parts[4][7] = {{0.5, 1, 0.5},
                                     {0.5, 1, 0.5},
                                     {1.0 / 6, 2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 6},
                                     {0.125, 0.375, 0.375, 0.25, 0.375, 0.375, 0.125}};
  for (int d = 0; d < 4; d++) {
    loaded *l = calloc(1, sizeof *l);
    const xs_world *w = load_discretization(l, d, 2);
    const xs_rod *rod = &w->rods[0];
    cr_assert_eq(rod->n_nodes, d == 0 ? 3 : 2 * d + 1);
    for (int i = 0; i < rod->n_nodes; i++) {
      cr_expect_float_eq(w->inertia[rod->first_node + i].mass, parts[d][i] * 2.5 * pi, 1e-14);
      cr_expect_float_eq(rod->arc_length[i], 2.0 * i / (rod->n_nodes - 1), 1e-15);
    }
    xs_arena_free(&l->arena);
    free(l);
  }
}

/* ---- Sections ---- */

/* kappa of a section, from K = kappa G A and E A. */
static double kappa_of(const char *section, double nu) {
  loaded *l = calloc(1, sizeof *l);
  char members[512], set[64];
  const char *sets[] = {set};
  snprintf(members, sizeof members,
           "{\"time\": {\"step\": 1, \"duration\": 1}, %s, \"rods\": [{\"name\": \"beam\", "
           "\"material\": \"rubber\", \"discretization\": \"linear\", \"elements\": 1, "
           "\"shape\": {\"type\": \"straight\", \"length\": 1}, \"section\": %s}]}",
           rubber, section);
  snprintf(set, sizeof set, "materials.rubber.poisson_ratio=%g", nu);
  load_text(l, members, 1, sets);
  cr_assert_eq(l->status, XS_OK);
  const xs_vec3 K = l->world->rods[0].K_shear;
  cr_expect_eq(K.x, K.y);
  const double kappa = K.x / K.z * 2 * (1 + nu);
  xs_arena_free(&l->arena);
  free(l);
  return kappa;
}

Test(scene_rod, shear_is_corrected_by_cowper) {
  cr_expect_float_eq(kappa_of("{\"radius\": 0.05}", 0.5), 0.9, 1e-14);
  cr_expect_float_eq(kappa_of("{\"radius\": 0.05}", 0.4), 0.893617021276596, 1e-14);
  cr_expect_float_eq(kappa_of("{\"radius\": 0.05}", 0.3), 0.886363636363636, 1e-14);
  cr_expect_float_eq(kappa_of("{\"width\": 0.1, \"height\": 0.2}", 0.3), 13 / 15.3, 1e-14);
  cr_expect_float_eq(kappa_of("{\"width\": 0.1, \"height\": 0.2}", 0), 10.0 / 12, 1e-14);
  /* Half hollow: 6.0 (25/16)/(7.0 (25/16) + 20/4); thin: 2 (1 + nu)/(4 + 3 nu). */
  cr_expect_float_eq(kappa_of("{\"radius\": 0.2, \"inner_radius\": 0.1}", 0),
                     6 * 1.5625 / (7 * 1.5625 + 5), 1e-14);
  cr_expect_float_eq(kappa_of("{\"radius\": 1, \"inner_radius\": 0.999999}", 0.3), 2.6 / 4.9, 1e-5);
}

Test(scene_rod, sections_bend_and_twist) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(
      l,
      "\"discretization\": \"linear\", \"elements\": 1, \"shape\": {\"type\": \"straight\", "
      "\"length\": 1}, \"section\": {\"width\": 0.2, \"height\": 0.1}",
      "");
  /* I1 = w h^3/12, I2 = h w^3/12; J = 0.228682 a b^3 for a = 2 b (Timoshenko's table). */
  const double E = 5e6, G = 5e6 / 3, w2 = 0.2, h = 0.1;
  cr_expect_float_eq(w->rods[0].K_bend.x, E * w2 * h * h * h / 12, 1e-9);
  cr_expect_float_eq(w->rods[0].K_bend.y, E * h * w2 * w2 * w2 / 12, 1e-9);
  cr_expect_float_eq(w->rods[0].K_bend.z, G * 0.228682 * w2 * h * h * h, 2e-6 * G * w2 * h * h * h);
  cr_expect_float_eq(w->rods[0].K_shear.z, E * w2 * h, 1e-9);
  xs_arena_free(&l->arena);

  /* A tube, from areas and moments of circles. */
  *l = (loaded){0};
  w = load_rod(l,
               "\"discretization\": \"linear\", \"elements\": 1, \"shape\": {\"type\": "
               "\"straight\", \"length\": 1}, \"section\": {\"radius\": 0.2, \"inner_radius\": "
               "0.1}",
               "");
  cr_expect_float_eq(w->rods[0].K_shear.z, E * pi * 0.03, 1e-8);
  cr_expect_float_eq(w->rods[0].K_bend.x, E * pi * (0.0016 - 0.0001) / 4, 1e-9);
  cr_expect_float_eq(w->rods[0].K_bend.z, G * pi * (0.0016 - 0.0001) / 2, 1e-9);
  xs_arena_free(&l->arena);

  /* Stiffness as given, zeros too; inertia from area and moments. */
  *l = (loaded){0};
  w = load_rod(l,
               "\"discretization\": \"linear\", \"elements\": 2, \"shape\": {\"type\": "
               "\"straight\", \"length\": 2}, \"section\": {\"area\": 0.01, \"second_moments\": "
               "[1e-6, 2e-6, 5e-6]}, \"stiffness\": {\"shear\": [1, 2, 0], \"bend\": [4, 5, 6]}, "
               "\"damping\": 1e5",
               "");
  expect_vec3(w->rods[0].K_shear, xs_vec3_make(1, 2, 0), 0, "shear");
  expect_vec3(w->rods[0].K_bend, xs_vec3_make(4, 5, 6), 0, "bend");
  expect_vec3(w->inertia[2].moment, xs_vec3_make(1e-3, 2e-3, 3e-3), 1e-17, "moment");
  cr_expect_float_eq(w->inertia[2].mass, 10, 1e-14);
  cr_expect_float_eq(w->rods[0].damping_time, 0.02, 1e-16);
  xs_arena_free(&l->arena);
  free(l);
}

/* ---- Shapes ---- */

/* Columns of the frame of node i of the only rod. */
static xs_vec3 director(const xs_world *w, int i, int k) {
  const xs_mat3 R = xs_so3_matrix(w->start[w->rods[0].first_node + i].q);
  return xs_mat3_column(&R, k);
}
static xs_vec3 place(const xs_world *w, int i) { return w->start[w->rods[0].first_node + i].p; }

Test(scene_rod, straight_rods_lie_along_z_of_their_pose) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(
      l,
      "\"discretization\": \"cubic\", \"elements\": 2, \"shape\": {\"type\": \"straight\", "
      "\"length\": 3}, \"pose\": {\"position\": [1, 2, 3], \"orientation\": {\"axis\": [0, 1, 0], "
      "\"angle\": {\"deg\": 90}}}, " ROUND,
      "");
  for (int i = 0; i < 7; i++) {
    expect_vec3(place(w, i), xs_vec3_make(1 + 0.5 * i, 2, 3), 1e-14, "node");
    expect_vec3(director(w, i, 2), xs_vec3_make(1, 0, 0), 1e-15, "d3");
    expect_vec3(director(w, i, 0), xs_vec3_make(0, 0, -1), 1e-15, "d1");
  }
  cr_expect_float_eq(w->size, 3, 1e-14);
  cr_expect_eq(w->n_nodes, 8);
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, helices_have_frenet_frames) {
  for (int hand = -1; hand <= 1; hand += 2) {
    loaded *l = calloc(1, sizeof *l);
    char members[512];
    snprintf(members, sizeof members,
             "\"discretization\": \"quadratic\", \"elements\": 30, \"shape\": {\"type\": "
             "\"helix\", \"radius\": 0.1, \"turns\": 2.5, \"height\": %g}, " ROUND,
             hand * 0.7);
    const xs_world *w = load_rod(l, members, "");
    const xs_rod *rod = &w->rods[0];
    const double r = 0.1, c = hand * 0.7 / (5 * pi), q = sqrt(r * r + c * c);
    for (int i = 0; i < rod->n_nodes; i++) {
      const double t = 5 * pi * i / 60;
      expect_vec3(place(w, i), xs_vec3_make(r * cos(t), r * sin(t), c * t), 1e-14, "node");
      expect_vec3(director(w, i, 0), xs_vec3_make(-cos(t), -sin(t), 0), 1e-14, "N");
      expect_vec3(director(w, i, 2), xs_vec3_make(-r * sin(t) / q, r * cos(t) / q, c / q), 1e-14,
                  "T");
      cr_expect_float_eq(rod->arc_length[i], q * t, 1e-14);
      cr_expect(w->start[rod->first_node + i].q.w >= 0);
    }
    for (int g = 0; g < rod->n_elements * rod->n_gauss; g++)
      expect_vec3(rod->rest_bend[g], xs_vec3_make(0, r / (q * q), c / (q * q)), 1e-13, "u*");
    xs_arena_free(&l->arena);
    free(l);
  }
}

Test(scene_rod, arcs_turn_towards_x) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w =
      load_rod(l,
               "\"discretization\": \"linear\", \"elements\": 6, \"shape\": "
               "{\"type\": \"arc\", \"radius\": 2, \"angle\": {\"deg\": 90}}, " ROUND,
               "");
  expect_vec3(place(w, 0), xs_vec3_make(0, 0, 0), 0, "start");
  expect_vec3(place(w, 6), xs_vec3_make(2, 0, 2), 1e-14, "end");
  expect_vec3(director(w, 6, 2), xs_vec3_make(1, 0, 0), 1e-15, "tangent at the end");
  expect_vec3(director(w, 6, 0), xs_vec3_make(0, 0, -1), 1e-15, "d1 at the end");
  cr_expect_float_eq(w->rods[0].element_length, pi / 6, 1e-15);
  expect_vec3(w->rods[0].rest_bend[3], xs_vec3_make(0, 0.5, 0), 0, "u*");

  /* Linear elements see just this curvature; the arc is then nearly without strain. */
  xs_vec3 shear[6], bend[6];
  xs_pose x[8];
  for (int i = 0; i < 8; i++)
    x[i] = (xs_pose){w->start[i].p, w->start[i].q, xs_so3_matrix(w->start[i].q)};
  xs_rod_strains(&w->rods[0], x, shear, bend);
  for (int g = 0; g < 6; g++) expect_vec3(bend[g], xs_vec3_make(0, 0, 0), 1e-14, "u - u*");
  xs_arena_free(&l->arena);
  free(l);
}

/* ---- Curves ---- */

/* A rod along a curve through n + 1 points of p(t), t = 0 .. 1. */
static const xs_world *load_curve(loaded *l, int n, xs_vec3 (*p)(double), int elements) {
  char *members = malloc(60000);
  int used = snprintf(members, 60000,
                      "\"discretization\": \"cubic\", \"elements\": %d, " ROUND
                      ", \"shape\": {\"type\": \"curve\", \"points\": [",
                      elements);
  for (int i = 0; i <= n; i++) {
    const xs_vec3 a = p((double)i / n);
    used += snprintf(members + used, (size_t)(60000 - used), "%s[%.17g, %.17g, %.17g]",
                     i > 0 ? ", " : "", a.x, a.y, a.z);
  }
  snprintf(members + used, (size_t)(60000 - used), "]}");
  const xs_world *w = load_rod(l, members, "");
  free(members);
  return w;
}

static xs_vec3 line(double t) { return xs_vec3_make(0, 3 * t, 4 * t); }
static xs_vec3 arc(double t) { /* half a turn of radius 2 from the origin along z, to x */
  return xs_vec3_make(2 - 2 * cos(pi * t), 0, 2 * sin(pi * t));
}
static xs_vec3 helix(double t) { /* one turn, r = 0.5, c = 0.2 */
  return xs_vec3_make(0.5 * cos(2 * pi * t), 0.5 * sin(2 * pi * t), 0.2 * 2 * pi * t);
}

Test(scene_rod, curve_through_two_points_is_a_line) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_curve(l, 1, line, 4);
  cr_expect_float_eq(w->rods[0].element_length, 1.25, 1e-14);
  for (int i = 0; i < 13; i++) {
    expect_vec3(place(w, i), line(i / 12.0), 1e-14, "node");
    expect_vec3(director(w, i, 0), xs_vec3_make(1, 0, 0), 1e-15, "d1");
    expect_vec3(director(w, i, 2), xs_vec3_make(0, 0.6, 0.8), 1e-15, "d3");
  }
  for (int g = 0; g < 12; g++)
    expect_vec3(w->rods[0].rest_bend[g], xs_vec3_make(0, 0, 0), 1e-14, "u*");
  xs_arena_free(&l->arena);
  free(l);
}

/* Largest errors of a curve through n points of the arc: place, frame, curvature. */
typedef struct curve_error {
  double place, frame, bend;
} curve_error;

static curve_error error_of_arc(int n) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_curve(l, n, arc, 10);
  const xs_rod *rod = &w->rods[0];
  curve_error e = {0, 0, 0};
  for (int i = 0; i < rod->n_nodes; i++) {
    const double t = i / 30.0, half = pi * t / 2;
    const xs_quat q = {cos(half), 0, sin(half), 0};
    e.place = fmax(e.place, vec3_distance(place(w, i), arc(t)));
    e.frame = fmax(e.frame, quat_distance(w->start[rod->first_node + i].q, q));
  }
  for (int g = 0; g < 30; g++)
    e.bend = fmax(e.bend, vec3_distance(rod->rest_bend[g], xs_vec3_make(0, 0.5, 0)));
  xs_arena_free(&l->arena);
  free(l);
  return e;
}

/* A spline through points h apart is off by parts of h^4 p'''' in place, h^3 in its tangent and
 * h^2 in its curvature, most at the ends; here |p''''| = 1/r^3 = 1/8. */
Test(scene_rod, curve_through_an_arc_is_the_arc) {
  for (int n = 32; n <= 256; n *= 2) {
    const curve_error e = error_of_arc(n);
    const double h = 2 * pi / n, h2 = h * h;
    cr_expect_lt(e.place, 0.05 * h2 * h2 / 8, "%d points, place: %g h^4/8", n,
                 e.place / h2 / h2 * 8);
    cr_expect_lt(e.frame, 0.25 * h2 * h / 8, "%d points, frame: %g h^3/8", n, e.frame / h2 / h * 8);
    cr_expect_lt(e.bend, 1.0 * h2 / 8, "%d points, curvature: %g h^2/8", n, e.bend / h2 * 8);
  }
}

Test(scene_rod, curve_through_a_helix_is_transported_in_parallel) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_curve(l, 256, helix, 10);
  const xs_rod *rod = &w->rods[0];
  const double r = 0.5, c = 0.2, q = sqrt(r * r + c * c), torsion = c / (q * q);
  const double h = 2 * pi * q / 256;
  double start = 0;
  for (int i = 0; i < rod->n_nodes; i++) {
    const double t = 2 * pi * i / 30;
    const xs_vec3 N = {-cos(t), -sin(t), 0}, T = {-r / q * sin(t), r / q * cos(t), c / q};
    const xs_vec3 B = xs_vec3_cross(T, N), d1 = director(w, i, 0);
    expect_vec3(place(w, i), helix(i / 30.0), 1e-8, "node");
    expect_vec3(director(w, i, 2), T, 0.25 * h * h * h * r / pow(q, 4), "d3"); /* as of the arc */

    /* Against Frenet's frame it turns back by the torsion. */
    const double phi = atan2(xs_vec3_dot(d1, B), xs_vec3_dot(d1, N));
    if (i == 0) start = phi;
    cr_expect_lt(fabs(remainder(phi - start + torsion * q * t, 2 * pi)), 1e-6, "node %d", i);
  }
  for (int g = 0; g < rod->n_elements * rod->n_gauss; g++) {
    cr_expect_eq(rod->rest_bend[g].z, 0);
    cr_expect_float_eq(xs_vec3_norm(rod->rest_bend[g]), r / (q * q), 1e-3);
  }

  /* Elements are of equal length along a curve of constant curvature: so are their chords. */
  const double chord = vec3_distance(place(w, 0), place(w, 3));
  for (int e = 1; e < 10; e++)
    cr_expect_float_eq(vec3_distance(place(w, 3 * e), place(w, 3 * e + 3)), chord, 1e-8);
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, frames_of_curves_do_not_depend_on_the_elements) {
  loaded *few = calloc(1, sizeof *few), *many = calloc(1, sizeof *many);
  const xs_world *a = load_curve(few, 24, helix, 2), *b = load_curve(many, 24, helix, 200);
  for (int i = 0; i <= 6; i++) {
    expect_vec3(place(a, i), place(b, 100 * i), 1e-14, "node");
    cr_expect_lt(quat_distance(a->start[1 + i].q, b->start[1 + 100 * i].q), 1e-12);
  }
  xs_arena_free(&few->arena);
  xs_arena_free(&many->arena);
  free(few);
  free(many);
}

/* ---- Rest, velocities ---- */

#define LINE4                                                                                    \
  "\"discretization\": \"linear\", \"elements\": 2, \"shape\": {\"type\": \"arc\", \"radius\": " \
  "2, "                                                                                          \
  "\"angle\": 1}, " ROUND

Test(scene_rod, rest_may_be_straight_or_curved) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(l, LINE4 ", \"rest\": \"straight\"", "");
  expect_vec3(w->rods[0].rest_bend[1], xs_vec3_make(0, 0, 0), 0, "straight");
  xs_arena_free(&l->arena);
  *l = (loaded){0};
  w = load_rod(l, LINE4 ", \"rest\": {\"curvature\": [0.1, 0.2, 0.3]}", "");
  expect_vec3(w->rods[0].rest_bend[1], xs_vec3_make(0.1, 0.2, 0.3), 0, "constant");
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, velocities_are_one_or_a_row_a_node) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w =
      load_rod(l,
               LINE4
               ", \"linear_velocity\": [1, 2, 3], \"angular_velocity\": [[0, 0, 1], [0, 0, 2], "
               "[0, 0, 3]]",
               "");
  for (int i = 0; i < 3; i++) {
    expect_vec3(w->start[1 + i].v, xs_vec3_make(1, 2, 3), 0, "v");
    expect_vec3(w->start[1 + i].omega, xs_vec3_make(0, 0, 1 + i), 0, "omega");
  }
  xs_arena_free(&l->arena);
  free(l);
}

/* ---- Ends, joints, loads ---- */

Test(scene_rod, ends_are_joints_behind_those_of_the_scene) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w =
      load_rod(l,
               LINE4
               ", \"pose\": {\"position\": [1, 0, 0]}, \"ends\": {\"start\": \"clamped\", "
               "\"end\": \"pinned\"}",
               ", \"joints\": [{\"name\": \"mid\", \"type\": \"spherical\", \"body2\": {\"rod\": "
               "\"beam\", \"node\": 1}, \"at\": {\"position\": [1, 0, 1]}}]");
  cr_assert_eq(w->n_joints, 3);
  cr_expect_str_eq(w->joints[1].name, "beam-start");
  cr_expect_str_eq(w->joints[2].name, "beam-end");
  cr_expect_eq(w->joints[1].type, XS_JOINT_FIXED);
  cr_expect_eq(w->joints[2].type, XS_JOINT_SPHERICAL);
  cr_expect(w->joints[0].node2 == 2 && w->joints[1].node2 == 1 && w->joints[2].node2 == 3);
  for (int j = 1; j < 3; j++) {
    const xs_joint *joint = &w->joints[j];
    const xs_node_start *node = &w->start[joint->node2];
    cr_expect_eq(joint->node1, XS_GROUND);
    expect_vec3(joint->frame1.r, node->p, 0, "place");
    cr_expect_lt(quat_distance(joint->frame1.q, node->q), 1e-15);
    expect_vec3(joint->frame2.r, xs_vec3_make(0, 0, 0), 0, "arm");
    cr_expect(isnan(joint->length) && joint->limit.max == INFINITY && joint->target == NULL);
  }

  /* "at" in the node's frame. */
  const xs_mat3 R = xs_so3_matrix(w->start[2].q);
  const xs_vec3 arm = xs_vec3_sub(xs_vec3_make(1, 0, 1), w->start[2].p);
  expect_vec3(w->joints[0].frame2.r, xs_mat3_tmul_vec(&R, arm), 1e-15, "frame 2");
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, nodes_join_bodies_rods_and_each_other) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(
      l, LINE4,
      ", \"bodies\": [{\"name\": \"a\", \"position\": [0, 1, 0], \"mass\": 1, \"inertia\": [1, 1, "
      "1]}], \"joints\": [{\"name\": \"i\", \"type\": \"fixed\", \"body1\": {\"rod\": \"beam\", "
      "\"node\": \"end\"}, \"body2\": \"a\"}, {\"name\": \"j\", \"type\": \"fixed\", \"body1\": "
      "{\"rod\": \"beam\", \"node\": \"start\"}, \"body2\": {\"rod\": \"beam\", \"node\": 2}}]");
  cr_expect(w->joints[0].node1 == 4 && w->joints[0].node2 == 1);
  cr_expect(w->joints[1].node1 == 2 && w->joints[1].node2 == 4);
  cr_expect_eq(w->rods[0].first_node, 2);
  /* Neither at nor frames: body 2's own frame. */
  expect_vec3(w->joints[1].frame2.r, xs_vec3_make(0, 0, 0), 1e-16, "own frame");
  const xs_mat3 R = xs_so3_matrix(w->start[2].q);
  expect_vec3(w->joints[1].frame1.r,
              xs_mat3_tmul_vec(&R, xs_vec3_sub(w->start[4].p, w->start[2].p)), 1e-15, "frame 1");
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, loads_act_on_nodes) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(
      l, LINE4,
      ", \"loads\": [{\"rod\": \"beam\", \"node\": \"end\", \"force\": [0, 0, 5]}, {\"rod\": "
      "\"beam\", \"node\": 1, \"torque\": [0, 1e6, 0], \"frame\": \"body\"}]");
  cr_expect(w->loads[0].node == 3 && !w->loads[0].follower);
  cr_expect(w->loads[1].node == 2 && w->loads[1].follower);
  cr_expect_float_eq(xs_timefn_value(w->loads[0].force.z, 0), 5, 0);
  cr_expect_lt(quat_distance(w->loads[1].q_principal, xs_quat_identity()), 1e-16);

  /* A node has little inertia: the step is far too large for such a torque. */
  cr_expect_eq(l->report.n_warnings, 1);
  cr_expect_not_null(strstr(l->report.kept[0].text, "turns the node by"));
  xs_arena_free(&l->arena);
  free(l);
}

Test(scene_rod, nodes_are_named_after_their_rod) {
  loaded *l = calloc(1, sizeof *l);
  const xs_world *w = load_rod(l, LINE4, "");
  cr_expect_str_eq(xs_world_node_name(w, 3), "beam");
  cr_expect_str_eq(xs_world_node_kind(w, 3), "rod");
  xs_arena_free(&l->arena);
  free(l);
}
