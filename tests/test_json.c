/* JSON: good texts with their places, bad ones with place and message, large ones,
 * damaged ones. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/json.h"
#include "io/json_scan.h"

static xs_arena arena;
static xs_report report;
static xs_json *root;

static xs_status parse_n(const char *text, size_t n) {
  xs_arena_free(&arena);
  report = (xs_report){0};
  /* Exactly n bytes, so that reading past them is seen by a sanitiser. */
  char *copy = malloc(n ? n : 1);
  memcpy(copy, text, n);
  xs_status status = xs_json_parse(copy, n, "t.json", &arena, &root, &report);
  free(copy);
  cr_assert_eq(status, xs_report_status(&report));
  cr_assert_eq(status == XS_OK, root != NULL);
  return status;
}

static xs_status parse(const char *text) { return parse_n(text, strlen(text)); }

static const xs_json *parsed(const char *text) {
  cr_assert_eq(parse(text), XS_OK, "%s: %s", text, report.kept[0].text);
  return root;
}

/* ---- good texts -------------------------------------------------------------------- */

Test(json, tree_and_places) {
  const xs_json *r = parsed(
      "// head\n"
      "{ \"a\": 1.5, /* \xC3\xA9 */ \"\xC3\xA9\": [true, null,\n"
      "   \"x\\u00e9\\n\\ud83d\\ude00\"],\r\n"
      "  \"o\" : { } }  // end");
  cr_assert_eq(r->type, XS_JSON_OBJECT);
  cr_assert_eq(r->count, 3);
  cr_assert(r->line == 2 && r->column == 1 && !r->key && !r->next);
  cr_assert_str_eq(r->source, "t.json");

  const xs_json *a = xs_json_member(r, "a");
  cr_assert(a == r->first && a->type == XS_JSON_NUMBER && a->number == 1.5);
  cr_assert(a->key_line == 2 && a->key_column == 3 && a->line == 2 && a->column == 8);

  /* Columns count characters: the two of them of two bytes before this key count once. */
  const xs_json *e = xs_json_member(r, "\xC3\xA9");
  cr_assert(e == a->next && e->type == XS_JSON_ARRAY && e->count == 3);
  cr_assert(e->key_line == 2 && e->key_column == 21 && e->column == 26);
  const xs_json *item = e->first;
  cr_assert(item->type == XS_JSON_BOOL && item->number == 1 && item->column == 27);
  item = item->next;
  cr_assert(item->type == XS_JSON_NULL && item->column == 33);
  item = item->next;
  cr_assert(item->type == XS_JSON_STRING && item->line == 3 && item->column == 4);
  cr_assert_str_eq(item->string, "x\xC3\xA9\n\xF0\x9F\x98\x80");
  cr_assert(!item->next && !item->key);

  const xs_json *o = e->next;
  cr_assert(o->type == XS_JSON_OBJECT && o->count == 0 && !o->first && !o->next);
  cr_assert(o->key_line == 4 && o->key_column == 3 && o->line == 4 && o->column == 9);
}

Test(json, any_value_may_be_the_root) {
  cr_assert_eq(parsed(" 0 ")->number, 0);
  cr_assert_eq(parsed("false")->type, XS_JSON_BOOL);
  cr_assert_str_eq(parsed("\"\"")->string, "");
  cr_assert_eq(parsed("[[],{},[[]]]")->count, 3);
}

Test(json, byte_order_mark_is_no_column) {
  const xs_json *r = parsed("\xEF\xBB\xBF[1]");
  cr_assert(r->column == 1 && r->first->column == 2);
}

Test(json, look_up_is_exact) {
  const xs_json *r = parsed("{\"Step\": 1, \"step\": 2, \"\": 3}");
  cr_assert_eq(xs_json_member(r, "step")->number, 2);
  cr_assert_eq(xs_json_member(r, "")->number, 3);
  cr_assert_null(xs_json_member(r, "STEP"));
  cr_assert_null(xs_json_member(r->first, "step"));
  cr_assert_null(xs_json_member(NULL, "step"));
}

