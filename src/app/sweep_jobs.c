/* Worker processes (sweep_jobs.h).
 *
 * SIGCHLD is blocked and waited for, so that a worker that ends, or says that it has computed its
 * case, is noticed at once; everything else (signals to stop, --max-wall, progress) is looked at
 * ten times a second. */
#include "app/sweep_jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/interrupt.h"
#include "app/status_line.h"
#include "app/sweep_cases.h"
#include "io/result_rehearse.h"

typedef struct worker {
  pid_t pid;  /* 0 = none */
  int index;  /* of its case; -1 = it waits for one */
  int orders; /* a pipe: indices of its cases */
} worker;

typedef struct jobs {
  const xs_sweep_run *run;
  xs_sweep_tally *tally;
  int n_workers, n_running; /* of the workers at most --jobs compute, the rest waits for the disk */
  worker *worker;           /* n_workers */
  xs_sweep_news *news;      /* of each, shared with it */
  int next;                 /* case to begin */
  int is_stopping;          /* no further case is begun, SIGTERM was passed on */
  int n_told;               /* failures printed */
  int n_computed;           /* cases that were run to their end by this call */
  double began;             /* wall time, s */
  sigset_t before;          /* signals that were blocked when the sweep began */
  xs_status_line line;
} jobs;

/* ---- What is told ---- */

/* Prints a message at once. */
static void print(jobs *j, const xs_report *message) {
  xs_status_line_wipe(&j->line);
  xs_report_print(message, stderr, j->run->options->error_format, j->run->options->quiet);
}

static void tell_failure(jobs *j, int index, xs_status status, const char *why, const char *log) {
  if (j->n_told++ >= XS_REPORT_SHOWN) return;
  xs_report *message = calloc(1, sizeof *message);
  if (message == NULL) return; /* the summary has the status */
  char values[256];
  const xs_place place = {.file = j->run->sweep->file};
  (void)xs_report_error(message, status, &place, "case %d (%s), exit status %d: %s (%s)", index,
                        xs_sweep_cases_text(j->run->sweep, index, values, sizeof values),
                        (int)status, why, log);
  print(j, message);
  free(message);
}

static void tell_the_rest(jobs *j) {
  if (j->n_told <= XS_REPORT_SHOWN) return;
  xs_report *message = calloc(1, sizeof *message);
  if (message == NULL) return;
  (void)xs_report_error(message, XS_DIVERGED, &(xs_place){.file = j->run->sweep->file},
                        "%d further cases ended with another exit status than 0; the summary "
                        "has them all",
                        j->n_told - XS_REPORT_SHOWN);
  print(j, message);
  free(message);
}

/* The part of the sweep that is done, running cases included. Estimates take it that all cases
 * need as long as those computed so far on average. */
static void draw(jobs *j, double now) {
  if (!xs_status_line_due(&j->line, now)) return;
  const int n = j->run->sweep->n_cases;
  const int ended = j->next - j->n_running, width = xs_status_line_width(&j->line);
  double running = 0;
  for (int w = 0; w < j->n_workers; w++)
    if (j->worker[w].pid != 0 && j->worker[w].index >= 0) running += j->news[w].fraction;
  const double computed = j->n_computed + running, left = n - ended - running;

  int failed = 0;
  for (int s = XS_INTERNAL; s <= XS_CHECK; s++) failed += j->tally->by_status[s];
  char line[XS_STATUS_LINE_BYTES] = "", text[XS_STATUS_LINE_BYTES] = "", part[64], eta[32];
  xs_status_line_duration(computed > 0 ? (now - j->began) * left / computed : 1e9, eta, sizeof eta);
  snprintf(part, sizeof part, "%d of %d cases", ended, n);
  xs_status_line_append(line, sizeof line, width, part);
  const int room = width - (int)strlen(line);
  const double fraction = (ended + running) / n;
  snprintf(part, sizeof part, " %3d %%  ETA %s", (int)(100 * fraction), eta);
  xs_status_line_append(text, sizeof text, room, part);
  snprintf(part, sizeof part, "  %d running", j->n_running);
  xs_status_line_append(text, sizeof text, room, part);
  if (failed > 0) {
    snprintf(part, sizeof part, "  %d failed", failed);
    xs_status_line_append(text, sizeof text, room, part);
  }
  xs_status_line_append_bar(line, sizeof line, width - (int)strlen(text), fraction);
  xs_status_line_append(line, sizeof line, width, text);
  xs_status_line_draw(&j->line, line);
}

