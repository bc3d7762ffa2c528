/* --check: what would run, without running it.
 *
 * Reads and builds all that a run would, so that whatever a run refuses before its first
 * step is refused here; then prints sizes, estimates of memory and file, the initial gaps
 * of the joints and where the result would go. Writes no file. */
#ifndef XS_APP_CHECK_SCENE_H
#define XS_APP_CHECK_SCENE_H

#include "app/options.h"

/* XS_OK, or what makes the scene or the output unfit for a run. */
xs_status xs_check_scene_command(const xs_options *options, xs_arena *arena, xs_report *report);

#endif
