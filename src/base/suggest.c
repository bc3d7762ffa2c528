/* Nearest names by Damerau-Levenshtein distance.
 *
 * d(i, j), the cost of turning the first i letters of a into the first j of b, is
 *     min { d(i-1, j) + EDIT              drop a_i
 *           d(i, j-1) + EDIT              insert b_j
 *           d(i-1, j-1) + differ(a_i, b_j)
 *           d(i-2, j-2) + EDIT            if a_i a_i-1 = b_j-1 b_j (swap) }
 * differ is 0 for the same letter, CASE for the other case, else EDIT. With EDIT larger
 * than any sum of CASEs, case only decides between names that are equally near, and a
 * name that is wrong in nothing but its case is the nearest of all.
 *
 * Letters are bytes; only ASCII has case (names of scenes are ASCII). */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum {
  LENGTH_MAX = 64, /* longer names are not compared: names in a scene are short */
  CASE = 1,
  EDIT = 1000, /* > LENGTH_MAX * CASE */
  FAR = EDIT * 2 * LENGTH_MAX
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int differ(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? CASE : EDIT;
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* d(length of a, length of b); FAR if either is too long. */
static int distance(const char *a, const char *b) {
  size_t n_a = strlen(a), n_b = strlen(b);
  if (n_a > LENGTH_MAX || n_b > LENGTH_MAX) return FAR;

  /* Three rows of d in turn: row i is row[i % 3]. */
  int row[3][LENGTH_MAX + 1];
  for (size_t j = 0; j <= n_b; j++) row[0][j] = (int)j * EDIT;

  for (size_t i = 1; i <= n_a; i++) {
    int *now = row[i % 3], *before = row[(i + 2) % 3], *before2 = row[(i + 1) % 3];
    now[0] = (int)i * EDIT;
    for (size_t j = 1; j <= n_b; j++) {
      now[j] = smaller(before[j], now[j - 1]) + EDIT;
      now[j] = smaller(now[j], before[j - 1] + differ(a[i - 1], b[j - 1]));
      int swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = smaller(now[j], before2[j - 2] + EDIT);
    }
  }
  return row[n_a % 3][n_b];
}

const char *xs_suggest_nearest(const char *word, int n, const char *const *candidates) {
  const char *nearest = NULL;
  int least = FAR;
  for (int i = 0; i < n; i++) {
    if (!candidates[i]) continue;
    int d = distance(word, candidates[i]);
    if (d < least) nearest = candidates[i], least = d;
  }

  /* Near means that most of the word is right. */
  int length = nearest ? (int)strlen(word) : 0;
  int edits = least / EDIT, allowed = length / 3 > 1 ? length / 3 : 1;
  return nearest && edits <= allowed && edits < length ? nearest : NULL;
}

/* Appends text if it fits, with room kept for reserve more bytes; 0 if it does not. */
static int append(char *buffer, size_t size, size_t reserve, const char *text) {
  size_t used = strlen(buffer), length = strlen(text);
  if (used + length + reserve + 1 > size) return 0;
  memcpy(buffer + used, text, length + 1);
  return 1;
}

/* Appends "a, b, c"; from the first name that does not fit on "...". */
static void append_list(char *buffer, size_t size, int n, const char *const *candidates) {
  const size_t reserve = strlen(", ...)");
  int n_written = 0;
  for (int i = 0; i < n; i++) {
    if (!candidates[i]) continue;
    size_t used = strlen(buffer);
    int fits = !n_written || append(buffer, size, reserve, ", ");
    if (fits && append(buffer, size, reserve, candidates[i])) {
      n_written++;
      continue;
    }
    buffer[used] = '\0';
    append(buffer, size, 1, n_written ? ", ..." : "...");
    return;
  }
}

const char *xs_suggest_hint(const char *word, int n, const char *const *candidates, char *buffer,
                            size_t size) {
  const char *nearest = xs_suggest_nearest(word, n, candidates);
  if (n == 0) {
    snprintf(buffer, size, "there are none");
  } else if (nearest) {
    snprintf(buffer, size, "did you mean \"%s\"? (", nearest);
    append_list(buffer, size, n, candidates);
    append(buffer, size, 0, ")");
  } else {
    snprintf(buffer, size, "allowed: ");
    append_list(buffer, size, n, candidates);
  }
  return buffer;
}
