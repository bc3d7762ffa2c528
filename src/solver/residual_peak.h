/* Output field residual_peak: the largest residuals over all substeps from one record to the next.
 */
#ifndef XS_SOLVER_RESIDUAL_PEAK_H
#define XS_SOLVER_RESIDUAL_PEAK_H

#include "solver/method.h"

/* Two numbers side by side, as a checkpoint keeps them; all zero at the start. */
typedef struct xs_residual_peak {
  double primal, constraint;
} xs_residual_peak;

/* Takes in the residuals of a substep. */
void xs_residual_peak_note(xs_residual_peak *peak, const xs_residual *residual);

/* Writes the peaks to a record's residuals, which count themselves (at t = 0 they are all there
 * is), and begins anew. */
void xs_residual_peak_take(xs_residual_peak *peak, xs_residual *residual);

/* What a checkpoint keeps, so that peaks go on over it. */
xs_persist xs_residual_peak_persist(xs_residual_peak *peak);

#endif
