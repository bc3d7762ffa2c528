/* d(G^T s)/dx of joint rows (rows.h), kind by kind. Swing, twist and the free coordinates, which
 * are no rows of an equilibrium or seldom ones, are left to differences. */
#ifndef XS_CONSTRAINT_JOINT_STIFFNESS_H
#define XS_CONSTRAINT_JOINT_STIFFNESS_H

#include "constraint/joint.h"

xs_row_stiffness xs_joint_stiffness_fixed, xs_joint_stiffness_revolute,
    xs_joint_stiffness_spherical, xs_joint_stiffness_prismatic, xs_joint_stiffness_planar,
    xs_joint_stiffness_distance;
xs_row_stiffness xs_joint_stiffness_revolute_target, xs_joint_stiffness_prismatic_target,
    xs_joint_stiffness_spherical_target;
xs_row_stiffness xs_joint_stiffness_revolute_limit, xs_joint_stiffness_prismatic_limit,
    xs_joint_stiffness_distance_limit;

#endif
