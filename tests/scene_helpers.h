/* Loading scenes from text in tests: the parts of a scene stand between fixed ones. */
#ifndef XS_TESTS_SCENE_HELPERS_H
#define XS_TESTS_SCENE_HELPERS_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "io/scene.h"
#include "math/so3.h"

/* A loaded scene with all that belongs to it. Zeroed before use. */
typedef struct loaded {
  xs_arena arena;
  xs_report report;
  xs_scene_source source;
  xs_world *world;
  xs_status status;
} loaded;

static inline void load_text(loaded *l, const char *text, int n_set, const char *const *set) {
  l->status = xs_scene_load_text(text, strlen(text), "test.json", "", n_set, set, &l->arena,
                                 &l->world, &l->source, &l->report);
}

/* A scene with a time step and these members; must be good. */
static inline xs_world *load_parts(loaded *l, const char *members) {
  char text[8192];
  const int n =
      snprintf(text, sizeof text, "{\"time\": {\"step\": 1e-3, \"duration\": 1}, %s}", members);
  cr_assert(n > 0 && n < (int)sizeof text);
  load_text(l, text, 0, NULL);
  if (l->status != XS_OK) xs_report_print(&l->report, stderr, XS_REPORT_AS_TEXT, 0);
  cr_assert_eq(l->status, XS_OK, "the scene was refused");
  return l->world;
}

static inline double vec3_distance(xs_vec3 a, xs_vec3 b) { return xs_vec3_norm(xs_vec3_sub(a, b)); }

/* Angle between two orientations, rad. */
static inline double quat_distance(xs_quat a, xs_quat b) {
  return xs_vec3_norm(xs_so3_minus(a, b));
}

#endif
