/* Names found by bisection. */
#include "base/names.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(names, none) {
  xs_names_sort(NULL, 0);
  cr_expect_eq(xs_names_find(NULL, 0, "a"), -1);
}

Test(names, each_is_found_by_its_text) {
  enum { N = 1000 };
  char texts[N][16];
  xs_name names[N];
  for (int i = 0; i < N; i++) {
    (void)snprintf(texts[i], sizeof texts[i], "link%d", i);
    names[i] = (xs_name){texts[i], i};
  }
  xs_names_sort(names, N);
  for (int i = 0; i < N; i++) cr_expect_eq(xs_names_find(names, N, texts[i]), i);
  cr_expect_eq(xs_names_find(names, N, "link"), -1);
  cr_expect_eq(xs_names_find(names, N, "link1000"), -1);
  cr_expect_eq(xs_names_find(names, N, "zebra"), -1);
}

Test(names, of_equal_ones_the_first_in_the_list) {
  xs_name names[] = {{"b", 4}, {"a", 3}, {"b", 1}, {"b", 2}, {"a", 5}};
  xs_names_sort(names, 5);
  cr_expect_eq(xs_names_find(names, 5, "a"), 3);
  cr_expect_eq(xs_names_find(names, 5, "b"), 1);
}
