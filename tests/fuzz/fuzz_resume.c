/* Fuzz target: going on with a result that was changed (io/result_resume.c, result_survey.c,
 * result_checkpoint.c).
 *
 * The changes go through HDF5 itself: numbers and texts overwritten, datasets cut, stretched, taken
 * out, put there with another type or shape, links bent, attributes changed. So the file is always
 * one that HDF5 can read, and what goes wrong is xsim's fault; damage to HDF5's own structures is
 * tests/long/test_damaged_results.py's. An input is the number of a result, then eight bytes a
 * change; where the first byte is odd, checkpoints, texts and names get the checksums of what they
 * hold then, so that what lies behind their comparison is reached, too.
 *
 * What has to hold: xsim goes on, or refuses with a message and leaves the file as it is; no
 * handle of HDF5 stays open. */
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/setup.h"
#include "app/target.h"
#include "base/hash.h"
#include "file.h"
#include "io/metric.h"
#include "tree.h"

enum {
  BASES = 3,
  OBJECTS_MAX = 128,
  PERSIST_MAX = 64,
  CHANGES_MAX = 6,
  CHANGE_BYTES = 8,
  STEPS = 12,
  BIG = 1 << 16
};

/* ---- The results that are changed --------------------------------------------------- */

static const char *const scenes[BASES] = {
    "{\"time\": {\"step\": 0.01, \"duration\": 0.2}, \"output\": {\"checkpoint\": 0.05},"
    " \"bodies\": [{\"name\": \"a\", \"position\": [0.5, 0, 0], \"mass\": 1,"
    "  \"inertia\": [0.1, 0.2, 0.2]}, {\"name\": \"b\", \"position\": [1.5, 0, 0], \"mass\": 1,"
    "  \"inertia\": [0.1, 0.2, 0.2]}], \"gravity\": [0, 0, -9.81],"
    " \"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"body1\": \"ground\","
    "  \"body2\": \"a\", \"at\": {\"position\": [0, 0, 0], \"axis\": [0, 1, 0]}},"
    "  {\"name\": \"k\", \"type\": \"spherical\", \"body1\": \"a\", \"body2\": \"b\","
    "  \"at\": {\"position\": [1, 0, 0]}}],"
    " \"checks\": [{\"metric\": \"energy.total.max\", \"below\": 100},"
    "  {\"metric\": \"bodies.position.b.z.final\", \"above\": -10}]}",
    "{\"time\": {\"step\": 0.01, \"duration\": 0.2}, \"output\": {\"checkpoint\": 0.05,"
    "  \"compression\": 4}, \"contact\": {\"enabled\": true}, \"gravity\": [0, 0, -9.81],"
    " \"solver\": {\"solve\": \"global\"}, \"bodies\": ["
    "  {\"name\": \"floor\", \"fixed\": true, \"shapes\": [{\"type\": \"plane\"}]},"
    "  {\"name\": \"ball\", \"position\": [0, 0, 0.1], \"mass\": 1,"
    "   \"shapes\": [{\"type\": \"sphere\", \"radius\": 0.1}]}]}",
    "{\"time\": {\"step\": 0.01, \"duration\": 0.2}, \"output\": {\"checkpoint\": 0.05},"
    " \"gravity\": [0, 0, -9.81], \"materials\": {\"rubber\": {\"density\": 1000,"
    "  \"youngs_modulus\": 5e6, \"poisson_ratio\": 0.5}}, \"rods\": [{\"name\": \"beam\","
    "  \"discretization\": \"quadratic\", \"elements\": 2, \"material\": \"rubber\","
    "  \"shape\": {\"type\": \"straight\", \"length\": 1}, \"section\": {\"radius\": 0.02},"
    "  \"ends\": {\"start\": \"clamped\"}}]}"};

typedef struct base {
  char *bytes;
  size_t size;
  int n_objects, n_persist;
  char object[OBJECTS_MAX][96];  /* paths of groups and datasets */
  char persist[PERSIST_MAX][64]; /* names of a checkpoint's arrays */
} base;

static base bases[BASES];
static char folder[] = "/dev/shm/xsim-fuzz-XXXXXX", path[64], partial[80];
static const xs_run_info info = {"fuzz", "fuzz", "fuzz", "fuzz", "fuzz"};