/* ---- Workers ---- */

/* Brings what a case has said into its log, before the next one begins. */
static xs_status end_log(const jobs *j, xs_status status, xs_report *report) {
  if ((fflush(stdout) != 0 || ferror(stdout)) && status != XS_INTERNAL)
    status = xs_report_error(report, XS_IO, NULL, "the log cannot be written");
  if (status != XS_OK && status != XS_CHECK) return status; /* printed at the process's end */
  xs_report_print(report, stderr, j->run->options->error_format, j->run->options->quiet);
  *report = (xs_report){0};
  return status;
}

/* The worker's side: what the sweep has set up for itself goes, then case after case is run until
 * there are no more. One that fails ends the process, as it may leave anything behind. */
static xs_status work(jobs *j, int w, int orders, pid_t sweep, xs_report *report) {
  xs_sweep_news *news = &j->news[w];
  for (int other = 0; other < j->n_workers; other++)
    if (j->worker[other].pid != 0) (void)close(j->worker[other].orders);
  if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || xs_interrupt_restore() != 0 ||
      sigprocmask(SIG_SETMASK, &j->before, NULL) != 0)
    return xs_report_error(report, XS_INTERNAL, NULL, "a worker cannot be set up: %s",
                           strerror(errno));
  if (getppid() != sweep) return XS_STOPPED; /* it was gone before the kernel knew whom to tell */
  for (;;) {
    int index;
    xs_arena arena = {0};
    ssize_t n;
    while ((n = read(orders, &index, sizeof index)) < 0 && errno == EINTR) continue;
    if (n == 0) return XS_OK;
    if (n != sizeof index)
      return xs_report_error(report, XS_INTERNAL, NULL, "a worker's orders cannot be read: %s",
                             strerror(errno));
    xs_status status = xs_sweep_case_run(j->run, index, news, &arena, report);
    xs_arena_free(&arena);
    status = end_log(j, status, report);
    if (status != XS_OK && status != XS_CHECK) return status;
    news->status = status;
    news->is_ended = 1;
    (void)kill(sweep, SIGCHLD);
  }
}

/* A worker for the next case, one that waits for it or an unused place; -1: --jobs of them compute
 * already, or as many besides wait for the disk. */
static int free_worker(const jobs *j) {
  int computing = 0, unused = -1, waiting = -1;
  for (int w = 0; w < j->n_workers; w++) {
    if (j->worker[w].pid == 0)
      unused = w;
    else if (j->worker[w].index < 0)
      waiting = w;
    else
      computing += !j->news[w].is_computed;
  }
  if (computing >= j->run->options->jobs) return -1;
  return waiting >= 0 ? waiting : unused;
}

/* Begins a worker that waits for orders. In the worker it returns 1. */
static int begin_worker(jobs *j, int w, xs_report *report, xs_status *worker_status) {
  const pid_t sweep = getpid();
  int ends[2] = {-1, -1};
  (void)fflush(stdout);
  (void)fflush(stderr);
  const pid_t pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
  if (pid == 0) {
    (void)close(ends[1]);
    *worker_status = work(j, w, ends[0], sweep, report);
    return 1;
  }
  const int error = errno;
  if (ends[0] >= 0) (void)close(ends[0]);
  if (pid > 0) {
    j->worker[w] = (worker){.pid = pid, .index = -1, .orders = ends[1]};
    return 0;
  }
  if (ends[1] >= 0) (void)close(ends[1]);
  errno = error;
  return 0;
}

