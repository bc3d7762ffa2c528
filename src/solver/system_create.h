/* A world's rows and where they stand: what every integrator builds and freezes alike. */
#ifndef XS_SOLVER_SYSTEM_CREATE_H
#define XS_SOLVER_SYSTEM_CREATE_H

#include "solver/system.h"

/* Fills the system for a world at its start: the blocks of joints and rods, with
 * system->n_swept of them to be swept as world.solver says (0 with solve global), multipliers
 * and work space; sets the turns of the state. XS_INTERNAL without memory. */
xs_status xs_system_create(const xs_world *world, xs_state *state, xs_arena *arena,
                           xs_system *system, xs_report *report);

/* Puts prescribed bodies where they are at time t (s), and freezes moving frames and targets
 * of joints there. */
void xs_system_freeze(xs_system *system, double t, xs_state *state);

/* Carries the turns of revolute joints on to the poses of the state. */
void xs_system_track_turns(const xs_system *system, xs_state *state);

#endif
