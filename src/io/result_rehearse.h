/* Doing once, before processes are forked, what each would do first: HDF5 makes its tables, and the
 * dynamic linker finds its functions, when they are called for the first time. */
#ifndef XS_IO_RESULT_REHEARSE_H
#define XS_IO_RESULT_REHEARSE_H

/* Writes a small file in memory. Leaves nothing open, and cannot fail: what goes wrong will do so
 * again where it counts. */
void xs_result_rehearse(void);

#endif
