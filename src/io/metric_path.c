/* The name of a metric taken apart; see metric_path.h.
 *
 * DATASET[.ENTRY][.COMPONENT].REDUCTION; the entry may also stand behind the first part of
 * the dataset (bodies.link1.position.z.final). A name that can be read in both ways is read
 * in the first one. Datasets of a rod carry its name (rods.beam.position.end.z.final), entries
 * are then nodes or Gauss points. */
#include "io/metric_path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

enum { MAX_PARTS = 8, MAX_TEXT = 256, HINT = 400 };

/* A metric split at its dots, without the reduction. */
typedef struct parts {
  int n;
  const char *part[MAX_PARTS];
  char text[MAX_TEXT];
} parts;

/* What resolving reports to: the metric as given, its place. */
typedef struct context {
  const char *metric;
  const xs_place *place;
  xs_report *report;
  xs_arena *arena; /* for hints */
} context;

/* ---- reduction ---- */

static const char *const reduction_names[] = {
    "final", "min", "max", "mean", "median", "rms", "relative_drift", "at:T"};
enum { N_REDUCTIONS = sizeof reduction_names / sizeof reduction_names[0] };

static xs_status bad_reduction(const context *c, const char *found) {
  char hint[HINT];
  return xs_report_error(c->report, XS_SCENE, c->place,
                         "metric \"%s\": unknown reduction \"%s\"; %s", c->metric, found,
                         xs_suggest_hint(found, N_REDUCTIONS, reduction_names, hint, sizeof hint));
}

/* Takes the reduction off the end of text. "at:0.5" has dots of its own. */
static xs_status cut_reduction(const context *c, char *text, xs_metric_path *path) {
  char *at = strstr(text, ".at:"), *dot = at ? at : strrchr(text, '.');
  if (!dot) return bad_reduction(c, text);
  const char *name = dot + 1;
  *dot = '\0';
  if (at) {
    char *end;
    path->reduction = XS_METRIC_AT;
    path->at = strtod(name + 3, &end);
    if (end == name + 3 || *end != '\0' || !isfinite(path->at))
      return xs_report_error(c->report, XS_SCENE, c->place,
                             "metric \"%s\": the time in \"%s\" is no number (at:0.5)", c->metric,
                             name);
    return XS_OK;
  }
  for (int i = 0; i < XS_METRIC_AT; i++) {
    if (strcmp(name, reduction_names[i]) != 0) continue;
    path->reduction = (xs_metric_reduction)i;
    return XS_OK;
  }
  return bad_reduction(c, name);
}

/* ---- entry and component ---- */

/* A whole number below n, or -1. */
static int parse_index(const char *text, int n) {
  char *end;
  if (text[0] < '0' || text[0] > '9') return -1;
  errno = 0;
  long value = strtol(text, &end, 10);
  return *end == '\0' && errno == 0 && value < n ? (int)value : -1;
}

static int find_entry(const xs_metric_catalog *catalog, const xs_result_dataset *dataset,
                      const char *text) {
  const xs_result_axis axis = dataset->field->axis;
  const int n = dataset->entries;
  const int named = xs_metric_catalog_entry(catalog, axis, text);
  if (named >= 0 && named < n) return named;
  if (axis == XS_AXIS_ROD_NODE && strcmp(text, "start") == 0) return 0;
  if (axis == XS_AXIS_ROD_NODE && strcmp(text, "end") == 0) return n - 1;
  if (axis == XS_AXIS_ROD_NODE && strcmp(text, "middle") == 0) return n % 2 ? n / 2 : -1;
  return parse_index(text, n);
}

/* Index of a component, XS_METRIC_NORM, or -2 if there is none of this name. */
static int find_component(const xs_result_field *field, const char *text) {
  if (strcmp(text, "norm") == 0) return XS_METRIC_NORM;
  for (int i = 0; i < field->components; i++)
    if (strcmp(field->component[i], text) == 0) return i;
  int index = parse_index(text, field->components);
  return index >= 0 ? index : -2;
}

/* ---- dataset ---- */

/* One way to read the parts: as this dataset, with what remains as entry and component. */
typedef struct reading {
  const xs_result_dataset *dataset;
  const char *entry, *rest[MAX_PARTS];
  int n_rest;
} reading;

