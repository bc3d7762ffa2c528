/* Accelerations and joint forces of a state, and states that fulfil the joints.
 *
 * Joint forces nu at one instant, without a step in time:
 *   A nu = -( d/dt (G v + C_t) + G M^-1 (f - [0; w x I w]) ),  A = G M^-1 G^T
 *   M a = f - [0; w x I w] + G^T nu
 * over hard rows, driven rates and limits that carry. f: gravity, loads, and the known forces of
 * springs and dashpots. The derivative is taken by differences along x [+] s v, so that the
 * result is exact for the state given but for 1e-7 relative.
 *
 * Projection onto the joints, moving each body by its mass as little as possible:
 *   x <- x [+] M^-1 G^T A^-1 (-C) until C = 0, then v += M^-1 G^T A^-1 (-G v - C_t). */
#ifndef XS_SOLVER_ACCELERATION_H
#define XS_SOLVER_ACCELERATION_H

#include "solver/mechanism.h"

typedef struct xs_acceleration xs_acceleration;

/* Work space for a mechanism. XS_INTERNAL without memory. */
xs_status xs_acceleration_create(const xs_mechanism *mechanism, xs_arena *arena,
                                 xs_acceleration **acceleration, xs_report *report);

/* At the state, at time t; the system's geometry is left frozen to t. carries[n_rows] != 0:
 * limits that carry (NULL: those that touch). force[n_rows]: what every row pulls with, N or
 * N m, springs and dashpots included. a[6 n_nodes] (or NULL): accelerations of moving nodes, p in
 * the world, omega in the node frame; 0 for the others. Returns -1, or an entity whose equations
 * had no solution; forces are NaN then. */
int xs_acceleration_solve(xs_acceleration *self, xs_system *system, const xs_state *state, double t,
                          const unsigned char *carries, double *force, double *a);

/* Reactions of joints (method.h) by the forces of the last solve, whose gradients are still at
 * hand: n_joints. */
void xs_acceleration_reactions(const xs_acceleration *self, const xs_pose *x, const double *force,
                               xs_reaction *reaction);

/* Moves the state at time t onto hard rows and violated limits, its velocities into their
 * tangent, and warns of what it moved unless that is round-off. XS_DIVERGED, naming the joint,
 * if the joints cannot be closed from there. */
xs_status xs_acceleration_project(xs_acceleration *self, xs_system *system, xs_state *state,
                                  double t, xs_report *report);

/* The velocities' part of that alone, without a word: after an impact at time t. carries: as
 * above. */
void xs_acceleration_fit_rates(xs_acceleration *self, xs_system *system, xs_state *state, double t,
                               const unsigned char *carries);

#endif
