/* Rods: elements along a centreline, rest curvature, damping, start of the nodes.
 *
 * Nodes start on the line, with its frames; what an element then is strained by follows. The
 * rest curvature u* at Gauss points is that of the line there (exact), zero, or a constant.
 * An element must neither start nor rest with a node turned by 0.95 pi or more from its
 * reference, which is its first node or, with 3 and 4 nodes, its middle. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "constraint/rod.h"
#include "io/scene_rod.h"

static const double largest_turn = 0.95 * XS_PI;

static const char *const discretizations[] = {"rigid_chain", "linear", "quadratic", "cubic", NULL};
_Static_assert(XS_ROD_CHAIN == 0 && XS_ROD_LINEAR == 1 && XS_ROD_CUBIC == 3, "order of the words");

/* ---- Elements ---- */

static xs_rod_discretization discretization_of(const xs_json *value) {
  return (xs_rod_discretization)xs_scene_build_word(value, "discretization", discretizations);
}

int xs_scene_build_count_rod_nodes(const xs_json *value) {
  if (value->type == XS_JSON_NULL) return 0;
  const int per_element = xs_rod_element_nodes(discretization_of(value)) - 1;
  return xs_scene_build_integer(value, "elements") * per_element + 1;
}

/* Bytes that a rod takes, about: band, gradients, nodes. */
static double memory_of(const xs_json *value) {
  const double nodes = xs_scene_build_count_rod_nodes(value);
  const double elements = xs_scene_build_number(value, "elements");
  const double n = xs_rod_element_nodes(discretization_of(value)), m = n - 1;
  return elements * (576 * m * m + 576 * m * n) + 900 * nodes;
}

int xs_scene_build_check_memory(xs_build *build) {
  const double nodes_max = 1e8; /* rows are counted by int */
  /* What a body and a joint take at least, by --check on chains of them. */
  const double a_body = 8e3, a_joint = 3e3, memory = xs_memory_limit();
  const xs_json *bodies = xs_scene_build_list(build, "bodies");
  const double n_bodies = bodies->count, n_joints = xs_scene_build_list(build, "joints")->count;
  double needed = a_body * n_bodies + a_joint * n_joints, nodes = 0;
  if (needed >= memory) {
    xs_scene_build_error(build, bodies,
                         "%.0f bodies and %.0f joints need about %.3g GB of memory; there are %.3g "
                         "GB: take fewer",
                         n_bodies, n_joints, needed / 1e9, memory / 1e9);
    return 0;
  }
  for (const xs_json *item = xs_scene_build_list(build, "rods")->first; item != NULL;
       item = item->next) {
    if (item->type == XS_JSON_NULL) continue;
    needed += memory_of(item);
    nodes += xs_scene_build_count_rod_nodes(item);
    if (needed < memory && nodes <= nodes_max) continue;
    xs_scene_build_error(build, xs_json_member(item, "elements"),
                         "the rods up to this one have %.3g nodes and need about %.3g GB of "
                         "memory; there are %.3g GB, and %g nodes are the most: take fewer "
                         "elements",
                         nodes, needed / 1e9, memory / 1e9, nodes_max);
    return 0;
  }
  return 1;
}

/* Part of an element's turn that its farthest node has from the reference. */
static double reach(const xs_rod *rod) {
  return xs_rod_element_nodes(rod->discretization) == 2 ? 1 : 0.5;
}

static int find_quadrature(xs_build *build, const xs_json *value, xs_rod *rod) {
  static const char *const quadratures[] = {"reduced", "full", NULL};
  const int full = xs_scene_build_word(value, "quadrature", quadratures);
  rod->n_gauss = xs_rod_element_nodes(rod->discretization) - 1 + full;
  if (!full || rod->discretization != XS_ROD_CHAIN) return 1;
  xs_scene_build_error(build, xs_json_member(value, "quadrature"),
                       "a rigid_chain has one point a joint: leave quadrature out, or take linear "
                       "elements");
  return 0;
}

