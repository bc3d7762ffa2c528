/* Cases by arithmetic (sweep_cases.h): no list of them is ever made. */
#include "app/sweep_cases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_write.h"

/* The axis that a parameter belongs to; *k becomes its place among the axis' paths. */
static int find_axis(const xs_sweep *sweep, int parameter, int *k) {
  int axis = 0;
  *k = parameter;
  while (*k >= sweep->axis[axis].n_paths) *k -= sweep->axis[axis++].n_paths;
  assert(axis < sweep->n_axes);
  return axis;
}

const char *xs_sweep_cases_path(const xs_sweep *sweep, int parameter) {
  int k;
  const int axis = find_axis(sweep, parameter, &k);
  return sweep->axis[axis].path[k];
}

const xs_json *xs_sweep_cases_value(const xs_sweep *sweep, int index, int parameter) {
  int k, i = index;
  const int axis = find_axis(sweep, parameter, &k);
  const xs_sweep_axis *found = &sweep->axis[axis];

  /* In a grid the index is a number whose last digit belongs to the last axis. */
  if (!sweep->is_zip) {
    for (int a = sweep->n_axes - 1; a > axis; a--) i /= sweep->axis[a].n_values;
    i %= found->n_values;
  }
  const xs_json *value = found->value[i];
  if (found->n_paths == 1) return value;
  value = value->first;
  for (; k > 0; k--) value = value->next;
  return value;
}

void xs_sweep_cases_write_value(FILE *stream, const xs_json *value, int quoted) {
  if (value->type == XS_JSON_STRING && !quoted)
    fputs(value->string, stream);
  else
    xs_json_write_line(stream, value);
}

/* "PATH=VALUE" of a parameter. */
static const char *assignment(const xs_sweep *sweep, int index, int parameter, xs_arena *arena) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return NULL;
  fprintf(stream, "%s=", xs_sweep_cases_path(sweep, parameter));
  xs_sweep_cases_write_value(stream, xs_sweep_cases_value(sweep, index, parameter), 1);
  const int failed = ferror(stream);
  const char *copy =
      fclose(stream) == 0 && !failed && text ? xs_arena_copy_text(arena, text) : NULL;
  free(text);
  return copy;
}

const char **xs_sweep_cases_set(const xs_sweep *sweep, int index, int n_more,
                                const char *const *more, int *n_set, xs_arena *arena) {
  const char **set = XS_ARENA_NEW(arena, const char *, sweep->n_parameters + n_more);
  *n_set = 0;
  for (int p = 0; set != NULL && p < sweep->n_parameters; p++) {
    set[*n_set] = assignment(sweep, index, p, arena);
    if (set[(*n_set)++] == NULL) return NULL;
  }
  for (int i = 0; set != NULL && i < n_more; i++) set[(*n_set)++] = more[i];
  return set;
}

const char *xs_sweep_cases_text(const xs_sweep *sweep, int index, char *buffer, size_t size) {
  /* What does not fit is cut: the stream writes no further than the buffer's end. */
  FILE *stream = fmemopen(buffer, size, "w");
  buffer[0] = '\0';
  if (stream == NULL) return buffer;
  for (int p = 0; p < sweep->n_parameters; p++) {
    fprintf(stream, "%s%s=", p > 0 ? " " : "", xs_sweep_cases_path(sweep, p));
    xs_sweep_cases_write_value(stream, xs_sweep_cases_value(sweep, index, p), 0);
  }
  (void)fclose(stream);
  buffer[size - 1] = '\0';
  return buffer;
}
