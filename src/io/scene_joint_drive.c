/* What joints do along their free coordinates, and how softly they hold the others: limits,
 * targets, compliance, damping.
 *
 * Where nothing is given the model keeps: limits -inf, inf; target NULL; compliance and
 * damping 0; length NaN. A target's value without stiffness, and a rate without damping, are
 * kinematic: stiffness or damping INFINITY. Which of its keys go together the table knows.
 * A distance joint holds its length, its limits, or both; without length there is no row
 * that could be compliant, and with a rigid length none that could be damped. */
#include <math.h>

#include "io/scene_build.h"

static const xs_interval no_limits = {-INFINITY, INFINITY};

/* ---- Limits ---- */

/* [min, max], null = none. 0 where they make no sense. */
static int read_limits(xs_build *build, const xs_json *value, xs_interval *limits) {
  const xs_json *min = value->first, *max = min->next;
  limits->min = min->type == XS_JSON_NULL ? -INFINITY : min->number;
  limits->max = max->type == XS_JSON_NULL ? INFINITY : max->number;
  if (min->type == XS_JSON_NULL && max->type == XS_JSON_NULL) {
    xs_scene_build_error(build, value, "no limit on either side: leave the limits out");
    return 0;
  }
  if (limits->min < limits->max) return 1;
  xs_scene_build_error(build, value,
                       "the lower limit must be below the upper one, found %.12g, %.12g",
                       limits->min, limits->max);
  return 0;
}

/* The largest angle, or [min, max]; in [0, pi] up to the round-off of degrees. */
static void read_swing(xs_build *build, const xs_json *value, xs_interval *swing) {
  const double most = XS_PI * (1 + 0x1p-50);
  if (value->type == XS_JSON_NUMBER)
    *swing = (xs_interval){0, value->number};
  else if (!read_limits(build, value, swing))
    return;
  const double min = isfinite(swing->min) ? swing->min : 0;
  const double max = isfinite(swing->max) ? swing->max : XS_PI;
  if (!(min >= 0 && max > min && max <= most))
    xs_scene_build_error(build, value,
                         "the swing is an angle in [0, pi]: limits must be in it, the lower one "
                         "below the upper one, found %.12g, %.12g",
                         min, max);
}

/* A rotation about one axis is known within a turn only. */
static void read_twist(xs_build *build, const xs_json *value, xs_interval *twist) {
  const double turn = 2 * XS_PI * (1 + 0x1p-50);
  if (!read_limits(build, value, twist)) return;
  const double min = isfinite(twist->min) ? twist->min : -XS_PI;
  const double max = isfinite(twist->max) ? twist->max : XS_PI;
  if (!(max > min && max - min <= turn && min >= -turn && max <= turn))
    xs_scene_build_error(build, value,
                         "the twist is known within a turn: two limits must be in [-2 pi, 2 pi] "
                         "and at most 2 pi apart, one limit in (-pi, pi); found %.12g, %.12g",
                         twist->min, twist->max);
}

static void build_limits(xs_build *build, const xs_json *value, xs_joint *joint) {
  const xs_json *limits = xs_json_member(value, "limits");
  joint->limit = joint->swing = joint->twist = no_limits;
  if (limits == NULL) return;
  if (joint->type != XS_JOINT_SPHERICAL) {
    (void)read_limits(build, limits, &joint->limit);
    return;
  }
  const xs_json *swing = xs_json_member(limits, "swing"), *twist = xs_json_member(limits, "twist");
  if (swing != NULL) read_swing(build, swing, &joint->swing);
  if (twist != NULL) read_twist(build, twist, &joint->twist);
}

/* ---- Targets ---- */

/* One function, or one for each of three coordinates; nothing for NULL. */
static void build_functions(xs_build *build, const xs_json *value, int n, const xs_timefn **f) {
  if (value == NULL) return;
  const xs_json *item = n == 1 ? value : value->first;
  for (int i = 0; i < n; i++, item = n == 1 ? NULL : item->next)
    f[i] = xs_scene_build_timefn_given(build, item);
}

/* One number, or three; `otherwise` for NULL. */
static void read_numbers(const xs_json *value, int n, double otherwise, double *numbers) {
  for (int i = 0; i < n; i++) numbers[i] = otherwise;
  if (value == NULL) return;
  const xs_json *item = n == 1 ? value : value->first;
  for (int i = 0; i < n; i++, item = n == 1 ? NULL : item->next) numbers[i] = item->number;
}

static void build_target(xs_build *build, const xs_json *value, xs_joint *joint) {
  const xs_json *given = xs_json_member(value, "target");
  if (given == NULL) return;
  xs_target *target = XS_BUILD_NEW(build, xs_target, 1);
  if (target == NULL) return;
  const xs_json *aim = xs_json_member(given, "value"), *rate = xs_json_member(given, "rate");
  const int n = joint->type == XS_JOINT_SPHERICAL ? 3 : 1;
  target->n = n;
  build_functions(build, aim, n, target->value);
  build_functions(build, rate, n, target->rate);
  read_numbers(xs_json_member(given, "stiffness"), n, aim != NULL ? INFINITY : 0,
               target->stiffness);
  read_numbers(xs_json_member(given, "damping"), n, rate != NULL ? INFINITY : 0, target->damping);
  joint->target = target;
}

/* ---- Distance joints ---- */

static void check_distance(xs_build *build, const xs_json *value, const xs_joint *joint) {
  const int has_length = !isnan(joint->length);
  if (!has_length && xs_json_member(value, "limits") == NULL)
    xs_scene_build_error(build, value,
                         "a distance joint needs something to hold: give length, limits or both");
  if (!has_length && joint->compliance > 0)
    xs_scene_build_error(build, xs_json_member(value, "compliance"),
                         "without length there is nothing to be compliant: give length, or leave "
                         "compliance out");
  if (has_length && joint->compliance == 0 && joint->damping > 0)
    xs_scene_build_error(build, xs_json_member(value, "damping"),
                         "the distance is held rigidly and has no rate to damp: give compliance "
                         "> 0, or limits instead of length");
  if (has_length && (joint->length < joint->limit.min || joint->length > joint->limit.max))
    xs_scene_build_error(build, xs_json_member(value, "length"),
                         "the length %.12g is outside the limits, %.12g to %.12g", joint->length,
                         joint->limit.min, joint->limit.max);
}

void xs_scene_build_joint_drive(xs_build *build, const xs_json *value, xs_joint *joint) {
  const xs_json *length = xs_json_member(value, "length");
  const xs_json *rotational = xs_json_member(value, "rotational_compliance");
  const xs_json *damping = xs_json_member(value, "damping");
  joint->compliance = xs_scene_build_number(value, "compliance");
  joint->rotational_compliance = rotational != NULL ? rotational->number : 0;
  joint->damping = damping != NULL ? damping->number : 0;
  joint->length = length != NULL ? length->number : NAN;
  build_limits(build, value, joint);
  build_target(build, value, joint);
  if (joint->type == XS_JOINT_DISTANCE) check_distance(build, value, joint);
}
