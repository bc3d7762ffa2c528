/* Where a result goes: refusals before the first step, not after the last.
 *
 * What the result's writer cannot see by itself: an output that is the scene, or that
 * could not be replaced by a file at the end; a resumed run that has nothing to do. */
#ifndef XS_APP_TARGET_H
#define XS_APP_TARGET_H

#include "app/setup.h"
#include "io/result_survey.h"

/* For a new run: XS_USAGE if the output, or its .partial, is the scene or the result it is made
 * from, or if it is "-"; XS_IO if something stands there that is no regular file. */
xs_status xs_target_check(const xs_options *options, xs_arena *arena, xs_report *report);

/* For --resume: *nothing_to_do = 1 if the result is complete, stands under its final name and
 * ends where the run would end. XS_USAGE if the run would end before the checkpoint. Nothing is
 * written. */
xs_status xs_target_check_resume(const xs_setup *setup, xs_result_standing *standing,
                                 int *nothing_to_do, xs_report *report);

/* The name under which a run ends: path without ".partial". NULL when memory is exhausted. */
const char *xs_target_final_path(const char *path, xs_arena *arena);

#endif