Test(json, comment_marks_in_strings_are_text) {
  const xs_json *r = parsed("[\"//a\", \"/*b*/\" /**/ /***/ // \"\n ]");
  cr_assert_str_eq(r->first->string, "//a");
  cr_assert_str_eq(r->first->next->string, "/*b*/");
}

Test(json, numbers_are_rounded_correctly) {
  /* Half-way cases and the ends of the range; hexadecimal literals are exact. */
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"0.1", 0x1.999999999999ap-4},
      {"9007199254740993", 0x1p53},
      {"9007199254740993.000000000000000000000000000000000000000000000000000000000001",
       0x1.0000000000001p53},
      {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
      {"5e-324", 0x1p-1074},
      {"2.4703282292062328e-324", 0x1p-1074},
      {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
      {"-0", -0.0},
      {"0e999", 0},
      {"0.000e-999", 0},
      {"1E+2", 100},
      {"-1.25e-2", -0.0125},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double number = parsed(cases[i].text)->number;
    cr_assert_eq(memcmp(&number, &cases[i].value, sizeof number), 0, "%s: %a", cases[i].text,
                 number);
  }
}

Test(json, long_numbers_in_context) {
  char text[3000] = "{\"a\": [-0.";
  for (int i = 0; i < 2000; i++) strcat(text, "3");
  strcat(text, "e+1, 7], \"b\": 8}");
  const xs_json *r = parsed(text);
  cr_assert_eq(r->first->first->number, -10.0 / 3);
  cr_assert_eq(r->first->first->next->number, 7);
  cr_assert_eq(r->first->first->next->column, 2016);
  cr_assert_eq(xs_json_member(r, "b")->number, 8);
}

Test(json, clean_text_is_within_the_limits_of_cjson) {
  /* 70 digits, which only a patched cJSON reads; a comment; a byte order mark. */
  const char *text =
      "\xEF\xBB\xBF[0.2500000000000000000000000000000000000000000000000000000000000000000000, "
      "1]//x";
  xs_json_scan scan = {.text = text, .length = strlen(text), .source = "t", .report = &report};
  cr_assert_eq(xs_json_scan_text(&scan), XS_OK);
  cr_assert_eq(strlen(scan.clean), scan.length);
  cr_assert_eq(strncmp(scan.clean, "   [0.25     ", 13), 0, "%s", scan.clean);
  cr_assert_str_eq(scan.clean + scan.length - 7, ", 1]   ");
  xs_json_scan_free(&scan);
}

Test(json, depth_up_to_the_limit) {
  char text[2 * XS_JSON_DEPTH_MAX + 3] = "";
  for (int i = 0; i < XS_JSON_DEPTH_MAX; i++)
    text[i] = '[', text[2 * XS_JSON_DEPTH_MAX - 1 - i] = ']';
  cr_assert_eq(parse(text), XS_OK);
}

Test(json, locale_does_not_matter) {
  /* Only where a locale with a decimal comma is installed. */
  const char *found = setlocale(LC_ALL, "de_DE.UTF-8");
  cr_assert_eq(parsed("1.5")->number, 1.5);
  if (found) setlocale(LC_ALL, "C");
}

/* ---- bad texts --------------------------------------------------------------------- */

