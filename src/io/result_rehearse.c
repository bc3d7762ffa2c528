/* A rehearsal of writing results, before processes are forked (result_rehearse.h).
 *
 * A small file in memory, by HDF5's core driver: one dataset of each kind that results have,
 * written, flushed, closed. What is kept of it in HDF5's lists of free memory is given back, as the
 * pages of a fork that are written to have to be copied. */
#include "io/result_rehearse.h"

#include <hdf5.h>
#include <hdf5_hl.h>

#include "io/result_hdf.h"

static hid_t create_file(void) {
  enum { GROWTH = 1 << 16 };
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access >= 0 && H5Pset_fapl_core(access, GROWTH, 0) >= 0 &&
      H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0)
    file = H5Fcreate("rehearsal", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  return file;
}

/* A dataset that grows along a scale, as those of records do. */
static void write_rows(hid_t file) {
  const double rows[2] = {0};
  const hsize_t start = 0, none = 0, chunk = 64, most = H5S_UNLIMITED, two = 2;
  hid_t dataset[2], plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &none, &most);
  (void)H5Pset_chunk(plan, 1, &chunk);
  (void)H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER);
  (void)H5Pset_obj_track_times(plan, 0);
  for (int i = 0; i < 2; i++) {
    dataset[i] = H5Dcreate2(file, i == 0 ? "time" : "group/rows", H5T_IEEE_F64LE, space,
                            H5P_DEFAULT, plan, H5P_DEFAULT);
    (void)xs_result_hdf_describe(dataset[i], "s", "rehearsal");
  }
  (void)H5DSset_scale(dataset[0], "time");
  (void)H5DSattach_scale(dataset[1], dataset[0], 0);
  for (int i = 0; i < 2; i++) {
    (void)H5Dset_extent(dataset[i], &two);
    hid_t memory = H5Screate_simple(1, &two, NULL), rest = H5Dget_space(dataset[i]);
    (void)H5Sselect_hyperslab(rest, H5S_SELECT_SET, &start, NULL, &two, NULL);
    (void)H5Dwrite(dataset[i], H5T_NATIVE_DOUBLE, memory, rest, H5P_DEFAULT, rows);
    (void)H5Sclose(memory);
    (void)H5Sclose(rest);
  }
  (void)H5Fflush(file, H5F_SCOPE_LOCAL);
  for (int i = 0; i < 2; i++) (void)H5Dclose(dataset[i]);
  (void)H5Sclose(space);
  (void)H5Pclose(plan);
}

void xs_result_rehearse(void) {
  const char *const names[] = {"a"};
  xs_result_hdf_start();
  hid_t file = create_file();
  if (file < 0) return;
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  (void)xs_result_hdf_add_text(file, "text", "running", 16);
  (void)xs_result_hdf_put_text(file, "text", "complete");
  (void)xs_result_hdf_add_int(file, "int", 0);
  (void)xs_result_hdf_add_double(file, "double", 0);
  (void)xs_result_hdf_add_names(group, "names", 1, names, "rehearsal");
  (void)xs_result_hdf_add_bytes(group, "bytes", names[0], 1, "rehearsal");
  write_rows(file);
  (void)H5Gclose(group);
  (void)H5Fclose(file);
  (void)H5garbage_collect();
}
