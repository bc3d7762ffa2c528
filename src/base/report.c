/* Collecting messages in fixed memory, and printing them as text or JSON.
 *
 * Text, a message a line, missing parts left out:
 *     file:line:column: path: message
 *     file:line:column: path: warning: message
 *     xsim: message                              (without a place)
 * JSON, an object a line: severity ("error", "warning", "note"), status (exit status, 0
 * for what is no error), file, line, column, path (null where unknown), message.
 *
 * What was added beyond the kept messages is told by a last line "... and N more errors"
 * (a note in JSON). Text is made printable (printable.h), so that a scene cannot drive the
 * terminal. Nothing here allocates. Output that fails leaves its mark in
 * ferror(stream), for the caller who cares about that stream. */
#include "base/report.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/printable.h"
#include "base/utf8.h"

enum { KEPT_MAX = 2 * XS_REPORT_SHOWN };

/* Ends text (of size bytes) with "...", cut so that no UTF-8 character is torn. */
static void mark_as_cut(char *text, size_t size) {
  size_t end = size - sizeof "...";
  while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  memcpy(text + end, "...", sizeof "...");
}

static void copy_cut(char *to, size_t size, const char *from) {
  size_t length = from ? strlen(from) : 0;
  size_t n = length < size ? length : size - 1;
  if (n) memcpy(to, from, n);
  to[n] = '\0';
  if (length >= size) mark_as_cut(to, size);
}

/* Keeps a message, status XS_OK for a warning; n_before of its sort were added before. */
static void keep(xs_report *report, int n_before, xs_status status, const xs_place *place,
                 const char *format, va_list arguments) {
  if (n_before >= XS_REPORT_SHOWN) return;
  assert(report->n_kept < KEPT_MAX);
  xs_message *message = &report->kept[report->n_kept++];

  /* The place; numbers below 1 mean that it is unknown. */
  *message = (xs_message){.status = status};
  if (place) {
    message->line = place->line > 0 ? place->line : 0;
    message->column = place->column > 0 ? place->column : 0;
    copy_cut(message->file, sizeof message->file, place->file);
    copy_cut(message->path, sizeof message->path, place->path);
  }

  /* The text; should the C library fail to format it, the bare format still tells most. */
  int length = vsnprintf(message->text, sizeof message->text, format, arguments);
  if (length < 0) copy_cut(message->text, sizeof message->text, format);
  if (length >= (int)sizeof message->text) mark_as_cut(message->text, sizeof message->text);
}

/* In parentheses against the macro that the analyzer is given for it. */
xs_status(xs_report_error)(xs_report *report, xs_status status, const xs_place *place,
                           const char *format, ...) {
  assert(status != XS_OK);
  va_list arguments;
  va_start(arguments, format);
  keep(report, report->n_errors, status, place, format, arguments);
  va_end(arguments);
  report->n_errors++;
  return status;
}

void xs_report_warning(xs_report *report, const xs_place *place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  keep(report, report->n_warnings, XS_OK, place, format, arguments);
  va_end(arguments);
  report->n_warnings++;
}

xs_status xs_report_status(const xs_report *report) {
  for (int i = 0; i < report->n_kept; i++)
    if (report->kept[i].status != XS_OK) return report->kept[i].status;
  return XS_OK;
}

/* ---- order ------------------------------------------------------------------------- */

/* Where the messages of a file stand: at the first of them. A message without a file
 * stands where it was added. */
static int group_of(const xs_report *report, int i) {
  if (report->kept[i].file[0] == '\0') return i;
  int first = 0;
  while (strcmp(report->kept[first].file, report->kept[i].file) != 0) first++;
  return first;
}

/* Negative if a comes before b: by group, line, column; 0 leaves the order added. */
static int compare(const xs_message *a, int group_a, const xs_message *b, int group_b) {
  if (group_a != group_b) return group_a - group_b;
  if (a->line != b->line) return a->line - b->line;
  return a->column - b->column;
}

/* Fills order with the numbers of the kept messages in file order: insertion sort, which
 * is stable, and 40 items at most. */