static void set_up(int resumes, xs_arena *arena, xs_setup *setup, xs_report *report,
                   xs_status *status) {
  const xs_options options = {.command = resumes ? XS_COMMAND_RESUME : XS_COMMAND_RUN,
                              .scene = resumes ? NULL : "scene.json",
                              .input = resumes ? path : NULL,
                              .until = NAN};
  *status = xs_setup_create(&options, arena, setup, report);
}

static xs_result_subject subject_of(const xs_setup *s) {
  return (xs_result_subject){s->world,       &s->source,   &info,     s->state,
                             s->observation, s->n_persist, s->persist};
}

static herr_t note_object(hid_t root, const char *name, const H5O_info_t *about, void *base_) {
  base *b = base_;
  (void)root, (void)about;
  if (b->n_objects < OBJECTS_MAX)
    snprintf(b->object[b->n_objects++], sizeof b->object[0], "%s", name);
  return 0;
}

static char *read_whole(const char *name, size_t *size) {
  struct stat status;
  const int file = open(name, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0) return NULL;
  char *bytes = malloc((size_t)status.st_size + 1);
  *size = (size_t)status.st_size;
  FUZZ_CHECK(bytes != NULL && read(file, bytes, *size) == status.st_size && close(file) == 0);
  return bytes;
}

/* A run that is stopped after STEPS steps, with a checkpoint each five. */
static void make_base(int i) {
  static xs_report report;
  xs_arena arena = {0};
  xs_setup s;
  xs_status status;
  xs_result *result = NULL;
  fuzz_file_forget();
  fuzz_file_offer("scene.json", scenes[i], strlen(scenes[i]));
  set_up(0, &arena, &s, &report, &status);
  if (status != XS_OK) xs_report_print(&report, stderr, XS_REPORT_AS_TEXT, 0);
  FUZZ_CHECK(status == XS_OK);
  const xs_result_subject subject = subject_of(&s);
  FUZZ_CHECK(xs_result_create(path, 1, &subject, &result, &report) == XS_OK);
  FUZZ_CHECK(xs_result_record(result, 0, &report) == XS_OK);
  for (int k = 1; k <= STEPS; k++) {
    FUZZ_CHECK(s.method->step(s.method_self, s.state, NULL, &report) == XS_OK);
    xs_observe(s.world, s.method, s.method_self, s.state, s.observation);
    FUZZ_CHECK(xs_result_record(result, 0, &report) == XS_OK);
    if (k % 5 == 0) FUZZ_CHECK(xs_result_checkpoint(result, &report) == XS_OK);
  }
  FUZZ_CHECK(xs_result_finish(result, "stopped", XS_STOPPED, &report) == XS_OK);
  FUZZ_CHECK(s.n_persist <= PERSIST_MAX);
  bases[i].n_persist = s.n_persist;
  for (int k = 0; k < s.n_persist; k++)
    snprintf(bases[i].persist[k], sizeof bases[i].persist[k], "%s", s.persist[k].name);
  xs_arena_free(&arena);

  bases[i].bytes = read_whole(path, &bases[i].size);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  FUZZ_CHECK(file >= 0 && H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, note_object, &bases[i]) >= 0);
  H5Fclose(file);
  FUZZ_CHECK(unlink(path) == 0);
}

static void remove_folder(void) {
  unlink(path);
  unlink(partial);
  rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  FUZZ_CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/r.h5", folder);
  snprintf(partial, sizeof partial, "%s.partial", path);
  FUZZ_CHECK(atexit(remove_folder) == 0);
  for (int i = 0; i < BASES; i++) make_base(i);
  return 0;
}

/* ---- Changes -------------------------------------------------------------------------- */

static const double numbers[] = {0,     -1,     1,    NAN,   INFINITY,     -INFINITY,
                                 1e300, 1e-300, 1e18, -1e18, 2147483648.0, 5,
                                 10,    12,     1e6,  0.01};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

/* One number of a dataset, or a byte of a text. */
static void overwrite(hid_t dataset, unsigned where, unsigned what) {
  static char room[BIG];
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  const size_t size = H5Tget_size(type);
  const H5T_class_t class = H5Tget_class(type);
  if (n > 0 && !H5Tis_variable_str(type) && (size_t)n <= sizeof room / size &&
      H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) >= 0) {
    const size_t k = where % (size_t)n;
    const double x = numbers[what % N_NUMBERS];
    if (class == H5T_FLOAT && size == sizeof x)
      memcpy(room + k * size, &x, sizeof x);
    else if (class == H5T_INTEGER && size == sizeof(int64_t)) {
      const int64_t whole = x > -2e18 && x < 2e18 ? (int64_t)x : INT64_MIN;
      memcpy(room + k * size, &whole, sizeof whole);
    } else
      room[where % ((size_t)n * size)] = (char)what;
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
  }
  H5Tclose(type);
  H5Sclose(space);
}

