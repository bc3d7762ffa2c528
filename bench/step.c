/* Time of a substep, of an observation and of a record.
 *
 *   step [SCENE]                        measures; appends to bench/results/step.csv
 *   step --count LOOP SOLVE N [SCENE]   runs one loop over N steps and ends, for callgrind
 *
 * Three loops, each the one before and one call more: "plain" steps, "observed" also evaluates
 * residuals, reactions and energies, "recorded" also records into a result on disk, including
 * all writing up to a last flush. An observation costs observed - plain, a record recorded -
 * observed. Measured for both variants of the methods and for all solves and forms.
 *
 * A loop goes over the scene's whole duration in slices of equal numbers of steps, many times
 * from the same start. Its minimum is the sum of the slices' minima over these repetitions,
 * its median the sum of their medians: every slice does the same work each time, and what
 * disturbs a few of them does not add up. Besides the wall time the processor time is given:
 * on a machine that does other things, too, only that has a median worth reading for the
 * slices that write to the disk. Left out: start-up (startup.py), checkpoints. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/about.h"
#include "app/clock.h"
#include "app/setup.h"
#include "table.h"

static const char *const table_path = "bench/results/step.csv";

enum { REPETITIONS = 25, SLICES_MAX = 64, SLICE_STEPS = 500 };

typedef enum loop_kind { PLAIN, OBSERVED, RECORDED, N_LOOPS } loop_kind;
static const char *const loop_names[N_LOOPS] = {"plain", "observed", "recorded"};

typedef enum clock_kind { WALL, CPU, N_CLOCKS } clock_kind;
typedef struct instant {
  double on[N_CLOCKS]; /* s */
} instant;

/* Scenes measured without an argument, and targets, us: a substep with solve block, by
 * scene; a record of the triple pendulum beyond its observation. */
static const struct {
  const char *scene;
  double block, record;
} targets[] = {{"scenes/paper/triple_pendulum.json", 1.0, 0.6}, {"scenes/paper/rps3.json", 2.7, 0}};
enum { N_TARGETS = sizeof targets / sizeof *targets };

/* What is measured of each, with the overrides that ask for it. */
static const struct {
  const char *name, *set[2];
} solves[] = {{"block", {"solver.solve=block", NULL}},
              {"individual", {"solver.solve=individual", NULL}},
              {"scalar", {"solver.solve=individual", "solver.constraints=scalar"}},
              {"global", {"solver.solve=global", NULL}},
              {"rattle1", {"solver={\"integrator\":\"rattle\",\"iterations\":1}", NULL}},
              {"rattle", {"solver={\"integrator\":\"rattle\"}", NULL}},
              {"genalpha", {"solver={\"integrator\": \"genalpha\"}", NULL}}};
enum { N_SOLVES = sizeof solves / sizeof *solves };

typedef struct bench {
  const char *scene, *solve;
  xs_run_info info;
  char folder[64], path[96]; /* of the result */
  xs_report report;
  xs_arena arena;
  xs_setup setup;
  double *start; /* the persist arrays at t = 0, one after another */
  xs_result *result;
} bench;

static instant read_clocks(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (instant){{[WALL] = xs_clock_now(), [CPU] = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec}};
}

/* ---- Setting up -------------------------------------------------------------------- */

/* Copies the persist arrays to (save) or from the values of the start. */
static void copy_start(bench *b, int save) {
  double *start = b->start;
  for (int a = 0; a < b->setup.n_persist; a++) {
    const xs_persist *array = &b->setup.persist[a];
    for (int i = 0; i < array->items; i++) {
      double *item = array->data + i * array->stride;
      size_t bytes = (size_t)array->components * sizeof(double);
      memcpy(save ? start : item, save ? item : start, bytes);
      start += array->components;
    }
  }
}

/* Back to t = 0. */
static void restart(bench *b) {
  copy_start(b, 0);
  b->setup.state->step = 0;
  xs_state_loaded(b->setup.state);
}

static xs_status set_up(bench *b) {
  int s = 0;
  while (s < N_SOLVES && strcmp(b->solve, solves[s].name) != 0) s++;
  if (s == N_SOLVES)
    return xs_report_error(&b->report, XS_USAGE, NULL, "no solve is called \"%s\"", b->solve);
  const char *set[2] = {solves[s].set[0], solves[s].set[1]};
  const xs_options options = {
      .command = XS_COMMAND_RUN, .scene = b->scene, .n_set = set[1] ? 2 : 1, .set = set};
  xs_status status = xs_setup_create(&options, &b->arena, &b->setup, &b->report);
  if (status != XS_OK) return status;

  int n = 0;
  for (int a = 0; a < b->setup.n_persist; a++)
    n += b->setup.persist[a].items * b->setup.persist[a].components;
  b->start = XS_ARENA_NEW(&b->arena, double, n);
  if (!b->start) return xs_report_error(&b->report, XS_INTERNAL, NULL, "out of memory");
  copy_start(b, 1);
  return XS_OK;
}

/* ---- The loops --------------------------------------------------------------------- */

