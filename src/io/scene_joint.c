/* Joints: their two frames, given in one of three ways, in the frames of their nodes.
 *
 *   at               one frame in the world at t = 0, for both: z along the axis, x the world
 *                    axis least parallel to it (the first of equals) made orthogonal;
 *   frame1, frame2   each in its body's frame, in the world for the ground;
 *   neither          body 2's own frame, for both.
 * In node i with the place (com, Q) of its frame in the body, a frame (r, q) of the body is
 * (Q^T (r - com), conj(Q) q). */
#include <math.h>
#include <string.h>

#include "io/scene_build.h"

static const char *const joint_words[] = {"fixed", "revolute", "spherical", NULL};
_Static_assert(XS_JOINT_FIXED == 0 && XS_JOINT_SPHERICAL == 2, "words in the order of the enum");

/* Frames count as meeting within this part of the scene's size, and this angle in rad. */
static const double gap_tolerance = 1e-9;

/* Rotation whose z is the unit vector axis. */
static xs_quat axis_orientation(xs_vec3 axis) {
  const double a[3] = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
  const int least = a[0] <= a[1] && a[0] <= a[2] ? 0 : a[1] <= a[2] ? 1 : 2;
  const xs_vec3 world = xs_vec3_make(least == 0, least == 1, least == 2);
  xs_vec3 x = xs_vec3_add_scaled(world, -xs_vec3_dot(world, axis), axis);
  x = xs_vec3_scale(1 / xs_vec3_norm(x), x);
  const xs_vec3 y = xs_vec3_cross(axis, x);
  const xs_mat3 R = {{{x.x, y.x, axis.x}, {x.y, y.y, axis.y}, {x.z, y.z, axis.z}}};
  return xs_so3_from_matrix(&R);
}

/* The frame "at" in the world. */
static int read_at(xs_build *build, const xs_json *at, xs_frame *frame) {
  xs_vec3 axis;
  if (!xs_scene_build_axis(build, xs_json_member(at, "axis"), &axis)) return 0;
  *frame = (xs_frame){xs_scene_build_vec3(xs_json_member(at, "position")), axis_orientation(axis)};
  return 1;
}

/* Both frames in their nodes. */
static int find_frames(xs_build *build, const xs_json *value, xs_joint *joint) {
  const xs_build_node *node1 = &build->node[joint->node1], *node2 = &build->node[joint->node2];
  const xs_json *frame1 = xs_json_member(value, "frame1");
  const xs_json *at = xs_json_member(value, "at");
  xs_frame in_body1, in_body2, world = node2->body;
  if (frame1 != NULL) {
    int good = xs_scene_build_frame(build, frame1, &in_body1);
    good = xs_scene_build_frame(build, xs_json_member(value, "frame2"), &in_body2) && good;
    joint->frame1 = xs_frame_relative(node1->in_body, in_body1);
    joint->frame2 = xs_frame_relative(node2->in_body, in_body2);
    return good;
  }
  if (at != NULL && !read_at(build, at, &world)) return 0;
  joint->frame1 = xs_frame_relative(node1->node, world);
  joint->frame2 = xs_frame_relative(node2->node, world);
  return 1;
}

static int is_fixed(const xs_build *build, int node) {
  return node == XS_GROUND || build->world->bodies[node - 1].fixed;
}

/* Whether the two ends can make a joint. */
static int check_ends(xs_build *build, const xs_json *value, const xs_joint *joint) {
  if (joint->node1 == joint->node2) {
    xs_scene_build_error(build, value, "joins \"%s\" to itself",
                         xs_scene_build_string(value, "body2"));
    return 0;
  }
  if (!build->node[joint->node1].valid || !build->node[joint->node2].valid) return 0;
  if (is_fixed(build, joint->node1) && is_fixed(build, joint->node2)) {
    xs_scene_build_error(
        build, value, "neither end can move: \"%s\" and \"%s\" are fixed; leave the joint out",
        xs_scene_build_string(value, "body1"), xs_scene_build_string(value, "body2"));
    return 0;
  }
  return 1;
}

static void build_joint(xs_build *build, const xs_json *value, xs_joint *joint) {
  *joint = (xs_joint){
      .name = xs_scene_build_string(value, "name"),
      .type = (xs_joint_type)xs_scene_build_word(value, "type", joint_words),
      .node1 = xs_scene_build_node_of(build, xs_scene_build_string(value, "body1")),
      .node2 = xs_scene_build_node_of(build, xs_scene_build_string(value, "body2")),
  };
  if (!check_ends(build, value, joint) || !find_frames(build, value, joint)) return;

  /* Its part of the scene's box. */
  const xs_vec3 none = {0, 0, 0};
  xs_scene_build_box_add(&build->box,
                         xs_frame_compose(build->node[joint->node1].node, joint->frame1).r, none);
  xs_scene_build_box_add(&build->box,
                         xs_frame_compose(build->node[joint->node2].node, joint->frame2).r, none);
}

void xs_scene_build_joints(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "joints")->first; item != NULL;
       item = item->next, i++)
    if (item->type != XS_JSON_NULL) build_joint(build, item, &build->world->joints[i]);
}

/* Angle (rad) by which the rotations that the joint holds differ at t = 0. */
static double angle_gap(const xs_joint *joint, xs_frame frame1, xs_frame frame2) {
  if (joint->type == XS_JOINT_SPHERICAL) return 0;
  if (joint->type == XS_JOINT_FIXED) return xs_vec3_norm(xs_so3_minus(frame1.q, frame2.q));
  const xs_mat3 R1 = xs_so3_matrix(frame1.q), R2 = xs_so3_matrix(frame2.q);
  const xs_vec3 z1 = xs_mat3_column(&R1, 2), z2 = xs_mat3_column(&R2, 2);
  return xs_trig_atan2(xs_vec3_norm(xs_vec3_cross(z1, z2)), xs_vec3_dot(z1, z2));
}

void xs_scene_build_warn_gaps(xs_build *build) {
  const xs_world *world = build->world;
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "joints")->first; item != NULL;
       item = item->next, i++) {
    const xs_joint *joint = &world->joints[i];
    const xs_frame frame1 = xs_frame_compose(build->node[joint->node1].node, joint->frame1);
    const xs_frame frame2 = xs_frame_compose(build->node[joint->node2].node, joint->frame2);
    const double gap = xs_vec3_norm(xs_vec3_sub(frame1.r, frame2.r));
    const double angle = angle_gap(joint, frame1, frame2);
    if (gap <= gap_tolerance * world->size && angle <= gap_tolerance) continue;
    xs_scene_build_warning(build, item,
                           "the joint's frames do not meet at t = 0: %.6g m and %.6g rad apart",
                           gap, angle);
  }
}
