/* Reading a whole text file into memory.
 *
 * Read in pieces until its end rather than by its size, so that pipes and devices work
 * too, and never past XS_JSON_BYTES_MAX. open and read, not stdio: no memory is needed
 * to open, and the reason of a failure is the system's own. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json.h"

enum { PIECE = 64 * 1024 };

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

/* Reads to the end of the file; *text (malloc) grows, *n counts its bytes. */
static xs_status read_all(int file, const char *path, char **text, size_t *n, xs_report *report) {
  size_t room = 0;
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
    if (got == 0) return XS_OK;
    if (got > 0) *n += (size_t)got;
    if (got < 0 && errno != EINTR) return fail_errno(report, path, "cannot be read", errno);
  }
}

xs_status xs_json_read_file(const char *path, xs_arena *arena, char **text, size_t *length,
                            xs_report *report) {
  *text = NULL;
  *length = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
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
