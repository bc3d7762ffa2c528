/* A line of progress: redrawn in place on a terminal, plain lines in a log elsewhere.
 *
 * On a terminal at most 10 times a second, fitted to its width and wiped at the end; elsewhere
 * at most once a second. Nothing is allocated, and the clock is the caller's. Writing progress
 * may fail (a closed terminal); that must not end a run, so failures turn the line off. */
#ifndef XS_APP_STATUS_LINE_H
#define XS_APP_STATUS_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "app/options.h"

enum { XS_STATUS_LINE_BYTES = 512 };

typedef struct xs_status_line {
  int enabled, on_terminal;
  FILE *stream;
  double next; /* wall time of the next drawing, s */
  int drawn;   /* a line stands on the terminal */
} xs_status_line;

void xs_status_line_begin(xs_status_line *line, FILE *stream, xs_progress_when when, double now);

/* 1 if it is time to draw, which then counts as done. */
int xs_status_line_due(xs_status_line *line, double now);

/* Columns that a text may have. */
int xs_status_line_width(const xs_status_line *line);

void xs_status_line_draw(xs_status_line *line, const char *text);

/* Wipes the line, so that what is printed next starts at the margin. */
void xs_status_line_wipe(xs_status_line *line);

/* ---- Texts for it ---- */

/* Seconds as 0:07, 12:34 or 1:02:03; "-" if there are none. */
void xs_status_line_duration(double seconds, char *text, size_t size);

/* Appends part to text if the whole stays within width columns. */
void xs_status_line_append(char *text, size_t size, int width, const char *part);

/* Appends a bar filled to fraction, as long as width leaves room for. */
void xs_status_line_append_bar(char *text, size_t size, int width, double fraction);

#endif
