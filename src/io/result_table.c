/* Tables (result_table.h): small files, written at once and renamed. */
#include "io/result_table.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "io/result_hdf.h"

static herr_t write_column(hid_t group, int n_rows, const xs_result_table_column *column) {
  if (column->text != NULL)
    return xs_result_hdf_add_names(group, column->name, n_rows, column->text, column->long_name);
  return xs_result_hdf_add_doubles(group, column->name, n_rows, column->number, column->unit,
                                   column->long_name);
}

static herr_t write_columns(hid_t file, int n_rows, int n_columns,
                            const xs_result_table_column *columns) {
  herr_t status = 0;
  hid_t group = -1;
  const char *open = NULL;
  for (int i = 0; i < n_columns && status >= 0; i++) {
    const char *wanted = columns[i].group;
    if (open != NULL && (wanted == NULL || strcmp(open, wanted) != 0)) {
      if (H5Gclose(group) < 0) return -1;
      open = NULL;
    }
    if (wanted != NULL && open == NULL) {
      group = H5Gcreate2(file, wanted, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      if (group < 0) return -1;
      open = wanted;
    }
    status = write_column(open != NULL ? group : file, n_rows, &columns[i]);
  }
  if (open != NULL && H5Gclose(group) < 0) status = -1;
  return status;
}

xs_status xs_result_table_write(const char *path, int n_rows, int n_columns,
                                const xs_result_table_column *columns, xs_report *report) {
  char partial[XS_REPORT_FILE];
  const xs_place place = {.file = path};
  if ((size_t)snprintf(partial, sizeof partial, "%s.partial", path) >= sizeof partial)
    return xs_report_error(report, XS_IO, &place, "cannot be written: its name is too long");

  xs_result_hdf_start();
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0)
    file = H5Fcreate(partial, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  herr_t written = -1;
  if (file >= 0) written = write_columns(file, n_rows, n_columns, columns);
  if (file >= 0 && H5Fclose(file) < 0) written = -1;
  if (written < 0) {
    (void)unlink(partial);
    return xs_result_hdf_fail(report, path, "cannot be written");
  }
  if (rename(partial, path) == 0) return XS_OK;
  return xs_report_error(report, XS_IO, &place, "cannot be replaced: %s", strerror(errno));
}
