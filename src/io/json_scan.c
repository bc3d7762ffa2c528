/* Structure of a JSON text: values, arrays, objects, blanks and comments.
 *
 * One pass, without recursion: the arrays and objects that are open are kept on a stack
 * of XS_JSON_DEPTH_MAX. The loop alternates between "a value is due here" and "after a
 * value", which goes through closing brackets and commas to the place where the next
 * value is due. Before that pass the text is checked to be UTF-8 throughout.
 *
 * The scanner reads its own copy of the text (0-terminated, so that looking ahead is
 * safe), in which comments become blanks behind it; places are counted in the original. */
#include "io/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum { EXCERPT = 48 }; /* bytes of the text shown in a message */

static const char byte_order_mark[] = "\xEF\xBB\xBF";

static size_t start_of(const char *text, size_t length) {
  return length >= 3 && memcmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
}

/* ---- places ------------------------------------------------------------------------ */

xs_json_cursor xs_json_cursor_start(const char *text, size_t length) {
  return (xs_json_cursor){start_of(text, length), 1, 1};
}

void xs_json_cursor_move(xs_json_cursor *cursor, const char *text, size_t offset) {
  for (; cursor->at < offset; cursor->at++) {
    unsigned char c = (unsigned char)text[cursor->at];
    if (c == '\n') {
      cursor->line++;
      cursor->column = 1;
    } else if ((c & 0xC0) != 0x80) {
      cursor->column++; /* not for the further bytes of a character */
    }
  }
}

xs_status xs_json_scan_fail(xs_json_scan *scan, size_t offset, const char *format, ...) {
  xs_json_cursor cursor = xs_json_cursor_start(scan->text, scan->length);
  xs_json_cursor_move(&cursor, scan->text, offset);
  xs_place place = {scan->source, cursor.line, cursor.column, NULL};

  char message[XS_REPORT_TEXT];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return xs_report_error(scan->report, XS_SCENE, &place, "%s", n < 0 ? format : message);
}

static xs_status out_of_memory(xs_json_scan *scan) {
  xs_place place = {.file = scan->source};
  return xs_report_error(scan->report, XS_INTERNAL, &place, "out of memory");
}

/* ---- characters and blanks --------------------------------------------------------- */

static xs_status check_utf8(xs_json_scan *scan) {
  size_t at = 0;
  while (at < scan->length) {
    int n = xs_utf8_decode(scan->text + at, scan->length - at, NULL);
    if (n == 0) break;
    at += (size_t)n;
  }
  if (at == scan->length) return XS_OK;

  unsigned first = (unsigned char)scan->text[at];
  int is_utf16 = at == 0 && (first == 0xFF || first == 0xFE);
  return xs_json_scan_fail(scan, at, "byte 0x%02X is not valid UTF-8%s; save the text as UTF-8",
                           first, is_utf16 ? " (the text looks like UTF-16)" : "");
}

static char peek(const xs_json_scan *scan) { return scan->clean[scan->at]; }

static int at_end(const xs_json_scan *scan) { return scan->at == scan->length; }

/* A comment at scan->at, which is blanked. */
static xs_status skip_comment(xs_json_scan *scan) {
  size_t start = scan->at;
  char *from = scan->clean + start, *end;
  if (from[1] == '/') {
    end = memchr(from, '\n', scan->length - start);
    if (!end) end = scan->clean + scan->length;
  } else if (from[1] == '*') {
    end = memmem(from + 2, scan->length - start - 2, "*/", 2);
    if (!end) return xs_json_scan_fail(scan, start, "unterminated comment: */ is missing");
    end += 2;
  } else {
    return xs_json_scan_fail(scan, start, "unexpected '/'; comments are // ... and /* ... */");
  }
  memset(from, ' ', (size_t)(end - from));
  scan->at = (size_t)(end - scan->clean);
  return XS_OK;
}

static xs_status skip_blanks(xs_json_scan *scan) {
  for (;;) {
    while (peek(scan) && strchr(" \t\r\n", peek(scan))) scan->at++;
    if (peek(scan) != '/') return XS_OK;
    xs_status status = skip_comment(scan);
    if (status) return status;
  }
}

/* ---- what can be wrong between the tokens ------------------------------------------ */

/* The end of the text where arrays or objects are open. */
static xs_status fail_open(xs_json_scan *scan) {
  size_t opened = scan->open[scan->depth - 1].at;
  char bracket = scan->open[scan->depth - 1].bracket;
  xs_json_cursor cursor = xs_json_cursor_start(scan->text, scan->length);
  xs_json_cursor_move(&cursor, scan->text, opened);
  return xs_json_scan_fail(scan, scan->at,
                           "unexpected end: '%c' is missing for the '%c' at line %d, column %d",
                           bracket == '{' ? '}' : ']', bracket, cursor.line, cursor.column);
}

