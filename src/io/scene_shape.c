/* Shapes: closed forms of volumes and moments of inertia, compounds by the parallel axes
 * theorem, boxes around them.
 *
 * With mass m, radius r, half length h, half extents a b c, torus radii R (circle), r (tube):
 *   sphere    V = 4/3 pi r^3                  I = 2/5 m r^2
 *   cylinder  V = 2 pi r^2 h                  Iz = m r^2 / 2, Ix = m (r^2/4 + h^2/3)
 *   capsule   cylinder and two half spheres of mass m_s together, whose centres of mass are
 *             3/8 r beyond the ends: Ix of these = m_s (2/5 r^2 + h^2 + 3/4 h r)
 *   box       V = 8 a b c                     Ix = m (b^2 + c^2) / 3
 *   torus     V = 2 pi^2 R r^2                Iz = m (R^2 + 3/4 r^2), Ix = m (R^2/2 + 5/8 r^2)
 * A compound is the sum: I = sum R_i I_i R_i^T + m_i (|d_i|^2 - d_i d_i^T), d_i from the
 * common centre of mass. Overlaps count twice. */
#include "io/scene_shape.h"

#include <math.h>
#include <string.h>

#include "collide/shape.h"

static const char *const shape_words[] = {"sphere", "capsule", "cylinder", "box",
                                          "plane",  "torus",   NULL};
_Static_assert(XS_SHAPE_SPHERE == 0 && XS_SHAPE_TORUS == 5, "words in the order of the enum");

static double optional(const xs_json *object, const char *key) {
  const xs_json *value = xs_json_member(object, key);
  return value != NULL ? value->number : 0;
}

int xs_scene_build_shape(xs_build *build, const xs_json *value, int held, xs_shape *shape) {
  *shape = (xs_shape){.type = (xs_shape_type)xs_scene_build_word(value, "type", shape_words)};
  shape->radius = optional(value, "radius");
  shape->half_length = optional(value, "half_length");
  shape->major_radius = optional(value, "major_radius");
  shape->minor_radius = optional(value, "minor_radius");
  const xs_json *half_extents = xs_json_member(value, "half_extents");
  if (half_extents != NULL) shape->half_extents = xs_scene_build_vec3(half_extents);

  /* Material, by its place in the map. */
  const xs_json *material = xs_json_member(value, "material");
  shape->material = -1;
  if (material != NULL)
    shape->material =
        xs_scene_names_find(xs_scene_names_list(build->names, "materials"), material->string);

  /* What makes no sense. */
  int good = 1;
  if (shape->type == XS_SHAPE_PLANE && !held) {
    xs_scene_build_error(
        build, value,
        "a plane has no mass and no end: only fixed bodies and those with a motion "
        "can have one");
    good = 0;
  }
  if (shape->minor_radius > shape->major_radius) {
    xs_scene_build_error(
        build, xs_json_member(value, "minor_radius"),
        "must be at most major_radius = %.12g, found %.12g: the torus would meet itself",
        shape->major_radius, shape->minor_radius);
    good = 0;
  }
  xs_frame frame;
  good = xs_scene_build_frame(build, value, &frame) && good;
  shape->position = frame.r;
  shape->orientation = frame.q;
  return good;
}

double xs_scene_shape_volume(const xs_shape *shape, xs_vec3 *moment) {
  const double r = shape->radius, h = shape->half_length;
  const double R = shape->major_radius, tube = shape->minor_radius;
  const xs_vec3 e = shape->half_extents;
  const double sphere = 4.0 / 3.0 * XS_PI * r * r * r, cylinder = 2 * XS_PI * r * r * h;
  double V = 0, x = 0, y = 0, z = 0;
  switch (shape->type) {
    case XS_SHAPE_SPHERE:
      V = sphere;
      x = y = z = 0.4 * V * r * r;
      break;
    case XS_SHAPE_CYLINDER:
      V = cylinder;
      x = y = V * (r * r / 4 + h * h / 3);
      z = V * r * r / 2;
      break;
    case XS_SHAPE_CAPSULE:
      V = cylinder + sphere;
      x = y = cylinder * (r * r / 4 + h * h / 3) + sphere * (0.4 * r * r + h * h + 0.75 * h * r);
      z = cylinder * r * r / 2 + sphere * 0.4 * r * r;
      break;
    case XS_SHAPE_BOX:
      V = 8 * e.x * e.y * e.z;
      x = V * (e.y * e.y + e.z * e.z) / 3;
      y = V * (e.x * e.x + e.z * e.z) / 3;
      z = V * (e.x * e.x + e.y * e.y) / 3;
      break;
    case XS_SHAPE_TORUS:
      V = 2 * XS_PI * XS_PI * R * tube * tube;
      x = y = V * (R * R / 2 + 0.625 * tube * tube);
      z = V * (R * R + 0.75 * tube * tube);
      break;
    case XS_SHAPE_PLANE:
      break;
  }
  *moment = xs_vec3_make(x, y, z);
  return V;
}

xs_mass_properties xs_scene_shapes_mass(int n, const xs_shape *shapes, const double *density) {
  xs_mass_properties sum = {0};
  xs_vec3 moment;

  /* Mass and centre. */
  for (int i = 0; i < n; i++) {
    const double m = density[i] * xs_scene_shape_volume(&shapes[i], &moment);
    sum.mass += m;
    sum.center = xs_vec3_add_scaled(sum.center, m, shapes[i].position);
  }
  if (!(sum.mass > 0)) return sum;
  sum.center = xs_vec3_scale(1 / sum.mass, sum.center);

  /* Inertia about the centre. */
  for (int i = 0; i < n; i++) {
    const double m = density[i] * xs_scene_shape_volume(&shapes[i], &moment);
    const xs_mat3 R = xs_so3_matrix(shapes[i].orientation);
    const xs_mat3 own = xs_mat3_diag(xs_vec3_scale(density[i], moment));
    const xs_vec3 d = xs_vec3_sub(shapes[i].position, sum.center);
    const double d2 = m * xs_vec3_norm2(d);
    sum.inertia = xs_mat3_add(sum.inertia, xs_mat3_mul(R, xs_mat3_mult(own, R)));
    sum.inertia = xs_mat3_add(sum.inertia, xs_mat3_diag(xs_vec3_make(d2, d2, d2)));
    sum.inertia = xs_mat3_add(sum.inertia, xs_mat3_outer(xs_vec3_scale(-m, d), d));
  }
  return sum;
}

void xs_scene_shape_add_extents(const xs_shape *shape, xs_frame body, xs_build_box *box) {
  if (shape->type == XS_SHAPE_PLANE) return;
  const xs_frame frame = xs_frame_compose(body, (xs_frame){shape->position, shape->orientation});
  const xs_mat3 R = xs_so3_matrix(frame.q);
  xs_scene_build_box_add(box, frame.r, xs_shape_half_extents(shape, &R));
}
