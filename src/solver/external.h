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

#endif
