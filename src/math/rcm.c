/* George & Liu, Computer Solution of Large Sparse Positive Definite Systems, chapter 4:
 * breadth first from a vertex at the rim of the component (found by walking to the last
 * level twice), neighbours by rising degree, the whole order reversed. Linear in the
 * edges but for sorting a vertex's neighbours. */
#include "math/rcm.h"

#include <stdlib.h>

typedef struct walk {
  const int *first, *neighbour;
  int *order;   /* output, filled from the front */
  int *visited; /* stamp of the last walk that reached a vertex */
  int stamp;
} walk;

static int degree(const walk *w, int v) { return w->first[v + 1] - w->first[v]; }

/* Insertion sort by degree, then number: neighbour lists are short. */
static void sort_by_degree(const walk *w, int *v, int n) {
  for (int i = 1; i < n; i++) {
    int key = v[i], j = i;
    while (j > 0 && (degree(w, v[j - 1]) > degree(w, key) ||
                     (degree(w, v[j - 1]) == degree(w, key) && v[j - 1] > key))) {
      v[j] = v[j - 1];
      j--;
    }
    v[j] = key;
  }
}

/* Breadth first from `start` into order[from ..]; returns the end. *last_level gets where
 * the last level begins. */
static int spread(walk *w, int start, int from, int *last_level) {
  int end = from;
  w->stamp++;
  w->order[end++] = start;
  w->visited[start] = w->stamp;
  int level = from, next_level = end;
  for (int k = from; k < end; k++) {
    if (k == next_level) {
      level = next_level;
      next_level = end;
    }
    int v = w->order[k], added = end;
    for (int e = w->first[v]; e < w->first[v + 1]; e++) {
      int u = w->neighbour[e];
      if (w->visited[u] == w->stamp) continue;
      w->visited[u] = w->stamp;
      w->order[end++] = u;
    }
    sort_by_degree(w, w->order + added, end - added);
  }
  *last_level = level;
  return end;
}

/* A vertex of least degree in the last level reached from v: at the rim. */
static int rim(walk *w, int v, int from) {
  for (int round = 0; round < 2; round++) {
    int last, end = spread(w, v, from, &last);
    v = w->order[last];
    for (int k = last + 1; k < end; k++)
      if (degree(w, w->order[k]) < degree(w, v)) v = w->order[k];
  }
  return v;
}

int xs_rcm_order(int n, const int *first, const int *neighbour, int *order, int *component,
                 xs_arena *arena) {
  walk w = {first, neighbour, order, XS_ARENA_NEW(arena, int, n), 0};
  char *placed = XS_ARENA_NEW(arena, char, n);
  if (!w.visited || !placed) return -1;
  int from = 0, components = 0;
  for (int v = 0; v < n; v++) {
    if (placed[v]) continue;
    int last, end = spread(&w, rim(&w, v, from), from, &last);
    for (int i = from, j = end - 1; i < j; i++, j--) {
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    for (int k = from; k < end; k++) {
      placed[order[k]] = 1;
      component[k] = components;
    }
    components++;
    from = end;
  }
  return components;
}
