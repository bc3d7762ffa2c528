#include "base/names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  const xs_name *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void xs_names_sort(xs_name *names, int n) {
  if (n > 0) qsort(names, (size_t)n, sizeof *names, compare);
}

int xs_names_find(const xs_name *sorted, int n, const char *text) {
  /* The first entry that is not below (text, any index). */
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (strcmp(sorted[middle].text, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && strcmp(sorted[low].text, text) == 0 ? sorted[low].index : -1;
}