/* A bracket that closes what was opened by the other sort. */
static xs_status fail_mismatch(xs_json_scan *scan) {
  size_t opened = scan->open[scan->depth - 1].at;
  char bracket = scan->open[scan->depth - 1].bracket;
  xs_json_cursor cursor = xs_json_cursor_start(scan->text, scan->length);
  xs_json_cursor_move(&cursor, scan->text, opened);
  return xs_json_scan_fail(scan, scan->at,
                           "found '%c', but the '%c' at line %d, column %d needs '%c'", peek(scan),
                           bracket, cursor.line, cursor.column, bracket == '{' ? '}' : ']');
}

/* A character that can begin nothing, or the wrong sort of quote. */
static xs_status fail_character(xs_json_scan *scan, const char *needed) {
  uint32_t code = 0;
  int n = xs_utf8_decode(scan->text + scan->at, scan->length - scan->at, &code);
  char shown[EXCERPT];
  xs_json_token_excerpt(scan, scan->at, scan->at + (size_t)n, shown, sizeof shown);

  if (code == '\'')
    return xs_json_scan_fail(scan, scan->at, "single quotes are not allowed: use double quotes");
  if (code >= 0x2018 && code <= 0x201F)
    return xs_json_scan_fail(scan, scan->at, "typographic quote %s: use the plain \"", shown);
  if (code == '#')
    return xs_json_scan_fail(scan, scan->at, "unexpected '#'; comments are // ... and /* ... */");
  if (code > 0x20 && code < 0x7F)
    return xs_json_scan_fail(scan, scan->at, "unexpected '%s': %s is needed", shown, needed);
  return xs_json_scan_fail(scan, scan->at, "unexpected character U+%04X: %s is needed",
                           (unsigned)code, needed);
}

static int begins_value(char c) {
  return xs_json_token_is_letter(c) || (c && strchr("\"'{[+-.0123456789", c));
}

/* ---- keys and values --------------------------------------------------------------- */

static xs_status add_mark(xs_json_scan *scan, uint32_t key, size_t value, xs_json_type type,
                          double number) {
  if (scan->n_marks == scan->marks_max) {
    size_t room = scan->marks_max ? 2 * scan->marks_max : 256;
    xs_json_mark *grown = realloc(scan->mark, room * sizeof *grown);
    if (!grown) return out_of_memory(scan);
    scan->mark = grown;
    scan->marks_max = room;
  }
  scan->mark[scan->n_marks++] = (xs_json_mark){key, (uint32_t)value, type, scan->depth, number};
  return XS_OK;
}

static xs_status fail_key(xs_json_scan *scan) {
  if (at_end(scan)) return fail_open(scan);
  if (peek(scan) == ',') return xs_json_scan_fail(scan, scan->at, "a member is missing before ','");
  if (!xs_json_token_is_letter(peek(scan))) return fail_character(scan, "a key in double quotes");

  size_t end = scan->at;
  for (char c; c = scan->clean[end], xs_json_token_is_letter(c) || (c && strchr("0123456789-", c));)
    end++;
  char key[EXCERPT];
  xs_json_token_excerpt(scan, scan->at, end, key, sizeof key);
  return xs_json_scan_fail(scan, scan->at, "unquoted key %s: write \"%s\"", key, key);
}

/* "key": up to where the value is due. */
static xs_status scan_key(xs_json_scan *scan, uint32_t *key) {
  if (peek(scan) != '"') return fail_key(scan);
  size_t start = scan->at;
  xs_status status = xs_json_token_string(scan);
  size_t end = scan->at;
  if (!status) status = skip_blanks(scan);
  if (status) return status;

  if (at_end(scan)) return fail_open(scan);
  if (peek(scan) != ':') {
    char shown[EXCERPT];
    return xs_json_scan_fail(scan, scan->at, "missing ':' after the key %s",
                             xs_json_token_excerpt(scan, start, end, shown, sizeof shown));
  }
  scan->at++;
  *key = (uint32_t)start;
  return XS_OK;
}

/* '[' or '{' at scan->at. */
static xs_status open_bracket(xs_json_scan *scan, uint32_t key) {
  if (scan->depth == XS_JSON_DEPTH_MAX)
    return xs_json_scan_fail(scan, scan->at, "nested deeper than %d levels", XS_JSON_DEPTH_MAX);
  xs_json_type type = peek(scan) == '{' ? XS_JSON_OBJECT : XS_JSON_ARRAY;
  xs_status status = add_mark(scan, key, scan->at, type, 0);
  if (status) return status;
  scan->open[scan->depth].bracket = peek(scan);
  scan->open[scan->depth].at = scan->at++;
  scan->depth++;
  return XS_OK;
}

