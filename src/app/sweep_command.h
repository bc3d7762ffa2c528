/* --sweep: all cases, one of them (--task), their commands (--list), their summary (--collect), or
 * a check of all (--check). */
#ifndef XS_APP_SWEEP_COMMAND_H
#define XS_APP_SWEEP_COMMAND_H

#include "app/options.h"
#include "io/result.h"

/* started: xs_clock_now() when the program began. Returns the exit status; of a sweep the worst
 * of its cases. A worker process comes back from here like any other. */
xs_status xs_sweep_command(const xs_options *options, const xs_run_info *info, double started,
                           xs_arena *arena, xs_report *report);

#endif
