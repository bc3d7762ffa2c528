/* The file driver of results: metadata in commits; see result_store.h.
 *
 * Pending metadata are pieces (result_pieces.h). Reads see the file with the pieces laid over it.
 * The interface to HDF5 is H5FD_class_t of HDF5 1.10. */
#include "io/result_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/result_format.h"
#include "io/result_pieces.h"
#include "io/result_places.h"

typedef xs_result_piece piece; /* kind: HDF5's; rank: order of writing in a commit */

/* One opening of the store by HDF5, in use while it knows its store. */
typedef struct opening {
  H5FD_t base;
  xs_result_store *store;
  haddr_t end; /* of a view */
} opening;

/* HDF5 opens a file once to look at it, and once more. */
enum { OPENINGS = 4 };

struct xs_result_store {
  opening openings[OPENINGS]; /* here, as HDF5 loses those of a file that it fails to close */
  int fd;
  const char *path;
  int kept;          /* the file stays after an error */
  int error;         /* errno of the first write that failed */
  haddr_t end;       /* end of the space that HDF5 has allocated */
  haddr_t committed; /* that of which the file on disk tells; 0 as long as it has no superblock */
  int cutting;       /* until the next commit (xs_result_store_cut) */
  hid_t driver, view_driver;
  xs_result_pieces pending;
  xs_result_places left;
  xs_result_place written; /* the last write of data */
};

/* ---- reading and writing the file itself ---- */

/* Writes all bytes or keeps the error. Returns 0 after an error, also of an earlier write. */
static int write_file(xs_result_store *store, const void *bytes, size_t size, haddr_t address) {
  const char *rest = bytes;
  while (size > 0 && !store->error) {
    ssize_t written = pwrite(store->fd, rest, size, (off_t)address);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      store->error = written < 0 ? errno : EIO;
      break;
    }
    rest += written;
    size -= (size_t)written;
    address += (haddr_t)written;
  }
  return store->error == 0;
}

/* Reads size bytes, zeros past the end of the file. Returns 0 on failure. */
static int read_file(const xs_result_store *store, void *bytes, size_t size, haddr_t address) {
  char *rest = bytes;
  while (size > 0) {
    ssize_t got = pread(store->fd, rest, size, (off_t)address);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return 0;
    if (got == 0) {
      memset(rest, 0, size);
      return 1;
    }
    rest += got;
    size -= (size_t)got;
    address += (haddr_t)got;
  }
  return 1;
}

/* ---- commit ---- */

/* Ranks of the order of writing; B-tree nodes of level l stand at RANK_NODE + 255 - l. Rows are
 * there before an extent counts them; where rows are cut off, an extent counts them no more before
 * they go. */
enum {
  RANK_SUPER,
  RANK_NEW,
  RANK_SHORTER,
  RANK_NODE,
  RANK_OTHER = RANK_NODE + 256,
  RANK_HEADER,
  RANK_DATA,
  RANK_LAST
};

static int begins_with_zeros(const unsigned char *bytes) {
  return bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 0;
}

/* A place that the file on disk does not refer to: behind its end, or one that holds nothing yet.
 * (A piece that itself begins with zeros, the names of a group, does not tell.) */
static int is_new(const xs_result_store *store, const piece *p) {
  unsigned char start[4];
  if (p->address >= store->committed) return 1;
  return p->size >= sizeof start && !begins_with_zeros(p->bytes) &&
         read_file(store, start, sizeof start, p->address) && begins_with_zeros(start);
}

static int rank_of(const xs_result_store *store, const piece *p) {
  const unsigned char *bytes = p->bytes;
  /* A new file is no HDF5 file until all of it stands; a file that shrinks keeps its old end
   * as long as something may refer to what lies there. */
  if (p->kind == H5FD_MEM_SUPER)
    return store->committed > 0 && store->end >= store->committed ? RANK_SUPER : RANK_LAST;
  if (p->kind == H5FD_MEM_DRAW) return p->address >= store->committed ? RANK_NEW : RANK_DATA;
  if (is_new(store, p)) return RANK_NEW;
  if (p->size > 8 && memcmp(bytes, "TREE", 4) == 0) return RANK_NODE + 255 - bytes[5];
  if (p->kind == H5FD_MEM_OHDR) return store->cutting ? RANK_SHORTER : RANK_HEADER;
  return RANK_OTHER;
}

