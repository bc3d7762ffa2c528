/* Small HDF5 operations that the files of the result share; see result_hdf.h. */
#include "io/result_hdf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "io/result_format.h"

/* Attribute of a dataset that is written once, as a whole: FNV-1a of its bytes. */
#define CHECKSUM "checksum"

/* ---- errors ---- */

enum { TEXT_MAX = 256 };
static _Thread_local char last_text[TEXT_MAX];

static herr_t remember_innermost(unsigned n, const H5E_error2_t *error, void *unused) {
  (void)unused;
  if (n == 0) snprintf(last_text, sizeof last_text, "%s", error->desc ? error->desc : "unknown");
  return 0;
}

static herr_t remember(hid_t stack, void *unused) {
  return H5Ewalk2(stack, H5E_WALK_UPWARD, remember_innermost, unused);
}

void xs_result_hdf_start(void) {
  last_text[0] = '\0';
  /* What a damaged file or a failed write leaves open in HDF5 must not make it print, loop or
   * write when the program exits; results are closed by finish and abandon. Takes effect in
   * the first call only, before any other call of HDF5, and fails in later ones. */
  (void)H5dont_atexit();
  /* Failing to set the handler would only make HDF5 print its own text as well. */
  (void)H5Eset_auto2(H5E_DEFAULT, remember, NULL);
}

const char *xs_result_hdf_text(void) { return last_text; }

xs_status xs_result_hdf_fail(xs_report *report, const char *path, const char *what) {
  return xs_report_error(report, XS_IO, &(xs_place){.file = path}, "%s (HDF5: %s)", what,
                         last_text[0] ? last_text : "no cause given");
}

/* ---- types ---- */

/* A fixed-length UTF-8 string of max(size, 1) bytes, filled up with NUL. */
static hid_t text_type(size_t size) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type < 0) return type;
  if (H5Tset_size(type, size > 0 ? size : 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
      H5Tset_strpad(type, H5T_STR_NULLPAD) < 0) {
    H5Tclose(type);
    return -1;
  }
  return type;
}

int xs_result_hdf_is_own_type(hid_t type) {
  const hid_t numbers[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_I32LE};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (H5Tequal(type, numbers[i]) > 0) return 1;
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return 0;
  const hid_t text = text_type(H5Tget_size(type));
  if (text < 0) return 0;
  const int equal = H5Tequal(type, text) > 0;
  H5Tclose(text);
  return equal;
}

int xs_result_hdf_has_type(hid_t dataset, hid_t type) {
  const hid_t stored = H5Dget_type(dataset);
  const int same = stored >= 0 && H5Tequal(stored, type) > 0;
  if (stored >= 0) H5Tclose(stored);
  return same;
}

/* ---- attributes ---- */

static herr_t add_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type,
                            const void *value) {
  herr_t status = -1;
  hid_t space = H5Screate(H5S_SCALAR);
  if (space < 0) return -1;
  hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) {
    status = H5Awrite(attribute, memory_type, value);
    if (H5Aclose(attribute) < 0) status = -1;
  }
  return H5Sclose(space) < 0 ? -1 : status;
}

/* Writes (put) or reads the value of an attribute that exists. */
static herr_t use_attribute(hid_t object, const char *name, hid_t memory_type, void *value,
                            int put) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  herr_t status = -1;
  hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
  /* One value: a damaged file may hold more than there is room for. */
  if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && type >= 0 &&
      xs_result_hdf_is_own_type(type))
    status = put ? H5Awrite(attribute, memory_type, value) : H5Aread(attribute, memory_type, value);
  if (space >= 0 && H5Sclose(space) < 0) status = -1;
  if (type >= 0) H5Tclose(type);
  return H5Aclose(attribute) < 0 ? -1 : status;
}

herr_t xs_result_hdf_add_text(hid_t object, const char *name, const char *text, size_t room) {
  size_t length = strlen(text), size = length > room ? length : room;
  hid_t type = text_type(size), memory = text_type(length);
  herr_t status = -1;
  if (type >= 0 && memory >= 0) status = add_attribute(object, name, type, memory, text);
  if (type >= 0 && H5Tclose(type) < 0) status = -1;
  if (memory >= 0 && H5Tclose(memory) < 0) status = -1;
  return status;
}

herr_t xs_result_hdf_put_text(hid_t object, const char *name, const char *text) {
  char copy[TEXT_MAX];
  snprintf(copy, sizeof copy, "%s", text);
  hid_t type = text_type(strlen(copy));
  if (type < 0) return -1;
  herr_t status = use_attribute(object, name, type, copy, 1);
  return H5Tclose(type) < 0 ? -1 : status;
}

herr_t xs_result_hdf_add_int(hid_t object, const char *name, int value) {
  return add_attribute(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, &value);
}