/* Parts `first` and those from `from` to k - 1 as a path, with slashes. */
static void join(const parts *p, int first, int from, int k, char path[MAX_TEXT]) {
  size_t length = (size_t)snprintf(path, MAX_TEXT, "%s", p->part[first]);
  for (int i = from; i < k; i++)
    length += (size_t)snprintf(path + length, MAX_TEXT - length, "/%s", p->part[i]);
}

/* Entry behind the dataset: DATASET.ENTRY.COMPONENT, the first k parts the dataset. */
static int read_plain(const xs_metric_catalog *catalog, const parts *p, int k, reading *r) {
  char path[MAX_TEXT];
  join(p, 0, 1, k, path);
  *r = (reading){.dataset = xs_metric_catalog_dataset(catalog, path)};
  if (!r->dataset) return 0;
  if (r->dataset->field->axis != XS_AXIS_NONE && k < p->n) r->entry = p->part[k++];
  while (k < p->n) r->rest[r->n_rest++] = p->part[k++];
  return 1;
}

/* Entry behind the group: GROUP.ENTRY.FIELD.COMPONENT, the first k parts up to the field. */
static int read_inner(const xs_metric_catalog *catalog, const parts *p, int k, reading *r) {
  char path[MAX_TEXT];
  if (k < 3) return 0;
  join(p, 0, 2, k, path);
  *r = (reading){.dataset = xs_metric_catalog_dataset(catalog, path)};
  if (!r->dataset || r->dataset->field->axis == XS_AXIS_NONE) return 0;
  if (xs_result_fields_is_of_rod(r->dataset->field)) return 0;
  r->entry = p->part[1];
  while (k < p->n) r->rest[r->n_rest++] = p->part[k++];
  return 1;
}

/* 1 if entry and component of a reading exist; then they are in path. */
static int fits(const xs_metric_catalog *catalog, const reading *r, xs_metric_path *path) {
  const xs_result_field *field = r->dataset->field;
  path->field = field;
  path->dataset = r->dataset->path;
  path->entry = path->component = 0;
  if (field->axis != XS_AXIS_NONE) {
    path->entry = r->entry ? find_entry(catalog, r->dataset, r->entry) : -1;
    if (path->entry < 0) return 0;
  }
  if (field->components == 1) return r->n_rest == 0;
  if (r->n_rest != 1) return 0;
  path->component = find_component(field, r->rest[0]);
  return path->component >= XS_METRIC_NORM;
}

/* ---- what is wrong ---- */

static xs_status explain_entry(const context *c, const xs_metric_catalog *catalog,
                               const reading *r) {
  static const char *const kinds[XS_N_AXES] = {[XS_AXIS_BODY] = "body",
                                               [XS_AXIS_JOINT] = "joint",
                                               [XS_AXIS_ROD] = "rod",
                                               [XS_AXIS_ROD_NODE] = "node",
                                               [XS_AXIS_ROD_GAUSS] = "Gauss point"};
  const xs_result_axis axis = r->dataset->field->axis;
  const char *kind = kinds[axis];
  int n = r->dataset->entries;
  char hint[HINT];
  const char *text = r->entry ? r->entry : "";
  if (axis == XS_AXIS_ROD_NODE || axis == XS_AXIS_ROD_GAUSS)
    return xs_report_error(c->report, XS_SCENE, c->place,
                           "metric \"%s\": needs a %s behind the dataset, found \"%s\"; allowed: "
                           "%s0 to %d",
                           c->metric, kind, text,
                           axis != XS_AXIS_ROD_NODE ? ""
                           : n % 2                  ? "start, middle, end, "
                                                    : "start, end, ",
                           n - 1);
  if (!catalog->names[axis])
    return xs_report_error(c->report, XS_SCENE, c->place,
                           "metric \"%s\": needs a %s by its index below %d (names are not "
                           "recorded)",
                           c->metric, kind, n);
  xs_suggest_hint(text, n, catalog->names[axis], hint, sizeof hint);
  if (!r->entry)
    return xs_report_error(c->report, XS_SCENE, c->place,
                           "metric \"%s\": a %s is missing behind the dataset; %s", c->metric, kind,
                           hint);
  return xs_report_error(c->report, XS_SCENE, c->place, "metric \"%s\": unknown %s \"%s\"; %s",
                         c->metric, kind, text, hint);
}

