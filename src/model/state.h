/* The state: everything that changes while a world moves, and nothing else.
 *
 * A run is restarted from a copy of it. One table of its arrays (xs_persist) drives the
 * checkpoint: saving, loading and the description of the dataset; a method adds the
 * arrays of its own in the same form. */
#ifndef XS_MODEL_STATE_H
#define XS_MODEL_STATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/report.h"
#include "model/world.h"

/* Pose of a node. q is the state; R is the same rotation as a matrix, kept in step with
 * q because the constraint rows use it several times. */
typedef struct xs_pose {
  xs_vec3 p; /* m, world */
  xs_quat q; /* node frame -> world, unit, sign continuous in time */
  xs_mat3 R;
} xs_pose;

/* Relative rotation about a revolute joint's axis as it went on from the start:
 * half-angle cosine and sine up to a common positive factor, with a sign that is
 * continuous in time, and the count of double turns (4 pi) completed. */
typedef struct xs_turn {
  double c, s;
  double double_turns;
} xs_turn;

typedef struct xs_state {
  int64_t step; /* recorded steps done; time = step * world.time.step */
  int n_nodes, n_joints;
  xs_pose *x;     /* n_nodes */
  xs_vec3 *v;     /* n_nodes, m/s, world */
  xs_vec3 *omega; /* n_nodes, rad/s, node frame */
  xs_turn *turn;  /* n_joints; used by revolute joints */
} xs_state;

/* An array that a checkpoint keeps. components = doubles an item. */
typedef struct xs_persist {
  const char *name, *unit, *long_name;
  double *data; /* items * components doubles, the k-th item at data + k * stride */
  int items, components, stride;
} xs_persist;

enum { XS_STATE_PERSIST_MAX = 8 };

/* A state at t = 0 as the world describes it. XS_INTERNAL when memory is exhausted. */
xs_status xs_state_create(const xs_world *world, xs_arena *arena, xs_state **state,
                          xs_report *report);

/* Lists the state's arrays (without step, which the checkpoint keeps as an integer).
 * Returns how many; at most XS_STATE_PERSIST_MAX. After loading, call xs_state_loaded. */
int xs_state_persist(xs_state *state, xs_persist list[XS_STATE_PERSIST_MAX]);

/* Recomputes what is derived from the arrays (R from q). */
void xs_state_loaded(xs_state *state);

double xs_state_time(const xs_world *world, const xs_state *state);

#endif
