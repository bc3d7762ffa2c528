/* Signals, with sigaction; interrupt.h says what each does. Only async-signal-safe calls
 * are made in the handler. System calls are restarted (SA_RESTART), so that a signal in
 * the middle of a write of the result does no harm. */
#include "app/interrupt.h"

#include <signal.h>
#include <stddef.h>

enum { N_STOP_SIGNALS = 2 };
static const int stop_signals[N_STOP_SIGNALS] = {SIGINT, SIGTERM};

static volatile sig_atomic_t requested;
static struct sigaction before[N_STOP_SIGNALS];

static void request_stop(int number) {
  requested = number;
  /* Cannot fail for valid signals, and a handler could not report it. */
  for (int i = 0; i < N_STOP_SIGNALS; i++) signal(stop_signals[i], SIG_DFL);
}

int xs_interrupt_ignore_write_signals(void) {
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  if (sigaction(SIGPIPE, &ignore, NULL) != 0) return -1;
  return sigaction(SIGXFSZ, &ignore, NULL);
}

int xs_interrupt_install(void) {
  struct sigaction request = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
  requested = 0;

  /* While one signal is handled the other waits, so that only the first is noted. */
  for (int i = 0; i < N_STOP_SIGNALS; i++) sigaddset(&request.sa_mask, stop_signals[i]);

  for (int i = 0; i < N_STOP_SIGNALS; i++) {
    if (sigaction(stop_signals[i], NULL, &before[i]) != 0) return -1;
    if (before[i].sa_handler == SIG_IGN) continue;
    if (sigaction(stop_signals[i], &request, NULL) != 0) return -1;
  }
  return 0;
}

int xs_interrupt_restore(void) {
  for (int i = 0; i < N_STOP_SIGNALS; i++)
    if (sigaction(stop_signals[i], &before[i], NULL) != 0) return -1;
  return 0;
}

int xs_interrupt_signal(void) { return requested; }
