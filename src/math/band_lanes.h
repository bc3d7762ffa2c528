/* Schur complements over a factored band: forward halves of many solves side by side.
 *
 * For A = L D L^T (math/band.h; D = 1 after a Cholesky factor) and a matrix H of few columns,
 *   H^T A^-1 H = Z^T D^-1 Z   with   L Z = H,
 * so that only the forward half of each solve is needed, from the first row on in which H has
 * anything. A^-1 H l is then the backward half alone, for one vector: D L^T x = Z l.
 *
 * Columns stand in panels of XS_BAND_LANES: entry (row, lane) of a panel at
 * [row * XS_BAND_LANES + lane], so that a row of the factor is used for all of a panel at once.
 * The order of operations is fixed: the same bits on every x86-64. */
#ifndef XS_MATH_BAND_LANES_H
#define XS_MATH_BAND_LANES_H

#include "math/band.h"

enum { XS_BAND_LANES = 8 };

/* Z (a panel, n rows) <- L^-1 Z, where rows before `first` are 0. cholesky: the factor is L L^T,
 * as LAPACK leaves it, else L D L^T with unit L; dropped rows give 0. */
void xs_band_lanes_forward(const xs_band *band, int cholesky, int first, double *Z);

/* target[XS_BAND_LANES * XS_BAND_LANES] (by rows) = Y^T D^-1 Z for two panels of which one is 0
 * in the rows before `first`. */
void xs_band_lanes_inner(const xs_band *band, int cholesky, int first, const double *Y,
                         const double *Z, double *target);

/* sum[n] += Z l for the XS_BAND_LANES factors l, in the rows from `first` on. */
void xs_band_lanes_combine(const xs_band *band, int first, const double *Z, const double *l,
                           double *sum);

#endif
