/* Rods, watched against what their model can say.
 *
 * Rotations from an element's reference must stay below pi, where the logarithm jumps; a
 * run that gets near is stopped rather than continued with wrong strains.
 *
 * A rod that bends tighter than it is thick overlaps itself, within an arc in which self-contact
 * does not look (exclude.h); a loop that is pulled so tight can be pulled through itself. */
#ifndef XS_SOLVER_ROD_WATCH_H
#define XS_SOLVER_ROD_WATCH_H

#include "model/state.h"

/* Looks at all rods at the poses of the state. Above 0.7 pi a warning, once a rod
 * (warned[n_rods]); above 0.95 pi XS_DIVERGED naming rod, element, time t and step. With
 * self-contact a warning, once a rod, where two elements' chords bend by more than their length
 * over the contact radius. */
xs_status xs_rod_watch(const xs_world *world, const xs_state *state, double t,
                       unsigned char *warned, xs_report *report);

#endif
