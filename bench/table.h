/* The table of a measurement: appending rows that say what was measured on what.
 *
 * Columns: name, min, median, unit, target, processor, compiler, flags, commit, variant. The
 * same numbers go to stdout, with a verdict where there is a target: "met" if the median meets
 * it, "at best" if only the minimum does. The Python counterpart is shared/table.py. */
#ifndef XS_BENCH_TABLE_H
#define XS_BENCH_TABLE_H

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/report.h"
#include "base/version.h"
#include "solver/method.h"

typedef struct figure {
  double min, median; /* in the table's unit */
} figure;

/* "model name" of the first processor, without commas. */
static inline const char *bench_table_processor(void) {
  static char line[256];
  const char *name = "unknown";
  FILE *stream = fopen("/proc/cpuinfo", "r");
  while (stream && fgets(line, sizeof line, stream)) {
    if (strncmp(line, "model name", 10) != 0 || !strchr(line, ':')) continue;
    line[strcspn(line, "\n")] = 0;
    for (char *c = line; *c; c++)
      if (*c == ',') *c = ';';
    name = strchr(line, ':') + 1;
    name += strspn(name, " ");
    break;
  }
  if (stream) fclose(stream);
  return name;
}

static inline void bench_table_heading(const char *unit) {
  printf("%-56s %-8s %8s %8s  target\n", unit, "variant", "min", "median");
}

/* A line on the screen and a row in the table; target 0 = none. */
static inline void bench_table_row(FILE *table, const char *name, figure value, double target) {
  const char *compiler = xs_version_compiler(), *flags = strstr(compiler, " -");
  const int compiler_length = (int)(flags ? flags - compiler : (long)strlen(compiler));
  const char *verdict = value.median <= target ? "met" : value.min <= target ? "at best" : "missed";
  char wanted[32] = "";
  if (target > 0) snprintf(wanted, sizeof wanted, "%g", target);
  printf("%-56s %-8s %8.3f %8.3f  %-6s %s\n", name, xs_method_variant(), value.min, value.median,
         wanted, target > 0 ? verdict : "");
  fprintf(table, "%s,%.4f,%.4f,us,%s,%s,%.*s,%s,%s,%s\n", name, value.min, value.median, wanted,
          bench_table_processor(), compiler_length, compiler, flags ? flags + 1 : "",
          xs_version_commit(), xs_method_variant());
}

/* Opens a table for appending; a new one gets its header. NULL after an error. */
static inline FILE *bench_table_open(const char *path, xs_report *report) {
  struct stat status;
  FILE *table = fopen(path, "a");
  if (table == NULL || fstat(fileno(table), &status) != 0) {
    xs_report_error(report, XS_IO, &(xs_place){.file = path},
                    "cannot be appended to: %s; run this in the project's root", strerror(errno));
    if (table) fclose(table);
    return NULL;
  }
  if (status.st_size == 0)
    fprintf(table, "name,min,median,unit,target,processor,compiler,flags,commit,variant\n");
  return table;
}

#endif
