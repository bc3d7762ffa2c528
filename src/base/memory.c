/* Limits of memory (memory.h). */
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The first line of a file that begins so, without that beginning; 0 if there is none. */
static int read_line(const char *path, const char *beginning, char *line, size_t size) {
  FILE *file = fopen(path, "re");
  int found = 0;
  if (!file) return 0;
  while (!found && fgets(line, (int)size, file)) {
    const size_t skip = strlen(beginning);
    if (strncmp(line, beginning, skip) != 0) continue;
    memmove(line, line + skip, strlen(line + skip) + 1);
    line[strcspn(line, "\n")] = '\0';
    found = 1;
  }
  (void)fclose(file);
  return found;
}

/* Of the control group: infinite without one, or with no limit ("max"). */
static double group_limit(void) {
  char group[512], path[600], text[64];
  if (!read_line("/proc/self/cgroup", "0::", group, sizeof group)) return INFINITY;
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/memory.max", strcmp(group, "/") != 0 ? group : "");
  if (!read_line(path, "", text, sizeof text)) return INFINITY;
  char *end = NULL;
  const double bytes = strtod(text, &end);
  return end != text && *end == '\0' ? bytes : INFINITY;
}

double xs_memory_limit(void) {
  const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  const double least = fmin(machine, group_limit());
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return least;
  return fmin(least, (double)limit.rlim_cur);
}
