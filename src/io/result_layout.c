/* Where the parts of a file stand (result_layout.h). */
#include "io/result_layout.h"

#include <stdlib.h>

/* Datasets of more chunks are looked at at both ends only. */
enum { CHUNKS_MAX = 1000 };

/* Bytes at the front of a file, of version 2. */
enum { SUPERBLOCK = 48 };

static herr_t add(xs_result_layout *layout, haddr_t address, hsize_t size) {
  if (layout->n == layout->room) {
    const size_t room = layout->room > 0 ? 2 * layout->room : 256;
    xs_result_part *parts = realloc(layout->parts, room * sizeof *parts);
    if (!parts) return -1;
    layout->parts = parts;
    layout->room = room;
  }
  layout->parts[layout->n++] = (xs_result_part){address, size, layout->owners};
  return 0;
}

herr_t xs_result_layout_add_header(xs_result_layout *layout, hid_t group, const char *name) {
  H5O_info_t info;
  if (H5Oget_info_by_name2(group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0) return -1;
  layout->owners++;
  /* Its first byte: how long it is, HDF5 does not tell. */
  return add(layout, info.addr, 1);
}

/* Bytes of all numbers of a dataset, as its shape has it. */
static hsize_t bytes_of(hid_t space, size_t number) {
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  return n > 0 ? (hsize_t)n * number : 0;
}

static herr_t add_contiguous(xs_result_layout *layout, hid_t dataset, hsize_t bytes) {
  const haddr_t address = H5Dget_offset(dataset);
  if (address == HADDR_UNDEF) return bytes == 0 ? 0 : -1;
  return H5Dget_storage_size(dataset) == bytes ? add(layout, address, bytes) : -1;
}

static herr_t add_chunk(xs_result_layout *layout, hid_t dataset, hid_t space, hsize_t i,
                        hsize_t bytes) {
  hsize_t offset[H5S_MAX_RANK], size = 0;
  unsigned skipped;
  haddr_t address;
  if (H5Dget_chunk_info(dataset, space, i, offset, &skipped, &address, &size) < 0) return -1;
  if (size == 0 || (bytes > 0 && size != bytes)) return -1;
  return add(layout, address, size);
}

/* bytes: of a chunk, 0 where it goes through filters. */
static herr_t add_chunks(xs_result_layout *layout, hid_t dataset, hid_t space, hsize_t bytes) {
  hsize_t n = 0;
  if (H5Dget_num_chunks(dataset, space, &n) < 0) return -1;
  for (hsize_t i = 0; i<n; i += n> CHUNKS_MAX ? n - 1 : 1)
    if (add_chunk(layout, dataset, space, i, bytes) < 0) return -1;
  return 0;
}

static hsize_t chunk_bytes(hid_t plan, size_t number) {
  hsize_t dims[H5S_MAX_RANK], bytes = number;
  const int rank = H5Pget_chunk(plan, H5S_MAX_RANK, dims);
  if (rank < 0) return 0;
  for (int k = 0; k < rank; k++) bytes *= dims[k];
  return bytes;
}

herr_t xs_result_layout_add_numbers(xs_result_layout *layout, hid_t dataset) {
  herr_t status = -1;
  layout->owners++;
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset),
        plan = H5Dget_create_plist(dataset);
  if (space >= 0 && type >= 0 && plan >= 0) {
    const size_t number = H5Tget_size(type);
    const H5D_layout_t layout_kind = H5Pget_layout(plan);
    status = 0;
    if (layout_kind == H5D_CONTIGUOUS)
      status = add_contiguous(layout, dataset, bytes_of(space, number));
    else if (layout_kind == H5D_CHUNKED)
      status = add_chunks(layout, dataset, space,
                          H5Pget_nfilters(plan) == 0 ? chunk_bytes(plan, number) : 0);
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (plan >= 0) H5Pclose(plan);
  return status;
}

static int compare(const void *left, const void *right) {
  const xs_result_part *a = left, *b = right;
  return (a->address > b->address) - (a->address < b->address);
}

static int is_same(const xs_result_part *a, const xs_result_part *b) {
  return a->address == b->address && a->size == b->size && a->owner == b->owner;
}

int xs_result_layout_is_sound(xs_result_layout *layout, hid_t file) {
  hsize_t end = 0;
  if (H5Fget_filesize(file, &end) < 0) return 0;
  if (layout->n > 0) qsort(layout->parts, layout->n, sizeof *layout->parts, compare);
  if (layout->n > 0 && layout->parts[0].address < SUPERBLOCK) return 0;
  for (size_t i = 0; i < layout->n; i++) {
    const xs_result_part *part = &layout->parts[i];
    if (i + 1 < layout->n && is_same(part, part + 1)) continue;
    const haddr_t next = i + 1 < layout->n ? part[1].address : end;
    if (next < part->address || part->size > next - part->address) return 0;
  }
  return 1;
}

void xs_result_layout_free(xs_result_layout *layout) {
  free(layout->parts);
  *layout = (xs_result_layout){0};
}
