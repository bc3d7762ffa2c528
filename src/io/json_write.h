/* Writing JSON: numbers so that they are read back as the same doubles, with %.17g if not said
 * otherwise. */
#ifndef XS_IO_JSON_WRITE_H
#define XS_IO_JSON_WRITE_H

#include <stdio.h>

#include "io/json.h"

/* The string in quotes, escaped; UTF-8 as it is. */
void xs_json_write_string(FILE *stream, const char *string);

/* A value with all below it, objects and arrays of objects a line each member, indented by
 * two blanks a level from depth on. Failure shows in ferror(stream). */
void xs_json_write(FILE *stream, const xs_json *value, int depth);

/* A value with all below it on one line, numbers in the fewest digits that are read back as the
 * same double. Failure shows in ferror(stream). */
void xs_json_write_line(FILE *stream, const xs_json *value);

#endif
