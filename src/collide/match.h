/* Matching: which contact of the last list a new one continues. */
#ifndef XS_COLLIDE_MATCH_H
#define XS_COLLIDE_MATCH_H

#include "constraint/contact.h"

/* Part of the size within which two contacts may be the same. */
#define XS_MATCH_NEAR 0.03

/* Both lists belong to the same pair of objects, of that size (m). Sets match (first_old: index
 * of old[0] in its list) and lambda of the new ones: one to one, nearest first, by the smaller of
 * the two sides' distances in the frames of their nodes, or along the rod. taken[n_old] is
 * scratch. */
void xs_match_pair(xs_contact *now, int n_now, const xs_contact *old, int n_old, int first_old,
                   double size, char *taken);

#endif