/* Within a rank by address, so that neighbours follow one another. */
static int compare_pieces(const void *left, const void *right) {
  const piece *a = *(const piece *const *)left, *b = *(const piece *const *)right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return (a->address > b->address) - (a->address < b->address);
}

/* Writes the pieces that nothing refers to yet, which come first but for the superblock: several
 * neighbours at a stroke, as a new file has a hundred of them. Returns the index behind them. */
static size_t write_new_pieces(xs_result_store *store, piece *const *list, size_t first) {
  enum { RUN = 16384 };
  char run[RUN];
  size_t n = 0, i = first;
  haddr_t start = 0;
  for (; i < store->pending.n && list[i]->rank == RANK_NEW; i++) {
    const piece *p = list[i];
    if (n > 0 && (start + n != p->address || n + p->size > RUN)) {
      write_file(store, run, n, start);
      n = 0;
    }
    if (p->size > RUN) {
      write_file(store, p->bytes, p->size, p->address);
      continue;
    }
    if (n == 0) start = p->address;
    memcpy(run + n, p->bytes, p->size);
    n += p->size;
  }
  if (n > 0) write_file(store, run, n, start);
  return i;
}

/* The length of the file; 0 after an error. */
static haddr_t file_length(xs_result_store *store) {
  struct stat status;
  if (fstat(store->fd, &status) == 0) return (haddr_t)status.st_size;
  store->error = errno;
  return 0;
}

static void set_length(xs_result_store *store) {
  if (!store->error && ftruncate(store->fd, (off_t)store->end) != 0) store->error = errno;
}

/* Writes the pieces in order. A file that grows does so before the superblock tells its end;
 * what lies behind its end, nothing refers to when all is written. */
static void write_pieces(xs_result_store *store) {
  if (file_length(store) < store->end) set_length(store);
  const size_t n = store->pending.n;
  piece **list = xs_result_pieces_list(&store->pending);
  for (size_t i = 0; i < n; i++) list[i]->rank = rank_of(store, list[i]);
  if (n > 1) qsort(list, n, sizeof *list, compare_pieces);
  for (size_t i = 0; i < n;) {
    const piece *p = list[i];
    if (p->rank == RANK_NEW)
      i = write_new_pieces(store, list, i);
    else
      write_file(store, p->bytes, p->size, p->address), i++;
    if (store->error) return;
    if (p->kind == H5FD_MEM_SUPER) store->committed = store->end;
  }
  if (file_length(store) > store->end) set_length(store);
}

xs_status xs_result_store_commit(xs_result_store *store, xs_report *report) {
  write_pieces(store);
  if (store->error)
    return xs_report_error(report, XS_IO, &(xs_place){.file = store->path}, "cannot write: %s; %s",
                           strerror(store->error),
                           store->kept ? "what was flushed before is readable in this file"
                                       : "nothing of the run is kept");
  store->cutting = 0;
  xs_result_pieces_clear(&store->pending);
  xs_result_places_settle(&store->left);
  return XS_OK;
}

/* ---- the driver's functions, as HDF5 calls them ---- */

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max_address) {
  (void)name, (void)flags, (void)max_address;
  xs_result_store *const *store = H5Pget_driver_info(access);
  for (int i = 0; store && i < OPENINGS; i++) {
    opening *self = &(*store)->openings[i];
    if (self->store) continue;
    *self = (opening){.store = *store};
    return &self->base;
  }
  return NULL;
}

static herr_t driver_close(H5FD_t *file) {
  ((opening *)file)->store = NULL;
  return 0;
}

