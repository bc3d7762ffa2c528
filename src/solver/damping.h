/* Velocity-level pass: damping of joints' free coordinates and velocity drives
 * (Tobin & Rucker, 4.4), after v = (x - x^n)/h.
 *
 * For coordinates q with gradient G and rates qdot = G v, a dashpot d towards the rate r
 * pulls with -d (qdot - r). Taken implicitly, with mu = -h d (qdot - r):
 *   (G M^-1 G^T + 1/(h d)) dmu = -(G v - r) - mu/(h d),  v += M^-1 G^T dmu,
 * mu = 0 at the start. d = infinity sets the rate. Joint damping is a dashpot towards rate 0;
 * both on one coordinate add up to one dashpot. Unconditionally stable, first order.
 *
 * The hard rows of the joint stand in the same system, aiming at the rates that the
 * position solve left them: else a couple about the free axis would turn each body about its
 * centre of mass, and the next position solve take back what the joint does not allow (a
 * motor lifting an arm missed its rate by 3 % at h = 1e-3). With solve "global" it is one
 * system an island with the hard rows of all joints; else a joint at a time. */
#ifndef XS_SOLVER_DAMPING_H
#define XS_SOLVER_DAMPING_H

#include "solver/global.h"

typedef struct xs_damping xs_damping;

/* NULL in *damping if no joint of the world has damping or a rate. */
xs_status xs_damping_create(const xs_world *world, const xs_joint_geometry *joint, xs_arena *arena,
                            xs_damping **damping, xs_report *report);

/* Changes the state's velocities over a substep h that ends at time t; solve and
 * iterations as for positions. Returns -1, or a joint whose rates could not be solved. */
int xs_damping_apply(xs_damping *damping, xs_state *state, double h, double t);

/* This pass's part of a joint's reaction: G^T mu / h on node 2, a generalised force. */
void xs_damping_reaction(const xs_damping *damping, double h, int joint, double g[6]);

#endif
