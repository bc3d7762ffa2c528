/* A library for LD_PRELOAD that fails one allocation, or one call of HDF5, of a run of xsim, or
 * kills it in place of a write.
 *
 *   XSIM_FAULT_ALLOCATION=n   the n-th call of malloc and its like gives NULL (from 1)
 *   XSIM_FAULT_CALL=n         the n-th call of HDF5 by xsim is not made and gives -1, NULL or 0
 *   XSIM_FAULT_KILL=n         SIGKILL in place of the n-th pwrite or ftruncate
 *   XSIM_FAULT_SECOND=n       each n-th look at the coarse clock, by which results are flushed,
 *                             finds another second gone by
 *   XSIM_FAULT_INTERRUPT=n    with it: SIGINT at the n-th of these looks
 *   XSIM_FAULT_REPORT=FILE    at the end: "ALLOCATIONS CALLS LEAKED WRITES", LEAKED: blocks that
 *                             xsim's own code has allocated and not given back
 *
 * Allocations count from the first one that xsim's own code makes, and whoever makes them: xsim,
 * HDF5, the C library. Every function of HDF5 that xsim calls has a stub here; the list is made
 * from xsim's symbols (h5_calls.h, by the Makefile). A crash is told apart by where it happens:
 * exit status 99 if in HDF5, whose faults are not ours to mend, else 98, with the callers on
 * stderr.
 *
 * HDF5 1.10 damages the heap when an allocation inside of H5FL_blk_malloc fails: it collects its
 * garbage, tries again, and goes on with a list's node that was among the garbage (valgrind shows
 * the writes). That the C library finds the heap damaged afterwards, whoever calls it then, counts
 * as HDF5's, too. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static long allocations, calls, failing_allocation = -1, failing_call = -1;
static int armed;
static uintptr_t program_start, program_end; /* xsim's own code */

/* ---- What xsim's own code holds -------------------------------------------------------- */

enum { HELD_MAX = 1 << 20 };
static void *held[HELD_MAX]; /* open addressing; gaps are left by (void *)1 */
static long n_held;

static size_t slot_of(const void *memory) {
  return ((uintptr_t)memory >> 4) * 2654435761u % HELD_MAX;
}

static void hold(void *memory) {
  if (memory == NULL) return;
  size_t i = slot_of(memory);
  while ((uintptr_t)held[i] > 1) i = (i + 1) % HELD_MAX;
  held[i] = memory;
  n_held++;
}

static int let_go(const void *memory) {
  for (size_t i = slot_of(memory); held[i] != NULL; i = (i + 1) % HELD_MAX)
    if (held[i] == memory) {
      held[i] = (void *)1;
      n_held--;
      return 1;
    }
  return 0;
}

/* ---- Allocations ----------------------------------------------------------------------- */

static int is_own(const void *caller) {
  return (uintptr_t)caller >= program_start && (uintptr_t)caller < program_end;
}

/* The failing allocation was one in H5FL_blk_malloc. */
static int heap_is_damaged;

static int is_in_block_list(void) {
  void *frames[16];
  const int n = backtrace(frames, 16);
  for (int i = 0; i < n; i++) {
    Dl_info where;
    if (dladdr(frames[i], &where) != 0 && where.dli_sname != NULL &&
        strcmp(where.dli_sname, "H5FL_blk_malloc") == 0)
      return 1;
  }
  return 0;
}

/* 1 if this allocation is to fail. */
static int fails(const void *caller) {
  if (!armed && is_own(caller)) armed = 1;
  if (!armed || ++allocations != failing_allocation) return 0;
  heap_is_damaged = is_in_block_list();
  errno = ENOMEM;
  return 1;
}

static void *taken(void *memory, const void *caller) {
  if (is_own(caller)) hold(memory);
  return memory;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return fails(CALLER) ? NULL : taken(__libc_malloc(size), CALLER); }

void *calloc(size_t count, size_t size) {
  return fails(CALLER) ? NULL : taken(__libc_calloc(count, size), CALLER);
}

