/* Bodies: mass, centre of mass, principal axes, pose and velocity at t = 0.
 *
 * Mass and inertia come together from the scene or together from the shapes:
 *   mass and inertia  as given; shapes have no part in them;
 *   mass              spread evenly over shapes that have no density;
 *   neither           from shapes that all have a density;
 *   fixed, or with a prescribed motion: none needed, none used.
 * What would state a mass twice is refused. The node frame sits in the centre of mass along
 * the principal axes: I = Q diag(moments) Q^T with the rotation Q = q_principal. Moments are
 * those of a solid if positive and none above the sum of the other two. */
#include <math.h>

#include "io/scene_shape.h"
#include "math/eigen3.h"

/* What is known of a body's shapes: how many have a volume, how many of these a density. */
typedef struct shape_count {
  int n_solid, n_dense;
  int first_without; /* index of the first solid without density */
} shape_count;

typedef struct body_parts {
  const xs_json *value;
  int fixed, held; /* held: fixed, or moved by its motion alone */
  int n_shapes;
  xs_shape *shapes;
  double *density;
  shape_count count;
} body_parts;

/* ---- Shapes ---- */

/* Fills the shapes; 0 if one of them or its material is faulty. */
static int build_shapes(xs_build *build, body_parts *parts) {
  const xs_json *list = xs_json_member(parts->value, "shapes");
  parts->n_shapes = list->count;
  parts->shapes = XS_BUILD_NEW(build, xs_shape, list->count);
  parts->density = XS_BUILD_NEW(build, double, list->count);
  if (parts->shapes == NULL || parts->density == NULL) return 0;

  int good = 1, i = 0;
  for (const xs_json *item = list->first; item != NULL; item = item->next, i++) {
    xs_shape *shape = &parts->shapes[i];
    good = xs_scene_build_shape(build, item, parts->held, shape) && good;
    if (shape->type == XS_SHAPE_PLANE) continue;
    const xs_material *material =
        shape->material >= 0 ? &build->world->materials[shape->material] : NULL;
    if (material != NULL && material->name == NULL) good = 0; /* reported by the reader */
    if (material != NULL && material->density > 0) {
      parts->density[i] = material->density;
      parts->count.n_dense++;
    } else if (parts->count.n_solid == parts->count.n_dense) {
      parts->count.first_without = i;
    }
    parts->count.n_solid++;
  }
  return good;
}

/* Equal density for all, where no shape has one. */
static void spread_evenly(body_parts *parts) {
  for (int i = 0; i < parts->n_shapes; i++) parts->density[i] = 1;
}

/* ---- Mass ---- */

/* Centre of mass of a body whose mass does not come from its shapes. */
static int find_center(xs_build *build, body_parts *parts, xs_vec3 *center) {
  const xs_json *given = xs_json_member(parts->value, "center_of_mass");
  *center = xs_vec3_make(0, 0, 0);
  if (given != NULL) {
    *center = xs_scene_build_vec3(given);
    return 1;
  }
  if (parts->count.n_dense != 0 && parts->count.n_dense != parts->count.n_solid) {
    xs_scene_build_error(
        build, parts->value,
        "shapes[%d] has no density while others have: the centre of mass is not known; "
        "give center_of_mass, or materials with densities",
        parts->count.first_without);
    return 0;
  }
  if (parts->count.n_dense == 0) spread_evenly(parts);
  *center = xs_scene_shapes_mass(parts->n_shapes, parts->shapes, parts->density).center;
  return 1;
}

/* [Ixx, Iyy, Izz] or the symmetric tensor. */
static int read_inertia(xs_build *build, const xs_json *value, xs_mat3 *inertia) {
  if (value->first->type == XS_JSON_NUMBER) {
    *inertia = xs_mat3_diag(xs_scene_build_vec3(value));
    return 1;
  }
  double largest = 0;
  int i = 0;
  for (const xs_json *row = value->first; row != NULL; row = row->next, i++) {
    const xs_vec3 a = xs_scene_build_vec3(row);
    inertia->m[i][0] = a.x, inertia->m[i][1] = a.y, inertia->m[i][2] = a.z;
    largest = fmax(largest, fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))));
  }

  /* Written numbers are rounded: a little asymmetry is evened out. */
  for (i = 0; i < 3; i++)
    for (int j = 0; j < i; j++) {
      const double a = inertia->m[i][j], b = inertia->m[j][i];
      if (fabs(a - b) > 1e-9 * largest) {
        xs_scene_build_error(build, value,
                             "the tensor is not symmetric: [%d][%d] = %.12g, [%d][%d] = %.12g", i,
                             j, a, j, i, b);
        return 0;
      }
      inertia->m[i][j] = inertia->m[j][i] = 0.5 * a + 0.5 * b;
    }
  return 1;
}

