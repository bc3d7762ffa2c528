/* The line of progress (status_line.h). */
#include "app/status_line.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
  WIDTH_UNKNOWN = 80, /* columns, where the terminal does not say */
  BAR_MIN = 5,        /* columns of the bar; below that it is left out */
  BAR_MAX = 40
};
static const double DRAW_EVERY = 0.1; /* s: faster only flickers */
static const double LOG_EVERY = 1.0;  /* s */

static double interval(const xs_status_line *line) {
  return line->on_terminal ? DRAW_EVERY : LOG_EVERY;
}

void xs_status_line_begin(xs_status_line *line, FILE *stream, xs_progress_when when, double now) {
  const int on_terminal = isatty(fileno(stream));
  *line = (xs_status_line){
      .enabled = when == XS_PROGRESS_ALWAYS || (when == XS_PROGRESS_AUTO && on_terminal),
      .on_terminal = on_terminal,
      .stream = stream,
  };
  line->next = now + interval(line);
}

int xs_status_line_due(xs_status_line *line, double now) {
  if (!line->enabled || now < line->next) return 0;
  line->next = now + interval(line);
  return 1;
}

int xs_status_line_width(const xs_status_line *line) {
  struct winsize window;
  if (!line->on_terminal) return XS_STATUS_LINE_BYTES - 1;
  /* The last column stays free: some terminals wrap when it is written. */
  if (ioctl(fileno(line->stream), TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
    return WIDTH_UNKNOWN - 1;
  return window.ws_col - 1;
}

void xs_status_line_draw(xs_status_line *line, const char *text) {
  const int printed = fprintf(line->stream, line->on_terminal ? "\r%s\033[K" : "%s\n", text);
  line->drawn = line->on_terminal;
  if (printed < 0 || fflush(line->stream) != 0) line->enabled = 0;
}

void xs_status_line_wipe(xs_status_line *line) {
  if (!line->drawn) return;
  /* A terminal that is gone needs no wiping: a failure here has no consequence. */
  fputs("\r\033[K", line->stream);
  fflush(line->stream);
  line->drawn = 0;
}

void xs_status_line_duration(double seconds, char *text, size_t size) {
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

void xs_status_line_append(char *text, size_t size, int width, const char *part) {
  const size_t used = strlen(text), more = strlen(part);
  if (width > 0 && used + more <= (size_t)width && used + more < size)
    memcpy(text + used, part, more + 1);
}

void xs_status_line_append_bar(char *text, size_t size, int width, double fraction) {
  char bar[BAR_MAX + 4] = " [";
  const int room = width - (int)strlen(text) - 3;
  const int n = room < BAR_MAX ? room : BAR_MAX;
  if (n < BAR_MIN) return;
  const int filled = (int)(fraction * n);
  for (int i = 0; i < n; i++) bar[2 + i] = i < filled ? '#' : '-';
  bar[2 + n] = ']';
  bar[3 + n] = '\0';
  xs_status_line_append(text, size, width, bar);
}