void *realloc(void *old, size_t size) {
  if (fails(CALLER)) return NULL;
  const int own = old != NULL && let_go(old);
  void *made = __libc_realloc(old, size);
  if (made == NULL && own) hold(old);
  if (made != NULL && (own || is_own(CALLER))) hold(made);
  return made;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return fails(CALLER) ? NULL : taken(__libc_memalign(alignment, size), CALLER);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (fails(CALLER)) return ENOMEM;
  *memory = taken(__libc_memalign(alignment, size), CALLER);
  return *memory != NULL ? 0 : ENOMEM;
}

void free(void *memory) {
  if (memory != NULL) let_go(memory);
  __libc_free(memory);
}

/* ---- Writes ---------------------------------------------------------------------------- */

static long writes, killing_write = -1;

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  if (++writes == killing_write) raise(SIGKILL);
  return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

int ftruncate(int fd, off_t length) {
  if (++writes == killing_write) raise(SIGKILL);
  return (int)syscall(SYS_ftruncate, fd, length);
}

/* ---- The clock -------------------------------------------------------------------------- */

static long looks, looks_a_second = -1, interrupting_look = -1;

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (clock != CLOCK_MONOTONIC_COARSE || looks_a_second <= 0)
    return (int)syscall(SYS_clock_gettime, clock, time);
  if (++looks == interrupting_look) raise(SIGINT);
  *time = (struct timespec){.tv_sec = 1000 + looks / looks_a_second};
  return 0;
}

/* ---- Calls of HDF5 ----------------------------------------------------------------------- */

enum {
#define CALL(name) INDEX_##name,
#include "h5_calls.h"
#undef CALL
  N_CALLS
};
static const char *const names[] = {
#define CALL(name) #name,
#include "h5_calls.h"
#undef CALL
};
__attribute__((visibility("hidden"))) void *fault_real[N_CALLS];

/* Those that fail with 0: NULL, or a size. */
static int fails_with_zero(const char *name) {
  return strcmp(name, "H5Pget_driver_info") == 0 || strcmp(name, "H5Tget_size") == 0 ||
         strcmp(name, "H5Dget_storage_size") == 0;
}

/* By the stubs, before the arguments' registers are lost: 1 if the call is to fail with -1, 2 if
 * with 0. */
__attribute__((visibility("hidden"), used)) int fault_call(long index, const void *caller) {
  if (!is_own(caller)) return 0; /* HDF5's high-level library calls it, too */
  if (++calls != failing_call) return 0;
  fprintf(stderr, "fault: %s\n", names[index]);
  return fails_with_zero(names[index]) ? 2 : 1;
}

/* Keeps the registers of arguments, asks fault_call, and gives what it says or goes on to the real
 * one. */
__asm__(
    ".text\n"
    "fault_ask:\n" /* index in r11, the caller of the stub at 8(%rsp) */
    "  push %rdi; push %rsi; push %rdx; push %rcx; push %r8; push %r9; push %rax; push %r11\n"
    "  sub $128, %rsp\n"
    "  movups %xmm0, (%rsp); movups %xmm1, 16(%rsp); movups %xmm2, 32(%rsp); movups %xmm3, "
    "48(%rsp)\n"
    "  movups %xmm4, 64(%rsp); movups %xmm5, 80(%rsp); movups %xmm6, 96(%rsp)\n"
    "  movups %xmm7, 112(%rsp)\n"
    "  mov %r11, %rdi\n"
    "  mov 200(%rsp), %rsi\n"
    "  call fault_call\n"
    "  mov %eax, %r10d\n"
    "  movups (%rsp), %xmm0; movups 16(%rsp), %xmm1; movups 32(%rsp), %xmm2; movups 48(%rsp), "
    "%xmm3\n"
    "  movups 64(%rsp), %xmm4; movups 80(%rsp), %xmm5; movups 96(%rsp), %xmm6\n"
    "  movups 112(%rsp), %xmm7\n"
    "  add $128, %rsp\n"
    "  pop %r11; pop %rax; pop %r9; pop %r8; pop %rcx; pop %rdx; pop %rsi; pop %rdi\n"
    "  test %r10d, %r10d\n"
    "  jnz 1f\n"
    "  lea fault_real(%rip), %r10\n"
    "  mov (%r10,%r11,8), %r10\n"
    "  add $8, %rsp\n" /* not back to the stub */
    "  jmp *%r10\n"
    "1: add $8, %rsp\n"
    "  mov $-1, %rax\n"
    "  cmp $2, %r10d\n"
    "  jne 2f\n"
    "  xor %eax, %eax\n"
    "2: ret\n");