static void sort_in_file_order(const xs_report *report, int order[KEPT_MAX]) {
  int group[KEPT_MAX];
  for (int i = 0; i < report->n_kept; i++) {
    group[i] = group_of(report, i);
    int k = i;
    for (; k > 0; k--) {
      int before = order[k - 1];
      if (compare(&report->kept[before], group[before], &report->kept[i], group[i]) <= 0) break;
      order[k] = before;
    }
    order[k] = i;
  }
}

/* ---- text -------------------------------------------------------------------------- */

static void print_plain(FILE *stream, const char *text) {
  char form[20];
  for (size_t left = strlen(text); left > 0;) {
    const int taken = xs_printable_next(text, left, form);
    fputs(form, stream);
    text += taken;
    left -= (size_t)taken;
  }
}

static void print_text(FILE *stream, const xs_message *message) {
  /* The place: as much of it as is known. */
  print_plain(stream, message->file[0] ? message->file : "xsim");
  if (message->file[0] && message->line) {
    fprintf(stream, ":%d", message->line);
    if (message->column) fprintf(stream, ":%d", message->column);
  }
  fputs(": ", stream);
  if (message->path[0]) {
    print_plain(stream, message->path);
    fputs(": ", stream);
  }

  if (message->status == XS_OK) fputs("warning: ", stream);
  print_plain(stream, message->text);
  fputc('\n', stream);
}

/* ---- JSON -------------------------------------------------------------------------- */

/* A JSON string; bytes that are not UTF-8 become U+FFFD, the replacement character. */
static void print_json_string(FILE *stream, const char *text) {
  fputc('"', stream);
  for (size_t left = strlen(text); left;) {
    uint32_t code = 0;
    int length = xs_utf8_decode(text, left, &code);
    if (length == 0)
      fputs("\xEF\xBF\xBD", stream), length = 1;
    else if (code == '"' || code == '\\')
      fprintf(stream, "\\%c", (char)code);
    else if (code < 0x20 || code == 0x7F)
      fprintf(stream, "\\u%04x", (unsigned)code);
    else
      fwrite(text, 1, (size_t)length, stream);
    text += length;
    left -= (size_t)length;
  }
  fputc('"', stream);
}

static void print_json_text_member(FILE *stream, const char *key, const char *text) {
  fprintf(stream, ", \"%s\": ", key);
  if (text[0])
    print_json_string(stream, text);
  else
    fputs("null", stream);
}

static void print_json_number_member(FILE *stream, const char *key, int number) {
  fprintf(stream, ", \"%s\": ", key);
  if (number)
    fprintf(stream, "%d", number);
  else
    fputs("null", stream);
}

static void print_json(FILE *stream, const char *severity, const xs_message *message) {
  fprintf(stream, "{\"severity\": \"%s\", \"status\": %d", severity, (int)message->status);
  print_json_text_member(stream, "file", message->file);
  print_json_number_member(stream, "line", message->line);
  print_json_number_member(stream, "column", message->column);
  print_json_text_member(stream, "path", message->path);
  fputs(", \"message\": ", stream);
  print_json_string(stream, message->text);
  fputs("}\n", stream);
}

/* ---- all --------------------------------------------------------------------------- */

/* Tells how many of a sort were added beyond those kept. */
static void print_rest(FILE *stream, xs_report_format format, int n_added, const char *sort) {
  int n = n_added - XS_REPORT_SHOWN;
  if (n <= 0) return;
  xs_message message = {.status = XS_OK};
  snprintf(message.text, sizeof message.text, "... and %d more %s%s", n, sort, n > 1 ? "s" : "");
  if (format == XS_REPORT_AS_JSON)
    print_json(stream, "note", &message);
  else
    fprintf(stream, "%s\n", message.text);
}

void xs_report_print(const xs_report *report, FILE *stream, xs_report_format format,
                     int errors_only) {
  int order[KEPT_MAX];
  sort_in_file_order(report, order);

  for (int k = 0; k < report->n_kept; k++) {
    const xs_message *message = &report->kept[order[k]];
    int is_warning = message->status == XS_OK;
    if (is_warning && errors_only) continue;
    if (format == XS_REPORT_AS_JSON)
      print_json(stream, is_warning ? "warning" : "error", message);
    else
      print_text(stream, message);
  }

  print_rest(stream, format, report->n_errors, "error");
  if (!errors_only) print_rest(stream, format, report->n_warnings, "warning");
}
