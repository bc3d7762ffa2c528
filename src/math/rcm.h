/* Reverse Cuthill-McKee: an order of a graph's vertices that gives a narrow band. */
#ifndef XS_MATH_RCM_H
#define XS_MATH_RCM_H

#include "base/arena.h"

/* Graph of n vertices in compressed form: the neighbours of v are
 * neighbour[first[v]] .. neighbour[first[v + 1] - 1]. Fills order[n]; vertices of one
 * connected component are contiguous, and component[k] (n) gives the component, from 0, of
 * order[k]. Components come in the order of their lowest vertex; ties are broken by number,
 * so the result depends on the graph alone. If a component is a path whose vertices are
 * numbered along it, they keep or reverse that order. Returns the number of components, -1
 * when memory is exhausted. */
int xs_rcm_order(int n, const int *first, const int *neighbour, int *order, int *component,
                 xs_arena *arena);

#endif
