/* Building the system of a world (system_create.h). */
#include "solver/system_create.h"

#include <float.h>
#include <math.h>

#include "solver/diverged.h"
#include "solver/prescribed.h"

static size_t count_elements(const xs_world *world) {
  size_t n = 0;
  for (int r = 0; r < world->n_rods; r++) n += (size_t)world->rods[r].n_elements;
  return n;
}

static int allocate(xs_system *s, const xs_world *world, xs_arena *arena) {
  const size_t n = (size_t)world->n_nodes, n_joints = (size_t)world->n_joints,
               n_rods = (size_t)world->n_rods, n_elements = count_elements(world),
               n_blocks = XS_JOINT_BLOCKS_MAX * n_joints + n_elements;
  s->moving = XS_ARENA_NEW(arena, int, n);
  s->block = XS_ARENA_NEW(arena, xs_row_block, n_blocks);
  s->impulse = XS_ARENA_NEW(arena, xs_vec3, n_blocks);
  s->joint = XS_ARENA_NEW(arena, xs_joint_geometry, n_joints);
  s->torn2 = XS_ARENA_NEW(arena, double, n_joints + n_rods);
  s->q_n = XS_ARENA_NEW(arena, xs_quat, n);
  s->q_tilde = XS_ARENA_NEW(arena, xs_quat, n);
  s->dp = XS_ARENA_NEW(arena, xs_vec3, n);
  s->couple = XS_ARENA_NEW(arena, xs_vec3, n);
  s->momentum = XS_ARENA_NEW(arena, double, 6 * n);
  s->timed = XS_ARENA_NEW(arena, int, n_joints);
  s->rod_element = XS_ARENA_NEW(arena, xs_rod_element, n_elements);
  s->rod_alpha = XS_ARENA_NEW(arena, double, 6 * XS_ROD_GAUSS_MAX * n_rods);
  return s->moving && s->block && s->impulse && s->joint && s->torn2 && s->q_n && s->q_tilde &&
         s->dp && s->couple && s->momentum && s->timed && s->rod_element && s->rod_alpha;
}

/* A joint whose moving nodes all belong to rods is solved inside their band. */
static int moves_rods_only(const xs_world *world, const xs_joint *joint) {
  const int node[2] = {joint->node1, joint->node2}, first = 1 + world->n_bodies;
  for (int k = 0; k < 2; k++)
    if (node[k] < first && world->inertia[node[k]].inv_mass > 0) return 0;
  return 1;
}

static void prepare_joint(xs_system *s, xs_state *state, int j) {
  const xs_joint *joint = &s->world->joints[j];
  const double size = XS_DIVERGED_TORN * s->world->size;
  xs_joint_geometry_init(joint, &state->turn[j], &s->joint[j]);
  state->turn[j] = xs_joint_turn_start(&s->joint[j], state->x);
  if (joint->motion || joint->target) s->timed[s->n_timed++] = j;
  const double gap = XS_DIVERGED_TORN * xs_joint_gap(joint->type, &s->joint[j], state->x);
  s->torn2[j] = fmax(size * size, gap * gap);
}

static void add_rods(xs_system *s) {
  const xs_world *world = s->world;
  xs_rod_element *element = s->rod_element;
  for (int r = 0; r < world->n_rods; r++) {
    double *alpha = s->rod_alpha + 6 * XS_ROD_GAUSS_MAX * r;
    xs_rod_compliance(&world->rods[r], alpha);
    xs_rod_blocks(&world->rods[r], alpha, element, world->n_joints + r, &s->n_rows,
                  &s->block[s->n_blocks]);
    s->n_blocks += world->rods[r].n_elements;
    element += world->rods[r].n_elements;
    s->torn2[world->n_joints + r] = DBL_MAX; /* strains may be anything finite */
  }
}

/* Blocks that are swept, then those that are solved by islands: everything with the global
 * solve, else rods and what only moves rods, if they are banded. */
static void make_blocks(xs_system *s, xs_state *state) {
  const xs_world *world = s->world;
  const int global = world->solver.solve == XS_SOLVE_GLOBAL;
  const int banded = global || world->solver.rod_solve == XS_ROD_SOLVE_BANDED;
  for (int i = 0; i < world->n_nodes; i++)
    if (world->inertia[i].inv_mass > 0) s->moving[s->n_moving++] = i;
  for (int j = 0; j < world->n_joints; j++) prepare_joint(s, state, j);
  for (int by_island = 0; by_island < 2; by_island++) {
    for (int j = 0; j < world->n_joints; j++) {
      const xs_joint *joint = &world->joints[j];
      if ((global || (banded && moves_rods_only(world, joint))) != by_island) continue;
      s->n_blocks += xs_joint_blocks(joint, &s->joint[j], world->solver.constraints, j, &s->n_rows,
                                     &s->block[s->n_blocks]);
    }
    if (banded == by_island) add_rods(s);
    if (!by_island) s->n_swept = s->n_blocks;
  }
}

xs_status xs_system_create(const xs_world *world, xs_state *state, xs_arena *arena,
                           xs_system *system, xs_report *report) {
  system->world = world;
  system->h = world->time.step / world->time.substeps;
  if (!allocate(system, world, arena))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  make_blocks(system, state);
  system->lambda = XS_ARENA_NEW(arena, double, system->n_rows);
  system->softness = XS_ARENA_NEW(arena, double, system->n_rows);
  if (!system->lambda || !system->softness)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  for (int b = 0; b < system->n_blocks; b++)
    for (int r = 0; r < system->block[b].n_rows; r++)
      system->softness[system->block[b].first_row + r] =
          xs_system_alpha_tilde(system, &system->block[b], r);
  xs_prescribed_place(world, 0, state);
  return XS_OK;
}

void xs_system_freeze(xs_system *system, double t, xs_state *state) {
  const xs_joint *joints = system->world->joints;
  xs_prescribed_place(system->world, t, state);
  for (int k = 0; k < system->n_timed; k++)
    xs_joint_freeze(&joints[system->timed[k]], t, &system->joint[system->timed[k]]);
}

void xs_system_track_turns(const xs_system *system, xs_state *state) {
  const xs_world *world = system->world;
  for (int j = 0; j < world->n_joints; j++)
    if (world->joints[j].type == XS_JOINT_REVOLUTE)
      xs_joint_turn_track(&system->joint[j], state->x, &state->turn[j]);
}
