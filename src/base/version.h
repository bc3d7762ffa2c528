/* What this build is: version, commit, compiler and flags.
 *
 * The version number stands here and nowhere else. The commit and the flags come from the
 * Makefile, which defines them for version.c only, so that a new commit rebuilds one file. */
#ifndef XS_BASE_VERSION_H
#define XS_BASE_VERSION_H

#define XS_VERSION "0.1.0"

/* Full hash, with "-dirty" if the source was changed since; "unknown" outside git. */
const char *xs_version_commit(void);

/* Compiler and flags that decide about the numbers, one line: "gcc 12.2.0 -O3 ...". */
const char *xs_version_compiler(void);

#endif
