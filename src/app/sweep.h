/* A sweep: many cases of one scene, each with some of its values replaced.
 *
 *   { "scene": "cantilever.json", "mode": "grid",
 *     "parameters": { "rods.beam.discretization": ["linear", "cubic"],
 *                     "rods.beam.elements": [1, 2, 4] },
 *     "metrics": ["rods.beam.position.end.z.final"] }
 *
 * Every entry of "parameters" is an axis: the path of an override (io/json.h) and its values. A
 * grid runs all combinations, the last axis fastest; zip goes through all axes side by side. An
 * axis may carry several paths, separated by commas, whose values change together: each of its
 * values is then an array with one value a path.
 *
 *   sweep_table.c    what a sweep file may hold
 *   sweep.c          reading one
 *   sweep_cases.c    which case has which values
 *   sweep_row.c      what is kept of a case that ended, beside its result
 *   sweep_case.c     running one case, or going on with it, or leaving it as it is
 *   sweep_jobs.c     running all of them in worker processes
 *   sweep_summary.c  the table of all cases
 *   sweep_command.c  what --sweep was asked to do */
#ifndef XS_APP_SWEEP_H
#define XS_APP_SWEEP_H

#include "io/scene_table.h"

typedef struct xs_sweep_axis {
  const char *key; /* as the file has it */
  int n_paths, n_values;
  const char **path;     /* n_paths */
  const xs_json **value; /* n_values; of an axis with several paths arrays of n_paths */
} xs_sweep_axis;

typedef struct xs_sweep {
  const char *file;  /* as given */
  const char *scene; /* its scene's file, relative to the current folder */
  const char *scene_text;
  size_t scene_length;
  int is_zip;
  int n_axes;
  xs_sweep_axis *axis;
  int n_parameters; /* paths of all axes */
  int n_metrics;
  const char **metric;
  int n_cases;
} xs_sweep;

/* Most cases of a sweep. */
enum { XS_SWEEP_CASES_MAX = 1000000 };

/* The table of a sweep file (sweep_table.c). */
extern const xs_object xs_sweep_object;

/* Reads a sweep file and its scene's text; both live in the arena. XS_SCENE with all that is wrong
 * in the file: its form, paths that are none, axes that do not fit together, a scene that cannot
 * be read. What the values do to the scene is not looked at. */
xs_status xs_sweep_read(const char *file, xs_arena *arena, xs_sweep *sweep, xs_report *report);

#endif