/* A fresh result with the record of t = 0, as a run makes it. */
static xs_status open_result(bench *b) {
  const xs_setup *s = &b->setup;
  const xs_result_subject subject = {.world = s->world,
                                     .source = &s->source,
                                     .run = &b->info,
                                     .state = s->state,
                                     .observation = s->observation,
                                     .n_persist = s->n_persist,
                                     .persist = s->persist};
  xs_status status = xs_result_create(b->path, 1, &subject, &b->result, &b->report);
  if (status != XS_OK) return status;
  xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
  return xs_result_record(b->result, 0, &b->report);
}

static xs_status run_slice(bench *b, loop_kind kind, int64_t steps) {
  const xs_setup *s = &b->setup;
  for (int64_t i = 0; i < steps; i++) {
    xs_status status = s->method->step(s->method_self, s->state, NULL, &b->report);
    if (kind >= OBSERVED) xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
    if (kind == RECORDED && status == XS_OK) status = xs_result_record(b->result, 0, &b->report);
    if (status != XS_OK) return status;
  }
  return XS_OK;
}

/* One loop over n_slices slices of `steps` steps from t = 0; how long each slice took. */
static xs_status run_loop(bench *b, loop_kind kind, int n_slices, int64_t steps, instant *times) {
  restart(b);
  xs_status status = kind == RECORDED ? open_result(b) : XS_OK;
  for (int i = 0; i < n_slices && status == XS_OK; i++) {
    const instant before = read_clocks();
    status = run_slice(b, kind, steps);
    /* What is still in the buffer belongs to the cost of recording. */
    if (kind == RECORDED && status == XS_OK && i == n_slices - 1)
      status = xs_result_flush(b->result, &b->report);
    const instant after = read_clocks();
    for (int c = 0; c < N_CLOCKS; c++) times[i].on[c] = after.on[c] - before.on[c];
  }
  if (kind != RECORDED) return status;
  if (status == XS_OK) return xs_result_finish(b->result, "complete", 0, &b->report);
  if (b->result) xs_result_abandon(b->result);
  return status;
}

/* ---- Figures ----------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* us a step, of a loop's repetitions: seconds[slice][repetition] are sorted. */
static figure reduce(double seconds[][REPETITIONS], int n_slices, int64_t steps) {
  figure sum = {0, 0};
  for (int i = 0; i < n_slices; i++) {
    qsort(seconds[i], REPETITIONS, sizeof(double), compare);
    sum.min += seconds[i][0];
    sum.median += 0.5 * (seconds[i][(REPETITIONS - 1) / 2] + seconds[i][REPETITIONS / 2]);
  }
  const double us = 1e6 / ((double)n_slices * (double)steps);
  return (figure){us * sum.min, us * sum.median};
}

/* The three loops in turn, so that all see the same disturbances. */
static xs_status measure(bench *b, figure figures[N_CLOCKS][N_LOOPS]) {
  static double seconds[N_CLOCKS][N_LOOPS][SLICES_MAX][REPETITIONS];
  instant times[SLICES_MAX];
  const int64_t all = xs_world_steps(b->setup.world);
  const int64_t steps = all < SLICE_STEPS * SLICES_MAX ? SLICE_STEPS : all / SLICES_MAX;
  const int n_slices = (int)(all / steps);
  if (n_slices < 1)
    return xs_report_error(&b->report, XS_SCENE, &(xs_place){.file = b->scene},
                           "has %lld steps, a measurement needs %d at least", (long long)all,
                           SLICE_STEPS);

  for (int r = 0; r < REPETITIONS; r++)
    for (int kind = 0; kind < N_LOOPS; kind++) {
      xs_status status = run_loop(b, (loop_kind)kind, n_slices, steps, times);
      if (status != XS_OK) return status;
      for (int i = 0; i < n_slices; i++)
        for (int c = 0; c < N_CLOCKS; c++) seconds[c][kind][i][r] = times[i].on[c];
    }
  for (int c = 0; c < N_CLOCKS; c++)
    for (int kind = 0; kind < N_LOOPS; kind++)
      figures[c][kind] = reduce(seconds[c][kind], n_slices, steps);
  return XS_OK;
}

/* ---- The table's rows -------------------------------------------------------------- */

static figure minus(figure a, figure b) { return (figure){a.min - b.min, a.median - b.median}; }

static figure divide(figure a, int n) { return (figure){a.min / n, a.median / n}; }

