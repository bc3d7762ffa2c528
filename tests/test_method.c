/* Which variant of the methods may run: XSIM_ISA and the processor. */
#include <criterion/criterion.h>
#include <string.h>

#include "solver/method.h"

static xs_report report;

Test(method, variants_that_can_run_are_taken) {
  for (int has_avx2 = 0; has_avx2 < 2; has_avx2++) {
    cr_expect_eq(xs_method_check_forced(NULL, has_avx2, &report), XS_OK);
    cr_expect_eq(xs_method_check_forced("baseline", has_avx2, &report), XS_OK);
  }
  cr_expect_eq(xs_method_check_forced("avx2", 1, &report), XS_OK);
  cr_expect_eq(report.n_kept, 0);
}

Test(method, avx2_is_refused_on_a_processor_without_it) {
  cr_assert_eq(xs_method_check_forced("avx2", 0, &report), XS_USAGE);
  cr_expect(strstr(report.kept[0].text, "this processor has no AVX2") != NULL);
}

Test(method, unknown_variants_are_refused) {
  static const char *const unknown[] = {"AVX2", "avx512", " baseline", "1"};
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
    report = (xs_report){0};
    cr_assert_eq(xs_method_check_forced(unknown[i], 1, &report), XS_USAGE);
    cr_expect(strstr(report.kept[0].text, unknown[i]) != NULL);
    cr_expect(strstr(report.kept[0].text, "allowed: baseline, avx2") != NULL);
  }
}