/* Begins the next case. In a worker it returns 1. */
static int begin(jobs *j, int w, xs_report *report, xs_status *worker_status) {
  const int index = j->next++;
  memset(&j->news[w], 0, sizeof j->news[w]);
  j->news[w].sweep = getpid();
  if (j->worker[w].pid == 0 && begin_worker(j, w, report, worker_status)) return 1;
  if (j->worker[w].pid == 0) {
    j->tally->by_status[XS_INTERNAL]++;
    tell_failure(j, index, XS_INTERNAL, strerror(errno), "no process for it");
    return 0;
  }
  /* One that died just now is noticed when it is waited for, with its case. */
  j->worker[w].index = index;
  j->n_running++;
  (void)!write(j->worker[w].orders, &index, sizeof index);
  return 0;
}

/* A worker that was killed had no time to write the case's row. */
static void note_crash(jobs *j, int index, int signal_number) {
  char why[128];
  xs_arena arena = {0};
  xs_sweep_case described;
  xs_report *report = calloc(1, sizeof *report);
  snprintf(why, sizeof why, "ended by signal %d (%s)%s", signal_number, strsignal(signal_number),
           signal_number == SIGKILL ? "; perhaps memory was exhausted" : "");
  if (report != NULL &&
      xs_sweep_case_describe(j->run, index, &arena, &described, report) == XS_OK &&
      xs_sweep_row_write(j->run->sweep, j->run->options->output, index, described.content,
                         XS_INTERNAL, NULL, report) != XS_OK)
    print(j, report);
  tell_failure(j, index, XS_INTERNAL, why, "its .partial is gone on with by the next call");
  free(report);
  xs_arena_free(&arena);
}

/* A case has ended with a status of its own. */
static void end_case(jobs *j, int w, xs_status status) {
  const xs_sweep_news *news = &j->news[w];
  const int index = j->worker[w].index;
  j->worker[w].index = -1;
  j->n_running--;
  j->tally->by_status[status]++;
  j->tally->finished_before += news->was_finished;
  /* Workers stop a little before the time is up: the next one would stop at its start. */
  if (status == XS_STOPPED && isfinite(j->run->options->max_wall)) j->is_stopping = 1;
  j->n_computed += !news->was_finished && status != XS_STOPPED;
  if (status == XS_OK || (status == XS_STOPPED && j->is_stopping)) return;

  xs_arena arena = {0};
  const char *log = xs_sweep_row_path(j->run->options->output, index, ".log", &arena);
  tell_failure(j, index, status, news->message[0] != '\0' ? news->message : "as it was before",
               log != NULL ? log : "");
  xs_arena_free(&arena);
}

/* A worker's process has ended. */
static void end_worker(jobs *j, int w, int wait_status) {
  const int index = j->worker[w].index;
  (void)close(j->worker[w].orders);
  j->worker[w].pid = 0;
  if (index < 0) return; /* between two cases: asked to stop, or there are no more */
  if (!WIFSIGNALED(wait_status)) {
    const int code = WEXITSTATUS(wait_status);
    end_case(j, w, code > XS_OK && code <= XS_CHECK ? (xs_status)code : XS_INTERNAL);
    return;
  }
  const int number = WTERMSIG(wait_status);
  const int asked = j->is_stopping && (number == SIGTERM || number == SIGINT);
  j->worker[w].index = -1;
  j->n_running--;
  j->tally->by_status[asked ? XS_STOPPED : XS_INTERNAL]++;
  if (!asked) note_crash(j, index, number);
}