static const struct {
  const char *text;
  int line, column;
  const char *message;
} bad[] = {
    /* structure */
    {"", 1, 1, "the text is empty"},
    {" \n // x\n", 3, 1, "the text is empty"},
    {"[1,]", 1, 3, "trailing comma: nothing follows it before ']'"},
    {"{\"a\":1,\n}", 1, 7, "trailing comma: nothing follows it before '}'"},
    {"[1, /* x */ ]", 1, 3, "trailing comma"},
    {"[,1]", 1, 2, "a value is missing before ','"},
    {"[1,,2]", 1, 4, "a value is missing before ','"},
    {"{,}", 1, 2, "a member is missing before ','"},
    {"{\"a\":1,,}", 1, 8, "a member is missing before ','"},
    {"{\"a\":1 \"b\":2}", 1, 8, "missing comma between members"},
    {"{\"a\":1\n\"b\":2}", 2, 1, "missing comma between members"},
    {"[1 2]", 1, 4, "missing comma between items"},
    {"[1/**/2]", 1, 7, "missing comma between items"},
    {"[\"a\"\"b\"]", 1, 5, "missing comma between items"},
    {"[[][]]", 1, 4, "missing comma between items"},
    {"{\"a\" 1}", 1, 6, "missing ':' after the key \"a\""},
    {"{\"a\"=1}", 1, 5, "missing ':' after the key \"a\""},
    {"{\"a\"}", 1, 5, "missing ':' after the key \"a\""},
    {"{\"a\":}", 1, 6, "a value is missing before '}'"},
    {"{\"a\"::1}", 1, 6, "a value is missing before ':'"},
    {"[1:2]", 1, 3, "unexpected ':': a comma or the closing bracket is needed"},
    {"[1;2]", 1, 3, "unexpected ';'"},
    {"[1}", 1, 3, "found '}', but the '[' at line 1, column 1 needs ']'"},
    {"\n{\"a\":[1]]", 2, 9, "found ']', but the '{' at line 2, column 1 needs '}'"},
    {"{\"a\": [1, 2}", 1, 12, "found '}', but the '[' at line 1, column 7 needs ']'"},
    {"[", 1, 2, "unexpected end: ']' is missing for the '[' at line 1, column 1"},
    {"\n {\"a\":[1]\n", 3, 1, "unexpected end: '}' is missing for the '{' at line 2, column 2"},
    {"{\"a\"", 1, 5, "unexpected end"},
    {"{\"a\":", 1, 6, "unexpected end"},
    {"{\"a\":1,", 1, 8, "unexpected end"},
    {"[1", 1, 3, "unexpected end"},
    {"]", 1, 1, "a value is missing before ']'"},
    {"1 2", 1, 3, "unexpected text after the end"},
    {"{} x", 1, 4, "unexpected text after the end"},
    {"{}}", 1, 3, "unexpected text after the end"},
    /* keys */
    {"{a: 1}", 1, 2, "unquoted key a: write \"a\""},
    {"{\"b\":1, time_step-2: 1}", 1, 9, "unquoted key time_step-2: write \"time_step-2\""},
    {"{'a': 1}", 1, 2, "single quotes are not allowed"},
    {"{1: 2}", 1, 2, "unexpected '1': a key in double quotes is needed"},
    {"{{}}", 1, 2, "unexpected '{': a key in double quotes is needed"},
    {"{\"a\":1, \"b\":2,\n \"a\":3}", 2, 2, "duplicate key \"a\", first given at line 1"},
    {"{\"\\u0061\":1, \"a\":2}", 1, 14, "duplicate key \"a\", first given at line 1"},
    {"[{\"x\":{\"\":1,\n\"\":2}}]", 2, 1, "duplicate key \"\", first given at line 1"},
    /* numbers */
    {"01", 1, 1, "number 01: leading zeros are not allowed"},
    {"[-01.5]", 1, 2, "number -01.5: leading zeros are not allowed"},
    {"1.", 1, 1, "number 1.: a digit is needed after the point"},
    {"1.e5", 1, 1, "number 1.e5: a digit is needed after the point"},
    {".5", 1, 1, "number .5: a digit is needed before the point"},
    {"-.5", 1, 1, "number -.5: a digit is needed before the point"},
    {"+1", 1, 1, "number +1: a leading '+' is not allowed"},
    {"-", 1, 1, "number -: a digit is needed after '-'"},
    {"1e", 1, 1, "number 1e: a digit is needed in the exponent"},
    {"1e+", 1, 1, "number 1e+: a digit is needed in the exponent"},
    {"0x1F", 1, 1, "number 0x1F: hexadecimal numbers are not JSON"},
    {"1_000", 1, 1, "number 1_000: not a number"},
    {"5mm", 1, 1, "number 5mm: not a number"},
    {"1.2.3", 1, 1, "number 1.2.3: not a number"},
    {"[1-2]", 1, 2, "number 1-2: not a number"},
    {"1e999", 1, 1, "1e999 is too large"},
    {"[0, -1.8e308]", 1, 5, "-1.8e308 is too large"},
    {"1e-999", 1, 1, "1e-999 is too small: it would become 0"},
    {"2.4703282292062327e-324", 1, 1, "is too small"},
    {"-0.0001e-330", 1, 1, "is too small"},
    {"NaN", 1, 1, "NaN: NaN and Infinity are not JSON"},
    {"[1, nan]", 1, 5, "NaN and Infinity are not JSON"},
    {"Infinity", 1, 1, "NaN and Infinity are not JSON"},
    {"-Infinity", 1, 1, "-Infinity: NaN and Infinity are not JSON"},
    {"-inf", 1, 1, "NaN and Infinity are not JSON"},
    {"1,5", 1, 2, "unexpected text after the end"},
    /* words */
    {"True", 1, 1, "True is written true"},
    {"NULL", 1, 1, "NULL is written null"},
    {"[revolute]", 1, 2, "unquoted text revolute: strings stand in double quotes"},
    {"truefalse", 1, 1, "unquoted text truefalse"},
    {"tru", 1, 1, "unquoted text tru"},
    {"None", 1, 1, "unquoted text None"},
    /* strings */
    {"\"abc", 1, 1, "unterminated string"},
    {"[\"abc\n\"]", 1, 2, "unterminated string"},
    {"[\"abc\\", 1, 6, "unknown escape \\"},
    {"\"a\\\"", 1, 1, "unterminated string"},
    {"'abc'", 1, 1, "single quotes are not allowed"},
    {"[\xE2\x80\x9C"
     "a\xE2\x80\x9D]",
     1, 2, "typographic quote \xE2\x80\x9C"},
    {"\"a\tb\"", 1, 3, "a tab inside a string is written \\t"},
    {"\"\xC3\xA9\x01\"", 1, 3, "control character U+0001 inside a string"},
    {"\"a\\qb\"", 1, 3, "unknown escape \\q; allowed"},
    {"\"\\\xC3\xA9\"", 1, 2, "unknown escape \\\xC3\xA9; allowed"},
    {"\"\\x41\"", 1, 2, "unknown escape \\x"},
    {"\"\\u12g4\"", 1, 2, "\\u needs four hexadecimal digits"},
    {"\"\\u12\"", 1, 2, "\\u needs four hexadecimal digits"},
    {"\"\\u", 1, 2, "\\u needs four hexadecimal digits"},
    {"\"a\\u0000\"", 1, 3, "\\u0000 is not allowed"},
    {"\"\\ud83d\"", 1, 2, "\\uD83D is half of a surrogate pair"},
    {"\"\\ud83dx\"", 1, 2, "\\uD83D is half of a surrogate pair"},
    {"\"\\ud83d\\u0041\"", 1, 2, "\\uD83D is half of a surrogate pair"},
    {"\"\\ude00\"", 1, 2, "\\uDE00 is half of a surrogate pair"},
    {"\"\\ud83d", 1, 2, "\\uD83D is half of a surrogate pair"},
    /* comments, blanks, bytes */
    {"[1, /* \xC3\xA9 */ 2, /* x", 1, 16, "unterminated comment"},
    {"/*/", 1, 1, "unterminated comment"},
    {"[1 / 2]", 1, 4, "unexpected '/'"},
    {"/", 1, 1, "unexpected '/'"},
    {"# x\n1", 1, 1, "unexpected '#'; comments are // ..."},
    {"[1,\xC2\xA0 2]", 1, 4, "unexpected character U+00A0"},
    {"\f1", 1, 1, "unexpected character U+000C"},
    {"\xFF\xFE{", 1, 1, "byte 0xFF is not valid UTF-8 (the text looks like UTF-16)"},
    {"[\"\xC3\xA9\xE9\"]", 1, 4, "byte 0xE9 is not valid UTF-8; save the text as UTF-8"},
    {"// \xC0\x80\n1", 1, 4, "byte 0xC0 is not valid UTF-8"},
    {"\"\xED\xA0\x80\"", 1, 2, "byte 0xED is not valid UTF-8"},
    {"\"\xF4\x90\x80\x80\"", 1, 2, "byte 0xF4 is not valid UTF-8"},
    {"1\xEF\xBB\xBF", 1, 2, "unexpected text after the end"},
};

