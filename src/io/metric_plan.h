/* Checks of a scene before the run: what could not be evaluated after it is refused. No HDF5. */
#ifndef XS_IO_METRIC_PLAN_H
#define XS_IO_METRIC_PLAN_H

#include "base/report.h"
#include "io/metric_catalog.h"
#include "model/world.h"

/* A check before a run: its metric's form, given the catalog of its result, and whether the run
 * will have records where it looks (at:T, from, to, the times of a reference). XS_SCENE with what
 * there will be. */
xs_status xs_metric_plan_check(const xs_world *world, const xs_metric_catalog *catalog,
                               const xs_check *check, const xs_place *place, xs_report *report);

#endif
