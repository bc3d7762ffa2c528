/* Names found by bisection: a scene may have a hundred thousand of them. */
#ifndef XS_BASE_NAMES_H
#define XS_BASE_NAMES_H

typedef struct xs_name {
  const char *text;
  int index; /* the owner's: where it stands in a list */
} xs_name;

/* Sorts n names by text, equal ones by index. */
void xs_names_sort(xs_name *names, int n);

/* Index of the first of n sorted names with this text, -1 if there is none. */
int xs_names_find(const xs_name *sorted, int n, const char *text);

#endif
