/* Joints at t = 0, with all motions applied: warnings where what a joint holds is open, where
 * a coordinate is outside its limits, and where it is not at its kinematic target.
 *
 * With d = pbar_2 - pbar_1, z_i the frames' axes, e = z_1 before the motion's rotation, and
 * q = conj(qbar_1) qbar_2 = (w, x, y, z):
 *   open       fixed, revolute, spherical |d|; prismatic |d - (d.z_1) z_1|; planar |e.d|;
 *              distance ||d| - L|; angles: fixed, prismatic |Log q|; revolute, planar between
 *              the z axes
 *   coordinate revolute 2 atan2(z, w) in (-pi, pi]; prismatic d.z_1; distance |d|; spherical
 *              swing 2 atan2(|(x, y)|, |(w, z)|) and twist 2 atan2(z, w) */
#include <math.h>

#include "io/scene_build.h"

/* Frames count as meeting within this part of the scene's size, and this angle in rad;
 * coordinates as within their limits likewise. */
static const double tolerance = 1e-9;

typedef struct joint_start {
  xs_frame frame1, frame2; /* in the world */
  xs_vec3 d, z1, z2, e;
  xs_quat q;
} joint_start;

static joint_start find_start(const xs_build *build, const xs_joint *joint) {
  const xs_build_node *node1 = &build->node[joint->node1], *node2 = &build->node[joint->node2];
  joint_start s = {
      .frame1 = xs_frame_compose(node1->node, xs_scene_build_moved(joint->motion, joint->frame1)),
      .frame2 = xs_frame_compose(node2->node, joint->frame2),
  };
  const xs_mat3 R1 = xs_so3_matrix(s.frame1.q), R2 = xs_so3_matrix(s.frame2.q);
  const xs_mat3 before = xs_so3_matrix(xs_frame_compose(node1->node, joint->frame1).q);
  s.d = xs_vec3_sub(s.frame2.r, s.frame1.r);
  s.z1 = xs_mat3_column(&R1, 2);
  s.z2 = xs_mat3_column(&R2, 2);
  s.e = xs_mat3_column(&before, 2);
  s.q = xs_quat_mul(xs_quat_conj(s.frame1.q), s.frame2.q);
  return s;
}

/* ---- What is held ---- */

static double length_gap(const xs_joint *joint, const joint_start *s) {
  switch (joint->type) {
    case XS_JOINT_PRISMATIC:
      return xs_vec3_norm(xs_vec3_add_scaled(s->d, -xs_vec3_dot(s->d, s->z1), s->z1));
    case XS_JOINT_PLANAR:
      return fabs(xs_vec3_dot(s->e, s->d));
    case XS_JOINT_DISTANCE:
      return isnan(joint->length) ? 0 : fabs(xs_vec3_norm(s->d) - joint->length);
    default:
      return xs_vec3_norm(s->d);
  }
}

static double angle_gap(const xs_joint *joint, const joint_start *s) {
  switch (joint->type) {
    case XS_JOINT_FIXED:
    case XS_JOINT_PRISMATIC:
      return xs_vec3_norm(xs_so3_minus(s->frame1.q, s->frame2.q));
    case XS_JOINT_REVOLUTE:
    case XS_JOINT_PLANAR:
      return xs_trig_atan2(xs_vec3_norm(xs_vec3_cross(s->z1, s->z2)), xs_vec3_dot(s->z1, s->z2));
    default:
      return 0;
  }
}

static void warn_gap(xs_build *build, const xs_json *value, const xs_joint *joint,
                     const joint_start *s) {
  const double length = length_gap(joint, s), angle = angle_gap(joint, s);
  if (length <= tolerance * build->world->size && angle <= tolerance) return;
  if (joint->type == XS_JOINT_DISTANCE)
    xs_scene_build_warning(build, value,
                           "the joint's frames are %.6g m apart at t = 0, %.6g m off the length",
                           xs_vec3_norm(s->d), length);
  else
    xs_scene_build_warning(build, value,
                           "the joint's frames do not meet at t = 0: %.6g m and %.6g rad apart",
                           length, angle);
}

