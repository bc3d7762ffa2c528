/* One run from its first step to the end of its file: a new one, --resume or --rerun.
 *
 * Records and a checkpoint at t = 0; then step by step a record every output.every steps
 * and a checkpoint every output.checkpoint simulated seconds; at the end a checkpoint, the
 * scene's checks, and the summary. A run that has to stop does so after a step; one whose step
 * is too long for that stops within it and goes back to its latest checkpoint, which is where
 * a resumed run begins. The loop allocates nothing and reads the clock once a
 * step. What a run computes does not depend on when it was interrupted: a resumed run goes
 * on from the arrays of a checkpoint, with the same step numbers. */
#ifndef XS_APP_RUN_H
#define XS_APP_RUN_H

#include "app/options.h"
#include "io/result.h"

/* started: xs_clock_now() when the program began, from which --max-wall counts. Returns
 * the exit status: XS_OK, XS_SCENE or XS_USAGE (nothing written), XS_IO (what stood at the
 * result's path is untouched), XS_DIVERGED, XS_STOPPED or XS_CHECK (result finished).
 * Warnings of the scene are printed to stderr before the first step and leave the report. */
xs_status xs_run_command(const xs_options *options, const xs_run_info *info, double started,
                         xs_arena *arena, xs_report *report);

#endif
