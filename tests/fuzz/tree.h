/* What fuzz targets share: checks that hold in every build, and trees of JSON that are written and
 * read again. */
#ifndef XS_TESTS_FUZZ_TREE_H
#define XS_TESTS_FUZZ_TREE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"
#include "io/json_write.h"

/* The functions that libFuzzer calls, or that it gives to a mutator. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed);

/* A finding is whatever ends the process. */
#define FUZZ_CHECK(condition)                                                        \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                       \
    }                                                                                \
  } while (0)

/* A report that names nothing is no error message; a status must be one of its errors. */
static inline void fuzz_check_report(const xs_report *report, xs_status status) {
  FUZZ_CHECK((status == XS_OK) == (report->n_errors == 0));
  if (status != XS_OK) FUZZ_CHECK(report->kept[0].text[0] != '\0');
}

static inline int fuzz_tree_same(const xs_json *a, const xs_json *b) {
  if (a->type != b->type || a->count != b->count || (a->key == NULL) != (b->key == NULL)) return 0;
  if (a->key != NULL && strcmp(a->key, b->key) != 0) return 0;
  if (a->type == XS_JSON_STRING && strcmp(a->string, b->string) != 0) return 0;
  if ((a->type == XS_JSON_NUMBER || a->type == XS_JSON_BOOL) && a->number != b->number) return 0;
  const xs_json *x = a->first, *y = b->first;
  for (; x != NULL && y != NULL; x = x->next, y = y->next)
    if (!fuzz_tree_same(x, y)) return 0;
  return x == NULL && y == NULL;
}

/* Writes the tree on one line and reads that: it must be the same tree. */
static inline void fuzz_tree_check(const xs_json *root) {
  static xs_report report;
  xs_arena arena = {0};
  char *text = NULL;
  size_t length = 0;
  xs_json *again = NULL;
  report = (xs_report){0};
  FILE *stream = open_memstream(&text, &length);
  if (stream == NULL) return;
  xs_json_write_line(stream, root);
  FUZZ_CHECK(fclose(stream) == 0);
  const xs_status status = xs_json_parse(text, length, "again", &arena, &again, &report);
  FUZZ_CHECK(status == XS_OK && fuzz_tree_same(root, again));
  free(text);
  xs_arena_free(&arena);
}

#endif
