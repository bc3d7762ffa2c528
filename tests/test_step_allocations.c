/* The step loop allocates nothing: stepping, observing and recording, counted call by call.
 *
 * This program's own malloc, free and their like stand before the C library's and count, while
 * a flag is set, by whom they are called: by xsim's code, which is linked into this program, or
 * by a library. HDF5 allocates when the record buffer is written out; everything else never
 * does. Left out: what libraries take from the kernel by themselves (mmap).
 *
 * Memory checkers put their own functions in that place; where the counters do not see an
 * allocation made on purpose, the test is skipped. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/setup.h"
#include "io/result_private.h"

#if defined(__SANITIZE_ADDRESS__) /* gcc */
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature) /* clang */
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

/* ---- Counting ---------------------------------------------------------------------- */

static _Thread_local int counting; /* other threads are not the step loop's */
static long by_xsim, by_libraries;

#ifndef HAS_ADDRESS_SANITIZER
/* The bounds of this program's code, by the linker. */
extern const char __executable_start, etext;

static void count_call(const void *caller) {
  const char *from = caller;
  if (!counting) return;
  if (from >= &__executable_start && from < &etext)
    by_xsim++;
  else
    by_libraries++;
}
#define COUNT_CALL() count_call(__builtin_return_address(0))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size) {
  COUNT_CALL();
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  COUNT_CALL();
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  COUNT_CALL();
  return __libc_realloc(old, size);
}
void *memalign(size_t alignment, size_t size) {
  COUNT_CALL();
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  COUNT_CALL();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  COUNT_CALL();
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}
void free(void *memory) {
  COUNT_CALL();
  __libc_free(memory);
}
#endif

static void start_counting(void) {
  by_xsim = by_libraries = 0;
  counting = 1;
}

/* Calls since start_counting that xsim's code, and that anyone made. */
typedef struct calls {
  long xsim, all;
} calls;
static calls stop_counting(void) {
  counting = 0;
  return (calls){by_xsim, by_xsim + by_libraries};
}

/* 1 if the counters see this program's allocations, and a library's (strdup). */
static int counters_work(void) {
  start_counting();
  void *volatile memory = malloc(1);
  free(memory);
  calls own = stop_counting();

  start_counting();
  char *volatile text = strdup("a");
  counting = 0;
  free(text);
  return own.xsim == 2 && by_libraries == 1;
}

/* ---- The run ----------------------------------------------------------------------- */

typedef struct run {
  xs_arena arena;
  xs_report report;
  xs_setup setup;
  xs_run_info info;
  char folder[32], path[64];
  xs_result *result;
} run;

/* Long enough for every test. */
static const char *set[] = {"time.duration=1000"};

static void open_run(const char *scene, run *r) {
  const xs_options options = {.command = XS_COMMAND_RUN, .scene = scene, .n_set = 1, .set = set};
  cr_assert_eq(xs_setup_create(&options, &r->arena, &r->setup, &r->report), XS_OK, "%s",
               r->report.kept[0].text);
  strcpy(r->folder, "/tmp/xsim-test-XXXXXX");
  cr_assert_not_null(mkdtemp(r->folder));
  snprintf(r->path, sizeof r->path, "%s/run.h5", r->folder);

  r->info = (xs_run_info){"test", "test", "test", "test", "test"};
  const xs_setup *s = &r->setup;
  const xs_result_subject subject = {s->world,       &s->source,   &r->info,  s->state,
                                     s->observation, s->n_persist, s->persist};
  cr_assert_eq(xs_result_create(r->path, 0, &subject, &r->result, &r->report), XS_OK, "%s",
               r->report.kept[0].text);
}

static void close_run(run *r) {
  cr_assert_eq(xs_result_finish(r->result, "complete", 0, &r->report), XS_OK);
  xs_arena_free(&r->arena);
  cr_assert_eq(unlink(r->path), 0);
  cr_assert_eq(rmdir(r->folder), 0);
}

/* ---- Tests ------------------------------------------------------------------------- */

static void run_steps(const char *scene) {
  static run r;
  if (!counters_work())
    cr_skip_test("allocations are not counted: a memory checker has replaced malloc");
  open_run(scene, &r);
  const xs_setup *s = &r.setup;

  /* At least 2000 steps, and on until the buffer has been full and written twice. */
  int writes = 0;
  for (int64_t k = 1; k <= 2000 || writes < 2; k++) {
    start_counting();
    xs_status stepped = s->method->step(s->method_self, s->state, NULL, &r.report);
    calls step = stop_counting();
    cr_assert_eq(stepped, XS_OK);
    cr_assert_eq(step.all, 0, "step %lld: %ld calls of malloc and its like", (long long)k,
                 step.all);

    start_counting();
    xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
    calls observe = stop_counting();
    cr_assert_eq(observe.all, 0, "observation %lld: %ld calls", (long long)k, observe.all);

    const int rows = r.result->contacts.buffered; /* of contacts, written when full */
    start_counting();
    xs_status recorded = xs_result_record(r.result, 0, &r.report);
    calls record = stop_counting();
    const int wrote = r.result->buffered == 0;
    writes += wrote;
    cr_assert_eq(recorded, XS_OK);
    cr_assert_eq(record.xsim, 0, "record %lld: %ld calls by xsim", (long long)k, record.xsim);
    const int wrote_rows = r.result->contacts.buffered < rows;
    cr_assert(record.all == 0 || wrote || wrote_rows,
              "record %lld: %ld calls though nothing was written", (long long)k, record.all);
  }
  close_run(&r);
}

Test(step_allocations, nothing_in_the_loop_but_hdf5_when_it_writes) {
  run_steps("scenes/paper/triple_pendulum.json");
}

Test(step_allocations, nothing_with_rattle) { run_steps("scenes/time/four_bar.json"); }

/* Rods: banded systems by LAPACK and by blocks, damping, and the corrected update. */
Test(step_allocations, nothing_with_rods) { run_steps("scenes/demo/cantilever_swing.json"); }
Test(step_allocations, nothing_with_rods_in_the_band) {
  run_steps("scenes/replay/r05_roll_up.json");
}

/* Contacts, whose buffers are large enough from the start. */
Test(step_allocations, nothing_with_contacts) { run_steps("scenes/replay/r14c_drop.json"); }

/* The counters themselves: HDF5's allocations at a flush are seen, so silence means none. */
Test(step_allocations, writing_is_seen) {
  static run r;
  if (!counters_work())
    cr_skip_test("allocations are not counted: a memory checker has replaced malloc");
  open_run("scenes/paper/triple_pendulum.json", &r);
  /* The first record is written at once, the second waits in the buffer. */
  for (int i = 0; i < 2; i++) cr_assert_eq(xs_result_record(r.result, 0, &r.report), XS_OK);
  start_counting();
  xs_status flushed = xs_result_flush(r.result, &r.report);
  calls flush = stop_counting();
  cr_assert_eq(flushed, XS_OK);
  cr_assert_gt(flush.all, 0);
  cr_assert_eq(flush.xsim, 0, "a flush made xsim allocate %ld times", flush.xsim);
  close_run(&r);
}