static int driver_compare(const H5FD_t *left, const H5FD_t *right) {
  uintptr_t a = (uintptr_t)((const opening *)left)->store;
  uintptr_t b = (uintptr_t)((const opening *)right)->store;
  return a < b ? -1 : a > b;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_end_allocated(const H5FD_t *file, H5FD_mem_t kind) {
  (void)kind;
  return ((const opening *)file)->store->end;
}

static herr_t driver_set_end_allocated(H5FD_t *file, H5FD_mem_t kind, haddr_t address) {
  (void)kind;
  ((opening *)file)->store->end = address;
  return 0;
}

/* A B-tree node of chunks (3 KiB) begins on a page, and is written as one, which a kill cannot
 * split. */
enum { ALIGN_FROM = 2048, PAGE = 4096 };

/* All that HDF5 needs room for: it reuses none itself (create_file). What it has given back, the
 * file on disk may still refer to; only data get places that were left before the commit. In a
 * commit that cuts, places that are referred to are told by where they lie. */
static haddr_t driver_allocate(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, hsize_t size) {
  (void)transfer;
  xs_result_store *store = ((opening *)file)->store;
  if (kind == H5FD_MEM_DRAW && !store->cutting) {
    const haddr_t left = xs_result_places_take(&store->left, size);
    if (left > 0) return left;
  }
  const haddr_t align = kind != H5FD_MEM_DRAW && size >= ALIGN_FROM ? PAGE : 1;
  const haddr_t address = (store->end + align - 1) / align * align;
  store->end = address + size;
  return address;
}

/* HDF5 gives back what stands at the end of the file; it is not used again either. */
static herr_t driver_give_back(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                               hsize_t size) {
  (void)file, (void)kind, (void)transfer, (void)address, (void)size;
  return 0;
}

static haddr_t driver_end_of_file(const H5FD_t *file, H5FD_mem_t kind) {
  (void)kind;
  const xs_result_store *store = ((const opening *)file)->store;
  struct stat status;
  haddr_t end = fstat(store->fd, &status) == 0 ? (haddr_t)status.st_size : 0;
  if (store->pending.end > end) end = store->pending.end;
  return end;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                          size_t size, void *buffer) {
  (void)kind, (void)transfer;
  const xs_result_store *store = ((opening *)file)->store;
  if (!read_file(store, buffer, size, address)) return -1;
  xs_result_pieces_lay_over(&store->pending, address, size, buffer);
  return 0;
}

/* Always a success for HDF5: an error is kept and reported by the next commit. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer) {
  (void)transfer;
  xs_result_store *store = ((opening *)file)->store;
  if (store->error) return 0;
  /* In place of rows that are cut off HDF5 writes zeros: not before the extent counts them no more.
   */
  const int waits = store->cutting && address < store->committed;
  if (kind == H5FD_MEM_DRAW && !waits) {
    store->written = (xs_result_place){address, size};
    /* Stale metadata may stand in a place that is given to data. */
    if (!xs_result_pieces_cut(&store->pending, address, size)) store->error = ENOMEM;
    write_file(store, buffer, size, address);
  } else if (!xs_result_pieces_put(&store->pending, (int)kind, address, size, buffer)) {
    store->error = ENOMEM;
  }
  return 0;
}

static const H5FD_class_t driver_class = {
    .name = "xsim_result",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(xs_result_store *),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .alloc = driver_allocate,
    .free = driver_give_back,
    .get_eoa = driver_end_allocated,
    .set_eoa = driver_set_end_allocated,
    .get_eof = driver_end_of_file,
    .read = driver_read,
    .write = driver_write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* ---- views ---- */

static haddr_t view_end_allocated(const H5FD_t *file, H5FD_mem_t kind) {
  (void)kind;
  return ((const opening *)file)->end;
}

static herr_t view_set_end_allocated(H5FD_t *file, H5FD_mem_t kind, haddr_t address) {
  (void)kind;
  ((opening *)file)->end = address;
  return 0;
}

static haddr_t view_end_of_file(const H5FD_t *file, H5FD_mem_t kind) {
  const haddr_t end = driver_end_of_file(file, kind),
                allocated = ((const opening *)file)->store->end;
  return end > allocated ? end : allocated;
}

static herr_t view_write(H5FD_t *file, H5FD_mem_t kind, hid_t transfer, haddr_t address,
                         size_t size, const void *buffer) {
  (void)file, (void)kind, (void)transfer, (void)address, (void)size, (void)buffer;
  return -1;
}

/* Another driver, so that HDF5 takes the file for another one. */
static hid_t register_view(void) {
  H5FD_class_t view = driver_class;
  view.name = "xsim_result_view";
  view.get_eoa = view_end_allocated;
  view.set_eoa = view_set_end_allocated;
  view.get_eof = view_end_of_file;
  view.write = view_write;
  return H5FDregister(&view);
}

/* ---- life ---- */

xs_status xs_result_store_create(int fd, const char *path, xs_result_store **store,
                                 xs_report *report) {
  xs_result_store *made = calloc(1, sizeof *made);
  if (!made || !xs_result_pieces_reserve(&made->pending)) {
    xs_result_store_free(made);
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the result's buffers");
  }
  made->fd = fd;
  made->path = path;
  made->driver = H5FDregister(&driver_class);
  made->view_driver = register_view();
  if (made->driver < 0 || made->view_driver < 0) {
    xs_result_store_free(made);
    return xs_report_error(report, XS_INTERNAL, NULL, "HDF5 refuses the result's file driver");
  }
  *store = made;
  return XS_OK;
}

static herr_t limit_metadata(hid_t access) {
  H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(access, &config) < 0) return -1;
  config.max_size = XS_RESULT_METADATA_MAX;
  if (config.initial_size > config.max_size) config.initial_size = config.max_size;
  return H5Pset_mdc_config(access, &config);
}

