/* Orders of known graphs, and the properties any order must have. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "math/rcm.h"

/* Half-bandwidth of a graph in an order. */
static int bandwidth(int n, const int *first, const int *neighbour, const int *order) {
  int *place = malloc((size_t)n * sizeof *place), width = 0;
  for (int k = 0; k < n; k++) place[order[k]] = k;
  for (int v = 0; v < n; v++)
    for (int e = first[v]; e < first[v + 1]; e++) {
      int d = abs(place[v] - place[neighbour[e]]);
      if (d > width) width = d;
    }
  free(place);
  return width;
}

Test(rcm, a_path_numbered_at_random_gets_bandwidth_one) {
  enum { N = 101 };
  int label[N], first[N + 1], neighbour[2 * N], order[N], component[N];
  for (int i = 0; i < N; i++) label[i] = (i * 37) % N;
  int where[N];
  for (int i = 0; i < N; i++) where[label[i]] = i;
  int e = 0;
  for (int v = 0; v < N; v++) {
    first[v] = e;
    if (where[v] > 0) neighbour[e++] = label[where[v] - 1];
    if (where[v] < N - 1) neighbour[e++] = label[where[v] + 1];
  }
  first[N] = e;
  xs_arena arena = {0};
  cr_assert_eq(xs_rcm_order(N, first, neighbour, order, component, &arena), 1);
  cr_expect_eq(bandwidth(N, first, neighbour, order), 1);
  xs_arena_free(&arena);
}

Test(rcm, components_are_contiguous_and_in_order_of_their_lowest_vertex) {
  /* 0-3, 1-4-5, 2 alone */
  int first[] = {0, 1, 2, 2, 3, 5, 6}, neighbour[] = {3, 4, 0, 1, 5, 4};
  int order[6], component[6], seen[6] = {0};
  xs_arena arena = {0};
  cr_assert_eq(xs_rcm_order(6, first, neighbour, order, component, &arena), 3);
  for (int k = 0; k < 6; k++) {
    cr_assert(order[k] >= 0 && order[k] < 6);
    cr_assert_eq(seen[order[k]]++, 0);
    cr_expect(k == 0 || component[k] >= component[k - 1]);
  }
  const int of_vertex[] = {0, 1, 2, 0, 1, 1};
  for (int k = 0; k < 6; k++) cr_expect_eq(component[k], of_vertex[order[k]]);
  xs_arena_free(&arena);
}

Test(rcm, a_binary_tree_stays_narrow) {
  enum { LEVELS = 8, N = (1 << LEVELS) - 1 };
  int first[N + 1], neighbour[2 * N], order[N], component[N], e = 0;
  for (int v = 0; v < N; v++) {
    first[v] = e;
    if (v > 0) neighbour[e++] = (v - 1) / 2;
    if (2 * v + 1 < N) neighbour[e++] = 2 * v + 1;
    if (2 * v + 2 < N) neighbour[e++] = 2 * v + 2;
  }
  first[N] = e;
  xs_arena arena = {0};
  cr_assert_eq(xs_rcm_order(N, first, neighbour, order, component, &arena), 1);
  /* From a leaf, the widest level is the other half's leaves, (N + 1)/4; from the root it
   * would be (N + 1)/2. */
  cr_expect_leq(bandwidth(N, first, neighbour, order), (N + 1) / 4);
  xs_arena_free(&arena);
}
