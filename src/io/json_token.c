/* Strings, numbers and words of a JSON text, and what is wrong with them.
 *
 *   string = '"' { character | '\' one of "\/bfnrt | '\u' 4 hex digits } '"'
 *   number = [-] (0 | 1-9 {digit}) [. digit {digit}] [(e|E) [+|-] digit {digit}]
 *   word   = true | false | null
 *
 * A number is read by strtod, which rounds correctly. Refused beyond the grammar: numbers
 * that overflow or that underflow to 0, \u0000, unpaired surrogates. All that looks like
 * a number or a word is taken as one token, so that a message can show it whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "io/json_scan.h"

enum { EXCERPT = 48 }; /* bytes of the text shown in a message */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

int xs_json_token_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

const char *xs_json_token_excerpt(const xs_json_scan *scan, size_t from, size_t to, char *buffer,
                                  size_t size) {
  size_t n = to - from, room = size - sizeof "...";
  int is_cut = n > room;
  if (is_cut) n = room;
  while (is_cut && n > 0 && ((unsigned char)scan->text[from + n] & 0xC0) == 0x80) n--;
  memcpy(buffer, scan->text + from, n);
  snprintf(buffer + n, size - n, "%s", is_cut ? "..." : "");
  return buffer;
}

/* ---- strings ----------------------------------------------------------------------- */

/* The value of the four hexadecimal digits at offset, -1 if they are none. */
static long hex4(const xs_json_scan *scan, size_t offset) {
  long value = 0;
  for (int i = 0; i < 4; i++) {
    char c = scan->clean[offset + (size_t)i];
    int digit = is_digit(c)              ? c - '0'
                : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                         : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/* \uXXXX at scan->at, or a pair of them that stands for one character. */
static xs_status unicode_escape(xs_json_scan *scan) {
  size_t start = scan->at;
  long first = hex4(scan, start + 2);
  if (first < 0) return xs_json_scan_fail(scan, start, "\\u needs four hexadecimal digits");
  if (first == 0) return xs_json_scan_fail(scan, start, "\\u0000 is not allowed in a string");
  scan->at += 6;
  if (first < 0xD800 || first > 0xDFFF) return XS_OK;

  /* A high surrogate needs a low one at once; a low one alone is nothing. */
  int has_second = first < 0xDC00 && strncmp(scan->clean + scan->at, "\\u", 2) == 0;
  long second = has_second ? hex4(scan, scan->at + 2) : -1;
  if (second < 0xDC00 || second > 0xDFFF)
    return xs_json_scan_fail(scan, start,
                             "\\u%04lX is half of a surrogate pair: the other half is missing",
                             (unsigned long)first);
  scan->at += 6;
  return XS_OK;
}

static xs_status escape(xs_json_scan *scan) {
  char c = scan->clean[scan->at + 1];
  if (c == 'u') return unicode_escape(scan);
  if (c != '\0' && strchr("\"\\/bfnrt", c)) {
    scan->at += 2;
    return XS_OK;
  }

  /* The whole character is shown, which may be of several bytes. */
  char buffer[EXCERPT];
  size_t rest = scan->length - scan->at - 1;
  int n = (unsigned char)c < 0x20 ? 0 : xs_utf8_decode(scan->text + scan->at + 1, rest, NULL);
  return xs_json_scan_fail(
      scan, scan->at, "unknown escape \\%s; allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
      xs_json_token_excerpt(scan, scan->at + 1, scan->at + 1 + (size_t)n, buffer, sizeof buffer));
}

xs_status xs_json_token_string(xs_json_scan *scan) {
  size_t start = scan->at++;
  for (;;) {
    unsigned char c = (unsigned char)scan->clean[scan->at];
    if (c == '"') break;

    /* A string that meets the end of its line has most likely lost its quote. */
    if (scan->at == scan->length || c == '\n' || c == '\r')
      return xs_json_scan_fail(scan, start,
                               "unterminated string: '\"' is missing at its end (a line break "
                               "inside a string is written \\n)");
    if (c == '\t') return xs_json_scan_fail(scan, scan->at, "a tab inside a string is written \\t");
    if (c < 0x20)
      return xs_json_scan_fail(scan, scan->at, "control character U+%04X inside a string", c);

    if (c != '\\') {
      scan->at++;
      continue;
    }
    xs_status status = escape(scan);
    if (status) return status;
  }

  /* Decoding never lengthens, and the two quotes leave room for the terminating 0. */
  scan->at++;
  scan->string_bytes += scan->at - start;
  return XS_OK;
}

/* ---- numbers ----------------------------------------------------------------------- */

static const char *skip_digits(const char *c) {
  while (is_digit(*c)) c++;
  return c;
}

/* What is wrong with the spelling of the number from c to end, NULL if nothing is. */
static const char *number_fault(const char *c, const char *end) {
  if (*c == '+') return "a leading '+' is not allowed";
  if (*c == '-') c++;

  /* The whole part. */
  if (*c == '.') return "a digit is needed before the point";
  if (!is_digit(*c)) return "a digit is needed after '-'";
  if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) return "hexadecimal numbers are not JSON";
  if (c[0] == '0' && is_digit(c[1])) return "leading zeros are not allowed";
  c = skip_digits(c);

  /* The fraction and the exponent. */
  if (*c == '.') {
    if (!is_digit(*++c)) return "a digit is needed after the point";
    c = skip_digits(c);
  }
  if (*c == 'e' || *c == 'E') {
    c++;
    if (*c == '+' || *c == '-') c++;
    if (!is_digit(*c)) return "a digit is needed in the exponent";
    c = skip_digits(c);
  }
  return c == end ? NULL : "not a number (numbers look like -1.5e-3, without units)";
}

/* Infinity and not-a-number in the spellings of other languages. */
static int is_nonfinite_word(const char *word, size_t n) {
  static const char *const names[] = {"nan", "inf", "infinity"};
  if (n && (*word == '-' || *word == '+')) word++, n--;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && strncasecmp(word, names[i], n) == 0) return 1;
  return 0;
}

