/* Building the system of a world (system_create.h), and what is solved together.
 *
 * All rows that hang together with a rod over bodies and joints that move are in the rod's island
 * (global.c), under "solve": "block" as under "global": rods with rods, with bodies, with
 * themselves. A body of few rows between rod and joint costs a few rows of band; the loop of a
 * ring widens the band to half as much again (reverse Cuthill-McKee folds it), see
 * tests/test_global_systems.c.
 *
 * Why not alternate, the bodies' joints swept and the rod solved after each sweep? Measured on
 * scenes/demo/rod_bob.json (5 kg at the end of a rod of 7.9 kg; 0.5 s at 5 ms; largest gap of the
 * joint between them, m):
 *
 *   iterations     1        3        10       30       100
 *   alternating    0.34     0.14     0.047    0.014    0.0026
 *   one island     1.7e-8   3.5e-16  2.6e-16
 *
 * at the same time an iteration (38 us against 39). A node of a rod is light: the swept joint moves
 * the node to the body, and the rod's solve takes it back; what is left falls like 1/iterations.
 * A Schur complement on the coupling rows gives the island's answer, but needs a solve with the
 * rod's factor a coupling row and has nothing to save where the band holds the rows as they are.
 * "individual" still alternates for joints that move bodies: it is what it asks for
 * (tests/claims/test_rod_solves.py prints this table). */
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

/* on_rod[i]: node i belongs to a rod or hangs together with one over joints and bodies that move
 * (the ground and what is prescribed part them). 0: out of memory. */
static int find_on_rod(const xs_world *world, xs_arena *arena, unsigned char *on_rod) {
  const int n = world->n_nodes, first = 1 + world->n_bodies;
  int *parent = XS_ARENA_NEW(arena, int, n);
  if (!parent) return 0;
  for (int i = 0; i < n; i++) parent[i] = i;
  for (int j = 0; j < world->n_joints; j++) {
    const int a = world->joints[j].node1, b = world->joints[j].node2;
    if (world->inertia[a].inv_mass > 0 && world->inertia[b].inv_mass > 0)
      xs_forest_join(parent, a, b);
  }
  for (int i = first; i < n; i++) on_rod[xs_forest_root(parent, i)] = 1;
  for (int i = 0; i < n; i++)
    on_rod[i] = world->inertia[i].inv_mass > 0 && on_rod[xs_forest_root(parent, i)];
  return 1;
}

/* Whether a joint is solved in the islands of the rods: all that hang on a rod. Who asks for
 * "individual" rows gets them for joints that move bodies, at the price told at the head. */
static int belongs_to_rods(const xs_world *world, const unsigned char *on_rod,
                           const xs_joint *joint) {
  const int node[2] = {joint->node1, joint->node2}, first = 1 + world->n_bodies;
  for (int k = 0; k < 2; k++) {
    if (!(world->inertia[node[k]].inv_mass > 0) || node[k] >= first) continue;
    if (!on_rod[node[k]] || world->solver.solve == XS_SOLVE_INDIVIDUAL) return 0;
  }
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
 * solve, else rods and what belongs to them, if they are banded. */
static void make_blocks(xs_system *s, xs_state *state, const unsigned char *on_rod) {
  const xs_world *world = s->world;
  const int global = world->solver.solve == XS_SOLVE_GLOBAL;
  const int banded = global || world->solver.rod_solve == XS_ROD_SOLVE_BANDED;
  for (int i = 0; i < world->n_nodes; i++)
    if (world->inertia[i].inv_mass > 0) s->moving[s->n_moving++] = i;
  for (int j = 0; j < world->n_joints; j++) prepare_joint(s, state, j);
  for (int by_island = 0; by_island < 2; by_island++) {
    for (int j = 0; j < world->n_joints; j++) {
      const xs_joint *joint = &world->joints[j];
      if ((global || (banded && belongs_to_rods(world, on_rod, joint))) != by_island) continue;
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
  unsigned char *on_rod = XS_ARENA_NEW(arena, unsigned char, world->n_nodes);
  if (!allocate(system, world, arena) || !on_rod || !find_on_rod(world, arena, on_rod))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  make_blocks(system, state, on_rod);
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
