/* The progress line: never wider than the terminal, with the numbers it is meant to show. */
#include <criterion/criterion.h>
#include <string.h>

#include "app/progress.h"

/* 10000 steps of 1 ms, begun at wall time 100 s. */
static xs_progress begun(void) {
  xs_progress progress;
  xs_progress_begin(&progress, stderr, XS_PROGRESS_ALWAYS, 0, 10000, 1e-3, 100);
  xs_progress_record(&progress, 1e-9, 2e-7);
  return progress;
}

Test(progress, tells_time_speed_and_what_is_left) {
  xs_progress progress = begun();
  char line[512];
  /* 2500 steps in 5 s: 500 steps/s, half real time, 15 s left. */
  xs_progress_format(&progress, 2500, 105, 200, line, sizeof line);
  static const char *const parts[] = {"t = 2.5 s",  "25 %",      "ETA 0:15",    "500 steps/s",
                                      "0.5 x real", "|C| 1e-09", "primal 2e-07"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cr_expect(strstr(line, parts[i]) != NULL, "%s in: %s", parts[i], line);

  /* The bar is filled to a quarter. */
  const char *bar = strchr(line, '[');
  cr_assert_not_null(bar);
  const size_t filled = strspn(bar + 1, "#"), open = strspn(bar + 1 + filled, "-");
  cr_expect_eq(filled, 10);
  cr_expect_eq(open, 30);
}

Test(progress, fits_every_width) {
  xs_progress progress = begun();
  for (int width = 0; width < 200; width++) {
    char line[512];
    xs_progress_format(&progress, 2500, 105, width, line, sizeof line);
    cr_expect(strlen(line) <= (size_t)width, "%d columns: %s", width, line);
    if (width >= 10) cr_expect(strstr(line, "t = 2.5 s") != NULL, "%d columns: %s", width, line);
  }
}

Test(progress, has_no_estimate_before_the_first_step) {
  xs_progress progress = begun();
  char line[512];
  xs_progress_format(&progress, 0, 100, 80, line, sizeof line);
  cr_expect(strstr(line, "ETA -") != NULL, "%s", line);
}

Test(progress, of_a_resumed_run_counts_its_own_steps_only) {
  xs_progress progress;
  xs_progress_begin(&progress, stderr, XS_PROGRESS_ALWAYS, 5000, 10000, 1e-3, 100);
  char line[512];
  xs_progress_format(&progress, 7500, 105, 200, line, sizeof line);
  cr_expect(strstr(line, "500 steps/s") != NULL, "%s", line);
  cr_expect(strstr(line, "75 %") != NULL && strstr(line, "ETA 0:05") != NULL, "%s", line);
}