/* ---- What is free ---- */

/* Warns of a value outside an interval; scale: what the tolerance refers to. */
static void warn_limit(xs_build *build, const xs_json *value, const char *what, const char *unit,
                       double at, xs_interval limits, double scale) {
  const double excess = fmax(limits.min - at, at - limits.max);
  if (excess > tolerance * scale)
    xs_scene_build_warning(build, value, "the %s starts outside its limits: %.6g %s, by %.6g %s",
                           what, at, unit, excess, unit);
}

/* An angle moved by whole turns to within half a turn of the middle of its limits. */
static double near_middle(double angle, xs_interval limits) {
  const double middle = 0.5 * limits.min + 0.5 * limits.max;
  if (!isfinite(middle)) return angle;
  return angle + 2 * XS_PI * floor((middle - angle) / (2 * XS_PI) + 0.5);
}

/* The angle of body 2 about the axis, in (-pi, pi]. */
static double turn_of(const joint_start *s) {
  return s->q.w < 0 ? 2 * xs_trig_atan2(-s->q.z, -s->q.w) : 2 * xs_trig_atan2(s->q.z, s->q.w);
}

static void warn_limits(xs_build *build, const xs_json *value, const xs_joint *joint,
                        const joint_start *s) {
  const double size = build->world->size;
  const xs_json *limits = xs_json_member(value, "limits");
  if (limits == NULL) return;
  switch (joint->type) {
    case XS_JOINT_REVOLUTE:
      warn_limit(build, limits, "angle", "rad", turn_of(s), joint->limit, 1);
      break;
    case XS_JOINT_PRISMATIC:
      warn_limit(build, limits, "distance along the axis", "m", xs_vec3_dot(s->d, s->z1),
                 joint->limit, size);
      break;
    case XS_JOINT_DISTANCE:
      warn_limit(build, limits, "distance", "m", xs_vec3_norm(s->d), joint->limit, size);
      break;
    case XS_JOINT_SPHERICAL:
      warn_limit(build, limits, "swing", "rad",
                 2 * xs_trig_atan2(hypot(s->q.x, s->q.y), hypot(s->q.w, s->q.z)), joint->swing, 1);
      warn_limit(build, limits, "twist", "rad", near_middle(turn_of(s), joint->twist), joint->twist,
                 1);
      break;
    default:
      break;
  }
}

/* A kinematic target takes the joint to its value within the first step, however far. */
static void warn_target(xs_build *build, const xs_json *value, const xs_joint *joint,
                        const joint_start *s) {
  const xs_target *target = joint->target;
  if (target == NULL || target->value[0] == NULL || isfinite(target->stiffness[0])) return;
  const double aim = xs_timefn_value(target->value[0], 0);
  const int turns = joint->type != XS_JOINT_PRISMATIC;
  double off = turns ? turn_of(s) - aim : xs_vec3_dot(s->d, s->z1) - aim;
  if (joint->type == XS_JOINT_SPHERICAL) {
    const xs_vec3 aims = {aim, xs_timefn_value(target->value[1], 0),
                          xs_timefn_value(target->value[2], 0)};
    off = xs_vec3_norm(xs_so3_minus(s->q, xs_so3_exp(aims)));
  }
  if (fabs(off) > tolerance * (turns ? 1 : build->world->size))
    xs_scene_build_warning(
        build, xs_json_member(value, "target"),
        "the joint starts %.6g %s off its kinematic target, which takes it there "
        "in the first step",
        fabs(off), turns ? "rad" : "m");
}

void xs_scene_build_warn_start(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "joints")->first; item != NULL;
       item = item->next, i++) {
    const xs_joint *joint = &build->world->joints[i];
    const joint_start s = find_start(build, joint);
    warn_gap(build, item, joint, &s);
    warn_limits(build, item, joint, &s);
    warn_target(build, item, joint, &s);
  }
}
