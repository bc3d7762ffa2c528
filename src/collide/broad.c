/* Uniform hash over boxes (broad.h). */
#include "collide/broad.h"

#include <math.h>
#include <string.h>

/* Cells are numbered within this; what lies beyond counts as large. */
#define CELL_LIMIT 1e9

enum { SMALL, LARGE, LEFT_OUT };

int xs_broad_create(xs_broad *broad, xs_arena *arena, int n) {
  *broad = (xs_broad){.n = n};
  broad->edge = XS_ARENA_NEW(arena, double, n);
  broad->lower = xs_arena_alloc(arena, (size_t)n, sizeof *broad->lower);
  broad->upper = xs_arena_alloc(arena, (size_t)n, sizeof *broad->upper);
  broad->large = XS_ARENA_NEW(arena, int, n);
  broad->is_large = XS_ARENA_NEW(arena, char, n);
  broad->count = XS_ARENA_NEW(arena, int, n + 1);
  return broad->edge && broad->lower && broad->upper && broad->large && broad->is_large &&
         broad->count && xs_broad_reserve(broad, arena, 8 * n + 8, 4 * n + 8);
}

int xs_broad_reserve(xs_broad *broad, xs_arena *arena, int entries, int pairs) {
  if (entries > broad->entries_max) {
    int buckets = 16;
    while (buckets < entries) buckets *= 2;
    broad->entry = XS_ARENA_NEW(arena, xs_broad_entry, entries);
    broad->bucket = XS_ARENA_NEW(arena, int, buckets + 1);
    broad->entries_max = broad->entry && broad->bucket ? entries : 0;
    broad->buckets_max = buckets;
    if (broad->entries_max == 0) return 0;
  }
  if (pairs > broad->pairs_max) {
    broad->pair = XS_ARENA_NEW(arena, xs_broad_pair, pairs);
    broad->unsorted = XS_ARENA_NEW(arena, xs_broad_pair, pairs);
    broad->pairs_max = broad->pair && broad->unsorted ? pairs : 0;
    if (broad->pairs_max == 0) return 0;
  }
  return 1;
}

/* ---- Cells ---- */

/* The k-th smallest, by Hoare's selection; disturbs the order. */
static double select_kth(double *a, int n, int k) {
  int left = 0, right = n - 1;
  while (left < right) {
    double pivot = a[k];
    int i = left, j = right;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (pivot < a[j]) j--;
      if (i <= j) {
        double swap = a[i];
        a[i++] = a[j], a[j--] = swap;
      }
    }
    if (j < k) left = i;
    if (k < i) right = j;
  }
  return a[k];
}

static int is_finite(const xs_broad_box *box) {
  double sum = box->lo.x + box->lo.y + box->lo.z + box->hi.x + box->hi.y + box->hi.z;
  return isfinite(sum);
}

static int has_nan(const xs_broad_box *box) {
  return isnan(box->lo.x) || isnan(box->lo.y) || isnan(box->lo.z) || isnan(box->hi.x) ||
         isnan(box->hi.y) || isnan(box->hi.z);
}

/* Edge of the cells, m. */
static double cell_edge(xs_broad *broad, const xs_broad_box *box) {
  int n = 0;
  for (int i = 0; i < broad->n; i++) {
    if (!is_finite(&box[i])) continue;
    xs_vec3 d = xs_vec3_sub(box[i].hi, box[i].lo);
    broad->edge[n++] = fmax(d.x, fmax(d.y, d.z));
  }
  double median = n > 0 ? select_kth(broad->edge, n, n / 2) : 1;
  return median > 0 ? 2 * median : 1;
}

/* Cells of one axis; 0 if they are too far out. */
static int cells_of(double lo, double hi, double inverse, int32_t *lower, int32_t *upper) {
  double first = floor(lo * inverse), last = floor(hi * inverse);
  if (!(first > -CELL_LIMIT && last < CELL_LIMIT)) return 0;
  *lower = (int32_t)first;
  *upper = (int32_t)last;
  return 1;
}

/* Cells of every box, large boxes; returns the number of entries. */
static int sort_by_size(xs_broad *broad, const xs_broad_box *box) {
  double inverse = 1 / cell_edge(broad, box);
  int entries = 0;
  broad->n_large = 0;
  for (int i = 0; i < broad->n; i++) {
    int32_t *lo = broad->lower[i], *hi = broad->upper[i];
    broad->is_large[i] = has_nan(&box[i]) ? LEFT_OUT : LARGE;
    if (broad->is_large[i] == LEFT_OUT) continue;
    if (cells_of(box[i].lo.x, box[i].hi.x, inverse, &lo[0], &hi[0]) &&
        cells_of(box[i].lo.y, box[i].hi.y, inverse, &lo[1], &hi[1]) &&
        cells_of(box[i].lo.z, box[i].hi.z, inverse, &lo[2], &hi[2])) {
      double cells = (hi[0] - lo[0] + 1.0) * (hi[1] - lo[1] + 1.0) * (hi[2] - lo[2] + 1.0);
      if (cells <= XS_BROAD_CELLS) {
        broad->is_large[i] = SMALL;
        entries += (int)cells;
        continue;
      }
    }
    broad->large[broad->n_large++] = i;
  }
  return entries;
}

