/* From options to all that a run works on: scene, world, method, state, observation.
 *
 * Shared by runs and by --check. The scene comes from a file, or for --resume and --rerun
 * from the result that stores it, with overrides applied in the order given. Everything is
 * taken from the arena before the first step. */
#ifndef XS_APP_SETUP_H
#define XS_APP_SETUP_H

#include "app/options.h"
#include "io/scene.h"
#include "solver/observe.h"

typedef struct xs_setup {
  const char *stored_in; /* the result that the scene was read from; NULL = from its file */
  xs_scene_source source;
  xs_world *world;
  const xs_method *method;
  void *method_self;
  xs_state *state; /* at t = 0 */
  xs_observation *observation;
  int n_persist; /* arrays of a checkpoint: the state's, then the method's */
  xs_persist persist[XS_STATE_PERSIST_MAX + XS_METHOD_PERSIST_MAX];
} xs_setup;

/* Reads the scene and its checks' metrics, and builds. XS_SCENE for what is wrong in the
 * scene, XS_IO for a result that cannot be read, XS_INTERNAL when memory is exhausted. */
xs_status xs_setup_create(const xs_options *options, xs_arena *arena, xs_setup *setup,
                          xs_report *report);

/* What --verbose says of it on stream: sizes, method, variant and why. */
void xs_setup_describe(const xs_setup *setup, FILE *stream);

/* Rows of all joints and rods. */
int xs_setup_rows(const xs_world *world);

/* "2 bodies, 1 joints, 1 rods (10 elements, 31 nodes), 185 rows". Returns buffer, of at least
 * XS_SETUP_TEXT bytes. */
enum { XS_SETUP_TEXT = 160 };
const char *xs_setup_world_text(const xs_world *world, char *buffer, size_t size);

/* "xpbd, constraints vector, solve block, ...": how the equations are solved, as one line.
 * Returns buffer. */
const char *xs_setup_solver_text(const xs_world *world, char *buffer, size_t size);

/* Names of enum values as scenes write them. */
const char *xs_setup_solve_name(xs_solve solve);
const char *xs_setup_constraints_name(xs_constraints constraints);
const char *xs_setup_update_name(xs_update update);
const char *xs_setup_gyroscopic_name(xs_gyroscopic gyroscopic);

#endif