/* Takes in all cases and all workers that have ended. */
static void reap(jobs *j) {
  int wait_status;
  for (int w = 0; w < j->n_workers; w++)
    if (j->worker[w].pid != 0 && j->worker[w].index >= 0 && j->news[w].is_ended)
      end_case(j, w, j->news[w].status);
  for (;;) {
    const pid_t pid = waitpid(-1, &wait_status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return;
    for (int w = 0; w < j->n_workers; w++) {
      if (j->worker[w].pid != pid) continue;
      /* It may have ended its case and then been killed. */
      if (j->worker[w].index >= 0 && j->news[w].is_ended) end_case(j, w, j->news[w].status);
      end_worker(j, w, wait_status);
    }
  }
}

/* Sends the workers home. */
static void dismiss(jobs *j) {
  for (int w = 0; w < j->n_workers; w++) {
    if (j->worker[w].pid == 0) continue;
    (void)close(j->worker[w].orders);
    while (waitpid(j->worker[w].pid, NULL, 0) < 0 && errno == EINTR) continue;
    j->worker[w].pid = 0;
  }
}

/* ---- The loop ---- */

/* Passes on a request to stop, once. At --max-wall the workers stop by themselves. */
static void heed_requests(jobs *j) {
  const xs_options *options = j->run->options;
  if (xs_clock_now() - j->run->started >= options->max_wall) j->is_stopping = 1;
  if (xs_interrupt_signal() == 0 || j->is_stopping) return;
  j->is_stopping = 1;
  for (int w = 0; w < j->n_workers; w++)
    if (j->worker[w].pid != 0) (void)kill(j->worker[w].pid, SIGTERM); /* or it has just ended */
}

static int loop(jobs *j, xs_report *report, xs_status *worker_status) {
  const struct timespec moment = {.tv_nsec = 100 * 1000 * 1000};
  sigset_t child;
  (void)sigemptyset(&child);
  (void)sigaddset(&child, SIGCHLD);
  for (;;) {
    heed_requests(j);
    for (int w; !j->is_stopping && j->next < j->run->sweep->n_cases && (w = free_worker(j)) >= 0;)
      if (begin(j, w, report, worker_status)) return 1;
    if (j->n_running == 0 && (j->is_stopping || j->next == j->run->sweep->n_cases)) break;
    (void)sigtimedwait(&child, NULL, &moment);
    reap(j);
    draw(j, xs_clock_now());
  }
  dismiss(j);
  return 0;
}

/* Signals as the loop needs them. SIGCHLD must not be ignored, else there is nothing to wait for.
 */
static int prepare_signals(jobs *j) {
  sigset_t child;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  (void)sigemptyset(&child);
  (void)sigaddset(&child, SIGCHLD);
  if (sigaction(SIGCHLD, &usual, NULL) != 0 || sigprocmask(SIG_BLOCK, &child, &j->before) != 0)
    return -1;
  return xs_interrupt_install();
}

xs_status xs_sweep_jobs_run(const xs_sweep_run *run, xs_sweep_tally *tally, int *is_worker,
                            xs_arena *arena, xs_report *report) {
  jobs j = {.run = run, .tally = tally, .began = xs_clock_now()};
  j.n_workers = 2 * run->options->jobs;
  const size_t bytes = (size_t)j.n_workers * sizeof *j.news;
  *is_worker = 0;
  j.worker = XS_ARENA_NEW(arena, worker, j.n_workers);
  void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (j.worker == NULL || shared == MAP_FAILED)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the workers");
  j.news = shared;
  if (prepare_signals(&j) != 0)
    return xs_report_error(report, XS_INTERNAL, NULL, "signals cannot be caught: %s",
                           strerror(errno));
  xs_status_line_begin(&j.line, stderr,
                       run->options->quiet ? XS_PROGRESS_NEVER : run->options->progress, j.began);

  xs_result_rehearse();
  xs_status worker_status = XS_OK;
  *is_worker = loop(&j, report, &worker_status);
  if (*is_worker) return worker_status;
  xs_status_line_wipe(&j.line);
  tell_the_rest(&j);
  tally->not_begun = run->sweep->n_cases - j.next;
  (void)munmap(shared, bytes);
  if (xs_interrupt_restore() != 0 || sigprocmask(SIG_SETMASK, &j.before, NULL) != 0)
    return xs_report_error(report, XS_INTERNAL, NULL, "signals cannot be put back: %s",
                           strerror(errno));
  return XS_OK;
}

xs_status xs_sweep_jobs_worst(const xs_sweep_tally *tally) {
  for (int s = XS_INTERNAL; s <= XS_CHECK; s++)
    if (tally->by_status[s] > 0 || (s == XS_STOPPED && tally->not_begun > 0)) return (xs_status)s;
  return XS_OK;
}
