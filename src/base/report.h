/* Statuses, and the list of errors and warnings that one operation collects.
 *
 * A function that can fail on data returns an xs_status and adds a message to the
 * report it was given; the programmer's own mistakes are asserts. The numbers of the
 * statuses are the program's exit statuses, so that main has nothing to translate.
 * Messages keep the place they belong to (file, line, column, path inside the scene),
 * are held in fixed memory, and are printed in file order, at most
 * XS_REPORT_SHOWN of them, as text or as one JSON object a line. */
#ifndef XS_BASE_REPORT_H
#define XS_BASE_REPORT_H

#include <stdio.h>

typedef enum xs_status {
  XS_OK = 0,       /* done, and every check of the scene held */
  XS_INTERNAL = 1, /* a fault of the program itself, out of memory included */
  XS_USAGE = 2,    /* wrong command line */
  XS_SCENE = 3,    /* wrong scene, also: not found */
  XS_IO = 4,       /* reading or writing failed */
  XS_DIVERGED = 5, /* not finite, joints torn, past a rotation limit, not converged */
  XS_STOPPED = 6,  /* stopped early on request, resumable */
  XS_CHECK = 7     /* ran to the end, but a check of the scene failed */
} xs_status;

enum {
  XS_REPORT_SHOWN = 20,  /* errors printed in one go; warnings likewise */
  XS_REPORT_TEXT = 1024, /* bytes of a message, longer ones are cut with "..." */
  XS_REPORT_PATH = 256,  /* bytes of a path inside a scene */
  XS_REPORT_FILE = 512   /* bytes of a file's name */
};

/* Where a message belongs. line and column count from 1; 0 = unknown, then only the
 * file is printed. path is a dotted path inside the scene ("joints[1].type") or NULL. */
typedef struct xs_place {
  const char *file;
  int line, column;
  const char *path;
} xs_place;

typedef struct xs_message {
  xs_status status; /* XS_OK marks a warning */
  int line, column;
  char file[XS_REPORT_FILE], path[XS_REPORT_PATH], text[XS_REPORT_TEXT];
} xs_message;

typedef struct xs_report {
  int n_errors, n_warnings; /* all that were added, also those that are not kept */
  int n_kept;
  xs_message kept[2 * XS_REPORT_SHOWN]; /* the first XS_REPORT_SHOWN of either sort */
} xs_report;

/* An all-zero xs_report is empty and ready for use. */

/* Adds an error; place may be NULL. Returns status, so that callers can write
 * `return xs_report_error(...)`. */
xs_status xs_report_error(xs_report *report, xs_status status, const xs_place *place,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
#ifdef __clang_analyzer__
/* The analyzer of `make lint` sees one file at a time; this tells it which status comes back,
 * so that it does not follow paths on which an error counts as success. */
#define xs_report_error(report, status, ...) \
  ((void)xs_report_error(report, status, __VA_ARGS__), (status))
#endif

void xs_report_warning(xs_report *report, const xs_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The status of the first error kept, in the order added; XS_OK without errors. */
xs_status xs_report_status(const xs_report *report);

typedef enum xs_report_format { XS_REPORT_AS_TEXT, XS_REPORT_AS_JSON } xs_report_format;

/* Prints in file order: by line and column within a file, files and placeless messages
 * in the order added. Warnings are left out if errors_only. */
void xs_report_print(const xs_report *report, FILE *stream, xs_report_format format,
                     int errors_only);

#endif
