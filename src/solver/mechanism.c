/* Rows, sorted by what they do, and their rates (mechanism.h). */
#include "solver/mechanism.h"

#include <math.h>
#include <string.h>

#include "solver/residual.h"

static xs_row_sort position_sort(const xs_row_block *block, int r) {
  if (block->bound == XS_BOUND_BOX) return XS_ROW_LIMIT;
  return block->alpha && block->alpha[r] > 0 ? XS_ROW_SPRING : XS_ROW_HARD;
}

static xs_row_sort dashpot_sort(const xs_dashpot *dashpot) {
  if (!(dashpot->damping > 0)) return XS_ROW_NONE;
  return isinf(dashpot->damping) ? XS_ROW_RATE : XS_ROW_DASHPOT;
}

static void sort_row(xs_mechanism *m, int row, xs_row_sort sort) {
  m->sort[row] = (unsigned char)sort;
  m->count[sort]++;
}

static void add_dashpots(xs_mechanism *m, int j) {
  const xs_joint *joint = &m->world->joints[j];
  xs_row_block *block = &m->block[m->n_blocks];
  if (!xs_dashpot_wanted(joint) || !xs_joint_coordinate_block(joint, &m->joint[j], j, block))
    return;
  block->first_row = m->n_rows;
  block->alpha = m->softness + m->n_rows;
  for (int r = 0; r < block->n_rows; r++) {
    const int row = m->n_rows++;
    m->dashpot[row] = xs_dashpot_of(joint, r);
    sort_row(m, row, dashpot_sort(&m->dashpot[row]));
    m->softness[row] = m->sort[row] == XS_ROW_RATE ? 0 : 1;
    m->moves_in_time |= m->dashpot[row].rate != NULL;
  }
  m->n_blocks++;
}

xs_status xs_mechanism_create(const xs_system *system, xs_arena *arena, xs_mechanism *m,
                              xs_report *report) {
  const xs_world *world = system->world;
  const size_t n_rows = (size_t)system->n_rows + 3 * (size_t)world->n_joints;
  *m = (xs_mechanism){.world = world, .joint = system->joint};
  m->block = XS_ARENA_NEW(arena, xs_row_block, system->n_blocks + world->n_joints);
  m->sort = XS_ARENA_NEW(arena, unsigned char, n_rows);
  m->stiffness = XS_ARENA_NEW(arena, double, n_rows);
  m->retardation = XS_ARENA_NEW(arena, double, n_rows);
  m->dashpot = XS_ARENA_NEW(arena, xs_dashpot, n_rows);
  m->softness = XS_ARENA_NEW(arena, double, n_rows);
  if (!m->block || !m->sort || !m->stiffness || !m->retardation || !m->dashpot || !m->softness)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");

  memcpy(m->block, system->block, (size_t)system->n_blocks * sizeof *m->block);
  m->n_blocks = system->n_blocks;
  m->n_rows = system->n_rows;
  for (int b = 0; b < m->n_blocks; b++)
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      sort_row(m, row, position_sort(&m->block[b], r));
      if (m->sort[row] == XS_ROW_SPRING) m->stiffness[row] = 1 / m->block[b].alpha[r];
      const int rod = m->block[b].entity - world->n_joints;
      if (rod >= 0) m->retardation[row] = world->rods[rod].damping_time;
    }
  for (int j = 0; j < world->n_joints; j++) add_dashpots(m, j);
  for (int b = 0; b < world->n_bodies; b++) m->moves_in_time |= world->bodies[b].motion != NULL;
  m->moves_in_time |= system->n_timed > 0;
  return XS_OK;
}

xs_status xs_mechanism_global(const xs_mechanism *m, xs_arena *arena, xs_global **global,
                              xs_report *report) {
  return xs_global_create(m->world, m->n_blocks, m->block, m->n_rows, m->world->n_joints, arena,
                          global, report);
}

void xs_mechanism_back(const xs_mechanism *m, xs_global *global, const double *diagonal,
                       double *rhs) {
  xs_global_back(global, rhs);
  for (int row = 0; row < m->n_rows; row++)
    if (diagonal[row] == XS_MECHANISM_OUT) rhs[row] = 0;
}

/* rate += G v */
static void add_moved(const xs_row_block *block, const double *G, const xs_state *state,
                      double *rate) {
  const int n = block->n_rows;
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_vec3 v = state->v[block->node[k]], w = state->omega[block->node[k]];
    const double *Gk = G + k * 6 * n;
    for (int r = 0; r < n; r++, Gk++)
      rate[r] += Gk[0] * v.x + Gk[n] * v.y + Gk[2 * n] * v.z + Gk[3 * n] * w.x + Gk[4 * n] * w.y +
                 Gk[5 * n] * w.z;
  }
}

void xs_mechanism_rates(const xs_mechanism *m, const xs_global *global, const xs_state *state,
                        double t, double *rate) {
  memset(rate, 0, (size_t)m->n_rows * sizeof *rate);
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    const double *G = xs_global_gradient(global, b);
    double *c = rate + block->first_row;
    if (block->entity < m->world->n_joints) {
      const xs_joint *joint = &m->world->joints[block->entity];
      if (joint->motion || joint->target)
        xs_joint_time_rate(joint, &m->joint[block->entity], block, state->x, G, t, c);
    }
    add_moved(block, G, state, c);
    for (int r = 0; r < block->n_rows; r++) {
      const xs_dashpot *dashpot = &m->dashpot[block->first_row + r];
      if (dashpot->rate) c[r] -= dashpot->weight * xs_timefn_value(dashpot->rate, t);
    }
  }
}

void xs_mechanism_reactions(const xs_mechanism *m, const xs_global *global, const xs_pose *x,
                            const double *force, xs_reaction *reaction) {
  memset(reaction, 0, (size_t)m->world->n_joints * sizeof *reaction);
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    if (block->entity >= m->world->n_joints) continue;
    const double *G = xs_global_gradient(global, b) + 6 * block->n_rows;
    const xs_joint *joint = &m->world->joints[block->entity];
    double g[6] = {0};
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < block->n_rows; r++)
        g[c] += G[c * block->n_rows + r] * force[block->first_row + r];
    xs_residual_add_reaction(joint, &x[joint->node2], g, 1, &reaction[block->entity]);
  }
}
