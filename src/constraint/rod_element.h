/* What the files of rod elements owe to each other and to rod.c. */
#ifndef XS_CONSTRAINT_ROD_ELEMENT_H
#define XS_CONSTRAINT_ROD_ELEMENT_H

#include "constraint/rod.h"

/* v - e3 and u - u* at the Gauss points of an element; x: poses of its nodes, rest_bend: u*
 * at its points. */
void xs_rod_chain_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                          xs_vec3 *shear, xs_vec3 *bend);
void xs_rod_linear_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                           xs_vec3 *shear, xs_vec3 *bend);
void xs_rod_element_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                            xs_vec3 *shear, xs_vec3 *bend);

/* Linear elements with any number of Gauss points. */
xs_row_evaluate xs_rod_element_evaluate_linear;

#endif