static int find_damping(xs_build *build, const xs_json *value, xs_rod *rod) {
  const double beta = xs_scene_build_number(value, "damping");
  if (beta == 0) return 1;
  const xs_json *name = xs_json_member(value, "material");
  const int index =
      xs_scene_names_find(xs_scene_names_list(build->names, "materials"), name->string);
  const xs_material *material = &build->world->materials[index];
  if (material->name == NULL) return 0;
  rod->damping_time = beta / material->youngs_modulus;
  if (rod->damping_time > 0 && isfinite(rod->damping_time)) return 1;
  if (isnan(material->youngs_modulus))
    xs_scene_build_error(build, xs_json_member(value, "damping"),
                         "damping needs the youngs_modulus of the material \"%s\"", name->string);
  else
    xs_scene_build_error(build, xs_json_member(value, "damping"),
                         "damping / youngs_modulus = %.3g s is out of range", rod->damping_time);
  return 0;
}

/* ---- Start ---- */

/* Velocity of node i: one for all, or its row. Rows come one after the other. */
static xs_vec3 velocity_of(const xs_json *value, const xs_json **row) {
  if (value->first->type == XS_JSON_NUMBER) return xs_scene_build_vec3(value);
  *row = *row == NULL ? value->first : (*row)->next;
  return xs_scene_build_vec3(*row);
}

static int check_rows(xs_build *build, const xs_json *value, const char *key, const xs_rod *rod) {
  const xs_json *rows = xs_json_member(value, key);
  if (rows->first->type == XS_JSON_NUMBER || rows->count == rod->n_nodes) return 1;
  xs_scene_build_error(build, rows, "the rod has %d nodes, found %d rows", rod->n_nodes,
                       rows->count);
  return 0;
}

static void place_node(xs_build *build, int node, xs_frame frame, xs_node_start *start) {
  const xs_frame none = {{0, 0, 0}, xs_quat_identity()};
  const xs_quat q = xs_so3_normalize(frame.q);
  frame.q = q.w < 0 ? (xs_quat){-q.w, -q.x, -q.y, -q.z} : q;
  start->p = frame.r;
  start->q = frame.q;
  build->node[node] = (xs_build_node){1, 1, frame, frame, none};
  xs_scene_build_box_add(&build->box, frame.r, xs_vec3_make(0, 0, 0));
}

/* Nodes on the line; *turn is the largest turn of an element. */
static int place_nodes(xs_build *build, const xs_json *value, const xs_rod *rod, xs_rod_line *line,
                       double *arc_length, xs_node_start *start, double *turn) {
  const xs_json *linear = xs_json_member(value, "linear_velocity"), *row_v = NULL;
  const xs_json *angular = xs_json_member(value, "angular_velocity"), *row_w = NULL;
  const int per_element = xs_rod_element_nodes(rod->discretization) - 1;
  xs_frame pose;
  if (!xs_scene_build_frame(build, xs_json_member(value, "pose"), &pose)) return 0;
  double turned = 0;
  *turn = 0;
  for (int i = 0; i < rod->n_nodes; i++) {
    const double part = (double)i / (rod->n_nodes - 1);
    arc_length[i] = line->length * part;
    const xs_rod_place place = xs_scene_rod_line_at(line, arc_length[i]);
    if (i % per_element == 0) {
      *turn = fmax(*turn, place.turned - turned);
      turned = place.turned;
    }
    place_node(build, rod->first_node + i, xs_frame_compose(pose, place.frame), &start[i]);
    start[i].v = velocity_of(linear, &row_v);
    start[i].omega = velocity_of(angular, &row_w);
  }
  return 1;
}

/* ---- Rest ---- */

/* u* at the Gauss points; *bend is the largest |u*|. */
static void find_rest(const xs_json *value, const xs_rod *rod, xs_rod_line *line, xs_vec3 *rest,
                      double *gauss, double *bend) {
  const xs_json *given = xs_json_member(value, "rest");
  const int from_shape = given->type == XS_JSON_STRING && strcmp(given->string, "shape") == 0;
  const xs_vec3 constant = given->type == XS_JSON_OBJECT
                               ? xs_scene_build_vec3(xs_json_member(given, "curvature"))
                               : xs_vec3_make(0, 0, 0);
  xs_rod_gauss_arc_length(rod, gauss);
  xs_scene_rod_line_rewind(line);
  *bend = 0;
  for (int g = 0; g < rod->n_elements * rod->n_gauss; g++) {
    rest[g] = from_shape ? xs_scene_rod_line_at(line, gauss[g]).bend : constant;
    *bend = fmax(*bend, xs_vec3_norm(rest[g]));
  }
}

