/* Building the system of a world (system_create.h), and which rows are solved together.
 *
 * Rods and bodies that joints connect are solved as one island, whatever solver.solve says of
 * bodies: rows of a joint next to those of the elements that share its nodes. Measured on a
 * 2 kg bob at the end of a swinging rod (5 cubic elements, h = 5 ms, tests/claims/
 * test_rod_systems.py): sweeping the joint alternately with the band leaves it up to 1.5 m
 * apart with 1 iteration and 0.5 m with 30, because a rod's end node alone is so light that each
 * of the two solves undoes the other; inside the band 1 iteration leaves 3e-6 m, 2 leave
 * 3e-13 m, for no more time. The band stays as narrow as along the rod (12 m - 1) for bodies
 * at its ends; where rods branch or close to a ring it is two to three times as wide, since
 * reverse Cuthill-McKee walks both ways round. So neither alternation nor a Schur
 * complement is needed. */
#include "solver/system_create.h"

#include <float.h>
#include <math.h>

#include "math/forest.h"
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

static int moves(const xs_world *world, int node) { return world->inertia[node].inv_mass > 0; }

/* Fills with_rod[n_nodes]: nodes that rods and joints connect, through nodes that can move, with a
 * rod. Returns 0 without memory. */
static int find_rods(const xs_world *world, xs_arena *arena, unsigned char *with_rod) {
  int *parent = XS_ARENA_NEW(arena, int, world->n_nodes);
  if (!parent) return 0;
  for (int i = 0; i < world->n_nodes; i++) parent[i] = i;
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    for (int k = 1; k < rod->n_nodes; k++)
      xs_forest_join(parent, rod->first_node, rod->first_node + k);
  }
  for (int j = 0; j < world->n_joints; j++) {
    const xs_joint *joint = &world->joints[j];
    if (moves(world, joint->node1) && moves(world, joint->node2))
      xs_forest_join(parent, joint->node1, joint->node2);
  }
  for (int i = 1 + world->n_bodies; i < world->n_nodes; i++)
    with_rod[xs_forest_root(parent, i)] = 1;
  for (int i = 0; i < world->n_nodes; i++) with_rod[i] = with_rod[xs_forest_root(parent, i)];
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
 * solve, else, if rods are banded, rods and all joints of what they are connected with. */
static void make_blocks(xs_system *s, xs_state *state, const unsigned char *with_rod) {
  const xs_world *world = s->world;
  const int global = world->solver.solve == XS_SOLVE_GLOBAL;
  const int banded = global || world->solver.rod_solve == XS_ROD_SOLVE_BANDED;
  for (int i = 0; i < world->n_nodes; i++)
    if (moves(world, i)) s->moving[s->n_moving++] = i;
  for (int j = 0; j < world->n_joints; j++) prepare_joint(s, state, j);
  for (int by_island = 0; by_island < 2; by_island++) {
    for (int j = 0; j < world->n_joints; j++) {
      const xs_joint *joint = &world->joints[j];
      const int on_rod = (moves(world, joint->node1) && with_rod[joint->node1]) ||
                         (moves(world, joint->node2) && with_rod[joint->node2]);
      if ((global || (banded && on_rod)) != by_island) continue;
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
  unsigned char *with_rod = XS_ARENA_NEW(arena, unsigned char, world->n_nodes);
  if (!with_rod || !find_rods(world, arena, with_rod) || !allocate(system, world, arena))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  make_blocks(system, state, with_rod);
  system->lambda = XS_ARENA_NEW(arena, double, system->n_rows);
  if (!system->lambda) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
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
