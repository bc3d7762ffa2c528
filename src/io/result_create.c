/* The content of a new result: root attributes, names, fields, provenance, checkpoint. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "constraint/rod.h"
#include "io/result_hdf.h"
#include "io/result_private.h"

static herr_t create_root(const xs_result *result) {
  const xs_run_info *run = result->subject.run;
  hid_t root = result->file;
  int bad = xs_result_hdf_add_int(root, "xsim_format", XS_RESULT_FORMAT) < 0 ||
            xs_result_hdf_add_text(root, "xsim_version", run->version, 0) < 0 ||
            xs_result_hdf_add_text(root, "git_commit", run->git_commit, 0) < 0 ||
            xs_result_hdf_add_text(root, "status", "running", XS_RESULT_STATUS_ROOM) < 0 ||
            xs_result_hdf_add_int(root, "exit_code", XS_RESULT_EXIT_RUNNING) < 0 ||
            xs_result_hdf_add_double(root, "time_step", result->subject.world->time.step) < 0;
  /* Metrics tell by it that the row of t = 0 has forces. */
  if (result->subject.world->solver.mode == XS_MODE_STATIC)
    bad = bad || xs_result_hdf_add_int(root, "static", 1) < 0;
  return bad ? -1 : 0;
}

/* The group at the first n bytes of a path and those above it, if they are not there. */
static herr_t create_group(hid_t file, const char *path, size_t n, xs_arena *arena) {
  char *name = xs_arena_alloc(arena, n + 1, 1);
  if (!name) return -1;
  memcpy(name, path, n);
  if (xs_result_hdf_exists(file, name) > 0) return 0;
  hid_t plan = H5Pcreate(H5P_LINK_CREATE), group = -1;
  if (plan >= 0 && H5Pset_create_intermediate_group(plan, 1) >= 0)
    group = H5Gcreate2(file, name, plan, H5P_DEFAULT, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  return group < 0 || H5Gclose(group) < 0 ? -1 : 0;
}

/* All groups that datasets stand in, before the datasets: root's names may then move no more. */
static herr_t create_groups(const xs_result *result, xs_report *report) {
  xs_arena arena = {0};
  xs_result_dataset *list;
  int n, bad = xs_result_fields_list(result->subject.world, &arena, &list, &n, report) != XS_OK;
  for (int i = 0; i < n && !bad; i++) {
    const char *path = list[i].path, *slash = strrchr(path, '/');
    bad = slash && create_group(result->file, path, (size_t)(slash - path), &arena) < 0;
  }
  xs_arena_free(&arena);
  return bad ? -1 : 0;
}

/* ---- names, types and arc lengths, which do not change with time ---- */

static const char *joint_type_name(xs_joint_type type) {
  static const char *const names[XS_N_JOINT_TYPES] = {
      [XS_JOINT_FIXED] = "fixed",         [XS_JOINT_REVOLUTE] = "revolute",
      [XS_JOINT_SPHERICAL] = "spherical", [XS_JOINT_PRISMATIC] = "prismatic",
      [XS_JOINT_PLANAR] = "planar",       [XS_JOINT_DISTANCE] = "distance",
  };
  return names[type];
}

static herr_t create_names(xs_result *result) {
  const xs_world *world = result->subject.world;
  int n = world->n_bodies > world->n_joints ? world->n_bodies : world->n_joints;
  if (n < world->n_rods) n = world->n_rods;
  const char **texts = XS_ARENA_NEW(&result->arena, const char *, n);
  if (!texts) return -1;
  if (world->n_bodies > 0 && world->output.bodies) {
    for (int i = 0; i < world->n_bodies; i++) texts[i] = world->bodies[i].name;
    if (xs_result_hdf_add_names(result->file, "bodies/name", world->n_bodies, texts,
                                "names of the bodies") < 0)
      return -1;
  }
  if (world->n_joints > 0 && world->output.joints) {
    for (int i = 0; i < world->n_joints; i++) texts[i] = world->joints[i].name;
    if (xs_result_hdf_add_names(result->file, "joints/name", world->n_joints, texts,
                                "names of the joints") < 0)
      return -1;
    for (int i = 0; i < world->n_joints; i++) texts[i] = joint_type_name(world->joints[i].type);
    if (xs_result_hdf_add_names(result->file, "joints/type", world->n_joints, texts,
                                "types of the joints") < 0)
      return -1;
  }
  if (world->n_rods > 0 && world->output.rods) {
    for (int i = 0; i < world->n_rods; i++) texts[i] = world->rods[i].name;
    if (xs_result_hdf_add_names(result->file, "rods/name", world->n_rods, texts,
                                "names of the rods") < 0)
      return -1;
  }
  return 0;
}

/* Of one rod: arc lengths of nodes and Gauss points. */
static herr_t create_arc_lengths(xs_result *result, const xs_rod *rod) {
  const int n_points = rod->n_elements * rod->n_gauss;
  double *gauss = XS_ARENA_NEW(&result->arena, double, n_points);
  hid_t rods = H5Gopen2(result->file, "rods", H5P_DEFAULT);
  hid_t group = rods >= 0 ? H5Gopen2(rods, rod->name, H5P_DEFAULT) : -1;
  int bad = !gauss || group < 0;
  if (!bad) {
    xs_rod_gauss_arc_length(rod, gauss);
    bad = xs_result_hdf_add_doubles(group, "arc_length", rod->n_nodes, rod->arc_length, "m",
                                    "arc length of the nodes at rest") < 0 ||
          xs_result_hdf_add_doubles(group, "gauss_arc_length", n_points, gauss, "m",
                                    "arc length of the Gauss points at rest") < 0;
  }
  if (group >= 0 && H5Gclose(group) < 0) bad = 1;
  if (rods >= 0 && H5Gclose(rods) < 0) bad = 1;
  return bad ? -1 : 0;
}

static herr_t create_rods(xs_result *result) {
  const xs_world *world = result->subject.world;
  for (int r = 0; r < world->n_rods && world->output.rods; r++)
    if (create_arc_lengths(result, &world->rods[r]) < 0) return -1;
  return 0;
}

/* ---- provenance ---- */

static herr_t add_text(hid_t group, const char *name, const char *text, const char *long_name) {
  return xs_result_hdf_add_bytes(group, name, text, strlen(text), long_name);
}

herr_t xs_result_create_run_texts(const xs_result *result, hid_t group) {
  const xs_run_info *run = result->subject.run;
  const xs_scene_source *source = result->subject.source;
  char host[HOST_NAME_MAX + 1] = "unknown", start[32] = "unknown";
  time_t now = time(NULL);
  struct tm parts;
  if (gethostname(host, sizeof host) != 0) snprintf(host, sizeof host, "unknown");
  host[HOST_NAME_MAX] = '\0';
  if (gmtime_r(&now, &parts)) strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &parts);
  int bad = add_text(group, "overrides", source->overrides,
                     "scene values set from outside, one PATH=VALUE a line") < 0 ||
            add_text(group, "resolved", source->resolved,
                     "all parameters with defaults filled in, JSON") < 0 ||
            add_text(group, "command_line", run->command_line, "command line of the run") < 0 ||
            add_text(group, "version", run->version, "version of xsim") < 0 ||
            add_text(group, "git_commit", run->git_commit, "commit of xsim's sources") < 0 ||
            add_text(group, "compiler", run->compiler, "compiler and its flags") < 0 ||
            add_text(group, "libraries", run->libraries, "versions of the libraries in use") < 0 ||
            add_text(group, "host", host, "name of the machine") < 0 ||
            add_text(group, "start_time", start, "start of the run, UTC") < 0;
  return bad ? -1 : 0;
}