/* Mass properties of a body that states its mass and not its inertia. */
static int spread_mass(xs_build *build, body_parts *parts, double mass, xs_mass_properties *all) {
  const xs_json *value = xs_json_member(parts->value, "mass");
  if (parts->count.n_solid == 0) {
    xs_scene_build_error(
        build, value, "mass without inertia: give the inertia, or shapes to spread the mass over");
    return 0;
  }
  if (parts->count.n_dense > 0) {
    xs_scene_build_error(
        build, value,
        "the densities of the shapes state the mass too: leave out mass, or give mass "
        "and inertia");
    return 0;
  }
  spread_evenly(parts);
  const double volume = xs_scene_shapes_mass(parts->n_shapes, parts->shapes, parts->density).mass;
  for (int i = 0; i < parts->n_shapes; i++) parts->density[i] = mass / volume;
  *all = xs_scene_shapes_mass(parts->n_shapes, parts->shapes, parts->density);
  all->mass = mass;
  return 1;
}

/* Mass properties of a body that states neither. */
static int mass_of_shapes(xs_build *build, body_parts *parts, xs_mass_properties *all) {
  if (parts->count.n_solid == 0) {
    xs_scene_build_error(
        build, parts->value,
        "the body has no mass: give mass and inertia, or shapes of a material with a "
        "density, or \"fixed\": true, or a motion");
    return 0;
  }
  if (parts->count.n_dense < parts->count.n_solid) {
    xs_scene_build_error(
        build, parts->value,
        "shapes[%d] has no density, which the body's mass needs: give it a material with "
        "a density, or give mass and inertia",
        parts->count.first_without);
    return 0;
  }
  *all = xs_scene_shapes_mass(parts->n_shapes, parts->shapes, parts->density);
  return 1;
}

/* Mass, centre of mass, inertia from whatever the body gives. */
static int find_mass(xs_build *build, body_parts *parts, xs_mass_properties *all) {
  const xs_json *mass = xs_json_member(parts->value, "mass");
  const xs_json *inertia = xs_json_member(parts->value, "inertia");
  *all = (xs_mass_properties){0};
  if (inertia != NULL && !read_inertia(build, inertia, &all->inertia)) return 0;
  if (inertia != NULL || parts->held) {
    all->mass = mass != NULL ? mass->number : 0;
    return find_center(build, parts, &all->center);
  }

  /* The shapes give the centre of mass as well. */
  const xs_json *center = xs_json_member(parts->value, "center_of_mass");
  if (center != NULL && parts->count.n_solid > 0) {
    xs_scene_build_error(
        build, center,
        "the inertia comes from the shapes, and so does the centre of mass: leave it "
        "out, or give mass and inertia");
    return 0;
  }
  return mass != NULL ? spread_mass(build, parts, mass->number, all)
                      : mass_of_shapes(build, parts, all);
}

/* ---- Principal axes ---- */

/* Off-diagonal elements that are round-off of a sum of shapes would turn the axes of a ball
 * at will. */
static void drop_round_off(xs_mat3 *inertia) {
  const double least = 1e-14 * (inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i != j && fabs(inertia->m[i][j]) <= least) inertia->m[i][j] = 0;
}

/* Whether a solid can have these moments and this mass. */
static int check_moments(xs_build *build, const xs_json *body, double mass, xs_vec3 moment) {
  const xs_json *stated = xs_json_member(body, "mass"), *inertia = xs_json_member(body, "inertia");
  const xs_json *value = inertia != NULL ? inertia : body;
  const double largest = fmax(moment.x, fmax(moment.y, moment.z));
  const double least = fmin(moment.x, fmin(moment.y, moment.z));
  const double rest = (moment.x + moment.y + moment.z) - largest;
  const int in_range = least > 0 && isfinite(1 / least) && isfinite(largest);
  const int possible = rest >= largest * (1 - 1e-9);
  if (!isfinite(1 / mass) || !isfinite(mass)) {
    xs_scene_build_error(build, stated != NULL ? stated : body, "the mass %.12g kg is out of range",
                         mass);
    return 0;
  }

  /* Shapes have a good inertia, unless computing it over- or underflows or cancels. */
  if (inertia == NULL && !(in_range && possible)) {
    xs_scene_build_error(build, value,
                         "the inertia of the shapes is out of range: their sizes, distances or "
                         "densities are too large, too small or too different");
    return 0;
  }
  if (least > 0 && !in_range) {
    xs_scene_build_error(build, value,
                         "the inertia is out of range; principal moments %.12g, %.12g, %.12g",
                         moment.x, moment.y, moment.z);
    return 0;
  }
  if (!in_range) {
    xs_scene_build_error(
        build, value,
        "the inertia must be positive definite; principal moments %.12g, %.12g, %.12g", moment.x,
        moment.y, moment.z);
    return 0;
  }
  if (!possible) {
    xs_scene_build_error(
        build, value,
        "no body has this inertia: a principal moment is above the sum of the others "
        "(%.12g, %.12g, %.12g)",
        moment.x, moment.y, moment.z);
    return 0;
  }
  return 1;
}

