/* Disjoint sets of the numbers 0 .. n - 1: what is connected with what. */
#ifndef XS_MATH_FOREST_H
#define XS_MATH_FOREST_H

/* The set of i: its lowest member. parent[i] = i at the start; paths are halved on the way. */
static inline int xs_forest_root(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Joins the sets of a and b; returns 0 if they were one already. */
static inline int xs_forest_join(int *parent, int a, int b) {
  a = xs_forest_root(parent, a);
  b = xs_forest_root(parent, b);
  if (a == b) return 0;
  parent[a > b ? a : b] = a > b ? b : a;
  return 1;
}

#endif