/* The rows of one clock; target = 0 for those without. */
static void write_figures(const bench *b, clock_kind clock, const figure loops[N_LOOPS],
                          FILE *table) {
  const int substeps = b->setup.world->time.substeps;
  double block_target = 0, record_target = 0;
  for (int i = 0; i < N_TARGETS; i++)
    if (strcmp(b->scene, targets[i].scene) == 0) {
      block_target = targets[i].block;
      record_target = targets[i].record;
    }
  const struct {
    const char *what;
    figure value;
    double target;
  } rows[] = {{"substep", divide(loops[PLAIN], substeps),
               strcmp(b->solve, "block") == 0 ? block_target : 0},
              {"observe", minus(loops[OBSERVED], loops[PLAIN]), 0},
              {"record", minus(loops[RECORDED], loops[OBSERVED]), record_target},
              {"recorded step", loops[RECORDED], 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char name[128];
    snprintf(name, sizeof name, "%s %s %s%s", b->setup.world->name, b->solve, rows[i].what,
             clock == CPU ? " (processor time)" : "");
    bench_table_row(table, name, rows[i].value, rows[i].target);
  }
}

/* ---- What is asked for ------------------------------------------------------------- */

static xs_status measure_all(bench *b, FILE *table) {
  static const char *const variants[] = {"baseline", "avx2"};
  bench_table_heading("us");
  for (int v = 0; v < 2; v++) {
    if (setenv("XSIM_ISA", variants[v], 1) != 0)
      return xs_report_error(&b->report, XS_INTERNAL, NULL, "setenv: %s", strerror(errno));
    if (strcmp(xs_method_variant(), variants[v]) != 0) {
      printf("no %s on this processor\n", variants[v]);
      continue;
    }
    double substep[N_SOLVES];
    for (int s = 0; s < N_SOLVES; s++) {
      figure figures[N_CLOCKS][N_LOOPS];
      b->solve = solves[s].name;
      xs_status status = set_up(b);
      if (status == XS_OK) status = measure(b, figures);
      for (int c = 0; c < N_CLOCKS && status == XS_OK; c++)
        write_figures(b, (clock_kind)c, figures[c], table);
      xs_arena_free(&b->arena);
      if (status != XS_OK) return status;
      substep[s] = figures[CPU][PLAIN].min;
    }
    printf(
        "of %s, %s: block %.2f of individual, scalar %.2f of block, global %.2f of block, rattle "
        "of global %.2f with one iteration, %.2f to its tolerance\n",
        b->scene, variants[v], substep[0] / substep[1], substep[2] / substep[0],
        substep[3] / substep[0], substep[4] / substep[3], substep[5] / substep[3]);
  }
  return XS_OK;
}

static xs_status measure_into_table(bench *b) {
  FILE *table = bench_table_open(table_path, &b->report);
  if (table == NULL) return XS_IO;
  xs_status status = XS_OK;
  if (b->scene != NULL) status = measure_all(b, table);
  for (int i = 0; b->scene == NULL && i < N_TARGETS && status == XS_OK; i++) {
    b->scene = targets[i].scene;
    status = measure_all(b, table);
    b->scene = NULL;
  }
  const int written = !ferror(table);
  if ((fclose(table) != 0 || !written) && status == XS_OK)
    return xs_report_error(&b->report, XS_IO, &(xs_place){.file = table_path}, "cannot be written");
  return status;
}

/* --count: LOOP SOLVE N. The variant is that of XSIM_ISA. */
static xs_status count(bench *b, char **argv) {
  instant time;
  char *end;
  const long long steps = strtoll(argv[2], &end, 10);
  int kind = 0;
  while (kind < N_LOOPS && strcmp(argv[0], loop_names[kind]) != 0) kind++;
  if (kind == N_LOOPS || *end != 0 || steps < 1)
    return xs_report_error(&b->report, XS_USAGE, NULL,
                           "--count %s ... %s: asked for plain, observed or recorded, and for a "
                           "number of steps",
                           argv[0], argv[2]);
  b->solve = argv[1];
  xs_status status = set_up(b);
  return status == XS_OK ? run_loop(b, (loop_kind)kind, 1, steps, &time) : status;
}

/* A folder of its own for the results, in TMPDIR. */
static xs_status make_folder(bench *b) {
  const char *parent = getenv("TMPDIR");
  const int length = snprintf(b->folder, sizeof b->folder, "%s/xsim-bench-XXXXXX",
                              parent && *parent ? parent : "/tmp");
  if (length >= (int)sizeof b->folder || mkdtemp(b->folder) == NULL)
    return xs_report_error(&b->report, XS_IO, &(xs_place){.file = b->folder},
                           "no folder can be made for results; set TMPDIR to a short path");
  snprintf(b->path, sizeof b->path, "%s/step.h5", b->folder);
  return XS_OK;
}

int main(int argc, char **argv) {
  static bench b;
  xs_arena texts = {0};
  const int counts = argc >= 5 && strcmp(argv[1], "--count") == 0;
  const int scene = counts ? 5 : 1;
  b.scene = argc > scene ? argv[scene] : counts ? targets[0].scene : NULL;

  if (!counts && (argc > 2 || (b.scene != NULL && b.scene[0] == '-'))) {
    fprintf(stderr, "usage: step [SCENE]  or  step --count LOOP SOLVE N [SCENE]\n");
    return XS_USAGE;
  }

  xs_status status = xs_about_fill(argc, argv, &texts, &b.info, &b.report);
  if (status == XS_OK) status = make_folder(&b);
  if (status == XS_OK) {
    status = counts ? count(&b, argv + 2) : measure_into_table(&b);
    (void)unlink(b.path);
    (void)rmdir(b.folder);
  }
  xs_report_print(&b.report, stderr, XS_REPORT_AS_TEXT, 0);
  xs_arena_free(&b.arena);
  xs_arena_free(&texts);
  return (int)status;
}
