/* d(G^T s)/dx of rod elements (rows.h): of the chain, and of elements of 2, 3 and 4 nodes. */
#ifndef XS_CONSTRAINT_ROD_STIFFNESS_H
#define XS_CONSTRAINT_ROD_STIFFNESS_H

#include "constraint/rod.h"

xs_row_stiffness xs_rod_stiffness_chain, xs_rod_stiffness_element;

#endif
