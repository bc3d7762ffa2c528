/* External forces on nodes: gravity and the scene's loads. */
#ifndef XS_SOLVER_EXTERNAL_H
#define XS_SOLVER_EXTERNAL_H

#include "model/state.h"

typedef struct xs_external {
  xs_vec3 *force;  /* n_nodes: loads only, N, world */
  xs_vec3 *torque; /* n_nodes: N m, node frame */
} xs_external;

/* Adds up the loads at time t (s) at the poses x; nodes without loads are not touched and
 * stay zero from allocation. Gravity is left to the prediction (it needs no force). */
void xs_external_loads(const xs_world *world, const xs_pose *x, double t, xs_external *external);

/* How a load at time t turns with its node, along R <- R Exp(theta): d(force)/dtheta, N, and
 * d(torque)/dtheta, N m, the latter in the node's frame. A force in world axes and a couple in
 * the body's do not change: 0. A couple in world axes has no potential. */
void xs_external_stiffness(const xs_load *load, const xs_pose *x, double t, xs_mat3 *force,
                           xs_mat3 *torque);

#endif
