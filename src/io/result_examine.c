/* Looking through a result (result_examine.h). */
#include "io/result_examine.h"

#include <stdio.h>

#include "io/result_hdf.h"
#include "io/result_layout.h"

/* The name of the object that was come to last, and where all of them stand. */
typedef struct visit {
  char name[256];
  xs_result_layout layout;
} visit;

static void come_to(visit *v, const char *name) { snprintf(v->name, sizeof v->name, "%s", name); }

static herr_t open_attribute(hid_t object, const char *name, const H5A_info_t *info, void *unused) {
  (void)info, (void)unused;
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) return -1;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const herr_t status = type >= 0 && space >= 0 ? 0 : -1;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return H5Aclose(attribute) < 0 ? -1 : status;
}

/* 1 if numbers go through the filters of results only: others may be lossy. */
static int has_own_filters(hid_t plan) {
  const int n = H5Pget_nfilters(plan);
  int own = n >= 0;
  for (int i = 0; own && i < n; i++) {
    size_t n_values = 0;
    unsigned flags;
    const H5Z_filter_t filter =
        H5Pget_filter2(plan, (unsigned)i, &flags, &n_values, NULL, 0, NULL, NULL);
    own = filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE;
  }
  return own;
}

/* 1 if numbers stand in this file, and not in others. */
static int is_own_storage(hid_t plan) {
  const H5D_layout_t layout = H5Pget_layout(plan);
  if (layout == H5D_CONTIGUOUS) return H5Pget_external_count(plan) == 0;
  return layout == H5D_CHUNKED || layout == H5D_COMPACT;
}

static herr_t look_at_dataset(hid_t dataset) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset),
        plan = H5Dget_create_plist(dataset);
  const int own = type >= 0 && space >= 0 && plan >= 0 && xs_result_hdf_is_own_type(type) &&
                  has_own_filters(plan) && is_own_storage(plan);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (plan >= 0) H5Pclose(plan);
  return own ? 0 : -1;
}

int xs_result_examine_header(hid_t object) {
  return H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, open_attribute, NULL) >= 0;
}

static herr_t look_at(hid_t root, const char *name, const H5O_info_t *info, void *visit_) {
  visit *v = visit_;
  come_to(v, name);
  /* Two names for one object: what is written under one would stand under the other as well. */
  if (info->rc > 1) return -1;
  hid_t object = H5Oopen(root, name, H5P_DEFAULT);
  if (object < 0) return -1;
  herr_t status = xs_result_examine_header(object) ? 0 : -1;
  if (status >= 0 && info->type == H5O_TYPE_DATASET) status = look_at_dataset(object);
  if (status >= 0 && info->type == H5O_TYPE_DATASET)
    status = xs_result_layout_add_numbers(&v->layout, object);
  if (status >= 0 && info->type == H5O_TYPE_DATASET) status = xs_result_hdf_verify(object);
  return H5Oclose(object) < 0 ? -1 : status;
}

/* Nor does a result have links that stand for other names. */
static herr_t look_at_link(hid_t group, const char *name, const H5L_info_t *info, void *visit_) {
  visit *v = visit_;
  come_to(v, name);
  if (info->type != H5L_TYPE_HARD) return -1;
  return xs_result_layout_add_header(&v->layout, group, name);
}

xs_status xs_result_examine(hid_t file, const char *path, xs_report *report) {
  visit v = {.name = "."};
  const int readable =
      H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &v, H5O_INFO_ALL) >= 0 &&
      H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_link, &v) >= 0;
  const int sound = readable && xs_result_layout_is_sound(&v.layout, file);
  xs_result_layout_free(&v.layout);
  if (sound) return XS_OK;
  if (readable)
    return xs_report_error(report, XS_IO, &(xs_place){.file = path},
                           "damaged: two of its parts stand at one place, or one beyond its end");
  char what[sizeof v.name + 100];
  snprintf(what, sizeof what,
           "damaged: /%s or what comes after it cannot be read, or is not as it was written",
           v.name[0] == '.' ? "" : v.name);
  return xs_result_hdf_fail(report, path, what);
}
