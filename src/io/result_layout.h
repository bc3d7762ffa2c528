/* Where the parts of a file stand: no two at one place, none beyond its end.
 *
 * HDF5 1.10 checks neither in the format of results. A damaged address would have what goes on
 * overwrite the numbers of another dataset; a damaged link would give one dataset two names. */
#ifndef XS_IO_RESULT_LAYOUT_H
#define XS_IO_RESULT_LAYOUT_H

#include <hdf5.h>

/* A header, numbers or a chunk of them. */
typedef struct xs_result_part {
  haddr_t address;
  hsize_t size;
  size_t owner; /* the same for all parts of a dataset */
} xs_result_part;

/* All zero: empty. */
typedef struct xs_result_layout {
  xs_result_part *parts;
  size_t n, room, owners;
} xs_result_layout;

/* Notes where the header of the object at a link stands; negative on failure. */
herr_t xs_result_layout_add_header(xs_result_layout *layout, hid_t group, const char *name);

/* Notes where a dataset's numbers stand: contiguous ones; the chunks, of which only the first and
 * the last are looked at where there are thousands, as HDF5 finds the n-th in n steps. Negative on
 * failure, and where their size is not that of the dataset or the chunk (filtered ones have any).
 */
herr_t xs_result_layout_add_numbers(xs_result_layout *layout, hid_t dataset);

/* 1 if all parts stand before the end of the file and none overlaps another. A chunk may be there
 * twice: a kill may come when a node of its dataset's tree has been split, and the old one not yet
 * been written. Sorts the parts. */
int xs_result_layout_is_sound(xs_result_layout *layout, hid_t file);

void xs_result_layout_free(xs_result_layout *layout);

#endif
