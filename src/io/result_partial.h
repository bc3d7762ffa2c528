/* The file PATH.partial: taking it under a lock, copying into it, and its end as PATH.
 *
 * Plain POSIX, but for the question whether a file that stands in the way is a result. A PATH
 * that is a symbolic link is followed once, at the beginning: PATH.partial stands beside the
 * file that it leads to, which is then replaced; the link stays. PATH.partial itself must not
 * be one. The lock is an open-file-description lock (F_OFD_SETLK) on the whole
 * file: it goes with the process however that ends, and readers never meet it. */
#ifndef XS_IO_RESULT_PARTIAL_H
#define XS_IO_RESULT_PARTIAL_H

#include "base/arena.h"
#include "base/report.h"

/* path without a trailing ".partial", with a symbolic link resolved, and the partial's name, in
 * the arena. XS_IO if the link leads nowhere, XS_INTERNAL without memory. */
xs_status xs_result_partial_names(const char *path, xs_arena *arena, const char **final,
                                  const char **partial, xs_report *report);

typedef enum xs_result_claim {
  XS_CLAIM_NEW,   /* must hold nothing yet */
  XS_CLAIM_FORCE, /* a result that it holds is given up, once the lock is held */
  XS_CLAIM_RESUME /* what it holds stays */
} xs_result_claim;

/* Opens partial for reading and writing, made if it is not there, and locks it. final is
 * looked at only: it must be absent or a regular file. XS_IO with cause and remedy. */
xs_status xs_result_partial_claim(const char *final, const char *partial, xs_result_claim claim,
                                  int *fd, xs_report *report);

/* Says that a symbolic link stands where the partial should; XS_IO. */
xs_status xs_result_partial_refuse_link(const char *partial, xs_report *report);

/* 1 if the file holds no committed result: it is empty or begins with zeros. */
int xs_result_partial_blank(int fd);

/* Copies the file final into fd, the partial, its first block last: a copy that was cut short is
 * blank. */
xs_status xs_result_partial_copy(const char *final, int fd, xs_report *report);

/* Makes the partial durable, renames it to final, makes the rename durable. */
xs_status xs_result_partial_publish(const char *final, const char *partial, int fd,
                                    xs_report *report);

#endif
