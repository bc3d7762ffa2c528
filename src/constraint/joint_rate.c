/* C_t = dC/dt at fixed poses, of rows whose frame 1 or target moves.
 *
 * Rows see node 1 through frame 1 alone. A frame that moves in the node with the velocity r1'
 * and turns with w (node axes) is where it would be if node 1 moved with
 *   v = R1 (r1' - w x r1),  omega = w,
 * so that C_t = G_1 (v, omega) needs no derivative of its own. Two exceptions: the height row
 * of the planar joint stays along the axis that frame 1 had before it turned; and targets,
 *   revolute, prismatic   -rate
 *   spherical             frame 1 turned by Exp(target): w = Q1 Exp(target) Gamma(target) rate
 * (joint_target.c), each for the driven rows only. */
#include "constraint/joint.h"
#include "math/so3.h"

/* Rate of rows from .. to - 1 of a block for a velocity of node 1. */
static void add_rate(const xs_row_block *block, const double *G, xs_vec3 v, xs_vec3 omega, int from,
                     int to, double *rate) {
  const double twist[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
  for (int r = from; r < to; r++)
    for (int c = 0; c < 6; c++) rate[r] += G[c * block->n_rows + r] * twist[c];
}

static void add_frame(const xs_joint *joint, const xs_joint_geometry *geometry,
                      const xs_row_block *block, const xs_pose *x, const double *G, double t,
                      double *rate) {
  xs_vec3 velocity, turn;
  xs_motion_rate(joint->motion, t, &velocity, &turn);
  const xs_vec3 at_node = xs_vec3_sub(velocity, xs_vec3_cross(turn, geometry->r1));
  const xs_mat3 *R1 = &x[geometry->node1].R;
  const int upright = block->kind == &xs_joint_planar ? 1 : 0;
  if (upright) add_rate(block, G, xs_mat3_mul_vec(R1, velocity), (xs_vec3){0, 0, 0}, 0, 1, rate);
  add_rate(block, G, xs_mat3_mul_vec(R1, at_node), turn, upright, block->n_rows, rate);
}

static void add_target(const xs_joint *joint, const xs_joint_geometry *geometry,
                       const xs_row_block *block, const double *G, double t, double *rate) {
  const xs_timefn *const *value = joint->target->value;
  const xs_vec3 aim = {xs_timefn_rate(value[0], t), xs_timefn_rate(value[1], t),
                       xs_timefn_rate(value[2], t)};
  if (block->kind == &xs_joint_spherical_target) {
    const xs_mat3 gamma = xs_so3_gamma(geometry->target);
    const xs_vec3 turn = xs_mat3_mul_vec(&geometry->Q1_target, xs_mat3_mul_vec(&gamma, aim));
    add_rate(block, G, (xs_vec3){0, 0, 0}, turn, 3, 6, rate);
  } else if (block->kind == &xs_joint_revolute_target ||
             block->kind == &xs_joint_prismatic_target) {
    rate[5] -= geometry->driven.x * aim.x;
  }
}

void xs_joint_time_rate(const xs_joint *joint, const xs_joint_geometry *geometry,
                        const xs_row_block *block, const xs_pose *x, const double *G, double t,
                        double *rate) {
  for (int r = 0; r < block->n_rows; r++) rate[r] = 0;
  if (joint->motion) add_frame(joint, geometry, block, x, G, t, rate);
  if (joint->target) add_target(joint, geometry, block, G, t, rate);
}
