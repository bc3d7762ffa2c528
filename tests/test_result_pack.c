/* Packing of chunks (io/result_pack.h): what HDF5's own filters make of it when they read. */
#include <criterion/criterion.h>
#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>

#include "io/result_pack.h"

enum { N = 1000 };

static xs_arena arena;
static xs_result_packer packer;
static double numbers[N];

static void setup(void) { cr_assert(xs_result_packer_create(sizeof numbers, &arena, &packer)); }
static void teardown(void) { xs_arena_free(&arena); }
TestSuite(result_pack, .init = setup, .fini = teardown);

/* A file in memory with one dataset of one chunk, behind shuffle and deflate. */
static hid_t dataset_of(hid_t file) {
  const hsize_t n = N;
  hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &n, NULL);
  cr_assert(H5Pset_chunk(plan, 1, &n) >= 0 && H5Pset_shuffle(plan) >= 0 &&
            H5Pset_deflate(plan, 4) >= 0);
  hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT);
  cr_assert(dataset >= 0 && H5Sclose(space) >= 0 && H5Pclose(plan) >= 0);
  return dataset;
}

Test(result_pack, hdf5_reads_what_was_packed) {
  const hsize_t start = 0;
  double read[N] = {0};
  for (int i = 0; i < N; i++) numbers[i] = 1 + 1e-9 * i * i;
  for (int level = 1; level <= 9; level++) {
    const size_t size = xs_result_pack(&packer, numbers, sizeof numbers, level);
    cr_assert(size > 0 && size < sizeof numbers * 3 / 4, "%zu bytes at level %d", size, level);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    cr_assert(H5Pset_fapl_core(access, 1 << 16, 0) >= 0);
    hid_t file = H5Fcreate("pack", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t dataset = dataset_of(file);
    cr_assert(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &start, size, packer.packed) >= 0);
    cr_assert(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) >= 0);
    cr_assert_arr_eq(read, numbers, sizeof numbers);
    cr_assert(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0 && H5Pclose(access) >= 0);
  }
}

Test(result_pack, what_does_not_get_smaller_is_left) {
  unsigned char *bytes = (unsigned char *)numbers;
  for (size_t i = 0; i < sizeof numbers; i++) bytes[i] = (unsigned char)(rand() >> 8);
  for (int level = 1; level <= 9; level++)
    cr_assert_eq(xs_result_pack(&packer, numbers, sizeof numbers, level), 0);
  /* Eight equal bytes take eight bytes or more. */
  numbers[0] = 0;
  cr_assert_eq(xs_result_pack(&packer, numbers, sizeof *numbers, 9), 0);
}
