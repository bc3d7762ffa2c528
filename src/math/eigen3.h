/* Eigenvalues and principal axes of a symmetric 3x3 matrix, such as an inertia. */
#ifndef XS_MATH_EIGEN3_H
#define XS_MATH_EIGEN3_H

#include "math/vec.h"

/* A = vectors diag(values) vectors^T. vectors is a rotation (determinant +1), its columns
 * the unit eigenvectors, in the order that is the nearest to the axes rather than sorted:
 * a diagonal A gives exactly its diagonal and the identity. Of A the upper triangle is
 * read. Entries that are not finite give NaN. */
void xs_eigen3_symmetric(const xs_mat3 *A, xs_vec3 *values, xs_mat3 *vectors);

#endif
