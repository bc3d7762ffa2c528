/* Nodes of rods: their lumped inertia, the joints that hold the ends, and what names a node
 * from elsewhere.
 *
 * An element's mass rho A l and rotary inertia rho (I1, I2, I1 + I2) l go to its nodes in
 * the parts 1/2, 1/2 | 1/6, 2/3, 1/6 | 1/8, 3/8, 3/8, 1/8. Bodies of a chain have length l,
 * its end bodies half of that with their node at the outer end, to whose inertia Tobin &
 * Rucker (9.2) add m_end diag(0, l_end^2, 0). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "constraint/rod.h"
#include "io/scene_rod.h"

/* ---- Inertia ---- */

static const double lumps[XS_N_ROD_DISCRETIZATIONS][XS_ROD_ELEMENT_NODES_MAX] = {
    [XS_ROD_CHAIN] = {1.0 / 2, 1.0 / 2},
    [XS_ROD_LINEAR] = {1.0 / 2, 1.0 / 2},
    [XS_ROD_QUADRATIC] = {1.0 / 6, 2.0 / 3, 1.0 / 6},
    [XS_ROD_CUBIC] = {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8},
};

/* Adds the elements' parts, in lengths of rod. */
static void add_lengths(const xs_rod *rod, xs_inertia *inertia) {
  const int n = xs_rod_element_nodes(rod->discretization);
  for (int e = 0; e < rod->n_elements; e++)
    for (int k = 0; k < n; k++)
      inertia[e * (n - 1) + k].mass += rod->element_length * lumps[rod->discretization][k];
}

int xs_scene_rod_node_inertia(xs_build *build, const xs_json *value, const xs_rod *rod,
                              const xs_rod_section *section) {
  xs_inertia *inertia = build->world->inertia + rod->first_node;
  const double half = 0.5 * rod->element_length;
  add_lengths(rod, inertia);
  for (int i = 0; i < rod->n_nodes; i++) {
    const double length = inertia[i].mass;
    xs_vec3 moment = xs_vec3_scale(length, section->moment);
    const double mass = length * section->mass;
    if (rod->discretization == XS_ROD_CHAIN && (i == 0 || i == rod->n_nodes - 1))
      moment.y += mass * half * half;
    inertia[i] = (xs_inertia){mass, 1 / mass, moment, {1 / moment.x, 1 / moment.y, 1 / moment.z}};
    if (!isfinite(inertia[i].inv_mass + xs_vec3_norm2(inertia[i].inv_moment))) {
      xs_scene_build_error(build, value, "the inertia of node %d is out of range: mass %.3g kg", i,
                           mass);
      return 0;
    }
  }
  return 1;
}

/* ---- Ends ---- */

static const char *const supports[] = {"free", "pinned", "clamped", NULL};
static const char *const end_keys[] = {"start", "end"};

int xs_scene_build_count_ends(const xs_build *build) {
  int n = 0;
  for (const xs_json *rod = xs_scene_build_list(build, "rods")->first; rod != NULL;
       rod = rod->next) {
    if (rod->type == XS_JSON_NULL) continue;
    const xs_json *ends = xs_json_member(rod, "ends");
    for (int k = 0; k < 2; k++) n += xs_scene_build_word(ends, end_keys[k], supports) > 0;
  }
  return n;
}

/* A joint of the scene may not have the name of an end's joint. */
static void check_name(xs_build *build, const char *name, const char *rod, const char *end) {
  const int index = xs_scene_names_find(xs_scene_names_list(build->names, "joints"), name);
  if (index < 0) return;
  const xs_json *joint = xs_scene_build_list(build, "joints")->first;
  for (int i = 0; i < index && joint != NULL; i++) joint = joint->next;
  if (joint == NULL || joint->type == XS_JSON_NULL) return;
  xs_scene_build_error(build, xs_json_member(joint, "name"),
                       "duplicate joint name \"%s\": the %s of rod \"%s\" is held by a joint of "
                       "this name",
                       name, end, rod);
}

static void build_end(xs_build *build, const xs_json *value, const xs_rod *rod, int end,
                      xs_joint *joint) {
  const int type = xs_scene_build_word(xs_json_member(value, "ends"), end_keys[end], supports);
  const int node = rod->first_node + (end == 0 ? 0 : rod->n_nodes - 1);
  const size_t size = strlen(rod->name) + sizeof "-start";
  char *name = XS_BUILD_NEW(build, char, (int)size);
  if (name == NULL) return;
  (void)snprintf(name, size, "%s-%s", rod->name, end_keys[end]);
  check_name(build, name, rod->name, end_keys[end]);

  const xs_interval free = {-INFINITY, INFINITY};
  const xs_frame here = {{0, 0, 0}, xs_quat_identity()};
  *joint = (xs_joint){
      .name = name,
      .type = type == 1 ? XS_JOINT_SPHERICAL : XS_JOINT_FIXED,
      .node1 = XS_GROUND,
      .node2 = node,
      .frame1 = build->node[node].node,
      .frame2 = here,
      .length = NAN,
      .limit = free,
      .swing = free,
      .twist = free,
  };
}

void xs_scene_build_ends(xs_build *build) {
  xs_joint *joint = build->world->joints + xs_scene_build_list(build, "joints")->count;
  int i = 0;
  for (const xs_json *value = xs_scene_build_list(build, "rods")->first; value != NULL;
       value = value->next, i++) {
    if (value->type == XS_JSON_NULL) continue;
    const xs_json *ends = xs_json_member(value, "ends");
    for (int end = 0; end < 2; end++)
      if (xs_scene_build_word(ends, end_keys[end], supports) > 0)
        build_end(build, value, &build->world->rods[i], end, joint++);
  }
}

/* ---- Nodes from elsewhere ---- */

/* Index of the rod's node that "node" names; -1 if it has no such node. */
static int node_of_rod(xs_build *build, const xs_json *object) {
  const xs_json *rod_name = xs_json_member(object, "rod"), *node = xs_json_member(object, "node");
  const int index =
      xs_scene_names_find(xs_scene_names_list(build->names, "rods"), rod_name->string);
  const xs_rod *rod = &build->world->rods[index];
  if (rod->n_nodes == 0) return -1; /* a faulty rod */
  if (node->type == XS_JSON_STRING)
    return rod->first_node + (strcmp(node->string, "start") == 0 ? 0 : rod->n_nodes - 1);
  if (node->number < rod->n_nodes) return rod->first_node + (int)node->number;
  xs_scene_build_error(build, node, "the rod \"%s\" has nodes 0 to %d, found %.12g",
                       rod_name->string, rod->n_nodes - 1, node->number);
  return -1;
}

int xs_scene_build_node_of(xs_build *build, const xs_json *value) {
  if (value->type == XS_JSON_OBJECT) return node_of_rod(build, value);
  return xs_scene_names_find(xs_scene_names_list(build->names, "bodies"), value->string) + 1;
}

const char *xs_scene_build_node_text(const xs_build *build, int node, char *buffer, size_t size) {
  const xs_world *world = build->world;
  if (node <= world->n_bodies)
    (void)snprintf(buffer, size, "\"%s\"",
                   node == XS_GROUND ? "ground" : world->bodies[node - 1].name);
  for (int r = 0; r < world->n_rods; r++) {
    const int index = node - world->rods[r].first_node;
    if (node > world->n_bodies && index >= 0 && index < world->rods[r].n_nodes)
      (void)snprintf(buffer, size, "node %d of rod \"%s\"", index, world->rods[r].name);
  }
  return buffer;
}