static const hsize_t lengths[] = {0,  1,  2,    3,          5,          12,
                                  13, 14, 1000, 1ULL << 31, 1ULL << 40, 1ULL << 62};
enum { N_LENGTHS = sizeof lengths / sizeof *lengths };

static void stretch(hid_t dataset, unsigned axis, unsigned length) {
  hsize_t dims[H5S_MAX_RANK];
  hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  /* A long one that is cut keeps HDF5 busy for ages: xsim must not do that, nor does this. */
  if (rank < 1 || dims[0] > 100000) return;
  dims[axis % (unsigned)rank] = lengths[length % N_LENGTHS];
  H5Dset_extent(dataset, dims);
}

/* A type and a space that xsim does not write there; it is never filled, so that a large one takes
 * no room. */
static void make_type_space(unsigned a, unsigned b, hid_t *type, hid_t *space) {
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_IEEE_F32BE, H5T_STD_U8LE, H5T_C_S1};
  const hsize_t dims[4] = {lengths[b % N_LENGTHS], 1 + (b >> 4) % 5, 2, 2};
  *type = H5Tcopy(types[a % 5]);
  if (a % 5 == 4) H5Tset_size(*type, (a >> 3) % 3 == 0 ? H5T_VARIABLE : 1 + (a >> 3));
  const unsigned rank = (a >> 6) % 4;
  *space = b % 16 == 15 ? H5Screate(H5S_NULL)
           : rank == 0  ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple((int)rank, dims, NULL);
}

static void replace_dataset(hid_t file, const char *name, unsigned a, unsigned b) {
  hid_t type, space;
  make_type_space(a, b, &type, &space);
  if (H5Ldelete(file, name, H5P_DEFAULT) >= 0) {
    /* Contiguous space for a large one would be taken from the disk at once. */
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), made;
    H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(plan, H5D_ALLOC_TIME_LATE);
    made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (made >= 0) H5Dclose(made);
    H5Pclose(plan);
  }
  H5Tclose(type);
  H5Sclose(space);
}

static void change_attribute(hid_t object, unsigned which, unsigned a, unsigned b) {
  const hssize_t n = H5Aget_num_attrs(object);
  char name[64], room[4096];
  if (n <= 0) return;
  hid_t attribute = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC,
                                   (hsize_t)(which % (unsigned)n), H5P_DEFAULT, H5P_DEFAULT);
  if (attribute < 0) return;
  H5Aget_name(attribute, sizeof name, name);
  hid_t type = H5Aget_type(attribute);
  const hsize_t size = H5Aget_storage_size(attribute);
  if (a % 3 == 0 && size > 0 && size < sizeof room && H5Tget_class(type) != H5T_REFERENCE &&
      H5Tget_class(type) != H5T_VLEN && H5Tget_class(type) != H5T_COMPOUND &&
      H5Aread(attribute, type, room) >= 0) {
    room[(a >> 2) % size] = (char)b;
    H5Awrite(attribute, type, room);
  }
  H5Tclose(type);
  H5Aclose(attribute);
  if (a % 3 == 0) return;
  H5Adelete(object, name);
  if (a % 3 == 1) return;
  hid_t space;
  make_type_space(a, b & 7, &type, &space);
  attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) H5Aclose(attribute);
  H5Tclose(type);
  H5Sclose(space);
}