/* Writes a number that is too long for cJSON anew, with 17 digits, which give the same
 * double; blanks fill the rest. */
static xs_status shorten(xs_json_scan *scan, size_t start, size_t n, double number) {
  if (n <= XS_JSON_NUMBER_BYTES) return XS_OK;
  char digits[XS_JSON_NUMBER_BYTES + 1];
  int n_digits = snprintf(digits, sizeof digits, "%.17g", number);
  if (n_digits < 0 || (size_t)n_digits >= sizeof digits)
    return xs_report_error(scan->report, XS_INTERNAL, NULL, "a number could not be printed");
  memset(scan->clean + start, ' ', n);
  memcpy(scan->clean + start, digits, (size_t)n_digits);
  return XS_OK;
}

/* Whether the digits before the exponent are all zero. */
static int is_spelt_zero(const char *token) { return !is_digit(token[strspn(token, "-0.")]); }

xs_status xs_json_token_number(xs_json_scan *scan, double *number) {
  /* The token: all that could be meant as one. */
  size_t start = scan->at, end = start;
  for (char c;
       c = scan->clean[end], is_digit(c) || xs_json_token_is_letter(c) || (c && strchr("+-.", c));)
    end++;
  const char *token = scan->clean + start;
  char buffer[EXCERPT];
  const char *shown = xs_json_token_excerpt(scan, start, end, buffer, sizeof buffer);

  if (is_nonfinite_word(token, end - start))
    return xs_json_scan_fail(scan, start, "%s: NaN and Infinity are not JSON", shown);
  const char *fault = number_fault(token, scan->clean + end);
  if (fault) return xs_json_scan_fail(scan, start, "number %s: %s", shown, fault);

  /* Its value; a zero is right only if no digit but zeros was given. */
  char *stop;
  *number = strtod(token, &stop);
  if (stop != scan->clean + end)
    return xs_report_error(scan->report, XS_INTERNAL, NULL, "strtod stopped inside %s", shown);
  if (!isfinite(*number))
    return xs_json_scan_fail(scan, start, "number %s is too large (at most 1.797e308)", shown);
  if (*number == 0 && !is_spelt_zero(token))
    return xs_json_scan_fail(scan, start, "number %s is too small: it would become 0", shown);

  scan->at = end;
  return shorten(scan, start, end - start, *number);
}

/* ---- words ------------------------------------------------------------------------- */

xs_status xs_json_token_word(xs_json_scan *scan, xs_json_type *type, double *number) {
  static const struct {
    const char *word;
    xs_json_type type;
    double number;
  } words[] = {{"true", XS_JSON_BOOL, 1}, {"false", XS_JSON_BOOL, 0}, {"null", XS_JSON_NULL, 0}};
  const int n_words = sizeof words / sizeof *words;

  size_t start = scan->at, end = start;
  for (char c; c = scan->clean[end], is_digit(c) || xs_json_token_is_letter(c);) end++;
  const char *token = scan->clean + start;
  char buffer[EXCERPT];
  const char *shown = xs_json_token_excerpt(scan, start, end, buffer, sizeof buffer);

  /* The three words, also in the case of other languages, which is an error. */
  for (int i = 0; i < n_words; i++) {
    if (strlen(words[i].word) != end - start) continue;
    if (strncasecmp(token, words[i].word, end - start) != 0) continue;
    if (strncmp(token, words[i].word, end - start) != 0)
      return xs_json_scan_fail(scan, start, "%s is written %s", shown, words[i].word);
    *type = words[i].type;
    *number = words[i].number;
    scan->at = end;
    return XS_OK;
  }

  if (is_nonfinite_word(token, end - start))
    return xs_json_scan_fail(scan, start, "%s: NaN and Infinity are not JSON", shown);
  return xs_json_scan_fail(scan, start, "unquoted text %s: strings stand in double quotes", shown);
}
