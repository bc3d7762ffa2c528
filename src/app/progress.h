/* Progress of a run on a terminal, or as lines in a log (status_line.h).
 *
 * Speeds are means since the run began; residuals are those of the latest record. A run that is
 * the case of a sweep tells the sweep how far it is instead. */
#ifndef XS_APP_PROGRESS_H
#define XS_APP_PROGRESS_H

#include <stdint.h>

#include "app/status_line.h"

typedef struct xs_progress {
  xs_status_line line;
  volatile double *fraction;          /* where the done part of the run goes, 0 .. 1; or NULL */
  double told;                        /* wall time at which it went there, s */
  int64_t first_step, last_step;      /* of this run */
  double step_size;                   /* s, simulated */
  double started;                     /* wall time of the first step, s */
  double constraint, primal_relative; /* of the latest record */
} xs_progress;

/* Prepares progress on stream (stderr) for the steps first_step .. last_step. */
void xs_progress_begin(xs_progress *progress, FILE *stream, xs_progress_when when,
                       int64_t first_step, int64_t last_step, double step_size, double now);

/* Notes the residuals of a record. */
void xs_progress_record(xs_progress *progress, double constraint, double primal_relative);

/* Draws if it is time: after every step. */
void xs_progress_update(xs_progress *progress, int64_t step, double now);

/* Wipes the line, so that what is printed next starts at the margin. */
void xs_progress_end(xs_progress *progress);

/* Writes the progress at a step into line (size bytes) in at most width columns: parts are
 * left out from the right, and the bar shrinks or goes. */
void xs_progress_format(const xs_progress *progress, int64_t step, double now, int width,
                        char *line, size_t size);

#endif
