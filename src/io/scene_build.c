/* The frame of the builder: helpers, what stands once in a scene (time, output, materials), and the
 * order in which the parts are built. */
#include "io/scene_build.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "io/scene_read.h"

/* A run of more steps than this would not end: years at a microsecond a step. */
static const double steps_max = 1e12;

/* ---- Messages, memory ---- */

/* The path is searched for through the whole tree, and only for messages that are kept. */
static xs_place place_of(const xs_build *build, const xs_json *value, int n_before, char *path,
                         size_t size) {
  path[0] = '\0';
  if (n_before < XS_REPORT_SHOWN) (void)xs_scene_path(build->tree, value, path, size);
  return (xs_place){value->source, value->line, value->column, path[0] != '\0' ? path : NULL};
}

void xs_scene_build_error(xs_build *build, const xs_json *value, const char *format, ...) {
  char path[XS_REPORT_PATH], text[XS_REPORT_TEXT + 1];
  const xs_place place = place_of(build, value, build->report->n_errors, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  (void)xs_report_error(build->report, XS_SCENE, &place, "%s", text);
}

void xs_scene_build_warning(xs_build *build, const xs_json *value, const char *format, ...) {
  char path[XS_REPORT_PATH], text[XS_REPORT_TEXT + 1];
  const xs_place place = place_of(build, value, build->report->n_warnings, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  xs_report_warning(build->report, &place, "%s", text);
}

void *xs_scene_build_alloc(xs_build *build, int count, size_t size) {
  void *memory = xs_arena_alloc(build->arena, (size_t)count, size);
  if (memory == NULL) {
    build->out_of_memory = 1;
    (void)xs_report_error(build->report, XS_INTERNAL, NULL,
                          "out of memory while building the scene");
  }
  return memory;
}

/* ---- Values ---- */

const xs_json *xs_scene_build_list(const xs_build *build, const char *key) {
  static const xs_json empty = {.type = XS_JSON_ARRAY};
  const xs_json *list = xs_json_member(build->tree, key);
  return list != NULL && list->type != XS_JSON_NULL ? list : &empty;
}

double xs_scene_build_number(const xs_json *object, const char *key) {
  const xs_json *value = xs_json_member(object, key);
  assert(value != NULL && (value->type == XS_JSON_NUMBER || value->type == XS_JSON_BOOL));
  return value->number;
}

int xs_scene_build_integer(const xs_json *object, const char *key) {
  return (int)xs_scene_build_number(object, key);
}

const char *xs_scene_build_string(const xs_json *object, const char *key) {
  const xs_json *value = xs_json_member(object, key);
  assert(value != NULL && value->type == XS_JSON_STRING);
  return value->string;
}

xs_vec3 xs_scene_build_vec3(const xs_json *array) {
  assert(array->count == 3);
  const xs_json *x = array->first, *y = x->next, *z = y->next;
  return xs_vec3_make(x->number, y->number, z->number);
}

int xs_scene_build_word(const xs_json *object, const char *key, const char *const *words) {
  const char *word = xs_scene_build_string(object, key);
  for (int i = 0; words[i] != NULL; i++)
    if (strcmp(words[i], word) == 0) return i;
  assert(0 && "a word of the table that the builder does not know");
  return 0;
}

void xs_scene_build_box_add(xs_build_box *box, xs_vec3 center, xs_vec3 half_extents) {
  const xs_vec3 lo = xs_vec3_sub(center, half_extents), hi = xs_vec3_add(center, half_extents);
  box->lo = xs_vec3_make(fmin(box->lo.x, lo.x), fmin(box->lo.y, lo.y), fmin(box->lo.z, lo.z));
  box->hi = xs_vec3_make(fmax(box->hi.x, hi.x), fmax(box->hi.y, hi.y), fmax(box->hi.z, hi.z));
}

/* ---- What stands once ---- */

static void build_time(xs_build *build) {
  const xs_json *value = xs_json_member(build->tree, "time");
  xs_time *time = &build->world->time;
  if (value == NULL && build->world->solver.mode == XS_MODE_STATIC) {
    *time = (xs_time){.step = 1, .duration = 0, .substeps = 1}; /* the start alone */
    return;
  }
  if (value == NULL) xs_scene_build_error(build, build->tree, "the key \"time\" is missing");
  if (value == NULL || value->type == XS_JSON_NULL) return;
  time->step = xs_scene_build_number(value, "step");
  time->duration = xs_scene_build_number(value, "duration");
  time->substeps = xs_scene_build_integer(value, "substeps");

  /* Steps that can be counted, and the substep's inverse square, which solvers need. */
  const double h = time->step / time->substeps, steps = time->duration / time->step;
  if (!(steps <= steps_max))
    xs_scene_build_error(build, value, "the run would have %.3g steps, at most %g are allowed",
                         steps, steps_max);
  if (!isfinite(1 / (h * h)) || !isfinite(h * h))
    xs_scene_build_error(build, value, "the step %.3g s is out of range", h);
  if (steps <= steps_max && fabs(steps - round(steps)) > 1e-6 + 1e-12 * steps)
    xs_scene_build_warning(build, value,
                           "the duration is not a whole number of steps: the run ends at %.12g s",
                           round(steps) * time->step);
}

static void build_output(xs_build *build) {
  const xs_json *value = xs_json_member(build->tree, "output");
  if (value == NULL || value->type == XS_JSON_NULL) return;
  xs_output *output = &build->world->output;
  *output = (xs_output){
      .every = xs_scene_build_integer(value, "every"),
      .compression = xs_scene_build_integer(value, "compression"),
      .checkpoint = xs_scene_build_number(value, "checkpoint"),
  };
  const xs_json *fields = xs_json_member(value, "fields");
  for (const xs_json *field = fields->first; field != NULL; field = field->next) {
    if (strcmp(field->string, "bodies") == 0) output->bodies = 1;
    if (strcmp(field->string, "joints") == 0) output->joints = 1;
    if (strcmp(field->string, "rods") == 0) output->rods = 1;
    if (strcmp(field->string, "contacts") == 0) output->contacts = 1;
    if (strcmp(field->string, "residual_peak") == 0) output->residual_peak = 1;
    if (strcmp(field->string, "stability") == 0) output->stability = 1;
  }
  if (output->stability && build->world->solver.mode != XS_MODE_STATIC)
    xs_scene_build_error(build, fields,
                         "stability is that of an equilibrium: give solver.mode static, or leave "
                         "the field out");
  const xs_time *time = &build->world->time;
  const double steps = time->step > 0 ? round(time->duration / time->step) : 0;
  if (steps > 0 && steps <= steps_max && output->every > steps)
    xs_scene_build_warning(build, value,
                           "a record every %d steps of a run of %.0f: only the start is recorded",
                           output->every, steps);
}

static double number_or_nan(const xs_json *object, const char *key) {
  const xs_json *value = xs_json_member(object, key);
  return value != NULL ? value->number : NAN;
}

/* A faulty material keeps its place and has no name. */
static void build_materials(xs_build *build) {
  xs_material *material = build->world->materials;
  for (const xs_json *item = xs_scene_build_list(build, "materials")->first; item != NULL;
       item = item->next, material++) {
    if (item->type == XS_JSON_NULL) continue;
    material->name = item->key;
    material->density = number_or_nan(item, "density");
    material->youngs_modulus = number_or_nan(item, "youngs_modulus");
    material->poisson_ratio = number_or_nan(item, "poisson_ratio");
    material->shear_modulus = number_or_nan(item, "shear_modulus");
    material->friction = number_or_nan(item, "friction");
    material->static_friction = number_or_nan(item, "static_friction");
    material->restitution = number_or_nan(item, "restitution");

    /* G = E / (2 (1 + nu)), either way. */
    const double E = material->youngs_modulus;
    if (!isnan(material->poisson_ratio))
      material->shear_modulus = 0.5 * E / (1 + material->poisson_ratio);
    else
      material->poisson_ratio = 0.5 * E / material->shear_modulus - 1;
    if (material->static_friction < material->friction)
      xs_scene_build_error(build, xs_json_member(item, "static_friction"),
                           "must be at least friction = %.12g, found %.12g: what rests would need "
                           "less to slide than what slides",
                           material->friction, material->static_friction);
  }
}

static void build_size(xs_build *build) {
  const xs_build_box *box = &build->box;
  build->world->size = 1;
  if (box->lo.x > box->hi.x) return;
  const double size = xs_vec3_norm(xs_vec3_sub(box->hi, box->lo));
  if (!isfinite(size))
    xs_scene_build_error(build, build->tree,
                         "the scene is too large: positions must be below 1e150 m");
  else if (size >= 1e-12)
    build->world->size = size;
}

/* ---- The whole ---- */

/* Nodes: the ground, the bodies, each rod's. */
static void number_nodes(xs_build *build) {
  xs_world *world = build->world;
  xs_rod *rod = world->rods;
  world->n_nodes = world->n_bodies + 1;
  for (const xs_json *item = xs_scene_build_list(build, "rods")->first; item != NULL;
       item = item->next, rod++) {
    rod->first_node = world->n_nodes;
    rod->n_nodes = xs_scene_build_count_rod_nodes(item);
    world->n_nodes += rod->n_nodes;
  }
}

/* Room for everything, and the ground's node. */
static xs_status allocate(xs_build *build) {
  xs_world *world = XS_BUILD_NEW(build, xs_world, 1);
  if (world == NULL) return XS_INTERNAL;
  build->world = world;
  world->n_bodies = xs_scene_build_list(build, "bodies")->count;
  world->n_rods = xs_scene_build_list(build, "rods")->count;
  world->n_joints = xs_scene_build_list(build, "joints")->count + xs_scene_build_count_ends(build);
  world->n_loads = xs_scene_build_list(build, "loads")->count;
  world->n_checks = xs_scene_build_list(build, "checks")->count;
  world->n_materials = xs_scene_build_list(build, "materials")->count;
  world->rods = XS_BUILD_NEW(build, xs_rod, world->n_rods);
  if (world->rods == NULL) return XS_INTERNAL;
  if (!xs_scene_build_check_memory(build)) return XS_SCENE;
  number_nodes(build);
  world->bodies = XS_BUILD_NEW(build, xs_body, world->n_bodies);
  world->joints = XS_BUILD_NEW(build, xs_joint, world->n_joints);
  world->loads = XS_BUILD_NEW(build, xs_load, world->n_loads);
  world->checks = XS_BUILD_NEW(build, xs_check, world->n_checks);
  world->materials = XS_BUILD_NEW(build, xs_material, world->n_materials);
  world->inertia = XS_BUILD_NEW(build, xs_inertia, world->n_nodes);
  build->start = XS_BUILD_NEW(build, xs_node_start, world->n_rods > 0 ? world->n_nodes : 0);
  world->start = build->start;
  build->node = XS_BUILD_NEW(build, xs_build_node, world->n_nodes);
  if (world->bodies == NULL || world->joints == NULL || world->loads == NULL ||
      world->checks == NULL || world->materials == NULL || world->inertia == NULL ||
      build->node == NULL || build->start == NULL)
    return XS_INTERNAL;

  const xs_frame origin = {{0, 0, 0}, xs_quat_identity()};
  build->node[XS_GROUND] = (xs_build_node){1, 0, origin, origin, origin};
  return XS_OK;
}

/* Name, description, gravity; missing only where the reader found them faulty. */
static void build_head(xs_build *build) {
  const xs_json *name = xs_json_member(build->tree, "name");
  const xs_json *description = xs_json_member(build->tree, "description");
  const xs_json *gravity = xs_json_member(build->tree, "gravity");
  if (name != NULL) build->world->name = name->string;
  if (description != NULL) build->world->description = description->string;
  if (gravity != NULL && gravity->type == XS_JSON_ARRAY)
    build->world->gravity = xs_scene_build_vec3(gravity);
}

xs_status xs_scene_build_world(const xs_json *tree, int faulty, const xs_names *names,
                               xs_arena *arena, xs_world **world, xs_report *report) {
  xs_build build = {.tree = tree, .names = names, .arena = arena, .report = report};
  const int errors = report->n_errors;
  build.box = (xs_build_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  *world = NULL;
  const xs_status status = allocate(&build);
  if (status != XS_OK) return status;
  build_head(&build);
  xs_scene_build_solver(&build);
  build_time(&build);
  build_output(&build);
  build_materials(&build);
  xs_scene_build_bodies(&build);
  xs_scene_build_rods(&build);
  xs_scene_build_joints(&build);
  xs_scene_build_ends(&build);
  xs_scene_build_loads(&build);
  xs_scene_build_contact(&build);
  xs_scene_build_check_solver(&build);
  xs_scene_build_check_contact(&build);
  xs_scene_build_checks(&build);
  build_size(&build);
  if (build.out_of_memory) return XS_INTERNAL;
  if (report->n_errors > errors) return XS_SCENE;
  if (faulty) return XS_OK;

  /* Warnings that need a whole world. */
  xs_scene_build_warn_start(&build);
  if (build.world->n_bodies + build.world->n_rods == 0)
    xs_scene_build_warning(&build, tree, "the scene has no bodies: nothing will move");
  *world = build.world;
  return XS_OK;
}
