/* The file PATH.partial; see result_partial.h. */
#include "io/result_partial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/result_survey.h"

static const char suffix[] = ".partial";

static xs_status fail(xs_report *report, const char *file, const char *what, int error) {
  return xs_report_error(report, XS_IO, &(xs_place){.file = file}, "%s: %s", what, strerror(error));
}

static xs_status no_memory(xs_report *report) {
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for file names");
}

/* Replaces the name of a symbolic link by that of the file it leads to. */
static xs_status resolve_link(const char **name, xs_arena *arena, xs_report *report) {
  struct stat status;
  if (lstat(*name, &status) != 0 || !S_ISLNK(status.st_mode)) return XS_OK;
  char *target = realpath(*name, NULL);
  if (!target) return fail(report, *name, "is a symbolic link that leads to no file", errno);
  *name = xs_arena_copy_text(arena, target);
  free(target);
  return *name ? XS_OK : no_memory(report);
}

xs_status xs_result_partial_names(const char *path, xs_arena *arena, const char **final,
                                  const char **partial, xs_report *report) {
  size_t length = strlen(path);
  const size_t tail = sizeof suffix - 1;
  if (length > tail && strcmp(path + length - tail, suffix) == 0) length -= tail;
  char *name = xs_arena_alloc(arena, length + 1, 1);
  if (!name) return no_memory(report);
  memcpy(name, path, length);
  *final = name;
  xs_status status = resolve_link(final, arena, report);
  if (status != XS_OK) return status;

  length = strlen(*final);
  char *partial_name = xs_arena_alloc(arena, length + tail + 1, 1);
  if (!partial_name) return no_memory(report);
  memcpy(partial_name, *final, length);
  memcpy(partial_name + length, suffix, tail);
  *partial = partial_name;
  return XS_OK;
}

int xs_result_partial_blank(int fd) {
  unsigned char start[8] = {0};
  ssize_t got = pread(fd, start, sizeof start, 0);
  if (got < 0) return 0;
  for (size_t i = 0; i < sizeof start; i++)
    if (start[i] != 0) return 0;
  return 1;
}

/* ---- claiming ---- */

/* A folder or a device at the final path would only show at the rename, after the run. */
static xs_status check_final(const char *final, xs_report *report) {
  struct stat status;
  const xs_place place = {.file = final};
  size_t length = strlen(final);
  if (length == 0 || final[length - 1] == '/')
    return xs_report_error(report, XS_IO, &place, "the name of the result has no file part");
  if (stat(final, &status) != 0) return XS_OK;
  if (S_ISREG(status.st_mode)) return XS_OK;
  return xs_report_error(report, XS_IO, &place, "is a %s; a result must be a regular file",
                         S_ISDIR(status.st_mode)   ? "folder"
                         : S_ISCHR(status.st_mode) ? "device"
                                                   : "special file");
}

xs_status xs_result_partial_refuse_link(const char *partial, xs_report *report) {
  return xs_report_error(report, XS_IO, &(xs_place){.file = partial},
                         "is a symbolic link, which is not followed; remove it, or give the "
                         "name of what it leads to");
}

static xs_status open_partial(const char *partial, int *fd, xs_report *report) {
  struct stat status;
  *fd = open(partial, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
  if (*fd < 0) {
    int error = errno;
    if (error == ENOENT || error == ENOTDIR)
      return fail(report, partial, "cannot be made, its folder does not exist", error);
    if (error == ELOOP) return xs_result_partial_refuse_link(partial, report);
    return fail(report, partial, "cannot be made or opened for writing", error);
  }
  if (fstat(*fd, &status) == 0 && S_ISREG(status.st_mode)) return XS_OK;
  close(*fd);
  return xs_report_error(report, XS_IO, &(xs_place){.file = partial},
                         "is no regular file and stands in the way of a run; remove it");
}

/* Locks the file. A file system without such locks is worth a warning, not the run. */
static xs_status lock(const char *partial, int fd, xs_report *report) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  const xs_place place = {.file = partial};
  if (fcntl(fd, F_OFD_SETLK, &whole) == 0) return XS_OK;
  if (errno == EAGAIN || errno == EACCES)
    return xs_report_error(report, XS_IO, &place,
                           "another run is writing this result; wait for it, or choose another "
                           "output with -o");
  if (errno == ENOLCK || errno == ENOSYS || errno == EINVAL || errno == EOPNOTSUPP) {
    xs_report_warning(report, &place,
                      "this file system has no locks (%s): two runs on the same output would "
                      "not be noticed",
                      strerror(errno));
    return XS_OK;
  }
  return fail(report, partial, "cannot be locked", errno);
}

