/* Bodies with prescribed motion: their pose is a function of time. */
#ifndef XS_SOLVER_PRESCRIBED_H
#define XS_SOLVER_PRESCRIBED_H

#include "model/state.h"

/* Puts every body with a motion where it is at time t (s), with the velocities of the
 * motion. Bodies without are not touched. */
void xs_prescribed_place(const xs_world *world, double t, xs_state *state);

#endif
