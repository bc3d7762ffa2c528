/* The methods there are, each built for the baseline (x86-64-v2) and for AVX2. */
#include "solver/method.h"

#include <stdlib.h>
#include <string.h>

extern const xs_method xs_xpbd_method, xs_xpbd_method_avx2;

/* XSIM_ISA=baseline|avx2 forces a variant, to compare them; else by the processor. */
static int use_avx2(void) {
  const char *forced = getenv("XSIM_ISA");
  int have = __builtin_cpu_supports("avx2") != 0;
  if (forced && strcmp(forced, "baseline") == 0) return 0;
  return have;
}

const char *xs_method_variant(void) { return use_avx2() ? "avx2" : "baseline"; }

const xs_method *xs_method_find(const char *name) {
  static const xs_method *const baseline[] = {&xs_xpbd_method};
  static const xs_method *const avx2[] = {&xs_xpbd_method_avx2};
  const xs_method *const *methods = use_avx2() ? avx2 : baseline;
  for (size_t i = 0; i < sizeof baseline / sizeof *baseline; i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}
