/* The strict JSON grammar: checks a text and marks where its values stand.
 *
 * The scanner is what decides whether a text is JSON (RFC 8259, plus comments and a byte
 * order mark, minus what a scene has no use for: see xs_json_scan_text). It builds no
 * tree: that is left to cJSON, which is given the text with its comments blanked. */
#ifndef XS_IO_JSON_SCAN_H
#define XS_IO_JSON_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/report.h"
#include "io/json.h"

#define XS_JSON_NO_KEY UINT32_MAX

/* A value, in the order of the text (an array or object before what it holds). */
typedef struct xs_json_mark {
  uint32_t key, value; /* byte offsets; key = XS_JSON_NO_KEY outside objects */
  xs_json_type type;
  int depth;     /* arrays and objects around it */
  double number; /* XS_JSON_NUMBER; XS_JSON_BOOL: 0 or 1 */
} xs_json_mark;

typedef struct xs_json_scan {
  const char *text; /* length bytes */
  size_t length;
  const char *source; /* names the text in messages */
  xs_report *report;

  /* Results. clean and mark are from malloc: xs_json_scan_free. */
  char *clean; /* a copy, 0-terminated, comments and byte order mark blanked, and
                  numbers of more than XS_JSON_NUMBER_BYTES written shorter */
  xs_json_mark *mark;
  size_t n_marks;
  size_t string_bytes; /* enough for all strings and keys decoded, each with its 0 */

  /* Private to the scanner. */
  size_t at, marks_max;
  int depth;
  struct {
    char bracket; /* '[' or '{' */
    size_t at;
  } open[XS_JSON_DEPTH_MAX];
} xs_json_scan;

/* Bytes of a number that cJSON reads; later and patched releases read more. */
enum { XS_JSON_NUMBER_BYTES = 63 };

/* Scans text, length, source, report; the other fields must be zero. Stops at the first
 * error, reported with line and column: XS_SCENE; XS_INTERNAL when memory is exhausted.
 * Refused: nesting beyond XS_JSON_DEPTH_MAX, numbers that overflow or that underflow to
 * 0, \u0000 and unpaired surrogates in strings. The thread's locale must have the decimal
 * point. Duplicate keys are not seen here. Linear in length. */
xs_status xs_json_scan_text(xs_json_scan *scan);

void xs_json_scan_free(xs_json_scan *scan);

/* Lines and columns of offsets that are asked for in ascending order. Columns count
 * characters (code points), not bytes; a byte order mark is none. */
typedef struct xs_json_cursor {
  size_t at;
  int line, column;
} xs_json_cursor;

xs_json_cursor xs_json_cursor_start(const char *text, size_t length);

/* Moves the cursor forward to offset (at most the text's length). */
void xs_json_cursor_move(xs_json_cursor *cursor, const char *text, size_t offset);

/* For json_scan.c and json_token.c: reports an error at offset, returns XS_SCENE. */
xs_status xs_json_scan_fail(xs_json_scan *scan, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For json_scan.c: the token at scan->at, which is moved behind it. */
xs_status xs_json_token_string(xs_json_scan *scan);
xs_status xs_json_token_number(xs_json_scan *scan, double *number);
xs_status xs_json_token_word(xs_json_scan *scan, xs_json_type *type, double *number);

/* Letters, '_' and '$': what words and unquoted keys begin with. */
int xs_json_token_is_letter(char c);

/* A piece of the text for a message: at most size - 1 bytes, cut with "...". */
const char *xs_json_token_excerpt(const xs_json_scan *scan, size_t from, size_t to, char *buffer,
                                  size_t size);

#endif
