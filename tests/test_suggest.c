/* Nearest names: known distances, and what is too far to be meant. */
#include <criterion/criterion.h>

#include "base/suggest.h"

static const char *const joints[] = {"fixed", "revolute", "spherical", "prismatic", "planar"};
enum { N = 5 };

Test(suggest, one_edit_of_each_kind) {
  cr_assert_str_eq(xs_suggest_nearest("revolut", N, joints), "revolute");    /* dropped */
  cr_assert_str_eq(xs_suggest_nearest("fixxed", N, joints), "fixed");        /* inserted */
  cr_assert_str_eq(xs_suggest_nearest("planer", N, joints), "planar");       /* replaced */
  cr_assert_str_eq(xs_suggest_nearest("fiexd", N, joints), "fixed");         /* swapped */
  cr_assert_str_eq(xs_suggest_nearest("sphreicla", N, joints), "spherical"); /* two swaps */
}

Test(suggest, swap_is_one_edit_only) {
  /* Four letters allow one edit: a swap is near, two replacements are not. */
  const char *const names[] = {"abcd"};
  cr_assert_str_eq(xs_suggest_nearest("abdc", 1, names), "abcd");
  cr_assert_null(xs_suggest_nearest("abxy", 1, names));
}

Test(suggest, case_decides_between_equals) {
  const char *const names[] = {"max", "Man", "mat"};
  cr_assert_str_eq(xs_suggest_nearest("MAN", 3, names), "Man");
  cr_assert_str_eq(xs_suggest_nearest("REVOLUTE", N, joints), "revolute");
  const char *const two[] = {"ABD", "abd"};
  cr_assert_str_eq(xs_suggest_nearest("abc", 2, two), "abd");
}

Test(suggest, first_of_equals) {
  const char *const names[] = {"step1", "step2"};
  cr_assert_str_eq(xs_suggest_nearest("step", 2, names), "step1");
}

Test(suggest, nothing_near) {
  cr_assert_null(xs_suggest_nearest("hinge", N, joints));
  cr_assert_null(xs_suggest_nearest("", N, joints));
  cr_assert_null(xs_suggest_nearest("x", N, joints));
  cr_assert_null(xs_suggest_nearest("fixed", 0, NULL));
  const char *const letters[] = {"y", NULL};
  cr_assert_null(xs_suggest_nearest("x", 2, letters));
}

Test(suggest, long_names_are_passed_over) {
  char name[200], word[200];
  memset(name, 'a', 199), memset(word, 'a', 199);
  name[199] = word[199] = '\0';
  const char *const names[] = {name};
  cr_assert_null(xs_suggest_nearest(word, 1, names));
}

Test(suggest, hints) {
  char buffer[200];
  cr_assert_str_eq(xs_suggest_hint("revolut", N, joints, buffer, sizeof buffer),
                   "did you mean \"revolute\"? (fixed, revolute, spherical, prismatic, planar)");
  cr_assert_str_eq(xs_suggest_hint("hinge", N, joints, buffer, sizeof buffer),
                   "allowed: fixed, revolute, spherical, prismatic, planar");
  cr_assert_str_eq(xs_suggest_hint("hinge", 0, NULL, buffer, sizeof buffer), "there are none");
}

Test(suggest, hints_are_cut_between_names) {
  char buffer[40];
  cr_assert_str_eq(xs_suggest_hint("hinge", N, joints, buffer, sizeof buffer),
                   "allowed: fixed, revolute, ...");
  cr_assert_str_eq(xs_suggest_hint("fixd", N, joints, buffer, sizeof buffer),
                   "did you mean \"fixed\"? (fixed, ...)");
  for (size_t size = 1; size < sizeof buffer; size++)
    cr_assert_lt(strlen(xs_suggest_hint("fixd", N, joints, buffer, size)), size);
}
