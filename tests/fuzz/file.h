/* Files in memory, for targets whose subject reads them by name.
 *
 * Fuzz targets are linked with --wrap=xs_json_read_file, so that a name that the input makes up can
 * lead nowhere: only what a target offers is there. */
#ifndef XS_TESTS_FUZZ_FILE_H
#define XS_TESTS_FUZZ_FILE_H

#include <stddef.h>

/* A file called name with these bytes, which have to stay; at most FUZZ_FILES_MAX of them. */
enum { FUZZ_FILES_MAX = 2 };
void fuzz_file_offer(const char *name, const void *bytes, size_t size);
void fuzz_file_forget(void);

#endif