Test(json, bad_texts) {
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    xs_status status = parse(bad[i].text);
    const xs_message *m = &report.kept[0];
    cr_expect_eq(status, XS_SCENE, "%s: %d", bad[i].text, status);
    cr_expect_eq(report.n_errors, 1, "%s", bad[i].text);
    cr_expect(m->line == bad[i].line && m->column == bad[i].column, "%s: %d:%d, %s", bad[i].text,
              m->line, m->column, m->text);
    cr_expect(strstr(m->text, bad[i].message), "%s: %s", bad[i].text, m->text);
    cr_expect_str_eq(m->file, "t.json");
  }
}

Test(json, zero_bytes) {
  cr_assert_eq(parse_n("[1,\0 2]", 7), XS_SCENE);
  cr_assert(report.kept[0].column == 4 && strstr(report.kept[0].text, "U+0000"));
  cr_assert_eq(parse_n("[\"a\0\"]", 6), XS_SCENE);
  cr_assert_not_null(strstr(report.kept[0].text, "control character U+0000"));
  cr_assert_eq(parse_n("[1]\0", 4), XS_SCENE);
  cr_assert_not_null(strstr(report.kept[0].text, "unexpected text after the end"));
}

Test(json, long_excerpts_are_cut) {
  cr_assert_eq(parse("{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 1}"),
               XS_SCENE);
  cr_assert_not_null(strstr(report.kept[0].text, "aaa...\""));
}

