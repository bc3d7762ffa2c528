/* Reading a sweep file (sweep.h): text, table, axes.
 *
 * What the table cannot tell is checked here: paths, that an axis of several paths has a value for
 * each, that axes side by side are of equal length, how many cases there are. */
#include "app/sweep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene_read.h"

/* What reading works on: the tree gives places, the sweep is filled. */
typedef struct reading {
  xs_sweep *sweep;
  xs_arena *arena;
  xs_report *report;
  xs_status status; /* the first failure */
} reading;

static void fault(reading *r, const xs_json *value, const char *path, const char *text,
                  const char *detail) {
  const xs_place place = {value->source, value->line, value->column, path};
  const xs_status status = xs_report_error(r->report, XS_SCENE, &place, "%s%s", text, detail);
  if (r->status == XS_OK) r->status = status;
}

static void no_memory(reading *r) {
  r->status =
      xs_report_error(r->report, XS_INTERNAL, NULL, "out of memory while reading the sweep");
}

/* ---- Paths ---- */

static const char blanks[] = " \t\r\n";

/* What is wrong with a path, from who applies it; NULL if nothing is. */
static const char *path_fault(const char *path, xs_arena *arena, xs_report *scratch) {
  xs_json root = {.type = XS_JSON_OBJECT};
  if (path[0] == '\0') return "it is empty; a path looks like time.step";
  if (strchr(path, '/') != NULL) return "no key of a scene holds a slash";
  if (strchr(path, '=') != NULL) return "the path holds '='; values stand in the array";
  const size_t size = strlen(path) + sizeof "=0";
  char *assignment = XS_ARENA_NEW(arena, char, size);
  if (assignment == NULL) return "out of memory";
  snprintf(assignment, size, "%s=0", path);
  memset(scratch, 0, sizeof *scratch);
  return xs_json_set(&root, assignment, arena, scratch) == XS_USAGE ? scratch->kept[0].text : NULL;
}

/* Takes the paths of a key apart, "a.b, c.d", and checks each. */
static void read_paths(reading *r, const xs_json *member, xs_sweep_axis *axis, const char *where) {
  int n = 1;
  for (const char *c = axis->key; *c != '\0'; c++) n += *c == ',';
  axis->path = XS_ARENA_NEW(r->arena, const char *, n);
  char *copy = xs_arena_copy_text(r->arena, axis->key);
  xs_report *scratch = malloc(sizeof *scratch);
  if (axis->path == NULL || copy == NULL || scratch == NULL) {
    free(scratch);
    no_memory(r);
    return;
  }
  const xs_json key = {
      .source = member->source, .line = member->key_line, .column = member->key_column};
  for (char *part = copy; part != NULL;) {
    char *comma = strchr(part, ',');
    if (comma != NULL) *comma = '\0';
    part += strspn(part, blanks);
    size_t length = strlen(part);
    while (length > 0 && strchr(blanks, part[length - 1]) != NULL) part[--length] = '\0';
    const char *wrong = path_fault(part, r->arena, scratch);
    if (wrong != NULL) fault(r, &key, where, "is no path: ", wrong);
    axis->path[axis->n_paths++] = part;
    part = comma != NULL ? comma + 1 : NULL;
  }
  free(scratch);
}

/* A path that two axes set, or one twice: the later would win in silence. */
static void check_twice(reading *r, const xs_json *member, const xs_sweep_axis *axis,
                        const char *where) {
  const xs_sweep *sweep = r->sweep;
  const xs_json key = {
      .source = member->source, .line = member->key_line, .column = member->key_column};
  for (int p = 0; p < axis->n_paths; p++) {
    int times = 0;
    for (int a = 0; a < sweep->n_axes; a++)
      for (int q = 0; q < sweep->axis[a].n_paths; q++)
        times += (&sweep->axis[a] != axis || q < p) &&
                 strcmp(sweep->axis[a].path[q], axis->path[p]) == 0;
    if (times > 0) fault(r, &key, where, "sets a path that stands here already: ", axis->path[p]);
  }
}

/* ---- Axes ---- */

static void read_axis(reading *r, const xs_json *member, xs_sweep_axis *axis) {
  char where[XS_REPORT_PATH];
  snprintf(where, sizeof where, "parameters.%s", member->key);
  axis->key = member->key;
  read_paths(r, member, axis, where);
  axis->value = XS_ARENA_NEW(r->arena, const xs_json *, member->count);
  if (r->status == XS_INTERNAL) return;
  if (axis->value == NULL) {
    no_memory(r);
    return;
  }
  for (const xs_json *value = member->first; value != NULL; value = value->next) {
    char item[XS_REPORT_PATH + 16], found[64], needed[128];
    snprintf(item, sizeof item, "%s[%d]", where, axis->n_values);
    snprintf(needed, sizeof needed, "%d values, one for each path; found %s", axis->n_paths,
             xs_json_describe(value, found, sizeof found));
    if (axis->n_paths > 1 && (value->type != XS_JSON_ARRAY || value->count != axis->n_paths))
      fault(r, value, item, "expected an array of ", needed);
    axis->value[axis->n_values++] = value;
  }
  check_twice(r, member, axis, where);
}

