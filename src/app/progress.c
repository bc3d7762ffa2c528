/* Progress of a run (progress.h): formatting it into a fixed line. */
#include "app/progress.h"

#include <math.h>
#include <string.h>

static const double TELL_EVERY = 0.1; /* s: how often a sweep hears of it */

void xs_progress_begin(xs_progress *progress, FILE *stream, xs_progress_when when,
                       int64_t first_step, int64_t last_step, double step_size, double now) {
  *progress = (xs_progress){
      .first_step = first_step, .last_step = last_step, .step_size = step_size, .started = now};
  xs_status_line_begin(&progress->line, stream, when, now);
}

void xs_progress_record(xs_progress *progress, double constraint, double primal_relative) {
  progress->constraint = constraint;
  progress->primal_relative = primal_relative;
}

void xs_progress_format(const xs_progress *progress, int64_t step, double now, int width,
                        char *line, size_t size) {
  /* Means over this run; a run of zero steps is done. */
  const double done = (double)(step - progress->first_step), wall = now - progress->started;
  const double steps_per_second = wall > 0 ? done / wall : 0;
  const double left = (double)(progress->last_step - step);
  const double fraction = progress->last_step > 0 ? (double)step / (double)progress->last_step : 1;
  char eta[32], part[64];
  xs_status_line_duration(steps_per_second > 0 ? left / steps_per_second : INFINITY, eta,
                          sizeof eta);

  /* The time stands in front, then the bar; what follows them is put together first, the
   * most important part first, since parts that no longer fit are left out. The bar only
   * repeats the percents and gets what room is left. */
  char text[XS_STATUS_LINE_BYTES] = "";
  line[0] = '\0';
  snprintf(part, sizeof part, "t = %.6g s", (double)step * progress->step_size);
  xs_status_line_append(line, size, width, part);
  const int room = width - (int)strlen(line);

  snprintf(part, sizeof part, " %3d %%", (int)(100 * fraction));
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  ETA %s", eta);
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  %.3g steps/s", steps_per_second);
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  %.3g x real", steps_per_second * progress->step_size);
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  |C| %.0e", progress->constraint);
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  primal %.0e", progress->primal_relative);
  xs_status_line_append(text, sizeof text, room, part);

  xs_status_line_append_bar(line, size, width - (int)strlen(text), fraction);
  xs_status_line_append(line, size, width, text);
}

void xs_progress_update(xs_progress *progress, int64_t step, double now) {
  if (progress->fraction != NULL && now - progress->told >= TELL_EVERY) {
    progress->told = now;
    *progress->fraction = (double)step / (double)progress->last_step;
  }
  if (!xs_status_line_due(&progress->line, now)) return;
  char line[XS_STATUS_LINE_BYTES];
  xs_progress_format(progress, step, now, xs_status_line_width(&progress->line), line, sizeof line);
  xs_status_line_draw(&progress->line, line);
}

void xs_progress_end(xs_progress *progress) { xs_status_line_wipe(&progress->line); }
