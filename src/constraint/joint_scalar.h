/* Normed ("scalar") joint rows: one row for all that a joint forbids in position, one for
 * all it forbids in angle. The baseline to the vector rows, after Mueller, Macklin, Chentanez,
 * Jeschke & Kim, "Detailed Rigid Body Simulation with Extended Position Based Dynamics" (2020).
 *
 *              angle                              position
 *   fixed      |phi|                              |pbar_1 - pbar_2|
 *   revolute   err, the angle from a1 to a2       |pbar_1 - pbar_2|
 *   spherical  -                                  |pbar_1 - pbar_2|
 *   prismatic  |phi|                              |(I - a1 a1^T)(pbar_2 - pbar_1)|
 *   planar     err                                height of pbar_2 - pbar_1, signed
 *   distance   -                                  the vector row, a scalar one already
 *
 * a_i = Rbar_i e3; the rest as in joint.h. Two forms: XS_CONSTRAINTS_SCALAR gives each row
 * its true gradient; XS_CONSTRAINTS_SCALAR_MUELLER repeats that paper, whose gradients are
 * not those of its C (joint_scalar_position.c and joint_scalar_angle.c say where).
 *
 * A norm has no gradient at 0. There it is set to zero, so that G M^-1 G^T = 0: a solver
 * has to pass over a row with C = 0 and G = 0. */
#ifndef XS_CONSTRAINT_JOINT_SCALAR_H
#define XS_CONSTRAINT_JOINT_SCALAR_H

#include "constraint/joint.h"

/* Positions. Data of all kinds: xs_joint_geometry. */
extern const xs_row_kind xs_joint_scalar_anchors,           /* fixed, revolute, spherical */
    xs_joint_scalar_across, xs_joint_scalar_across_mueller, /* prismatic */
    xs_joint_scalar_height;                                 /* planar, both forms */

/* Angles. */
extern const xs_row_kind xs_joint_scalar_rotation,
    xs_joint_scalar_rotation_mueller,                   /* fixed, prismatic */
    xs_joint_scalar_axis, xs_joint_scalar_axis_mueller; /* revolute, planar */

/* The rows of a type in a scalar form (not XS_CONSTRAINTS_VECTOR), in the order in which
 * they are solved: angle, then position. Returns how many, 1 or 2. */
int xs_joint_scalar_kinds(xs_joint_type type, xs_constraints form, const xs_row_kind *kind[2]);

/* The verb impulse of rows that pull at both anchors: a force (world, N s^2) on node 1 at
 * pbar_1, its opposite on node 2 at pbar_2. For the distance joint, too. */
xs_row_impulse xs_joint_scalar_pull;

/* d / |d|, and |d| in *length; zero where d is. Right down to the smallest numbers, whose
 * squares are scaled lest they underflow. */
static inline xs_vec3 xs_joint_scalar_unit(xs_vec3 d, double *length) {
  double n2 = xs_vec3_norm2(d), unscale = 1;
  if (n2 < 0x1p-960) {
    d = xs_vec3_scale(0x1p600, d);
    n2 = xs_vec3_norm2(d);
    unscale = 0x1p-600;
  }
  double n = sqrt(n2);
  *length = n * unscale;
  return n == 0 ? d : (xs_vec3){d.x / n, d.y / n, d.z / n};
}

#endif
