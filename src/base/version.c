/* What this build is; version.h says what comes from where.
 *
 * Builds without the Makefile (an editor's checker, for one) lack the two macros and say
 * "unknown". */
#include "base/version.h"

#ifndef XS_GIT_COMMIT
#define XS_GIT_COMMIT "unknown"
#endif
#ifndef XS_COMPILE_FLAGS
#define XS_COMPILE_FLAGS "with unknown flags"
#endif

/* clang's __VERSION__ says "Clang 14..." by itself, gcc's is a bare number. */
#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *xs_version_commit(void) { return XS_GIT_COMMIT; }

const char *xs_version_compiler(void) { return COMPILER " " XS_COMPILE_FLAGS; }