/* The group gets a member each time a run goes on. Its links stand in its header, which a commit
 * changes in one write; HDF5 does so where the order of links is asked for. Other groups have a
 * heap and a tree of names, which would have to change at once. */
static hid_t create_provenance_group(hid_t file) {
  enum { LINKS_MAX = 10000 };
  hid_t plan = H5Pcreate(H5P_GROUP_CREATE), group = -1;
  if (plan >= 0 && H5Pset_link_creation_order(plan, H5P_CRT_ORDER_TRACKED) >= 0 &&
      H5Pset_link_phase_change(plan, LINKS_MAX, 0) >= 0)
    group = H5Gcreate2(file, "provenance", H5P_DEFAULT, plan, H5P_DEFAULT);
  if (plan >= 0) H5Pclose(plan);
  return group;
}

static herr_t create_provenance(const xs_result *result) {
  const xs_scene_source *source = result->subject.source;
  hid_t group = create_provenance_group(result->file);
  if (group < 0) return -1;
  int bad = xs_result_hdf_add_bytes(group, "scene", source->text, source->length,
                                    "the scene file, its exact bytes") < 0 ||
            add_text(group, "scene_file", source->file, "name of the scene file as given") < 0 ||
            xs_result_create_run_texts(result, group) < 0;
  return H5Gclose(group) < 0 || bad ? -1 : 0;
}

xs_status xs_result_create_content(xs_result *result, xs_report *report) {
  if (create_root(result) < 0 || create_groups(result, report) < 0)
    return xs_result_fail(result, "cannot create the result", report);
  xs_status status = xs_result_column_create_all(result, report);
  if (status == XS_OK) status = xs_result_contacts_create(result, report);
  if (status == XS_OK) status = xs_result_column_buffer(result, report);
  if (status != XS_OK) return status;
  if (create_names(result) < 0 || create_rods(result) < 0 || create_provenance(result) < 0)
    return xs_result_fail(result, "cannot write names and provenance", report);
  return xs_result_checkpoint_create(result, report);
}