/* Between opening and locking, the run before may have renamed or replaced the file. */
static int still_named(const char *partial, int fd) {
  struct stat named, opened;
  return lstat(partial, &named) == 0 && fstat(fd, &opened) == 0 && named.st_ino == opened.st_ino &&
         named.st_dev == opened.st_dev;
}

static xs_status settle_content(const char *partial, int fd, xs_result_claim claim,
                                xs_report *report) {
  const xs_place place = {.file = partial};
  if (claim == XS_CLAIM_RESUME) return XS_OK;
  if (!xs_result_partial_blank(fd)) {
    const xs_result_content content = xs_result_survey_content(partial);
    if (content == XS_CONTENT_FOREIGN)
      return xs_report_error(report, XS_IO, &place,
                             "stands in the way of the run and is no result of xsim (or a damaged "
                             "one): remove it, or choose another output with -o");
    if (claim == XS_CLAIM_NEW)
      return xs_report_error(report, XS_IO, &place, "holds an earlier run that was cut off%s",
                             content == XS_CONTENT_RESUMABLE
                                 ? ": go on with it by --resume, or give it up with --force"
                                 : " before its first checkpoint: give it up with --force");
  }
  if (ftruncate(fd, 0) != 0) return fail(report, partial, "cannot be emptied", errno);
  return XS_OK;
}

xs_status xs_result_partial_claim(const char *final, const char *partial, xs_result_claim claim,
                                  int *fd, xs_report *report) {
  enum { TRIES = 16 };
  xs_status status = check_final(final, report);
  for (int i = 0; status == XS_OK && i < TRIES; i++) {
    status = open_partial(partial, fd, report);
    if (status != XS_OK) return status;
    status = lock(partial, *fd, report);
    if (status == XS_OK && still_named(partial, *fd)) {
      status = settle_content(partial, *fd, claim, report);
      if (status != XS_OK) close(*fd);
      return status;
    }
    close(*fd);
  }
  if (status != XS_OK) return status;
  return xs_report_error(report, XS_IO, &(xs_place){.file = partial},
                         "is renamed again and again by other runs");
}

/* ---- copying ---- */

/* Copies [first, last) of one file to another. Returns 0 with errno on failure. */
static int copy_range(int from, int to, off_t first, off_t last, char *block, size_t size) {
  while (first < last) {
    size_t want = last - first < (off_t)size ? (size_t)(last - first) : size;
    ssize_t got = pread(from, block, want, first);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) return 0;
    for (ssize_t done = 0; done < got;) {
      ssize_t put = pwrite(to, block + done, (size_t)(got - done), first + done);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return 0;
      done += put;
    }
    first += got;
  }
  return 1;
}

xs_status xs_result_partial_copy(const char *final, int fd, xs_report *report) {
  enum { BLOCK = 1 << 20, FIRST = 4096 };
  struct stat status;
  int from = open(final, O_RDONLY | O_CLOEXEC);
  if (from < 0) return fail(report, final, "cannot be read", errno);
  char *block = malloc(BLOCK);
  int copied = 0;
  if (!block) {
    errno = ENOMEM;
  } else if (fstat(from, &status) == 0 && ftruncate(fd, 0) == 0) {
    off_t size = status.st_size, first = size < FIRST ? size : FIRST;
    copied = copy_range(from, fd, first, size, block, BLOCK) &&
             copy_range(from, fd, 0, first, block, BLOCK);
  }
  int error = errno;
  free(block);
  close(from);
  return copied ? XS_OK
                : fail(report, final, "cannot be copied to its .partial for going on", error);
}

/* ---- publishing ---- */

/* The folder of a path, opened for fsync. */
static int open_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
  if (!folder) return -1;
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  free(folder);
  return fd;
}

xs_status xs_result_partial_publish(const char *final, const char *partial, int fd,
                                    xs_report *report) {
  xs_status status = check_final(final, report);
  if (status != XS_OK) return status;
  if (fsync(fd) != 0) return fail(report, partial, "cannot be brought to the disk", errno);
  if (!still_named(partial, fd))
    return xs_report_error(report, XS_IO, &(xs_place){.file = partial},
                           "was removed or replaced by someone else while the run went on");
  if (rename(partial, final) != 0) return fail(report, final, "cannot rename the result", errno);

  /* The result stands; a folder that cannot be synced only lacks its guarantee. Some file
   * systems do not sync folders at all (EINVAL). */
  int folder = open_folder(final);
  if (folder < 0 || (fsync(folder) != 0 && errno != EINVAL))
    xs_report_warning(report, &(xs_place){.file = final},
                      "the renaming may not survive a power failure: %s", strerror(errno));
  if (folder >= 0) close(folder);
  return XS_OK;
}
