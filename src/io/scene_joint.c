/* Joints: their two frames, given in one of three ways, in the frames of their nodes.
 *
 *   at               one frame in the world at t = 0, for both: z along the axis, x the world
 *                    axis least parallel to it (the first of equals) made orthogonal;
 *   frame1, frame2   each in its body's frame, in the world for the ground;
 *   neither          body 2's own frame, for both.
 * In node i with the place (com, Q) of its frame in the body, a frame (r, q) of the body is
 * (Q^T (r - com), conj(Q) q). Frame 1 is kept without its motion. Limits and what drives a
 * joint are in scene_joint_drive.c, what is looked at at t = 0 in scene_joint_start.c. */
#include <math.h>

#include "io/scene_build.h"

static const char *const joint_words[] = {"fixed",  "revolute", "spherical", "prismatic",
                                          "planar", "distance", NULL};
_Static_assert(XS_JOINT_FIXED == 0 && XS_JOINT_SPHERICAL == 2 && XS_JOINT_DISTANCE == 5,
               "words in the order of the enum");

enum { NODE_TEXT = 256 }; /* bytes of a node's name in messages */

/* Frames of a distance joint count as one place within this part of its length. */
static const double coincident = 1e-12;

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

/* Whether the two ends can make a joint. */
static int check_ends(xs_build *build, const xs_json *value, const xs_joint *joint) {
  char name1[NODE_TEXT], name2[NODE_TEXT];
  if (joint->node1 < 0 || joint->node2 < 0) return 0;
  if (joint->node1 == joint->node2) {
    xs_scene_build_error(build, value, "joins %s to itself",
                         xs_scene_build_node_text(build, joint->node2, name2, sizeof name2));
    return 0;
  }
  if (!build->node[joint->node1].valid || !build->node[joint->node2].valid) return 0;
  if (!build->node[joint->node1].moves && !build->node[joint->node2].moves) {
    xs_scene_build_error(build, value,
                         "neither end is free to move: %s and %s are fixed or have a motion; "
                         "leave the joint out",
                         xs_scene_build_node_text(build, joint->node1, name1, sizeof name1),
                         xs_scene_build_node_text(build, joint->node2, name2, sizeof name2));
    return 0;
  }
  return 1;
}

static void build_joint(xs_build *build, const xs_json *value, xs_joint *joint) {
  *joint = (xs_joint){
      .name = xs_scene_build_string(value, "name"),
      .type = (xs_joint_type)xs_scene_build_word(value, "type", joint_words),
      .node1 = xs_scene_build_node_of(build, xs_json_member(value, "body1")),
      .node2 = xs_scene_build_node_of(build, xs_json_member(value, "body2")),
  };
  xs_scene_build_joint_drive(build, value, joint);
  if (!check_ends(build, value, joint) || !find_frames(build, value, joint)) return;

  /* Scene axes of body 1 -> its node axes. */
  const xs_build_node *node1 = &build->node[joint->node1];
  const xs_json *motion = xs_json_member(value, "motion");
  if (motion != NULL) {
    joint->motion = xs_scene_build_motion(build, motion, xs_quat_conj(node1->in_body.q));
    if (joint->motion == NULL) return;
  }

  /* Its part of the scene's box. */
  const xs_vec3 none = {0, 0, 0};
  const xs_frame moved = xs_scene_build_moved(joint->motion, joint->frame1);
  const xs_vec3 place1 = xs_frame_compose(node1->node, moved).r;
  const xs_vec3 place2 = xs_frame_compose(build->node[joint->node2].node, joint->frame2).r;
  xs_scene_build_box_add(&build->box, place1, none);
  xs_scene_build_box_add(&build->box, place2, none);

  /* A length between two places in one has no direction. */
  if (xs_vec3_norm(xs_vec3_sub(place2, place1)) <= coincident * joint->length)
    xs_scene_build_error(build, value,
                         "the joint's frames are in one place at t = 0, and its length has no "
                         "direction: give frame1 and frame2, away from each other");
}

void xs_scene_build_joints(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "joints")->first; item != NULL;
       item = item->next, i++)
    if (item->type != XS_JSON_NULL) build_joint(build, item, &build->world->joints[i]);
}
