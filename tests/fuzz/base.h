/* The scene that a target changes: one that is refused would hide what comes after reading. */
#ifndef XS_TESTS_FUZZ_BASE_H
#define XS_TESTS_FUZZ_BASE_H

#include "io/scene.h"
#include "tree.h"

/* Ends the target if the text is no scene. */
static inline void base_check(const char *text, size_t length) {
  static xs_report report;
  xs_arena arena = {0};
  xs_world *world = NULL;
  xs_scene_source source;
  FUZZ_CHECK(xs_scene_load_text(text, length, "base", "", 0, NULL, &arena, &world, &source,
                                &report) == XS_OK);
  xs_arena_free(&arena);
}

#endif