/* The node's inertia and the rotation of its axes in the body's frame. */
static int find_principal(xs_build *build, const body_parts *parts, xs_mass_properties *all,
                          xs_inertia *inertia, xs_quat *q_principal) {
  const xs_json *given = xs_json_member(parts->value, "inertia");
  xs_vec3 moment = {0, 0, 0};
  xs_mat3 axes = xs_mat3_identity();
  if (given != NULL || !parts->held) {
    drop_round_off(&all->inertia);
    xs_eigen3_symmetric(&all->inertia, &moment, &axes);
    if (!check_moments(build, parts->value, all->mass, moment)) return 0;
  }

  /* Held: no load moves it; along the body's own axes. */
  *inertia = (xs_inertia){0};
  *q_principal = xs_quat_identity();
  if (parts->held) return 1;
  inertia->mass = all->mass;
  inertia->inv_mass = 1 / all->mass;
  inertia->moment = moment;
  inertia->inv_moment = xs_vec3_make(1 / moment.x, 1 / moment.y, 1 / moment.z);
  *q_principal = xs_so3_from_matrix(&axes);
  return 1;
}

/* ---- Bodies ---- */

/* A fixed body cannot move, and a motion says how fast. */
static int check_rest(xs_build *build, const body_parts *parts, const char *key) {
  const xs_json *value = xs_json_member(parts->value, key);
  if (!parts->held || xs_vec3_norm2(xs_scene_build_vec3(value)) == 0) return 1;
  xs_scene_build_error(build, value, "%s: leave it out",
                       parts->fixed ? "a fixed body does not move"
                                    : "a body with a motion has its velocities from that");
  return 0;
}

/* The prescribed motion, in the world's axes; 0 if it is wrong. */
static int find_motion(xs_build *build, const body_parts *parts, xs_body *body) {
  const xs_json *motion = xs_json_member(parts->value, "motion");
  if (motion == NULL) return 1;
  if (parts->fixed) {
    xs_scene_build_error(build, motion, "a fixed body has no motion: leave out one of the two");
    return 0;
  }
  body->motion = xs_scene_build_motion(build, motion, xs_quat_identity());
  return body->motion != NULL;
}

/* Pose and velocity of centre of mass and principal axes from those of the body's frame; the
 * body's start is that before its motion, the node's places are those with it. The sign of q0
 * makes the body's own quaternion q0 conj(q_principal) start with w >= 0. */
static int place(xs_build *build, const body_parts *parts, xs_body *body, xs_build_node *node) {
  xs_frame start;
  if (!xs_scene_build_frame(build, parts->value, &start)) return 0;
  node->in_body = (xs_frame){body->center_of_mass, body->q_principal};
  const xs_frame center = xs_frame_compose(start, node->in_body);
  body->p0 = center.r;
  body->q0 = xs_so3_normalize(center.q);
  node->body = xs_scene_build_moved(body->motion, start);
  node->node = xs_frame_compose(node->body, node->in_body);

  const xs_mat3 axes = xs_so3_matrix(body->q_principal);
  body->v0 = xs_scene_build_vec3(xs_json_member(parts->value, "linear_velocity"));
  body->omega0 = xs_mat3_tmul_vec(
      &axes, xs_scene_build_vec3(xs_json_member(parts->value, "angular_velocity")));
  return 1;
}

static int build_body(xs_build *build, const xs_json *value, xs_body *body, xs_inertia *inertia,
                      xs_build_node *node) {
  body_parts parts = {.value = value, .fixed = xs_scene_build_number(value, "fixed") != 0};
  parts.held = parts.fixed || xs_json_member(value, "motion") != NULL;
  node->moves = !parts.held;
  body->name = xs_scene_build_string(value, "name");
  body->fixed = parts.fixed;
  if (!build_shapes(build, &parts)) return 0;
  body->n_shapes = parts.n_shapes;
  body->shapes = parts.shapes;

  /* Everything is looked at, so that all that is wrong is said. */
  xs_mass_properties all;
  int good = find_mass(build, &parts, &all);
  body->center_of_mass = all.center;
  good = good && find_principal(build, &parts, &all, inertia, &body->q_principal);
  good = check_rest(build, &parts, "linear_velocity") && good;
  good = check_rest(build, &parts, "angular_velocity") && good;
  good = find_motion(build, &parts, body) && good;
  good = place(build, &parts, body, node) && good;
  if (!good) return 0;

  /* Its part of the scene's box. */
  xs_scene_build_box_add(&build->box, node->node.r, xs_vec3_make(0, 0, 0));
  for (int i = 0; i < body->n_shapes; i++)
    xs_scene_shape_add_extents(&body->shapes[i], node->body, &build->box);
  return 1;
}

void xs_scene_build_bodies(xs_build *build) {
  xs_world *world = build->world;
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "bodies")->first; item != NULL;
       item = item->next, i++) {
    world->bodies[i].node = i + 1;
    if (item->type == XS_JSON_NULL) continue;
    build->node[i + 1].valid =
        build_body(build, item, &world->bodies[i], &world->inertia[i + 1], &build->node[i + 1]);
  }
}
