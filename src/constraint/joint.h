/* Joints as row blocks (Tobin & Rucker, section 5, vector-valued).
 *
 * pbar_i = p_i + R_i r_i and Rbar_i = R_i Q_i are the joint frames in the world,
 * phi = Rbar_1 [-] Rbar_2 = Log(Rbar_2^T Rbar_1). A joint type is a file joint_<type>.c
 * with a const xs_row_kind; the rows shared between types are in joint_rows.h. */
#ifndef XS_CONSTRAINT_JOINT_H
#define XS_CONSTRAINT_JOINT_H

#include "constraint/rows.h"

extern const xs_row_kind xs_joint_fixed, xs_joint_revolute, xs_joint_spherical;

/* The row kind of a joint type. */
const xs_row_kind *xs_joint_kind(xs_joint_type type);

/* Makes the row block of world->joints[index]; first_row is where its rows begin. */
xs_row_block xs_joint_block(const xs_world *world, int index, int first_row);

/* Relative rotation about the joint axis at the poses x, body 2 against body 1:
 * half-angle cosine and sine times a common factor (the last row of maths: theta_rev =
 * -phi_3, usual sign). */
void xs_joint_half_turn(const xs_joint *joint, const xs_pose *x, double *c, double *s);

/* Carries turn on to the poses x; needs less than half a turn since the last call. */
void xs_joint_track(const xs_joint *joint, const xs_pose *x, xs_turn *turn);

/* Joint variables at x, unused ones 0: revolute, the unwrapped angle of body 2 about the
 * axis; spherical, the rotation vector Log(Rbar_1^T Rbar_2). */
xs_vec3 xs_joint_coordinate(const xs_joint *joint, const xs_pose *x, const xs_turn *turn);

#endif
