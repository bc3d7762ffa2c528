/* Signals: a request to stop, and write errors that must not kill.
 *
 * SIGINT and SIGTERM ask the run to end after the substep it is in; the handler only notes
 * the request. The handler also puts back the default action for both, so that a second
 * signal ends the program at once (the .partial then resumes). A signal that was ignored
 * when the program started (nohup, shells that start jobs in the background) stays
 * ignored. SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a file past its
 * limit become failed writes, which are reported. */
#ifndef XS_APP_INTERRUPT_H
#define XS_APP_INTERRUPT_H

/* Ignores SIGPIPE and SIGXFSZ: first thing in main. Returns 0, or -1 with errno. */
int xs_interrupt_ignore_write_signals(void);

/* From here on SIGINT and SIGTERM are requests. Returns 0, or -1 with errno. */
int xs_interrupt_install(void);

/* Puts the actions back that install found. Returns 0, or -1 with errno. */
int xs_interrupt_restore(void);

/* The signal that asked to stop, 0 = none. */
int xs_interrupt_signal(void);

#endif
