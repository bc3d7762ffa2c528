/* Rows of a sweep's summary (sweep_row.h). */
#include "app/sweep_row.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/sweep_cases.h"
#include "base/hash.h"
#include "io/json_write.h"

const char *xs_sweep_row_path(const char *folder, int index, const char *suffix, xs_arena *arena) {
  const size_t n = strlen(folder), size = n + strlen(suffix) + 32;
  const char *slash = n > 0 && folder[n - 1] == '/' ? "" : "/";
  char *path = XS_ARENA_NEW(arena, char, size);
  if (path == NULL) return NULL;
  if (index < 0)
    snprintf(path, size, "%s%ssummary%s", folder, slash, suffix);
  else
    snprintf(path, size, "%s%scase-%04d%s", folder, slash, index, suffix);
  return path;
}

const char *xs_sweep_row_overrides(int n_set, const char *const *set, xs_arena *arena) {
  size_t size = 1, used = 0;
  for (int i = 0; i < n_set; i++) size += strlen(set[i]) + 1;
  char *all = XS_ARENA_NEW(arena, char, size);
  for (int i = 0; all != NULL && i < n_set; i++)
    used += (size_t)snprintf(all + used, size - used, "%s\n", set[i]);
  return all;
}

void xs_sweep_row_content(const xs_sweep *sweep, const char *overrides, const xs_run_info *info,
                          char content[XS_SWEEP_CONTENT]) {
  const char *const texts[] = {overrides, info->version, info->git_commit, info->compiler,
                               info->libraries};
  uint64_t hash = xs_hash_bytes(XS_HASH_START, sweep->scene_text, sweep->scene_length);
  /* The terminating 0 is taken in as well, so that texts cannot run into each other. */
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    hash = xs_hash_bytes(hash, texts[i], strlen(texts[i]) + 1);
  snprintf(content, XS_SWEEP_CONTENT, "%016llx", (unsigned long long)hash);
}

/* ---- Files ---- */

static int partial_name(const char *path, char *partial, size_t size) {
  return (size_t)snprintf(partial, size, "%s.partial", path) < size;
}

FILE *xs_sweep_row_open(const char *path, xs_report *report) {
  char partial[XS_REPORT_FILE];
  FILE *stream = NULL;
  errno = ENAMETOOLONG;
  if (partial_name(path, partial, sizeof partial)) stream = fopen(partial, "we");
  if (stream == NULL)
    xs_report_error(report, XS_IO, &(xs_place){.file = path}, "cannot be written: %s",
                    strerror(errno));
  return stream;
}

xs_status xs_sweep_row_close(FILE *stream, const char *path, xs_report *report) {
  char partial[XS_REPORT_FILE];
  (void)partial_name(path, partial, sizeof partial); /* it could be opened */
  errno = 0;
  int bad = fflush(stream) != 0 || ferror(stream) != 0;
  int reason = errno;
  if (fclose(stream) != 0 && !bad) bad = 1, reason = errno;
  if (!bad && rename(partial, path) != 0) bad = 1, reason = errno;
  if (!bad) return XS_OK;
  (void)unlink(partial);
  return xs_report_error(report, XS_IO, &(xs_place){.file = path}, "cannot be written: %s",
                         strerror(reason));
}

/* ---- Rows ---- */

/* A member whose value follows. */
static void key(FILE *stream, int first, const char *name) {
  fputs(first ? "" : ", ", stream);
  xs_json_write_string(stream, name);
  fputs(": ", stream);
}

xs_status xs_sweep_row_write(const xs_sweep *sweep, const char *folder, int index,
                             const char *content, xs_status status, const double *metrics,
                             xs_report *report) {
  xs_arena arena = {0};
  const char *path = xs_sweep_row_path(folder, index, ".json", &arena);
  FILE *stream = path != NULL ? xs_sweep_row_open(path, report) : NULL;
  if (stream == NULL) {
    xs_arena_free(&arena);
    return path != NULL ? XS_IO
                        : xs_report_error(report, XS_INTERNAL, NULL, "out of memory for a row");
  }
  fprintf(stream, "{\"case\": %d, \"content\": \"%s\", \"exit_status\": %d,\n \"parameters\": {",
          index, content, (int)status);
  for (int p = 0; p < sweep->n_parameters; p++) {
    key(stream, p == 0, xs_sweep_cases_path(sweep, p));
    xs_sweep_cases_write_value(stream, xs_sweep_cases_value(sweep, index, p), 1);
  }
  fputs("},\n \"metrics\": {", stream);
  for (int m = 0; m < sweep->n_metrics; m++) {
    key(stream, m == 0, sweep->metric[m]);
    if (metrics != NULL && isfinite(metrics[m]))
      fprintf(stream, "%.17g", metrics[m]);
    else
      fputs("null", stream);
  }
  fputs("}}\n", stream);
  const xs_status written = xs_sweep_row_close(stream, path, report);
  xs_arena_free(&arena);
  return written;
}

static int is_text(const xs_json *value, const char *text) {
  return value != NULL && value->type == XS_JSON_STRING && strcmp(value->string, text) == 0;
}

int xs_sweep_row_read(const xs_sweep *sweep, const char *folder, int index, const char *content,
                      xs_status *status, double *metrics) {
  xs_arena arena = {0};
  xs_report *unread = calloc(1, sizeof *unread);
  char *text = NULL;
  size_t length = 0;
  xs_json *row = NULL;
  const char *path = xs_sweep_row_path(folder, index, ".json", &arena);
  int good = path != NULL && unread != NULL &&
             xs_json_read_file(path, &arena, &text, &length, unread) == XS_OK &&
             xs_json_parse(text, length, path, &arena, &row, unread) == XS_OK;

  const xs_json *exit_status = xs_json_member(row, "exit_status");
  const xs_json *values = xs_json_member(row, "metrics");
  good = good && is_text(xs_json_member(row, "content"), content) && exit_status != NULL &&
         exit_status->type == XS_JSON_NUMBER && exit_status->number >= XS_OK &&
         exit_status->number <= XS_CHECK;
  if (good) *status = (xs_status)(int)exit_status->number;
  for (int m = 0; good && m < sweep->n_metrics; m++) {
    const xs_json *value = xs_json_member(values, sweep->metric[m]);
    metrics[m] = value != NULL && value->type == XS_JSON_NUMBER ? value->number : NAN;
    good = value != NULL;
  }
  free(unread);
  xs_arena_free(&arena);
  return good;
}
