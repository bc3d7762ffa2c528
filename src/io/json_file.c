/* Reading a whole text file into memory.
 *
 * Read in pieces until its end rather than by its size, so that pipes and devices work
 * too, and never past XS_JSON_BYTES_MAX. A pipe without a writer is waited for, but not for
 * ever: its end looks like that of an empty file, as it is opened without blocking. open and read,
 * not stdio: no memory is needed to open, and the reason of a failure is the system's own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/json.h"

enum { PIECE = 64 * 1024 };
enum { WAIT = 2000 }; /* ms for the writer of a pipe to come */

static xs_status fail(xs_report *report, xs_status status, const char *path, const char *what) {
  xs_place place = {.file = path};
  return xs_report_error(report, status, &place, "%s", what);
}

static xs_status fail_errno(xs_report *report, const char *path, const char *what, int reason) {
  if (reason == ENOMEM) return fail(report, XS_INTERNAL, path, "out of memory");
  char text[128];
  xs_place place = {.file = path};
  return xs_report_error(report, XS_SCENE, &place, "%s: %s", what,
                         strerror_r(reason, text, sizeof text));
}

static int is_pipe(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISFIFO(status.st_mode);
}

/* Nothing is there yet, but a writer is: from now on reading waits. Returns 0, or -1. */
static int wait_for_data(int file) {
  const int flags = fcntl(file, F_GETFL);
  return flags < 0 ? -1 : fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
}

/* Reads to the end of the file; *text (malloc) grows, *n counts its bytes. */
static xs_status read_all(int file, const char *path, char **text, size_t *n, xs_report *report) {
  size_t room = 0;
  int waited = !is_pipe(file);
  for (;;) {
    if (*n > XS_JSON_BYTES_MAX)
      return fail(report, XS_SCENE, path, "larger than 256 MiB, the largest text that is read");

    /* Room that doubles, so that the copying stays linear. */
    if (room - *n < PIECE) {
      room = room ? 2 * room : 2 * PIECE;
      char *grown = realloc(*text, room);
      if (!grown) return fail(report, XS_INTERNAL, path, "out of memory");
      *text = grown;
    }

    ssize_t got = read(file, *text + *n, room - *n);
    if (got > 0) {
      *n += (size_t)got;
    } else if (got == 0 && *n == 0 && !waited) {
      struct pollfd pipe = {.fd = file, .events = POLLIN};
      waited = 1;
      (void)poll(&pipe, 1, WAIT); /* whatever comes of it, the next read tells */
    } else if (got == 0) {
      if (*n == 0 && is_pipe(file))
        return fail(report, XS_SCENE, path, "is a pipe that no program writes to");
      return XS_OK;
    } else if (errno != EINTR && (errno != EAGAIN || wait_for_data(file) != 0)) {
      return fail_errno(report, path, "cannot be read", errno);
    }
  }
}

xs_status xs_json_read_file(const char *path, xs_arena *arena, char **text, size_t *length,
                            xs_report *report) {
  *text = NULL;
  *length = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return fail_errno(report, path, "cannot be opened", errno);

  /* Nothing was written, so that closing cannot lose anything. */
  char *content = NULL;
  size_t n = 0;
  xs_status status = read_all(file, path, &content, &n, report);
  (void)close(file);

  /* The arena zeroes: the byte behind the text is its terminating 0. */
  char *copy = status ? NULL : xs_arena_alloc(arena, n + 1, 1);
  if (!status && !copy) status = fail(report, XS_INTERNAL, path, "out of memory");
  if (copy) {
    memcpy(copy, content, n);
    *text = copy;
    *length = n;
  }
  free(content);
  return status;
}
