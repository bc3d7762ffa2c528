/* Fuzz target: any bytes as a JSON text (io/json.h).
 *
 * What has to hold: the reader gives a tree or an error with a place inside the text, and never
 * both; a tree that is written and read again is the same tree. */
#include <stdlib.h>

#include "tree.h"

/* Line and column of the end of the text, as the reader counts them. */
static void check_place(const xs_message *message, const uint8_t *text, size_t size) {
  int lines = 1;
  for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
  FUZZ_CHECK(message->line >= 1 && message->line <= lines && message->column >= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static xs_report report;
  xs_arena arena = {0};
  xs_json *root = NULL;
  report = (xs_report){0};

  /* A copy of exactly this size, so that reading past it is seen. */
  char *text = malloc(size > 0 ? size : 1);
  if (text == NULL) return 0;
  if (size > 0) memcpy(text, data, size);
  const xs_status status = xs_json_parse(text, size, "fuzz", &arena, &root, &report);
  free(text);

  FUZZ_CHECK(status == xs_report_status(&report) && (status == XS_OK) == (root != NULL));
  FUZZ_CHECK(status == XS_OK || status == XS_SCENE);
  if (status == XS_OK)
    fuzz_tree_check(root);
  else
    check_place(&report.kept[0], data, size);
  xs_arena_free(&arena);
  return 0;
}
