/* Cases of a sweep: the order of a grid, values side by side, values as overrides that are read
 * back as the same values. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "app/sweep_cases.h"

static const char folder_scene[] = "tests/bad_sweeps/base.scene";

/* Reads a sweep of these parameters, and of the mode. */
static void read(const char *mode, const char *parameters, xs_arena *arena, xs_sweep *sweep) {
  char path[] = "/tmp/xsim-sweep-XXXXXX", absolute[4096];
  const int fd = mkstemp(path);
  cr_assert_geq(fd, 0);
  cr_assert_not_null(realpath(folder_scene, absolute), "run from the root of the repository");
  FILE *file = fdopen(fd, "w");
  fprintf(file, "{\"scene\": \"%s\", \"mode\": \"%s\", \"parameters\": %s}", absolute, mode,
          parameters);
  cr_assert_eq(fclose(file), 0);
  xs_report report = {0};
  const xs_status status = xs_sweep_read(path, arena, sweep, &report);
  (void)remove(path);
  cr_assert_eq(status, XS_OK, "%s", report.kept[0].text);
}

static void expect_set(const xs_sweep *sweep, int index, const char *expected, xs_arena *arena) {
  int n = 0;
  static const char *const more[] = {"z=1"};
  char found[512] = "";
  const char **set = xs_sweep_cases_set(sweep, index, 1, more, &n, arena);
  cr_assert_not_null(set);
  for (int i = 0; i < n; i++) {
    strcat(found, set[i]);
    strcat(found, ";");
  }
  cr_expect_str_eq(found, expected);
}

Test(sweep_cases, of_a_grid_count_like_digits) {
  xs_arena arena = {0};
  xs_sweep sweep;
  read("grid", "{\"a.x\": [1, 2], \"b, c\": [[3, \"p\"], [4, \"q\"], [5, \"r\"]], \"d\": [true]}",
       &arena, &sweep);
  cr_expect_eq(sweep.n_cases, 6);
  cr_expect_eq(sweep.n_parameters, 4);
  expect_set(&sweep, 0, "a.x=1;b=3;c=\"p\";d=true;z=1;", &arena);
  expect_set(&sweep, 2, "a.x=1;b=5;c=\"r\";d=true;z=1;", &arena);
  expect_set(&sweep, 3, "a.x=2;b=3;c=\"p\";d=true;z=1;", &arena);
  expect_set(&sweep, 5, "a.x=2;b=5;c=\"r\";d=true;z=1;", &arena);
  xs_arena_free(&arena);
}

Test(sweep_cases, side_by_side) {
  xs_arena arena = {0};
  xs_sweep sweep;
  read("zip", "{\"a\": [1, 2, 3], \"b, c\": [[4, 5], [6, 7], [8, 9]]}", &arena, &sweep);
  cr_expect_eq(sweep.n_cases, 3);
  expect_set(&sweep, 1, "a=2;b=6;c=7;z=1;", &arena);
  xs_arena_free(&arena);
}

/* The reader of overrides gets back what the sweep file has. */
Test(sweep_cases, values_are_read_back_as_they_were) {
  xs_arena arena = {0};
  xs_sweep sweep;
  xs_report report = {0};
  xs_json *root = NULL;
  int n = 0;
  read("zip",
       "{\"a\": [0.1], \"b\": [1e-300], \"c\": [0.30000000000000004], \"d\": [\"true\"],"
       " \"e\": [\"x\\\"y\\n\"], \"f\": [{\"deg\": [1, {}]}], \"g\": [[]], \"h\": [null]}",
       &arena, &sweep);
  cr_assert_eq(xs_json_parse("{}", 2, "scene", &arena, &root, &report), XS_OK);
  const char **set = xs_sweep_cases_set(&sweep, 0, 0, NULL, &n, &arena);
  for (int i = 0; i < n; i++) {
    cr_expect_eq(strchr(set[i], '\n'), NULL);
    cr_assert_eq(xs_json_set(root, set[i], &arena, &report), XS_OK, "%s", report.kept[0].text);
  }
  cr_expect_str_eq(set[0], "a=0.1");
  cr_expect_eq(xs_json_member(root, "a")->number, 0.1);
  cr_expect_eq(xs_json_member(root, "b")->number, 1e-300);
  cr_expect_eq(xs_json_member(root, "c")->number, 0.30000000000000004);
  cr_expect_str_eq(xs_json_member(root, "d")->string, "true");
  cr_expect_str_eq(xs_json_member(root, "e")->string, "x\"y\n");
  const xs_json *deg = xs_json_member(xs_json_member(root, "f"), "deg");
  cr_expect_eq(deg->count, 2);
  cr_expect_eq(deg->first->next->type, XS_JSON_OBJECT);
  cr_expect_eq(xs_json_member(root, "g")->type, XS_JSON_ARRAY);
  cr_expect_eq(xs_json_member(root, "h")->type, XS_JSON_NULL);
  xs_arena_free(&arena);
}
