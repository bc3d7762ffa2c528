/* The content of a new result: root attributes, names, fields, provenance, checkpoint. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
  return bad ? -1 : 0;
}

/* The groups that fields stand in, those that are recorded. */
static herr_t create_groups(const xs_result *result) {
  for (int i = 0; i < XS_RESULT_N_FIELDS; i++) {
    char name[64];
    const char *path = xs_result_fields[i].path, *slash = strchr(path, '/');
    if (!slash || !xs_result_fields_recorded(result->subject.world, &xs_result_fields[i])) continue;
    snprintf(name, sizeof name, "%.*s", (int)(slash - path), path);
    htri_t there = H5Lexists(result->file, name, H5P_DEFAULT);
    hid_t group =
        there == 0 ? H5Gcreate2(result->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : there;
    if (group < 0 || (there == 0 && H5Gclose(group) < 0)) return -1;
  }
  return 0;
}

/* ---- names and types, which do not change with time ---- */

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

static herr_t create_provenance(const xs_result *result) {
  const xs_scene_source *source = result->subject.source;
  hid_t group = H5Gcreate2(result->file, "provenance", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return -1;
  int bad = xs_result_hdf_add_bytes(group, "scene", source->text, source->length,
                                    "the scene file, its exact bytes") < 0 ||
            add_text(group, "scene_file", source->file, "name of the scene file as given") < 0 ||
            xs_result_create_run_texts(result, group) < 0;
  return H5Gclose(group) < 0 || bad ? -1 : 0;
}

xs_status xs_result_create_content(xs_result *result, xs_report *report) {
  if (create_root(result) < 0 || create_groups(result) < 0)
    return xs_result_fail(result, "cannot create the result", report);
  xs_status status = xs_result_column_create_all(result, report);
  if (status == XS_OK) status = xs_result_column_buffer(result, report);
  if (status != XS_OK) return status;
  if (create_names(result) < 0 || create_provenance(result) < 0)
    return xs_result_fail(result, "cannot write names and provenance", report);
  return xs_result_checkpoint_create(result, report);
}
