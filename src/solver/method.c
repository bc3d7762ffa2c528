/* The methods there are, each built for the baseline (x86-64-v2) and for AVX2. */
#include "solver/method.h"

#include <stdlib.h>
#include <string.h>

extern const xs_method xs_xpbd_method, xs_xpbd_method_avx2;
extern const xs_method xs_static_method, xs_static_method_avx2;
extern const xs_method xs_rattle_method, xs_rattle_method_avx2;
extern const xs_method xs_genalpha_method, xs_genalpha_method_avx2;

/* XSIM_ISA=baseline|avx2 forces a variant, to compare them; else by the processor. */
static const char *forced_variant(void) {
  const char *forced = getenv("XSIM_ISA");
  return forced && forced[0] ? forced : NULL;
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }

static int use_avx2(void) {
  const char *forced = forced_variant();
  return has_avx2() && !(forced && strcmp(forced, "baseline") == 0);
}

xs_status xs_method_check_forced(const char *forced, int processor_has_avx2, xs_report *report) {
  if (!forced || strcmp(forced, "baseline") == 0) return XS_OK;
  if (strcmp(forced, "avx2") != 0)
    return xs_report_error(report, XS_USAGE, NULL,
                           "the environment has XSIM_ISA=%s; allowed: baseline, avx2, or unset: by "
                           "the processor",
                           forced);
  if (processor_has_avx2) return XS_OK;
  return xs_report_error(report, XS_USAGE, NULL,
                         "the environment has XSIM_ISA=avx2, but this processor has no AVX2; unset "
                         "it, the baseline gives the same bits");
}

xs_status xs_method_check_environment(xs_report *report) {
  return xs_method_check_forced(forced_variant(), has_avx2(), report);
}

const char *xs_method_variant(void) { return use_avx2() ? "avx2" : "baseline"; }

const xs_method *xs_method_find(const char *name) {
  static const xs_method *const baseline[] = {&xs_xpbd_method, &xs_static_method, &xs_rattle_method,
                                              &xs_genalpha_method};
  static const xs_method *const avx2[] = {&xs_xpbd_method_avx2, &xs_static_method_avx2,
                                          &xs_rattle_method_avx2, &xs_genalpha_method_avx2};
  const xs_method *const *methods = use_avx2() ? avx2 : baseline;
  for (size_t i = 0; i < sizeof baseline / sizeof *baseline; i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}

const xs_method *xs_method_of(const xs_solver *solver) {
  static const char *const integrator[] = {"xpbd", "rattle", "genalpha"};
  if (solver->mode == XS_MODE_STATIC) return xs_method_find("static");
  return xs_method_find(integrator[solver->integrator]);
}