__asm__(".set index, 0\n"
#define CALL(name)                                       \
  ".globl " #name "\n.type " #name ", @function\n" #name \
  ":\n  mov $index, %r11\n  call fault_ask\n"            \
  ".set index, index + 1\n"
#include "h5_calls.h"
#undef CALL
);

/* ---- Beginning and end ------------------------------------------------------------------- */

/* Allocates nothing: what has crashed may have damaged the heap. */
static void crashed(int number, siginfo_t *info, void *context) {
  (void)info, (void)context;
  void *frames[32];
  const int n = backtrace(frames, 32);
  int verdict = 98, within_libc = 0;
  /* The innermost frame that is neither this file's, nor the C library's. The first two are this
   * handler and what called it. */
  for (int i = 1; i < n; i++) {
    Dl_info where;
    if (dladdr(frames[i], &where) == 0 || where.dli_fname == NULL) continue;
    if (strstr(where.dli_fname, "libc.so") != NULL && i > 1) within_libc = 1;
    if (strstr(where.dli_fname, "fault.so") != NULL || strstr(where.dli_fname, "libc.so") != NULL)
      continue;
    if (strstr(where.dli_fname, "libhdf5") != NULL) verdict = 99;
    break;
  }
  if (heap_is_damaged && within_libc) verdict = 99;
  backtrace_symbols_fd(frames, n, STDERR_FILENO);
  char text[] = "fault: signal 00\n";
  text[sizeof "fault: signal"] += (char)(number / 10);
  text[sizeof "fault: signal" + 1] += (char)(number % 10);
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  (void)written;
  _exit(verdict);
}

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text != NULL ? atol(text) : -1;
}

/* The mapping of the program's code: the one that holds main's caller would be the C library's, so
 * by name. */
static void find_program(void) {
  char line[512], path[256];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  FILE *maps = fopen("/proc/self/maps", "r");
  if (n <= 0 || maps == NULL) abort();
  path[n] = '\0';
  while (fgets(line, sizeof line, maps) != NULL) {
    unsigned long from, to;
    char mode[5];
    if (strstr(line, path) == NULL || sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3) continue;
    if (mode[2] != 'x') continue;
    program_start = from;
    program_end = to;
  }
  fclose(maps);
}

__attribute__((constructor)) static void begin(void) {
  void *frames[4];
  failing_allocation = number_of("XSIM_FAULT_ALLOCATION");
  failing_call = number_of("XSIM_FAULT_CALL");
  killing_write = number_of("XSIM_FAULT_KILL");
  looks_a_second = number_of("XSIM_FAULT_SECOND");
  interrupting_look = number_of("XSIM_FAULT_INTERRUPT");
  find_program();
  (void)backtrace(frames, 4); /* loads what it needs now */
  for (int i = 0; i < N_CALLS; i++)
    if ((fault_real[i] = dlsym(RTLD_NEXT, names[i])) == NULL) abort();
  /* On a stack of its own: HDF5 that cannot set itself up runs out of the usual one. */
  static char room[1 << 16];
  const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = crashed};
  action.sa_flags = (int)(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK);
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGFPE, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}

__attribute__((destructor)) static void end(void) {
  const char *report = getenv("XSIM_FAULT_REPORT");
  if (report == NULL) return;
  armed = 0;
  failing_allocation = failing_call = -1;
  const int file = open(report, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  dprintf(file, "%ld %ld %ld %ld\n", allocations, calls, n_held, writes);
  close(file);
}
