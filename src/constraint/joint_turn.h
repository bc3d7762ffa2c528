/* Angles that go on beyond pi.
 *
 * With (w, z) of the relative rotation of body 2, a rotation by t about e3 has (w, z)
 * proportional to (cos t/2, sin t/2). The half angle lives on a circle that is gone round
 * once in two turns; followed with a continuous sign, (w, z) gives t in (-2 pi, 2 pi], and
 * the passes through half angle pi count the double turns. So a turn is carried on, and
 * whole turns are counted, without an arc tangent. */
#ifndef XS_CONSTRAINT_JOINT_TURN_H
#define XS_CONSTRAINT_JOINT_TURN_H

#include "base/unroll.h"
#include "constraint/joint.h"

/* The turn less than half a turn further, at the relative rotation q = conj(qbar_2) qbar_1
 * (the conjugate of body 2's). */
XS_INLINE xs_turn xs_joint_turn_carried(const xs_turn *turn, xs_quat q) {
  /* The sign of q that is nearer to the last one: the half angle moved by less than pi/2. */
  double sign = q.w * turn->c - q.z * turn->s < 0 ? -1 : 1;
  xs_turn next = {sign * q.w, -sign * q.z, turn->double_turns};
  /* Through half angle pi, where atan2 jumps by 2 pi. */
  if (signbit(next.c) && (next.s < 0) != (turn->s < 0)) next.double_turns += next.s < 0 ? 1 : -1;
  return next;
}

/* k of the unwrapped angle -phi_3 + 2 pi k, phi = Log(q) in the half circle of q's sign:
 * Log takes the half angle modulo pi, so beyond pi/2 one turn is added, and two for each
 * double turn. */
XS_INLINE double xs_joint_turn_count(const xs_turn *turn, xs_quat q) {
  xs_turn next = xs_joint_turn_carried(turn, q);
  double beyond = signbit(next.c) ? (next.s < 0 ? -1 : 1) : 0;
  return beyond + 2 * next.double_turns;
}

#endif
