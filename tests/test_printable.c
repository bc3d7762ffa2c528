/* Printable forms of texts: what stays, what is escaped, where long ones are cut. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/printable.h"

static void expect(const char *text, size_t size, const char *form) {
  char buffer[64];
  memset(buffer, '#', sizeof buffer);
  cr_assert_str_eq(xs_printable_text(text, buffer, size), form);
  for (size_t i = size; i < sizeof buffer; i++) cr_assert(buffer[i] == '#', "past the end");
}

Test(printable, plain_texts_stay) {
  expect("", 8, "");
  expect(NULL, 8, "");
  expect("caf\xc3\xa9 \xe2\x82\xac", 16, "caf\xc3\xa9 \xe2\x82\xac");
}

Test(printable, control_characters_are_escaped) {
  expect("a\033[2J\n\x7f", 32, "a\\x1b[2J\\x0a\\x7f");
  expect(
      "\xc2\x9b"
      "2J",
      32, "\\xc2\\x9b2J"); /* U+009B, CSI in one character */
}

Test(printable, bytes_that_are_no_text_are_escaped) {
  expect("\xff\x80z", 32, "\\xff\\x80z");
  expect("\xe2\x82", 32, "\\xe2\\x82");
}

Test(printable, long_texts_are_cut_between_characters) {
  expect("1234567", 8, "1234567");
  expect("12345678", 8, "1234...");
  expect("123\xc3\xa9xyzw", 8, "123...");
  expect("1\033\033\033", 8, "1...");
}