/* A file access list that makes H5Fcreate and H5Fopen use the store; the format as old as can be:
 * that HDF5 is to reuse no room, formats before 1.10 cannot say. */
static hid_t access_plan(xs_result_store *store, hid_t driver) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  if (H5Pset_driver(access, driver, &store) < 0 ||
      H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110) < 0 ||
      H5Pset_file_locking(access, 0, 1) < 0 || H5Pset_cache(access, 0, 0, 0, 0.75) < 0 ||
      limit_metadata(access) < 0) {
    H5Pclose(access);
    return -1;
  }
  return access;
}

hid_t xs_result_store_create_file(xs_result_store *store) {
  hid_t access = access_plan(store, store->driver), creation = H5Pcreate(H5P_FILE_CREATE),
        file = -1;
  if (access >= 0 && creation >= 0 &&
      H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_NONE, 0, 1) >= 0)
    file = H5Fcreate(store->path, H5F_ACC_TRUNC, creation, access);
  if (creation >= 0) H5Pclose(creation);
  if (access >= 0) H5Pclose(access);
  return file;
}

hid_t xs_result_store_open_file(xs_result_store *store) {
  hid_t access = access_plan(store, store->driver), file = -1;
  if (access >= 0) file = H5Fopen(store->path, H5F_ACC_RDWR, access);
  if (access >= 0) H5Pclose(access);
  store->committed = store->end;
  return file;
}

hid_t xs_result_store_view(xs_result_store *store) {
  hid_t access = access_plan(store, store->view_driver), file = -1;
  if (access >= 0) file = H5Fopen(store->path, H5F_ACC_RDONLY, access);
  if (access >= 0) H5Pclose(access);
  return file;
}

int xs_result_store_made(hid_t file) {
  H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_FSM_AGGR;
  hbool_t persist;
  hsize_t threshold;
  hid_t creation = H5Fget_create_plist(file);
  const int known =
      creation >= 0 && H5Pget_file_space_strategy(creation, &strategy, &persist, &threshold) >= 0;
  if (creation >= 0) H5Pclose(creation);
  return known ? strategy == H5F_FSPACE_STRATEGY_NONE : -1;
}

void xs_result_store_keep(xs_result_store *store, const char *path) {
  store->kept = 1;
  store->path = path;
}

xs_result_place xs_result_store_written(const xs_result_store *store) { return store->written; }

void xs_result_store_leave(xs_result_store *store, xs_result_place place) {
  if (place.size > 0) xs_result_places_leave(&store->left, place);
}

void xs_result_store_cut(xs_result_store *store) { store->cutting = 1; }

int xs_result_store_error(const xs_result_store *store) { return store->error; }

void xs_result_store_free(xs_result_store *store) {
  if (!store) return;
  if (store->driver > 0) H5FDunregister(store->driver);
  if (store->view_driver > 0) H5FDunregister(store->view_driver);
  xs_result_pieces_free(&store->pending);
  xs_result_places_free(&store->left);
  free(store);
}