static void bend_link(hid_t file, const char *name, const char *other, unsigned how) {
  char target[128];
  snprintf(target, sizeof target, "/%s", other);
  if (H5Ldelete(file, name, H5P_DEFAULT) < 0) return;
  switch (how % 5) {
    case 0:
      H5Lcreate_soft("/nowhere", file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 1:
      H5Lcreate_soft(target, file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:
      H5Lcreate_hard(file, target, file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 3:
      H5Lcreate_external("/nonexistent.h5", target, file, name, H5P_DEFAULT, H5P_DEFAULT);
      break;
    default: {
      const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      if (group >= 0) H5Gclose(group);
    }
  }
}

static void apply(const base *b, hid_t file, const uint8_t *c) {
  const char *name = b->object[c[1] % (unsigned)b->n_objects];
  const unsigned x = c[2] | (unsigned)c[3] << 8, y = c[4] | (unsigned)c[5] << 8;
  hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (object < 0) return;
  const int is_dataset = H5Iget_type(object) == H5I_DATASET;
  switch (c[0] % 8) {
    case 0:
    case 1:
    case 2:
      if (is_dataset) overwrite(object, x, y);
      break;
    case 3:
      if (is_dataset) stretch(object, x, y);
      break;
    case 4:
      change_attribute(object, c[6], x, y);
      break;
    default:
      break;
  }
  H5Oclose(object);
  if (strcmp(name, ".") == 0) return;
  if (c[0] % 8 == 5) H5Ldelete(file, name, H5P_DEFAULT);
  if (c[0] % 8 == 6) replace_dataset(file, name, x, y);
  if (c[0] % 8 == 7) bend_link(file, name, b->object[x % (unsigned)b->n_objects], y);
}

/* Reads the values of a dataset to static room; how many bytes they are, 0 if they are too many. */
static size_t read_values(hid_t dataset, const void **values) {
  static char room[BIG];
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  size_t size = H5Tget_size(type);
  if (H5Tis_variable_str(type) || n < 0 || size == 0 || (size_t)n > sizeof room / size ||
      H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) < 0)
    size = 0;
  H5Tclose(type);
  H5Sclose(space);
  *values = room;
  return (size_t)n * size;
}

static hid_t open_in_slot(hid_t file, int slot, const char *name) {
  char where[128];
  snprintf(where, sizeof where, "checkpoint/slot%d/%s", slot, name);
  return H5Dopen2(file, where, H5P_DEFAULT);
}

/* As result_checkpoint.c has it. */
static void renew_checkpoint(const base *b, hid_t file, int slot) {
  const void *values = NULL;
  uint64_t hash = XS_HASH_START;
  for (int k = -2; k < b->n_persist; k++) {
    const char *name = k == -2 ? "step" : k == -1 ? "records" : b->persist[k];
    const hid_t dataset = open_in_slot(file, slot, name);
    if (dataset < 0) continue;
    const size_t n = read_values(dataset, &values) / 8;
    hash = xs_hash_words(hash, values, n);
    H5Dclose(dataset);
  }
  const hid_t dataset = open_in_slot(file, slot, "checksum");
  if (dataset < 0) return;
  const hid_t space = H5Dget_space(dataset);
  if (H5Sget_simple_extent_npoints(space) == 1)
    H5Dwrite(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &hash);
  H5Sclose(space);
  H5Dclose(dataset);
}

/* As result_hdf.c has it. */
static void renew_text(hid_t file, const char *name) {
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (object < 0) return;
  if (H5Iget_type(object) == H5I_DATASET && H5Aexists(object, "checksum") > 0) {
    const void *values = NULL;
    const size_t size = read_values(object, &values);
    const uint64_t hash = xs_hash_bytes(XS_HASH_START, values, size);
    const hid_t attribute = H5Aopen(object, "checksum", H5P_DEFAULT);
    const hid_t space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) == 1) H5Awrite(attribute, H5T_NATIVE_UINT64, &hash);
    H5Sclose(space);
    H5Aclose(attribute);
  }
  H5Oclose(object);
}

static void renew(const base *b, hid_t file) {
  for (int slot = 0; slot < 2; slot++) renew_checkpoint(b, file, slot);
  for (int i = 0; i < b->n_objects; i++) renew_text(file, b->object[i]);
}

static void write_changed(const base *b, int renewed, const uint8_t *data, size_t size) {
  const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  FUZZ_CHECK(out >= 0 && write(out, b->bytes, b->size) == (ssize_t)b->size && close(out) == 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  FUZZ_CHECK(file >= 0);
  for (size_t k = 0; k < CHANGES_MAX && (k + 1) * CHANGE_BYTES <= size; k++)
    apply(b, file, data + k * CHANGE_BYTES);
  if (renewed) renew(b, file);
  FUZZ_CHECK(H5Fclose(file) >= 0);
}

/* ---- Going on ------------------------------------------------------------------------- */

static int open_handles(void) {
  int n = 0;
  const H5I_type_t types[] = {H5I_FILE,      H5I_GROUP,   H5I_DATATYPE,
                              H5I_DATASPACE, H5I_DATASET, H5I_ATTR};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    hsize_t members = 0;
    if (H5Inmembers(types[i], &members) >= 0) n += (int)members;
  }
  return n;
}