static uint32_t hash(const int32_t cell[3]) {
  uint32_t h =
      (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^ (uint32_t)cell[2] * 83492791u;
  h ^= h >> 16;
  h *= 0x7feb352du;
  return h ^ h >> 15;
}

/* Counts (entry NULL) or enters box i in its cells. */
static void enter(xs_broad *broad, int i, uint32_t mask, xs_broad_entry *entry) {
  const int32_t *lo = broad->lower[i], *hi = broad->upper[i];
  int32_t cell[3];
  for (cell[0] = lo[0]; cell[0] <= hi[0]; cell[0]++)
    for (cell[1] = lo[1]; cell[1] <= hi[1]; cell[1]++)
      for (cell[2] = lo[2]; cell[2] <= hi[2]; cell[2]++) {
        int at = --broad->bucket[hash(cell) & mask];
        entry[at] = (xs_broad_entry){{cell[0], cell[1], cell[2]}, i};
      }
}

static void count_cells(xs_broad *broad, int i, uint32_t mask) {
  const int32_t *lo = broad->lower[i], *hi = broad->upper[i];
  int32_t cell[3];
  for (cell[0] = lo[0]; cell[0] <= hi[0]; cell[0]++)
    for (cell[1] = lo[1]; cell[1] <= hi[1]; cell[1]++)
      for (cell[2] = lo[2]; cell[2] <= hi[2]; cell[2]++) broad->bucket[hash(cell) & mask]++;
}

/* Entries by bucket, boxes falling within each. Returns the number of buckets. */
static int fill_buckets(xs_broad *broad, int entries) {
  int buckets = 16;
  while (buckets < entries && buckets < broad->buckets_max) buckets *= 2;
  uint32_t mask = (uint32_t)buckets - 1;
  memset(broad->bucket, 0, sizeof(int) * (size_t)(buckets + 1));
  for (int i = 0; i < broad->n; i++)
    if (broad->is_large[i] == SMALL) count_cells(broad, i, mask);

  /* bucket[k]: end of bucket k, then, as entries are put in from the end, its start. */
  for (int k = 1; k <= buckets; k++) broad->bucket[k] += broad->bucket[k - 1];
  for (int i = 0; i < broad->n; i++)
    if (broad->is_large[i] == SMALL) enter(broad, i, mask, broad->entry);
  return buckets;
}

/* ---- Pairs ---- */

typedef struct search {
  xs_broad *broad;
  const xs_broad_box *box;
  xs_broad_filter *filter;
  const void *context;
} search;

static int meet(const xs_broad_box *a, const xs_broad_box *b) {
  return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y &&
         a->lo.z <= b->hi.z && b->lo.z <= a->hi.z;
}

/* Adds the pair if the boxes meet; counts on when there is no room. */
static void compare(const search *s, int i, int j) {
  xs_broad *broad = s->broad;
  int a = i < j ? i : j, b = i < j ? j : i;
  if (!meet(&s->box[a], &s->box[b])) return;
  if (s->filter && !s->filter(s->context, a, b)) return;
  if (broad->n_pairs < broad->pairs_max) broad->unsorted[broad->n_pairs] = (xs_broad_pair){a, b};
  broad->n_pairs++;
}

/* Whether this cell is the one in which two boxes are compared. */
static int meeting_cell(const xs_broad *broad, const xs_broad_entry *e, int i, int j) {
  for (int axis = 0; axis < 3; axis++) {
    int32_t a = broad->lower[i][axis], b = broad->lower[j][axis];
    if (e->cell[axis] != (a > b ? a : b)) return 0;
  }
  return 1;
}

static void compare_in_buckets(const search *s, int buckets) {
  const xs_broad *broad = s->broad;
  for (int k = 0; k < buckets; k++)
    for (int i = broad->bucket[k]; i < broad->bucket[k + 1]; i++)
      for (int j = i + 1; j < broad->bucket[k + 1]; j++) {
        const xs_broad_entry *e = &broad->entry[i], *f = &broad->entry[j];
        if (memcmp(e->cell, f->cell, sizeof e->cell) != 0) continue;
        if (meeting_cell(broad, e, e->box, f->box)) compare(s, e->box, f->box);
      }
}

/* Large boxes with all small ones, and with large ones once. */
static void compare_large(const search *s) {
  const xs_broad *broad = s->broad;
  for (int k = 0; k < broad->n_large; k++) {
    int large = broad->large[k];
    for (int i = 0; i < broad->n; i++) {
      if (broad->is_large[i] == LEFT_OUT || i == large) continue;
      if (broad->is_large[i] == SMALL || i > large) compare(s, large, i);
    }
  }
}

/* Counting sort by a, then insertion within equal a. */
static void sort_pairs(xs_broad *broad) {
  memset(broad->count, 0, sizeof(int) * (size_t)(broad->n + 1));
  for (int k = 0; k < broad->n_pairs; k++) broad->count[broad->unsorted[k].a + 1]++;
  for (int i = 0; i < broad->n; i++) broad->count[i + 1] += broad->count[i];
  for (int k = 0; k < broad->n_pairs; k++) {
    xs_broad_pair pair = broad->unsorted[k];
    broad->pair[broad->count[pair.a]++] = pair;
  }
  for (int k = 1; k < broad->n_pairs; k++) {
    xs_broad_pair pair = broad->pair[k];
    int at = k;
    for (; at > 0 && broad->pair[at - 1].a == pair.a && broad->pair[at - 1].b > pair.b; at--)
      broad->pair[at] = broad->pair[at - 1];
    broad->pair[at] = pair;
  }
}

int xs_broad_find(xs_broad *broad, const xs_broad_box *box, xs_broad_filter *filter,
                  const void *context) {
  broad->n_pairs = 0;
  broad->pairs_needed = 0;
  broad->entries_needed = sort_by_size(broad, box);
  if (broad->entries_needed > broad->entries_max) return 0;

  search s = {broad, box, filter, context};
  compare_in_buckets(&s, fill_buckets(broad, broad->entries_needed));
  compare_large(&s);
  broad->pairs_needed = broad->n_pairs;
  if (broad->n_pairs > broad->pairs_max) return 0;
  sort_pairs(broad);
  return 1;
}