static int check_turns(xs_build *build, const xs_json *value, const xs_rod *rod, double turn,
                       double bend) {
  const double start = turn * reach(rod), rest = bend * rod->element_length * reach(rod);
  if (!(start < largest_turn)) {
    xs_scene_build_error(build, xs_json_member(value, "elements"),
                         "an element of the rod would start turned by %.3g pi from its reference, "
                         "0.95 pi is the limit of its interpolation: take more elements",
                         start / XS_PI);
    return 0;
  }
  if (rest < largest_turn) return 1;
  xs_scene_build_error(build, xs_json_member(value, "rest"),
                       "at rest an element of the rod would be turned by %.3g pi from its "
                       "reference, 0.95 pi is the limit of its interpolation: take more elements",
                       rest / XS_PI);
  return 0;
}

/* ---- Rods ---- */

/* What needs the line: nodes and rest. */
static int build_along(xs_build *build, const xs_json *value, xs_rod *rod, xs_rod_line *line) {
  const int n_points = rod->n_elements * rod->n_gauss;
  double *arc_length = XS_BUILD_NEW(build, double, rod->n_nodes);
  double *gauss = XS_BUILD_NEW(build, double, n_points);
  xs_vec3 *rest = XS_BUILD_NEW(build, xs_vec3, n_points);
  if (arc_length == NULL || gauss == NULL || rest == NULL) return 0;
  double turn, bend;
  xs_node_start *start = build->start + rod->first_node;
  rod->element_length = line->length / rod->n_elements;
  rod->arc_length = arc_length;
  rod->rest_bend = rest;
  if (!check_rows(build, value, "linear_velocity", rod) ||
      !check_rows(build, value, "angular_velocity", rod) ||
      !place_nodes(build, value, rod, line, arc_length, start, &turn))
    return 0;
  find_rest(value, rod, line, rest, gauss, &bend);
  return check_turns(build, value, rod, turn, bend);
}

/* The tube that touches, and the material whose friction it has; 0: no radius is known. */
static void find_surface(xs_build *build, const xs_json *value, xs_rod *rod) {
  const xs_json *radius = xs_json_member(value, "contact_radius");
  const xs_json *section = xs_json_member(value, "section");
  if (radius == NULL) radius = xs_json_member(section, "radius");
  rod->contact_radius = radius != NULL && radius->type == XS_JSON_NUMBER ? radius->number : 0;
  rod->material = xs_scene_names_find(xs_scene_names_list(build->names, "materials"),
                                      xs_scene_build_string(value, "material"));
}

static void build_rod(xs_build *build, const xs_json *value, xs_rod *rod) {
  rod->name = xs_scene_build_string(value, "name");
  rod->discretization = discretization_of(value);
  rod->n_elements = xs_scene_build_integer(value, "elements");
  find_surface(build, value, rod);

  /* Everything is looked at, so that all that is wrong is said. */
  xs_rod_line line;
  xs_rod_section section;
  int good = find_quadrature(build, value, rod);
  const int has_section = xs_scene_rod_section_read(build, value, &section);
  const int has_line = xs_scene_rod_line_read(build, xs_json_member(value, "shape"), &line);
  good = find_damping(build, value, rod) && good;
  if (!has_line || !good || !build_along(build, value, rod, &line)) return;
  if (!has_section || !xs_scene_rod_node_inertia(build, value, rod, &section)) return;
  rod->K_shear = section.K_shear;
  rod->K_bend = section.K_bend;
}

void xs_scene_build_rods(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "rods")->first; item != NULL;
       item = item->next, i++)
    if (item->type != XS_JSON_NULL) build_rod(build, item, &build->world->rods[i]);
}
