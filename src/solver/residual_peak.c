/* Peaks of residuals (residual_peak.h). */
#include "solver/residual_peak.h"

#include <math.h>

void xs_residual_peak_note(xs_residual_peak *peak, const xs_residual *residual) {
  peak->primal = fmax(peak->primal, residual->primal);
  peak->constraint = fmax(peak->constraint, residual->constraint);
}

void xs_residual_peak_take(xs_residual_peak *peak, xs_residual *residual) {
  xs_residual_peak_note(peak, residual);
  residual->primal_max = peak->primal;
  residual->constraint_max = peak->constraint;
  *peak = (xs_residual_peak){0, 0};
}

xs_persist xs_residual_peak_persist(xs_residual_peak *peak) {
  return (xs_persist){"residual_peak",
                      "1",
                      "largest primal and constraint residual since the record before",
                      &peak->primal,
                      2,
                      1,
                      1};
}