static xs_status explain_reading(const context *c, const xs_metric_catalog *catalog,
                                 const reading *r) {
  const xs_result_field *field = r->dataset->field;
  if (field->axis != XS_AXIS_NONE && (!r->entry || find_entry(catalog, r->dataset, r->entry) < 0))
    return explain_entry(c, catalog, r);
  if (field->components == 1)
    return xs_report_error(c->report, XS_SCENE, c->place,
                           "metric \"%s\": \"%s\" is too much, /%s has no components", c->metric,
                           r->rest[0], r->dataset->path);
  const char *found = r->n_rest == 0 ? "missing" : r->n_rest > 1 ? "followed by too much" : NULL;
  const char *const *names = field->component;
  const int four = field->components > 3;
  return xs_report_error(
      c->report, XS_SCENE, c->place,
      "metric \"%s\": component%s%s%s %s; allowed: %s, %s, %s%s%s, 0 to %d, norm", c->metric,
      found ? "" : " \"", found ? "" : r->rest[0], found ? "" : "\"", found ? found : "is unknown",
      names[0], names[1], names[2], four ? ", " : "", four ? names[3] : "", field->components - 1);
}

/* No dataset of this name: compares with the dotted names of all that are there. */
static xs_status explain_dataset(const context *c, const xs_metric_catalog *catalog,
                                 const parts *p) {
  char found[MAX_TEXT] = "", hint[HINT];
  const char **names = XS_ARENA_NEW(c->arena, const char *, catalog->n_datasets);
  if (!names) return xs_report_error(c->report, XS_INTERNAL, NULL, "out of memory for names");
  for (int i = 0; i < catalog->n_datasets; i++) {
    char *dotted = xs_arena_copy_text(c->arena, catalog->dataset[i].path);
    if (!dotted) return xs_report_error(c->report, XS_INTERNAL, NULL, "out of memory for names");
    for (char *s = dotted; *s; s++)
      if (*s == '/') *s = '.';
    names[i] = dotted;
  }

  /* As many parts as datasets' names have. */
  const int shown = strcmp(p->part[0], "rods") == 0 ? 3 : 2;
  size_t length = 0;
  for (int i = 0; i < p->n && i < shown && length < sizeof found; i++)
    length += (size_t)snprintf(found + length, sizeof found - length, "%s%s", i > 0 ? "." : "",
                               p->part[i]);
  return xs_report_error(c->report, XS_SCENE, c->place,
                         "metric \"%s\": no dataset \"%s\" is recorded; %s", c->metric, found,
                         xs_suggest_hint(found, catalog->n_datasets, names, hint, sizeof hint));
}

/* ---- all together ---- */

static xs_status split(const context *c, char *text, parts *p) {
  p->n = 0;
  for (char *s = text;; s++) {
    size_t length = strcspn(s, ".");
    if (length == 0 || p->n == MAX_PARTS)
      return xs_report_error(c->report, XS_SCENE, c->place,
                             "metric \"%s\": %s; the form is "
                             "DATASET[.ENTRY][.COMPONENT].REDUCTION",
                             c->metric, length == 0 ? "an empty part" : "too many parts");
    p->part[p->n++] = s;
    s += length;
    if (*s == '\0') return XS_OK;
    *s = '\0';
  }
}

xs_status xs_metric_path_resolve(const xs_metric_catalog *catalog, const char *metric, int series,
                                 const xs_place *place, xs_metric_path *path, xs_report *report) {
  context c = {metric, place, report, NULL};
  parts p = {0};
  if (strlen(metric) >= sizeof p.text)
    return xs_report_error(report, XS_SCENE, place, "metric \"%.40s...\" is too long", metric);
  snprintf(p.text, sizeof p.text, "%s", metric);
  *path = (xs_metric_path){.reduction = XS_METRIC_SERIES};
  xs_status status = series ? XS_OK : cut_reduction(&c, p.text, path);
  if (status == XS_OK) status = split(&c, p.text, &p);
  if (status != XS_OK) return status;

  reading r, first = {0};
  for (int way = 0; way < 2; way++)
    for (int k = 1; k <= p.n; k++) {
      if (!(way == 0 ? read_plain : read_inner)(catalog, &p, k, &r)) continue;
      if (fits(catalog, &r, path)) return XS_OK;
      if (!first.dataset) first = r;
    }
  if (first.dataset) return explain_reading(&c, catalog, &first);
  xs_arena arena = {0};
  c.arena = &arena;
  status = explain_dataset(&c, catalog, &p);
  xs_arena_free(&arena);
  return status;
}
