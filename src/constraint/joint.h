/* Joints as row blocks (Tobin & Rucker, section 5, vector-valued).
 *
 * pbar_i = p_i + R_i r_i and Rbar_i = R_i Q_i are the joint frames in the world,
 * phi = Rbar_1 [-] Rbar_2 = Log(Rbar_2^T Rbar_1). A joint type is a file joint_<type>.c
 * with a const xs_row_kind; the rows that types share are in joint_rows.h, the joint
 * variables in joint_coordinate.c. */
#ifndef XS_CONSTRAINT_JOINT_H
#define XS_CONSTRAINT_JOINT_H

#include "constraint/rows.h"

/* What the rows of a joint need, in the nodes' frames. What will depend on time (a moving
 * frame 1, a target) is frozen into it before a solve. */
typedef struct xs_joint_geometry {
  int node1, node2;
  xs_vec3 r1, r2; /* joint frames' origins, m */
  xs_quat q1, q2; /* joint frame -> node frame */
  xs_mat3 Q1, Q2; /* the same rotations as matrices */
} xs_joint_geometry;

extern const xs_row_kind xs_joint_fixed, xs_joint_revolute, xs_joint_spherical;

/* The row kind of a joint type. */
const xs_row_kind *xs_joint_kind(xs_joint_type type);

xs_joint_geometry xs_joint_geometry_of(const xs_joint *joint);

/* The row block of joint number `index`; geometry must outlive it. first_row is where its
 * rows begin in lambda. */
xs_row_block xs_joint_block(const xs_joint *joint, const xs_joint_geometry *geometry, int index,
                            int first_row);

/* |pbar_1 - pbar_2| at the poses x, m: how far the joint has come apart. */
double xs_joint_gap(const xs_joint_geometry *geometry, const xs_pose *x);

/* Turn at the start: the angle of body 2 about the axis in (-pi, pi]. */
xs_turn xs_joint_turn_start(const xs_joint_geometry *geometry, const xs_pose *x);

/* Carries turn on to the poses x; needs less than half a turn since the last call. */
void xs_joint_turn_track(const xs_joint_geometry *geometry, const xs_pose *x, xs_turn *turn);

/* Joint variables at x, unused ones 0, usual sign (body 2 relative to body 1, minus the
 * paper's phi_3): revolute, the unwrapped angle about the axis; spherical, the rotation
 * vector Log(Rbar_1^T Rbar_2). */
xs_vec3 xs_joint_coordinate(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x,
                            const xs_turn *turn);

#endif
