/* Damping of rods at velocity level (Kelvin-Voigt): U_d = 1/2 Cdot^T B Cdot with
 * B = tau alpha^-1, tau = beta/E (Tobin & Rucker, 4.4). Implicit, on the band of the
 * position solve:
 *   (G M^-1 G^T + alpha/(h tau)) mu = -G v,   v += M^-1 G^T mu,   G at x^{n+1}.
 * Joint rows stand in the same system with compliance and right-hand side zero: the
 * velocity that the position solve gave a joint, of a moving end too, is left alone. So do the
 * rows of rods without damping, with alpha/h^2.
 *
 * Contacts' velocity pass (contacts.h) goes on with this factor, so that an impulse on a damped rod
 * is answered by the damping it causes: both passes together minimise
 *   1/2 (v - v0)^T M (v - v0) + h/2 v^T G^T (tau alpha^-1) G v
 * over the velocities that contacts without friction and restitution allow, v0 those without the
 * contacts' impulses. v = 0 is one of them where nothing is driven, so |v|_M does not grow above
 * |v0|_M. With the factor of the positions an impulse would strain the rod undamped. */
#ifndef XS_SOLVER_ROD_DAMPING_H
#define XS_SOLVER_ROD_DAMPING_H

#include "solver/global.h"

/* Whether any rod has damping. */
int xs_rod_damping_wanted(const xs_world *world);

/* Changes the state's velocities. diagonal, mu: work space, n_rows. Returns -1, or the
 * entity whose system could not be solved. */
int xs_rod_damping_apply(xs_global *global, const xs_system *system, xs_state *state,
                         double *diagonal, double *mu);

#endif
