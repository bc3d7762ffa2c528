/* Which case of a sweep has which values (sweep.h). Cases count from 0, parameters are the paths of
 * all axes in the file's order. */
#ifndef XS_APP_SWEEP_CASES_H
#define XS_APP_SWEEP_CASES_H

#include "app/sweep.h"

/* The path of a parameter, and its value in a case. */
const char *xs_sweep_cases_path(const xs_sweep *sweep, int parameter);
const xs_json *xs_sweep_cases_value(const xs_sweep *sweep, int index, int parameter);

/* The case's overrides "PATH=VALUE", *n_set of them: its values, then n_more further ones. NULL
 * when memory is exhausted. */
const char **xs_sweep_cases_set(const xs_sweep *sweep, int index, int n_more,
                                const char *const *more, int *n_set, xs_arena *arena);

/* "rods.beam.elements=8 solver.update=corrected": a case in messages. Returns buffer. */
const char *xs_sweep_cases_text(const xs_sweep *sweep, int index, char *buffer, size_t size);

/* A value as one line: numbers in the fewest digits that are read back as the same double, texts
 * in quotes if quoted, everything else as JSON. Failure shows in ferror(stream). */
void xs_sweep_cases_write_value(FILE *stream, const xs_json *value, int quoted);

#endif
