/* Catalogs of results (metric_catalog.h). */
#include "io/metric_catalog.h"

static xs_status no_memory(xs_report *report) {
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for names");
}

xs_status xs_metric_catalog_of_world(const xs_world *world, xs_arena *arena,
                                     xs_metric_catalog *catalog, xs_report *report) {
  *catalog = (xs_metric_catalog){0};
  const char **bodies = XS_ARENA_NEW(arena, const char *, world->n_bodies);
  const char **joints = XS_ARENA_NEW(arena, const char *, world->n_joints);
  const char **rods = XS_ARENA_NEW(arena, const char *, world->n_rods);
  if (!bodies || !joints || !rods) return no_memory(report);
  for (int i = 0; i < world->n_bodies; i++) bodies[i] = world->bodies[i].name;
  for (int i = 0; i < world->n_joints; i++) joints[i] = world->joints[i].name;
  for (int i = 0; i < world->n_rods; i++) rods[i] = world->rods[i].name;
  catalog->names[XS_AXIS_BODY] = bodies;
  catalog->names[XS_AXIS_JOINT] = joints;
  catalog->names[XS_AXIS_ROD] = rods;
  catalog->n_names[XS_AXIS_BODY] = world->n_bodies;
  catalog->n_names[XS_AXIS_JOINT] = world->n_joints;
  catalog->n_names[XS_AXIS_ROD] = world->n_rods;
  const xs_status status =
      xs_result_fields_list(world, arena, &catalog->dataset, &catalog->n_datasets, report);
  return status == XS_OK ? xs_metric_catalog_sort(catalog, arena, report) : status;
}

xs_status xs_metric_catalog_sort(xs_metric_catalog *catalog, xs_arena *arena, xs_report *report) {
  catalog->path = XS_ARENA_NEW(arena, xs_name, catalog->n_datasets);
  if (!catalog->path) return no_memory(report);
  for (int i = 0; i < catalog->n_datasets; i++)
    catalog->path[i] = (xs_name){catalog->dataset[i].path, i};
  xs_names_sort(catalog->path, catalog->n_datasets);

  for (int axis = 0; axis < XS_N_AXES; axis++) {
    if (!catalog->names[axis]) continue;
    xs_name *sorted = XS_ARENA_NEW(arena, xs_name, catalog->n_names[axis]);
    if (!sorted) return no_memory(report);
    for (int i = 0; i < catalog->n_names[axis]; i++)
      sorted[i] = (xs_name){catalog->names[axis][i], i};
    xs_names_sort(sorted, catalog->n_names[axis]);
    catalog->sorted[axis] = sorted;
  }
  return XS_OK;
}

const xs_result_dataset *xs_metric_catalog_dataset(const xs_metric_catalog *catalog,
                                                   const char *path) {
  const int i = xs_names_find(catalog->path, catalog->n_datasets, path);
  return i >= 0 ? &catalog->dataset[i] : NULL;
}

int xs_metric_catalog_entry(const xs_metric_catalog *catalog, xs_result_axis axis,
                            const char *name) {
  if (!catalog->sorted[axis]) return -1;
  return xs_names_find(catalog->sorted[axis], catalog->n_names[axis], name);
}
