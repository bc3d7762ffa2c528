/* What a result holds, or would hold, without opening one for writing.
 *
 * For decisions before a run: which file --resume goes on with and where that stands, and
 * how large a record of a new one is. */
#ifndef XS_IO_RESULT_SURVEY_H
#define XS_IO_RESULT_SURVEY_H

#include "io/result.h"

typedef struct xs_result_standing {
  char status[16];         /* "complete", "stopped", "diverged", "running" */
  int exit_code;           /* of the run that ended; -1 while it runs or when it was killed */
  int64_t checkpoint_step; /* steps done at the last checkpoint */
} xs_result_standing;

/* The file that xs_result_resume goes on with: PATH.partial if that holds anything, else
 * PATH; path may name either. XS_IO if neither is there, XS_INTERNAL without memory. */
xs_status xs_result_survey_resumed(const char *path, xs_arena *arena, const char **file,
                                   xs_report *report);

typedef enum xs_result_content {
  XS_CONTENT_FOREIGN,  /* no result, or one too damaged to open */
  XS_CONTENT_RESULT,   /* a result without a checkpoint */
  XS_CONTENT_RESUMABLE /* a result with a checkpoint */
} xs_result_content;

/* What a file is, of whatever format its result is. */
xs_result_content xs_result_survey_content(const char *file);

/* Reads how far the run of exactly this file got. XS_IO if it cannot be read. */
xs_status xs_result_survey_standing(const char *file, xs_result_standing *standing,
                                    xs_report *report);

/* Bytes of one record. */
double xs_result_survey_record_bytes(const xs_world *world);

/* Bytes of memory that a result takes while it is written, HDF5's own among them, about. XS_SCENE
 * where a record is larger than the buffer. */
xs_status xs_result_survey_memory(const xs_world *world, double *memory, xs_report *report);

/* What --verbose says of an open result: chunks and buffer. */
void xs_result_survey_describe(const xs_result *result, FILE *stream);

#endif
