/* What a result holds, or would hold, without opening one for writing.
 *
 * For decisions before a run: where a result stands that is to be resumed, and how large a
 * new one will get. */
#ifndef XS_IO_RESULT_SURVEY_H
#define XS_IO_RESULT_SURVEY_H

#include "io/result.h"

typedef struct xs_result_standing {
  char status[16];         /* "complete", "stopped", "diverged", "running" */
  int exit_code;           /* of the run that ended; 0 while it runs */
  int64_t checkpoint_step; /* steps done at the last checkpoint */
} xs_result_standing;

/* Reads it from PATH.partial if that is there, else from PATH, as xs_result_resume would;
 * path may name either. XS_IO if neither can be read. */
xs_status xs_result_survey_standing(const char *path, xs_result_standing *standing,
                                    xs_report *report);

/* Bytes of one record. */
double xs_result_survey_record_bytes(const xs_world *world);

#endif
