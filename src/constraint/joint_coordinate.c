/* Joint variables as users read them: unwrapped revolute angle, spherical rotation vector.
 *
 * With q = conj(qbar_1) qbar_2 the relative rotation of body 2, a rotation by t about e3
 * has q proportional to (cos t/2, 0, 0, sin t/2). The half angle lives on a circle that
 * is gone round once in two turns; followed with a continuous sign, (w, z) gives t in
 * (-2 pi, 2 pi], and the passes through half angle pi count the double turns. No
 * arc tangent is needed but for a record. */
#include "constraint/joint_rows.h"

/* (w, z) of conj(qbar_1) qbar_2 = conj of the relative rotation of the rows. */
static void half_turn(const xs_joint_geometry *geometry, const xs_pose *x, double *c, double *s) {
  xs_quat a = xs_quat_mul(x[geometry->node1].q, geometry->q1);
  xs_quat b = xs_quat_mul(x[geometry->node2].q, geometry->q2);
  *c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  *s = a.w * b.z - a.z * b.w + a.y * b.x - a.x * b.y;
}

xs_turn xs_joint_turn_start(const xs_joint_geometry *geometry, const xs_pose *x) {
  xs_turn turn = {0, 0, 0};
  half_turn(geometry, x, &turn.c, &turn.s);
  /* q and -q are the same rotation: take the angle in (-pi, pi]. */
  if (turn.c < 0 || (turn.c == 0 && turn.s < 0)) {
    turn.c = -turn.c;
    turn.s = -turn.s;
  }
  return turn;
}

void xs_joint_turn_track(const xs_joint_geometry *geometry, const xs_pose *x, xs_turn *turn) {
  double c, s;
  half_turn(geometry, x, &c, &s);
  /* The sign of q that is nearer to the last one: the half angle moved by less than pi/2. */
  if (c * turn->c + s * turn->s < 0) {
    c = -c;
    s = -s;
  }
  /* Through half angle pi, where atan2 jumps by 2 pi. */
  if (c < 0 && (s < 0) != (turn->s < 0)) turn->double_turns += s < 0 ? 1 : -1;
  turn->c = c;
  turn->s = s;
}

xs_vec3 xs_joint_coordinate(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x,
                            const xs_turn *turn) {
  const double four_pi = 12.566370614359172954;
  switch (type) {
    case XS_JOINT_REVOLUTE:
      return (xs_vec3){2 * xs_trig_atan2(turn->s, turn->c) + four_pi * turn->double_turns, 0, 0};
    case XS_JOINT_SPHERICAL:
      return xs_so3_log(xs_quat_conj(xs_joint_rows_relative(geometry, x)));
    case XS_JOINT_FIXED:
    case XS_N_JOINT_TYPES:
      break;
  }
  return (xs_vec3){0, 0, 0};
}
