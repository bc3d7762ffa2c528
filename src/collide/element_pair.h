/* Two elements of rods, of one rod or of two.
 *
 * Elements are cut into parts of at most a diameter (object.h), and each pair of parts that comes
 * near is searched for all minima from a grid of seeds (curve_pair.h), ends included: minima of
 * whole elements would let long ones that lie along each other sink in. Minima at ends of parts
 * beyond which the distance falls are marked as such (thin.h).
 *
 * On one rod, points with less than 2.5 diameters of arc between them do not count
 * (XS_EXCLUDE_ARC); an element meets itself and its neighbours by the same rule. Parts of one
 * element between which it is nearly straight are not searched. */
#ifndef XS_COLLIDE_ELEMENT_PAIR_H
#define XS_COLLIDE_ELEMENT_PAIR_H

#include "collide/narrow.h"

/* Takes the contacts of two objects that are elements; both may be the same object. */
void xs_element_pair_contacts(const xs_narrow *pair);

/* Whether two elements of one rod have any points that count. */
int xs_element_pair_apart(const xs_object *a, const xs_object *b);

#endif
