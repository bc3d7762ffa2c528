/* Two boxes: separating axes, then the faces clipped against each other.
 *
 * The axis of largest separation is one of the 6 face normals, or a cross product of two edges
 * if that is better by 1e-3 of the smallest half-extent. Faces: the face of the other box that is
 * most opposed is clipped by the sides of the reference face, and what lies within the margin is
 * projected on it; points closer than 1e-2 of the half-extent to a kept one are dropped, the
 * deeper one stays. Edges: the nearest points of the two edges. */
#ifndef XS_COLLIDE_BOX_PAIR_H
#define XS_COLLIDE_BOX_PAIR_H

#include "collide/narrow.h"

/* Takes the contacts of two objects that are boxes. */
void xs_box_pair_contacts(const xs_narrow *pair);

#endif