static xs_status steps(const xs_setup *s, xs_result *result, xs_report *report) {
  xs_status status = XS_OK;
  for (int k = 0; k < 3 && status == XS_OK; k++) {
    status = s->method->step(s->method_self, s->state, NULL, report);
    if (status != XS_OK) break;
    xs_observe(s->world, s->method, s->method_self, s->state, s->observation);
    status = xs_observe_check(s->world, s->state, s->observation, XS_DIVERGED, report);
    if (status == XS_OK) status = xs_result_record(result, 0, report);
  }
  if (status == XS_OK) status = xs_result_checkpoint(result, report);
  for (int i = 0; i < s->world->n_checks && status == XS_OK; i++) {
    double value = 0;
    int held = 0;
    const xs_status checked = xs_metric_check(result, &s->world->checks[i], &value, &held, report);
    FUZZ_CHECK(checked == XS_OK || checked == XS_SCENE || checked == XS_IO);
  }
  return status;
}

static void go_on(xs_setup *s, xs_report *report) {
  xs_result *result = NULL;
  const xs_result_subject subject = subject_of(s);
  size_t size = 0, size_after = 0;
  char *before = read_whole(path, &size);
  const xs_status status = xs_result_resume(path, &subject, &result, report);
  fuzz_check_report(report, status);
  FUZZ_CHECK(status == XS_OK || status == XS_IO || status == XS_SCENE);
  if (status != XS_OK) {
    char *after = read_whole(path, &size_after);
    FUZZ_CHECK(after != NULL && size == size_after && memcmp(before, after, size) == 0);
    FUZZ_CHECK(access(partial, F_OK) != 0);
    free(after);
  } else {
    const xs_status outcome = steps(s, result, report);
    if (outcome == XS_OK)
      (void)xs_result_finish(result, "stopped", XS_STOPPED, report);
    else
      xs_result_abandon(result);
  }
  free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static xs_report report;
  xs_arena arena = {0};
  xs_setup s;
  xs_status status;
  xs_result_standing standing;
  int nothing_to_do = 0;
  if (size < 1 + CHANGE_BYTES) return 0;
  write_changed(&bases[data[0] / 2 % BASES], data[0] % 2, data + 1, size - 1);

  const int handles = open_handles();
  report = (xs_report){0};
  set_up(1, &arena, &s, &report, &status);
  fuzz_check_report(&report, status);
  FUZZ_CHECK(status != XS_USAGE); /* nothing is wrong with the command line */
  /* A stored scene that was changed may be any scene; those that are merely large are no matter. */
  if (status == XS_OK && s.world->n_nodes < 200) {
    status = xs_target_check_resume(&s, &standing, &nothing_to_do, &report);
    fuzz_check_report(&report, status);
    if (status == XS_OK && !nothing_to_do) {
      report = (xs_report){0};
      go_on(&s, &report);
    }
  }
  FUZZ_CHECK(open_handles() == handles);
  xs_arena_free(&arena);
  unlink(path);
  unlink(partial);
  return 0;
}

/* Whole changes are added, dropped and altered; bytes seldom. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  if (seed % 4 == 0 || max_size < 1 + CHANGES_MAX * CHANGE_BYTES)
    return LLVMFuzzerMutate(data, size, max_size);
  size_t n = size > 1 ? (size - 1) / CHANGE_BYTES : 0;
  srand(seed);
  if (n > CHANGES_MAX - 1) n = CHANGES_MAX - 1;
  if (size == 0 || rand() % 8 == 0) data[0] = (uint8_t)(rand() % (2 * BASES));
  const size_t k = n == 0 || rand() % 3 == 0 ? n++ : (size_t)rand() % n;
  for (int i = 0; i < CHANGE_BYTES; i++)
    if (k == n - 1 || rand() % 2 == 0) data[1 + k * CHANGE_BYTES + (size_t)i] = (uint8_t)rand();
  return 1 + n * CHANGE_BYTES;
}