static xs_status fail_value(xs_json_scan *scan) {
  if (at_end(scan) && scan->depth) return fail_open(scan);
  if (at_end(scan))
    return xs_json_scan_fail(scan, scan->at, "a value is missing: the text is empty");
  if (peek(scan) && strchr(",:]}", peek(scan)))
    return xs_json_scan_fail(scan, scan->at, "a value is missing before '%c'", peek(scan));
  return fail_character(scan, "a value");
}

/* A value that holds no others, at scan->at. */
static xs_status scan_scalar(xs_json_scan *scan, uint32_t key) {
  size_t start = scan->at;
  char c = peek(scan);
  xs_json_type type = XS_JSON_STRING;
  double number = 0;
  xs_status status;

  if (c == '"') {
    status = xs_json_token_string(scan);
  } else if (xs_json_token_is_letter(c)) {
    status = xs_json_token_word(scan, &type, &number);
  } else if (c && strchr("+-.0123456789", c)) {
    type = XS_JSON_NUMBER;
    status = xs_json_token_number(scan, &number);
  } else {
    status = fail_value(scan);
  }
  return status ? status : add_mark(scan, key, start, type, number);
}

/* ---- the way from one value to the next -------------------------------------------- */

/* The comma between two members or items, and what may not follow it. */
static xs_status scan_comma(xs_json_scan *scan) {
  int in_object = scan->open[scan->depth - 1].bracket == '{';
  if (at_end(scan)) return fail_open(scan);
  if (peek(scan) != ',') {
    if (!begins_value(peek(scan))) return fail_character(scan, "a comma or the closing bracket");
    return xs_json_scan_fail(scan, scan->at, "missing comma between %s",
                             in_object ? "members" : "items");
  }
  size_t comma = scan->at++;
  xs_status status = skip_blanks(scan);
  if (status) return status;
  char c = peek(scan);
  if (c == ']' || c == '}')
    return xs_json_scan_fail(scan, comma, "trailing comma: nothing follows it before '%c'", c);
  return XS_OK;
}

/* From behind a value, or behind an opening bracket if just_opened, to where the next
 * value is due (key: where its key stands), or to the end of the text: done. */
static xs_status to_next_value(xs_json_scan *scan, int just_opened, uint32_t *key, int *done) {
  for (;; just_opened = 0) {
    xs_status status = skip_blanks(scan);
    if (status) return status;
    if (scan->depth == 0) {
      *done = at_end(scan);
      if (*done) return XS_OK;
      return xs_json_scan_fail(scan, scan->at, "unexpected text after the end of the value");
    }

    /* Closing brackets lead outwards. */
    int in_object = scan->open[scan->depth - 1].bracket == '{';
    if (peek(scan) == '}' || peek(scan) == ']') {
      if (peek(scan) != (in_object ? '}' : ']')) return fail_mismatch(scan);
      scan->at++;
      scan->depth--;
      continue;
    }

    if (!just_opened) status = scan_comma(scan);
    if (!status && in_object) status = scan_key(scan, key);
    return status;
  }
}

static xs_status scan_values(xs_json_scan *scan) {
  uint32_t key = XS_JSON_NO_KEY;
  for (int done = 0; !done;) {
    /* A value is due. */
    xs_status status = skip_blanks(scan);
    if (status) return status;
    int opens = peek(scan) == '{' || peek(scan) == '[';
    status = opens ? open_bracket(scan, key) : scan_scalar(scan, key);
    if (status) return status;

    key = XS_JSON_NO_KEY;
    status = to_next_value(scan, opens, &key, &done);
    if (status) return status;
  }
  return XS_OK;
}

/* ---- all --------------------------------------------------------------------------- */

xs_status xs_json_scan_text(xs_json_scan *scan) {
  if (scan->length > XS_JSON_BYTES_MAX) {
    xs_place place = {.file = scan->source};
    return xs_report_error(scan->report, XS_SCENE, &place, "%zu bytes: more than %d MiB",
                           scan->length, XS_JSON_BYTES_MAX / (1024 * 1024));
  }
  xs_status status = check_utf8(scan);
  if (status) return status;

  /* The copy; a byte order mark is blanked like a comment. */
  scan->clean = malloc(scan->length + 1);
  if (!scan->clean) return out_of_memory(scan);
  if (scan->length) memcpy(scan->clean, scan->text, scan->length);
  scan->clean[scan->length] = '\0';
  scan->at = start_of(scan->text, scan->length);
  memset(scan->clean, ' ', scan->at);
  return scan_values(scan);
}

void xs_json_scan_free(xs_json_scan *scan) {
  free(scan->clean);
  free(scan->mark);
  scan->clean = NULL;
  scan->mark = NULL;
  scan->n_marks = scan->marks_max = 0;
}