Test(json, all_duplicates_are_reported) {
  cr_assert_eq(parse("{\"b\":1,\"a\":1,\"b\":2,\n\"a\":2,\"b\":3, \"c\":{\"d\":1,\"d\":1}}"),
               XS_SCENE);
  cr_assert_eq(report.n_errors, 4);
}

Test(json, depth_beyond_the_limit) {
  char *text = malloc(1000001);
  memset(text, '[', 1000000);
  text[1000000] = '\0';
  cr_assert_eq(parse(text), XS_SCENE);
  cr_assert_eq(report.kept[0].column, XS_JSON_DEPTH_MAX + 1);
  cr_assert_str_eq(report.kept[0].text, "nested deeper than 64 levels");
  free(text);
}

/* ---- large texts ------------------------------------------------------------------- */

/* A memory checker slows tests down by a factor of tens, and sees all it can see in less. */
static int is_slowed(void) { return getenv("XSIM_TEST_SLOWED") != NULL; }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Test(json, a_million_items_on_one_line) {
  const int n = is_slowed() ? 20000 : 1000000;
  char *text = malloc(12 * (size_t)n), *end = text;
  *end++ = '[';
  for (int i = 0; i < n; i++) end += sprintf(end, "%s%d.25", i ? "," : "", i);
  strcpy(end, "]");
  double start = seconds();
  const xs_json *r = parsed(text);
  double taken = seconds() - start;
  cr_log_info("a million numbers: %.3f s", taken);
  cr_expect_lt(taken, 5, "%g s", taken);
  cr_assert_eq(r->count, n);
  int i = 0;
  for (const xs_json *item = r->first; item; item = item->next)
    cr_assert_eq(item->number, i++ + 0.25);
  free(text);
  xs_arena_free(&arena);
}

Test(json, a_hundred_thousand_keys) {
  const int n = is_slowed() ? 5000 : 100000;
  char *text = malloc(20 * (size_t)n), *end = text;
  *end++ = '{';
  for (int i = 0; i < n; i++) end += sprintf(end, "%s\"k%d\":%d", i ? "," : "", i, i);
  strcpy(end, ",\"k77\":0}");
  double start = seconds();
  cr_assert_eq(parse(text), XS_SCENE);
  double taken = seconds() - start;
  cr_log_info("a hundred thousand keys: %.3f s", taken);
  cr_expect_lt(taken, 5, "%g s", taken);
  cr_assert_str_eq(report.kept[0].text, "duplicate key \"k77\", first given at line 1");
  free(text);
}