/* Sets the number of cases. */
static void count_cases(reading *r, const xs_json *parameters) {
  xs_sweep *sweep = r->sweep;
  double n = sweep->is_zip ? sweep->axis[0].n_values : 1;
  const xs_json *member = parameters->first;
  for (int a = 0; member != NULL; a++, member = member->next) {
    const xs_sweep_axis *axis = &sweep->axis[a];
    char where[XS_REPORT_PATH], lengths[128];
    if (!sweep->is_zip) n *= axis->n_values;
    if (!sweep->is_zip || axis->n_values == sweep->axis[0].n_values) continue;
    snprintf(where, sizeof where, "parameters.%s", axis->key);
    snprintf(lengths, sizeof lengths, "%d, but the first parameter has %d; or use mode grid",
             axis->n_values, sweep->axis[0].n_values);
    fault(r, member, where, "side by side (zip) all need as many values: found ", lengths);
  }
  if (n > XS_SWEEP_CASES_MAX)
    fault(r, parameters, "parameters", "more than 1000000 cases; split the sweep", "");
  else
    sweep->n_cases = (int)n;
}

/* ---- The file ---- */

/* The scene's file and text: its path counts from the sweep file's folder. */
static void read_scene(reading *r, const xs_json *scene) {
  const char *slash = strrchr(r->sweep->file, '/');
  const int folder =
      scene->string[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - r->sweep->file);
  const size_t size = (size_t)folder + strlen(scene->string) + 1;
  char *path = XS_ARENA_NEW(r->arena, char, size), *text = NULL;
  xs_report *scratch = calloc(1, sizeof *scratch);
  if (path == NULL || scratch == NULL) {
    free(scratch);
    no_memory(r);
    return;
  }
  snprintf(path, size, "%.*s%s", folder, r->sweep->file, scene->string);
  r->sweep->scene = path;
  if (xs_json_read_file(path, r->arena, &text, &r->sweep->scene_length, scratch) != XS_OK) {
    char why[XS_REPORT_FILE + XS_REPORT_TEXT];
    snprintf(why, sizeof why, "%s: %s", path, scratch->kept[0].text);
    fault(r, scene, "scene", why, "; the path counts from the folder of the sweep file");
  }
  r->sweep->scene_text = text;
  free(scratch);
}

/* A key that the table requires or has a default for. */
static const xs_json *given(const xs_json *tree, const char *key) {
  const xs_json *value = xs_json_member(tree, key);
  assert(value != NULL);
  return value;
}

static void take_apart(reading *r, const xs_json *tree) {
  xs_sweep *sweep = r->sweep;
  const xs_json *parameters = given(tree, "parameters");
  const xs_json *metrics = given(tree, "metrics");
  sweep->is_zip = strcmp(given(tree, "mode")->string, "zip") == 0;
  sweep->axis = XS_ARENA_NEW(r->arena, xs_sweep_axis, parameters->count);
  sweep->metric = XS_ARENA_NEW(r->arena, const char *, metrics->count);
  if (sweep->axis == NULL || sweep->metric == NULL) {
    no_memory(r);
    return;
  }
  for (const xs_json *metric = metrics->first; metric != NULL; metric = metric->next)
    sweep->metric[sweep->n_metrics++] = metric->string;

  read_scene(r, given(tree, "scene"));
  for (const xs_json *member = parameters->first; member != NULL; member = member->next) {
    if (r->status == XS_INTERNAL) return;
    read_axis(r, member, &sweep->axis[sweep->n_axes++]);
    sweep->n_parameters += sweep->axis[sweep->n_axes - 1].n_paths;
  }
  if (r->status != XS_INTERNAL) count_cases(r, parameters);
}

xs_status xs_sweep_read(const char *file, xs_arena *arena, xs_sweep *sweep, xs_report *report) {
  char *text = NULL;
  size_t length = 0;
  xs_json *document = NULL, *tree = NULL;
  *sweep = (xs_sweep){.file = file};
  xs_status status = xs_json_read_file(file, arena, &text, &length, report);
  if (status == XS_OK) status = xs_json_parse(text, length, file, arena, &document, report);
  if (status == XS_OK)
    status = xs_scene_read_as(&xs_sweep_object, document, NULL, arena, &tree, report);
  if (status != XS_OK) return status;

  reading r = {.sweep = sweep, .arena = arena, .report = report};
  take_apart(&r, tree);
  return r.status;
}
