/* A revolute joint's turn: its start, its way and its angle (joint_turn.h). */
#include "constraint/joint_turn.h"

#include "constraint/joint_rows.h"

xs_turn xs_joint_turn_start(const xs_joint_geometry *geometry, const xs_pose *x) {
  xs_quat q = xs_joint_rows_relative(geometry, x);
  xs_turn turn = {q.w, -q.z, 0};
  /* q and -q are the same rotation: take the angle in (-pi, pi]. */
  if (turn.c < 0 || (turn.c == 0 && turn.s < 0)) {
    turn.c = -turn.c;
    turn.s = -turn.s;
  }
  return turn;
}

void xs_joint_turn_track(const xs_joint_geometry *geometry, const xs_pose *x, xs_turn *turn) {
  *turn = xs_joint_turn_carried(turn, xs_joint_rows_relative(geometry, x));
}

double xs_joint_turn_angle(const xs_turn *turn) {
  /* + 0: a zero s counts as positive, as in xs_joint_turn_carried. */
  return 2 * xs_trig_atan2(turn->s + 0.0, turn->c) + 4 * XS_PI * turn->double_turns;
}
