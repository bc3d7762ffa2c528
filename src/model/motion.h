/* Prescribed motion of a frame: what drives a joint's frame 1, or a body.
 *
 * A frame that stands at (position, orientation) in its carrier's axes is, at time t, at
 *   position + translation(t),  Exp(rotation(t)) orientation,
 * turning about its own origin, both in the carrier's axes. */
#ifndef XS_MODEL_MOTION_H
#define XS_MODEL_MOTION_H

#include "math/vec.h"
#include "model/timefn.h"

typedef struct xs_motion {
  xs_timefn3 translation; /* m */
  /* Rotation vector, rad: angle(t) axis where angle is given, else vector(t). */
  xs_vec3 axis; /* unit */
  const xs_timefn *angle;
  xs_timefn3 vector;
  /* The scene's axes of the carrier -> the carrier's node axes; identity for the ground. */
  xs_quat q_carrier;
} xs_motion;

/* Translation and rotation at time t (s), in the carrier's node axes. */
void xs_motion_at(const xs_motion *motion, double t, xs_vec3 *translation, xs_quat *rotation);

/* Their rates: velocity (m/s) and angular velocity (rad/s), in the carrier's node axes. */
void xs_motion_rate(const xs_motion *motion, double t, xs_vec3 *velocity, xs_vec3 *turn);

#endif