Test(json, too_large_is_refused_unread) {
  report = (xs_report){0};
  char byte = '1'; /* never read: the length comes first */
  cr_assert_eq(xs_json_parse(&byte, (size_t)XS_JSON_BYTES_MAX + 1, "t", &arena, &root, &report),
               XS_SCENE);
  cr_assert_not_null(strstr(report.kept[0].text, "more than 256 MiB"));
}

/* ---- damaged texts ----------------------------------------------------------------- */

static const char *const document =
    "\xEF\xBB\xBF{ // scene\n \"format\": 1, \"time\": {\"step\": 5e-4, \"end\": -0.25E+1},\n"
    " \"s\": \"\\u00e9\\ud83d\\ude00\\n\xE2\x82\xAC\", \"l\": [true, false, null, [], {}, [[1]]] "
    "/* x "
    "*/}";

Test(json, every_prefix_is_an_error) {
  size_t n = strlen(document);
  cr_assert_eq(parse(document), XS_OK);
  for (size_t k = 0; k < n; k++) cr_assert_eq(parse_n(document, k), XS_SCENE, "%zu", k);
}

/* A fixed sequence of pseudo-random numbers (xorshift64). */
static unsigned long long draw(void) {
  static unsigned long long x = 88172645463325252ULL;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}

Test(json, mutations_never_crash_nor_split_the_parsers) {
  static const char likely[] = "{}[]\",:\\/*eE+-.0129utfn \n'";
  const int rounds = is_slowed() ? 2000 : 50000;
  size_t n = strlen(document);
  char *text = malloc(n);
  for (int round = 0; round < rounds; round++) {
    memcpy(text, document, n);
    for (unsigned k = 0, changes = 1 + (unsigned)(draw() % 4); k < changes; k++)
      text[draw() % n] = draw() % 2 ? likely[draw() % (sizeof likely - 1)] : (char)draw();
    size_t length = draw() % 8 ? n : (size_t)(draw() % n);
    xs_status status = parse_n(text, length);
    cr_assert(status == XS_OK || status == XS_SCENE, "%.*s: %s", (int)length, text,
              report.kept[0].text);
  }
  free(text);
}

/* ---- files ------------------------------------------------------------------------- */

static xs_status read_file(const char *path, char **text, size_t *n) {
  report = (xs_report){0};
  return xs_json_read_file(path, &arena, text, n, &report);
}

Test(json, files) {
  char path[] = "/tmp/test_json_XXXXXX", *text;
  int file = mkstemp(path);
  size_t n, n_large = 300001;
  cr_assert_geq(file, 0);

  /* An empty one, then one of several pieces. */
  cr_assert_eq(read_file(path, &text, &n), XS_OK);
  cr_assert(n == 0 && text[0] == '\0');
  char *large = malloc(n_large);
  memset(large, 'x', n_large);
  cr_assert_eq(write(file, large, n_large), (ssize_t)n_large);
  cr_assert_eq(read_file(path, &text, &n), XS_OK);
  cr_assert(n == n_large && text[n] == '\0' && memcmp(text, large, n) == 0);
  free(large);
  close(file);
  unlink(path);

  cr_assert_eq(read_file(path, &text, &n), XS_SCENE);
  cr_assert_str_eq(report.kept[0].text, "cannot be opened: No such file or directory");
  cr_assert_str_eq(report.kept[0].file, path);
  cr_assert_eq(read_file("/tmp", &text, &n), XS_SCENE);
  cr_assert_str_eq(report.kept[0].text, "cannot be read: Is a directory");
}

/* ---- descriptions ------------------------------------------------------------------ */

Test(json, descriptions) {
  static const char *const cases[][2] = {
      {"null", "null"},
      {"true", "true"},
      {"3.5", "the number 3.5"},
      {"0.1", "the number 0.1"},
      {"1e300", "the number 1e+300"},
      {"0.30000000000000004", "the number 0.30000000000000004"},
      {"\"abc\"", "the string \"abc\""},
      {"{}", "an object"},
      {"[]", "an empty array"},
      {"[1]", "an array of 1 item"},
      {"[1,2]", "an array of 2 items"},
  };
  char buffer[100];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_str_eq(xs_json_describe(parsed(cases[i][0]), buffer, sizeof buffer), cases[i][1]);
  cr_expect_str_eq(xs_json_describe(NULL, buffer, sizeof buffer), "nothing");
  cr_expect_str_eq(xs_json_describe(parsed("\"abcdef\""), buffer, 12), "the string ");
}

