/* Which fields a result has: those that every run records, and those that the scene asks for or
 * the solver's form of the rows gives. */
#include "io/result_fields.h"

#include "io/metric.h"
#include "scene_helpers.h"

/* Whether the world's result has the field. */
static int has(const xs_world *world, const char *path) {
  for (int i = 0; i < XS_RESULT_N_FIELDS; i++)
    if (strcmp(xs_result_fields[i].path, path) == 0)
      return xs_result_fields_recorded(world, &xs_result_fields[i]);
  cr_assert_fail("no field %s", path);
  return 0;
}

/* Metrics know just the fields that are there. */
static int has_metric(const xs_world *world, const char *metric) {
  xs_report report = {0};
  return xs_metric_validate(world, metric, 0, NULL, &report) == XS_OK;
}

static const xs_world *load_with(loaded *l, const char *more) {
  char members[512];
  snprintf(members, sizeof members,
           "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
           "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body2\": \"a\"}]%s",
           more);
  return load_parts(l, members);
}

Test(result_fields, plain_runs_have_no_extra_residuals) {
  static loaded l;
  const xs_world *w = load_with(&l, "");
  cr_expect(has(w, "residual/primal") && has(w, "residual/joint") && has(w, "joints/coordinate"));
  cr_expect_not(has(w, "residual/primal_applied"));
  cr_expect_not(has(w, "residual/primal_max") || has(w, "residual/constraint_max"));
  cr_expect_not(has_metric(w, "residual.primal_max.max"));
  xs_arena_free(&l.arena);
}

Test(result_fields, peaks_are_recorded_when_asked_for) {
  static loaded l;
  const xs_world *w = load_with(&l, ", \"output\": {\"fields\": [\"residual_peak\"]}");
  cr_expect(has(w, "residual/primal_max") && has(w, "residual/constraint_max"));
  cr_expect_not(has(w, "residual/primal_applied") || has(w, "joints/coordinate"));
  cr_expect(has_metric(w, "residual.primal_max.max"));
  cr_expect(has_metric(w, "residual.constraint_max.final"));
  xs_arena_free(&l.arena);
}

Test(result_fields, normed_rows_record_the_impulses_they_applied) {
  static const char *const forms[] = {"scalar", "scalar-mueller"};
  for (int i = 0; i < 2; i++) {
    loaded *l = calloc(1, sizeof *l);
    char solver[64];
    snprintf(solver, sizeof solver, ", \"solver\": {\"constraints\": \"%s\"}", forms[i]);
    const xs_world *w = load_with(l, solver);
    cr_expect(has(w, "residual/primal_applied"));
    cr_expect_not(has(w, "residual/primal_max"));
    cr_expect(has_metric(w, "residual.primal_applied.max"));
    xs_arena_free(&l->arena);
    free(l);
  }
}
