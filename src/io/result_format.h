/* Constants of the result's format that several files share. */
#ifndef XS_IO_RESULT_FORMAT_H
#define XS_IO_RESULT_FORMAT_H

enum {
  XS_RESULT_FORMAT = 1,        /* root attribute xsim_format; grows when readers must change */
  XS_RESULT_CHUNK = 64 * 1024, /* bytes of a chunk: large enough for fast reading of a
                                  series, small enough to pick out one part */
  XS_RESULT_BUFFER = 64 << 20, /* bytes of the record buffer, at most */
  /* And where records are smaller: that stays in the processor's caches between copying and
   * writing, and is enough to write many whole chunks at a time. */
  XS_RESULT_BUFFER_WANTED = 4 << 20,
  /* Metadata that HDF5 keeps, bytes as they stand in the file. Its default is 32 MB; as nodes of
   * B-trees take eight times as much in memory, results of many datasets took hundreds of
   * megabytes. */
  XS_RESULT_METADATA_MAX = 2 << 20,
  XS_RESULT_STATUS_ROOM = 16, /* bytes of the attribute status: the longest is "complete" */
  XS_RESULT_EXIT_RUNNING = -1 /* attribute exit_code while a run goes on */
};

#endif