herr_t xs_result_hdf_add_int64(hid_t object, const char *name, int64_t value) {
  return add_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

herr_t xs_result_hdf_put_int(hid_t object, const char *name, int value) {
  return use_attribute(object, name, H5T_NATIVE_INT, &value, 1);
}

herr_t xs_result_hdf_add_double(hid_t object, const char *name, double value) {
  return add_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

herr_t xs_result_hdf_get(hid_t object, const char *name, hid_t memory_type, void *value) {
  return use_attribute(object, name, memory_type, value, 0);
}

herr_t xs_result_hdf_describe(hid_t dataset, const char *unit, const char *long_name) {
  if (xs_result_hdf_add_text(dataset, "units", unit, 0) < 0) return -1;
  return xs_result_hdf_add_text(dataset, "long_name", long_name, 0);
}

/* ---- what is written once ---- */

static int64_t checksum_of(const void *bytes, size_t size) {
  return (int64_t)xs_hash_bytes(XS_HASH_START, bytes, size);
}

/* Whether these bytes, read from a dataset, have its checksum. */
static int has_checksum(hid_t dataset, const void *bytes, size_t size) {
  int64_t checksum = 0;
  return use_attribute(dataset, CHECKSUM, H5T_NATIVE_INT64, &checksum, 0) >= 0 &&
         checksum == checksum_of(bytes, size);
}

herr_t xs_result_hdf_verify(hid_t dataset) {
  const htri_t has = H5Aexists(dataset, CHECKSUM);
  if (has <= 0) return has < 0 ? -1 : 0;
  xs_arena arena = {0};
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hsize_t size = H5Dget_storage_size(dataset);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  const size_t one = type >= 0 ? H5Tget_size(type) : 0;
  /* As much as there is: a damaged length may claim anything. */
  int verified = n > 0 && one > 0 && xs_result_hdf_is_own_type(type) && size / one == (hsize_t)n &&
                 size % one == 0;
  char *bytes = verified ? xs_arena_alloc(&arena, 1, size) : NULL;
  verified = bytes && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0 &&
             has_checksum(dataset, bytes, size);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  xs_arena_free(&arena);
  return verified ? 0 : -1;
}

/* A dataset of count values of a type in the file (count 0: scalar) and of so many bytes each,
 * described. */
static herr_t add_dataset(hid_t group, const char *name, hsize_t count, hid_t file_type,
                          hid_t memory_type, const void *values, size_t size, const char *unit,
                          const char *long_name) {
  herr_t status = -1;
  hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE), dataset = -1;
  if (space >= 0 && plan >= 0 && H5Pset_obj_track_times(plan, 0) >= 0)
    dataset = H5Dcreate2(group, name, file_type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  if (dataset >= 0) {
    status = H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (status >= 0) status = xs_result_hdf_describe(dataset, unit, long_name);
    const int64_t checksum = checksum_of(values, (size_t)(count > 0 ? count : 1) * size);
    if (status >= 0) status = xs_result_hdf_add_int64(dataset, CHECKSUM, checksum);
    if (H5Dclose(dataset) < 0) status = -1;
  }
  if (plan >= 0 && H5Pclose(plan) < 0) status = -1;
  if (space >= 0 && H5Sclose(space) < 0) status = -1;
  return status;
}

/* ---- texts ---- */

/* Count texts of size bytes each (count 0: scalar). */
static herr_t add_text_dataset(hid_t group, const char *name, hsize_t count, size_t size,
                               const char *bytes, const char *long_name) {
  hid_t type = text_type(size);
  if (type < 0) return -1;
  herr_t status =
      add_dataset(group, name, count, type, type, bytes, size > 0 ? size : 1, "1", long_name);
  return H5Tclose(type) < 0 ? -1 : status;
}

herr_t xs_result_hdf_add_doubles(hid_t group, const char *name, int n, const double *numbers,
                                 const char *unit, const char *long_name) {
  return add_dataset(group, name, (hsize_t)n, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers,
                     sizeof *numbers, unit, long_name);
}

herr_t xs_result_hdf_add_bytes(hid_t group, const char *name, const char *bytes, size_t length,
                               const char *long_name) {
  return add_text_dataset(group, name, 0, length, length > 0 ? bytes : "", long_name);
}

herr_t xs_result_hdf_add_names(hid_t group, const char *name, int n, const char *const *texts,
                               const char *long_name) {
  size_t size = 1;
  for (int i = 0; i < n; i++)
    if (strlen(texts[i]) > size) size = strlen(texts[i]);
  xs_arena arena = {0};
  char *rows = xs_arena_alloc(&arena, (size_t)n, size);
  herr_t status = -1;
  if (rows) {
    for (int i = 0; i < n; i++) memcpy(rows + (size_t)i * size, texts[i], strlen(texts[i]));
    status = add_text_dataset(group, name, (hsize_t)n, size, rows, long_name);
  }
  xs_arena_free(&arena);
  return status;
}

/* Opens a text dataset; gives the bytes of a text and the number of texts. */
static hid_t open_texts(hid_t file, const char *path, size_t *size, hssize_t *count) {
  hid_t dataset = xs_result_hdf_exists(file, path) > 0 ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
  if (dataset < 0) return -1;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  *size = 0;
  *count = -1;
  if (type >= 0 && H5Tget_class(type) == H5T_STRING && xs_result_hdf_is_own_type(type))
    *size = H5Tget_size(type);
  if (space >= 0) *count = H5Sget_simple_extent_npoints(space);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (*size > 0 && *count >= 0) return dataset;
  H5Dclose(dataset);
  return -1;
}

static herr_t read_texts(hid_t dataset, size_t size, char *bytes) {
  hid_t type = text_type(size);
  if (type < 0) return -1;
  herr_t status = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  H5Tclose(type);
  return status;
}

char *xs_result_hdf_read_bytes(hid_t file, const char *path, xs_arena *arena, size_t *length) {
  size_t size;
  hssize_t count;
  hid_t dataset = open_texts(file, path, &size, &count);
  if (dataset < 0) return NULL;
  char *bytes = count == 1 && size < SIZE_MAX ? xs_arena_alloc(arena, size + 1, 1) : NULL;
  if (bytes && (read_texts(dataset, size, bytes) < 0 || !has_checksum(dataset, bytes, size)))
    bytes = NULL;
  if (length) *length = bytes && size == 1 && bytes[0] == '\0' ? 0 : size;
  H5Dclose(dataset);
  return bytes;
}

const char **xs_result_hdf_read_names(hid_t file, const char *path, xs_arena *arena, int *n) {
  size_t size;
  hssize_t count;
  hid_t dataset = open_texts(file, path, &size, &count);
  if (dataset < 0) return NULL;
  const char **names = NULL;
  char *rows = NULL, *texts = NULL;
  if (count <= INT32_MAX && size < SIZE_MAX) {
    names = XS_ARENA_NEW(arena, const char *, count);
    rows = xs_arena_alloc(arena, (size_t)count, size);
    texts = xs_arena_alloc(arena, (size_t)count, size + 1);
  }
  if (names && rows && texts && read_texts(dataset, size, rows) >= 0) {
    for (hssize_t i = 0; i < count; i++) {
      memcpy(texts + (size_t)i * (size + 1), rows + (size_t)i * size, size);
      names[i] = texts + (size_t)i * (size + 1);
    }
    *n = (int)count;
  } else {
    names = NULL;
  }
  H5Dclose(dataset);
  return names;
}

/* ---- files ---- */

int xs_result_hdf_exists(hid_t file, const char *path) {
  char part[TEXT_MAX];
  for (size_t i = 0;; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    if (i >= sizeof part) return -1;
    memcpy(part, path, i);
    part[i] = '\0';
    if (i > 0) {
      htri_t there = H5Lexists(file, part, H5P_DEFAULT);
      if (there <= 0) return there < 0 ? -1 : 0;
    }
    if (path[i] == '\0') return 1;
  }
}

xs_status xs_result_hdf_check_format(hid_t file, const char *path, xs_report *report) {
  const xs_place place = {.file = path};
  int format = 0;
  if (H5Aexists(file, "xsim_format") <= 0)
    return xs_report_error(report, XS_IO, &place,
                           "not a result of xsim: the attribute xsim_format is missing");
  if (xs_result_hdf_get(file, "xsim_format", H5T_NATIVE_INT, &format) < 0)
    return xs_result_hdf_fail(report, path, "damaged: the attribute xsim_format is unreadable");
  if (format < 1 || format > XS_RESULT_FORMAT)
    return xs_report_error(report, XS_IO, &place,
                           "result format %d, but this xsim reads formats 1 to %d; use the xsim "
                           "that wrote it",
                           format, XS_RESULT_FORMAT);
  return XS_OK;
}

/* HDF5 would wait for ever at a pipe, and says of a folder only that it cannot open it. */
static xs_status check_regular(const char *path, xs_report *report) {
  const xs_place place = {.file = path};
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat(fd, &status) != 0) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return xs_report_error(report, XS_IO, &place, "cannot open: %s", strerror(error));
  }
  close(fd);
  if (S_ISREG(status.st_mode)) return XS_OK;
  return xs_report_error(report, XS_IO, &place, "is %s, not a result",
                         S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
}

xs_status xs_result_hdf_open_any(const char *path, hid_t *file, xs_report *report) {
  xs_result_hdf_start();
  xs_status status = check_regular(path, report);
  if (status != XS_OK) return status;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), opened = -1;
  if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0 &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
    opened = H5Fopen(path, H5F_ACC_RDONLY, access);
  if (access >= 0) H5Pclose(access);
  if (opened < 0) return xs_result_hdf_fail(report, path, "not a result, or damaged");
  *file = opened;
  return XS_OK;
}

xs_status xs_result_hdf_open(const char *path, hid_t *file, xs_report *report) {
  hid_t opened;
  xs_status status = xs_result_hdf_open_any(path, &opened, report);
  if (status != XS_OK) return status;
  status = xs_result_hdf_check_format(opened, path, report);
  if (status == XS_OK)
    *file = opened;
  else
    H5Fclose(opened);
  return status;
}
