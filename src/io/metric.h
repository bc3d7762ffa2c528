/* Metrics: one number out of a result.
 *
 * Grammar: DATASET[.ENTRY][.COMPONENT].REDUCTION, dots for slashes. ENTRY: a name from
 * .../name or an index, where the dataset has one; COMPONENT: x, y, z (w, x, y, z for
 * orientations, shear, stretch, bend, twist for energies of rods), 0.., or norm; REDUCTION: final,
 * min, max, mean, median, rms, at:T, relative_drift (max |x - x(0)| / |x(0)|, an error where x(0)
 * is 0). Rows at t = 0 of primal residuals, forces and timing are left out. Examples:
 * energy.total.relative_drift, residual.constraint.max, bodies.position.link1.z.final,
 * joints.force.hinge.norm.median, rods.beam.position.end.z.final (entry start, end, an index, or
 * middle of an odd number of nodes), bodies.link1.position.z.final (entry before the field is
 * accepted as well).
 * at:T is linear between records; windows and times are met to within 1e-6 of a record
 * interval; relative_drift refers to the first record that counts, whatever the window; a
 * number that is not one makes the metric none, and such a metric holds no check. */
#ifndef XS_IO_METRIC_H
#define XS_IO_METRIC_H

#include "io/result.h"

/* Value of a metric over records with from <= time <= to. An unknown dataset, entry or
 * reduction is XS_SCENE, with the nearest name. */
xs_status xs_metric_value(xs_result *result, const char *metric, double from, double to,
                          double *value, xs_report *report);

/* The same on a finished file. */
xs_status xs_metric_file_value(const char *path, const char *metric, double from, double to,
                               double *value, xs_report *report);

/* One check of a scene against a result: value is the metric's, or for a reference the
 * largest deviation; held = 1 if it holds. The metric of a reference has no reduction:
 * it names a series, which is interpolated linearly at the reference's times. */
xs_status xs_metric_check(xs_result *result, const xs_check *check, double *value, int *held,
                          xs_report *report);

/* Checks only the form of a metric against a world, before a run: XS_SCENE with a hint. */
xs_status xs_metric_validate(const xs_world *world, const char *metric, int is_series,
                             const xs_place *place, xs_report *report);

#endif
