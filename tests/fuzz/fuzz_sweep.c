/* Fuzz target: sweep files (app/sweep.h), mutated by their table.
 *
 * What has to hold: a sweep is read, or refused with a message; the first, the last and some cases
 * between have overrides that are well-formed, and with them the scene is loaded or refused. */
#include <math.h>

#include "app/sweep_cases.h"
#include "base.h"
#include "file.h"
#include "io/scene.h"
#include "mutate.h"
#include "tree.h"

static const char scene[] =
    "{\"format\": 1, \"name\": \"base\", \"time\": {\"step\": 0.01, \"duration\": 1},"
    " \"materials\": {\"rubber\": {\"density\": 1000, \"youngs_modulus\": 5e6,"
    "  \"poisson_ratio\": 0.5}},"
    " \"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1]}],"
    " \"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body1\": \"ground\","
    "  \"body2\": \"a\", \"at\": {\"position\": [0.5, 0, 0], \"axis\": [0, 1, 0]}}],"
    " \"rods\": [{\"name\": \"beam\", \"discretization\": \"cubic\", \"elements\": 2,"
    "  \"material\": \"rubber\", \"shape\": {\"type\": \"straight\", \"length\": 1},"
    "  \"section\": {\"radius\": 0.02}, \"ends\": {\"start\": \"clamped\"}}]}";

enum { CASES = 4 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  base_check(scene, sizeof scene - 1);
  return 0;
}

static void check_case(const xs_sweep *sweep, int index) {
  static xs_report report;
  xs_arena arena = {0};
  int n_set = 0;
  xs_world *world = NULL;
  xs_scene_source source;
  char text[256];
  (void)xs_sweep_cases_text(sweep, index, text, sizeof text);
  FUZZ_CHECK(memchr(text, '\0', sizeof text) != NULL);

  const char **set = xs_sweep_cases_set(sweep, index, 0, NULL, &n_set, &arena);
  FUZZ_CHECK(set != NULL && n_set == sweep->n_parameters);
  report = (xs_report){0};
  for (int i = 0; i < n_set; i++)
    if (strlen(set[i]) > 2000) n_set = 0;
  const xs_status status = xs_scene_load_text(sweep->scene_text, sweep->scene_length, "base", "",
                                              n_set, set, &arena, &world, &source, &report);
  FUZZ_CHECK((status == XS_OK) == (world != NULL) && status != XS_INTERNAL);
  fuzz_check_report(&report, status);
  xs_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static xs_report report;
  xs_arena arena = {0};
  xs_sweep sweep;
  report = (xs_report){0};
  fuzz_file_forget();
  fuzz_file_offer("s/fuzz.sweep.json", data, size);
  fuzz_file_offer("s/base.json", scene, sizeof scene - 1);
  const xs_status status = xs_sweep_read("s/fuzz.sweep.json", &arena, &sweep, &report);
  FUZZ_CHECK(status == XS_OK || status == XS_SCENE);
  fuzz_check_report(&report, status);
  if (status == XS_OK) {
    FUZZ_CHECK(sweep.n_cases > 0 && sweep.n_cases <= XS_SWEEP_CASES_MAX);
    for (int i = 0; i < CASES && i < sweep.n_cases; i++)
      check_case(&sweep, (int)((long long)(sweep.n_cases - 1) * i / (CASES - 1)));
  }
  xs_arena_free(&arena);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  const size_t made =
      seed % 8 != 0 ? fuzz_mutate(&xs_sweep_object, data, size, data, max_size, seed) : 0;
  return made > 0 ? made : LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_size, unsigned seed) {
  return fuzz_mutate_cross(data1, size1, data2, size2, out, max_size, seed);
}
