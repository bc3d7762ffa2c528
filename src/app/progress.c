/* Progress of a run (progress.h): formatting into a fixed line, and drawing it.
 *
 * Writing progress may fail (a closed terminal); that must not end a run, so failures
 * turn the progress off. */
#include "app/progress.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
  LINE_MAX_BYTES = 512,
  WIDTH_UNKNOWN = 80, /* columns, where the terminal does not say */
  BAR_MIN = 5,        /* columns of the bar; below that it is left out */
  BAR_MAX = 40
};
static const double DRAW_EVERY = 0.1; /* s: faster only flickers */
static const double LOG_EVERY = 1.0;  /* s */

void xs_progress_begin(xs_progress *progress, FILE *stream, xs_progress_when when,
                       int64_t first_step, int64_t last_step, double step_size, double now) {
  const int on_terminal = isatty(fileno(stream));
  *progress = (xs_progress){
      .enabled = when == XS_PROGRESS_ALWAYS || (when == XS_PROGRESS_AUTO && on_terminal),
      .on_terminal = on_terminal,
      .stream = stream,
      .first_step = first_step,
      .last_step = last_step,
      .step_size = step_size,
      .started = now,
      .next = now + (on_terminal ? DRAW_EVERY : LOG_EVERY),
  };
}

void xs_progress_record(xs_progress *progress, double constraint, double primal_relative) {
  progress->constraint = constraint;
  progress->primal_relative = primal_relative;
}

/* Seconds as 0:07, 12:34 or 1:02:03. */
static void format_duration(double seconds, char *text, size_t size) {
  if (!(seconds < 1e8)) {
    snprintf(text, size, "-");
    return;
  }
  const long s = lround(seconds);
  if (s >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
}

/* Appends part to line if the whole stays within width columns. */
static void append(char *line, size_t size, int width, const char *part) {
  const size_t used = strlen(line), more = strlen(part);
  if (width > 0 && used + more <= (size_t)width && used + more < size)
    memcpy(line + used, part, more + 1);
}

static void append_bar(char *line, size_t size, int width, double fraction) {
  char bar[BAR_MAX + 4] = " [";
  const int room = width - (int)strlen(line) - 3;
  const int n = room < BAR_MAX ? room : BAR_MAX;
  if (n < BAR_MIN) return;
  const int filled = (int)(fraction * n);
  for (int i = 0; i < n; i++) bar[2 + i] = i < filled ? '#' : '-';
  bar[2 + n] = ']';
  bar[3 + n] = '\0';
  append(line, size, width, bar);
}

void xs_progress_format(const xs_progress *progress, int64_t step, double now, int width,
                        char *line, size_t size) {
  /* Means over this run; a run of zero steps is done. */
  const double done = (double)(step - progress->first_step), wall = now - progress->started;
  const double steps_per_second = wall > 0 ? done / wall : 0;
  const double left = (double)(progress->last_step - step);
  const double fraction = progress->last_step > 0 ? (double)step / (double)progress->last_step : 1;
  char eta[32], part[64];
  format_duration(steps_per_second > 0 ? left / steps_per_second : INFINITY, eta, sizeof eta);

  /* The time stands in front, then the bar; what follows them is put together first, the
   * most important part first, since parts that no longer fit are left out. The bar only
   * repeats the percents and gets what room is left. */
  char text[LINE_MAX_BYTES] = "";
  line[0] = '\0';
  snprintf(part, sizeof part, "t = %.6g s", (double)step * progress->step_size);
  append(line, size, width, part);
  const int room = width - (int)strlen(line);

  snprintf(part, sizeof part, " %3d %%", (int)(100 * fraction));
  append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  ETA %s", eta);
  append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  %.3g steps/s", steps_per_second);
  append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  %.3g x real", steps_per_second * progress->step_size);
  append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  |C| %.0e", progress->constraint);
  append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  primal %.0e", progress->primal_relative);
  append(text, sizeof text, room, part);

  append_bar(line, size, width - (int)strlen(text), fraction);
  append(line, size, width, text);
}

static int terminal_width(FILE *stream) {
  struct winsize window;
  if (ioctl(fileno(stream), TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return WIDTH_UNKNOWN;
  return window.ws_col;
}

static void draw(xs_progress *progress, int64_t step, double now) {
  char line[LINE_MAX_BYTES];
  int printed;
  if (progress->on_terminal) {
    /* The last column stays free: some terminals wrap when it is written. */
    xs_progress_format(progress, step, now, terminal_width(progress->stream) - 1, line,
                       sizeof line);
    printed = fprintf(progress->stream, "\r%s\033[K", line);
    progress->drawn = 1;
  } else {
    xs_progress_format(progress, step, now, LINE_MAX_BYTES - 1, line, sizeof line);
    printed = fprintf(progress->stream, "%s\n", line);
  }
  if (printed < 0 || fflush(progress->stream) != 0) progress->enabled = 0;
}

void xs_progress_update(xs_progress *progress, int64_t step, double now) {
  if (!progress->enabled || now < progress->next) return;
  progress->next = now + (progress->on_terminal ? DRAW_EVERY : LOG_EVERY);
  draw(progress, step, now);
}

void xs_progress_end(xs_progress *progress) {
  if (!progress->drawn) return;
  /* A terminal that is gone needs no wiping: a failure here has no consequence. */
  fputs("\r\033[K", progress->stream);
  fflush(progress->stream);
  progress->drawn = 0;
}