/* ---- overrides --------------------------------------------------------------------- */

static const char *const scene =
    "{\"time\": {\"step\": 1e-3}, \"rods\": [{\"name\": \"tip\"}, {\"name\": \"beam\", "
    "\"elements\": 4}],\n"
    " \"joints\": [{\"type\": \"fixed\"}, [1, 2, 3]], \"n\": 7, \"none\": []}";

static xs_status set(const char *assignment) {
  report = (xs_report){0};
  return xs_json_set(root, assignment, &arena, &report);
}

static const xs_json *nth(const xs_json *array, int n) {
  const xs_json *item = array->first;
  while (n-- > 0) item = item->next;
  return item;
}

Test(json_set, replaces_values) {
  parsed(scene);
  cr_assert_eq(set("time.step=5e-4"), XS_OK);
  const xs_json *step = xs_json_member(xs_json_member(root, "time"), "step");
  cr_assert(step->number == 5e-4 && step->line == 0 && step->column == 0 && step->key_line == 0);
  cr_assert_str_eq(step->source, "--set time.step=5e-4");

  cr_assert_eq(set("rods.beam.elements=8"), XS_OK);
  const xs_json *beam = nth(xs_json_member(root, "rods"), 1);
  cr_assert_eq(xs_json_member(beam, "elements")->number, 8);
  cr_assert_eq(beam->line, 1);

  /* Three ways to an item. */
  const xs_json *joints = xs_json_member(root, "joints");
  cr_assert_eq(set("joints.0.type=planar"), XS_OK);
  cr_assert_str_eq(xs_json_member(joints->first, "type")->string, "planar");
  cr_assert_eq(set("joints[0].type=\"a b\""), XS_OK);
  cr_assert_str_eq(xs_json_member(joints->first, "type")->string, "a b");
  cr_assert_eq(set("joints[1][2]=9"), XS_OK);
  cr_assert_eq(set("joints.1.0=-1"), XS_OK);
  cr_assert(nth(joints->first->next, 2)->number == 9 && joints->first->next->first->number == -1);
  cr_assert_eq(joints->first->next->count, 3);
}

Test(json_set, adds_keys_and_objects) {
  parsed(scene);
  cr_assert_eq(set("solver.inner.solve=individual"), XS_OK);
  const xs_json *solver = xs_json_member(root, "solver");
  cr_assert(solver->type == XS_JSON_OBJECT && solver->line == 0 && root->count == 6);
  cr_assert_str_eq(solver->source, "--set solver.inner.solve=individual");
  cr_assert_str_eq(xs_json_member(xs_json_member(solver, "inner"), "solve")->string, "individual");
  cr_assert_eq(set("solver.x=1"), XS_OK);
  cr_assert_eq(solver->count, 2);
}

Test(json_set, takes_whole_objects) {
  parsed(scene);
  cr_assert_eq(set("time={\"step\": [1, {\"deg\": 80}], \"end\": true}"), XS_OK);
  const xs_json *time = xs_json_member(root, "time");
  cr_assert(time->count == 2 && time->next == xs_json_member(root, "rods"));
  const xs_json *deg = nth(time->first, 1)->first;
  cr_assert(deg->number == 80 && deg->line == 0 && deg->key_line == 0);
  cr_assert_str_eq(deg->key, "deg");
  cr_assert_eq(set("rods.0=null"), XS_OK);
  cr_assert_eq(xs_json_member(root, "rods")->first->type, XS_JSON_NULL);
  cr_assert_eq(xs_json_member(root, "rods")->count, 2);
}

Test(json_set, words_and_json) {
  parsed(scene);
  cr_assert_eq(set("n=runs/a-1.h5"), XS_OK);
  cr_assert_str_eq(xs_json_member(root, "n")->string, "runs/a-1.h5");
  cr_assert_eq(set("n=true"), XS_OK);
  cr_assert_eq(xs_json_member(root, "n")->type, XS_JSON_BOOL);
  cr_assert_eq(set("n=\"a=b\""), XS_OK);
  cr_assert_str_eq(xs_json_member(root, "n")->string, "a=b");
}

