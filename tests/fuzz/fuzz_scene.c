/* Fuzz target: scenes, mutated by their table, are loaded, set up as a run does it, and run for up
 * to 20 steps.
 *
 * What has to hold: a scene is loaded, or refused with a message; a run goes on with finite
 * numbers, or ends as diverged with a message. Scenes that are merely large (many elements, steps
 * within a step) are passed over, so that executions stay short. */
#include <math.h>

#include "app/setup.h"
#include "file.h"
#include "mutate.h"
#include "tree.h"

enum { STEPS = 20, NODES_MAX = 120, WORK_MAX = 64, CONTACTS_NODES_MAX = 60 };

/* Numbers that multiply the work are small enough; 1 if so. */
static int is_small(const xs_json *value) {
  if (value->key != NULL && value->type == XS_JSON_NUMBER &&
      (strcmp(value->key, "elements") == 0 || strcmp(value->key, "turns") == 0) &&
      value->number > 40)
    return 0;
  for (const xs_json *child = value->first; child != NULL; child = child->next)
    if (!is_small(child)) return 0;
  return 1;
}

static int is_worth_running(const uint8_t *data, size_t size) {
  static xs_report report;
  xs_arena arena = {0};
  xs_json *root = NULL;
  report = (xs_report){0};
  const int worth =
      xs_json_parse((const char *)data, size, "fuzz", &arena, &root, &report) == XS_OK &&
      is_small(root);
  xs_arena_free(&arena);
  return worth;
}

static int is_finite3(xs_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

/* What an observation that was found fit to be recorded must be. */
static void check_state(const xs_setup *s) {
  for (int i = 0; i < s->world->n_nodes; i++) {
    const xs_quat q = s->state->x[i].q;
    FUZZ_CHECK(is_finite3(s->state->x[i].p) && is_finite3(s->state->v[i]) &&
               is_finite3(s->state->omega[i]));
    FUZZ_CHECK(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9);
  }
  FUZZ_CHECK(isfinite(s->observation->total));
}

static xs_status observe(const xs_setup *s, xs_report *report) {
  xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
  const xs_status status =
      xs_observe_check(s->world, s->state, s->observation, XS_DIVERGED, report);
  if (status == XS_OK) check_state(s);
  return status;
}

static void run(const xs_setup *s, xs_report *report) {
  const xs_world *world = s->world;
  if (world->n_nodes > NODES_MAX ||
      (int64_t)world->time.substeps * world->solver.iterations > WORK_MAX)
    return;
  if (world->contact.enabled && world->n_nodes > CONTACTS_NODES_MAX) return;
  *report = (xs_report){0};
  xs_status status = XS_OK;
  if (s->method->start != NULL) status = s->method->start(s->method_self, s->state, report);
  if (status == XS_OK) status = observe(s, report);
  for (int k = 0; k < STEPS && status == XS_OK; k++) {
    status = s->method->step(s->method_self, s->state, NULL, report);
    if (status == XS_OK) status = observe(s, report);
  }
  FUZZ_CHECK(status == XS_OK || status == XS_DIVERGED);
  fuzz_check_report(report, status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static xs_report report;
  xs_arena arena = {0};
  xs_setup setup;
  if (!is_worth_running(data, size)) return 0;
  report = (xs_report){0};
  fuzz_file_forget();
  fuzz_file_offer("scene.json", data, size);
  const xs_options options = {.command = XS_COMMAND_RUN, .scene = "scene.json", .until = NAN};
  const xs_status status = xs_setup_create(&options, &arena, &setup, &report);
  FUZZ_CHECK(status == XS_OK || status == XS_SCENE || status == XS_DIVERGED);
  fuzz_check_report(&report, status);
  if (status == XS_OK) run(&setup, &report);
  xs_arena_free(&arena);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  /* One in sixteen by bytes. */
  const size_t made =
      seed % 16 != 0 ? fuzz_mutate(&xs_scene_object, data, size, data, max_size, seed) : 0;
  return made > 0 ? made : LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed) {
  return fuzz_mutate_cross(data1, size1, data2, size2, out, max_size, seed);
}
