/* What this program is, for --version and for the provenance of results. */
#ifndef XS_APP_ABOUT_H
#define XS_APP_ABOUT_H

#include "io/json.h"
#include "io/result.h"

/* Fills info; texts are static or in the arena. The command line is written so that a
 * shell reads it back as the same arguments. XS_INTERNAL when memory is exhausted. */
xs_status xs_about_fill(int argc, char *const *argv, xs_arena *arena, xs_run_info *info,
                        xs_report *report);

/* What `xsim --version` prints. */
void xs_about_write(const xs_run_info *info, FILE *stream);

#endif