Test(json_set, errors) {
  static const struct {
    const char *assignment;
    xs_status status;
    const char *message;
  } cases[] = {
      {"time.step", XS_USAGE, "'=' is missing; the form is PATH=VALUE"},
      {"", XS_USAGE, "'=' is missing"},
      {"=1", XS_USAGE, "PATH is missing before '='"},
      {"n=", XS_USAGE, "VALUE is missing after '='"},
      {"a..b=1", XS_USAGE, "a part of the path is empty"},
      {"a.\x9B=1", XS_USAGE, "the text is not valid UTF-8"},
      {"n=\"\xC3\"", XS_USAGE, "the text is not valid UTF-8"},
      {".a=1", XS_USAGE, "a part of the path is empty"},
      {"a.=1", XS_USAGE, "the path ends with '.'"},
      {"a b=1", XS_USAGE, "the path holds a blank"},
      {"joints[0=1", XS_USAGE, "']' is missing"},
      {"joints[x]=1", XS_USAGE, "brackets hold an index such as [0], not x"},
      {"joints[]=1", XS_USAGE, "brackets hold an index"},
      {"joints[-1]=1", XS_USAGE, "brackets hold an index"},
      {"joints]=1", XS_USAGE, "unexpected text in the path: ]"},
      {"joints[0]x=1", XS_USAGE, "unexpected text in the path: x"},
      {"n=01", XS_USAGE, "VALUE, character 1: number 01: leading zeros are not allowed"},
      {"n=[1,", XS_USAGE, "VALUE, character 4: unexpected end"},
      {"n=a b", XS_USAGE, "VALUE, character 1: unquoted text a"},
      {"n={\"a\":1,\"a\":2}", XS_USAGE, "VALUE, character 8: duplicate key \"a\""},
      {"n.x=1", XS_SCENE, "n is the number 7: it has no member \"x\""},
      {"time[0]=1", XS_SCENE, "time is an object: it has no item \"0\""},
      {"[0]=1", XS_SCENE, "the scene is an object: it has no item \"0\""},
      {"rods.bea.elements=1", XS_SCENE,
       "rods has no item named \"bea\"; did you mean \"beam\"? (tip, beam)"},
      {"rods.cable=1", XS_SCENE, "rods has no item named \"cable\"; allowed: tip, beam"},
      {"joints.hip.type=1", XS_SCENE, "joints has no item named \"hip\"; there are none"},
      {"joints[2].type=1", XS_SCENE, "joints has no item 2; allowed: 0 to 1"},
      {"joints.1.3=1", XS_SCENE, "joints.1 has no item 3; allowed: 0 to 2"},
      {"joints[1][3]=1", XS_SCENE, "joints[1] has no item 3; allowed: 0 to 2"},
      {"none.0=1", XS_SCENE, "none has no items"},
      {"n.99999999999999999999=1", XS_SCENE, "n is the number 7"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    parsed(scene);
    xs_status status = set(cases[i].assignment);
    char source[100];
    snprintf(source, sizeof source, "--set %s", cases[i].assignment);
    cr_expect_eq(status, cases[i].status, "%s", cases[i].assignment);
    cr_expect_eq(report.kept[0].status, status);
    cr_expect(strstr(report.kept[0].text, cases[i].message), "%s: %s", source, report.kept[0].text);
    cr_expect_str_eq(report.kept[0].file, source);
    cr_expect_eq(report.kept[0].line, 0);
  }
}

Test(json_set, cannot_nest_too_deep) {
  char assignment[400] = "a";
  for (int i = 1; i < XS_JSON_DEPTH_MAX; i++) strcat(assignment, ".a");
  char *end = assignment + strlen(assignment);
  parsed(scene);
  strcpy(end, "=1");
  cr_assert_eq(set(assignment), XS_OK);
  strcpy(end, "=[]");
  cr_assert_eq(set(assignment), XS_USAGE);
  strcpy(end, ".a=1");
  cr_assert_eq(set(assignment), XS_USAGE);
}
