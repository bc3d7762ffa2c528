/* Disjoint sets of nodes 0 .. n - 1 as a forest (union by the smaller number, path halving):
 * parent[i] is a node of i's set, and the set's smallest node is its own parent. */
#ifndef XS_MATH_FOREST_H
#define XS_MATH_FOREST_H

/* The smallest node of i's set. */
static inline int xs_forest_root(int *parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Makes one set of those of i and j; 0 if they were one already. */
static inline int xs_forest_join(int *parent, int i, int j) {
  const int one = xs_forest_root(parent, i), other = xs_forest_root(parent, j);
  parent[one > other ? one : other] = one > other ? other : one;
  return one != other;
}

#endif
