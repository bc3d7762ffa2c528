/* Reports: what is kept, its order, and both formats to the letter. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

static xs_report report;

/* What is printed, to be freed. */
static char *printed(xs_report_format format, int errors_only) {
  char *text = NULL;
  size_t n = 0;
  FILE *stream = open_memstream(&text, &n);
  cr_assert_not_null(stream);
  xs_report_print(&report, stream, format, errors_only);
  fclose(stream);
  return text;
}

static void expect(xs_report_format format, int errors_only, const char *expected) {
  char *text = printed(format, errors_only);
  cr_assert_str_eq(text, expected);
  free(text);
}

Test(report, empty) {
  cr_assert_eq(xs_report_status(&report), XS_OK);
  expect(XS_REPORT_AS_TEXT, 0, "");
  expect(XS_REPORT_AS_JSON, 0, "");
}

Test(report, missing_parts_are_left_out) {
  xs_report_error(&report, XS_USAGE, NULL, "no scene given");
  xs_report_error(&report, XS_IO, &(xs_place){"out.h5", 0, 0, NULL}, "disk full");
  xs_report_error(&report, XS_SCENE, &(xs_place){"arm.json", 14, 21, "joints[1].type"}, "bad %d",
                  7);
  xs_report_error(&report, XS_SCENE, &(xs_place){"arm.json", 15, 0, NULL}, "line only");
  xs_report_warning(&report, &(xs_place){"arm.json", 2, 3, "time"}, "odd");
  xs_report_error(&report, XS_SCENE, &(xs_place){NULL, 0, 0, "bodies"}, "path only");
  xs_report_warning(&report, NULL, "slow");
  cr_assert_eq(xs_report_status(&report), XS_USAGE);
  expect(XS_REPORT_AS_TEXT, 0,
         "xsim: no scene given\n"
         "out.h5: disk full\n"
         "arm.json:2:3: time: warning: odd\n"
         "arm.json:14:21: joints[1].type: bad 7\n"
         "arm.json:15: line only\n"
         "xsim: bodies: path only\n"
         "xsim: warning: slow\n");
}

Test(report, errors_only_leaves_out_warnings) {
  xs_report_warning(&report, NULL, "odd");
  cr_assert_eq(xs_report_status(&report), XS_OK);
  cr_assert_eq(xs_report_error(&report, XS_SCENE, NULL, "bad"), XS_SCENE);
  cr_assert_eq(xs_report_status(&report), XS_SCENE);
  expect(XS_REPORT_AS_TEXT, 1, "xsim: bad\n");
}

Test(report, file_order) {
  xs_report_error(&report, XS_SCENE, &(xs_place){"b", 9, 1, NULL}, "1");
  xs_report_error(&report, XS_SCENE, &(xs_place){"a", 1, 1, NULL}, "2");
  xs_report_error(&report, XS_SCENE, NULL, "3");
  xs_report_error(&report, XS_SCENE, &(xs_place){"b", 2, 5, NULL}, "4");
  xs_report_error(&report, XS_SCENE, &(xs_place){"b", 2, 1, NULL}, "5");
  xs_report_error(&report, XS_SCENE, &(xs_place){"b", 2, 5, NULL}, "6");
  xs_report_error(&report, XS_SCENE, &(xs_place){"a", 0, 0, NULL}, "7");
  expect(XS_REPORT_AS_TEXT, 0, "b:2:1: 5\nb:2:5: 4\nb:2:5: 6\nb:9:1: 1\na: 7\na:1:1: 2\nxsim: 3\n");
}

Test(report, counts_what_it_does_not_keep) {
  for (int i = 0; i < XS_REPORT_SHOWN + 3; i++) xs_report_error(&report, XS_SCENE, NULL, "e%d", i);
  for (int i = 0; i < XS_REPORT_SHOWN + 1; i++) xs_report_warning(&report, NULL, "w%d", i);
  cr_assert_eq(report.n_errors, XS_REPORT_SHOWN + 3);
  cr_assert_eq(report.n_warnings, XS_REPORT_SHOWN + 1);
  cr_assert_eq(report.n_kept, 2 * XS_REPORT_SHOWN);
  char *text = printed(XS_REPORT_AS_TEXT, 0);
  cr_assert_not_null(strstr(text, "e19\n"));
  cr_assert_null(strstr(text, "e20\n"));
  cr_assert_not_null(strstr(text, "\n... and 3 more errors\n... and 1 more warning\n"));
  free(text);
}

Test(report, long_texts_are_cut_between_characters) {
  char text[3 * XS_REPORT_TEXT + 2] = "a";
  for (int i = 0; i < XS_REPORT_TEXT; i++) strcat(text + 3 * i, "\xE2\x82\xAC"); /* the euro */
  for (int shift = 0; shift < 3; shift++) {
    report = (xs_report){0};
    xs_report_error(&report, XS_SCENE, &(xs_place){text, 1, 1, text}, "%.*s%s", shift, "bb", text);
    cr_assert_str_eq(report.kept[0].text + strlen(report.kept[0].text) - 6, "\xE2\x82\xAC...");
    cr_assert_str_eq(report.kept[0].file + strlen(report.kept[0].file) - 6, "\xE2\x82\xAC...");
    cr_assert_geq(strlen(report.kept[0].text), XS_REPORT_TEXT - 4);
  }
}

Test(report, control_characters_cannot_drive_the_terminal) {
  xs_report_error(&report, XS_SCENE, &(xs_place){"a\033[2J", 1, 1, NULL}, "x\ny\x7F");
  expect(XS_REPORT_AS_TEXT, 0, "a\\x1b[2J:1:1: x\\x0ay\\x7f\n");
}

Test(report, json) {
  xs_report_error(&report, XS_SCENE, &(xs_place){"a\\b", 14, 21, "joints[1]"},
                  "\"q\"\n\t\x01 \xC3\xA9 \xFF\xC3");
  xs_report_warning(&report, NULL, "odd");
  for (int i = 0; i < XS_REPORT_SHOWN; i++) xs_report_warning(&report, NULL, "w");
  char *text = printed(XS_REPORT_AS_JSON, 0);
  const char *expected =
      "{\"severity\": \"error\", \"status\": 3, \"file\": \"a\\\\b\", \"line\": 14, "
      "\"column\": 21, \"path\": \"joints[1]\", \"message\": "
      "\"\\\"q\\\"\\u000a\\u0009\\u0001 \xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD\"}\n"
      "{\"severity\": \"warning\", \"status\": 0, \"file\": null, \"line\": null, "
      "\"column\": null, \"path\": null, \"message\": \"odd\"}\n";
  cr_assert_eq(strncmp(text, expected, strlen(expected)), 0, "%s", text);
  cr_assert_not_null(strstr(text, "\n{\"severity\": \"note\", \"status\": 0, \"file\": null, "));
  cr_assert_not_null(strstr(text, "\"message\": \"... and 1 more warning\"}\n"));
  free(text);
}
